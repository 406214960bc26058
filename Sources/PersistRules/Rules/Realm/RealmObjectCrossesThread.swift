import PersistFlow
import PersistIndex
import PersistSyntax

/// A realm or one of its objects is used on the wrong thread: the app crashes.
struct RealmObjectCrossesThread: Rule {
  static let id: RuleID = "realm-object-crosses-thread"
  static let readsFacts = true

  func check(_ program: Program, into findings: inout Findings) {
    guard program.usesRealm else { return }
    var seen: Set<Ref> = []
    for crossing in program.crossings where !program.isExempt(crossing.body) {
      for use in program.realmUses(in: crossing.body, handing: .toFunctions) {
        guard leaves(use, crossing, program), program.isManaged(use, in: crossing.body),
          seen.insert(use.place).inserted
        else { continue }
        findings.report(
          .throwsException(use, crossing.whereabouts), at: use.place,
          related: [.init(use.source, "`\(use.name)` comes from here")])
      }
    }
    for crossing in program.crossings where !program.isExempt(crossing.body) {
      for (call, use) in program.realmUsesOfMethods(
        calledIn: crossing.body, isQueue: crossing.kind.isQueue)
      where leaves(use, crossing, program) && seen.insert(call).inserted {
        findings.report(
          .callsAway(program.nameText(call), use, crossing.whereabouts), at: call,
          related: [.init(use.place, "`\(use.name)` is used here")])
        seen.insert(use.place)
      }
    }
    reportNetworkCallbacks(program, &seen, &findings)
    reportOtherSides(program, &seen, &findings)
    for crossing in program.crossings where !program.isExempt(crossing.body) {
      for addition in program.additions(in: crossing) where seen.insert(addition.place).inserted {
        findings.report(
          .addsElsewhere(addition.name, crossing.whereabouts), at: addition.place,
          related: [.init(addition.later, "`\(addition.name)` is used here")])
      }
    }
    for result in program.realmResultsOfAsyncFunctions where seen.insert(result.place).inserted {
      findings.report(
        .returnsAway(program.functionName(result.function)), at: result.place)
    }
    for call in program.realmsOnConcurrentQueues where seen.insert(call).inserted {
      findings.report(.opensOnConcurrentQueue, at: call)
    }
    for use in program.realmsUsedAfterWait + program.realmObjectsUsedAfterWait
    where seen.insert(use.place).inserted {
      findings.report(
        .changesThread(use.name), at: use.place,
        related: [.init(use.source, "`\(use.name)` is opened here")])
    }
    let told = Set(seen.compactMap { program.enclosingBody($0) })
    var report = OffQueueReport(program)
    for cause in program.offQueueCauses({ $0.owner.framework == .realm })
    where !told.contains(cause.body) { report.report(cause, into: &findings) }
  }

  private func reportNetworkCallbacks(
    _ program: Program, _ seen: inout Set<Ref>, _ findings: inout Findings
  ) {
    for closure in program.networkCallbacks {
      for use in program.realmUses(in: closure)
      where program.property(declaredAt: use.source) == nil && program.isManaged(use, in: closure)
        && seen.insert(use.place).inserted
      {
        findings.report(
          .throwsException(use, "on a queue of the network"), at: use.place,
          related: [.init(use.source, "`\(use.name)` comes from here")])
      }
    }
    for closure in program.networkCallbacks {
      for (call, use) in program.realmUsesOfMethods(calledIn: closure, isQueue: true)
      where use.kind == .realm && seen.insert(call).inserted {
        findings.report(
          .callsAway(program.nameText(call), use, "on a queue of the network"), at: call,
          related: [.init(use.place, "`\(use.name)` is used here")])
        seen.insert(use.place)
      }
    }
  }

