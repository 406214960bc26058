/// A 64-bit FNV-1a sum, the same on every machine; it tells shapes apart and guards the lock file.
package struct Fingerprint: Hashable, Sendable, CustomStringConvertible {
  private var sum: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  /// Adds a text and its end.
  package mutating func combine(_ text: String) {
    for byte in text.utf8 { add(byte) }
    add(0xff)
  }

  private mutating func add(_ byte: UInt8) {
    sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }

  /// Sixteen lower-case hexadecimal digits.
  package var description: String {
    let digits = String(sum, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
