import PersistRules

/// The line of a file in which a position stands.
struct SourceLine {
  /// The line's bytes without its line break.
  let bytes: ArraySlice<UInt8>

  /// Nothing when the position isn't one of these bytes.
  init?(at position: Position, in source: [UInt8]) {
    let start = position.offset - (position.column - 1)
    guard start >= 0, position.column >= 1, position.offset <= source.count else { return nil }
    var end = position.offset
    while end < source.count, source[end] != 0x0A, source[end] != 0x0D { end += 1 }
    bytes = source[start..<end]
  }

  /// The column from 1 in UTF-16 units of a column in bytes; a byte order mark takes no column.
  func utf16Column(ofByteColumn column: Int) -> Int {
    var prefix = bytes.prefix(max(0, column - 1))
    if prefix.startIndex == 0, prefix.starts(with: [0xEF, 0xBB, 0xBF]) { prefix.removeFirst(3) }
    return String(decoding: prefix, as: UTF8.self).utf16.count + 1
  }
}
