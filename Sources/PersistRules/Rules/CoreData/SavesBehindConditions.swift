import PersistFlow
import PersistIndex

/// A save of one context that waits for changes of another.
struct SaveBehindCondition {
  /// The `save` of the context that may have changes of its own.
  let save: Ref
  /// What that context is called there.
  let context: String
  /// The `hasChanges` of the other one.
  let condition: Ref
  let other: String
  /// A change of the context, by code that then calls the function of the save.
  let change: Ref
}

extension Program {
  /// The saves that stand behind `hasChanges` of another context, which is no child of theirs, in
  /// functions that code calls after it has changed something of theirs.
  var savesBehindConditions: [SaveBehindCondition] {
    let saves = facts.contexts.saves.filter { $0.contexts.only != nil }
    return uses(of: ["hasChanges"]).compactMap { use -> SaveBehindCondition? in
      guard !isExempt(use), let function = enclosingFunction(use), let body = body(of: function),
        let asked = facts.contexts.used(at: use).only, !isChild(asked),
        case let all = saves.filter({ contains(body, $0.node) }),
        case let inside = all.filter({ runs($0.node, onlyWhere: use) }),
        inside.contains(where: { $0.contexts.only == asked }),
        let apart = inside.first(where: { $0.contexts.areSurelyOthers(than: asked) }),
        all.filter({ $0.contexts == apart.contexts }).allSatisfy({
          runs($0.node, onlyWhere: use)
        }), let change = change(of: apart.contexts, before: function)
      else { return nil }
      return SaveBehindCondition(
        save: apart.node, context: context(askedBy: apart.node), condition: use,
        other: context(askedBy: use), change: change)
    }
  }

  /// Whether a context may have another one for its parent, which gets what it saves.
  private func isChild(_ context: Owner) -> Bool {
    facts.contexts.hasUnreadLinks
      || facts.contexts.links.contains { !$0.child.areSurelyOthers(than: context) }
  }

  private func context(askedBy member: Ref) -> String {
    let holder = holder(ofMember: member)
    return holder == member ? "the context" : nameText(holder)
  }

  /// A change of a context's objects by a function that then calls another one.
  private func change(of contexts: Contexts, before function: FunctionID) -> Ref? {
    let changes = facts.contexts.changes.filter { $0.contexts == contexts }
    return callers(of: function).lazy.filter { !self.isExempt($0) }.compactMap { call -> Ref? in
      let code = self.closures(around: call).first ?? self.enclosingFunctionBody(call)
      return code.flatMap { code in
        changes.first { self.contains(code, $0.node) && $0.node < call }?.node
      }
    }.first
  }
}
