import PersistIndex
import PersistSyntax

/// A child context whose parent is never saved: the change never reaches the disk.
struct ChildContextNotSaved: Rule {
  static let id: RuleID = "child-context-not-saved"

  func check(_ program: Program, into findings: inout Findings) {
    for child in program.savedChildren {
      findings.report(
        .lost(child.name, parent: child.parent), at: child.save,
        related: [.init(child.link, "`\(child.parent)` becomes its parent here")])
    }
    for behind in program.savesBehindConditions {
      findings.report(
        .waits(behind), at: behind.save,
        related: [
          .init(behind.condition, "the save waits for changes in `\(behind.other)`"),
          .init(behind.change, "this changes `\(behind.context)` and then calls the save"),
        ])
    }
  }
}

/// A save of a context whose parent nothing saves.
private struct SavedChild {
  let name: String
  let parent: String
  let link: Ref
  let save: Ref
}

/// A call that saves a context, with what it may save.
private struct ContextSave {
  let call: Ref
  let executors: ContextExecutors
}

extension Program {
  fileprivate var savedChildren: [SavedChild] {
    let links = uses(of: ["parent", "parentContext"]).compactMap {
      use -> (Ref, ContextExecutors, Ref)? in
      guard isAssignmentTarget(use), let chain = parent(use), kind(use) == .member,
        isManagedContext(type(ofChain: chain, upTo: use)),
        let value = valueAssigned(to: use)?.first
      else { return nil }
      return (use, contextExecutors(ofChain: chain, upTo: use), value)
    }
    guard !links.isEmpty else { return [] }
    let saves = contextSaveCalls
    return links.compactMap { use, child, value in
      let parent = contextExecutors(of: value)
      guard let executor = child.only, executor.isPrivate || isMadeForMain(use),
        let above = parent.only,
        above.isPrivate || above == .main,
        let save = saves.first(where: { isSave($0, of: executor, linkedAt: use) }),
        !saves.contains(where: {
          $0.call != save.call && mayReach($0, above, from: executor, linkedAt: use)
        })
      else { return nil }
      let chain = self.parent(use)
      return SavedChild(
        name: chain.flatMap { children($0).first }.map { nameText($0) } ?? "", parent: text(value),
        link: use, save: calledNode(save.call) ?? save.call)
    }
  }

  private var contextSaveCalls: [ContextSave] {
    calls(named: "save").compactMap { call in
      guard let called = calledNode(call), let chain = parent(call) else { return nil }
      guard kind(called) == .member else {
        guard case .functions = callTarget(call) else {
          return ContextSave(call: call, executors: .unknown)
        }
        return nil
      }
      guard isManagedContext(type(ofChain: chain, upTo: called)) else { return nil }
      return ContextSave(
        call: call, executors: fromCallers(contextExecutors(ofChain: chain, upTo: called)))
    }
  }

  /// The local that a chain begins with, where the context in it is made for the main queue and for
  /// this function alone.
  private func isMadeForMain(_ link: Ref) -> Bool { localContext(beginning: link) != nil }

  private func localContext(beginning member: Ref) -> Ref? {
    guard let chain = parent(member), let first = children(chain).first, kind(first) == .name,
      children(chain).count == 2, case .local(let local)? = declared(first),
      kind(local) == .boundName, let binding = parent(local), kind(binding) == .binding,
      let value = child(binding, .expression),
      descendants(value, .call).contains(where: { calledName($0) == "NSManagedObjectContext" })
    else { return nil }
    return local
  }

  /// Whether a call surely saves a child context.
  private func isSave(_ save: ContextSave, of executor: ContextExecutor, linkedAt link: Ref) -> Bool
  {
    guard let local = localContext(beginning: link) else { return save.executors.only == executor }
    return receiverLocal(of: save.call) == local
  }

  private func receiverLocal(of call: Ref) -> Ref? {
    guard let chain = parent(call), let first = children(chain).first, kind(first) == .name,
      case .local(let local)? = declared(first)
    else { return nil }
    return local
  }

  /// Whether a call may save the parent of a child context.
  private func mayReach(
    _ save: ContextSave, _ above: ContextExecutor, from child: ContextExecutor, linkedAt link: Ref
  ) -> Bool {
    if let local = localContext(beginning: link), receiverLocal(of: save.call) == local {
      return false
    }
    if save.executors.known.contains(above) { return true }
    guard save.executors.isOpen else { return false }
    guard let given = parametersSaved(by: save.call) else { return true }
    // What comes in by parameters is what the callers hand over.
    return given.contains { parameter in
      let executors = handedOver(to: parameter)
      return executors.isEmpty
        || executors.contains { $0.isOpen || $0.known.contains(above) || $0.known.contains(child) }
    }
  }

  /// The parameters from which alone the context of a save can come, perhaps as a parent's parent.
  private func parametersSaved(by call: Ref) -> Set<Ref>? {
    guard let chain = parent(call), let first = children(chain).first, kind(first) == .name else {
      return nil
    }
    return parameters(behind: first, [])
  }

  private func parameters(behind name: Ref, _ seen: Set<Ref>) -> Set<Ref>? {
    guard case .local(let local)? = declared(name) else { return nil }
    guard !seen.contains(local) else { return [] }
    guard isWithin(seen.count, .aliases) else { return nil }
    let seen = seen.union([local])
    switch kind(local) {
    case .parameter:
      let holder = parent(local).flatMap { parent($0) }
      return holder.map { kind($0) == .functionDecl } ?? false ? [local] : nil
    case .boundName:
      guard let binder = parent(local), [.binding, .optionalBinding].contains(kind(binder)) else {
        return nil
      }
      var values = child(binder, .expression).map { [$0] } ?? []
      if kind(binder) == .binding {
        values += uses(ofLocal: local).flatMap { valueAssigned(to: $0) ?? [] }
      }
      var found: Set<Ref> = []
      for value in values {
        let chains = kind(value) == .chain ? [value] : children(value, .chain)
        for chain in chains {
          guard let first = children(chain).first, kind(first) == .name,
            children(chain).allSatisfy({ kind($0) != .call }),
            let behind = parameters(behind: first, seen)
          else { return nil }
          found.formUnion(behind)
        }
      }
      return found.isEmpty ? nil : found
    default: return nil
    }
  }

  /// The executors of what each caller hands over for a parameter.
  private func handedOver(to parameter: Ref) -> [ContextExecutors] {
    guard let list = parent(parameter), let declaration = parent(list),
      let id = function(declaredAt: declaration),
      let index = children(list, .parameter).firstIndex(of: parameter)
    else { return [] }
    return callers(of: id).filter { !isExempt($0) }.map { call in
      argument(of: call, for: index, of: functions[id]).map {
        fromCallers(contextExecutors(of: $0))
      }
        ?? .unknown
    }
  }
}

extension Finding.Message {
  fileprivate static func waits(_ behind: SaveBehindCondition) -> Self {
    "changes in `\(behind.context)` alone are lost at the next launch, because the save waits for changes in `\(behind.other)`; move this save out of the condition"
  }

  fileprivate static func lost(_ child: String, parent: String) -> Self {
    "what is saved here is lost at the next launch, because `\(child)` only passes its changes to `\(parent)` and nothing saves `\(parent)`; save the parent too"
  }
}