  private func reportOtherSides(
    _ program: Program, _ seen: inout Set<Ref>, _ findings: inout Findings
  ) {
    for found in program.realmUsesOnOtherSide where seen.insert(found.use.place).inserted {
      let origin = found.caller.map { Findings.Related($0, "it is handed over here") }
      findings.report(
        .throwsException(found.use, found.isOnMain ? "on the main queue" : "off the main queue"),
        at: found.use.place,
        related: [.init(found.use.source, "`\(found.use.name)` comes from here")]
          + (origin.map { [$0] } ?? []))
    }
  }

  /// Whether a value is made elsewhere than where a crossing's code runs.
  private func leaves(_ use: RealmUse, _ crossing: IsolationCrossing, _ program: Program) -> Bool {
    if crossing.kind == .otherActor {
      return program.property(declaredAt: use.source) == nil
    }
    if crossing.kind == .plainTask, crossing.origin == .contextQueue { return false }
    guard let queue = program.queue(of: crossing.body) else { return true }
    let assigned = program.property(declaredAt: use.source).map { program.assignedValues(of: $0) }
    return !([use.source] + (assigned ?? [])).contains { place in
      program.ancestors(place).contains { scope in
        program.kind(scope) == .closure && program.queue(of: scope) == queue
      }
    }
  }
}

extension Program {
  /// What a closure is handed to, as it is written without `self`; nil for what is no queue.
  fileprivate func queue(of closure: Ref) -> [Name]? {
    guard let (call, _) = callTaking(closure), ["async", "sync"].contains(calledName(call)),
      let called = calledNode(call)
    else { return nil }
    return tokens(ofPath: callee(call).filter { $0 < called })
  }

  /// The calls in a crossing of methods of the same type that use a realm or its objects that the
  /// type holds.
  fileprivate func realmUsesOfMethods(
    calledIn body: Ref, isQueue: Bool
  ) -> [(call: Ref, use: RealmUse)] {
    descendants(body, .call).compactMap { call in
      guard let place = calledNode(call), !isAway(call, from: body),
        let use = heldUse(calledBy: call, isQueue: isQueue, depth: 0)
      else { return nil }
      return (place, use)
    }
  }

  private func heldUse(
    calledBy call: Ref, isQueue: Bool, depth: Int
  ) -> RealmUse? {
    let called = functions(calledBy: call)
    guard called.count == 1, let id = called.first, let owner = functions[id].owner,
      enclosingType(call) == owner, !functions[id].isAsync, isWithin(depth, .ownCalls),
      !isolation(ofFunction: id).isActor || isQueue && !isAwaited(call),
      let body = body(of: id)
    else { return nil }
    let own = realmUses(in: functions[id].ref).first { use in
      guard isHeld(use, by: owner) else { return false }
      return isManaged(use, in: functions[id].ref)
    }
    if let own { return own }
    return descendants(body, .call).lazy.filter { !self.isAway($0, from: body) }
      .compactMap { self.heldUse(calledBy: $0, isQueue: isQueue, depth: depth + 1) }.first
  }

  /// Whether a type holds a value itself, or in what it has for good.
  private func isHeld(_ use: RealmUse, by owner: TypeID) -> Bool {
    guard let held = property(declaredAt: use.source) else { return false }
    if properties[held].owner == owner { return true }
    guard let chain = parent(use.place), kind(chain) == .chain,
      let first = children(chain).first(where: { nameText($0) != "self" }),
      let id = property(usedBy: first), properties[id].owner == owner
    else { return false }
    return properties[id].isLet && properties[id].initializer == nil
  }

  /// The queues that realms are opened for and that run several closures at once, in source order.
  fileprivate var realmsOnConcurrentQueues: [Ref] {
    calls(named: "Realm").compactMap { call in
      guard case .externalInitializer = callTarget(call), !isExempt(call),
        let queue = argument(call, "queue"), isConcurrentQueue(queue, depth: 0)
      else { return nil }
      return queue
    }
  }

