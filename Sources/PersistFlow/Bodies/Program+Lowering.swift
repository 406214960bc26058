import PersistIndex
import PersistSyntax

// MARK: - What the lowering asks of nodes

extension Program {
  /// Whether a declaration has a modifier.
  func hasModifier(_ declaration: Ref, _ modifier: Name) -> Bool {
    children(declaration, .modifier).contains { name($0) == modifier }
  }

  /// The label of a loop, `do`, `if` or `switch`, which stands before its first token.
  func label(ofStatement ref: Ref) -> Name {
    let outline = outline(ref)
    let first = Int(node(ref).first)
    guard first >= 2, outline.tokens[first - 1].kind == .colon,
      outline.tokens[first - 2].kind == .identifier
    else { return .none }
    return outline.name(ofToken: first - 2)
  }

  /// The prefix operator before the operand of a chain.
  func prefixOperator(of chain: Ref) -> String? {
    let view = view(chain)
    let token = Int(node(chain).first)
    switch view[token: token].kind {
    case .prefixOperator, .prefixAmpersand: return view.text(ofToken: token)
    default: return nil
    }
  }

  /// The chain behind `&` in an argument.
  func inoutChain(of argument: Ref) -> Ref? {
    guard kind(argument) == .argument, let expression = firstChild(argument),
      kind(expression) == .expression, let chain = firstChild(expression), kind(chain) == .chain,
      view(chain)[token: Int(node(chain).first)].kind == .prefixAmpersand
    else { return nil }
    return chain
  }

  /// Whether an operator is `=` alone.
  func isPlainAssignment(_ node: Ref) -> Bool {
    view(node)[token: Int(self.node(node).first)].kind == .equal
  }

  /// The clause of an `#if` that a release build compiles.
  func activeClause(of config: Ref) -> Ref? {
    children(config, .ifConfigClause).first { isActive($0, named: platform) }
  }

  /// The clauses of an `#if` that a release build may compile: several where nobody knows whether a
  /// condition holds.
  func activeClauses(of config: Ref) -> [Ref] {
    children(config, .ifConfigClause).filter { isActive($0, named: platform) }
  }

  /// The code that works a local variable out each time it is read.
  func getter(ofBinding binding: Ref) -> Ref? {
    guard let accessors = child(binding, .accessors) else { return nil }
    return children(accessors, .accessor).first {
      !["set", "willSet", "didSet", "_modify"].contains(name($0)) && child($0, .block) != nil
    }
  }

  /// Whether a local is worked out each time it is read.
  func isComputed(local: Ref) -> Bool {
    guard kind(local) == .boundName,
      let binding = ancestors(local).first(where: { ![.namePattern].contains(kind($0)) }),
      kind(binding) == .binding
    else { return false }
    return getter(ofBinding: binding) != nil
  }

  /// Whether a called name stands for something that belongs to the instance around it.
  func isMember(_ name: Ref) -> Bool {
    guard case .functions(let ids)? = declared(name) else {
      return declared(name) == nil && nameText(name).first?.isLowercase == true
    }
    return ids.contains { functions[$0].owner != nil && !functions[$0].isStatic }
  }
}
