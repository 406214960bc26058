import PersistReport

/// How messages are told apart in a stream of bytes.
package enum Framing: Sendable {
  /// A header with `Content-Length` stands before each message, as the Language Server Protocol
  /// has it.
  case headers
  /// Each message is a line, as the Model Context Protocol has it.
  case lines

  /// The bytes of a message in its frame.
  package func bytes(of message: JSON) -> [UInt8] {
    let body = Array(message.line.utf8)
    switch self {
    case .headers: return Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
    case .lines: return body + [0x0A]
    }
  }
}

/// Cuts a stream of bytes into messages, wherever the pieces that arrive begin and end.
///
/// After a header that makes no sense, or a length that was wrong, it goes on with the next
/// `Content-Length`.
package struct MessageReader: Sendable {
  /// In bytes; a larger message is skipped.
  package static let largestMessage = 256 << 20
  /// In bytes; without an end of the header after so many, they are no header.
  private static let largestHeader = 16 << 10
  private static let lengthField = Array("content-length:".utf8)

  private let framing: Framing
  private let largest: Int
  private var buffer: [UInt8] = []
  /// Where in the buffer the next frame begins.
  private var start = 0
  /// How far the buffer was searched for the end of the frame, or of its header.
  private var searched = 0
  /// How many bytes of a message that is too large are still to come; in lines, up to the next one.
  private var skipping = 0
  /// The length of the body whose header has been read.
  private var bodyLength: Int?

  /// `largest` is in bytes.
  package init(_ framing: Framing, largest: Int = MessageReader.largestMessage) {
    self.framing = framing
    self.largest = largest
  }

  /// The messages that these bytes complete.
  package mutating func add(_ bytes: some Collection<UInt8>) -> [Incoming] {
    buffer += bytes
    var incoming: [Incoming] = []
    reading: while true {
      switch framing == .headers ? nextWithHeader() : nextLine() {
      case .found(let found): incoming.append(found)
      case .passed: continue
      case .needsMore: break reading
      }
    }
    if start > 1 << 16 || start == buffer.count {
      buffer.removeFirst(start)
      searched -= start
      start = 0
    }
    return incoming
  }

  /// What the end of the stream completes: a last line without a line break.
  package mutating func finish() -> [Incoming] {
    guard framing == .lines, start < buffer.count, skipping == 0 else { return [] }
    return add([0x0A])
  }

  /// What reading on has brought.
  private enum Step {
    case found(Incoming)
    /// Something that is no message, such as a header or an empty line.
    case passed
    case needsMore
  }

  // MARK: Lines

  private mutating func nextLine() -> Step {
    guard let end = buffer[max(start, searched)...].firstIndex(of: 0x0A) else {
      searched = buffer.count
      if buffer.count - start > largest {
        let isFirst = skipping == 0
        (start, skipping) = (buffer.count, 1)
        if isFirst { return tooLarge }
      }
      return .needsMore
    }
    let line = buffer[start..<end]
    (start, searched) = (end + 1, end + 1)
    if skipping > 0 {
      skipping = 0
      return .passed
    }
    if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return .passed }
    return .found(Incoming(parsing: line))
  }

  private var tooLarge: Step { unreadable("a message of more than \(largest) bytes") }

  private func unreadable(_ reason: String) -> Step { .found(.malformed(nil, .unreadable(reason))) }

  // MARK: Headers

  private mutating func nextWithHeader() -> Step {
    if skipping > 0 {
      let count = min(skipping, buffer.count - start)
      start += count
      skipping -= count
      searched = start
      guard skipping == 0 else { return .needsMore }
    }
    if let length = bodyLength {
      guard buffer.count - start >= length else { return .needsMore }
      let body = buffer[start..<start + length]
      start += length
      (searched, bodyLength) = (start, nil)
      return .found(Incoming(parsing: body))
    }
    guard let header = header() else { return overlongHeader() }
    (start, searched) = (header.upperBound, header.upperBound)
    guard let length = Self.length(in: buffer[header]) else {
      return unreadable("a header without a Content-Length that makes sense")
    }
    guard length <= largest else {
      skipping = length
      return tooLarge
    }
    bodyLength = length
    return .passed
  }

  /// Where the header at the start stands, with the empty line at its end.
  private mutating func header() -> Range<Int>? {
    var index = max(start, searched)
    while index < buffer.count {
      guard let end = buffer[index...].firstIndex(of: 0x0A) else { break }
      let next = end + 1 < buffer.count && buffer[end + 1] == 0x0D ? end + 2 : end + 1
      // An empty line may be cut in its middle.
      guard next < buffer.count else {
        searched = end
        return nil
      }
      if buffer[next] == 0x0A { return start..<next + 1 }
      index = end + 1
    }
    searched = max(start, min(index, buffer.count))
    return nil
  }

  /// Drops what can't be a header any more, but not the field that may begin at its end.
  private mutating func overlongHeader() -> Step {
    guard buffer.count - start > Self.largestHeader else { return .needsMore }
    start = buffer.count - Self.lengthField.count
    searched = start
    return unreadable("a header without an end")
  }

  /// The last length that a header names; what stands before it may be the rest of a message.
  private static func length(in header: ArraySlice<UInt8>) -> Int? {
    let lower = header.map { 0x41...0x5A ~= $0 ? $0 + 0x20 : $0 }
    guard lower.count >= lengthField.count else { return nil }
    for index in (0...lower.count - lengthField.count).reversed()
    where lower[index...].starts(with: lengthField) {
      let value = lower[(index + lengthField.count)...].prefix { $0 != 0x0D && $0 != 0x0A }
      let digits = String(decoding: value, as: UTF8.self).filter { $0 != " " && $0 != "\t" }
      guard digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
      return Int(digits)
    }
    return nil
  }
}
