/// The bytes of a file that is read piece by piece, so that its size costs nothing.
package struct StoreBytes {
  /// In bytes.
  package let size: Int
  private let readPiece: (_ offset: Int, _ count: Int) -> [UInt8]

  /// `read` returns the bytes from an offset on, fewer than asked for at the end of the file.
  package init(size: Int, read: @escaping (_ offset: Int, _ count: Int) -> [UInt8]) {
    self.size = size
    readPiece = read
  }

  /// Bytes that are in memory already.
  package init(_ bytes: [UInt8]) {
    self.init(size: bytes.count) { offset, count in
      guard offset >= 0, count > 0, offset < bytes.count else { return [] }
      return Array(bytes[offset..<min(bytes.count, offset + count)])
    }
  }

  /// Exactly so many bytes from an offset on; nil when the file has fewer.
  func read(at offset: Int, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0, offset <= size, count <= size - offset else { return nil }
    if count == 0 { return [] }
    let bytes = readPiece(offset, count)
    return bytes.count == count ? bytes : nil
  }
}

/// Reads that return nothing where the bytes end.
extension [UInt8] {
  func byte(at offset: Int) -> Int? {
    offset >= 0 && offset < count ? Int(self[offset]) : nil
  }

  /// An unsigned number of `width` bytes, the most significant first; nil when it is over `Int.max`.
  func bigEndian(at offset: Int, width: Int) -> Int? {
    guard offset >= 0, width > 0, width <= 8, offset <= count, width <= count - offset else {
      return nil
    }
    var value: UInt64 = 0
    for index in offset..<offset + width { value = value << 8 | UInt64(self[index]) }
    return Int(exactly: value)
  }

  /// A number of 32 bits, the most significant byte first.
  func word(at offset: Int) -> UInt32? {
    bigEndian(at: offset, width: 4).flatMap { UInt32(exactly: $0) }
  }

  /// A signed number of `width` bytes, the most significant first.
  func signed(at offset: Int, width: Int) -> Int64? {
    guard offset >= 0, width > 0, width <= 8, offset <= count, width <= count - offset else {
      return nil
    }
    var value: Int64 = self[offset] & 0x80 == 0 ? 0 : -1
    for index in offset..<offset + width { value = value << 8 | Int64(self[index]) }
    return value
  }

  func slice(at offset: Int, count length: Int) -> [UInt8]? {
    guard offset >= 0, length >= 0, offset <= count, length <= count - offset else { return nil }
    return Array(self[offset..<offset + length])
  }

  func starts(with text: StaticString, at offset: Int = 0) -> Bool {
    guard offset >= 0, count - offset >= text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { expected in
      expected.indices.allSatisfy { self[offset + $0] == expected[$0] }
    }
  }
}
