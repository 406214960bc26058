import PersistIndex
import PersistSyntax

// MARK: - What calls do to objects

extension LifeWalk {
  /// Takes over what a call does: a deletion, a save, a reset, or a function of the sources that
  /// does so.
  func apply(call: Ref, in parts: [Ref], _ state: inout LifeState) {
    let name = program.calledName(call)
    if name == "forEach" { deleteEach(call, parts, state: &state) }
    switch program.callTarget(call) {
    case .externalMethod(let receiver, _) where program.isContext(receiver):
      applyContext(name, call, &state)
    case .unknownMethod, .unknown:
      if name == "delete" || name == "save" { applyContext(name, call, &state) }
    case .functions(let candidates), .initializer(_, let candidates):
      applyFunctions(candidates, call, parts, &state)
    default: break
    }
    lookByIdentifier(call, name, &state)
  }

  /// `trips.forEach(context.delete)`
  private func deleteEach(_ call: Ref, _ parts: [Ref], state: inout LifeState) {
    guard let argument = program.arguments(call).first, let chain = program.chainParts(argument),
      let last = chain.last, program.nameText(last) == "delete", let outer = program.parent(last),
      program.isContext(program.type(ofChain: outer, upTo: last)),
      let place = parts.firstIndex(of: call), place > 1,
      let whole = resolve(Array(parts[..<(place - 1)]), &state, onStep: nil),
      objects[whole].isCollection
    else { return }
    state.ends[whole] = LifeEnd(deletion: call, context: nil)
  }

  private func applyContext(_ name: Name, _ call: Ref, _ state: inout LifeState) {
    switch name {
    case "delete":
      guard let argument = program.arguments(call).first, program.kind(argument) == .argument else {
        return
      }
      if program.label(argument) == "model" {
        wipe(argument, call, &state)
      } else if let object = object(of: argument, state) {
        state.ends[object] = LifeEnd(deletion: call, context: context(of: call))
      } else {
        deleteFresh(argument, call, &state)
      }
    case "save":
      guard program.arguments(call).isEmpty, program.savesContext(call) else { return }
      save(at: call, context: context(of: call), &state)
    case "insert":
      guard let argument = program.arguments(call).first,
        let object = object(of: argument, state)
      else { return }
      state.ends[object] = nil
    case "reset":
      guard program.arguments(call).isEmpty, let path = program.contextPath(ofMethod: call) else {
        return
      }
      for object in Set(state.objects.values)
      where object >= 0 && objects[object].context == path {
        state.ends[object] = LifeEnd(deletion: call, context: nil, save: call)
      }
    case "rollback", "undo":
      state.ends = state.ends.filter { $0.value.save != nil }
    default: break
    }
  }

  /// A variable that is met first where it is deleted.
  private func deleteFresh(_ argument: Ref, _ call: Ref, _ state: inout LifeState) {
    guard let parts = program.chainParts(argument), let variable = variable(ofWhole: parts),
      let object = held(variable, at: call, &state)
    else { return }
    state.ends[object] = LifeEnd(deletion: call, context: context(of: call))
  }

  /// `delete(model:)` without a predicate.
  private func wipe(_ argument: Ref, _ call: Ref, _ state: inout LifeState) {
    guard program.argument(call, "where") == nil,
      case .metatype(.declared(let type, _)) = program.type(of: argument)
    else { return }
    let model = program.resolveAlias(type)
    for object in Set(state.objects.values)
    where object >= 0 && objects[object].model == model && !objects[object].isMade {
      state.ends[object] = LifeEnd(deletion: call, context: context(of: call))
    }
  }

  /// The context whose method a call is.
  private func context(of call: Ref) -> LifeVariable? {
    let parts = program.callee(call).dropLast().filter {
      ![.optionalChain, .force].contains(program.kind($0))
    }
    guard let first = parts.first, program.kind(first) == .name else { return nil }
    if parts.count == 1 {
      switch program.declared(first) {
      case .local(let local): return .local(local)
      case .property(let id): return .property(id)
      default: return nil
      }
    }
    guard parts.count == 2, program.nameText(first) == "self" else { return nil }
    return program.property(usedBy: parts[1]).map { .property($0) }
  }

  func save(at call: Ref, context: LifeVariable?, _ state: inout LifeState) {
    for (object, end) in state.ends where end.save == nil {
      if let mine = end.context, let other = context, mine != other, areApart(mine, other) {
        continue
      }
      state.ends[object]?.save = call
    }
  }

  /// Whether two variables surely hold different contexts: one of them was made here.
  private func areApart(_ one: LifeVariable, _ other: LifeVariable) -> Bool {
    [one, other].contains { variable in
      guard case .local(let local) = variable, let binding = program.parent(local),
        let value = program.child(binding, .expression), let last = program.chainParts(value)?.last,
        program.kind(last) == .call
      else { return false }
      return ["ModelContext", "NSManagedObjectContext", "newBackgroundContext"].contains(
        program.calledText(last))
    }
  }

  /// `context.registeredModel(for: trip.persistentModelID)` asks whether the trip is still there.
  private func lookByIdentifier(_ call: Ref, _ name: Name, _ state: inout LifeState) {
    guard name.isFetch || name == "fetchCount" else { return }
    for chain in program.descendants(call, .chain) {
      let parts = program.children(chain)
      guard let last = parts.last,
        ["persistentModelID", "objectID", "id"].contains(program.nameText(last)),
        let object = resolve(Array(parts.dropLast()), &state, onStep: nil)
      else { continue }
      state.suspensions[object] = nil
    }
  }

  // MARK: Functions of the sources

  private func applyFunctions(
    _ candidates: [FunctionID], _ call: Ref, _ parts: [Ref], _ state: inout LifeState
  ) {
    let found = candidates.map { summaries.summary(of: $0) }
    guard let summary = found.first, found.allSatisfy({ $0 == summary }) else {
      dropProperties(&state)
      return
    }
    if summary.changesProperties { dropProperties(&state) }
    guard candidates.count == 1, !summary.isEmpty else { return }
    let function = program.functions[candidates[0]]
    for (index, fate) in summary.parameters.sorted(by: { $0.key < $1.key }) {
      guard let argument = program.argument(of: call, for: index, of: function),
        let object = object(of: argument, state)
      else { continue }
      state.ends[object] = LifeEnd(
        deletion: call, context: nil, save: fate == .saved ? call : nil)
    }
    if let fate = summary.own, let place = parts.firstIndex(of: call), place > 1,
      let object = resolve(Array(parts[..<(place - 1)]), &state, onStep: nil)
    {
      state.ends[object] = LifeEnd(
        deletion: call, context: nil, save: fate == .saved ? call : nil)
    }
    if summary.saves { save(at: call, context: nil, &state) }
  }

  /// A function that may change properties leaves nothing certain of what they hold.
  private func dropProperties(_ state: inout LifeState) {
    for variable in state.objects.keys {
      if case .property(let id) = variable, !program.properties[id].isLet {
        state.objects[variable] = nil
      }
    }
  }
}
