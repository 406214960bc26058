/// A SQLite database as its file format and its write-ahead log describe it, read only.
///
/// Source: the file format as published by the SQLite project ("Database File Format").
package struct SQLiteFile {
  /// Why a file can't be read as a database.
  package enum Failure: Error, Equatable {
    /// The file has no bytes: nothing was ever written into it.
    case empty
    /// The header isn't SQLite's: another format, or an encrypted database.
    case notADatabase
    case realm
    /// A length or offset leads out of the file.
    case damaged(String)
  }

  let bytes: StoreBytes
  package let log: SQLiteLog?
  /// In bytes.
  package let pageSize: Int
  /// The bytes of a page that hold content.
  let usableSize: Int
  /// Pages of the database, those in the log counted.
  package let pageCount: Int
  package let freePages: Int
  package let encoding: TextEncoding
  /// `PRAGMA user_version`.
  package let userVersion: Int
  package let usesLog: Bool

  /// How texts are stored.
  package enum TextEncoding: Int, Sendable {
    case utf8 = 1
    case utf16LittleEndian, utf16BigEndian
  }

  /// Reads the header; `log` holds the bytes of the `-wal` file, when there is one.
  package init(_ bytes: StoreBytes, log logBytes: StoreBytes? = nil) throws(Failure) {
    let main = bytes.read(at: 0, count: min(100, bytes.size)) ?? []
    if bytes.size == 0, (logBytes?.size ?? 0) == 0 { throw .empty }
    if main.starts(with: "T-DB", at: 16) { throw .realm }
    guard main.isEmpty || main.starts(with: "SQLite format 3\0") else { throw .notADatabase }
    let log = logBytes.flatMap { SQLiteLog($0) }
    self.bytes = bytes
    self.log = log
    var header = main
    if let newer = log?.page(1, of: nil)?.prefix(100) { header = Array(newer) }
    guard header.count == 100 else { throw .damaged("the header ends after \(header.count) bytes") }
    let stated = header.bigEndian(at: 16, width: 2) ?? 0
    pageSize = stated == 1 ? 65_536 : stated
    guard pageSize >= 512, pageSize <= 65_536, pageSize & (pageSize - 1) == 0 else {
      throw .damaged("the page size is \(stated)")
    }
    let reserved = Int(header[20])
    usableSize = pageSize - reserved
    guard usableSize >= 480 else { throw .damaged("\(reserved) bytes of each page are reserved") }
    usesLog = header[18] == 2
    let counted = header.bigEndian(at: 28, width: 4) ?? 0
    let isCounted = counted > 0 && header.word(at: 24) == header.word(at: 92)
    pageCount = log?.pageCount ?? (isCounted ? counted : bytes.size / pageSize)
    freePages = header.bigEndian(at: 36, width: 4) ?? 0
    userVersion = Int(header.signed(at: 60, width: 4) ?? 0)
    encoding = TextEncoding(rawValue: header.bigEndian(at: 56, width: 4) ?? 1) ?? .utf8
  }

  /// The newest content of a page, from 1 on.
  func page(_ number: Int) -> [UInt8]? {
    guard number > 0, number <= max(pageCount, bytes.size / pageSize) else { return nil }
    if let newer = log?.page(number, of: pageSize) { return newer }
    return bytes.read(at: (number - 1) * pageSize, count: pageSize)
  }

  /// The first bytes of a page, which say what it holds and how many cells it has.
  func head(ofPage number: Int) -> [UInt8]? {
    guard number > 0, number <= max(pageCount, bytes.size / pageSize) else { return nil }
    let start = number == 1 ? 100 : 0
    if let newer = log?.page(number, of: pageSize) { return newer.slice(at: start, count: 12) }
    return bytes.read(at: (number - 1) * pageSize + start, count: 12)
  }

  /// The text of a value in the encoding of the database.
  func text(_ bytes: [UInt8]) -> String {
    switch encoding {
    case .utf8: return String(decoding: bytes, as: UTF8.self)
    case .utf16LittleEndian, .utf16BigEndian:
      let isLittle = encoding == .utf16LittleEndian
      let units = stride(from: 0, to: bytes.count - bytes.count % 2, by: 2).map {
        isLittle
          ? UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
          : UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      return String(decoding: units, as: UTF16.self)
    }
  }
}
