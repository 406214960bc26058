import PersistIndex
import PersistSyntax

/// Follows lists that are empty where a fetch, read or request has failed, up to the deletion of
/// what they lack, or to what is done because they are empty.
final class FailedLists: LocalDomain {
  static let nothing = Completeness.nothing
  static let other = Completeness.other

  let program: Program
  private(set) lazy var flow = LocalFlow(program, for: self)
  /// The failing call of each deletion of what a list lacks.
  private(set) var deletions: [Ref: Ref] = [:]
  /// The failing call of each call that runs only for what a list lacks.
  private(set) var callsForLacking: [Ref: Ref] = [:]
  /// The failing call of each call that runs once, because a list lacks something.
  private(set) var callsForOne: [Ref: Ref] = [:]
  /// The failing call of each call that runs only where a list is empty.
  private(set) var callsWhenEmpty: [Ref: Ref] = [:]
  /// The failing calls of lists for whose elements a call runs.
  private(set) var callsForElements: [Ref: Set<Ref>] = [:]
  /// The failing calls of lists that have something wherever a call runs.
  private(set) var callsWhenFilled: [Ref: Set<Ref>] = [:]
  private var paths: [Ref: BlockPaths] = [:]

  init(_ program: Program) {
    self.program = program
    flow.runAll(naming: Frameworks.deletions)
    flow.runAll(naming: Frameworks.lookUps) { file in
      Frameworks.contextModules.contains { program.files[file].imports($0) }
    }
  }

  var followsStoresOfClosures: Bool { true }

  func joined(_ left: Completeness, _ right: Completeness) -> Completeness { left.joined(right) }

  func failed(_ mark: Completeness, at call: Ref) -> Completeness {
    mark == .nothing ? .failed(call) : mark
  }

  /// A list that isn't empty here is whole.
  func loaded(
    _ mark: Completeness, _ step: Instruction, in run: LocalRun<FailedLists>
  ) -> Completeness {
    switch mark {
    case _ where step.operation != .load: mark
    case .list(let call), .present(let call), .leftovers(let call):
      filled(run.block, run).contains(call) ? .other : mark
    default: mark
    }
  }

  func take(
    _ step: Instruction, _ value: Value, _ operands: [Completeness], in run: LocalRun<FailedLists>
  ) -> Completeness {
    switch step.operation {
    case .none: return run.failure.map { .failed($0) } ?? .nothing
    case .literal: return literal(step.name)
    case .array, .dictionary:
      return operands.isEmpty ? run.failure.map { .failed($0) } ?? .nothing : .other
    case .unwrap:
      switch operands[0] {
      case .list(let call): return .present(call)
      case .found, .maybe: return .other
      case .end(let call): return .held(call)
      default: return operands[0]
      }
    case .isNil, .prefix, .binary: return condition(step, operands)
    case .next: return element(of: operands[0])
    case .getElement:
      switch operands[0] {
      case .list(let call), .part(let call): return .found(call)
      default: return .other
      }
    case .setElement:
      return operands[1] == .nothing
        ? reduced(operands[0], by: operands.dropFirst(2))
        : grown(operands[0], by: Array(operands.dropFirst()), step, run)
    case .tuple:
      let parts = program.children(run.body.ref(step), .argument)
      return .tuple(operands, parts.map { program.label($0) })
    case .part:
      switch operands[0] {
      case .tuple(let parts, _) where parts.indices.contains(Int(step.index)):
        return parts[Int(step.index)]
      // The key and the value of an entry both stand for it.
      case .leftover, .held, .element: return operands[0]
      default: return .other
      }
    case .receiverAfter: return receiverAfter(step, run)
    case .argumentAfter: return argumentAfter(step, run)
    case .closure:
      _ = flow.run(step.index, [], Array(operands.dropFirst()))
      return .other
    case .get: return get(step, operands.first ?? .other, run)
    case .call: return call(step, run)
    default: return .other
    }
  }

  private func literal(_ text: Name) -> Completeness {
    switch text {
    case "0": .nothing
    case "true": .truth(true)
    case "false": .truth(false)
    default: .other
    }
  }

  private func element(of list: Completeness) -> Completeness {
    switch list {
    case .leftovers(let call): .leftover(call)
    case .list(let call), .present(let call), .part(let call): .held(call)
    default: .element
    }
  }

