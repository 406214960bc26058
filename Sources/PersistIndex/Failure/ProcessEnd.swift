import PersistSyntax

// MARK: - The end of the process

extension Program {
  /// Whether a statement certainly ends the process.
  func endsProcess(_ statement: Ref) -> Bool {
    guard kind(statement) == .expression,
      let chain = children(statement).last(where: { kind($0) == .chain }),
      let call = children(chain).last, kind(call) == .call
    else { return false }
    return isProcessEnd(call)
  }

  /// Whether a call ends the process: `fatalError` and its like, or a function of the sources that
  /// returns `Never` or certainly comes to one.
  package func isProcessEnd(_ call: Ref) -> Bool {
    switch callTarget(call) {
    case .externalFunction(let name): return endsByName(name, call)
    case .functions(let candidates):
      return !candidates.isEmpty && candidates.allSatisfy { certainlyEnds($0) }
    case .closure(let value): return endsProcess(value)
    case .unknownMethod(let name), .externalMethod(_, let name):
      let parts = callee(call)
      guard let first = parts.first else { return false }
      let isFree = parts.count == 1 && kind(first) == .name
      guard isFree || parts.count == 2 && Words.processModules.contains(self.name(first)) else {
        return false
      }
      return endsByName(name, call)
    default: return false
    }
  }

  private func endsByName(_ name: Name, _ call: Ref) -> Bool {
    if Words.processEnds.contains(name) { return true }
    guard name == "precondition", let first = children(call, .argument).first else { return false }
    return label(first) == .none && child(first, .expression).map { booleanLiteral($0) } == false
  }

  private func certainlyEnds(_ function: FunctionID) -> Bool {
    answer(CertainEnd(function: function))
  }

  fileprivate func findCertainEnd(_ function: FunctionID) -> Bool {
    if functions[function].returnsNever { return true }
    if isRequirement(function) {
      // Whatever implements it is what runs.
      return witnesses(of: function)?.allSatisfy { certainlyEnds($0) } ?? false
    }
    guard let body = functions[function].body else { return false }
    let block = Ref(file: Int(functions[function].ref.file), node: body)
    return certainlyEnds(children(block))
  }

  /// Whether statements come to an end of the process before they can leave their body.
  private func certainlyEnds(_ statements: [Ref]) -> Bool {
    for statement in statements {
      if endsProcess(statement) { return true }
      if kind(statement) == .ifConfig {
        let clauses = children(statement, .ifConfigClause)
        let endings = clauses.map { certainlyEnds(children($0)) }
        if hasElse(statement), endings.allSatisfy({ $0 }) { return true }
        if zip(clauses, endings).contains(where: { !$1 && mayLeave($0) }) { return false }
        continue
      }
      if mayLeave(statement) { return false }
    }
    return false
  }

  /// Whether one clause of an `#if` is compiled in any case.
  func hasElse(_ config: Ref) -> Bool {
    children(config, .ifConfigClause).last.map {
      outline($0).tokens[Int(node($0).first)].kind == .poundElse
    } ?? false
  }

  /// Whether a closure that a property or local holds ends the process: by its type, or by what the
  /// only closure that it ever is does.
  private func endsProcess(_ value: Declared) -> Bool {
    switch value {
    case .property(let id):
      if case .function(_, .external("Never", _)) = type(ofProperty: id).unwrapped { return true }
    case .local(let local):
      if case .function(_, .external("Never", _)) = type(ofLocal: local).unwrapped { return true }
    default: return false
    }
    return heldClosure(value).map { answer(CertainEndOfClosure(closure: $0)) } ?? false
  }

  fileprivate func findCertainEnd(ofClosure closure: Ref) -> Bool {
    certainlyEnds(statements(in: closure))
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

  /// The closure that a constant is made with.
  func heldClosure(_ value: Declared) -> Ref? {
    let binding: Ref
    switch value {
    case .property(let id) where properties[id].isLet: binding = properties[id].ref
    case .local(let local):
      guard let holder = parent(local), kind(holder) == .binding,
        node(holder).flags.contains(.isLet)
      else { return nil }
      binding = holder
    default: return nil
    }
    guard let expression = child(binding, .expression), children(expression).count == 1,
      let chain = child(expression, .chain), children(chain).count == 1
    else { return nil }
    return child(chain, .closure)
  }

  /// The closure that an argument is, or that the constant holds which it names.
  package func closureGiven(by argument: Ref) -> Ref? {
    if let closure = closure(of: argument) { return closure }
    guard let value = child(argument, .expression), children(value).count == 1,
      let chain = child(value, .chain), children(chain).count == 1,
      let name = child(chain, .name), let held = declared(name)
    else { return nil }
    return heldClosure(held)
  }

  /// Whether a statement holds a `return` or `throw` of its own body.
  private func mayLeave(_ statement: Ref) -> Bool {
    nodesRun(in: statement).contains { [.returnStatement, .throwStatement].contains(kind($0)) }
  }
}

/// Whether a function certainly ends the process.
private struct CertainEnd: Query {
  let function: FunctionID

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findCertainEnd(function) }
}

/// Whether a closure certainly ends the process.
private struct CertainEndOfClosure: Query {
  let closure: Ref

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findCertainEnd(ofClosure: closure) }
}
