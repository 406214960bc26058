/// How an editor counts the characters of a line.
package enum PositionEncoding: String, Sendable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
}

/// A place in a text as editors have it: line and character from 0.
package struct TextPosition: Hashable, Sendable {
  package let line: Int
  package let character: Int

  package init(line: Int, character: Int) {
    self.line = line
    self.character = character
  }
}

/// The lines of a text, to go between offsets and positions.
///
/// Lines end as editors see them: at CR, LF, or both. A byte order mark takes no character.
package struct LineTable: Sendable {
  private let bytes: [UInt8]
  /// The offset of each line's first character.
  private let starts: [Int]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
    for (offset, byte) in bytes.enumerated() {
      let isLast = byte == 0x0D && !(offset + 1 < bytes.count && bytes[offset + 1] == 0x0A)
      if byte == 0x0A || isLast { starts.append(offset + 1) }
    }
    self.starts = starts
  }

  /// The position of an offset, which may be behind the last byte.
  package func position(at offset: Int, in encoding: PositionEncoding) -> TextPosition {
    let offset = min(max(offset, starts[0]), bytes.count)
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    let before = bytes[starts[low]..<offset]
    let character = encoding == .utf8 ? before.count : before.reduce(0) { $0 + Self.units($1) }
    return TextPosition(line: low, character: character)
  }

  /// The offset of a position; of one behind the end of its line or of the text, that end.
  package func offset(of position: TextPosition, in encoding: PositionEncoding) -> Int {
    guard position.line >= 0 else { return starts[0] }
    guard position.line < starts.count else { return bytes.count }
    let start = starts[position.line]
    let end = endOfLine(position.line)
    guard encoding == .utf16 else {
      var offset = start + min(max(0, position.character), end - start)
      while offset > start, offset < end, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
      return offset
    }
    var left = position.character
    var offset = start
    while offset < end, left > 0 {
      let units = Self.units(bytes[offset])
      // Half of a character is none.
      guard units <= left else { break }
      left -= units
      offset += 1
      while offset < end, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
    }
    return offset
  }

  /// Where the characters of a line end, its line break not counted.
  private func endOfLine(_ line: Int) -> Int {
    guard line + 1 < starts.count else { return bytes.count }
    let next = starts[line + 1]
    return next >= 2 && bytes[next - 1] == 0x0A && bytes[next - 2] == 0x0D
      && next - 2 >= starts[line]
      ? next - 2 : next - 1
  }

  /// The UTF-16 units of the character that begins with a byte; none inside of one.
  private static func units(_ byte: UInt8) -> Int {
    byte & 0xC0 == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1
  }
}

/// Where the places of an older text stand in a newer one.
///
/// Both texts are the same before and behind one stretch; a place that touches it is lost.
package struct TextShift: Sendable {
  /// The stretch of the older text that isn't the same.
  private let changed: Range<Int>
  /// How much longer the newer text is.
  private let growth: Int

  package init(from old: [UInt8], to new: [UInt8]) {
    let most = min(old.count, new.count)
    var head = 0
    while head < most, old[head] == new[head] { head += 1 }
    var tail = 0
    while tail < most - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
    changed = head..<old.count - tail
    growth = new.count - old.count
  }

  /// The same stretch in the newer text; nil where it was changed.
  package func range(_ range: Range<Int>) -> Range<Int>? {
    if changed.isEmpty, growth == 0 { return range }
    if range.upperBound <= changed.lowerBound { return range }
    guard range.lowerBound >= changed.upperBound else { return nil }
    return range.lowerBound + growth..<range.upperBound + growth
  }
}