  // MARK: Conditions

  private func condition(_ step: Instruction, _ operands: [Completeness]) -> Completeness {
    switch (step.operation, operands[0]) {
    case (.isNil, .found(let call)): return .lacks(call, true)
    case (.isNil, .end(let call)): return .empty(call, true)
    case (.prefix, .lacks(let call, let holds)): return .lacks(call, !holds)
    case (.prefix, .empty(let call, let holds)): return .empty(call, !holds)
    case (.binary, _) where operands.count == 2: break
    default: return .other
    }
    switch (operands[0], operands[1], step.name) {
    case (.list(let call), .nothing, "=="), (.nothing, .list(let call), "=="):
      return .empty(call, true)
    case (.list(let call), .nothing, "!="), (.nothing, .list(let call), "!="),
      (.list(let call), .nothing, ">"), (.nothing, .list(let call), "<"):
      return .empty(call, false)
    case (.list(let call), let more, "+"), (.part(let call), let more, "+"),
      (let more, .list(let call), "+"), (let more, .part(let call), "+"):
      return more == .nothing ? operands[0].joined(operands[1]) : .part(call)
    default: return .other
    }
  }

  // MARK: Lists that grow

  /// What a call leaves of a list: one that grows lacks still what could not be had.
  private func receiverAfter(
    _ step: Instruction, _ run: LocalRun<FailedLists>
  ) -> Completeness {
    guard let site = site(of: step, run) else { return .other }
    let list = run.mark(site.receiver)
    if Frameworks.removing.contains(site.name) {
      return reduced(list, by: run.marks(of: site)[...])
    }
    guard Frameworks.growingMethods.contains(site.name) else {
      return list.source == nil || site.name == Frameworks.emptying ? .other : list
    }
    return grown(list, by: run.marks(of: site), step, run)
  }

  /// What stays of a list when what another list has, or an element of that, is taken out.
  private func reduced(
    _ list: Completeness, by marks: ArraySlice<Completeness>
  ) -> Completeness {
    guard list != .nothing, let taken = marks.first?.source, taken != list.source else {
      return list.source == nil ? .other : list
    }
    return .leftovers(taken)
  }

  /// What a call leaves of a list that it may change.
  private func argumentAfter(
    _ step: Instruction, _ run: LocalRun<FailedLists>
  ) -> Completeness {
    guard let site = site(of: step, run), site.arguments.indices.contains(Int(step.index)) else {
      return .other
    }
    var marks = run.marks(of: site)
    let list = marks.remove(at: Int(step.index))
    return grown(list, by: marks, step, run)
  }

  private func site(of step: Instruction, _ run: LocalRun<FailedLists>) -> CallSite? {
    let call = run.body.operands(of: step).first.map { run.body.steps[Int($0)] }
    guard let call, call.operation == .call else { return nil }
    return run.body.calls[Int(call.index)]
  }

  private func grown(
    _ list: Completeness, by marks: [Completeness], _ step: Instruction,
    _ run: LocalRun<FailedLists>
  ) -> Completeness {
    // What is chosen because another list lacks it, and what is left when the elements of that have gone.
    if marks.contains(where: \.isElement), let call = lacking(run).first {
      return list == .nothing || list == .leftovers(call) ? .leftovers(call) : .other
    }
    let fresh = marks.contains { if case .part = $0 { true } else { false } }
    // What is added only where a list isn't empty is missing where the call has failed, unless the
    // work ends there.
    let added =
      marks.lazy.compactMap(\.source).first
      ?? deciding(run.block, run).filter { !$0.isEmpty && goesOn(behind: $0.other, run) }
      .map(\.call).min()
    switch list {
    case .nothing:
      guard let call = added else { return marks.allSatisfy { $0 == .nothing } ? .nothing : .other }
      return fresh || isAgain(call, step, run) ? .part(call) : .list(call)
    case .list(let call):
      guard let added else { return list }
      return fresh || added != call || isAgain(call, step, run) ? .part(call) : list
    case .part: return list
    default: return .other
    }
  }

