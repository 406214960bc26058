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
