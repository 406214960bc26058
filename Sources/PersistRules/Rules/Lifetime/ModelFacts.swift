import PersistIndex
import PersistSyntax

// MARK: - What lifetimes need to know of a model

extension Program {
  /// The expression behind parentheses, `try` and `await`: its parts without the marks.
  func bareParts(_ expression: Ref) -> [Ref] {
    children(expression).filter { kind($0) != .tryMark && kind($0) != .awaitMark }
  }

  /// The parts of an expression that is nothing but one chain.
  func chainParts(_ expression: Ref) -> [Ref]? {
    var node = expression
    if kind(node) == .argument {
      guard let inner = children(node).first else { return nil }
      node = inner
    }
    if kind(node) == .chain { return children(node) }
    guard kind(node) == .expression else { return nil }
    let parts = bareParts(node)
    guard parts.count == 1, kind(parts[0]) == .chain else { return nil }
    return children(parts[0])
  }

  /// The local or property that an expression only names, `self.` before it or not.
  func named(_ expression: Ref) -> Declared? {
    guard let parts = chainParts(expression) else { return nil }
    let plain = parts.filter { kind($0) != .optionalChain && kind($0) != .force }
    if plain.count == 1, kind(plain[0]) == .name { return declared(plain[0]) }
    guard plain.count == 2, nameText(plain[0]) == "self", kind(plain[1]) == .member else {
      return nil
    }
    return property(usedBy: plain[1]).map { .property($0) }
  }
}