  /// Whether a call is made in each round of a loop, while the list that a step changes is older.
  private func isAgain(_ call: Ref, _ step: Instruction, _ run: LocalRun<FailedLists>) -> Bool {
    let body = run.body
    let paths = paths(of: body)
    func isRepeated(_ matches: (Instruction) -> Bool) -> Bool? {
      for (index, block) in body.blocks.enumerated()
      where block.steps.contains(where: { matches(body.steps[Int($0)]) }) {
        return paths.leads(from: Int32(index), to: Int32(index))
      }
      return nil
    }
    let asks = isRepeated { $0.operation == .call && body.ref($0) == call }
    let takes =
      asks
      ?? body.blocks.indices.first { block in
        body.blocks[block].steps.contains {
          body.steps[Int($0)].operation == .call && run.mark($0) == .list(call)
        }
      }.map { paths.leads(from: Int32($0), to: Int32($0)) }
    guard takes ?? false, let local = local(changedBy: step, run) else { return false }
    let isMadeAgain = isRepeated { $0.operation == .store && $0.index == local }
    return !(isMadeAgain ?? false)
  }

  /// The variable that holds the list which a step changes.
  private func local(changedBy step: Instruction, _ run: LocalRun<FailedLists>) -> Int32? {
    var value = run.body.operands(of: step).first ?? -1
    if step.operation != .setElement {
      guard let site = site(of: step, run) else { return nil }
      value =
        step.operation == .receiverAfter ? site.receiver : site.arguments[Int(step.index)].value
    }
    guard value >= 0, run.body.steps[Int(value)].operation == .load else { return nil }
    return run.body.steps[Int(value)].index
  }

  // MARK: Members

  private func get(
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
      if Frameworks.ends.contains(step.name) { return .end(call) }
      return isSame || Frameworks.sizes.contains(step.name) ? receiver : .other
    case .part, .leftovers: return isSame ? receiver : .other
    case .tuple(let parts, let labels):
      let names = parts.indices.map { Name(String($0)) }
      let index = labels.firstIndex(of: step.name) ?? names.firstIndex(of: step.name)
      return index.map { parts[$0] } ?? .other
    // What an object has stands for it.
    case .leftover, .held, .element: return receiver
    default:
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

  /// The list that a stored property holds which nothing else is ever put into.
  private func kept(_ id: PropertyID) -> Completeness {
    guard !program.properties[id].isComputed else { return .other }
    let uses = program.uses(of: [program.properties[id].name]).filter { use in
      program.property(usedBy: use) == id && !program.isExempt(use)
    }
    let given = uses.compactMap { program.assignment(toWhatEndsWith: $0)?.right.last }
      .map { program.onlyCall(of: $0).flatMap { flow.result(of: $0, []) } ?? .other }
    guard let list = given.first, case .list = list, given.allSatisfy({ $0 == list }),
      !uses.contains(where: grows)
    else { return .other }
    return list
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
    case .optional(let inner): isList(inner) || program.model(in: inner) != nil
    case .tuple(let parts, _): parts.contains(where: isList)
    default: false
    }
  }

  // MARK: What runs only where a call has failed

  func noteDeletion(
    at node: Ref, _ values: [Completeness], _ run: LocalRun<FailedLists>
  ) {
    for value in values {
      switch value {
      case .leftover(let call), .leftovers(let call):
        deletions[node] = call
        return
      default: continue
      }
    }
    guard values.contains(where: \.isElement) else { return }
    if let call = (lacking(run) + emptying(run)).first { deletions[node] = call }
  }

  /// The failing calls of lists where the code of a run is reached for all if the list is empty, and
  /// else for some: where nothing is to be kept, all goes.
  private func emptying(_ run: LocalRun<FailedLists>) -> [Ref] {
    let paths = paths(of: run.body)
    return run.body.blocks.compactMap { code -> Ref? in
      guard case .branch(let condition, let yes, let no) = code.terminator,
        case .empty(let call, let holds) = run.mark(condition)
      else { return nil }
      let (empty, filled) = holds ? (yes, no) : (no, yes)
      return paths.comes(to: run.block, from: empty) && paths.reaches(run.block, from: filled)
        && !paths.comes(to: run.block, from: filled) ? call : nil
    }.sorted()
  }

