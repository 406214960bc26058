import PersistPages
import PersistReport
import PersistRules
import PersistServer
import Testing

@Suite struct LanguageServerTests {
  private static let capabilities = """
    {"general":{"positionEncodings":["utf-8"]},
     "textDocument":{"publishDiagnostics":{"versionSupport":true},
       "codeAction":{"codeActionLiteralSupport":{},"isPreferredSupport":true}}}
    """
  private static let text = "import SwiftData\ntry? context.save()\n"

  private var server = LanguageServer(
    program: "9", surroundings: Surroundings(resolve: { $0 }, project: { _ in "/around" }))
  private var now = 0.0

  private func words(_ effects: [Effect<AnalysisRequest>]) -> [String] {
    effects.map { effect in
      switch effect {
      case .send(let json): json.line
      case .start(let number, let request):
        "start \(number) \(request.folder) \(request.texts.keys.sorted())"
      case .cancel(let number): "cancel \(number)"
      case .exit(let code): "exit \(code)"
      }
    }
  }

  private mutating func say(_ text: String) -> [String] {
    words(server.receive(Incoming(parsing: Array(text.utf8)), at: now))
  }

  private mutating func notify(_ method: String, _ parameters: String) -> [String] {
    say(#"{"jsonrpc":"2.0","method":"\#(method)","params":\#(parameters)}"#)
  }

  private mutating func request(_ id: Int, _ method: String, _ parameters: String) -> [String] {
    say(#"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"#)
  }

  private mutating func begin(_ folders: [String] = ["/p"]) -> [String] {
    let folders = folders.map { #"{"uri":"file://\#($0)","name":""}"# }.joined(separator: ",")
    _ = request(
      1, "initialize",
      #"{"capabilities":\#(Self.capabilities),"workspaceFolders":[\#(folders)]}"#)
    return notify("initialized", "{}")
  }

  private mutating func open(_ path: String, _ text: String = Self.text) -> [String] {
    let text = JSON.string(text).line
    return notify(
      "textDocument/didOpen",
      #"{"textDocument":{"uri":"file://\#(path)","version":1,"text":\#(text)}}"#)
  }

  private mutating func change(_ path: String, _ version: Int, _ text: String) -> [String] {
    let text = JSON.string(text).line
    return notify(
      "textDocument/didChange",
      #"{"textDocument":{"uri":"file://\#(path)","version":\#(version)},"#
        + #""contentChanges":[{"text":\#(text)}]}"#)
  }

  /// A finding at `save` in the second line, with a fix that deletes the `?`.
  private func analysis(_ path: String = "a.swift") -> AnalysisOutcome {
    func place(_ start: Int, _ end: Int) -> Location {
      Location(
        path: path, start: Position(offset: start, line: 2, column: start - 16),
        end: Position(offset: end, line: 2, column: end - 16))
    }
    let fix = Fix(
      title: "Handle the error", isSafe: true,
      edits: [Fix.Edit(range: place(20, 21), replacement: "")])
    let finding = Finding(
      rule: "swallowed-save-error", severity: .warning, message: "lost; write it",
      location: place(30, 34), fix: fix)
    let comment = Fix(
      title: "", isSafe: true,
      edits: [Fix.Edit(range: place(17, 17), replacement: "// persistlint:ignore[x] \n")])
    let report = Report(
      findings: [finding], pages: RulePage.all, sources: [path: Array(Self.text.utf8)],
      statistics: Statistics(files: 1, schemaVersions: 0, containers: 0, seconds: 0),
      version: "9")
    return .findings(Analysis(report: report, suppressions: [comment]))
  }

  private mutating func finish(_ job: Int, _ outcome: AnalysisOutcome? = nil) -> [String] {
    words(server.finish(job, outcome ?? analysis(), at: now))
  }

  // MARK: Life

  @Test mutating func theLifeOfASession() {
    #expect(request(0, "textDocument/hover", "{}").one.contains("-32002"))
    #expect(notify("textDocument/didOpen", "{}") == [])
    let answer = request(1, "initialize", #"{"capabilities":{},"rootUri":null}"#)
    #expect(answer.one.contains(#""positionEncoding":"utf-16""#))
    #expect(answer.one.contains(#""serverInfo":{"name":"persistlint","version":"9"}"#))
    #expect(request(2, "initialize", "{}").one.contains("-32600"))
    #expect(request(3, "textDocument/strange", "{}").one.contains("-32601"))
    #expect(request(4, "$/strange", "{}").one.contains("-32601"))
    #expect(notify("$/setTrace", #"{"value":"off"}"#) == [])
    #expect(request(5, "shutdown", "{}") == [#"{"jsonrpc":"2.0","id":5,"result":null}"#])
    #expect(request(6, "textDocument/hover", "{}").one.contains("-32600"))
    #expect(notify("exit", "{}") == ["exit 0"])
    var other = Self().server
    #expect(words(other.end()) == ["exit 1"])
  }

  @Test mutating func anEditIsJudgedAfterAPauseAndASaveAtOnce() {
    #expect(begin() == ["start 1 /p []"])
    _ = finish(1)
    #expect(open("/p/a.swift") == ["start 2 /p [\"/p/a.swift\"]"])
    _ = finish(2)
    now = 10
    _ = change("/p/a.swift", 2, "a")
    #expect(server.wakeTime == 10.3)
    now = 10.2
    _ = change("/p/a.swift", 3, "b")
    #expect(server.wakeTime == 10.5, "each key puts it off")
    #expect(words(server.wake(at: 10.3)) == [])
    #expect(words(server.wake(at: 10.5)) == ["start 3 /p [\"/p/a.swift\"]"])
    #expect(server.wakeTime == nil)
    let save = #"{"textDocument":{"uri":"file:///p/a.swift"}}"#
    #expect(notify("textDocument/didSave", save) == ["cancel 3", "start 4 /p [\"/p/a.swift\"]"])
    #expect(finish(3) == [], "nobody waits for what was cancelled")
  }

  // MARK: Diagnostics

  @Test mutating func diagnosticsAreTakenBackWhenTheyAreGone() {
    _ = begin()
    let told = finish(1)
    #expect(told.count == 1)
    #expect(
      told.one.contains(
        #""range":{"start":{"line":1,"character":13},"end":{"line":1,"character":17}}"#))
    #expect(told.one.contains(#""uri":"file:///p/a.swift","diagnostics":[{"#))
    let save = #"{"textDocument":{"uri":"file:///p/b.swift"}}"#
    _ = notify("textDocument/didSave", save)
    #expect(finish(2) == [], "what is known isn't said again")
    _ = notify("textDocument/didSave", save)
    let none = Report(
      findings: [], pages: [], sources: [:],
      statistics: Statistics(files: 1, schemaVersions: 0, containers: 0, seconds: 0), version: "9")
    let gone = finish(3, .findings(Analysis(report: none, suppressions: [])))
    #expect(gone.count == 1 && gone.one.contains(#""diagnostics":[]"#))
  }

  @Test mutating func findingsOfAnOlderTextMoveOrGo() {
    _ = begin()
    _ = finish(1)
    _ = open("/p/a.swift", "// new\n" + Self.text)
    let moved = finish(2)
    #expect(moved.one.contains(#""start":{"line":2,"character":13}"#))
    #expect(moved.one.contains(#""version":1"#))
    _ = change("/p/a.swift", 2, "import SwiftData\ntry? context.sa")
    now = 5
    _ = words(server.wake(at: now))
    #expect(finish(3).one.contains(#""version":2,"diagnostics":[]"#))
  }

  @Test mutating func aMistakeInTheConfigurationIsToldOnceAndTakesNothingAway() {
    _ = begin()
    _ = finish(1)
    let save = #"{"textDocument":{"uri":"file:///p/b.swift"}}"#
    _ = notify("textDocument/didSave", save)
    let told = finish(2, .failure("no"))
    #expect(told.count == 1 && told.one.contains("window/showMessage"))
    _ = notify("textDocument/didSave", save)
    #expect(finish(3, .failure("no")) == [])
  }

  @Test mutating func theInnermostRootSpeaksForAFile() {
    let started = begin(["/p", "/p/inner"])
    #expect(started == ["start 1 /p []", "start 2 /p/inner []"])
    #expect(finish(1, analysis("inner/a.swift")) == [])
    #expect(finish(2, analysis("a.swift")).count == 1)
    let removed = notify(
      "workspace/didChangeWorkspaceFolders",
      #"{"event":{"added":[],"removed":[{"uri":"file:///p/inner","name":""}]}}"#)
    #expect(removed == [], "the outer one has found the same")
  }

  @Test mutating func aFileWithoutARootHasItsProject() {
    _ = begin([])
    #expect(open("/around/a.swift") == ["start 1 /around [\"/around/a.swift\"]"])
    _ = finish(1)
    let closed = notify(
      "textDocument/didClose", #"{"textDocument":{"uri":"file:///around/a.swift"}}"#)
    #expect(closed.count == 1 && closed.one.contains(#""diagnostics":[]"#))
  }

  // MARK: Answers

  private static let range =
    #"{"start":{"line":1,"character":14},"end":{"line":1,"character":14}}"#

  private mutating func actions(_ id: Int, _ context: String = "{}") -> [String] {
    request(
      id, "textDocument/codeAction",
      #"{"textDocument":{"uri":"file:///p/a.swift"},"range":\#(Self.range),"context":\#(context)}"#)
  }

  @Test mutating func theFixIsPreferredAndTheCommentIsNot() {
    _ = begin()
    _ = open("/p/a.swift")
    _ = finish(2)
    let found = actions(9)
    #expect(found.count == 1)
    #expect(
      found.one.contains(#"{"title":"Handle the error","kind":"quickfix","diagnostics":[{"range""#))
    #expect(
      found.one.contains(
        #""isPreferred":true,"edit":{"changes":{"file:///p/a.swift":[{"range":{"start":"#
          + #"{"line":1,"character":3},"end":{"line":1,"character":4}},"newText":""}]}}"#))
    #expect(found.one.contains(#""title":"Silence swallowed-save-error here"#))
    #expect(found.one.ranges(of: "isPreferred").count == 1)
    #expect(actions(10, #"{"only":["refactor"]}"#).one.hasSuffix(#""result":[]}"#))
    #expect(actions(11, #"{"only":["quickfix"]}"#).one.contains("Handle the error"))
  }

  @Test mutating func questionsWaitForTheTextAsItIsAndCanBeCancelled() {
    _ = begin()
    _ = open("/p/a.swift")
    _ = finish(2)
    _ = change("/p/a.swift", 2, Self.text + " ")
    #expect(actions(9) == ["start 3 /p [\"/p/a.swift\"]"], "it doesn't wait for the pause")
    #expect(actions(10) == [])
    #expect(notify("$/cancelRequest", #"{"id":10}"#).one.contains("-32800"))
    let answers = finish(3)
    #expect(answers.count == 2)
    #expect(answers[1].contains(#""id":9,"result":[{"title":"Handle the error""#))
  }

  @Test mutating func aHoverShowsThePage() {
    _ = begin()
    _ = open("/p/a.swift")
    _ = finish(2)
    let at = { (line: Int) in
      #"{"textDocument":{"uri":"file:///p/a.swift"},"position":{"line":\#(line),"character":15}}"#
    }
    #expect(request(9, "textDocument/hover", at(1)).one.contains("**Incorrect"))
    #expect(request(10, "textDocument/hover", at(0)).one.hasSuffix(#""result":null}"#))
    #expect(request(11, "textDocument/hover", "{}").one.contains("-32602"))
  }
}
