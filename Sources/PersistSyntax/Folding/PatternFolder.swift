/// Makes nodes of patterns, which are parsed as expressions.
struct PatternFolder {
  private let outline: Outline
  /// All folded nodes so far; the indices go on behind those of the outline.
  private(set) var nodes: [Node]
  /// The places in `nodes` of those whose children are still added, outermost first.
  private var unclosed: [Int] = []
  /// The node of the outline that is the whole pattern.
  private var whole = 0

  init(_ outline: Outline, behind nodes: [Node]) {
    self.outline = outline
    self.nodes = nodes
  }

  /// Makes nodes of a `boundName`, an `expression` or a `chain`; any other node is an expression.
  /// Returns the index of the node that is the whole pattern.
  mutating func fold(_ pattern: Int) -> Int {
    whole = pattern
    let root = outline.nodes.count + nodes.count
    add(pattern)
    return root
  }

  private mutating func add(_ index: Int) {
    let depth = unclosed.count
    let node = outline.nodes[index]
    switch node.kind {
    case .boundName: addName(index)
    case .expression: addExpression(index)
    case .chain: addChain(index, beginning: node.first)
    default: append(.expressionPattern, index, node.first, node.end)
    }
    close(downTo: depth)
  }

  // MARK: Nodes

  /// Begins a node, whose children are added until it is closed.
  private mutating func open(
    _ kind: Node.Kind, _ source: Int, _ first: UInt32, _ end: UInt32, _ flags: Node.Flags? = nil
  ) {
    let parent = unclosed.last.map { outline.nodes.count + $0 } ?? whole
    unclosed.append(nodes.count)
    let node = outline.nodes[source]
    nodes.append(
      Node(
        kind: kind, flags: flags ?? node.flags, first: first, end: end, subtreeEnd: 0,
        parent: UInt32(truncatingIfNeeded: parent), name: node.name,
        label: UInt32(truncatingIfNeeded: source)))
  }

  private mutating func close(downTo depth: Int) {
    let end = UInt32(truncatingIfNeeded: outline.nodes.count + nodes.count)
    while unclosed.count > depth { nodes[unclosed.removeLast()].subtreeEnd = end }
  }

  private mutating func append(
    _ kind: Node.Kind, _ source: Int, _ first: UInt32, _ end: UInt32
  ) {
    open(kind, source, first, end)
    close(downTo: unclosed.count - 1)
  }

  // MARK: Patterns

  private mutating func addName(_ index: Int) {
    let node = outline.nodes[index]
    let isWildcard = outline.tokens[Int(node.first)].kind == .wildcard
    append(isWildcard ? .wildcardPattern : .namePattern, index, node.first, node.end)
  }

  /// Adds `chain` or `chain as T`; with other operators it is an expression.
  private mutating func addExpression(_ index: Int) {
    let node = outline.nodes[index]
    let children = Array(outline.children(of: index).prefix(3))
    guard let chain = children.first else {
      return append(.missingPattern, index, node.first, node.end)
    }
    let first = outline.nodes[chain]
    let isCast = children.count == 2 && outline.nodes[children[1]].kind == .cast
    guard first.kind == .chain, children.count == 1 || isCast else {
      return append(.expressionPattern, index, node.first, node.end)
    }
    guard isCast else { return addChain(chain, beginning: first.first) }
    var token = first.first
    if let flags = outline.binder(token) {
      open(.bindingPattern, chain, token, node.end, flags)
      token += 1
    }
    open(.castPattern, children[1], token, node.end)
    addChain(chain, beginning: token)
  }

  /// Adds a chain from a token on, which stands behind the `let` that is added already.
  private mutating func addChain(_ chain: Int, beginning token: UInt32) {
    let node = outline.nodes[chain]
    var first = token
    while first < node.end, let flags = outline.binder(first) {
      // Only the first counts: a further one is an error, and rows of them must not make a deep tree.
      if first == token { open(.bindingPattern, chain, first, node.end, flags) }
      first += 1
    }
    addSuffixed(chain, Array(outline.children(of: chain)), beginning: first)
  }

