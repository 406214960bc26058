/// A write-ahead log: the pages that a database file doesn't hold yet.
///
/// Source: the file format as published by the SQLite project, "The Write-Ahead Log".
package struct SQLiteLog {
  private let bytes: StoreBytes
  /// In bytes.
  package let pageSize: Int
  /// The newest committed frame of each page, by the offset of its content.
  private let frames: [Int: Int]
  /// Pages of the database after the last commit.
  package let pageCount: Int
  /// Committed frames.
  package let frameCount: Int

  /// How many pages are newer here than in the database file.
  package var newerPages: Int { frames.count }

  /// Nothing for a log without a committed frame: SQLite ignores it as well.
  package init?(_ bytes: StoreBytes) {
    guard let header = bytes.read(at: 0, count: 32), let magic = header.word(at: 0),
      magic & ~1 == 0x377F_0682, header.word(at: 4) == 3_007_000,
      let pageSize = header.bigEndian(at: 8, width: 4), pageSize >= 512, pageSize <= 65_536,
      pageSize & (pageSize - 1) == 0
    else { return nil }
    var sum = Checksum(isBigEndian: magic & 1 == 1)
    sum.add(header[0..<24])
    guard header.word(at: 24) == sum.first, header.word(at: 28) == sum.second else { return nil }
    let salts = header[16..<24]
    var pending: [Int: Int] = [:]
    var committed: [Int: Int] = [:]
    var size = 0
    var count = 0
    var offset = 32
    for frame in 1...StoreLimits.frames {
      guard let head = bytes.read(at: offset, count: 24),
        let content = bytes.read(at: offset + 24, count: pageSize), head[8..<16] == salts,
        let page = head.bigEndian(at: 0, width: 4), page > 0,
        let sizeAfter = head.bigEndian(at: 4, width: 4)
      else { break }
      sum.add(head[0..<8])
      sum.add(content[...])
      guard head.word(at: 16) == sum.first, head.word(at: 20) == sum.second else { break }
      pending[page] = offset + 24
      if sizeAfter > 0 {
        committed.merge(pending) { _, newer in newer }
        pending = [:]
        size = sizeAfter
        count = frame
      }
      offset += 24 + pageSize
    }
    guard count > 0 else { return nil }
    self.bytes = bytes
    self.pageSize = pageSize
    frames = committed.filter { $0.key <= size }
    pageCount = size
    frameCount = count
  }

  /// The content of a page that the log holds; `expected` is the page size of the database.
  func page(_ number: Int, of expected: Int?) -> [UInt8]? {
    guard expected == nil || expected == pageSize, let offset = frames[number] else { return nil }
    return bytes.read(at: offset, count: pageSize)
  }

  /// The running sum over all frames up to one.
  private struct Checksum {
    let isBigEndian: Bool
    private(set) var first: UInt32 = 0
    private(set) var second: UInt32 = 0

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
      var index = bytes.startIndex
      while bytes.endIndex - index >= 8 {
        first = first &+ word(bytes, index) &+ second
        second = second &+ word(bytes, index + 4) &+ first
        index += 8
      }
    }

    private func word(_ bytes: ArraySlice<UInt8>, _ index: Int) -> UInt32 {
      let parts = (0..<4).map { UInt32(bytes[index + $0]) }
      return isBigEndian
        ? parts[0] << 24 | parts[1] << 16 | parts[2] << 8 | parts[3]
        : parts[3] << 24 | parts[2] << 16 | parts[1] << 8 | parts[0]
    }
  }
}
