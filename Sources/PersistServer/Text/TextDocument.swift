import PersistReport

/// A file that an editor has open, as it stands there.
struct TextDocument: Sendable {
  /// As the editor writes it.
  let uri: String
  var version: Int
  private(set) var bytes: [UInt8]
  /// Its lines, for positions.
  private(set) var lines: LineTable

  init(uri: String, version: Int, text: String) {
    self.uri = uri
    self.version = version
    bytes = Array(text.utf8)
    lines = LineTable(bytes)
  }

  /// Puts in one change: a text in place of a range, or of everything.
  mutating func apply(_ change: JSON, in encoding: PositionEncoding) {
    guard let text = change["text"]?.string else { return }
    if let start = TextPosition(change["range"]?["start"]),
      let end = TextPosition(change["range"]?["end"])
    {
      let (first, last) = (
        lines.offset(of: start, in: encoding), lines.offset(of: end, in: encoding)
      )
      bytes.replaceSubrange(first..<max(first, last), with: Array(text.utf8))
    } else {
      bytes = Array(text.utf8)
    }
    lines = LineTable(bytes)
  }
}

extension TextPosition {
  /// Nil for what is no position.
  init?(_ json: JSON?) {
    guard let line = json?["line"]?.integer, let character = json?["character"]?.integer else {
      return nil
    }
    self.init(line: line, character: character)
  }

  var json: JSON { ["line": .integer(line), "character": .integer(character)] }
}
