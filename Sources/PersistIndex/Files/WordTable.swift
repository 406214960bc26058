/// Which files hold which words, as chains in a table without gaps.
struct WordTable: Sendable {
  private struct Entry: Sendable {
    let hash: UInt64
    let file: Int32
    /// The index of the next entry of the chain, or -1.
    let next: Int32
  }

  private var entries: [Entry] = []
  /// The first entry of each chain, or -1.
  private var heads: [Int32]

  init(_ files: [SourceFile]) {
    let count = files.reduce(0) { $0 + $1.words.count }
    var capacity = 64
    while capacity < count { capacity *= 2 }
    heads = Array(repeating: -1, count: capacity)
    entries.reserveCapacity(count)
    // From the back, so that each chain is in the order of the files.
    for (file, source) in files.enumerated().reversed() {
      source.words.forEachHash { hash in
        let slot = slot(hash)
        entries.append(
          Entry(hash: hash, file: Int32(truncatingIfNeeded: file), next: heads[slot]))
        heads[slot] = Int32(truncatingIfNeeded: entries.count - 1)
      }
    }
  }

  private func slot(_ hash: UInt64) -> Int { hash.scattered(0) & (heads.count - 1) }

  /// The indices of the files that hold a word, in their order.
  func files(holding word: Name) -> [Int] {
    var found: [Int] = []
    var next = heads[slot(word.hash)]
    while next >= 0 {
      let entry = entries[Int(next)]
      if entry.hash == word.hash { found.append(Int(entry.file)) }
      next = entry.next
    }
    return found
  }
}
