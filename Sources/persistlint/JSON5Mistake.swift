/// Where a text stops being JSON with comments and trailing commas: Foundation's decoder says only
/// that it does, and takes keys that stand twice.
struct JSON5Mistake: Error {
  let line: Int
  /// In characters from 1.
  let column: Int
  let expected: String

  /// Nothing when the text can be read.
  init?(in text: String) {
    var reader = Reader(text)
    do {
      try reader.readDocument()
      return nil
    } catch {
      let before = text[..<error.index]
      line = before.count { $0.isNewline } + 1
      column = before.reversed().prefix { !$0.isNewline }.count + 1
      expected = error.expected
    }
  }

  private struct Stop: Error {
    let index: String.Index
    let expected: String
  }

  private struct Reader {
    private let text: String
    private var index: String.Index

    init(_ text: String) {
      self.text = text
      index = text.startIndex
    }

    private var next: Character? { index < text.endIndex ? text[index] : nil }

    private func stop(_ expected: String) -> Stop { Stop(index: index, expected: expected) }

    mutating func readDocument() throws(Stop) {
      try readValue(depth: 0)
      try skipSpace()
      if next != nil { throw stop("the end of the file") }
    }

    private mutating func readValue(depth: Int) throws(Stop) {
      try skipSpace()
      guard depth < 500 else { throw stop("less nesting") }
      switch next {
      case "{": try readMembers(depth: depth)
      case "[": try readElements(depth: depth)
      case "\"": _ = try readString()
      case "'": throw stop("a string in double quotes")
      case let character?
      where character.isLetter || character.isNumber || "+-.".contains(character):
        while let character = next,
          character.isLetter || character.isNumber || "+-.".contains(character)
        {
          index = text.index(after: index)
        }
      default: throw stop("a value")
      }
    }

    private mutating func readMembers(depth: Int) throws(Stop) {
      index = text.index(after: index)
      try skipSpace()
      var keys: Set<String> = []
      while next != "}" {
        let start = index
        if next == "'" { throw stop("a key in double quotes") }
        if next == "\"" {
          let key = try readString()
          guard keys.insert(key).inserted else {
            throw Stop(index: start, expected: "a key other than '\(key)', which appears above")
          }
        } else if let character = next, character.isLetter || "_$".contains(character) {
          while let character = next,
            character.isLetter || character.isNumber || "_$".contains(character)
          {
            index = text.index(after: index)
          }
        } else {
          throw stop("a key or '}'")
        }
        try skipSpace()
        guard next == ":" else { throw stop("':'") }
        index = text.index(after: index)
        try readValue(depth: depth + 1)
        try readComma(before: "}")
      }
      index = text.index(after: index)
    }

    private mutating func readElements(depth: Int) throws(Stop) {
      index = text.index(after: index)
      try skipSpace()
      while next != "]" {
        try readValue(depth: depth + 1)
        try readComma(before: "]")
      }
      index = text.index(after: index)
    }

    private mutating func readComma(before end: Character) throws(Stop) {
      try skipSpace()
      if next == end { return }
      guard next == "," else { throw stop("',' or '\(end)'") }
      index = text.index(after: index)
      try skipSpace()
    }

    /// The text between the quotes, with its escapes.
    private mutating func readString() throws(Stop) -> String {
      let start = index
      index = text.index(after: index)
      while let character = next, character != "\"" {
        index = text.index(after: index)
        if character.isNewline { break }
        if character == "\\", next != nil { index = text.index(after: index) }
      }
      guard next == "\"" else { throw Stop(index: start, expected: "a string that ends") }
      defer { index = text.index(after: index) }
      return String(text[text.index(after: start)..<index])
    }

    private mutating func skipSpace() throws(Stop) {
      while let character = next {
        let rest = text[index...]
        if character.isWhitespace || character == "\u{FEFF}" {
          index = text.index(after: index)
        } else if rest.hasPrefix("//") {
          index = rest.firstIndex { $0.isNewline } ?? text.endIndex
        } else if rest.hasPrefix("/*") {
          guard let end = rest.dropFirst(2).firstRange(of: "*/") else {
            throw stop("a comment that ends")
          }
          index = end.upperBound
        } else {
          return
        }
      }
    }
  }
}
