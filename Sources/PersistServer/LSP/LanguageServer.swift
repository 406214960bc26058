import PersistReport

/// A server of the Language Server Protocol 3.17: diagnostics, hovers and code actions for editors.
///
/// A root is looked at whole when it is opened, when a file is saved or changes on disk, and when
/// the typing pauses.
package struct LanguageServer: Server {
  /// How long nothing may be typed before the text is looked at, in seconds.
  package static let pause = 0.3
  /// How long a look may take before the editor shows its progress, in seconds.
  static let patience = 0.5

  enum Phase: Sendable { case new, running, stopped }

  /// A request whose answer needs findings that aren't there yet.
  struct Waiting: Sendable {
    let id: RequestID
    let question: Question
    let path: String
  }

  enum Question: Sendable {
    case hover(TextPosition)
    case actions(TextPosition, TextPosition)
  }

  /// The version of persistlint.
  let program: String
  let surroundings: Surroundings
  var phase = Phase.new
  var client = ClientCapabilities()
  var roots: [Root] = []
  /// The files that are open, by resolved paths.
  var documents: [String: TextDocument] = [:]
  /// What the editor shows, by URI: the diagnostics, and of which version of the text.
  var published: [String: (line: String, version: Int?)] = [:]
  var waiting: [Waiting] = []
  /// The number of the last job or request.
  var number = 0
  /// What the editor was asked, by the number of the request.
  var asked: [Int: String] = [:]

  /// `program` is the version of persistlint.
  package init(program: String, surroundings: Surroundings) {
    self.program = program
    self.surroundings = surroundings
  }

  package var wakeTime: Double? {
    roots.flatMap { root in
      let slow = root.job.flatMap { job in
        client.showsProgress && job.progress == .none ? job.start + Self.patience : nil
      }
      return [root.due, slow].compactMap { $0 }
    }.min()
  }

  package mutating func receive(
    _ incoming: Incoming, at now: Double
  ) -> [Effect<AnalysisRequest>] {
    switch incoming {
    case .malformed(let id, let failure): return [.send(Outgoing.response(id, failure))]
    case .batch(let parts): return parts.flatMap { receive($0, at: now) }
    case .message(.request(let id, let method, let parameters)):
      return receive(id, method, parameters, at: now)
    case .message(.notification(let method, let parameters)):
      return receive(method, parameters, at: now)
    case .message(.response(let id, let result)): return receive(id, result)
    }
  }

  /// Ends at once: an editor that is gone can't show anything.
  package mutating func end() -> [Effect<AnalysisRequest>] {
    [.exit(phase == .stopped ? 0 : 1)]
  }

  private mutating func receive(
    _ id: RequestID, _ method: String, _ parameters: JSON, at now: Double
  ) -> [Effect<AnalysisRequest>] {
    func answer(_ result: JSON) -> [Effect<AnalysisRequest>] {
      [.send(Outgoing.response(id, .success(result)))]
    }
    func refuse(_ failure: RequestFailure) -> [Effect<AnalysisRequest>] {
      [.send(Outgoing.response(id, failure))]
    }
    switch (phase, method) {
    case (.new, "initialize"): return answer(initialize(parameters))
    case (.new, _):
      return refuse(RequestFailure(code: -32002, message: "the server isn't initialized"))
    case (.stopped, _): return refuse(.invalid("the server has shut down"))
    case (.running, "initialize"): return refuse(.invalid("the server is initialized already"))
    case (.running, "shutdown"):
      phase = .stopped
      let left = waiting.map { Self.cancelled($0.id) }
      waiting = []
      return left + stopAll() + answer(.null)
    case (.running, "textDocument/hover"):
      guard let position = TextPosition(parameters["position"]) else {
        return refuse(.parameters("`position` is missing"))
      }
      return ask(.hover(position), id, parameters, at: now)
    case (.running, "textDocument/codeAction"):
      guard let start = TextPosition(parameters["range"]?["start"]),
        let end = TextPosition(parameters["range"]?["end"])
      else { return refuse(.parameters("`range` is missing")) }
      guard client.takesCodeActions, Self.wantsFixes(parameters["context"]) else {
        return answer([])
      }
      return ask(.actions(start, end), id, parameters, at: now)
    case (.running, _): return refuse(.unknown(method))
    }
  }

  private mutating func receive(
    _ method: String, _ parameters: JSON, at now: Double
  ) -> [Effect<AnalysisRequest>] {
    if method == "exit" { return [.exit(phase == .stopped ? 0 : 1)] }
    guard phase == .running else { return [] }
    switch method {
    case "initialized": return begin(at: now)
    case "textDocument/didOpen": return open(parameters, at: now)
    case "textDocument/didChange": return change(parameters, at: now)
    case "textDocument/didSave": return save(parameters, at: now)
    case "textDocument/didClose": return close(parameters, at: now)
    case "workspace/didChangeWatchedFiles": return changedOutside(parameters, at: now)
    case "workspace/didChangeWorkspaceFolders": return changeFolders(parameters, at: now)
    case "workspace/didChangeConfiguration":
      for index in roots.indices { touch(index, at: now) }
      return startDue(at: now)
    case "$/cancelRequest":
      guard let id = RequestID(parameters["id"]),
        let index = waiting.firstIndex(where: { $0.id == id })
      else { return [] }
      waiting.remove(at: index)
      return [Self.cancelled(id)]
    default: return []
    }
  }

  private mutating func receive(
    _ id: RequestID, _ result: Result<JSON, RequestFailure>
  ) -> [Effect<AnalysisRequest>] {
    guard case .integer(let number) = id, let token = asked.removeValue(forKey: number),
      case .success = result
    else { return [] }
    return showProgress(token)
  }

  /// Whether a context of code actions asks for quick fixes, or for everything.
  private static func wantsFixes(_ context: JSON?) -> Bool {
    guard let only = context?["only"]?.array else { return true }
    return only.contains { $0.string == "quickfix" || $0.string == "" }
  }

  private static func cancelled(_ id: RequestID) -> Effect<AnalysisRequest> {
    .send(Outgoing.response(id, RequestFailure(code: -32800, message: "cancelled")))
  }
}
