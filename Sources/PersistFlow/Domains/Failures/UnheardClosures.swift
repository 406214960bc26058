import PersistIndex
import PersistSyntax

// MARK: - Closures that nobody gives

extension Program {
  /// Whether a statement does nothing but to call a closure that nobody gives; at once, or elsewhere.
  func tellsNobody(_ statement: Ref) -> Bool {
    let calls = descendants(statement, .call)
    let told = calls.filter { callsNobody($0) }
    guard !told.isEmpty, descendants(statement, .throwStatement).isEmpty,
      descendants(statement, .expression).allSatisfy({ assignment($0) == nil })
    else { return false }
    return calls.allSatisfy { call in
      told.contains { $0 == call || contains(call, $0) || contains($0, call) }
    }
  }

  /// The name of the closure that a path calls and nobody gives.
  package func unheardClosure(on path: FailurePath) -> String? {
    path.nodes.flatMap { descendants($0, .call) }.first { callsNobody($0) }.map { calledText($0) }
  }

  /// Whether a call calls a closure that is optional, or has a default, and that nobody gives.
  private func callsNobody(_ call: Ref) -> Bool {
    guard case .closure(let closure) = callTarget(call) else { return false }
    var seen: Set<Ref> = []
    return isNobody(closure, &seen)
  }

  private func isNobody(_ closure: Declared, _ seen: inout Set<Ref>) -> Bool {
    switch closure {
    // What only hands a closure to itself is given none.
    case .local(let local) where !seen.insert(local).inserted: return true
    case .local(let local) where kind(local) == .parameter: return isGivenByNobody(local, &seen)
    case .local(let local): return unwrapped(by: local).map { isNobody($0, &seen) } ?? false
    case .property(let id): return isSetByNobody(id)
    default: return false
    }
  }

  private func isGivenByNobody(_ local: Ref, _ seen: inout Set<Ref>) -> Bool {
    guard let list = parent(local), let declaration = parent(list),
      let id = function(declaredAt: declaration), case let function = functions[id],
      let index = function.parameters.firstIndex(where: { $0.node == Int(local.node) }),
      function.modifiers.allSatisfy({ !["public", "open", "override"].contains($0) }),
      child(local, .expression).map({ doesNothing($0) }) ?? true,
      holders(ofFunction: id).isEmpty
    else { return false }
    let calls = shippingCallers(of: id)
    return !calls.isEmpty
      && calls.allSatisfy { call in
        guard let given = arguments(of: call, for: index, of: function) else { return false }
        return given.allSatisfy { isNobody($0, &seen) }
      }
  }

  /// Whether an argument is `nil`, or a closure that came in and that nobody gives.
  private func isNobody(_ argument: Ref, _ seen: inout Set<Ref>) -> Bool {
    guard let value = child(argument, .expression) else { return false }
    return isNil(value) || named(by: value).map { isNobody($0, &seen) } ?? false
  }

  /// Whether a value is `nil`, or a closure without code.
  private func doesNothing(_ value: Ref) -> Bool {
    if isNil(value) { return true }
    guard let closure = closureGiven(by: value), kind(closure) == .closure else { return false }
    return statements(in: closure).isEmpty
  }

  /// What `if let name` unwraps.
  private func unwrapped(by local: Ref) -> Declared? {
    guard let binding = parent(local), kind(binding) == .optionalBinding else { return nil }
    guard let value = child(binding, .expression) else {
      return lookUp(name(local), from: binding).flatMap { $0 == .local(local) ? nil : $0 }
    }
    return named(by: value)
  }

  /// What a value that is one name means.
  private func named(by value: Ref) -> Declared? {
    guard let chain = child(value, .chain), children(value).count == 1,
      children(chain).count == 1, let name = child(chain, .name)
    else { return nil }
    return declared(name)
  }

  /// Whether nothing sets a property of a class that is `nil` at first.
  private func isSetByNobody(_ id: PropertyID) -> Bool {
    let property = properties[id]
    guard let owner = property.owner, [.classDecl, .actorDecl].contains(types[owner].kind),
      case .optional = type(ofProperty: id), !property.isComputed, !property.isLet,
      property.initializer.map({ isNil(Ref(file: Int(property.ref.file), node: $0)) }) ?? true,
      property.modifiers.allSatisfy({ !["public", "open"].contains($0) })
    else { return false }
    return uses(of: [property.name]).allSatisfy { assignment(toWhatEndsWith: $0) == nil }
  }
}
