import PersistIndex

/// What is known of things that are numbered from 0, by their numbers.
struct Numbered<Key: BinaryInteger, Value> {
  private var values: [Value?] = []

  subscript(key: Key) -> Value? {
    get { Int(key) < values.count ? values[Int(key)] : nil }
    set {
      if Int(key) >= values.count {
        values += Array(each: nil, count: max(Int(key) + 1 - values.count, values.count))
      }
      values[Int(key)] = newValue
    }
  }
}

/// A set of numbers from 0, as bits.
struct NumberSet {
  private var words: [UInt64] = []
  private(set) var isEmpty = true

  init() {}

  init(_ number: Int32) { insert(number) }

  func contains(_ number: Int32) -> Bool {
    let word = Int(number) >> 6
    return word < words.count && words[word] & 1 << (UInt64(number) & 63) != 0
  }

  /// Adds a number; whether it wasn't there.
  @discardableResult
  mutating func insert(_ number: Int32) -> Bool {
    let word = Int(number) >> 6
    if word >= words.count {
      words += Array(each: 0, count: max(word + 1 - words.count, words.count))
    }
    let bit: UInt64 = 1 << (UInt64(number) & 63)
    guard words[word] & bit == 0 else { return false }
    words[word] |= bit
    isEmpty = false
    return true
  }

  /// All numbers in ascending order.
  func sorted() -> [Int32] {
    var found: [Int32] = []
    for (index, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        found.append(Int32(truncatingIfNeeded: index << 6 + rest.trailingZeroBitCount))
        rest &= rest - 1
      }
    }
    return found
  }
}

/// A set of few numbers, which are kept in ascending order.
struct FewNumbers {
  private(set) var all: [Int32] = []

  /// Adds a number; whether it wasn't there.
  @discardableResult
  mutating func insert(_ number: Int32) -> Bool {
    var low = 0
    var high = all.count
    if let last = all.last, last < number { low = high }
    while low < high {
      let middle = (low + high) / 2
      if all[middle] < number { low = middle + 1 } else { high = middle }
    }
    guard low == all.count || all[low] != number else { return false }
    all.insert(number, at: low)
    return true
  }
}

extension Array {
  /// What `init(repeating:count:)` makes, without looking up the type of the array at run time.
  @inline(__always)
  init(each element: Element, count: Int) {
    self = []
    reserveCapacity(count)
    for _ in 0..<count { append(element) }
  }
}

/// Makes one number for a table out of several, with two multiplications for each.
struct Mixer {
  private var state: UInt64

  init(_ seed: Int) { state = UInt64(truncatingIfNeeded: seed) }

  mutating func add(_ number: some BinaryInteger) {
    state = (state ^ UInt64(truncatingIfNeeded: number)) &* 0x9E37_79B9_7F4A_7C15
    state = (state ^ state >> 32) &* 0xD6E8_FEB8_6659_FD93
    state ^= state >> 29
  }

  mutating func add(_ place: Ref) {
    add(UInt64(truncatingIfNeeded: place.file) << 32 ^ UInt64(truncatingIfNeeded: place.node))
  }

  mutating func add(_ numbers: [Int32]) { for number in numbers { add(number) } }

  var value: Int { Int(truncatingIfNeeded: state) }
}
