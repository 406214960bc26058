import PersistReport
import PersistServer
import Testing

@Suite struct AgentServerTests {
  private var server = AgentServer(program: "9.9.9")

  /// What a message does, as the messages that are sent, and `start` or `cancel` with a number.
  private mutating func say(_ text: String) -> [String] {
    words(server.receive(Incoming(parsing: Array(text.utf8)), at: 0))
  }

  private func words(_ effects: [Effect<ToolCall>]) -> [String] {
    effects.map { effect in
      switch effect {
      case .send(let json): json.line
      case .start(let number, let call): "start \(number) \(call)"
      case .cancel(let number): "cancel \(number)"
      case .exit(let code): "exit \(code)"
      }
    }
  }

  private mutating func begin(_ version: String = "2025-06-18") {
    _ = say(
      #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"\#(version)"}}"#)
  }

  private func call(_ id: Int, _ tool: String, _ arguments: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
  }

  @Test(arguments: [
    ("2024-11-05", "2024-11-05"), ("2025-03-26", "2025-03-26"), ("2025-06-18", "2025-06-18"),
    ("2025-11-25", "2025-11-25"), ("2026-07-28", "2025-11-25"), ("1999-01-01", "2025-11-25"),
  ]) func aHandshakeAgreesOnAVersion(asked: String, given: String) {
    var test = self
    let answer = test.say(
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"\#(asked)"}}"#)
    #expect(answer.count == 1)
    #expect(answer.one.contains(#""protocolVersion":"\#(given)""#))
    #expect(answer.one.contains(#""name":"persistlint","title":"persistlint","version":"9.9.9""#))
    #expect(test.say(#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#) == [])
    let again = test.say(
      #"{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"\#(asked)"}}"#)
    #expect(again.one.contains("-32600"))
  }

  @Test mutating func beforeTheHandshakeOnlyPingIsAnswered() {
    #expect(
      say(#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#)
        == [#"{"jsonrpc":"2.0","id":"p","result":{}}"#])
    #expect(say(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).one.contains("-32602"))
    #expect(say("nonsense").one.contains(#""id":null,"error":{"code":-32700"#))
    begin()
    #expect(say(#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#).one.contains("-32601"))
    #expect(say(#"{"jsonrpc":"2.0","method":"notifications/strange"}"#) == [])
  }

  @Test mutating func aRequestMaySayItsVersionItself() {
    let meta =
      #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#
    let answer = say(#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{\#(meta)}}"#)
    #expect(answer.one.contains(#""resultType":"complete""#))
    #expect(answer.one.contains(#""supportedVersions":["2024-11-05","#))
    let old = meta.replacing("2026-07-28", with: "2030-01-01")
    let refusal = say(#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{\#(old)}}"#)
    #expect(refusal.one.contains(#""code":-32022"#))
    #expect(refusal.one.contains(#""requested":"2030-01-01""#))
  }

  @Test mutating func whatARevisionDoesNotKnowIsLeftOut() {
    begin("2024-11-05")
    let list = say(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#).one
    #expect(list.contains(#""name":"lint""#))
    #expect(!list.contains("outputSchema") && !list.contains("annotations"))
    let page = say(call(2, "explain", #"{"rule":"swallowed-save-error"}"#)).one
    #expect(page.contains(#"{"type":"text","text":"{\"rule\":\"swallowed-save-error\""#))
    #expect(!page.contains("structuredContent"))
  }

  @Test mutating func callsAreStartedAndAnswered() {
    begin()
    let started = say(call(7, "lint", #"{"paths":["a.swift"],"limit":3}"#))
    #expect(started.count == 1 && started.one.hasPrefix("start 1 lint("))
    #expect(say(call(7, "lint")).one.contains("is being answered"))
    let answer = words(server.finish(1, .value(["a": 1]), at: 0))
    #expect(
      answer == [
        #"{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"{\"a\":1}"}],"#
          + #""structuredContent":{"a":1},"isError":false}}"#
      ])
    #expect(say(call(8, "schema")).one.hasPrefix("start 2 "))
    let failure = words(server.finish(2, .failure("no"), at: 0))
    #expect(failure.one.contains(#""text":"no"}],"isError":true"#))
  }

  @Test mutating func aCancelledCallHasNoAnswer() {
    begin()
    _ = say(call(7, "lint"))
    let cancel = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#
    #expect(say(cancel) == ["cancel 1"])
    #expect(say(cancel) == [], "it may come after the answer")
    #expect(words(server.finish(1, .value([:]), at: 0)) == [])
  }

  @Test mutating func mistakesAreForTheModelWhereTheRevisionSaysSo() {
    let calls = [
      (call(1, "lint", #"{"limit":0}"#), "`limit` has to be a whole number from 1 to 1000"),
      (call(1, "lint", #"{"text":"a","paths":["b"]}"#), "`text` is for one file"),
      (call(1, "lint", #"{"rules":["nothing"]}"#), "no rule or group is called 'nothing'"),
      (call(1, "lint", "[]"), "has to be an object"), (call(1, "store"), "store needs `file`"),
    ]
    for (call, words) in calls {
      var (old, new) = (self, self)
      old.begin("2025-06-18")
      new.begin("2025-11-25")
      #expect(old.say(call).one.contains(#""error":{"code":-32602"#))
      #expect(old.say(call).one.contains(words))
      #expect(new.say(call).one.contains(#""isError":true"#))
    }
    begin()
    #expect(say(call(1, "nothing")).one.contains("-32602"))
  }

  @Test mutating func whoGoesAwayGetsTheAnswersThatWereAskedFor() {
    begin()
    _ = say(call(1, "lint"))
    #expect(words(server.end()) == [])
    #expect(words(server.finish(1, .value([:]), at: 0)).last == "exit 0")
    var idle = AgentServer(program: "1")
    #expect(words(idle.end()) == ["exit 0"])
  }

  @Test mutating func aBatchIsAnsweredAsOne() {
    let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
    begin("2025-03-26")
    #expect(say("[\(ping),3]").one.hasPrefix(#"[{"jsonrpc":"2.0","id":1,"result":{}},{"#))
    let started = say("[\(ping),\(call(2, "lint")),\(call(3, "lint"))]")
    #expect(started.count == 2)
    #expect(words(server.finish(3, .value([:]), at: 0)) == [])
    let cancel = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}"#
    let closed = say(cancel)
    #expect(closed.count == 2 && closed[1].hasPrefix("[{") && closed[1].contains(#""id":2"#))
    var other = self
    other.server = AgentServer(program: "1")
    other.begin()
    #expect(other.say("[\(ping)]").one.contains("-32600"))
  }
}
