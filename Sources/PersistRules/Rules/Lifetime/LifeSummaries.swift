import PersistIndex
import PersistSyntax

/// What a function of the sources does to the objects that it is given.
struct LifeSummary: Equatable {
  /// What becomes of an object.
  enum Fate { case deleted, saved }

  /// By the index of the parameter.
  var parameters: [Int: Fate] = [:]
  /// What becomes of the object whose method it is.
  var own: Fate?
  /// Whether it saves a context.
  var saves = false
  /// Whether it sets a property that can be changed.
  var changesProperties = false

  var isEmpty: Bool { parameters.isEmpty && own == nil && !saves }
}

/// What functions do to objects, each worked out once.
final class LifeSummaries {
  private let program: Program
  private var known: [FunctionID: LifeSummary] = [:]
  private var open: [FunctionID] = []
  /// The place in `open` of the outermost function that an answer had to do without.
  private var lowestMissing = Int.max
  private var waiting: [FunctionID: Bool] = [:]
  private static let depthLimit = 6

  init(_ program: Program) { self.program = program }

  /// What a function does; a function that calls itself does nothing through that call.
  func summary(of function: FunctionID) -> LifeSummary {
    if let found = known[function] { return found }
    if let place = open.firstIndex(of: function) {
      lowestMissing = min(lowestMissing, place)
      return LifeSummary()
    }
    guard open.count < Self.depthLimit, let body = program.body(of: function) else {
      if open.count >= Self.depthLimit { lowestMissing = 0 }
      return LifeSummary()
    }
    open.append(function)
    let outer = lowestMissing
    lowestMissing = Int.max
    let found = work(out: function, body)
    open.removeLast()
    if lowestMissing >= open.count { known[function] = found }
    lowestMissing = min(outer, lowestMissing < open.count ? lowestMissing : Int.max)
    return found
  }

  private func work(out function: FunctionID, _ body: Ref) -> LifeSummary {
    var summary = LifeSummary()
    summary.changesProperties = assignsProperty(body)
    guard mayMatter(body) else { return summary }
    let walk = LifeWalk(program, self)
    var state = LifeState()
    let declaration = program.functions[function]
    var given: [(index: Int, object: Int)] = []
    for (index, parameter) in declaration.parameters.enumerated() {
      let place = Ref(file: Int(declaration.ref.file), node: parameter.node)
      if let object = walk.held(.local(place), at: body, &state) { given.append((index, object)) }
    }
    let own = declaration.isStatic ? nil : walk.held(.own, at: declaration.ref, &state)
    let end = walk.walk(list: body, state)
    let ends = walk.exits + (end.map { [$0] } ?? [])
    for (index, object) in given { summary.parameters[index] = fate(of: object, ends) }
    summary.own = own.flatMap { fate(of: $0, ends) }
    summary.saves = savesAlways(body)
    return summary
  }

  /// What becomes of an object on each way out.
  private func fate(of object: Int, _ ends: [LifeState]) -> LifeSummary.Fate? {
    guard !ends.isEmpty else { return nil }
    let found = ends.map { $0.ends[object] }
    guard found.allSatisfy({ $0 != nil && $0?.branch == nil }) else { return nil }
    return found.allSatisfy { $0?.save != nil } ? .saved : .deleted
  }

  /// Whether a body has a call that may delete or save, itself or further on.
  private func mayMatter(_ body: Ref) -> Bool {
    program.descendants(body, .call).contains { call in
      switch program.callTarget(call) {
      case .functions: true
      default: ["delete", "save", "transaction"].contains(program.calledText(call))
      }
    }
  }

  /// Whether the statements of a body save a context, under no condition but that it has changes.
  private func savesAlways(_ body: Ref) -> Bool {
    program.nodesRun(in: body).contains { call in
      guard program.kind(call) == .call else { return false }
      let isSave: Bool
      switch program.callTarget(call) {
      case .functions(let candidates):
        isSave = candidates.count == 1 && candidates.allSatisfy { summary(of: $0).saves }
      default: isSave = program.savesContext(call)
      }
      guard isSave else { return false }
      return program.conditions(before: call, in: body).allSatisfy { condition in
        program.text(condition).contains("hasChanges")
          || program.kind(condition) == .optionalBinding
      }
    }
  }

  private func assignsProperty(_ body: Ref) -> Bool {
    program.descendants(body, .expression).contains { expression in
      let parts = program.children(expression)
      guard parts.count > 2, program.nameText(parts[1]) == "=", program.kind(parts[0]) == .chain,
        let last = program.children(parts[0]).last, let id = program.property(usedBy: last)
      else { return false }
      return program.model(in: program.type(ofProperty: id)) != nil
    }
  }

  // MARK: Waiting

  /// Whether the awaited part of an expression gives other code the time to delete objects: it
  /// leaves the process, or nothing is known of it.
  func waits(_ part: Ref) -> Bool {
    let home = program.isolation(at: part)
    let calls = program.descendants(part, .call).filter { call in
      !program.ancestors(call).prefix { $0 != part }.contains {
        program.kind($0) == .closure && !program.runsInPlace($0)
      }
    }
    if calls.isEmpty { return program.kind(part) == .chain && isAsyncLet(part) }
    return calls.contains { leaves($0, from: home, []) }
  }

  private func isAsyncLet(_ chain: Ref) -> Bool {
    guard let first = program.children(chain).first,
      case .local(let local)? = program.declared(first), let binding = program.parent(local),
      let value = program.child(binding, .expression)
    else { return false }
    return program.descendants(value, .call).contains {
      leaves($0, from: program.isolation(at: chain), [])
    }
  }

  private func leaves(_ call: Ref, from home: Isolation, _ seen: Set<FunctionID>) -> Bool {
    switch program.callTarget(call) {
    case .functions(let candidates):
      return candidates.allSatisfy { leavesProcess($0, from: home, seen) }
    case .externalMethod(let receiver, let name):
      return !program.isContext(receiver) && !Self.quickCalls.contains(name)
        && program.isAwaited(call)
    case .unknownMethod(let name), .externalFunction(let name):
      return !Self.quickCalls.contains(name) && program.isAwaited(call)
    default: return false
    }
  }

  private static let quickCalls: Set<Name> = [
    "yield", "run", "perform", "save", "fetch", "withTaskGroup", "withThrowingTaskGroup",
    "withDiscardingTaskGroup", "checkCancellation", "print", "String", "map", "filter",
  ]

  /// Whether an async function of the sources waits for something outside of the process, or does
  /// its work away from the caller's actor.
  private func leavesProcess(
    _ function: FunctionID, from home: Isolation, _ seen: Set<FunctionID>
  ) -> Bool {
    let declaration = program.functions[function]
    guard declaration.isAsync, !seen.contains(function), seen.count < Self.depthLimit else {
      return false
    }
    guard let body = program.body(of: function) else { return true }
    let waits = program.descendants(body, .awaitMark).filter {
      program.enclosingFunction($0) == function
    }
    if waits.isEmpty { return home.isActor && !program.isolation(ofFunction: function).isActor }
    return waits.contains { mark in
      guard let expression = program.parent(mark) else { return false }
      return program.descendants(expression, .call).contains {
        $0 > mark && leaves($0, from: home, seen.union([function]))
      }
    }
  }
}
