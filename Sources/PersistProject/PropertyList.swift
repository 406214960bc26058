/// A value of an old-style property list, the form of `project.pbxproj`: a place in the list's file,
/// of which texts are made when something asks for them.
struct PropertyList: Sendable {
  fileprivate let file: PropertyListFile
  fileprivate let index: Int

  private var value: PropertyListFile.Value { file.values[index] }

  /// The text; nil for a list or table.
  var text: String? { value.kind == .text ? file.text(of: value) : nil }

  /// The texts of a list, or the one text.
  var texts: [String] { parts.compactMap(\.text) }

  /// The values of a list, or the one text.
  var parts: [PropertyList] {
    switch value.kind {
    case .text: return [self]
    case .table: return []
    case .list:
      var found: [PropertyList] = []
      var next = index + 1
      while next < value.end {
        found.append(PropertyList(file: file, index: next))
        next = Int(file.values[next].end)
      }
      return found
    }
  }

  /// The keys and values of a table as they were written, a key perhaps more than once.
  var entries: [(key: PropertyList, value: PropertyList)] {
    guard value.kind == .table else { return [] }
    var found: [(key: PropertyList, value: PropertyList)] = []
    var next = index + 1
    while next < value.end {
      let value = PropertyList(file: file, index: next + 1)
      found.append((PropertyList(file: file, index: next), value))
      next = Int(file.values[next + 1].end)
    }
    return found
  }

  /// Whether it is this text.
  func isText(_ text: StaticString) -> Bool {
    value.kind == .text
      && withBytes { bytes in
        bytes.elementsEqual(
          UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
      }
  }

  /// Whether it is this text, or this text and then a condition in brackets.
  func begins(with text: String) -> Bool {
    withBytes { bytes in
      let count = text.utf8.count
      return bytes.starts(with: text.utf8)
        && (bytes.count == count || bytes[count] == UInt8(ascii: "["))
    }
  }

  /// The value of a key in a table; the last one, where the key stands there more than once.
  subscript(_ key: StaticString) -> PropertyList? {
    guard value.kind == .table else { return nil }
    var found: Int?
    var next = index + 1
    while next < value.end {
      if PropertyList(file: file, index: next).isText(key) { found = next + 1 }
      next = Int(file.values[next + 1].end)
    }
    return found.map { PropertyList(file: file, index: $0) }
  }

  /// Calls a closure with the bytes of a text.
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    file.withBytes(of: value, body)
  }
}

/// The bytes of a property list, and where its values lie in them.
final class PropertyListFile: Sendable {
  fileprivate struct Value: Sendable {
    enum Kind: UInt8 { case text, list, table }
    let kind: Kind
    /// Whether a backslash stands in the text.
    var isEscaped = false
    /// The bytes of a text, its quotes left out.
    var start: Int32 = 0
    var stop: Int32 = 0
    /// The index behind the last of the values inside; a table holds keys and values in turn.
    var end: Int32 = 0
  }

  private let bytes: [UInt8]
  fileprivate let values: [Value]

  private init(_ bytes: [UInt8], _ values: [Value]) {
    self.bytes = bytes
    self.values = values
  }

  /// Reads a property list; what can't be read ends it, with what was read so far. Nil where there
  /// is no value at all.
  static func read(_ bytes: [UInt8]) -> PropertyList? {
    guard bytes.count < Int(Int32.max) else { return nil }
    let values = bytes.withUnsafeBufferPointer { bytes in
      var reader = PropertyListReader(bytes)
      return reader.readAll()
    }
    return values.isEmpty
      ? nil : PropertyList(file: PropertyListFile(bytes, values), index: 0)
  }

  fileprivate func text(of value: Value) -> String {
    withBytes(of: value) { String(decoding: $0, as: UTF8.self) }
  }

  fileprivate func withBytes<Result>(
    of value: Value, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    bytes.withUnsafeBufferPointer { bytes in
      let text = UnsafeBufferPointer(rebasing: bytes[Int(value.start)..<Int(value.stop)])
      return value.isEscaped ? Self.unescaped(text).withUnsafeBufferPointer(body) : body(text)
    }
  }

  private static func unescaped(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var plain: [UInt8] = []
    var at = 0
    while at < text.count {
      if text[at] == UInt8(ascii: "\\"), at + 1 < text.count {
        at += 1
        switch text[at] {
        case UInt8(ascii: "n"): plain.append(0x0A)
        case UInt8(ascii: "t"): plain.append(0x09)
        default: plain.append(text[at])
        }
      } else {
        plain.append(text[at])
      }
      at += 1
    }
    return plain
  }
}

