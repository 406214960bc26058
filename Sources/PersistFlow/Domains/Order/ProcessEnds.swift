import PersistIndex
import PersistSyntax

/// The functions and closures of the sources that end the process on each way through them.
private final class ProcessEnds {
  private unowned let program: Program
  private var functions: Set<FunctionID> = []
  private var closures: Set<Ref> = []
  /// The functions that surely have something end the process that runs soon.
  private var starters: Set<FunctionID> = []
  /// Calls that may be ends, of which the code around them isn't judged yet.
  private var pending: [Ref] = []

  init(_ program: Program) {
    self.program = program
    let held = program.uses(of: ["Never"]).flatMap { use in
      program.ancestors(use).prefix { program.kind($0) != .members }
        .filter { [.binding, .parameter].contains(program.kind($0)) }
        .flatMap { [program.name($0)] + program.descendants($0, .boundName).map(program.name) }
    }
    let names = Words.processEnds.union(held).union(["precondition"]).subtracting([.none])
    pending = names.flatMap { program.calls(named: $0) }
    // One that may throw is judged by its body.
    for (id, function) in program.functions.enumerated()
    where function.returnsNever && !function.isThrowing { add(id) }
    while let call = pending.popLast() {
      if contains(call) { judge(around: call) }
    }
  }

  /// Whether a call surely ends the process, as far as is known.
  func contains(_ call: Ref) -> Bool {
    switch program.callTarget(call) {
    case .externalFunction(let name): return isEnd(name, call)
    case .functions(let candidates):
      return !candidates.isEmpty && candidates.allSatisfy { functions.contains($0) }
    case .closure(let value):
      return program.returnsNever(value)
        || program.heldClosure(value).map { closures.contains($0) } ?? false
    case .unknownMethod(let name), .externalMethod(_, let name):
      let parts = program.callee(call)
      guard let first = parts.first else { return false }
      let isFree = parts.count == 1 && program.kind(first) == .name
      guard isFree || parts.count == 2 && Words.processModules.contains(program.name(first)) else {
        return false
      }
      return isEnd(name, call)
    default: return false
    }
  }

  private func isEnd(_ name: Name, _ call: Ref) -> Bool {
    if Words.endsProcess(name) { return true }
    guard name == "precondition", let first = program.arguments(call).first else { return false }
    return program.label(first) == .none
      && program.child(first, .expression).map { program.booleanLiteral($0) } == false
  }

  /// Takes the function or closure around an end, if each way through it comes to one.
  private func judge(around call: Ref) {
    guard let place = program.enclosingBody(call),
      [.functionDecl, .closure].contains(program.kind(place))
    else { return }
    // Of the clauses of an `#if` each one has to come to an end.
    let config = program.ancestors(call).prefix { $0 != place }.last {
      program.kind($0) == .ifConfig
    }
    var clauses = [call]
    if let config {
      guard program.hasElse(config) else { return }
      clauses = program.children(config, .ifConfigClause).map { program.firstChild($0) ?? $0 }
    }
    guard clauses.allSatisfy(surelyEnds(around:)) else { return }
    if let function = program.function(declaredAt: place) {
      add(function)
    } else if closures.insert(place).inserted {
      if let value = program.holder(ofClosure: place) {
        pending += program.calls(ofClosure: value)
      } else if program.runsNow(place), let (taker, _) = program.callTaking(place) {
        start(around: taker)
      }
    }
  }

  private func start(around call: Ref) {
    guard let place = program.enclosingBody(call), let id = program.function(declaredAt: place),
      let body = program.body(of: id), program.runsWhenever(call, in: body),
      starters.insert(id).inserted
    else { return }
    program.callers(of: id).forEach(start)
  }

  /// Whether a call of a function has something end the process that runs soon.
  func isStart(_ call: Ref) -> Bool {
    guard case .functions(let candidates) = program.callTarget(call) else { return false }
    return !candidates.isEmpty && candidates.allSatisfy { starters.contains($0) }
  }

  /// Whether no way through the body around a node returns or throws.
  private func surelyEnds(around node: Ref) -> Bool {
    let facts = program.loweredCode.facts(for: node)
    guard let id = facts.body(around: node), !facts.bodies[id].isCut else { return false }
    let ends = MissingWays(Order(program: program, isEnd: contains), facts, id, []).ends
    return ends.returned.isEmpty && !ends.throwsOn
  }

  private func add(_ function: FunctionID) {
    guard functions.insert(function).inserted else { return }
    pending += program.callers(of: function)
    // A requirement ends the process where whatever implements it does.
    for other in program.functions(named: program.functions[function].name) {
      if let witnesses = program.witnesses(of: other), witnesses.contains(function),
        witnesses.allSatisfy({ functions.contains($0) })
      {
        add(other)
      }
    }
  }
}

// MARK: - The end of the process

extension Program {
  private var processEnds: ProcessEnds { once(evenInQueries: true) { ProcessEnds($0) } }

  /// Whether a call ends the process: `fatalError` and its like, or a function of the sources that
  /// returns `Never` or comes to one on each way.
  package func isProcessEnd(_ call: Ref) -> Bool { processEnds.contains(call) }

  /// The calls on a failure path that end the process, in source order.
  package func processEnds(on path: FailurePath) -> [Ref] {
    path.nodes.flatMap { root in
      nodesRun(in: root).filter { node in
        guard kind(node) == .call else { return false }
        return leadsToProcessEnd(node) || node == path.head && calledName(node) == "precondition"
      }
    }
  }

  /// Whether a call ends the process, or has something end it that runs soon.
  func leadsToProcessEnd(_ call: Ref) -> Bool {
    processEnds.contains(call) || processEnds.isStart(call)
  }

  /// Whether a statement surely ends the process.
  func endsProcess(_ statement: Ref) -> Bool {
    guard kind(statement) == .expression,
      let chain = children(statement).last(where: { kind($0) == .chain }),
      let call = children(chain).last, kind(call) == .call
    else { return false }
    return isProcessEnd(call)
  }

  /// Whether a function is a placeholder: all it does is end the process, or throw after a failing
  /// assertion.
  package func isPlaceholder(_ id: FunctionID) -> Bool {
    guard let body = body(of: id), let last = children(body).last else { return false }
    let before = children(body).dropLast()
    return endsProcess(last) && before.isEmpty
      || kind(last) == .throwStatement && !before.isEmpty
        && before.allSatisfy { statement in
          let calls = descendants(statement, .call)
          return calls.count == 1 && calledName(calls[0]) == "assertionFailure"
        }
  }

  /// Whether what holds a closure says that this never returns.
  fileprivate func returnsNever(_ value: Declared) -> Bool {
    let type: SwiftType
    switch value {
    case .property(let id): type = self.type(ofProperty: id)
    case .local(let local): type = self.type(ofLocal: local)
    default: return false
    }
    if case .function(_, .external("Never", _)) = type.unwrapped { return true }
    return false
  }

  /// The constant that a closure is the value of.
  fileprivate func holder(ofClosure closure: Ref) -> Declared? {
    guard
      let binding = ancestors(closure).first(where: { ![.chain, .expression].contains(kind($0)) }),
      kind(binding) == .binding
    else { return nil }
    let property = properties(inFile: Int(binding.file)).first { properties[$0].ref == binding }
    let value =
      property.map { Declared.property($0) }
      ?? descendants(binding, .boundName).first.map { Declared.local($0) }
    return value.flatMap { heldClosure($0) == closure ? $0 : nil }
  }
}
