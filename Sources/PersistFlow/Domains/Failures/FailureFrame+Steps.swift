import PersistIndex
import PersistSyntax

// MARK: - What steps do with what shows a failure

extension FailureFrame {
  func take(_ value: Value) -> FailureMark {
    let step = body.steps[Int(value)]
    failing = nil
    let operands = body.operands(of: step).map { mark($0) }
    if step.operation != .store, operands.contains(where: \.tells) { run.isHeard = true }
    let node = body.ref(step)
    if isLast, hands(step, operands) { run.outcome.isHanded = true }
    if step.operation != .call, let seeded = seeded(step, node) { return seeded }
    switch step.operation {
    case .parameter: return parameter(step)
    case .capture:
      let number = body.locals.count + Int(step.index)
      return locals.indices.contains(number) ? locals[number] : .other
    case .load: return locals[Int(step.index)]
    case .store: return store(step, operands[0], node)
    case .literal: return literal(step)
    case .none: return none(node)
    case .caught: return state.isThrown ? .shows(.error, state.traits) : .other
    case .array, .dictionary: return operands.isEmpty ? .empty : .other
    case .receiverAfter: return receiverAfter(step)
    case .setElement: return grown(operands[0])
    case .getElement: return operands.first?.element ?? .other
    case .next: return operands.first?.element ?? .other
    case .await, .cast: return operands[0]
    case .unwrap: return unwrap(step, operands[0], node)
    case .isNil, .isCase, .isType, .prefix, .binary: return test(step, operands)
    case .payload: return payload(step, operands[0])
    case .tuple:
      let parts = program.children(node, .argument)
      return .tuple(operands, parts.map { program.label($0) })
    case .part: return part(step, operands[0])
    case .closure: return closure(step, node)
    case .implicitMember: return state.hasFailed ? failure(of: node) ?? .other : .other
    case .get: return get(step, operands.first ?? .other, node)
    case .set: return set(step, operands, node)
    case .call: return call(step, node)
    default: return .other
    }
  }

  /// Whether a step hands what shows the failure to something else, which may do anything about it.
  private func hands(_ step: Instruction, _ operands: [FailureMark]) -> Bool {
    switch step.operation {
    case .call: body.calls[Int(step.index)].arguments.contains { mark($0.value).tells }
    case .store, .isNil, .unwrap, .await, .cast, .get, .closure: false
    default: operands.contains(where: \.tells)
    }
  }

  /// What shows the failure by itself.
  private func seeded(_ step: Instruction, _ node: Ref) -> FailureMark? {
    guard [.get, .parameter, .load, .capture].contains(step.operation),
      let form = run.form(at: node)
    else { return nil }
    guard form != .thrown else {
      failing = ExitTraits()
      return .other
    }
    return .shows(form, ExitTraits())
  }

  private func parameter(_ step: Instruction) -> FailureMark {
    switch run.start {
    case .argument(Int(step.index), body.place, let form): return .shows(form, ExitTraits())
    case .recovery(Int(step.index), body.place): return .shows(.error, ExitTraits())
    default: return .other
    }
  }

  private func store(_ step: Instruction, _ mark: FailureMark, _ node: Ref) -> FailureMark {
    guard step.index != -1 else { return mark }
    let place = step.index >= 0 ? Int(step.index) : body.locals.count - 2 - Int(step.index)
    guard locals.indices.contains(place) else { return mark }
    let value = body.operands(of: step).first ?? -1
    let isEmpty =
      state.hasFailed && mark == .other && value >= 0
      && isOptional(body.steps[Int(value)])
    locals[place] = isEmpty ? .none : mark
    if isLast, case .shows(.missing, _) = mark, program.kind(node) == .boundName,
      program.uses(ofLocal: node).isEmpty, program.shorthandBindings(ofLocal: node).isEmpty,
      let binding = program.ancestors(node).first(where: { program.kind($0) == .binding })
    {
      for drop in run.outcome.drops where program.contains(binding, drop) { run.ignore(drop) }
    }
    return mark
  }

  private func literal(_ step: Instruction) -> FailureMark {
    switch step.name {
    case "true": .flag(true)
    case "false": .flag(false)
    default: .other
    }
  }

  /// `nil` in the code, or what a `try?` makes of an error.
  private func none(_ node: Ref) -> FailureMark {
    guard state.hasFailed, state.isThrown, program.kind(node) == .tryMark else { return .none }
    let isDropped = program.parent(node).map { program.isDropped($0) } ?? false
    if isLast {
      run.drop(node)
      if isDropped { run.ignore(node) }
    }
    return isDropped ? .other : .none
  }

  private func unwrap(_ step: Instruction, _ mark: FailureMark, _ node: Ref) -> FailureMark {
    guard case .shows(.missing, _) = mark else { return mark.tells ? mark : .other }
    guard program.kind(node) == .force, !state.hasFailed else { return .other }
    let operand = body.operands(of: step).first ?? -1
    if operand >= 0 {
      let source = body.steps[Int(operand)]
      if source.operation == .load { locals[Int(source.index)] = .other }
    }
    if isLast, isFirst(operand) { run.force(node) }
    return .other
  }

