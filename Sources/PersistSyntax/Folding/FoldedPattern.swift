/// A pattern as a tree of parts over the nodes of the expression that it was parsed as.
package struct FoldedPattern: Sendable {
  /// What a part is.
  package enum Kind: UInt8, Sendable {
    /// `_`.
    case wildcard
    /// A new name; the node is the `boundName`.
    case name
    /// `let` or `var`, the first token, and what it covers: one child.
    case binding
    /// Elements between parentheses: the children, with their labels.
    case tuple
    /// A case of an enum, named by the node, and what it carries: the children, with their labels.
    case enumCase
    /// `?` behind one child.
    case optional
    /// `is` and a type; the node is the cast.
    case test
    /// `as` and a type behind one child; the node is the cast.
    case cast
    /// Anything that is compared; the node is the expression, or a chain up to `end`.
    case expression
    /// A pattern that the code lacks.
    case missing
  }

  /// One node of the pattern.
  package struct Part: Sendable {
    /// What the part is.
    package var kind: Kind
    /// The outline's node.
    package var node: Int
    /// The token that labels an element, or `Node.noToken`.
    package var label = Node.noToken
    /// The index of the first child; -1 for none.
    package var firstChild = -1
    /// The index of the next child of the same part; -1 for none.
    package var next = -1
    /// The index of the first token.
    package var first: UInt32
    /// The index behind the last token.
    package var end: UInt32
  }

  /// The parts, each before its children.
  package private(set) var parts: [Part] = []
  /// The index of the part that is the whole pattern.
  package let root = 0

  /// The indices of a part's children in their order.
  package func children(of index: Int) -> [Int] {
    var children: [Int] = []
    var child = parts[index].firstChild
    while child >= 0 {
      children.append(child)
      child = parts[child].next
    }
    return children
  }
}

extension Outline {
  /// The pattern that a node is: a `boundName`, an `expression` or a `chain`; any other node is an
  /// expression.
  package func pattern(_ node: Int) -> FoldedPattern {
    var pattern = FoldedPattern()
    pattern.add(node, of: self)
    return pattern
  }
}

extension FoldedPattern {
  @discardableResult
  fileprivate mutating func add(_ index: Int, of outline: Outline) -> Int {
    let node = outline.nodes[index]
    switch node.kind {
    case .boundName: return addName(index, of: outline)
    case .expression: return addExpression(index, of: outline)
    case .chain: return addChain(index, of: outline, beginning: node.first)
    default: return append(.expression, index, node.first, node.end)
    }
  }

  private mutating func addName(_ index: Int, of outline: Outline) -> Int {
    let node = outline.nodes[index]
    let isWildcard = outline.tokens[Int(node.first)].kind == .wildcard
    return append(isWildcard ? .wildcard : .name, index, node.first, node.end)
  }

  private mutating func append(_ kind: Kind, _ node: Int, _ first: UInt32, _ end: UInt32) -> Int {
    parts.append(Part(kind: kind, node: node, first: first, end: end))
    return parts.count - 1
  }

  /// Adds `chain` or `chain as T`; with other operators it is an expression.
  private mutating func addExpression(_ index: Int, of outline: Outline) -> Int {
    let node = outline.nodes[index]
    let children = Array(outline.children(of: index).prefix(3))
    guard let chain = children.first else {
      return append(.missing, index, node.first, node.end)
    }
    let first = outline.nodes[chain]
    let isCast = children.count == 2 && outline.nodes[children[1]].kind == .cast
    guard first.kind == .chain, children.count == 1 || isCast else {
      return append(.expression, index, node.first, node.end)
    }
    guard isCast else { return addChain(chain, of: outline, beginning: first.first) }
    if outline.tokens[Int(first.first)].isBinder {
      let binding = append(.binding, chain, first.first, node.end)
      parts[binding].firstChild = parts.count
      addCast(children[1], behind: chain, of: outline, beginning: first.first + 1)
      return binding
    }
    return addCast(children[1], behind: chain, of: outline, beginning: first.first)
  }

  @discardableResult
  private mutating func addCast(
    _ cast: Int, behind chain: Int, of outline: Outline, beginning first: UInt32
  ) -> Int {
    let part = append(.cast, cast, first, outline.nodes[cast].end)
    parts[part].firstChild = parts.count
    _ = addChain(chain, of: outline, beginning: first)
    return part
  }

