import PersistIndex
import PersistSyntax

/// Follows lists that are empty where a fetch, read or request has failed, up to the deletion of
/// what they lack, or to what is done because they are empty.
final class FailedLists: LocalDomain {
  static let nothing = Completeness.nothing
  static let other = Completeness.other
  static let deepest = 24

  let program: Program
  private(set) lazy var flow = LocalFlow(program, for: self)
  /// The deletions of what a list lacks, by the calls that delete, or that hand it over to be deleted.
  private(set) var deletions: [Ref: Removal] = [:]
  /// The failing call of each list that takes the place of the objects of a relationship.
  private(set) var detachments: [Ref: Ref] = [:]
  /// The failing call of each call that runs only for what a list lacks.
  private(set) var callsForLacking: [Ref: Ref] = [:]
  /// The failing call of each call that runs once, because a list lacks something.
  private(set) var callsForOne: [Ref: Ref] = [:]
  /// The failing call of each call that runs only where a list is empty.
  private(set) var callsWhenEmpty: [Ref: Ref] = [:]
  /// The failing calls of lists for whose elements a call runs.
  private(set) var callsForElements: [Ref: Set<Ref>] = [:]
  /// The failing calls of lists that have something wherever a call runs, or aren't nil there.
  private(set) var callsWhenFilled: [Ref: Set<Ref>] = [:]
  private var paths: [Ref: BlockPaths] = [:]
  /// What assignments put into properties, where that depends on no other property.
  private(set) var assigned: [Ref: Completeness] = [:]
  /// Answers what properties are given; nil where it is itself asked.
  let assignments: FailedLists?
  /// The lists that stored properties hold.
  var keptLists: [PropertyID: Completeness] = [:]

  /// What deletes something because a call has failed.
  struct Removal {
    let failing: Ref
    let deletion: Ref
  }

  private init(assignmentsOf program: Program) {
    self.program = program
    assignments = nil
  }

  init(_ program: Program) {
    self.program = program
    assignments = FailedLists(assignmentsOf: program)
    flow.runAll(naming: Frameworks.deletions.union(Frameworks.rowDeletions))
    runCallersOfDeletions()
    flow.runAll(naming: Frameworks.lookUps.union(program.toManyNames)) { file in
      Frameworks.contextModules.contains { program.files[file].imports($0) }
    }
  }

  /// Runs what leads from other files to code that deletes.
  private func runCallersOfDeletions() {
    var places = program.uses(of: Frameworks.deletions)
    for _ in 0..<Self.filesToDeletions {
      let functions = Set(places.compactMap { program.enclosingFunction($0) })
      places = functions.sorted().flatMap { program.callers(of: $0) }
      flow.runAll(around: places)
    }
  }

