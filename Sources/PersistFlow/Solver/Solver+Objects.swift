import PersistIndex
import PersistSyntax

// MARK: - Bodies whose objects are told apart

extension Solver {
  /// How often what a call does may change before it is no longer certain.
  private static let mostChanges = 40

  /// Begins a body whose objects are told apart: what comes in is named where it is asked for.
  func addTracked(_ body: BodyID) {
    let code = bodies[body]
    addRoot(
      InstanceKey(
        body: body, receiver: code.owner.map { receiver(of: code, $0) } ?? OriginTable.unknown,
        arguments: Array(repeating: OriginTable.unknown, count: code.parameterCount),
        captures: [], executor: .unknown))
  }

  private func receiver(of code: Body, _ owner: TypeID) -> OriginsID {
    let isModel = facts.isModel(owner)
    let shared = facts.framework(ofAny: .declared(owner, []))
    guard let framework = isModel ? facts.framework(of: owner) : shared, !code.isStatic else {
      return facts.receiver(of: code, owner, table)
    }
    return table.one(
      .token(
        Token(
          site: .parameter(code.place, -1), framework: framework,
          model: isModel ? program.resolveAlias(owner) : nil)))
  }

  /// Whether running a body can matter for objects: it deletes some, gets what is gone, may save
  /// what was deleted, or hands on what it gets.
  func isWanted(
    tracking key: InstanceKey, from caller: InstanceID, holdsGone: Bool, isPending: Bool
  ) -> Bool {
    if holdsGone || isPending || relevance.contains(key.body) { return true }
    if key.captures.dropFirst().contains(where: table.holdsTokens) { return true }
    if key.arguments.contains(where: deletesCaptured) || facts.handsOutCode(key.body) {
      return true
    }
    let carries =
      table.holdsTokens(key.receiver) || key.arguments.contains(where: table.holdsTokens)
    if carries, bodies[key.body].kind == .initializer || facts.mayHandOn(key.body) { return true }
    if facts.returnsContext(key.body) || facts.returnsNewModel(key.body) { return true }
    noteUnwanted(key.body, by: caller)
    for argument in key.arguments {
      for case .closure(let code, _) in table.members(argument) {
        noteUnwanted(code, by: caller)
      }
    }
    return false
  }

  /// Notes who has called a body that didn't matter.
  func noteUnwanted(_ body: BodyID, by caller: InstanceID) {
    var callers = unwanted[body] ?? FewNumbers()
    unwanted[body] = nil
    callers.insert(caller)
    unwanted[body] = callers
  }

  /// Whether an instance runs where something was deleted that nothing has saved yet.
  func mayFollowDeletion(_ id: InstanceID) -> Bool { followingDeletions.contains(id) }

  /// Has an instance look into all that may save what was deleted before it.
  func noteDeletion(before id: InstanceID) {
    if followingDeletions.insert(id) { wait(id) }
  }

  /// Whether a value is code that deletes and has taken objects along.
  private func deletesCaptured(_ set: OriginsID) -> Bool {
    guard table.holdsTokens(set) else { return false }
    return table.members(set).contains { origin in
      guard case .closure(let code, let captures) = origin else { return false }
      return relevance.deleting.contains(code) && captures.contains(where: table.holdsTokens)
    }
  }

  /// Takes in what a run does to objects.
  func finish(tracking run: Run, _ known: Instance) {
    known.goneReads = run.goneReads
    var effects = run.effects
    for (id, set) in run.finalState?.objects ?? [:] {
      guard case .token(let token) = table[origin: id], case .given = token.site else { continue }
      effects.objects[id] = set
    }
    effects.inserted = (run.finalState?.inserted ?? []).filter { id in
      if case .token(let token) = table[origin: id] { token.comesIn } else { false }
    }
    effects.wiped = run.finalState?.wiped ?? [:]
    effects.reset = run.finalState?.reset ?? [:]
    effects.saved = run.finalState?.saved
    effects.deletes =
      !effects.wiped.isEmpty || !effects.reset.isEmpty
      || (run.finalState?.objects ?? [:]).contains { id, set in
        guard case .token(let token) = table[origin: id], token.comesIn else { return false }
        return table.members(set).contains { if case .gone = $0 { true } else { false } }
      }
    if bodies[run.key.body].kind == .initializer {
      let own = table[run.key.receiver].known.first.map {
        table[table.one(table[origin: $0].anywhere)].known.first
      }
      for (key, value) in run.finalState?.fields ?? [:]
      where key.origin == own && table.holdsTokens(value) {
        effects.fields[key.property] = value
      }
    }
    guard effects != known.effects else { return }
    known.changes += 1
    guard known.changes <= Self.mostChanges else {
      // What goes round in a circle leaves nothing certain.
      known.effects = Effects()
      return
    }
    known.effects = effects
    for caller in known.callers.all { wait(caller) }
  }
}
