/// Undoes raw DEFLATE (RFC 1951), with no header and no checksum around it.
package struct Inflate {
  private let input: [UInt8]
  private let limit: Int
  private var position = 0
  private var bits: UInt32 = 0
  private var bitCount = 0
  private var output: [UInt8] = []

  /// The inflated bytes; nil when the stream is damaged, or longer than `limit` bytes.
  package static func inflate(_ input: [UInt8]) -> [UInt8]? {
    inflate(input, limit: StoreLimits.inflated)
  }

  static func inflate(_ input: [UInt8], limit: Int) -> [UInt8]? {
    var inflate = Inflate(input: input, limit: limit)
    return inflate.run() ? inflate.output : nil
  }

  private init(input: [UInt8], limit: Int) {
    self.input = input
    self.limit = limit
  }

  private mutating func run() -> Bool {
    while true {
      guard let isLast = take(1), let kind = take(2) else { return false }
      let isGood: Bool
      switch kind {
      case 0: isGood = copyStored()
      case 1: isGood = copy(literals: .fixedLiterals, distances: .fixedDistances)
      case 2: isGood = copyDynamic()
      default: isGood = false
      }
      guard isGood else { return false }
      if isLast == 1 { return true }
    }
  }

  /// The next bits, the least significant first.
  private mutating func take(_ count: Int) -> Int? {
    while bitCount < count {
      guard position < input.count else { return nil }
      bits |= UInt32(input[position]) << UInt32(bitCount)
      position += 1
      bitCount += 8
    }
    let value = bits & ((1 << UInt32(count)) - 1)
    bits >>= UInt32(count)
    bitCount -= count
    return Int(value)
  }

  private mutating func copyStored() -> Bool {
    bits = 0
    bitCount = 0
    guard position + 4 <= input.count else { return false }
    let length = Int(input[position]) | Int(input[position + 1]) << 8
    let inverted = Int(input[position + 2]) | Int(input[position + 3]) << 8
    position += 4
    guard length == ~inverted & 0xFFFF, position + length <= input.count,
      output.count + length <= limit
    else { return false }
    output += input[position..<position + length]
    position += length
    return true
  }

  private mutating func copyDynamic() -> Bool {
    guard let literals = take(5), let distances = take(5), let lengths = take(4) else {
      return false
    }
    var codeLengths = [UInt8](repeating: 0, count: 19)
    for index in 0..<lengths + 4 {
      guard let length = take(3) else { return false }
      codeLengths[Self.lengthOrder[index]] = UInt8(length)
    }
    guard let lengthCode = Code(lengths: codeLengths) else { return false }
    let wanted = literals + 257 + distances + 1
    var all: [UInt8] = []
    while all.count < wanted {
      guard let symbol = next(lengthCode) else { return false }
      switch symbol {
      case 0...15: all.append(UInt8(symbol))
      case 16:
        guard let last = all.last, let more = take(2) else { return false }
        all += repeatElement(last, count: more + 3)
      case 17:
        guard let more = take(3) else { return false }
        all += repeatElement(0, count: more + 3)
      default:
        guard let more = take(7) else { return false }
        all += repeatElement(0, count: more + 11)
      }
    }
    guard all.count == wanted,
      let literalCode = Code(lengths: Array(all[..<(literals + 257)])),
      let distanceCode = Code(lengths: Array(all[(literals + 257)...]))
    else { return false }
    return copy(literals: literalCode, distances: distanceCode)
  }

  private mutating func copy(literals: Code, distances: Code) -> Bool {
    while let symbol = next(literals) {
      if symbol < 256 {
        guard output.count < limit else { return false }
        output.append(UInt8(symbol))
        continue
      }
      if symbol == 256 { return true }
      let place = symbol - 257
      guard place < Self.lengthBases.count, let extra = take(Self.lengthBits[place]),
        let code = next(distances), code < Self.distanceBases.count,
        let far = take(Self.distanceBits[code])
      else { return false }
      let length = Self.lengthBases[place] + extra
      let distance = Self.distanceBases[code] + far
      guard distance <= output.count, output.count + length <= limit else { return false }
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
    return false
  }

  private mutating func next(_ code: Code) -> Int? {
    var value = 0
    var first = 0
    var index = 0
    for length in 1...15 {
      guard let bit = take(1) else { return nil }
      value |= bit
      let count = code.counts[length]
      if value - count < first { return code.symbols[index + value - first] }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    return nil
  }

  /// A canonical Huffman code: how many symbols have each length, and the symbols in order.
  private struct Code {
    let counts: [Int]
    let symbols: [Int]

    static let fixedLiterals =
      Code(
        lengths: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 }) ?? empty
    static let fixedDistances = Code(lengths: [UInt8](repeating: 5, count: 30)) ?? empty
    private static let empty = Code(counts: [Int](repeating: 0, count: 16), symbols: [])

    private init(counts: [Int], symbols: [Int]) {
      self.counts = counts
      self.symbols = symbols
    }

    /// Nothing for more symbols of a length than there are codes.
    init?(lengths: [UInt8]) {
      var counts = [Int](repeating: 0, count: 16)
      for length in lengths { counts[Int(length)] += 1 }
      counts[0] = 0
      var left = 1
      for length in 1...15 {
        left = left << 1 - counts[length]
        if left < 0 { return nil }
      }
      var offsets = [Int](repeating: 0, count: 16)
      for length in 1..<15 { offsets[length + 1] = offsets[length] + counts[length] }
      var symbols = [Int](repeating: 0, count: lengths.filter { $0 > 0 }.count)
      for (symbol, length) in lengths.enumerated() where length > 0 {
        symbols[offsets[Int(length)]] = symbol
        offsets[Int(length)] += 1
      }
      self.counts = counts
      self.symbols = symbols
    }
  }

  private static let lengthOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]
  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
    2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
  ]
  private static let distanceBits = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13,
    13,
  ]
}
