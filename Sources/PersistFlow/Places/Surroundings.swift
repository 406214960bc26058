import PersistIndex
import PersistSyntax

// MARK: - What stands around a place, and in it

extension Program {
  /// The expression that a `try?` or `try!` marks.
  package func expression(markedBy mark: Ref) -> Ref { parent(mark) ?? mark }

  /// Whether a place is a `catch` clause.
  package func isCatchClause(_ place: Ref) -> Bool { kind(place) == .catchClause }

  /// The type declaration or extension that a place stands in, or the file.
  package func typeCode(around place: Ref) -> Ref {
    ancestors(place).first { type(declaredAt: $0) != nil } ?? Ref(file: Int(place.file), node: 0)
  }

  /// The innermost function or property around a place.
  package func memberCode(around place: Ref) -> Ref? {
    ancestors(place).first { function(declaredAt: $0) != nil || property(declaredAt: $0) != nil }
  }

  /// The body of the function around a place.
  package func enclosingFunctionBody(_ place: Ref) -> Ref? {
    enclosingFunction(place).flatMap { body(of: $0) }
  }

  /// The outermost function, accessor or initial value around a place.
  package func outermostCode(around place: Ref) -> Ref {
    var found = place
    for outer in ancestors(place) {
      switch kind(outer) {
      case .functionDecl, .initDecl, .deinitDecl, .accessor, .subscriptDecl: found = outer
      case .members, .file: return found
      case .binding where property(declaredAt: outer) != nil && found == place: found = outer
      default: break
      }
    }
    return found
  }

  /// The calls with a name in some code, in source order.
  package func calls(named name: Name, in code: Ref) -> [Ref] {
    calls(named: name).filter { contains(code, $0) }
  }

  /// Whether each closure between a place and the body around it runs at once, so that the place runs
  /// on the body's turn.
  package func runsOnTurn(
    _ place: Ref, of body: Ref, counting isOnTurn: (Ref) -> Bool = { _ in false }
  ) -> Bool {
    for scope in ancestors(place) {
      if scope == body { return true }
      switch kind(scope) {
      case .closure: guard isOnTurn(scope) || time(of: scope) == .atOnce else { return false }
      case .functionDecl: return false
      default: break
      }
    }
    return false
  }

  /// Whether a place runs at most once, and at once, when the function around it runs.
  package func runsOnceAtOnce(_ place: Ref) -> Bool {
    ancestors(place).prefix { ![.functionDecl, .initDecl, .accessors].contains(kind($0)) }
      .allSatisfy { scope in
        switch kind(scope) {
        case .closure: time(of: scope) == .atOnce
        case .forStatement, .whileStatement, .repeatStatement: false
        default: true
        }
      }
  }

  /// Whether a place stands in an argument with one of some labels, of a call of one of some names.
  package func stands(_ place: Ref, inArgument labels: Set<Name>, of names: Set<Name>) -> Bool {
    ancestors(place).contains { argument in
      guard kind(argument) == .argument, labels.contains(label(argument)),
        let call = parent(argument)
      else { return false }
      return names.contains(calledName(call))
    }
  }

  /// Whether a function hands what comes in by a parameter to a call of a name, as its first argument.
  package func handsParameter(_ function: FunctionID, to name: Name) -> Bool {
    calls(named: name).contains { call in
      enclosingFunction(call) == function && parameterGiven(to: call) != nil
    }
  }

  /// The parameter that the first argument of a call is.
  package func parameterGiven(to call: Ref) -> Ref? {
    guard let argument = arguments(call).first, let value = firstChild(argument),
      let name = onlyName(of: value), case .local(let local)? = declared(name),
      kind(local) == .parameter
    else { return nil }
    return local
  }

  /// The name that an expression is and nothing else, but for `try` and `await`.
  private func onlyName(of value: Ref) -> Ref? {
    var node = value
    if kind(node) == .expression {
      let parts = children(node).filter { kind($0) != .tryMark && kind($0) != .awaitMark }
      guard parts.count == 1 else { return nil }
      node = parts[0]
    }
    guard kind(node) == .chain, let name = firstChild(node), isOnlyChild(name), kind(name) == .name
    else { return nil }
    return name
  }

  /// Whether a call is handed a closure without code.
  package func runsNothing(_ call: Ref) -> Bool {
    guard let closure = arguments(call).last, kind(closure) == .closure else { return false }
    return statements(in: closure).isEmpty
  }
}

extension Program {
  /// The first parameter that a closure names.
  package func firstParameter(ofClosure closure: Ref) -> Ref? {
    child(closure, .parameters).flatMap { child($0, .parameter) }
  }

  /// The called name of the call that takes a value as an argument.
  package func calledNode(takingValueAt place: Ref) -> Ref? {
    ancestors(place).first { kind($0) == .argument }.flatMap { parent($0) }
      .flatMap { kind($0) == .call ? calledNode($0) : nil }
  }
}
