/// Memory in which one thread gathers the words of file after file.
package final class WordMemory {
  private static let recentCount = 256
  private static let bitWords = FileWords.bitCount / 64

  /// The last words, by some bits of their hashes.
  private let recent: UnsafeMutablePointer<UInt64>
  private let bits: UnsafeMutablePointer<UInt64>
  private var halves: UnsafeMutablePointer<UInt32>
  private var capacity = 1 << 14
  private var count = 0

  package init() {
    recent = .allocate(capacity: Self.recentCount)
    bits = .allocate(capacity: Self.bitWords)
    halves = .allocate(capacity: capacity)
  }

  deinit {
    recent.deallocate()
    bits.deallocate()
    halves.deallocate()
  }

  /// Forgets all words and makes room for so many.
  func clear(room: Int) {
    recent.update(repeating: 0, count: Self.recentCount)
    bits.update(repeating: 0, count: Self.bitWords)
    count = 0
    guard room > capacity else { return }
    while capacity < room { capacity *= 2 }
    halves.deallocate()
    halves = .allocate(capacity: capacity)
  }

  /// Takes in a word; false when it was there a moment ago.
  @inline(__always)
  func add(_ name: Name) -> Bool {
    let slot = Int(truncatingIfNeeded: name.hash >> 8) & (Self.recentCount - 1)
    guard recent[slot] != name.hash else { return false }
    recent[slot] = name.hash
    halves[count] = UInt32(truncatingIfNeeded: name.hash)
    count += 1
    let (first, second) = FileWords.places(of: name)
    bits[first >> 6] |= 1 << UInt64(first & 63)
    bits[second >> 6] |= 1 << UInt64(second & 63)
    return true
  }

  /// The bits of all words.
  var bitArray: [UInt64] { Array(UnsafeBufferPointer(start: bits, count: Self.bitWords)) }
  /// The lower halves of the words' hashes.
  var halfArray: [UInt32] { Array(UnsafeBufferPointer(start: halves, count: count)) }
}
