/// The bytes of one file, followed by zeros so that a reader may look a word ahead without a check.
package final class SourceText: @unchecked Sendable {
  /// The number of zero bytes after the last byte.
  package static let padding = 16

  package let start: UnsafePointer<UInt8>
  /// The number of bytes, padding not counted.
  package let count: Int
  private let storage: UnsafeMutablePointer<UInt8>

  /// Makes a text of `capacity` bytes at most; `fill` writes them and returns how many it wrote.
  package init(capacity: Int, fill: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
    storage = .allocate(capacity: capacity + Self.padding)
    let written = fill(UnsafeMutableBufferPointer(start: storage, count: capacity))
    count = max(0, min(written, capacity))
    (storage + count).update(repeating: 0, count: Self.padding)
    start = UnsafePointer(storage)
  }

  /// Copies the bytes.
  package convenience init(_ bytes: some Collection<UInt8>) {
    self.init(capacity: bytes.count) { target in
      var written = 0
      for byte in bytes {
        target[written] = byte
        written += 1
      }
      return written
    }
  }

  /// Copies the bytes of an array at once.
  package convenience init(_ bytes: [UInt8]) {
    self.init(capacity: bytes.count) { target in
      bytes.withUnsafeBufferPointer { source in
        guard let start = source.baseAddress else { return 0 }
        target.baseAddress?.update(from: start, count: source.count)
        return source.count
      }
    }
  }

  /// Copies the UTF-8 bytes of a string.
  package convenience init(_ string: String) {
    self.init(Array(string.utf8))
  }

  deinit {
    storage.deallocate()
  }

  /// The bytes without their padding.
  package var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start, count: count)
  }

  /// Whether a word stands anywhere in the text.
  package func contains(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    var at = 0
    while at + length <= count {
      var same = 0
      while same < length, start[at + same] == word.utf8Start[same] { same += 1 }
      if same == length { return true }
      at += 1
    }
    return false
  }

  /// The text of a byte range, cut to what is there; invalid UTF-8 is repaired.
  package subscript(range: Range<Int>) -> String {
    let lower = min(max(0, range.lowerBound), count)
    let upper = min(max(lower, range.upperBound), count)
    return String(decoding: UnsafeBufferPointer(rebasing: bytes[lower..<upper]), as: UTF8.self)
  }
}
