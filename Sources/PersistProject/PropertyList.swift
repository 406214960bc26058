/// A value of an old-style property list, the form of `project.pbxproj`.
indirect enum PropertyList: Sendable, Equatable {
  case text(String)
  case list([PropertyList])
  case table([String: PropertyList])

  var text: String? {
    if case .text(let text) = self { return text }
    return nil
  }

  /// The texts of a list, or the one text.
  var texts: [String] {
    switch self {
    case .text(let text): [text]
    case .list(let values): values.compactMap(\.text)
    case .table: []
    }
  }

  var table: [String: PropertyList]? {
    if case .table(let table) = self { return table }
    return nil
  }

  subscript(_ key: String) -> PropertyList? { table?[key] }
}

/// Reads a property list; what can't be read ends it, with what was read so far.
struct PropertyListReader {
  private static let maximumDepth = 48

  private let bytes: [UInt8]
  private var at = 0
  private var depth = 0
  private var isBroken = false

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func read(_ bytes: [UInt8]) -> PropertyList? {
    var reader = PropertyListReader(bytes)
    return reader.readValue()
  }

  private mutating func readValue() -> PropertyList? {
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.maximumDepth, let byte = nextByte() else {
      isBroken = true
      return nil
    }
    switch byte {
    case UInt8(ascii: "{"): return .table(readTable())
    case UInt8(ascii: "("): return .list(readList())
    default: return readText().map { .text($0) }
    }
  }

  private mutating func readTable() -> [String: PropertyList] {
    at += 1
    var table: [String: PropertyList] = [:]
    while !isBroken, let byte = nextByte() {
      if byte == UInt8(ascii: "}") {
        at += 1
        return table
      }
      guard let key = readText(), nextByte() == UInt8(ascii: "=") else { break }
      at += 1
      guard let value = readValue() else { break }
      table[key] = value
      if nextByte() == UInt8(ascii: ";") { at += 1 }
    }
    isBroken = true
    return table
  }

  private mutating func readList() -> [PropertyList] {
    at += 1
    var list: [PropertyList] = []
    while !isBroken, let byte = nextByte() {
      if byte == UInt8(ascii: ")") {
        at += 1
        return list
      }
      guard let value = readValue() else { break }
      list.append(value)
      if nextByte() == UInt8(ascii: ",") { at += 1 }
    }
    isBroken = true
    return list
  }

  private mutating func readText() -> String? {
    guard let byte = nextByte() else { return nil }
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return readQuoted(byte) }
    let start = at
    while at < bytes.count, !Self.endsWord(bytes[at]) { at += 1 }
    guard at > start else {
      isBroken = true
      return nil
    }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private mutating func readQuoted(_ quote: UInt8) -> String {
    at += 1
    var text: [UInt8] = []
    while at < bytes.count, bytes[at] != quote {
      if bytes[at] == UInt8(ascii: "\\"), at + 1 < bytes.count {
        at += 1
        switch bytes[at] {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "t"): text.append(0x09)
        default: text.append(bytes[at])
        }
      } else {
        text.append(bytes[at])
      }
      at += 1
    }
    at += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// The next byte that is neither space nor comment.
  private mutating func nextByte() -> UInt8? {
    while at < bytes.count {
      let byte = bytes[at]
      if byte == 0x20 || byte >= 0x09 && byte <= 0x0D {
        at += 1
      } else if byte == UInt8(ascii: "/"), at + 1 < bytes.count, bytes[at + 1] == byte {
        while at < bytes.count, bytes[at] != 0x0A { at += 1 }
      } else if byte == UInt8(ascii: "/"), at + 1 < bytes.count, bytes[at + 1] == UInt8(ascii: "*")
      {
        at += 2
        while at + 1 < bytes.count,
          bytes[at] != UInt8(ascii: "*") || bytes[at + 1] != UInt8(ascii: "/")
        {
          at += 1
        }
        at += 2
      } else {
        return byte
      }
    }
    return nil
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09...0x0D, UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "("),
      UInt8(ascii: ")"), UInt8(ascii: "="), UInt8(ascii: ";"), UInt8(ascii: ","),
      UInt8(ascii: "\""):
      true
    default: false
    }
  }
}
