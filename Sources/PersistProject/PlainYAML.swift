/// A value of the part of YAML in which projects are described.
indirect enum PlainYAML: Sendable, Equatable {
  case text(String)
  case list([PlainYAML])
  case table([String: PlainYAML])

  var text: String? {
    if case .text(let text) = self, !text.isEmpty { return text }
    return nil
  }

  /// The items of a list, or the one value.
  var items: [PlainYAML] {
    if case .list(let items) = self { return items }
    return self == .text("") ? [] : [self]
  }

  var texts: [String] { items.compactMap(\.text) }

  var table: [String: PlainYAML] {
    if case .table(let table) = self { return table }
    return [:]
  }

  subscript(_ key: String) -> PlainYAML? { table[key] }
}

/// Reads block and flow collections, plain and quoted texts, anchors and merged keys; what it can't
/// read is an empty text.
struct PlainYAMLReader {
  private static let maximumDepth = 48
  private static let maximumLines = 50_000

  private struct Line {
    var indent: Int
    var text: String
  }

  private var lines: [Line] = []
  private var at = 0
  private var depth = 0
  private var anchors: [String: PlainYAML] = [:]
  /// How many values aliases have brought, so that they can't multiply without end.
  private var aliased = 0

  static func read(_ bytes: [UInt8]) -> PlainYAML {
    var reader = PlainYAMLReader(String(decoding: bytes, as: UTF8.self))
    return reader.readBlock(indent: 0)
  }

  private init(_ text: String) {
    for line in text.split(whereSeparator: \.isNewline).prefix(Self.maximumLines) {
      let indent = line.prefix { $0 == " " }.count
      let content = Self.withoutComment(line.dropFirst(indent))
      if content.isEmpty || content == "---" || content.hasPrefix("%") { continue }
      lines.append(Line(indent: indent, text: content))
    }
  }

  private static func withoutComment(_ line: Substring) -> String {
    var quote: Character?
    var previous: Character = " "
    var end = line.endIndex
    for index in line.indices {
      let character = line[index]
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "\"" || character == "'", previous == " " || "[{,:".contains(previous)
      {
        quote = character
      } else if character == "#", previous == " " {
        end = index
        break
      }
      previous = character
    }
    return String(line[..<end]).trimmed
  }

  // MARK: Blocks

  private mutating func readBlock(indent: Int) -> PlainYAML {
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.maximumDepth, at < lines.count, lines[at].indent >= indent else {
      return .text("")
    }
    let own = lines[at].indent
    return Self.isItem(lines[at].text) ? readList(own) : readTable(own)
  }

  private static func isItem(_ text: String) -> Bool { text == "-" || text.hasPrefix("- ") }

  private mutating func readList(_ indent: Int) -> PlainYAML {
    var items: [PlainYAML] = []
    while at < lines.count, lines[at].indent == indent, Self.isItem(lines[at].text) {
      let rest = String(lines[at].text.dropFirst()).trimmed
      if rest.isEmpty {
        at += 1
        items.append(readBlock(indent: indent + 1))
      } else if Self.key(of: rest) != nil, !rest.hasPrefix("{"), !rest.hasPrefix("[") {
        // The first key of a table stands behind the hyphen.
        let inner = indent + (lines[at].text.count - rest.count)
        lines[at] = Line(indent: inner, text: rest)
        items.append(readTable(inner))
      } else {
        at += 1
        items.append(readValue(rest, indent: indent))
      }
    }
    skip(deeperThan: indent)
    return .list(items)
  }

  private mutating func readTable(_ indent: Int) -> PlainYAML {
    var table: [String: PlainYAML] = [:]
    while at < lines.count, lines[at].indent == indent, !Self.isItem(lines[at].text) {
      let line = lines[at].text
      at += 1
      guard let (key, rest) = Self.key(of: line) else { continue }
      let value = readValue(rest, indent: indent)
      guard key == "<<" else {
        table[key] = value
        continue
      }
      for merged in value.items { table.merge(merged.table) { own, _ in own } }
    }
    skip(deeperThan: indent)
    return .table(table)
  }

  /// Leaves out lines that belong to nothing that was read.
  private mutating func skip(deeperThan indent: Int) {
    while at < lines.count, lines[at].indent > indent { at += 1 }
  }

  /// The key of a line and what stands behind the colon.
  private static func key(of line: String) -> (key: String, rest: String)? {
    var quote: Character?
    var index = line.startIndex
    while index < line.endIndex {
      let character = line[index]
      let next = line.index(after: index)
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "\"" || character == "'", index == line.startIndex {
        quote = character
      } else if character == ":", next == line.endIndex || line[next] == " " {
        return (plain(String(line[..<index]).trimmed), String(line[next...]).trimmed)
      }
      index = next
    }
    return nil
  }

  // MARK: Values

  private mutating func readValue(_ text: String, indent: Int) -> PlainYAML {
    if text.hasPrefix("&") {
      let name = String(text.dropFirst().prefix { $0 != " " })
      let rest = String(text.dropFirst(name.count + 1)).trimmed
      let value = readValue(rest, indent: indent)
      anchors[name] = value
      return value
    }
    if text.hasPrefix("*") {
      aliased += 1
      return aliased < 1_000 ? anchors[String(text.dropFirst())] ?? .text("") : .text("")
    }
    if text.isEmpty {
      // The items of a list may stand as far left as its key.
      if at < lines.count, lines[at].indent == indent, Self.isItem(lines[at].text) {
        return readList(indent)
      }
      return readBlock(indent: indent + 1)
    }
    if text.hasPrefix("|") || text.hasPrefix(">") {
      skip(deeperThan: indent)
      return .text("")
    }
    if text.hasPrefix("[") || text.hasPrefix("{") { return readFlow(text) }
    return .text(Self.plain(text))
  }

  /// A list or table in brackets, which may go on over lines.
  private mutating func readFlow(_ start: String) -> PlainYAML {
    var text = start
    while Self.openBrackets(text) > 0, at < lines.count, text.utf8.count < 65_536 {
      text += " " + lines[at].text
      at += 1
    }
    var rest = text[...]
    return Self.flow(&rest, depth: 0)
  }

  private static func openBrackets(_ text: String) -> Int {
    text.reduce(0) { count, character in
      "[{".contains(character) ? count + 1 : "]}".contains(character) ? count - 1 : count
    }
  }

  private static func flow(_ rest: inout Substring, depth: Int) -> PlainYAML {
    rest = rest.drop { $0 == " " }
    guard depth < maximumDepth, let open = rest.first, open == "[" || open == "{" else {
      let text = rest.prefix { !",]}".contains($0) }
      rest = rest.dropFirst(text.count)
      return .text(plain(String(text).trimmed))
    }
    rest = rest.dropFirst()
    var list: [PlainYAML] = []
    var table: [String: PlainYAML] = [:]
    while let next = rest.first, next != "]", next != "}" {
      if next == "," || next == " " {
        rest = rest.dropFirst()
      } else if open == "[" {
        list.append(flow(&rest, depth: depth + 1))
      } else {
        let key = rest.prefix { !":,}]".contains($0) }
        rest = rest.dropFirst(key.count)
        if rest.first == ":" { rest = rest.dropFirst() }
        table[plain(String(key).trimmed)] = flow(&rest, depth: depth + 1)
      }
    }
    rest = rest.dropFirst()
    return open == "[" ? .list(list) : .table(table)
  }

  /// A text without its quotes.
  private static func plain(_ text: String) -> String {
    guard text.count > 1, let first = text.first, first == "\"" || first == "'",
      text.last == first
    else { return text }
    return String(text.dropFirst().dropLast())
  }
}
