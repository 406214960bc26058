import PersistSyntax

// MARK: - The collection whose elements a closure gets

extension Program {
  /// The collection whose elements a closure is called with: `items.forEach { $0 … }`,
  /// `zip(items, others).map { item, other in … }`, `Dictionary(grouping: items) { $0 … }`.
  func elementRoot(_ closure: Ref, _ index: Int, type: SwiftType, _ trail: Trail) -> ValueRoot? {
    guard contains(trail.scope, closure), holdsModel(type), let (call, _) = callTaking(closure),
      let chain = parent(call)
    else { return nil }
    let method = calledName(call)
    if method == "Dictionary", let grouped = argument(call, "grouping") {
      return child(grouped, .chain).flatMap { elementRoot(in: $0, upTo: nil, type: type, trail) }
    }
    guard Words.elementMethods.contains(method) || method == "reduce" else { return nil }
    if let zipped = zippedChains(chain), !zipped.isEmpty {
      return elementRoot(in: zipped[min(index, zipped.count - 1)], upTo: nil, type: type, trail)
    }
    return elementRoot(in: chain, upTo: call, type: type, trail)
  }

  /// Whether a value is a model, or a tuple with one, as `enumerated()` gives it.
  private func holdsModel(_ type: SwiftType) -> Bool {
    if case .tuple(let parts, _) = type { return parts.contains { model(in: $0) != nil } }
    return model(in: type) != nil
  }

  /// The chains that `zip` joins at the beginning of an expression or chain.
  func zippedChains(_ value: Ref) -> [Ref]? {
    guard let chain = kind(value) == .chain ? value : child(value, .chain) else { return nil }
    let parts = children(chain)
    guard parts.count > 1, kind(parts[0]) == .name, name(parts[0]) == "zip",
      declared(parts[0]) == nil, kind(parts[1]) == .call
    else { return nil }
    let chains = children(parts[1], .argument).compactMap { argument in
      child(argument, .expression).flatMap { child($0, .chain) }
    }
    return chains.count == children(parts[1], .argument).count ? chains : nil
  }

  /// The collection that a chain begins with, up to a call that takes a closure.
  func elementRoot(in chain: Ref, upTo call: Ref?, type: SwiftType, _ trail: Trail) -> ValueRoot? {
    let parts = children(chain)
    guard let first = parts.first, kind(first) == .name,
      let root = root(of: first, trail.next), !root.isOwnProperty,
      let (index, _) = firstModel(in: chain, from: root.type, upTo: call)
    else { return nil }
    return ValueRoot(
      source: declaration(of: parts[index], in: chain) ?? root.source, type: type,
      text: valueText(parts, index, root), isElement: true)
  }
}
