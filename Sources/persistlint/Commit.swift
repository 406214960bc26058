/// The commit of the sources.
enum Commit {
  /// git puts the commit in when it makes an archive, from which releases are built.
  private static let archived = "$Format:%H$"

  /// Nothing when the sources are those of a checkout.
  static var id: String? { archived.hasPrefix("$") ? nil : archived }
}