  /// How many files may lie between a list and the deletion of what it lacks.
  private static let filesToDeletions = 2

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
    let first = operands.first ?? .other
    switch step.operation {
    case .none: return run.failure.map { .failed($0) } ?? .nothing
    case .literal: return literal(step.name, run.failure)
    case .array, .dictionary:
      return operands.isEmpty ? run.failure.map { .failed($0) } ?? .nothing : .other
    case .unwrap:
      switch first {
      case .list(let call): return .present(call)
      case .found, .maybe, .end, .presentEnd: return .other
      default: return first
      }
    case .isNil, .prefix, .binary: return condition(step, operands)
    case .next: return element(of: first)
    case .getElement: return found(in: first, Array(run.body.operands(of: step).dropFirst()), run)
    case .setElement:
      guard operands.count > 1 else { return .other }
      return operands[1] == .nothing
        ? reduced(first, by: operands.dropFirst(2))
        : grown(first, by: Array(run.body.operands(of: step).dropFirst()), step, run)
    case .string: return element(in: operands)
    case .tuple:
      let parts = program.children(run.body.ref(step), .argument)
      return .tuple(operands, parts.map { program.label($0) })
    case .part:
      switch first {
      case .tuple(let parts, _) where parts.indices.contains(Int(step.index)):
        return parts[Int(step.index)]
      // The key and the value of an entry both stand for it.
      case .leftover, .handed, .held, .element: return first
      default: return .other
      }
    case .receiverAfter: return receiverAfter(step, run)
    case .argumentAfter: return argumentAfter(step, run)
    case .closure:
      let given = run.body.operands(of: step).map { self.given($0, at: nil, run) }
      _ = flow.run(step.index, [], Array(given.dropFirst()), of: given.first ?? .other)
      return .other
    case .selfValue: return run.receiver
    case .get: return get(step, first, run)
    case .set:
      // A variable outside of types has no receiver.
      guard let new = operands.last else { return .other }
      run.keep(new, step)
      let node = run.body.ref(step)
      assigned[node] = assigned[node].map { $0.joined(new) } ?? new
      noteDetachment(at: node, of: new, run)
      guard step.name == Frameworks.predicate, case .leftovers = new else { return .other }
      run.change(variableReadBy: run.body.operands(of: step).first ?? -1, to: new)
      return new
    case .call: return call(step, run)
    default: return .other
    }
  }

  /// Notes that a list takes the place of the objects of a relationship, where it may be empty.
  private func noteDetachment(
    at node: Ref, of new: Completeness, _ run: LocalRun<FailedLists>
  ) {
    guard case .list(let call) = new, !filled(run.block, run).contains(call),
      program.replacesObjects(node)
    else { return }
    detachments[node] = call
  }

  private func literal(_ text: Name, _ failure: Ref?) -> Completeness {
    switch text {
    case "0": failure.map { .failed($0) } ?? .nothing
    case "true", "false":
      failure.map { .answer($0, text == "true") } ?? .truth(text == "true")
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
    switch (step.operation, operands.first ?? .other) {
    case (.isNil, .found(let call, let isOfElement)):
      return .lacks(call, true, ofElement: isOfElement)
    case (.isNil, .end(let call)): return .empty(call, true)
    case (.isNil, .list(let call)): return .missing(call, true)
    case (.prefix, .missing(let call, let holds)): return .missing(call, !holds)
    case (.prefix, .lacks(let call, let holds, let isOfElement)):
      return .lacks(call, !holds, ofElement: isOfElement)
    case (.prefix, .empty(let call, let holds)): return .empty(call, !holds)
    case (.prefix, .answer(let call, let holds)): return .answer(call, !holds)
    case (.binary, _) where operands.count == 2: break
    default: return .other
    }
    switch (operands[0], operands[1], step.name) {
    case (.lacks(let call, let holds, let isOfElement), .truth(let value), "=="):
      return .lacks(call, holds == value, ofElement: isOfElement)
    case (.empty(let call, let holds), .truth(let value), "=="):
      return .empty(call, holds == value)
    case (.list(let call), .nothing, "=="), (.nothing, .list(let call), "=="):
      return .empty(call, true)
    case (.list(let call), .nothing, "!="), (.nothing, .list(let call), "!="),
      (.list(let call), .nothing, ">"), (.nothing, .list(let call), "<"):
      return .empty(call, false)
    case (.list(let call), let more, "+"), (.part(let call), let more, "+"),
      (let more, .list(let call), "+"), (let more, .part(let call), "+"):
      return more == .nothing ? operands[0].joined(operands[1]) : .part(call)
    case (_, _, "+"): return element(in: operands)
    default: return .other
    }
  }

  // MARK: What runs only where a call has failed

  /// Notes that the calls of a deletion get what a list lacks, or elements where it lacks them.
  func noteDeletion(
    at node: Ref, _ values: [Completeness], ofElements elements: [Value] = [],
    _ run: LocalRun<FailedLists>
  ) {
    for value in values {
      switch value {
      case .leftover(let call), .leftovers(let call):
        deletions[node] = Removal(failing: call, deletion: node)
        return
      case .handed(let call, let place):
        if deletions[place]?.deletion ?? node >= node {
          deletions[place] = Removal(failing: call, deletion: node)
        }
        return
      default: continue
      }
    }
    if let call = elements.lazy.compactMap({ self.failing(toKeep: $0, run) }).first {
      deletions[node] = Removal(failing: call, deletion: node)
    }
  }

  /// The call whose failure makes a list lack an element here, or leaves it empty.
  private func failing(toKeep element: Value, _ run: LocalRun<FailedLists>) -> Ref? {
    guard run.mark(element).isElement else { return nil }
    return lacking(run, element).first ?? emptying(run).first
  }

  /// What other code gets of an element that a list lacks here: a call hands it over, a closure
  /// captures it.
  func given(_ value: Value, at call: Ref?, _ run: LocalRun<FailedLists>) -> Completeness {
    let mark = run.mark(value)
    if let failing = failing(toKeep: value, run) {
      return call.map { .handed(failing, at: $0) } ?? .leftover(failing)
    }
    return call.map { mark.handed(at: $0) } ?? mark
  }

  /// The failing calls of lists where the code of a run is reached for all if the list is empty, and
  /// else for some: where nothing is to be kept, all goes.
  private func emptying(_ run: LocalRun<FailedLists>) -> [Ref] {
    let paths = paths(of: run.body)
    return run.body.blocks.compactMap { code -> Ref? in
      guard case .branch(let condition, let yes, let no) = code.terminator,
        let (call, holds) = failure(decidingBy: run.mark(condition))
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
    let filled = filled(run.block, run).union(present(run))
    if !filled.isEmpty { callsWhenFilled[node, default: []].formUnion(filled) }
  }

  /// The failing calls of lists for whose elements the code of a run is reached, one by one.
  func elements(_ run: LocalRun<FailedLists>) -> Set<Ref> {
    var found: Set<Ref> = []
    guard run.values.contains(where: { if case .held = $0 { true } else { false } }) else {
      return found
    }
    for (block, code) in run.body.blocks.enumerated() {
      for value in code.steps {
        guard case .held(let call) = run.mark(value) else { continue }
        let step = run.body.steps[Int(value)]
        switch step.operation {
        case .parameter where run.body.kind == .closure: found.insert(call)
        case .next:
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

  /// The failing calls of lists that lack something, or an element, wherever the code of a run is
  /// reached.
  func lacking(_ run: LocalRun<FailedLists>, _ element: Value? = nil) -> [Ref] {
    var lacking: Set<Ref> = []
    var having: Set<Ref> = []
    let paths = paths(of: run.body)
    for code in run.body.blocks {
      guard case .branch(let condition, let yes, let no) = code.terminator,
        case .lacks(let call, let holds, let isOfElement) = run.mark(condition),
        element.map({ isOfElement && isNamed($0, by: condition, run) }) ?? true
      else { continue }
      let isReached = (
        yes: paths.reaches(run.block, from: yes), no: paths.reaches(run.block, from: no)
      )
      guard isReached.yes != isReached.no else { continue }
      // What the list has is there only where the call hasn't failed.
      if isReached.yes == holds { lacking.insert(call) } else { having.insert(call) }
    }
    if element == nil { lacking.formUnion(searched(run, paths)) }
    return lacking.subtracting(having).subtracting(filled(run.block, run)).sorted()
  }

  /// The failing calls of lists whose elements have all been compared, and none fitted, where the code
  /// of a run is reached.
  private func searched(_ run: LocalRun<FailedLists>, _ paths: BlockPaths) -> [Ref] {
    run.body.blocks.enumerated().compactMap { index, code in
      guard case .branch(let condition, let yes, let no) = code.terminator, condition >= 0,
        case let step = run.body.steps[Int(condition)], step.operation == .binary,
        step.name == "==", let call = held(run.body.operands(of: step), run),
        yes != run.block, !paths.leads(from: yes, to: run.block),
        no == run.block || paths.leads(from: no, to: run.block),
        !paths.leads(from: run.block, to: Int32(index))
      else { return nil }
      return call
    }
  }

  /// The failing call of the list of which one of some values is an element.
  private func held(_ values: ArraySlice<Value>, _ run: LocalRun<FailedLists>) -> Ref? {
    for case .held(let call) in values.lazy.map({ run.mark($0) })
    // What is not `nil` has not failed.
    where !run.values.contains(.present(call)) { return call }
    return nil
  }

  /// The failing calls without whose lists the code of a run isn't reached.
  private func present(_ run: LocalRun<FailedLists>) -> [Ref] {
    let paths = paths(of: run.body)
    return run.body.blocks.enumerated().compactMap { index, code in
      guard case .branch(let condition, let yes, let no) = code.terminator,
        case .missing(let call, let holds) = run.mark(condition),
        paths.leads(from: Int32(index), to: run.block)
      else { return nil }
      let missing = holds ? yes : no
      return missing == run.block
        || paths.leads(from: missing, to: run.block, without: Int32(index)) ? nil : call
    }
  }

  /// The failing calls whose lists are not empty where a block runs.
  private func filled(_ block: Int32, _ run: LocalRun<FailedLists>) -> Set<Ref> {
    Set(deciding(block, run).filter { !$0.isEmpty }.map(\.call))
  }

  /// What has to hold of lists where a block runs.
  func deciding(_ block: Int32, _ run: LocalRun<FailedLists>) -> [Decision] {
    run.body.blocks.enumerated().compactMap { index, code in
      guard case .branch(let condition, let yes, let no) = code.terminator,
        let (call, holds) = failure(decidingBy: run.mark(condition))
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

  /// The call whose failure decides a condition, and whether it holds then. Calls fail where something
  /// isn't so, and only those that read a store leave that open.
  private func failure(decidingBy mark: Completeness) -> (Ref, Bool)? {
    switch mark {
    case .empty(let call, let holds): (call, holds)
    case .answer(let call, let holds): asksStore(call) ? (call, holds) : nil
    default: nil
    }
  }

  /// Whether a call reads from a store, by itself or in what it calls.
  private func asksStore(_ call: Ref) -> Bool {
    program.readsStore(call) || program.recordFetched(by: call) != nil
  }

  /// What a branch has found out of the list of a call, and where it leads else.
  struct Decision {
    let call: Ref
    let isEmpty: Bool
    let other: Int32
  }

  /// Whether more than the end of the body follows on a block.
  func goesOn(behind block: Int32, _ run: LocalRun<FailedLists>) -> Bool {
    let paths = paths(of: run.body)
    return paths.leads(from: block, to: run.block) || paths.meet(block, run.block)
  }

  func paths(of body: Body) -> BlockPaths {
    if let known = paths[body.place] { return known }
    let made = BlockPaths(body)
    paths[body.place] = made
    return made
  }
}
