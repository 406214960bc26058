/// A line of source for the terminal, with a range of it underlined.
struct Excerpt {
  private static let longest = 160

  private let before: String
  private let marked: String
  private let after: String

  /// Columns are bytes from 1; of a long line only the part around the range is kept.
  init(_ line: SourceLine, from start: Int, to end: Int) {
    let bytes = line.bytes
    let first = min(bytes.startIndex + max(start - 1, 0), bytes.endIndex)
    let last = min(max(bytes.startIndex + end - 1, first), bytes.endIndex)
    before = String(decoding: bytes[..<first], as: UTF8.self).withSpacesForTabs
    marked = String(decoding: bytes[first..<last], as: UTF8.self).withSpacesForTabs
    after = String(decoding: bytes[last...], as: UTF8.self).withSpacesForTabs
  }

  /// The source line and the underline, each with its line break.
  func lines(paint: (String) -> String) -> String {
    var before = before.onOneLine
    if before.count > Excerpt.longest / 2 { before = "…" + before.suffix(Excerpt.longest / 2) }
    let marked = String(marked.onOneLine.prefix(Excerpt.longest))
    let after = after.onOneLine.prefix(max(0, Excerpt.longest - before.count - marked.count))
    let underline = "^" + String(repeating: "~", count: max(0, marked.terminalWidth - 1))
    return "\(before)\(marked)\(after)\n"
      + String(repeating: " ", count: before.terminalWidth) + paint(underline) + "\n"
  }
}

extension String {
  fileprivate var withSpacesForTabs: String {
    var text = ""
    for scalar in unicodeScalars where scalar != "\u{FEFF}" {
      if scalar == "\t" { text += "    " } else { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  /// How many cells of a terminal the text takes: two for East Asian wide characters and emoji.
  var terminalWidth: Int {
    reduce(0) { width, character in
      guard let scalar = character.unicodeScalars.first else { return width }
      switch scalar.value {
      case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
        return width + 2
      default: return width + 1
      }
    }
  }
}
