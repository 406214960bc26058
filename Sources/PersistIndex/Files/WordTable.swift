/// Which files may hold which words: a row of bits, one a file, for each bit that a word may have.
struct WordTable: Sendable {
  /// The number of 64-bit words in a row.
  private let width: Int
  private var rows: [UInt64]

  init(_ files: [SourceFile]) {
    let width = (files.count + 63) / 64
    self.width = width
    var rows = [UInt64](repeating: 0, count: width * FileWords.bitCount)
    rows.withUnsafeMutableBufferPointer { rows in
      for (file, source) in files.enumerated() {
        let (column, bit) = (file >> 6, UInt64(1) << UInt64(file & 63))
        for (index, word) in source.words.bits.enumerated() {
          var rest = word
          while rest != 0 {
            rows[(index << 6 + rest.trailingZeroBitCount) * width + column] |= bit
            rest &= rest - 1
          }
        }
      }
    }
    self.rows = rows
  }

  /// The indices of the files of which two bits say that they may hold a word, in their order.
  func files(holding name: Name) -> [Int] {
    let (first, second) = FileWords.places(of: name)
    var found: [Int] = []
    for column in 0..<width {
      var rest = rows[first * width + column] & rows[second * width + column]
      while rest != 0 {
        found.append(column << 6 + rest.trailingZeroBitCount)
        rest &= rest - 1
      }
    }
    return found
  }
}

/// Which files declare which names, as chains in a table without gaps.
struct DeclarationTable: Sendable {
  private struct Entry: Sendable {
    let key: UInt64
    let file: Int32
    /// The index of the next entry of the chain, or -1.
    let next: Int32
  }

  private var entries: [Entry] = []
  /// The last entry of each chain, or -1.
  private var heads: [Int32]

  init(_ sources: [SourceFile]) {
    let count = sources.reduce(0) { $0 + $1.words.declared.count }
    var capacity = 64
    while capacity < count { capacity *= 2 }
    heads = Array(repeating: -1, count: capacity)
    entries.reserveCapacity(count)
    for (file, source) in sources.enumerated() {
      for declared in source.words.declared {
        let key = Self.key(declared.name, declared.kind)
        let head = Int(truncatingIfNeeded: key) & (capacity - 1)
        entries.append(
          Entry(key: key, file: Int32(truncatingIfNeeded: file), next: heads[head]))
        heads[head] = Int32(truncatingIfNeeded: entries.count - 1)
      }
    }
  }

  /// The indices of the files that may declare a name, in their order.
  func files(declaring name: Name, as kind: FileWords.Declared.Kind) -> [Int] {
    let key = Self.key(name, kind)
    var found: [Int] = []
    var next = heads[Int(truncatingIfNeeded: key) & (heads.count - 1)]
    while next >= 0 {
      let entry = entries[Int(next)]
      if entry.key == key, found.last != Int(entry.file) { found.append(Int(entry.file)) }
      next = entry.next
    }
    return found.reversed()
  }

  private static func key(_ name: Name, _ kind: FileWords.Declared.Kind) -> UInt64 {
    let mixed = (name.hash &+ UInt64(kind.rawValue)) &* 0x9E37_79B9_7F4A_7C15
    return mixed ^ mixed >> 31
  }
}