  /// Adds a chain from a token on, which lies behind the `let` tokens that are added already.
  private mutating func addChain(_ chain: Int, of outline: Outline, beginning token: UInt32) -> Int
  {
    let node = outline.nodes[chain]
    let root = parts.count
    var first = token
    var binders = 0
    while first < node.end, outline.tokens[Int(first)].isBinder {
      // Only the first counts: a further one is an error, and rows of them must not make a deep tree.
      if binders == 0 {
        let binding = append(.binding, chain, first, node.end)
        parts[binding].firstChild = parts.count
      }
      binders += 1
      first += 1
    }
    addSuffixed(chain, Array(outline.children(of: chain)), of: outline, beginning: first)
    return root
  }

  /// Adds a primary with its suffixes, the last of which may be `?`.
  private mutating func addSuffixed(
    _ chain: Int, _ children: [Int], of outline: Outline, beginning first: UInt32
  ) {
    var children = children[...]
    guard let primary = children.first, outline.nodes[primary].first == first else {
      // A prefix operator, or nothing.
      let node = outline.nodes[chain]
      _ = append(children.isEmpty ? .missing : .expression, chain, first, max(first, node.end))
      return
    }
    var optionals = 0
    while children.count > 1, let last = children.last, outline.nodes[last].kind == .optionalChain {
      children.removeLast()
      optionals += 1
    }
    // More of them than any type has would make a deep tree.
    for suffix in outline.children(of: chain).suffix(min(optionals, 16)).reversed() {
      let part = append(.optional, suffix, first, outline.nodes[suffix].end)
      parts[part].firstChild = parts.count
    }
    let end = children.last.map { outline.nodes[$0].end } ?? first
    guard children.count > 1 else { return addPrimary(primary, chain, of: outline, end: end) }
    addEnumCase(children, chain, of: outline)
  }

  private mutating func addPrimary(
    _ primary: Int, _ chain: Int, of outline: Outline, end: UInt32
  ) {
    let node = outline.nodes[primary]
    switch node.kind {
    case .boundName: _ = addName(primary, of: outline)
    case .name where outline.tokens[Int(node.first)].kind == .wildcard:
      _ = addName(primary, of: outline)
    case .cast: _ = append(.test, primary, node.first, node.end)
    case .implicitMember: _ = append(.enumCase, primary, node.first, node.end)
    case .tuple:
      let elements = Array(outline.children(of: primary).prefix(2))
      if elements.count == 1, outline.nodes[elements[0]].label == Node.noToken {
        return addElement(elements[0], of: outline)
      }
      addElements(of: primary, to: append(.tuple, primary, node.first, node.end), outline)
    default: _ = append(.expression, chain, node.first, end)
    }
  }

  /// Adds `.name(…)`, `Type.name` and `Type.name(…)`; another chain is an expression.
  private mutating func addEnumCase(
    _ children: ArraySlice<Int>, _ chain: Int, of outline: Outline
  ) {
    var names = children
    var payload: Int?
    if let last = names.last, outline.nodes[last].kind == .call {
      payload = last
      names.removeLast()
    }
    let first = outline.nodes[children[children.startIndex]]
    let last = names.last ?? chain
    let isPath = names.dropFirst().allSatisfy { outline.nodes[$0].kind == .member }
    let isCase =
      isPath && (first.kind == .implicitMember || first.kind == .name && names.count > 1)
      && (payload.map { !outline.hasTrailingClosure($0) } ?? true)
    let end = outline.nodes[children[children.endIndex - 1]].end
    guard isCase else {
      _ = append(.expression, chain, first.first, end)
      return
    }
    let part = append(.enumCase, last, first.first, end)
    if let payload { addElements(of: payload, to: part, outline) }
  }

  private mutating func addElements(of bracket: Int, to part: Int, _ outline: Outline) {
    var previous = -1
    for argument in outline.children(of: bracket) where outline.nodes[argument].kind == .argument {
      let element = parts.count
      addElement(argument, of: outline)
      parts[element].label = outline.nodes[argument].label
      if previous < 0 { parts[part].firstChild = element } else { parts[previous].next = element }
      previous = element
    }
  }

  private mutating func addElement(_ argument: Int, of outline: Outline) {
    let node = outline.nodes[argument]
    if let value = outline.children(of: argument).first(where: { _ in true }) {
      add(value, of: outline)
    } else {
      _ = append(.missing, argument, node.first, node.end)
    }
  }
}

extension Outline {
  fileprivate func hasTrailingClosure(_ call: Int) -> Bool {
    tokens[Int(nodes[call].end) - 1].kind == .rightBrace
  }
}

extension Token {
  /// Whether the token is `let` or `var`.
  fileprivate var isBinder: Bool {
    kind == .keyword && (keyword == .let || keyword == .var)
  }
}
