/// Builds the outline of one file from its tokens; every loop moves on by at least one token.
struct Parser {
  /// What may stand in the braces that are being parsed.
  enum Context {
    case statements, members, switchBody
  }

  /// Deeper nesting is skipped as a whole, so that no input can exhaust the stack.
  static let maximumDepth = 256
  /// No declaration has more attributes and modifiers; it bounds how far a look ahead goes.
  static let maximumModifiers = 64

  let text: TextView
  let tokens: TokenView
  var nodes: NodeBuffer
  // The flags stand here because they fill a gap: a look ahead copies the parser.
  /// Whether a bare name in the pattern that is being parsed is a new name, as behind `let`.
  var bindsNames = false
  /// Whether a type is being parsed, and not only passed.
  var recordsTypes = false
  /// The parts of the type that is being parsed, each behind those that it holds.
  let types: TypeParts
  /// The index of the next token.
  var at = 0
  /// How many bytes of the next token, an operator such as `>?`, are already consumed.
  var split = 0
  /// The index of the token at which the innermost brackets end.
  var limit: Int
  var depth = 0
  /// The node that is being parsed.
  private(set) var currentNode = 0

  private init(_ text: SourceText, _ tokens: TokenList) {
    self.text = TextView(text)
    self.tokens = TokenView(tokens)
    limit = tokens.count - 1
    nodes = NodeBuffer(capacity: tokens.count + tokens.count / 4)
    types = TypeParts()
  }

  static func parse(_ text: SourceText, _ tokens: TokenList) -> NodeList {
    var parser = Parser(text, tokens)
    let file = parser.open(.file)
    while parser.at < parser.limit {
      parser.parseItems(.statements)
      if parser.at < parser.limit { parser.skipUnknown() }
    }
    parser.close(file)
    parser.types.deallocate()
    return withExtendedLifetime((text, tokens)) { parser.nodes.take() }
  }

  // MARK: Tokens

  /// The next token; the end of file where the brackets end.
  var token: Token {
    at < limit ? tokens[at] : tokens[tokens.count - 1]
  }

  var kind: Token.Kind { at < limit ? tokens[at].kind : .endOfFile }
  var keyword: Keyword { at < limit ? tokens[at].keyword : .none }

  func kind(ahead count: Int) -> Token.Kind {
    at + count < limit ? tokens[at + count].kind : .endOfFile
  }

  func keyword(ahead count: Int) -> Keyword {
    at + count < limit ? tokens[at + count].keyword : .none
  }

  func startsLine(_ index: Int) -> Bool { tokens[index].flags.contains(.afterNewline) }

  /// The next byte of the next token, what is consumed of it left out.
  var byte: UInt8 {
    at < limit ? text.start[Int(tokens[at].offset) + split] : 0
  }

  mutating func advance() {
    at += 1
    split = 0
  }

  /// Consumes one byte of an operator, and the token with its last byte.
  mutating func advanceByte() {
    split += 1
    if split >= tokens[at].length { advance() }
  }

  mutating func consume(_ expected: Token.Kind) -> Bool {
    guard kind == expected else { return false }
    advance()
    return true
  }

  mutating func consume(_ expected: Keyword) -> Bool {
    guard keyword == expected else { return false }
    advance()
    return true
  }

  /// Moves behind the next token, or behind the partner of the bracket that it opens.
  mutating func skipBalanced() {
    guard at < limit else { return }
    let token = tokens[at]
    switch token.kind {
    case .leftParen, .leftSquare, .leftBrace:
      if let partner = token.partner, partner < limit { at = partner }
    default: break
    }
    advance()
  }

  mutating func skipUnknown() {
    let node = open(.unknown)
    skipBalanced()
    close(node)
  }

  var isName: Bool {
    switch kind {
    case .identifier, .dollarIdentifier, .wildcard: true
    default: false
    }
  }

  // MARK: Nodes

  /// Begins a node at the next token.
  mutating func open(_ kind: Node.Kind) -> Int {
    let index = nodes.count
    nodes.append(
      Node(
        kind: kind, flags: [], first: UInt32(truncatingIfNeeded: at),
        end: UInt32(truncatingIfNeeded: at), subtreeEnd: UInt32(truncatingIfNeeded: index + 1),
        parent: UInt32(truncatingIfNeeded: currentNode), name: Node.noToken, label: Node.noToken))
    currentNode = index
    return index
  }

  /// Ends a node before the next token.
  mutating func close(_ index: Int) {
    nodes[index].end = UInt32(truncatingIfNeeded: split > 0 ? at + 1 : at)
    nodes[index].subtreeEnd = UInt32(truncatingIfNeeded: nodes.count)
    currentNode = Int(nodes[index].parent)
  }

  /// A node of exactly the next token.
  mutating func leaf(_ kind: Node.Kind, named: Bool = false) {
    let node = open(kind)
    if named { setName(node) }
    advance()
    close(node)
  }

  /// Makes the next token the name of a node.
  mutating func setName(_ node: Int) {
    nodes[node].name = UInt32(truncatingIfNeeded: at)
  }

  /// Parses what stands between the bracket at the next token and its partner, and moves behind it.
  mutating func inBrackets(_ body: (inout Parser) -> Void) {
    let outerLimit = limit
    let inner = tokens[at].partner.map { min($0, limit) } ?? limit
    advance()
    depth += 1
    if depth <= Self.maximumDepth {
      limit = inner
      body(&self)
      limit = outerLimit
    } else {
      nodes[currentNode].flags.insert(.isSkipped)
    }
    depth -= 1
    at = max(at, inner)
    split = 0
    if at < limit { advance() }
  }

  /// Runs a recursive rule unless it is nested too deeply; then it skips a token.
  mutating func nested(_ body: (inout Parser) -> Void) {
    guard depth < Self.maximumDepth else { return skipUnknown() }
    depth += 1
    body(&self)
    depth -= 1
  }

  /// State to come back to when a look ahead fails; makes no nodes in between.
  func lookAhead(_ body: (inout Parser) -> Bool) -> Int? {
    var copy = self
    copy.nodes = nodes.borrowed
    copy.recordsTypes = false
    guard body(&copy) else { return nil }
    return copy.at
  }
}
