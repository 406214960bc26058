/// The hash by which GitHub knows a line again after others moved it: of 100 kept units from there on.
package enum LineHash {
  private static let window = 100
  private static let base: UInt64 = 37
  private static let oldestFactor = (0..<window).reduce(1 as UInt64) { power, _ in power &* base }

  /// The hash of each line of a file, the first line's first; as `c129715d7a2bc9a3:1`.
  package static func hashes(of bytes: [UInt8]) -> [String] {
    var roll = Roll()
    for unit in String(decoding: bytes, as: UTF8.self).utf16 { roll.add(unit) }
    roll.finish()
    return roll.hashes
  }

  private struct Roll {
    var hashes: [String] = []
    private var occurrences: [UInt64: Int] = [:]
    private var units = [UInt64](repeating: 0, count: window)
    private var beginsLine = [Bool](repeating: false, count: window)
    private var oldest = 0
    private var hash: UInt64 = 0
    private var isAtLineStart = true
    private var followsReturn = false

    mutating func add(_ unit: UInt16) {
      if unit == 0x20 || unit == 0x09 || (followsReturn && unit == 0x0A) {
        followsReturn = false
        return
      }
      followsReturn = unit == 0x0D
      let kept = followsReturn ? 0x0A : UInt64(unit)
      emitOldest()
      if isAtLineStart { beginsLine[oldest] = true }
      isAtLineStart = kept == 0x0A
      push(kept)
    }

    mutating func finish() {
      add(0xFFFF)
      for _ in 0..<window {
        emitOldest()
        push(0)
      }
    }

    private mutating func emitOldest() {
      guard beginsLine[oldest] else { return }
      beginsLine[oldest] = false
      occurrences[hash, default: 0] += 1
      hashes.append("\(String(hash, radix: 16)):\(occurrences[hash, default: 1])")
    }

    private mutating func push(_ unit: UInt64) {
      hash = base &* hash &+ unit &- oldestFactor &* units[oldest]
      units[oldest] = unit
      oldest = (oldest + 1) % window
    }
  }
}
