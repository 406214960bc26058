/// Whether the bytes are well-formed UTF-8.
func isUTF8(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes(isUTF8) }

/// Whether the bytes are well-formed UTF-8; eight at a time where they are ASCII.
func isUTF8(_ buffer: UnsafeRawBufferPointer) -> Bool {
  var index = 0
  while index < buffer.count {
    if index + 8 <= buffer.count {
      let word = buffer.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 == 0 {
        index += 8
        continue
      }
    }
    guard let length = sequenceLength(at: index, in: buffer) else { return false }
    index += length
  }
  return true
}

/// How many bytes the character takes; nothing when it is malformed.
private func sequenceLength(at index: Int, in buffer: UnsafeRawBufferPointer) -> Int? {
  func continues(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
    index + offset < buffer.count && range.contains(buffer[index + offset])
  }
  switch buffer[index] {
  case 0x00...0x7F: return 1
  case 0xC2...0xDF: return continues(1) ? 2 : nil
  case 0xE0: return continues(1, 0xA0...0xBF) && continues(2) ? 3 : nil
  case 0xED: return continues(1, 0x80...0x9F) && continues(2) ? 3 : nil
  case 0xE1...0xEF: return continues(1) && continues(2) ? 3 : nil
  case 0xF0: return continues(1, 0x90...0xBF) && continues(2) && continues(3) ? 4 : nil
  case 0xF1...0xF3: return continues(1) && continues(2) && continues(3) ? 4 : nil
  case 0xF4: return continues(1, 0x80...0x8F) && continues(2) && continues(3) ? 4 : nil
  default: return nil
  }
}
