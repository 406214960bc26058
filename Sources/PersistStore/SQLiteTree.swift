/// Walks the tree of pages that holds a table.
extension SQLiteFile {
  private enum Kind: Int {
    case indexInterior = 2
    case tableInterior = 5
    case indexLeaf = 10
    case tableLeaf = 13

    var isLeaf: Bool { self == .indexLeaf || self == .tableLeaf }
    var headerSize: Int { isLeaf ? 8 : 12 }
  }

  /// What a tree weighs: its rows and its pages, those of long values left out.
  package struct Weight: Equatable, Sendable {
    package var rows = 0
    package var pages = 0
    /// Whether a page could not be read, so that there may be more.
    package var isDamaged = false
  }

  /// The rows and pages of a table or index, by the heads of its leaves alone.
  func weight(ofTreeAt root: Int) -> Weight {
    var weight = Weight()
    var seen: Set<Int> = []
    var pending = [(page: root, depth: 0)]
    while let (number, depth) = pending.popLast() {
      guard depth < StoreLimits.treeDepth, seen.insert(number).inserted,
        let head = head(ofPage: number), let kind = Kind(rawValue: Int(head[0])),
        let cells = head.bigEndian(at: 3, width: 2)
      else {
        weight.isDamaged = true
        continue
      }
      weight.pages += 1
      if kind != .tableInterior { weight.rows += cells }
      if !kind.isLeaf {
        guard let page = page(number) else {
          weight.isDamaged = true
          continue
        }
        pending += children(of: page, number, kind).map { ($0, depth + 1) }
      }
    }
    return weight
  }

  /// Calls `body` with each row of a table in its order until it returns false; false when a page
  /// could not be read.
  @discardableResult
  func forEachRow(ofTreeAt root: Int, _ body: (SQLiteRow) -> Bool) -> Bool {
    var isWhole = true
    var seen: Set<Int> = []
    var pending = [(page: root, depth: 0)]
    while let (number, depth) = pending.popLast() {
      guard depth < StoreLimits.treeDepth, seen.insert(number).inserted, let page = page(number),
        let kind = Kind(rawValue: page.byte(at: number == 1 ? 100 : 0) ?? 0)
      else {
        isWhole = false
        continue
      }
      switch kind {
      case .tableInterior:
        pending += children(of: page, number, kind).reversed().map { ($0, depth + 1) }
      case .tableLeaf:
        for cell in cells(of: page, number, kind) {
          guard let row = row(of: page, at: cell) else {
            isWhole = false
            continue
          }
          guard body(row) else { return isWhole }
        }
      case .indexInterior, .indexLeaf: isWhole = false
      }
    }
    return isWhole
  }

  /// The offsets of the cells of a page.
  private func cells(of page: [UInt8], _ number: Int, _ kind: Kind) -> [Int] {
    let start = number == 1 ? 100 : 0
    let count = page.bigEndian(at: start + 3, width: 2) ?? 0
    return (0..<count).compactMap {
      page.bigEndian(at: start + kind.headerSize + 2 * $0, width: 2)
    }
  }

  /// The pages below an interior page, in order.
  private func children(of page: [UInt8], _ number: Int, _ kind: Kind) -> [Int] {
    let start = number == 1 ? 100 : 0
    let last = page.bigEndian(at: start + 8, width: 4)
    return cells(of: page, number, kind).compactMap { page.bigEndian(at: $0, width: 4) }
      + (last.map { [$0] } ?? [])
  }

  private func row(of page: [UInt8], at cell: Int) -> SQLiteRow? {
    guard let size = page.varint(at: cell),
      let id = page.varint(at: cell + size.length), let length = Int(exactly: size.value),
      length >= 0, length <= StoreLimits.value
    else { return nil }
    let start = cell + size.length + id.length
    guard let record = payload(of: page, at: start, count: length) else { return nil }
    return values(of: record).map { SQLiteRow(id: id.value, values: $0) }
  }

  /// The bytes of a record, which go on in other pages when they are too many for one.
  private func payload(of page: [UInt8], at start: Int, count: Int) -> [UInt8]? {
    let most = usableSize - 35
    guard count > most else { return page.slice(at: start, count: count) }
    let least = (usableSize - 12) * 32 / 255 - 23
    let preferred = least + (count - least) % (usableSize - 4)
    let local = preferred <= most ? preferred : least
    guard var bytes = page.slice(at: start, count: local),
      var next = page.bigEndian(at: start + local, width: 4)
    else { return nil }
    bytes.reserveCapacity(min(count, pageCount &* pageSize))
    var seen: Set<Int> = []
    while bytes.count < count {
      guard next != 0, seen.insert(next).inserted, let more = self.page(next),
        let following = more.bigEndian(at: 0, width: 4),
        let part = more.slice(at: 4, count: min(count - bytes.count, usableSize - 4))
      else { return nil }
      bytes += part
      next = following
    }
    return bytes
  }
}
