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

  /// The call that takes a value as an argument.
  package func call(takingValueAt place: Ref) -> Ref? {
    ancestors(place).first { kind($0) == .argument }.flatMap { parent($0) }
      .flatMap { kind($0) == .call ? $0 : nil }
  }
}

extension Program {
  /// The function, initializer or accessor around a place, closures passed over.
  package func memberBody(around place: Ref) -> Ref? {
    ancestors(place).first {
      [.functionDecl, .initDecl, .accessor, .accessors].contains(kind($0))
    }
  }

  /// Whether some code is an initializer.
  package func isInitializer(_ code: Ref) -> Bool { kind(code) == .initDecl }

  /// Whether code may run at any time: an observer of a property, what a selector names, a callback.
  package func isCallback(_ place: Ref) -> Bool {
    for scope in ancestors(place) {
      switch kind(scope) {
      case .closure where time(of: scope) == .muchLater: return true
      case .accessor: return true
      case .functionDecl:
        return function(declaredAt: scope).map {
          functions[$0].attributes.contains("objc") || functions[$0].modifiers.contains("override")
        } ?? false
      default: continue
      }
    }
    return false
  }

  /// Whether a name or member is asked of the instance around it.
  package func isMemberOfSelf(_ member: Ref) -> Bool {
    guard let chain = parent(member), kind(chain) == .chain, let head = firstChild(chain) else {
      return false
    }
    return head == member || nameText(head) == "self" && sibling(after: head) == member
  }

  /// The call of a name that a place is, or stands in.
  package func call(named name: Name, around place: Ref) -> Ref? {
    ([place] + ancestors(place)).first { kind($0) == .call && calledName($0) == name }
  }

  /// Whether a property is written with `!` behind its type.
  package func isImplicitlyUnwrapped(_ property: PropertyDeclaration) -> Bool {
    guard let type = property.type else { return false }
    return written(Ref(file: Int(property.ref.file), node: type))?.plain.kind == .unwrappedType
  }

  /// Whether code inserts an object into a context only behind a use of it by its name, so that it
  /// is in none before.
  package func isInserted(behind use: Ref, in code: Ref) -> Bool {
    guard let name = nameBefore(member: use), case .local(let object)? = declared(name) else {
      return false
    }
    return calls(named: "insert", in: code).contains { call in
      call > use && isContext(receiverType(ofCall: call).unwrapped)
        && arguments(call).contains { argument in
          descendants(argument, .name).contains { declared($0) == .local(object) }
        }
    }
  }

  /// The closures that a place stands in, innermost first.
  package func closures(around place: Ref) -> [Ref] {
    ancestors(place).filter { kind($0) == .closure }
  }

  /// Whether some code is a closure.
  package func isClosure(_ code: Ref) -> Bool { kind(code) == .closure }
}