  /// Notes a call that runs only because a list is empty, or for what it lacks.
  func noteCall(_ node: Ref, _ run: LocalRun<FailedLists>) {
    if let call = lacking(run).first {
      if isOnce(call, run) { callsForOne[node] = call } else { callsForLacking[node] = call }
    }
    let blocks = deciding(run.block, run).filter(\.isEmpty)
    if let call = blocks.map(\.call).min() { callsWhenEmpty[node] = call }
    let held = elements(run)
    if !held.isEmpty { callsForElements[node, default: []].formUnion(held) }
    let filled = filled(run.block, run)
    if !filled.isEmpty { callsWhenFilled[node, default: []].formUnion(filled) }
  }

  /// The failing calls of lists for whose elements the code of a run is reached, one by one.
  private func elements(_ run: LocalRun<FailedLists>) -> Set<Ref> {
    var found: Set<Ref> = []
    for (block, code) in run.body.blocks.enumerated() {
      for value in code.steps {
        guard case .held(let call) = run.mark(value) else { continue }
        let step = run.body.steps[Int(value)]
        switch step.operation {
        case .parameter where run.body.kind == .closure: found.insert(call)
        // What is not `nil` has not failed.
        case .next where run.mark(run.body.operands(of: step).first ?? -1) != .present(call):
          let (paths, head) = (paths(of: run.body), Int32(block))
          if paths.leads(from: run.block, to: head), paths.leads(from: head, to: run.block) {
            found.insert(call)
          }
        default: continue
        }
      }
    }
    return found
  }

  /// Whether code runs once for each time that a list is asked for.
  private func isOnce(_ call: Ref, _ run: LocalRun<FailedLists>) -> Bool {
    let isGiven = run.body.steps.indices.contains { index in
      [.parameter, .capture].contains(run.body.steps[index].operation)
        && run.mark(Value(index)).source == call
    }
    return !isGiven && run.body.kind != .closure
      && !paths(of: run.body).leads(from: run.block, to: run.block)
  }

  /// The failing calls of lists that lack something wherever the code of a run is reached.
  private func lacking(_ run: LocalRun<FailedLists>) -> [Ref] {
    var lacking: Set<Ref> = []
    var having: Set<Ref> = []
    let paths = paths(of: run.body)
    for code in run.body.blocks {
      guard case .branch(let condition, let yes, let no) = code.terminator,
        case .lacks(let call, let holds) = run.mark(condition)
      else { continue }
      let isReached = (
        yes: paths.reaches(run.block, from: yes), no: paths.reaches(run.block, from: no)
      )
      guard isReached.yes != isReached.no else { continue }
      // What the list has is there only where the call hasn't failed.
      if isReached.yes == holds { lacking.insert(call) } else { having.insert(call) }
    }
    return lacking.subtracting(having).subtracting(filled(run.block, run)).sorted()
  }

  /// The failing calls whose lists are not empty where a block runs.
  private func filled(_ block: Int32, _ run: LocalRun<FailedLists>) -> Set<Ref> {
    Set(deciding(block, run).filter { !$0.isEmpty }.map(\.call))
  }

  /// What has to hold of lists where a block runs.
  private func deciding(_ block: Int32, _ run: LocalRun<FailedLists>) -> [Decision] {
    run.body.blocks.enumerated().compactMap { index, code in
      guard case .branch(let condition, let yes, let no) = code.terminator,
        case .empty(let call, let holds) = run.mark(condition)
      else { return nil }
      let paths = paths(of: run.body)
      let source = Int32(index)
      if paths.isOnly(block, behind: source, yes) {
        return Decision(call: call, isEmpty: holds, other: no)
      }
      return paths.isOnly(block, behind: source, no)
        ? Decision(call: call, isEmpty: !holds, other: yes) : nil
    }
  }

  /// What a branch has found out of the list of a call, and where it leads else.
  private struct Decision {
    let call: Ref
    let isEmpty: Bool
    let other: Int32
  }

  /// Whether more than the end of the body follows on a block.
  private func goesOn(behind block: Int32, _ run: LocalRun<FailedLists>) -> Bool {
    let paths = paths(of: run.body)
    return paths.leads(from: block, to: run.block) || paths.meet(block, run.block)
  }

  private func paths(of body: Body) -> BlockPaths {
    if let known = paths[body.place] { return known }
    let made = BlockPaths(body)
    paths[body.place] = made
    return made
  }
}
