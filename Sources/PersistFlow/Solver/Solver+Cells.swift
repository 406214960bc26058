import PersistIndex

// MARK: - Variables that outlive a body

extension Solver {
  /// What a cell holds, and who has read it.
  struct Contents {
    var value = OriginTable.nothing
    private(set) var readers = FewNumbers()

    mutating func read(by reader: InstanceID) -> OriginsID {
      readers.insert(reader)
      return value
    }
  }

  func read(_ cell: Cell, by reader: InstanceID) -> OriginsID {
    cells[cell, default: Contents()].read(by: reader)
  }

  func value(of cell: Cell) -> OriginsID { cells[cell]?.value ?? OriginTable.nothing }

  func write(_ value: OriginsID, to cell: Cell) {
    guard value != OriginTable.nothing else { return }
    let old = self.value(of: cell)
    let new = table.union(old, value)
    guard new != old else { return }
    cells[cell, default: Contents()].value = new
    for reader in cells[cell]?.readers.all ?? [] { wait(reader) }
  }
}