  private func isConcurrentQueue(_ value: Ref, depth: Int) -> Bool {
    guard isWithin(depth, .queueNames),
      let chain = kind(value) == .chain ? value : child(value, .chain),
      let head = children(chain).first, let last = children(chain).last
    else { return false }
    if kind(last) == .call {
      if calledName(last) == "DispatchQueue" {
        return argument(last, "attributes").map { names("concurrent", in: $0) } ?? false
      }
      return calledName(last) == "global" && nameText(head) == "DispatchQueue"
    }
    if case .local(let local)? = declared(head), children(chain).count == 1,
      kind(local) == .boundName, let binding = parent(local),
      let given = child(binding, .expression)
    {
      return isConcurrentQueue(given, depth: depth + 1)
    }
    guard let id = property(usedBy: last), properties[id].isLet,
      let given = properties[id].initializer
    else { return false }
    return isConcurrentQueue(
      Ref(file: Int(properties[id].ref.file), node: given), depth: depth + 1)
  }

  /// The realms that a function without isolation opens and uses again after it has waited.
  fileprivate var realmsUsedAfterWait: [RealmUse] {
    calls(named: "Realm").compactMap { call in
      guard case .externalInitializer = callTarget(call), !isExempt(call),
        argument(call, "queue") == nil, argument(call, "actor") == nil,
        let chain = parent(call), children(chain).last == call,
        let expression = parent(chain), let binding = parent(expression),
        kind(binding) == .binding, let local = child(binding, .boundName),
        let owner = enclosingBody(call), runsOnAnyThread(owner)
      else { return nil }
      let uses = uses(ofLocal: local).filter { staysOnTurn($0, of: owner) }
      let waits = descendants(owner, .awaitMark).filter {
        enclosingBody($0) == owner && $0 > expression
      }
      guard
        let use = uses.first(where: { use in
          waits.contains { wait in
            wait < use && statement(around: wait) != statement(around: use)
              && isPassed(wait, before: use)
          }
        })
      else { return nil }
      return RealmUse(place: use, name: nameText(local), kind: .realm, source: local)
    }
  }
}

extension IsolationCrossing.Kind {
  /// Whether a queue runs the closure, which can't wait.
  fileprivate var isQueue: Bool {
    switch self {
    case .globalQueue, .privateQueue, .operationQueue: true
    default: false
    }
  }
}

extension Finding.Message {
  fileprivate static func addsElsewhere(_ name: String, _ whereabouts: String) -> Self {
    """
    the app crashes (Realm accessed from incorrect thread), because `\(name)` is added to a realm \
    here, \(whereabouts), and the code around still uses it on its own thread; create and add the \
    object in one place
    """
  }

  fileprivate static func returnsAway(_ function: String) -> Self {
    """
    the app crashes (Realm accessed from incorrect thread) where the result of `\(function)` is \
    used, because the object belongs to the thread on which this async function happened to run; \
    return plain values or a frozen object (`freeze()`), or isolate the function to an actor
    """
  }

  fileprivate static func throwsException(_ use: RealmUse, _ whereabouts: String) -> Self {
    let advice =
      use.kind == .realm
      ? "open a realm inside"
      : "read the values first, `freeze()` the object, or find it by its primary key in a realm opened inside"
    return """
      the app crashes here (Realm accessed from incorrect thread), because `\(use.name)` belongs \
      to the thread on which it was opened and this runs \(whereabouts); \(advice)
      """
  }

  fileprivate static func callsAway(
    _ method: String, _ use: RealmUse, _ whereabouts: String
  ) -> Self {
    """
    the app crashes here (Realm accessed from incorrect thread), because `\(method)` uses \
    `\(use.name)` and this runs \(whereabouts), not on the thread that opened `\(use.name)`; open \
    a realm in `\(method)`, or call it on that thread
    """
  }

  fileprivate static let opensOnConcurrentQueue: Self = """
    the app crashes here (Realm accessed from incorrect thread), because a realm belongs to one \
    thread at a time and this queue uses several; give it a serial queue
    """

  fileprivate static func changesThread(_ name: String) -> Self {
    """
    the app crashes here (Realm accessed from incorrect thread), because after the `await` the \
    function continues on another thread than the one that opened `\(name)`; open the realm with \
    `actor:`, or again after the `await`
    """
  }
}