  /// Whether nothing has looked at a value before it's forced; other code holds what a property holds.
  private func isFirst(_ operand: Value) -> Bool {
    guard operand >= 0 else { return true }
    let node = body.ref(body.steps[Int(operand)])
    guard node == run.place, program.kind(node) != .call else { return true }
    return program.isFirstUse(node)
  }

  private func part(_ step: Instruction, _ whole: FailureMark) -> FailureMark {
    switch whole {
    case .tuple(let parts, _) where parts.indices.contains(Int(step.index)):
      parts[Int(step.index)]
    case .shows(.element(let index, let form), let traits) where index == Int(step.index):
      .shows(form, traits)
    default: .other
    }
  }

  // MARK: Lists

  private func receiverAfter(_ step: Instruction) -> FailureMark {
    guard let value = body.operands(of: step).first, value >= 0,
      body.steps[Int(value)].operation == .call
    else { return .other }
    let site = body.calls[Int(body.steps[Int(value)].index)]
    return Words.addingMethods.contains(site.name) ? grown(mark(site.receiver)) : .other
  }

  /// A list or dictionary that something has been added to.
  private func grown(_ list: FailureMark) -> FailureMark {
    guard state.hasFailed else { return .other }
    switch list {
    case .empty, .filled: return .filled(state.traits)
    default: return .other
    }
  }

  // MARK: Conditions

  private func test(_ step: Instruction, _ operands: [FailureMark]) -> FailureMark {
    switch (step.operation, operands[0]) {
    case (.isNil, .shows(.missing, let traits)): return .decides(true, traits)
    case (.isNil, .shows(.error, let traits)), (.isNil, .shows(.result, let traits)),
      (.isNil, .shows(.enumCase, let traits)):
      return .decides(false, traits)
    case (.isType, .shows(.error, let traits)):
      return program.takesErrorsOfStores(body.ref(step)) ? .decides(true, traits) : .other
    case (.isCase, .shows(.result, let traits)):
      if step.name == "failure" { return .decides(true, traits) }
      return step.name == "success" ? .decides(false, traits) : .other
    case (.isCase, .shows(.enumCase(let name), let traits)):
      return isUndecided(step, name) ? .other : .decides(step.name == name, traits)
    case (.prefix, .decides(let holds, let traits)),
      (.prefix, .shows(.flag(let holds), let traits)):
      return step.name == "!" ? .decides(!holds, traits) : .other
    case (.binary, _): return compare(step, operands)
    default: return .other
    }
  }

  /// Whether a case says nothing of a failure that another clause of the `switch` takes, or this one
  /// together with cases that say nothing of it.
  private func isUndecided(_ step: Instruction, _ failed: Name) -> Bool {
    let pattern = body.ref(step)
    guard !state.hasFailed,
      let clause = ([pattern] + program.ancestors(pattern)).first(where: {
        program.kind($0) == .switchCase
      }), let statement = program.parent(clause)
    else { return false }
    guard step.name == failed else {
      return program.children(statement, .switchCase).contains {
        cases(in: $0).contains { program.name($0) == failed }
      }
    }
    return cases(in: clause).contains { other in
      !program.nameText(other).camelWords.contains { Words.failureWords.contains($0) }
        && program.name(other) != failed
    }
  }

  /// The names of the cases that a clause of a `switch` takes.
  private func cases(in clause: Ref) -> [Ref] {
    program.children(clause, .caseItem).flatMap {
      program.descendants($0, .implicitMember) + program.descendants($0, .member)
    }
  }

  /// `state == .broken`, `isOpen == false`
  private func compare(_ step: Instruction, _ operands: [FailureMark]) -> FailureMark {
    guard ["==", "!=", ">"].contains(step.name), operands.count == 2 else { return .other }
    let values = Array(body.operands(of: step))
    for (index, mark) in operands.enumerated() {
      let isSame: Bool
      let known: ExitTraits
      switch mark {
      case .shows(.enumCase(let name), let traits):
        let other = values[1 - index]
        guard other >= 0 else { continue }
        isSame = program.name(body.ref(body.steps[Int(other)])) == name
        known = traits
      case .filled(let traits):
        let other = values[1 - index]
        guard other >= 0, body.steps[Int(other)].name == "0" else { continue }
        return .decides(step.name != "==", traits)
      case .shows(.flag(let value), let traits):
        guard case .flag(let other) = operands[1 - index] else { continue }
        isSame = value == other
        known = traits
      default: continue
      }
      return .decides(isSame == (step.name == "=="), known)
    }
    return .other
  }

  private func payload(_ step: Instruction, _ whole: FailureMark) -> FailureMark {
    switch whole {
    case .shows(.result, let traits) where step.name == "failure": .shows(.error, traits)
    case .shows(.enumCase(step.name), let traits): .shows(.error, traits)
    default: .other
    }
  }

  // MARK: Members

