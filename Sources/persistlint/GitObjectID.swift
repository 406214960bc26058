/// The name that git gives to the bytes of a file.
enum GitObjectID {
  /// Whether a file with these bytes is the blob of this name; a checkout may have given its lines
  /// other ends. Nothing when the repository names its blobs by another hash.
  static func names(_ name: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool? {
    guard name.utf8.count == 40 else { return nil }
    if sha1(ofBlob: bytes) == name { return true }
    guard bytes.contains(0x0D) else { return false }
    var plain: [UInt8] = []
    plain.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      if byte == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { continue }
      plain.append(byte)
    }
    return plain.withUnsafeBufferPointer { sha1(ofBlob: $0) } == name
  }

  private static func sha1(ofBlob bytes: UnsafeBufferPointer<UInt8>) -> String {
    var hash = SHA1()
    let heading = Array("blob \(bytes.count)\0".utf8)
    heading.withUnsafeBufferPointer { hash.add($0) }
    hash.add(bytes)
    return hash.finish()
  }
}

/// The hash by which git names objects; it guards nothing here.
private struct SHA1 {
  private var state: [UInt32] = [
    0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0,
  ]
  private var pending: [UInt8] = []
  private var count = 0
  private var words = [UInt32](repeating: 0, count: 80)

  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    count += bytes.count
    var rest = bytes[...]
    if !pending.isEmpty {
      let missing = rest.prefix(64 - pending.count)
      pending += missing
      rest = rest.dropFirst(missing.count)
      guard pending.count == 64 else { return }
      let block = pending
      pending = []
      block.withUnsafeBufferPointer { mix($0[...]) }
    }
    while rest.count >= 64 {
      mix(rest.prefix(64))
      rest = rest.dropFirst(64)
    }
    pending += rest
  }

  mutating func finish() -> String {
    let bits = UInt64(count) * 8
    let padding = [0x80] + [UInt8](repeating: 0, count: (119 - count % 64) % 64)
    let length = (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
    (padding + length).withUnsafeBufferPointer { add($0) }
    return state.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  private mutating func mix(_ block: Slice<UnsafeBufferPointer<UInt8>>) {
    for index in 0..<16 {
      let at = block.startIndex + 4 * index
      words[index] =
        UInt32(block[at]) << 24 | UInt32(block[at + 1]) << 16 | UInt32(block[at + 2]) << 8
        | UInt32(block[at + 3])
    }
    for index in 16..<80 {
      let word = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
      words[index] = word << 1 | word >> 31
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for index in 0..<80 {
      let (chosen, constant): (UInt32, UInt32) =
        switch index {
        case ..<20: (b & c | ~b & d, 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      let next = (a << 5 | a >> 27) &+ chosen &+ e &+ constant &+ words[index]
      (e, d, c, b, a) = (d, c, b << 30 | b >> 2, a, next)
    }
    for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
  }
}
