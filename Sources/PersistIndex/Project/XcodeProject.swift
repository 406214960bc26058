/// What an Xcode project says of the code in it.
package enum XcodeProject {
  /// Whether some target of a `project.pbxproj` runs on the main actor unless its code says
  /// otherwise.
  package static func mayIsolateToMainActor(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.contains("SWIFT_DEFAULT_ACTOR_ISOLATION = MainActor")
      || text.contains("-default-isolation MainActor")
  }

  /// The folder around the project whose file lies at a path, with `/` at its end; "" for the root.
  static func folder(of path: String) -> String {
    path.split(separator: "/").dropLast(2).map { $0 + "/" }.joined()
  }
}
