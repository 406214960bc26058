import PersistFlow
import PersistIndex
import PersistSyntax

/// A context used apart from its actor or queue: the app crashes or loses what it saves.
struct ContextCapturedInDetachedTask: Rule {
  static let id: RuleID = "context-captured-in-detached-task"
  static let readsFacts = true

  func check(_ program: Program, into findings: inout Findings) {
    var seen: Set<Ref> = []
    var closures: Set<Ref> = []
    for crossing in program.crossings
    where crossing.kind != .plainTask
      || crossing.origin != .contextQueue && !program.isCompiledAsSwift6(crossing.body)
    {
      for capture in program.captures(of: crossing)
      where program.isContext(capture.type) && !isJudgedByItsQueue(capture.uses[0], program) {
        let uses = capture.uses.filter { seen.insert($0.place).inserted }
        guard !program.isMadeInside(capture),
          let use = uses.first(where: { isUsed($0, in: capture, program) })
        else { continue }
        findings.report(
          .uses(capture, isCoreData: !capture.type.isExternal("ModelContext")), at: use.place,
          related: [.init(capture.source, "`\(capture.value)` comes from here")])
        closures.insert(crossing.body)
      }
      let calls = program.ownCalls(in: crossing)
      // What a method does with objects is told as a use of the objects.
      seen.formUnion(calls.filter { program.model(in: $0.use.type) != nil }.map(\.place))
      for call in calls
      where program.isContext(call.use.type) && !isJudgedByItsQueue(call.use, program)
        && seen.insert(call.place).inserted
      {
        findings.report(
          .calls(call.method, using: call.use.value, crossing), at: call.place,
          related: [.init(call.use.place, "`\(call.use.value)` is used here")])
        closures.insert(crossing.body)
      }
    }
    reportViewContexts(program, except: seen, closures, &findings)
    for leak in program.databaseLeaks {
      findings.report(
        .leaves(leak), at: leak.place,
        related: [.init(leak.source, "it is valid only in this access")])
    }
    let causes = program.offQueueCauses {
      $0.kind == .context && $0.owner.framework != .realm
        && ($0.owner.framework == .swiftData || $0.owner.home != .own && !$0.executor.isInPerform)
    }
    for cause in causes { findings.report(cause) }
  }

  /// Reports contexts of the main queue that closures and functions use on other queues.
  private func reportViewContexts(
    _ program: Program, except seen: Set<Ref>, _ closures: Set<Ref>, _ findings: inout Findings
  ) {
    for use in program.misplacedUses where use.isMainCaptured && !seen.contains(use.place) {
      if let closure = use.closure, closures.contains(closure) { continue }
      let source = Findings.Related(use.source, "`\(use.value)` comes from here")
      guard case .call(let function) = use.reason else {
        findings.report(
          use.model.map { .usesMain(use.value, of: program.modelName($0)) }
            ?? .usesMain(use.value), at: use.place, related: [source])
        continue
      }
      let context =
        use.model == nil ? "the context `\(use.value)`" : "the context of `\(use.value)`"
      findings.report(
        .callsMain(function, using: context), at: use.place,
        related: [.init(use.touched, "`\(use.value)` is used here"), source])
    }
  }

  /// A background context of Core Data is right on any thread inside `perform`, and on none
  /// without: `managed-object-outside-context` says so.
  private func isJudgedByItsQueue(_ use: ValueUse, _ program: Program) -> Bool {
    !use.type.isExternal("ModelContext") && program.isPrivateContext(use)
  }

  private func isUsed(_ use: ValueUse, in capture: Capture, _ program: Program) -> Bool {
    switch use.action {
    case .reads, .sets, .calls: return true
    case .mentions: return false
    case .passes(let call, let argument):
      return program.argumentEscape(
        of: use.type, to: argument, of: call, from: capture.crossing.origin) == .escapes
    }
  }
}

extension Finding.Message {
  fileprivate static func uses(_ capture: Capture, isCoreData: Bool) -> Self {
    let advice =
      isCoreData
      ? "call `\(capture.value).perform { … }`, or create a background context"
      : "create a `ModelContext(container)` inside, or use a model actor"
    return
      "the app can crash or lose data here, because the context `\(capture.value)` is used \(capture.crossing.whereabouts), away from its own actor or queue; \(advice)"
  }

  fileprivate static func calls(
    _ method: String, using value: String, _ crossing: IsolationCrossing
  )
    -> Self
  {
    "the app can crash or lose data here, because `\(method)` uses the context `\(value)` and runs \(crossing.whereabouts), away from the context's own actor or queue; create a context inside"
  }

  fileprivate static func usesMain(_ value: String) -> Self {
    "the app can crash or lose data here, because the context `\(value)` belongs to the main queue and is used on another queue; move this into `\(value).perform { … }`"
  }

  fileprivate static func usesMain(_ value: String, of model: String) -> Self {
    "the app can crash here, because `\(value)` (\(model)) belongs to the main queue's context and is used on another queue; read the values first, or pass the `objectID`"
  }

  fileprivate static func callsMain(_ function: String, using context: String) -> Self {
    "the app can crash or lose data here, because `\(function)` uses \(context) on a queue other than the main queue; use `perform` in `\(function)`, or call the function on the main queue"
  }

  fileprivate static func leaves(_ leak: DatabaseLeak) -> Self {
    let when =
      leak.way == .later
      ? "this runs after that access has ended"
      : "the code here keeps the value longer"
    return """
      the app crashes here (Database was not used on the correct thread), because `\(leak.name)` \
      is valid only during one access of the database, and \(when); do the work inside, or start a \
      new access
      """
  }
}