  /// Adds a primary with its suffixes, the last of which may be `?`.
  private mutating func addSuffixed(_ chain: Int, _ children: [Int], beginning first: UInt32) {
    var children = children[...]
    guard let primary = children.first, outline.nodes[primary].first == first else {
      // A prefix operator, or nothing.
      let node = outline.nodes[chain]
      return append(
        children.isEmpty ? .missingPattern : .expressionPattern, chain, first, max(first, node.end))
    }
    var optionals = 0
    while children.count > 1, let last = children.last, outline.nodes[last].kind == .optionalChain {
      // More of them than any type has would make a deep tree.
      if optionals < 16 { open(.optionalPattern, last, first, outline.nodes[last].end) }
      optionals += 1
      children.removeLast()
    }
    let end = children.last.map { outline.nodes[$0].end } ?? first
    guard children.count > 1 else { return addPrimary(primary, chain, end: end) }
    addCase(children, chain)
  }

  private mutating func addPrimary(_ primary: Int, _ chain: Int, end: UInt32) {
    let node = outline.nodes[primary]
    switch node.kind {
    case .boundName: addName(primary)
    case .name where outline.tokens[Int(node.first)].kind == .wildcard: addName(primary)
    case .cast: append(.testPattern, primary, node.first, node.end)
    case .implicitMember: append(.casePattern, primary, node.first, node.end)
    case .tuple:
      let elements = Array(outline.children(of: primary).prefix(2))
      if elements.count == 1, outline.nodes[elements[0]].label == Node.noToken {
        return addPart(elements[0])
      }
      open(.tuplePattern, primary, node.first, node.end)
      addElements(of: primary)
    default: append(.expressionPattern, chain, node.first, end)
    }
  }

  /// Adds `.name(…)`, `Type.name` and `Type.name(…)`; another chain is an expression.
  private mutating func addCase(_ children: ArraySlice<Int>, _ chain: Int) {
    var names = children
    var payload: Int?
    if let last = names.last, outline.nodes[last].kind == .call {
      payload = last
      names.removeLast()
    }
    let first = outline.nodes[children[children.startIndex]]
    let isPath = names.dropFirst().allSatisfy { outline.nodes[$0].kind == .member }
    let isCase =
      isPath && (first.kind == .implicitMember || first.kind == .name && names.count > 1)
      && (payload.map { !outline.hasTrailingClosure($0) } ?? true)
    let end = outline.nodes[children[children.endIndex - 1]].end
    guard isCase, let name = names.last else {
      return append(.expressionPattern, chain, first.first, end)
    }
    open(.casePattern, name, first.first, end)
    if let payload { addElements(of: payload) }
  }

  private mutating func addElements(of bracket: Int) {
    for argument in outline.children(of: bracket) where outline.nodes[argument].kind == .argument {
      let node = outline.nodes[argument]
      open(.patternElement, argument, node.first, node.end)
      addPart(argument)
      close(downTo: unclosed.count - 1)
    }
  }

  /// Adds what an argument holds.
  private mutating func addPart(_ argument: Int) {
    let node = outline.nodes[argument]
    guard argument + 1 < Int(node.subtreeEnd) else {
      return append(.missingPattern, argument, node.first, node.end)
    }
    add(argument + 1)
  }
}

extension Outline {
  fileprivate func hasTrailingClosure(_ call: Int) -> Bool {
    tokens[Int(nodes[call].end) - 1].kind == .rightBrace
  }

  /// The flags of what a token binds when it is `let` or `var`.
  fileprivate func binder(_ index: UInt32) -> Node.Flags? {
    let token = tokens[Int(index)]
    guard token.kind == .keyword, token.keyword == .let || token.keyword == .var else { return nil }
    return token.keyword == .let ? .isLet : []
  }
}
