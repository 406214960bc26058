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

/// What functions do to objects: worked out from those that delete and save by themselves up to
/// their callers, until nothing changes any more.
final class LifeSummaries {
  private unowned let program: Program
  private var known: [FunctionID: LifeSummary] = [:]
  private var savers: Set<FunctionID> = []
  private var assigners: [FunctionID: Bool] = [:]

  init(_ program: Program) {
    self.program = program
    findSavers()
    findFates()
  }

  /// What a function does.
  func summary(of function: FunctionID) -> LifeSummary {
    if let found = known[function] { return found }
    var summary = LifeSummary()
    summary.saves = savers.contains(function)
    summary.changesProperties = changesProperties(function)
    return summary
  }

  private func changesProperties(_ function: FunctionID) -> Bool {
    if let found = assigners[function] { return found }
    let found = program.body(of: function).map { assignsProperty($0) } ?? false
    assigners[function] = found
    return found
  }

  // MARK: Saves

  private func findSavers() {
    var queue = Set(
      program.contextSaves.filter { isCertain($0) }.compactMap { program.enclosingFunction($0) }
    ).sorted()
    while let function = queue.popLast() {
      guard savers.insert(function).inserted else { continue }
      for call in program.callers(of: function) where isCertain(call) {
        guard program.functions(calledBy: call) == [function],
          let caller = program.enclosingFunction(call)
        else { continue }
        queue.append(caller)
      }
    }
  }

  /// Whether a call runs whenever its function does, but for a look whether there are changes.
  private func isCertain(_ call: Ref) -> Bool {
    guard let function = program.enclosingFunction(call), let body = program.body(of: function),
      !program.ancestors(call).prefix(while: { $0 != body }).contains(where: {
        program.kind($0) == .closure && !program.runsInPlace($0)
          || program.kind($0) == .catchClause
      })
    else { return false }
    return program.conditions(before: call, in: body).allSatisfy { condition in
      program.names("hasChanges", in: condition) || program.kind(condition) == .optionalBinding
    }
  }

  // MARK: Fates

  private func findFates() {
    var rounds: [FunctionID: Int] = [:]
    var queue = Set(
      program.calls(named: "delete").filter { !program.files[Int($0.file)].isTest }
        .compactMap { program.enclosingFunction($0) }
    ).sorted()
    while !queue.isEmpty {
      let function = queue.removeFirst()
      guard let body = program.body(of: function),
        program.isWithin(rounds[function, default: 0], .fateRounds)
      else { continue }
      rounds[function, default: 0] += 1
      let found = work(out: function, body)
      guard found != summary(of: function) else { continue }
      known[function] = found
      queue += Set(program.callers(of: function).compactMap { program.enclosingFunction($0) })
        .sorted()
    }
  }

  private func work(out function: FunctionID, _ body: Ref) -> LifeSummary {
    var summary = LifeSummary()
    summary.changesProperties = changesProperties(function)
    summary.saves = savers.contains(function)
    let walk = LifeWalk(program, self)
    var state = LifeState()
    let declaration = program.functions[function]
    var given: [(index: Int, object: Int)] = []
    for (index, parameter) in declaration.parameters.enumerated() {
      let place = Ref(file: Int(declaration.ref.file), node: parameter.node)
      if let object = walk.held(.local(place), at: body, &state) { given.append((index, object)) }
    }
    let own = declaration.isStatic ? nil : walk.held(.own, at: declaration.ref, &state)
    guard !given.isEmpty || own != nil else { return summary }
    let end = walk.walk(list: body, state)
    let ends = walk.exits + (end.map { [$0] } ?? [])
    for (index, object) in given { summary.parameters[index] = fate(of: object, ends) }
    summary.own = own.flatMap { fate(of: $0, ends) }
    return summary
  }

  /// What becomes of an object on each way out.
  private func fate(of object: Int, _ ends: [LifeState]) -> LifeSummary.Fate? {
    guard !ends.isEmpty else { return nil }
    let found = ends.map { $0.ends[object] }
    guard found.allSatisfy({ $0 != nil && $0?.branch == nil }) else { return nil }
    return found.allSatisfy { $0?.save != nil } ? .saved : .deleted
  }

  private func assignsProperty(_ body: Ref) -> Bool {
    program.descendants(body, .expression).contains { expression in
      guard let last = program.assignment(expression).flatMap({ program.lastPart(ofTarget: $0) }),
        let id = program.property(usedBy: last)
      else { return false }
      return program.model(in: program.type(ofProperty: id)) != nil
    }
  }
}
