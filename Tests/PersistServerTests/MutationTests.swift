import PersistReport
import PersistServer
import Testing

/// Sessions with some of their bytes and numbers changed: whatever comes, the servers go on.
@Suite struct MutationTests {
  /// The same numbers in each run.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
  }

  private static let editing = [
    #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"general":{"positionEncodings":["utf-8"]},"textDocument":{"codeAction":{"codeActionLiteralSupport":{}}},"window":{"workDoneProgress":true}},"rootUri":"file:///p"}}"#,
    #"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
    #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///p/a.swift","version":1,"text":"aü𝄞\r\nb\n"}}}"#,
    #"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///p/a.swift","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":1},"end":{"line":1,"character":9}},"text":"x"}]}}"#,
    #"{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///p/a.swift"},"position":{"line":0,"character":1}}}"#,
    #"{"jsonrpc":"2.0","id":3,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"file:///p/a.swift"},"range":{"start":{"line":0,"character":1},"end":{"line":1,"character":1}},"context":{"only":["quickfix"]}}}"#,
    #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}"#,
    #"{"jsonrpc":"2.0","method":"workspace/didChangeWorkspaceFolders","params":{"event":{"added":[{"uri":"file:///q"}],"removed":[{"uri":"file:///p"}]}}}"#,
    #"{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":"file:///p/a.swift"}}}"#,
    #"{"jsonrpc":"2.0","id":4,"method":"shutdown"}"#,
  ]

  private static let asking = [
    #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-03-26"}}"#,
    #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"lint","arguments":{"paths":["a"],"limit":3}}}"#,
    #"[{"jsonrpc":"2.0","id":3,"method":"ping"},{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"schema"}}]"#,
    #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#,
  ]

  private static let values = [
    "9223372036854775807", "-9223372036854775808", "1e999", "-1", "null", "[]", "{}", "true",
    "\"\"",
    "\"file:///\"", "\"\\u0000\"", "4.5", "\"file:///%\"",
  ]

  private func mutated(_ text: String, _ numbers: inout Numbers) -> String {
    var text = text
    for _ in 0..<Int.random(in: 0...2, using: &numbers) {
      let parts = text.ranges(of: /:("[^"]*"|[0-9]+|\{\}|true)/)
      guard let part = parts.randomElement(using: &numbers) else { continue }
      let value = Self.values.randomElement(using: &numbers) ?? ""
      text.replaceSubrange(part, with: ":" + value)
    }
    return text
  }

  /// What each message does; jobs end at once with this outcome, or never.
  private func play<S: Server>(
    _ server: S, _ framing: Framing, _ messages: [String], _ outcome: S.Outcome, seed: UInt64
  ) -> Int {
    var numbers = Numbers(state: seed)
    var (server, reader, sent) = (server, MessageReader(framing, largest: 1 << 16), 0)
    for (index, message) in messages.enumerated() {
      let text = mutated(message, &numbers)
      var bytes = Array(text.utf8)
      if framing == .headers {
        let wrong = Int.random(in: 0..<20, using: &numbers) == 0 ? 7 : 0
        bytes = Array("Content-Length: \(bytes.count + wrong)\r\n\r\n".utf8) + bytes
      } else {
        bytes.append(0x0A)
      }
      if Int.random(in: 0..<10, using: &numbers) == 0, !bytes.isEmpty {
        bytes[Int.random(in: bytes.indices, using: &numbers)] = UInt8.random(
          in: 0...255, using: &numbers)
      }
      var effects = reader.add(bytes).flatMap { server.receive($0, at: Double(index)) }
      effects += server.wake(at: Double(index) + 0.4)
      for case .start(let number, _) in effects where number % 3 != 0 {
        effects += server.finish(number, outcome, at: Double(index) + 0.5)
      }
      for case .send(let json) in effects where JSON(parsing: Array(json.line.utf8)) != nil {
        sent += 1
      }
    }
    _ = server.end()
    return sent
  }

  @Test func editorsMaySendAnything() {
    let surroundings = Surroundings(resolve: { $0 }, project: { _ in "/p" })
    let failure = AnalysisOutcome.failure("no")
    var sent = 0
    for seed in 0..<600 as Range<UInt64> {
      let server = LanguageServer(program: "1", surroundings: surroundings)
      sent += play(server, .headers, Self.editing, failure, seed: seed)
    }
    #expect(sent > 600)
  }

  @Test func agentsMaySendAnything() {
    var sent = 0
    for seed in 0..<600 as Range<UInt64> {
      sent += play(
        AgentServer(program: "1"), .lines, Self.asking, .value(["a": .null]), seed: seed)
    }
    #expect(sent > 600)
  }
}
