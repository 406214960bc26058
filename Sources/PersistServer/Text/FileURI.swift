import PersistReport

/// The paths of files as editors write them.
package enum FileURI {
  /// The path that a `file:` URI names; nil for every other URI.
  package static func path(of uri: String) -> String? {
    guard uri.lowercased().hasPrefix("file://") else { return nil }
    let rest = uri.utf8.dropFirst(7)
    // Before the path may stand the name of a host, which can only be this one.
    guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    var bytes: [UInt8] = []
    var left = rest[slash...]
    while let byte = left.popFirst() {
      let digits = left.prefix(2)
      if byte == UInt8(ascii: "%"), digits.count == 2,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        left = left.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    let path = String(decoding: bytes, as: UTF8.self)
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The URI of an absolute path.
  package static func uri(of path: String) -> String { path.uri }
}
