extension [String] {
  /// The first; empty where there is none.
  var one: String { first ?? "" }
}
