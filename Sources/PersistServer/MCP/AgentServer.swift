import PersistPages
import PersistReport

/// A server of the Model Context Protocol: agents lint, read rules, and look at schemas with it.
package struct AgentServer: Server {
  /// Keys with which a client says, in each request, what a handshake said before.
  private static let versionKey = "io.modelcontextprotocol/protocolVersion"
  private static let capabilitiesKey = "io.modelcontextprotocol/clientCapabilities"
  private static let serverKey = "io.modelcontextprotocol/serverInfo"
  /// The code for a revision that isn't spoken.
  private static let unsupportedVersion = -32022

  /// What is being done for a request.
  private struct Call {
    let id: RequestID
    let call: ToolCall
    let version: ProtocolVersion
    let batch: Int?
  }

  /// Answers that go out together, once the last one is there.
  private struct Batch {
    var answers: [JSON] = []
    var waiting = 0
  }

  /// The version of persistlint.
  private let program: String
  /// What the handshake agreed on.
  private var agreed: ProtocolVersion?
  private var calls: [Int: Call] = [:]
  private var batches: [Int: Batch] = [:]
  /// The number of the last job or batch.
  private var number = 0
  private var hasEnded = false

  /// `program` is the version of persistlint.
  package init(program: String) { self.program = program }

  package var wakeTime: Double? { nil }

  package mutating func wake(at now: Double) -> [Effect<ToolCall>] { [] }

  package mutating func receive(_ incoming: Incoming, at now: Double) -> [Effect<ToolCall>] {
    switch incoming {
    case .message(let message): return receive(message, in: nil)
    case .malformed(let id, let failure): return [.send(Outgoing.response(id, failure))]
    case .batch(let parts):
      guard agreed?.hasBatches ?? false else {
        return [
          .send(Outgoing.response(nil, .invalid("a batch of messages; send them one by one")))
        ]
      }
      return receive(batch: parts)
    }
  }

  package mutating func finish(
    _ job: Int, _ outcome: ToolOutcome, at now: Double
  ) -> [Effect<ToolCall>] {
    guard let call = calls.removeValue(forKey: job) else { return [] }
    let answer = Outgoing.response(
      call.id, .success(result(of: outcome, call.call, in: call.version)))
    return deliver(answer, to: call.batch) + exitWhenDone
  }

  /// Answers what was asked for before, and goes.
  package mutating func end() -> [Effect<ToolCall>] {
    hasEnded = true
    return exitWhenDone
  }

  private var exitWhenDone: [Effect<ToolCall>] {
    hasEnded && calls.isEmpty ? [.exit(0)] : []
  }

  // MARK: Messages

  private mutating func receive(batch parts: [Incoming]) -> [Effect<ToolCall>] {
    number += 1
    let batch = number
    batches[batch] = Batch()
    var effects: [Effect<ToolCall>] = []
    for part in parts {
      switch part {
      case .message(let message): effects += receive(message, in: batch)
      case .malformed(let id, let failure):
        batches[batch]?.answers.append(Outgoing.response(id, failure))
      case .batch: continue
      }
    }
    return effects + closeWhenDone(batch)
  }

  private mutating func receive(_ message: Message, in batch: Int?) -> [Effect<ToolCall>] {
    switch message {
    case .request(let id, let method, let parameters):
      do throws(RequestFailure) {
        let version = try version(of: parameters, method)
        guard let answer = try answer(method, parameters, in: version) else {
          return try start(id, parameters, in: version, batch)
        }
        return gather(Outgoing.response(id, .success(stamped(answer, in: version))), in: batch)
      } catch {
        return gather(Outgoing.response(id, error), in: batch)
      }
    case .notification("notifications/cancelled", let parameters):
      return cancel(parameters)
    case .notification, .response: return []
    }
  }

  /// The revision that a request speaks, which the handshake or the request itself says.
  private func version(
    of parameters: JSON, _ method: String
  ) throws(RequestFailure) -> ProtocolVersion {
    if let agreed { return agreed }
    if let meta = parameters["_meta"], let asked = meta[Self.versionKey] {
      guard let asked = asked.string, meta[Self.capabilitiesKey]?.keys != nil else {
        throw .parameters(
          "`_meta` needs the version as a string, and `\(Self.capabilitiesKey)` as an object")
      }
      guard let version = ProtocolVersion(rawValue: asked), version.isStateless else {
        throw RequestFailure(
          code: Self.unsupportedVersion, message: "this revision isn't supported",
          data: [
            "supported": .array(ProtocolVersion.allCases.map { .string($0.rawValue) }),
            "requested": .string(asked),
          ])
      }
      return version
    }
    guard ["initialize", "ping"].contains(method) else {
      throw .parameters("send `initialize` first, or say the revision in `_meta`")
    }
    return .newestWithHandshake
  }

  /// The result of a request that takes no time; nothing for a call of a tool.
  private mutating func answer(
    _ method: String, _ parameters: JSON, in version: ProtocolVersion
  ) throws(RequestFailure) -> JSON? {
    switch method {
    case "initialize" where agreed == nil && !version.isStateless:
      guard let asked = parameters["protocolVersion"]?.string else {
        throw .parameters("`protocolVersion` has to be a string")
      }
      let known = ProtocolVersion(rawValue: asked).flatMap { $0.isStateless ? nil : $0 }
      let version = known ?? .newestWithHandshake
      agreed = version
      return [
        "protocolVersion": .string(version.rawValue), "capabilities": capabilities,
        "serverInfo": serverInfo, "instructions": .string(Self.instructions),
      ]
    case "initialize": throw .invalid("the session has begun already")
    case "ping": return [:]
    case "server/discover" where version.isStateless:
      return [
        "supportedVersions": .array(ProtocolVersion.allCases.map { .string($0.rawValue) }),
        "capabilities": capabilities, "instructions": .string(Self.instructions),
        "ttlMs": .integer(Self.timeToLive), "cacheScope": "public",
      ]
    case "tools/list":
      // No list is cut, so no cursor was ever given away.
      guard parameters["cursor"] == nil else { throw .parameters("there is no such cursor") }
      var result: JSON = ["tools": .array(Tool.all.map { $0.json(in: version) })]
      if version.isStateless {
        result.add("ttlMs", .integer(Self.timeToLive))
        result.add("cacheScope", "public")
      }
      return result
    case "tools/call": return nil
    default: throw .unknown(method)
    }
  }

  /// In milliseconds; the tools stay as they are while the program does.
  private static let timeToLive = 3_600_000

  private var capabilities: JSON { ["tools": ["listChanged": false]] }

  private var serverInfo: JSON {
    ["name": "persistlint", "title": "persistlint", "version": .string(program)]
  }

  /// The result with what the stateless revisions want in each.
  private func stamped(_ result: JSON, in version: ProtocolVersion) -> JSON {
    guard version.isStateless else { return result }
    var result = result
    result.add("resultType", "complete")
    var meta: JSON = [:]
    meta.add(Self.serverKey, serverInfo)
    result.add("_meta", meta)
    return result
  }

  // MARK: Tools

  private mutating func start(
    _ id: RequestID, _ parameters: JSON, in version: ProtocolVersion, _ batch: Int?
  ) throws(RequestFailure) -> [Effect<ToolCall>] {
    guard let name = parameters["name"]?.string else {
      throw .parameters("`name` has to be a string")
    }
    guard let tool = Tool.all.first(where: { $0.name == name }) else {
      throw .parameters("unknown tool: \(name)")
    }
    guard !calls.values.contains(where: { $0.id == id }) else {
      throw .invalid("a request with this id is being answered")
    }
    do throws(ToolArguments.Mistake) {
      let arguments = try ToolArguments(parameters["arguments"] ?? [:], for: tool)
      switch try Asked(tool, arguments) {
      case .page(let value):
        let result = Self.result(value, in: version)
        return gather(Outgoing.response(id, .success(stamped(result, in: version))), in: batch)
      case .call(let call):
        number += 1
        calls[number] = Call(id: id, call: call, version: version, batch: batch)
        if let batch { batches[batch]?.waiting += 1 }
        return [.start(number, call)]
      }
    } catch {
      guard version.tellsModelsOfWrongArguments else { throw .parameters(error.reason) }
      let result = stamped(Self.failure(error.reason), in: version)
      return gather(Outgoing.response(id, .success(result)), in: batch)
    }
  }

  private func result(
    of outcome: ToolOutcome, _ call: ToolCall, in version: ProtocolVersion
  ) -> JSON {
    let result: JSON
    switch outcome {
    case .findings(let report):
      var limit = LintCall().limit
      if case .lint(let call) = call { limit = call.limit }
      result = Self.result(FindingsResult(report: report, limit: limit).json, in: version)
    case .value(let value): result = Self.result(value, in: version)
    case .failure(let reason): result = Self.failure(reason)
    }
    return stamped(result, in: version)
  }

  /// A value as text, and as it is where the protocol has room for it.
  private static func result(_ value: JSON, in version: ProtocolVersion) -> JSON {
    var result: JSON = ["content": [["type": "text", "text": .string(value.line)]]]
    if version.hasStructure { result.add("structuredContent", value) }
    result.add("isError", false)
    return result
  }

  private static func failure(_ reason: String) -> JSON {
    ["content": [["type": "text", "text": .string(reason)]], "isError": true]
  }

  /// Forgets a call; nobody waits for its answer.
  private mutating func cancel(_ parameters: JSON) -> [Effect<ToolCall>] {
    guard let id = RequestID(parameters["requestId"]),
      let (job, call) = calls.first(where: { $0.value.id == id })
    else { return [] }
    calls[job] = nil
    var effects: [Effect<ToolCall>] = [.cancel(job)]
    if let batch = call.batch {
      batches[batch]?.waiting -= 1
      effects += closeWhenDone(batch)
    }
    return effects + exitWhenDone
  }

  // MARK: Batches

  /// Keeps an answer until those of its batch are complete.
  private mutating func gather(_ answer: JSON, in batch: Int?) -> [Effect<ToolCall>] {
    guard let batch else { return [.send(answer)] }
    batches[batch]?.answers.append(answer)
    return []
  }

  private mutating func deliver(_ answer: JSON, to batch: Int?) -> [Effect<ToolCall>] {
    guard let batch else { return [.send(answer)] }
    batches[batch]?.answers.append(answer)
    batches[batch]?.waiting -= 1
    return closeWhenDone(batch)
  }

  private mutating func closeWhenDone(_ number: Int) -> [Effect<ToolCall>] {
    guard let batch = batches[number], batch.waiting == 0 else { return [] }
    batches[number] = nil
    return batch.answers.isEmpty ? [] : [.send(.array(batch.answers))]
  }
}

extension AgentServer {
  /// What an agent is told of persistlint as a whole.
  private static let instructions = """
    persistlint finds bugs in Swift persistence code (SwiftData, Core Data, GRDB, Realm) without a \
    build. After each change of models, schema versions, migrations, containers, contexts or saves, \
    call `lint`; read `explain` before you fix what you don't know. Before you change a model, call \
    `schema`: a frozen version has shipped and must not be edited. Suppress a finding only with \
    `// persistlint:ignore[rule-id] reason`, and only if the reason is true.
    """
}
