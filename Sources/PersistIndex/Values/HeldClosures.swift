import PersistSyntax

// MARK: - Closures that constants hold

extension Program {
  /// The closure that a constant is made with.
  package func heldClosure(_ value: Declared) -> Ref? {
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
}

// MARK: - Closures that constants hold

extension Program {
  /// The closure that a call runs, when a constant holds it.
  package func closure(calledBy call: Ref) -> Ref? {
    guard case .closure(let held) = callTarget(call) else { return nil }
    let value: Ref?
    switch held {
    case .local(let local):
      value = parent(local).flatMap { kind($0) == .binding ? child($0, .expression) : nil }
    case .property(let id) where properties[id].isStatic || properties[id].initializer != nil:
      guard properties[id].isLet || properties[id].isStatic else { return nil }
      value = properties[id].initializer.map { Ref(file: Int(properties[id].ref.file), node: $0) }
    case .property(let id):
      value = givenValues(of: id).flatMap { $0.count == 1 ? $0[0] : nil }
    default: value = nil
    }
    guard let value else { return nil }
    return closure(of: value) ?? onlyClosure(in: value)
  }

  private func onlyClosure(in expression: Ref) -> Ref? {
    if kind(expression) == .closure { return expression }
    let parts = children(expression)
    guard parts.count == 1, kind(parts[0]) == .chain, children(parts[0]).count == 1 else {
      return nil
    }
    return child(parts[0], .closure)
  }
}