private struct PropertyListReader {
  private static let maximumDepth = 48

  private let bytes: UnsafeBufferPointer<UInt8>
  private var values: [PropertyListFile.Value] = []
  private var at = 0
  private var depth = 0
  private var isBroken = false

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    values.reserveCapacity(bytes.count / 16)
  }

  mutating func readAll() -> [PropertyListFile.Value] {
    _ = readValue()
    return values
  }

  private mutating func readValue() -> Bool {
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.maximumDepth, let byte = nextByte() else {
      isBroken = true
      return false
    }
    let index = values.count
    switch byte {
    case UInt8(ascii: "{"):
      values.append(PropertyListFile.Value(kind: .table))
      readTable()
    case UInt8(ascii: "("):
      values.append(PropertyListFile.Value(kind: .list))
      readList()
    default: return readText()
    }
    values[index].end = Int32(values.count)
    return true
  }

  private mutating func readTable() {
    at += 1
    while !isBroken, let byte = nextByte() {
      if byte == UInt8(ascii: "}") {
        at += 1
        return
      }
      let key = values.count
      guard readText(), nextByte() == UInt8(ascii: "=") else {
        values.removeSubrange(key...)
        break
      }
      at += 1
      guard readValue() else {
        values.removeSubrange(key...)
        break
      }
      if nextByte() == UInt8(ascii: ";") { at += 1 }
    }
    isBroken = true
  }

  private mutating func readList() {
    at += 1
    while !isBroken, let byte = nextByte() {
      if byte == UInt8(ascii: ")") {
        at += 1
        return
      }
      guard readValue() else { break }
      if nextByte() == UInt8(ascii: ",") { at += 1 }
    }
    isBroken = true
  }

  private mutating func readText() -> Bool {
    guard let byte = nextByte() else { return false }
    var value = PropertyListFile.Value(kind: .text)
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      at += 1
      value.start = Int32(at)
      while at < bytes.count, bytes[at] != byte {
        if bytes[at] == UInt8(ascii: "\\"), at + 1 < bytes.count {
          value.isEscaped = true
          at += 1
        }
        at += 1
      }
      value.stop = Int32(at)
      at += 1
    } else {
      let start = at
      while at < bytes.count, !Self.endsWord(bytes[at]) { at += 1 }
      guard at > start else {
        isBroken = true
        return false
      }
      value.start = Int32(start)
      value.stop = Int32(at)
    }
    value.end = Int32(values.count + 1)
    values.append(value)
    return true
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

/// The objects of a project by their ids.
struct PropertyListObjects: Sendable {
  /// Each object once, in the order in which their ids first stand there.
  private(set) var all: [PropertyList] = []
  private var ids: [PropertyList] = []
  /// The numbers of objects by their ids' hashes, a number and one more; 0 where there is none.
  private var slots: [Int32]

  init(_ table: PropertyList?) {
    let entries = table?.entries ?? []
    var capacity = 64
    while capacity < entries.count * 2 { capacity *= 2 }
    slots = Array(repeating: 0, count: capacity)
    all.reserveCapacity(entries.count)
    ids.reserveCapacity(entries.count)
    for (id, object) in entries {
      let slot = slot(of: id)
      if slots[slot] > 0 {
        all[Int(slots[slot]) - 1] = object
      } else {
        all.append(object)
        ids.append(id)
        slots[slot] = Int32(all.count)
      }
    }
  }

  /// The number of the object with an id; nil where there is none.
  func number(_ id: PropertyList?) -> Int? {
    guard let id, id.isText else { return nil }
    let found = slots[slot(of: id)]
    return found > 0 ? Int(found) - 1 : nil
  }

  /// The object with an id.
  subscript(_ id: PropertyList?) -> PropertyList? { number(id).map { all[$0] } }

  /// Whether the id of one object stands before that of another in the order of their bytes.
  func stands(_ one: Int, before other: Int) -> Bool {
    ids[one].withBytes { one in
      ids[other].withBytes { other in one.lexicographicallyPrecedes(other) }
    }
  }

  /// The slot that holds an id, or else the one where it would go.
  private func slot(of id: PropertyList) -> Int {
    id.withBytes { bytes in
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      var slot = Int(truncatingIfNeeded: hash ^ hash >> 32) & (slots.count - 1)
      while slots[slot] > 0, !ids[Int(slots[slot]) - 1].withBytes({ $0.elementsEqual(bytes) }) {
        slot = (slot + 1) & (slots.count - 1)
      }
      return slot
    }
  }
}

extension PropertyList {
  fileprivate var isText: Bool { value.kind == .text }
}
