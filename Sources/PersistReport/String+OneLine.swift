extension String {
  /// The text with each line break as a space and each other control character made visible.
  package var onOneLine: String {
    guard utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n", "\r", "\t", "\u{2028}", "\u{2029}": text += " "
      case "\u{0}"..."\u{1F}": text.unicodeScalars.append(scalar.picture)
      case "\u{7F}"..."\u{9F}": text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// The control picture of a character below U+0020: `␛` for escape.
  fileprivate var picture: Unicode.Scalar { Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}" }
}
