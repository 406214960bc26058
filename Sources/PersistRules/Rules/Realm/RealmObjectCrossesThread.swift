import PersistIndex
import PersistSyntax

/// A realm or one of its objects is used on a thread that it doesn't belong to: the app ends.
struct RealmObjectCrossesThread: Rule {
  static let id: RuleID = "realm-object-crosses-thread"

  func check(_ program: Program, into findings: inout Findings) {
    guard program.usesRealm else { return }
    var seen: Set<Ref> = []
    for crossing in program.crossings where !program.isSilent(crossing.body) {
      for use in program.realmUses(in: crossing.body) {
        guard leaves(use, crossing, program), program.isManaged(use),
          seen.insert(use.place).inserted
        else { continue }
        findings.report(
          .throwsException(use, crossing), at: use.place,
          related: [.init(use.source, "`\(use.name)` comes from here")])
      }
    }
    for use in program.realmsUsedAfterWait where seen.insert(use.place).inserted {
      findings.report(
        .changesThread(use.name), at: use.place,
        related: [.init(use.source, "`\(use.name)` is opened here")])
    }
  }

  /// Whether a value is made elsewhere than where a crossing's code runs.
  private func leaves(_ use: RealmUse, _ crossing: Crossing, _ program: Program) -> Bool {
    if crossing.kind == .otherActor {
      return program.property(declaredAt: use.source) == nil
    }
    if crossing.kind == .plainTask, crossing.home == .contextQueue { return false }
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
  fileprivate func queue(of closure: Ref) -> String? {
    guard let (call, _) = callTaking(closure), ["async", "sync"].contains(calledName(call)),
      let called = calledNode(call)
    else { return nil }
    let words = callee(call).filter { $0 < called }.map { text($0) }
    return words.joined().replacing("self.", with: "").replacing("self", with: "")
      .trimmingPrefix(".").description
  }

  /// The realms that a function without isolation opens and uses again after it has waited.
  fileprivate var realmsUsedAfterWait: [RealmUse] {
    calls(named: "Realm").compactMap { call in
      guard case .externalInitializer = callTarget(call), !isSilent(call),
        argument(call, "queue") == nil, argument(call, "actor") == nil,
        let chain = parent(call), let expression = parent(chain), let binding = parent(expression),
        kind(binding) == .binding, let local = child(binding, .boundName),
        let owner = enclosingBody(call), kind(owner) == .functionDecl,
        let id = function(declaredAt: owner), functions[id].isAsync,
        isolation(ofFunction: id) == .concurrent
      else { return nil }
      let uses = uses(ofLocal: local).filter { enclosingBody($0) == owner }
      let waits = descendants(owner, .awaitMark).filter {
        enclosingBody($0) == owner && $0 > expression
      }
      guard
        let use = uses.first(where: { use in
          waits.contains { $0 < use && statement(around: $0) != statement(around: use) }
        })
      else { return nil }
      return RealmUse(place: use, name: nameText(local), kind: .realm, source: local)
    }
  }
}

extension Finding.Message {
  fileprivate static func throwsException(_ use: RealmUse, _ crossing: Crossing) -> Self {
    let advice =
      use.kind == .realm
      ? "open a realm inside"
      : "take the values out before, `freeze()` it, or find it by its primary key in a realm opened inside"
    return """
      the app ends here (Realm accessed from incorrect thread), because `\(use.name)` belongs to the \
      thread that it was opened on and this runs \(crossing.whereabouts); \(advice)
      """
  }

  fileprivate static func changesThread(_ name: String) -> Self {
    """
    the app ends here (Realm accessed from incorrect thread), because after the `await` the function \
    goes on another thread than the one on which `\(name)` was opened; open it with `actor:`, or \
    again after the wait
    """
  }
}
