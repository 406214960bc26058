import PersistSyntax

// MARK: - Patterns

// A part of a pattern is a node of its file like any other. It stands behind the nodes of the outline, as
// folded expressions do: `source` is what stands for it there, and `pattern(binding:)` the way back.
extension Program {
  /// The pattern of a binding, condition, loop or case; nil where it is missing.
  package func pattern(of binder: Ref) -> Ref? {
    let file = Int(binder.file)
    return views.folded(file, declarations).pattern(of: Int(binder.node)).map {
      Ref(file: file, node: $0)
    }
  }

  /// The value behind `=` in a binding or condition.
  package func value(ofBinding binding: Ref) -> Ref? {
    BindingView(nodeView(binding))?.value?.ref
  }

  /// The binding, condition, loop or case whose pattern or value a name stands in, closures and blocks
  /// left out.
  package func binder(ofName name: Ref) -> Ref? {
    var next = parent(name)
    while let current = next {
      switch kind(current) {
      case .binding, .optionalBinding, .caseCondition, .forStatement, .caseItem: return current
      case .block, .closure, .members: return nil
      default: next = parent(current)
      }
    }
    return nil
  }

  /// The part of a pattern that is a bound name; nil for any other node.
  package func pattern(binding name: Ref) -> Ref? {
    guard kind(name) == .boundName else { return nil }
    guard let whole = binder(ofName: name).flatMap({ pattern(of: $0) }) else { return nil }
    return folded(in: whole, for: name) { $0 == .namePattern || $0 == .wildcardPattern }
  }

  /// The elements of tuples and cases that a bound name stands in, the innermost first.
  package func patternElements(around name: Ref) -> [Ref] {
    var found: [Ref] = []
    var next = pattern(binding: name)
    while let current = next, kind(current).isPattern {
      if kind(current) == .patternElement { found.append(current) }
      next = parent(current)
    }
    return found
  }

  /// The innermost case out of whose payload a pattern takes a name, and the part that it takes.
  package func payload(binding name: Ref) -> (enumCase: Ref, index: Int)? {
    for element in patternElements(around: name) {
      guard let holder = parent(element), kind(holder) == .casePattern else { continue }
      return children(holder).firstIndex(of: element).map { (holder, $0) }
    }
    return nil
  }

  /// The node beneath a folded one that a node of the outline stands for.
  func folded(in whole: Ref, for source: Ref, where isWanted: (Node.Kind) -> Bool) -> Ref? {
    let view = view(source)
    let first = view[node: Int(source.node)].first
    // Each folded node begins where the one before it does, or behind that.
    var low = Int(whole.node)
    var high = view.end(ofSubtree: Int(whole.node))
    let end = high
    while low < high {
      let middle = (low + high) / 2
      if view[node: middle].first < first { low = middle + 1 } else { high = middle }
    }
    while low < end, view[node: low].first == first {
      if isWanted(view[node: low].kind), Int(view[node: low].label) == Int(source.node) {
        return Ref(file: Int(source.file), node: low)
      }
      low += 1
    }
    return nil
  }
}
