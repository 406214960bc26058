extension String {
  /// The text with each line break as a space and each other control character made visible.
  package var onOneLine: String { shown { $0 == .tab || $0.breaksLines ? " " : nil } }

  /// The text with its line breaks and tabs, and each other control character made visible.
  package var visible: String {
    let text = shown { scalar in
      switch scalar {
      case "\n", "\r", "\t": String(scalar)
      default: nil
      }
    }
    // Behind the last line it ends nothing, and only a line feed may follow it elsewhere.
    guard text.utf8.contains(0x0D) else { return text }
    var kept = ""
    var wasReturn = false
    for scalar in text.unicodeScalars {
      if wasReturn { kept += scalar == "\n" ? "\r" : "\u{240D}" }
      wasReturn = scalar == "\r"
      if !wasReturn { kept.unicodeScalars.append(scalar) }
    }
    return wasReturn ? kept + "\u{240D}" : kept
  }

  /// As `visible`, but the colours that `TextFormat` paints with stay.
  package var visibleButForColours: String {
    guard utf8.contains(0x1B) else { return visible }
    let parts = split(separator: "\u{1B}", omittingEmptySubsequences: false)
    return parts.enumerated().map { index, part in
      if index == 0 { return String(part).visible }
      guard let code = TextFormat.colours.first(where: part.hasPrefix) else {
        return "\u{1B}".visible + String(part).visible
      }
      return "\u{1B}\(code)" + String(part.dropFirst(code.count)).visible
    }.joined()
  }

  /// Control characters as pictures, those that change the direction of text as escapes; where
  /// `replacement` has a text for one, that.
  private func shown(_ replacement: (Unicode.Scalar) -> String?) -> String {
    guard utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar.value >= 0x20, scalar.value < 0x7F || !scalar.isControl {
        text.unicodeScalars.append(scalar)
      } else if let replaced = replacement(scalar) {
        text += replaced
      } else {
        text += scalar.picture
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  fileprivate static let tab: Unicode.Scalar = "\t"

  fileprivate var breaksLines: Bool { ["\n", "\r", "\u{2028}", "\u{2029}"].contains(self) }

  /// Whether it does something where it is shown instead of being seen.
  package var isControl: Bool {
    switch value {
    case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029: true
    default: changesDirection
    }
  }

  /// Whether it makes text run the other way, so that it reads as something else.
  package var changesDirection: Bool {
    switch value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// What is shown for it: `␛` for escape, `\u{202E}` for an override of the direction.
  fileprivate var picture: String {
    switch value {
    case 0...0x1F: return Unicode.Scalar(0x2400 + value).map { String($0) } ?? "\u{FFFD}"
    case 0x7F...0x9F: return "\u{FFFD}"
    default: return "\\u{\(String(value, radix: 16, uppercase: true))}"
    }
  }
}
