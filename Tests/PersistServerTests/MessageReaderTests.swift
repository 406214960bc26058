import PersistReport
import PersistServer
import Testing

@Suite struct MessageReaderTests {
  private static let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
  private static let note = #"{"jsonrpc":"2.0","method":"hear","params":{"a":"ä"}}"#

  private func framed(_ text: String) -> [UInt8] {
    Array("Content-Length: \(text.utf8.count)\r\n\r\n\(text)".utf8)
  }

  /// What each incoming message is, in one word or the code of its failure.
  private func words(_ incoming: [Incoming]) -> [String] {
    incoming.map { incoming in
      switch incoming {
      case .message(.request(let id, let method, _)): "\(method) \(id.json.line)"
      case .message(.notification(let method, let parameters)):
        method + (parameters["a"]?.string.map { " \($0)" } ?? "")
      case .message(.response(let id, .success(let value))): "\(id.json.line) -> \(value.line)"
      case .message(.response(let id, .failure(let failure))): "\(id.json.line) !\(failure.code)"
      case .batch(let parts): "[\(words(parts).joined(separator: ", "))]"
      case .malformed(let id, let failure): "\(id?.json.line ?? "") \(failure.code)"
      }
    }
  }

  @Test(arguments: 1...7) func piecesOfAnySizeMakeTheSameMessages(size: Int) {
    var reader = MessageReader(.headers)
    let bytes = framed(Self.ping) + framed(Self.note) + framed(Self.ping)
    var found: [Incoming] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      found += reader.add(bytes[start..<min(start + size, bytes.count)])
    }
    #expect(words(found) == ["ping 1", "hear ä", "ping 1"])
    var lines = MessageReader(.lines)
    let text = Array("\(Self.ping)\n\r\n\(Self.note)\r\n\(Self.ping)".utf8)
    found = []
    for start in stride(from: 0, to: text.count, by: size) {
      found += lines.add(text[start..<min(start + size, text.count)])
    }
    #expect(words(found) == ["ping 1", "hear ä"], "the last line may go on")
    #expect(words(lines.finish()) == ["ping 1"])
    #expect(words(lines.finish()) == [])
  }

  @Test func otherHeadersAndBareLineBreaksAreTaken() {
    var reader = MessageReader(.headers)
    let type = "content-type: application/vscode-jsonrpc; charset=utf-8"
    let head = "\(type)\r\nCONTENT-LENGTH:\(Self.ping.utf8.count)\r\n\r\n"
    #expect(words(reader.add((head + Self.ping).utf8)) == ["ping 1"])
    #expect(
      words(reader.add("Content-Length: \(Self.ping.utf8.count)\n\n\(Self.ping)".utf8))
        == ["ping 1"])
  }

  @Test(arguments: [
    ("Content-Length: abc\r\n\r\n", [" -32700"]),
    ("Content-Length: -5\r\n\r\n", [" -32700"]),
    ("Content-Length: 99999999999999999999999\r\n\r\n", [" -32700"]),
    ("Content-Length:\r\n\r\n", [" -32700"]),
    ("Length: 4\r\n\r\n", [" -32700"]),
    // Too short: the rest of the message stands before the next header.
    ("Content-Length: 5\r\n\r\n\(ping)", [" -32700"]),
    // Too long: it takes the beginning of what comes next, which is lost with it.
    ("Content-Length: 60\r\n\r\n\(ping)", [" -32700", " -32700"]),
  ]) func afterAWrongLengthItGoesOn(wrong: String, failures: [String]) {
    var reader = MessageReader(.headers)
    let next = framed(Self.ping) + framed(Self.note)
    let found = words(reader.add(Array(wrong.utf8) + next))
    #expect(found.last == "hear ä")
    #expect(found.first == " -32700")
    #expect(found.filter { $0 == " -32700" }.count <= failures.count)
  }

  @Test func aHeaderWithoutAnEndIsLeft() {
    var reader = MessageReader(.headers)
    let garbage = [UInt8](repeating: 0x78, count: 40_000)
    #expect(words(reader.add(garbage)) == [" -32700"])
    #expect(words(reader.add(framed(Self.ping))) == ["ping 1"])
  }

  @Test func messagesOfTenMegabytesAreRead() {
    let text = String(repeating: "ä\\n", count: 2_600_000)
    let message = #"{"jsonrpc":"2.0","method":"hear","params":{"a":"\#(text)"}}"#
    #expect(message.utf8.count > 10_000_000)
    for framing in [Framing.headers, .lines] {
      var reader = MessageReader(framing)
      let bytes = framing == .headers ? framed(message) : Array(message.utf8) + [0x0A]
      var found: [Incoming] = []
      for start in stride(from: 0, to: bytes.count, by: 1 << 16) {
        found += reader.add(bytes[start..<min(start + 1 << 16, bytes.count)])
      }
      guard case .message(.notification(_, let parameters))? = found.first else {
        Issue.record("not read")
        continue
      }
      #expect(parameters["a"]?.string?.utf8.count == 7_800_000)
      let next = framing == .headers ? framed(Self.ping) : Array("\(Self.ping)\n".utf8)
      #expect(words(reader.add(next)) == ["ping 1"])
    }
  }

  @Test func aMessageThatIsTooLargeIsSkipped() {
    var reader = MessageReader(.headers, largest: 100)
    let large = framed(String(repeating: " ", count: 500))
    #expect(words(reader.add(large + framed(Self.ping))) == [" -32700", "ping 1"])
    var lines = MessageReader(.lines, largest: 100)
    #expect(words(lines.add([UInt8](repeating: 0x20, count: 150))) == [" -32700"])
    #expect(words(lines.add([UInt8](repeating: 0x20, count: 150))) == [])
    #expect(words(lines.add("\n\(Self.ping)\n".utf8)) == ["ping 1"])
  }

  @Test(arguments: [
    ("{", " -32700"), ("1", " -32600"), ("[]", " -32600"), ("{}", " -32600"),
    (#"{"jsonrpc":"1.0","id":4,"method":"a"}"#, "4 -32600"),
    (#"{"jsonrpc":"2.0","id":4,"method":7}"#, "4 -32600"),
    (#"{"jsonrpc":"2.0","id":4,"method":"a","params":7}"#, "4 -32600"),
    (#"{"jsonrpc":"2.0","id":null,"method":"a"}"#, " -32600"),
    (#"{"jsonrpc":"2.0","id":1.5,"method":"a"}"#, " -32600"),
    (#"{"jsonrpc":"2.0","id":"x","method":"a","params":[]}"#, "a \"x\""),
    (#"{"jsonrpc":"2.0","id":7,"result":null}"#, "7 -> null"),
    (#"{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"no"}}"#, "7 !-1"),
    ("[\(ping),1]", "[ping 1,  -32600]"),
    (#"{"jsonrpc":"2.0","method":"hear","params":{"a":"\u202e\ud83d\ude00"}}"#, "hear \u{202E}😀"),
  ]) func messagesAreUnderstoodOrRefused(text: String, expected: String) {
    #expect(words([Incoming(parsing: Array(text.utf8))]) == [expected])
  }

  @Test func deepNestingIsRefused() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(words([Incoming(parsing: Array(deep.utf8))]) == [" -32700"])
  }

  @Test func whatIsWrittenIsReadAgain() {
    let message = Outgoing.request(
      .string("a\n"), "hear", ["a": "zwei\r\n\u{202E}\u{0}", "b": .null, "c": .number(1.5)])
    for framing in [Framing.headers, .lines] {
      var reader = MessageReader(framing)
      let found = reader.add(framing.bytes(of: message))
      guard case .message(.request(.string("a\n"), "hear", let parameters))? = found.first else {
        Issue.record("\(found)")
        continue
      }
      #expect(parameters["a"]?.string == "zwei\r\n\u{202E}\u{0}")
    }
  }
}
