import PersistIndex
import PersistSyntax

// MARK: - Members and properties that hold lists

extension FailedLists {
  func get(
    _ step: Instruction, _ receiver: Completeness, _ run: LocalRun<FailedLists>
  ) -> Completeness {
    let isSame = Frameworks.sameElements.contains(step.name)
    switch receiver {
    case .list(let call):
      if step.name == Frameworks.emptiness { return .empty(call, true) }
      if Frameworks.ends.contains(step.name) { return .end(call) }
      return isSame || Frameworks.sizes.contains(step.name) ? receiver : .other
    case .present(let call):
      if step.name == Frameworks.emptiness { return .presentEmpty(call) }
      if Frameworks.ends.contains(step.name) { return .presentEnd(call) }
      return isSame || Frameworks.sizes.contains(step.name) ? receiver : .other
    case .part, .leftovers: return isSame ? receiver : .other
    case .tuple(let parts, let labels):
      let names = parts.indices.map { Name(String($0)) }
      let index = labels.firstIndex(of: step.name) ?? names.firstIndex(of: step.name)
      return index.map { parts[$0] } ?? .other
    // What an object has stands for it.
    case .leftover, .handed, .held, .element: return receiver
    default:
      if let own = run.own(step), own != .other { return own }
      let id = program.property(usedBy: run.body.ref(step))
      if let id, isList(program.type(ofProperty: id)), case let kept = kept(id), kept != .other {
        return kept
      }
      guard let id, program.properties[id].isComputed, isList(program.type(ofProperty: id)),
        let getter = flow.facts.getter(of: id)
      else { return Frameworks.ends.contains(step.name) ? .maybe : .other }
      return flow.run(getter)
    }
  }

  /// The list that a stored property holds into which nothing is put beside what it is set to.
  private func kept(_ id: PropertyID) -> Completeness {
    guard let assignments, !program.properties[id].isComputed else { return .other }
    if let known = keptLists[id] { return known }
    let list = listKept(by: id, assignments)
    keptLists[id] = list
    return list
  }

  private func listKept(by id: PropertyID, _ assignments: FailedLists) -> Completeness {
    let uses = program.uses(of: [program.properties[id].name]).filter { use in
      program.property(usedBy: use) == id && !program.isExempt(use)
    }
    let given = uses.filter { program.assignment(toWhatEndsWith: $0) != nil }
      .map { assignments.value(assignedTo: $0) }
    let filled = given.filter { $0 != .nothing }
    guard let first = filled.first, !uses.contains(where: grows),
      case let list = filled.dropFirst().reduce(first, { $0.joined($1) }), case .list = list
    else { return .other }
    return list
  }

  /// What an assignment puts into the property that a use names.
  private func value(assignedTo use: Ref) -> Completeness {
    guard let body = flow.facts.body(around: use, inClosures: false) else { return .other }
    _ = flow.run(body)
    return assigned[use] ?? .other
  }

  /// Whether something is put into the list that a use names.
  private func grows(_ use: Ref) -> Bool {
    guard let chain = program.parent(use) else { return false }
    return program.children(chain).contains {
      $0 > use && Frameworks.growingMethods.contains(program.name($0))
    }
  }

  func isList(_ type: SwiftType) -> Bool {
    switch type {
    case .array, .set, .dictionary, .external("Int", _): true
    case .optional(let inner):
      isList(inner) || program.model(in: inner) != nil || inner.isModelBase
    case .tuple(let parts, _): parts.contains(where: isList)
    default: false
    }
  }
}
