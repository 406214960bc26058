import PersistIndex
import PersistSyntax

extension Program {
  /// The text of a string, delimiters and escapes resolved; `hole` says what stands in the parts
  /// between, in their order. Lines of a text of several are trimmed.
  package func text(ofString ref: Ref, _ hole: (Ref) -> String) -> String {
    let outline = outline(ref)
    let node = node(ref)
    var result = ""
    var token = Int(node.first)
    let isMultiline = outline.tokens[token].flags.contains(.multiline)
    let pounds = outline.text(ofToken: token).prefix { $0 == "#" }.count
    var parts = children(ref).filter { self.node($0).end > self.node($0).first }[...]
    while token < Int(node.end) {
      if let part = parts.first, Int(self.node(part).first) == token {
        parts.removeFirst()
        result += hole(part)
        token = Int(self.node(part).end)
        continue
      }
      switch outline.tokens[token].kind {
      case .string, .stringStart, .stringMiddle, .stringEnd:
        result += Self.piece(
          outline.text(ofToken: token), outline.tokens[token].kind, pounds: pounds,
          isMultiline: isMultiline)
      default: break
      }
      token += 1
    }
    guard isMultiline else { return result }
    return result.split(whereSeparator: \.isNewline).map(\.trimmed).joined(separator: "\n")
  }

  /// The text of a part of a string literal, delimiters and escapes resolved.
  private static func piece(
    _ source: String, _ kind: PersistSyntax.Token.Kind, pounds: Int, isMultiline: Bool
  ) -> String {
    var text = source[...]
    let quote = isMultiline ? "\"\"\"" : "\""
    if kind == .string || kind == .stringStart {
      text = text.dropFirst(pounds)
      if text.hasPrefix(quote) { text = text.dropFirst(quote.count) }
    }
    if kind == .string || kind == .stringEnd {
      while text.hasSuffix("#"), pounds > 0 { text = text.dropLast() }
      if text.hasSuffix(quote) { text = text.dropLast(quote.count) }
    } else {
      if text.hasSuffix("\\" + String(repeating: "#", count: pounds)) {
        text = text.dropLast(pounds + 1)
      }
    }
    guard pounds == 0, text.contains("\\") else { return String(text) }
    var result = ""
    var isEscaped = false
    for character in text {
      if isEscaped {
        switch character {
        case "n": result += "\n"
        case "t": result += "\t"
        case "\n", "\r\n": break
        default: result.append(character)
        }
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        result.append(character)
      }
    }
    return result
  }
}

extension Substring {
  /// The text without white space around it.
  fileprivate var trimmed: String {
    var text = drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text = text.dropLast() }
    return String(text)
  }
}