  private func get(_ step: Instruction, _ receiver: FailureMark, _ node: Ref) -> FailureMark {
    switch receiver {
    case .shows(.result, let traits):
      guard step.name == "value" else { return receiver }
      failing = traits
      return .other
    case .tuple(let parts, let labels):
      let names = parts.indices.map { Name(String($0)) }
      let index = labels.firstIndex(of: step.name) ?? names.firstIndex(of: step.name)
      return index.map { parts[$0] } ?? .other
    case .shows(.element(let index, let form), let traits):
      return isElement(node, index) ? .shows(form, traits) : .other
    case .shows(.error, let traits): return isError(node) ? .shows(.error, traits) : .other
    case .filled(let traits):
      switch step.name {
      case "isEmpty": return .decides(false, traits)
      case "first", "last": return receiver.element
      case "count", "values", "keys": return receiver
      default: return .other
      }
    default: return state.hasFailed ? failure(of: node) ?? .other : .other
    }
  }

  /// Whether a part of a chain makes an error of what stands before it.
  func isError(_ part: Ref) -> Bool {
    switch run.facts.type(at: part).unwrapped {
    case .external(let name, _): ["Error", "NSError"].contains(name)
    case .declared(let id, _): program.inherits(id, from: "Error")
    default: false
    }
  }

  /// Whether a member is an element of the tuple before it, by number or label.
  private func isElement(_ member: Ref, _ index: Int) -> Bool {
    if program.nameText(member) == "\(index)" { return true }
    guard let chain = program.parent(member),
      case .tuple(_, let labels) = program.type(ofChain: chain, upTo: member).unwrapped
    else { return false }
    return labels.indices.contains(index) && labels[index] == program.name(member)
  }

  /// What a value that a chain makes shows where the call has failed: a case that carries an error, or
  /// is named for one.
  func failure(of part: Ref) -> FailureMark? {
    guard let chain = program.parent(part), program.kind(chain) == .chain,
      program.children(chain).last == part
    else { return nil }
    if program.isFailure(chain) { return .shows(.result, state.traits) }
    return program.failureCase(chain).map { .shows(.enumCase($0), state.traits) }
  }

  private func set(_ step: Instruction, _ operands: [FailureMark], _ node: Ref) -> FailureMark {
    guard !step.isWriteBack, let value = operands.last else { return operands.first ?? .other }
    guard let target = program.parent(node), program.kind(target) == .chain else { return .other }
    let shown = value.shown(state)
    if case .code(let code) = value, let id = program.property(usedBy: node) {
      run.leave(by: Declared.property(id), code: code)
    }
    for (form, traits) in shown.forms where isLast {
      leave(into: target, form, traits)
    }
    if let id = program.keptProperty(target) {
      assigned.add(id)
      targets[id] = target
    }
    return operands.first ?? .other
  }

  /// Leaves by the property that an assignment sets to what shows the failure.
  func leave(into target: Ref, _ form: FailureForm, _ traits: ExitTraits) {
    if let id = program.propertySetOnce(target) {
      return run.leave(by: .property(id, form), traits)
    }
    if let id = program.keptProperty(target) {
      if case .flag = form { return }
      if form == .missing, !program.mayHoldStore(.property(id, form)) { return }
      return run.leave(by: .kept(id, form), traits)
    }
    if form == .missing, let last = program.children(target).last,
      program.name(last) == "persistentStoreCoordinator", program.property(usedBy: last) == nil
    {
      run.leave(by: .coordinator, traits)
    }
  }

  // MARK: Closures

  /// Runs a closure that lets a failure in or stands where the call has failed; what it gives other
  /// variables counts from here on.
  private func closure(_ step: Instruction, _ node: Ref) -> FailureMark {
    let values = Array(body.operands(of: step).dropFirst())
    let marks = values.map { mark($0) }
    let isConcerned =
      program.contains(node, run.place) || marks.contains { $0.tells || $0.isCode }
      || state.hasFailed && program.runsNow(node)
    guard isConcerned else { return .other }
    var inner = state
    inner.isThrown = false
    if case .recovery(_, node) = run.start {
      inner.hasFailed = true
      let nodes = program.statements(in: node)
      if isLast, !nodes.isEmpty {
        run.outcome.paths.append(
          FailurePath(opening: run.opening, nodes: nodes, head: node, kind: .branch))
      }
    }
    let found = run.run(step.index, marks, inner, isLast: isLast)
    let code = run.bodies[step.index]
    for (number, mark) in found.stores.sorted(by: { $0.key < $1.key }) {
      assign(code.captures[number], mark)
    }
    return found.lets ? .code(step.index) : .other
  }

  /// Sets a variable as a closure perhaps does.
  private func assign(_ declaration: Ref, _ mark: FailureMark) {
    if let local = body.locals.firstIndex(where: { $0.declaration == declaration }) {
      locals[local] = mark.joined(locals[local])
    } else if let number = body.captures.firstIndex(of: declaration) {
      let place = body.locals.count + number
      locals[place] = mark.joined(locals[place])
    }
  }
}

extension FailureMark {
  /// What an element shows: it's only there where the call has failed.
  fileprivate var element: FailureMark {
    if case .filled(let traits) = self { .shows(.error, traits) } else { .other }
  }

  /// Whether it is a closure out of which the failure comes.
  var isCode: Bool { if case .code = self { true } else { false } }
}
