/// A binary property list, object by object, with the references of keyed archives.
///
/// An object is made when it is asked for, so that lists which contain themselves end nowhere.
/// Source: the format as the published sources of CFBinaryPList describe it.
package struct PropertyList {
  /// One object; those inside it are named by their numbers.
  package enum Object: Equatable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 2001.
    case date(Double)
    case data([UInt8])
    case string(String)
    /// A reference of a keyed archive.
    case reference(Int)
    case array([Int])
    case dictionary([(key: Int, value: Int)])

    /// Whether both hold the same, inner objects by their numbers.
    package static func == (left: Object, right: Object) -> Bool {
      switch (left, right) {
      case (.null, .null): true
      case (.boolean(let left), .boolean(let right)): left == right
      case (.integer(let left), .integer(let right)): left == right
      case (.real(let left), .real(let right)): left == right
      case (.date(let left), .date(let right)): left == right
      case (.data(let left), .data(let right)): left == right
      case (.string(let left), .string(let right)): left == right
      case (.reference(let left), .reference(let right)): left == right
      case (.array(let left), .array(let right)): left == right
      case (.dictionary(let left), .dictionary(let right)):
        left.map(\.key) == right.map(\.key) && left.map(\.value) == right.map(\.value)
      default: false
      }
    }
  }

  private let bytes: [UInt8]
  private let offsetWidth: Int
  private let referenceWidth: Int
  private let tableOffset: Int
  package let count: Int
  /// The number of the outermost object.
  package let top: Int

  /// Nothing for bytes that are no binary property list.
  package init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: "bplist0"), bytes.count >= 40 else { return nil }
    let trailer = bytes.count - 32
    guard let offsetWidth = bytes.byte(at: trailer + 6), (1...8).contains(offsetWidth),
      let referenceWidth = bytes.byte(at: trailer + 7), (1...8).contains(referenceWidth),
      let count = bytes.bigEndian(at: trailer + 8, width: 8), count > 0,
      count <= StoreLimits.objects, let top = bytes.bigEndian(at: trailer + 16, width: 8),
      top < count, let table = bytes.bigEndian(at: trailer + 24, width: 8), table >= 8,
      table <= trailer, count <= (trailer - table) / offsetWidth
    else { return nil }
    self.bytes = bytes
    self.offsetWidth = offsetWidth
    self.referenceWidth = referenceWidth
    self.count = count
    self.top = top
    tableOffset = table
  }

  /// The object of a number; `.null` for what can't be read.
  package subscript(number: Int) -> Object {
    guard number >= 0, number < count,
      let offset = bytes.bigEndian(at: tableOffset + number * offsetWidth, width: offsetWidth),
      offset < tableOffset, let marker = bytes.byte(at: offset)
    else { return .null }
    let low = marker & 0xF
    switch marker >> 4 {
    case 0: return marker == 8 ? .boolean(false) : marker == 9 ? .boolean(true) : .null
    case 1 where low <= 4: return integer(at: offset + 1, width: 1 << low)
    case 2 where low == 2:
      return bytes.word(at: offset + 1).map { .real(Double(Float(bitPattern: $0))) } ?? .null
    case 2 where low == 3: return real(at: offset + 1).map { .real($0) } ?? .null
    case 3: return real(at: offset + 1).map { .date($0) } ?? .null
    case 8:
      return bytes.bigEndian(at: offset + 1, width: low + 1).map { .reference($0) } ?? .null
    default: return collection(marker >> 4, at: offset)
    }
  }

  private func integer(at offset: Int, width: Int) -> Object {
    if width == 16 { return bytes.signed(at: offset + 8, width: 8).map { .integer($0) } ?? .null }
    if width == 8 { return bytes.signed(at: offset, width: 8).map { .integer($0) } ?? .null }
    return bytes.bigEndian(at: offset, width: width).map { .integer(Int64($0)) } ?? .null
  }

  private func real(at offset: Int) -> Double? {
    bytes.signed(at: offset, width: 8).map { Double(bitPattern: UInt64(bitPattern: $0)) }
  }

  /// Data, text, an array or a dictionary, all of which begin with their length.
  private func collection(_ kind: Int, at offset: Int) -> Object {
    guard let (length, start) = length(at: offset) else { return .null }
    switch kind {
    case 4: return bytes.slice(at: start, count: length).map { .data($0) } ?? .null
    case 5:
      return bytes.slice(at: start, count: length).map {
        .string(String(decoding: $0, as: UTF8.self))
      } ?? .null
    case 6:
      guard length <= (bytes.count - start) / 2 else { return .null }
      let units = (0..<length).map {
        UInt16(bytes[start + 2 * $0]) << 8 | UInt16(bytes[start + 2 * $0 + 1])
      }
      return .string(String(decoding: units, as: UTF16.self))
    case 10, 12: return references(at: start, count: length).map { .array($0) } ?? .null
    case 13:
      guard length <= bytes.count, let keys = references(at: start, count: length),
        let values = references(at: start + length * referenceWidth, count: length)
      else { return .null }
      return .dictionary(zip(keys, values).map { (key: $0, value: $1) })
    default: return .null
    }
  }

  private func length(at offset: Int) -> (length: Int, start: Int)? {
    guard let marker = bytes.byte(at: offset) else { return nil }
    if marker & 0xF != 0xF { return (marker & 0xF, offset + 1) }
    guard let size = bytes.byte(at: offset + 1), size >> 4 == 1, size & 0xF <= 3 else {
      return nil
    }
    let width = 1 << (size & 0xF)
    return bytes.bigEndian(at: offset + 2, width: width).flatMap {
      $0 <= bytes.count ? ($0, offset + 2 + width) : nil
    }
  }

  private func references(at start: Int, count: Int) -> [Int]? {
    guard start >= 0, start <= bytes.count, count <= (bytes.count - start) / referenceWidth else {
      return nil
    }
    return (0..<count).map {
      bytes.bigEndian(at: start + $0 * referenceWidth, width: referenceWidth) ?? -1
    }
  }
}

extension PropertyList {
  /// The values of a dictionary by their text keys; empty for anything else.
  package func members(of number: Int) -> [String: Int] {
    guard case .dictionary(let pairs) = self[number] else { return [:] }
    var members: [String: Int] = [:]
    for (key, value) in pairs {
      if case .string(let name) = self[key] { members[name] = value }
    }
    return members
  }

  /// The text of a text object.
  package func string(_ number: Int?) -> String? {
    if let number, case .string(let text) = self[number] { return text }
    return nil
  }

  /// The bytes of a data object.
  package func data(_ number: Int?) -> [UInt8]? {
    if let number, case .data(let bytes) = self[number] { return bytes }
    return nil
  }

  /// The number of an integer object; nil when it is over `Int.max`.
  package func integer(_ number: Int?) -> Int? {
    if let number, case .integer(let value) = self[number] { return Int(exactly: value) }
    return nil
  }

  /// The numbers of the elements of an array; empty for anything else.
  package func array(_ number: Int?) -> [Int] {
    if let number, case .array(let items) = self[number] { return items }
    return []
  }
}
