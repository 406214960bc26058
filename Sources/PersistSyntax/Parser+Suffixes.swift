// MARK: - Suffixes, arguments, closures

extension Parser {
  mutating func parseSuffixes(_ mode: ExpressionMode) {
    while at < limit {
      if split > 0 {
        // The rest of an operator such as `>?` behind generic arguments.
        guard byte == UInt8(ascii: "?") || byte == UInt8(ascii: "!") else { return }
        let node = open(byte == UInt8(ascii: "?") ? .optionalChain : .force)
        advanceByte()
        close(node)
        continue
      }
      switch kind {
      case .period:
        guard parseMember() else { return }
      case .leftParen:
        guard !startsLine(at) else { return }
        let node = open(.call)
        if mode == .pattern {
          inBrackets { $0.parseElements(.pattern) }
        } else {
          parseArguments()
        }
        parseTrailingClosures(mode)
        close(node)
        if tokens[at - 1].kind == .rightBrace, kind == .leftBrace { return }
      case .leftSquare:
        guard !startsLine(at) else { return }
        let node = open(.subscriptSuffix)
        parseArguments()
        parseTrailingClosures(mode)
        close(node)
      case .leftBrace:
        guard isTrailingClosure(mode) else { return }
        let node = open(.call)
        parseTrailingClosures(mode)
        close(node)
        if kind == .leftBrace { return }
      case .postfixQuestion: leaf(.optionalChain)
      case .exclamation: leaf(.force)
      case .postfixOperator: leaf(.postfixOperator)
      case .poundIf:
        guard isPostfixConditional else { return }
        parsePostfixConditional(mode)
      default:
        return
      }
    }
  }

  private mutating func parseMember() -> Bool {
    guard isMemberName(ahead: 1) || kind(ahead: 1) == .leftParen else { return false }
    guard !isForceAhead else {
      let node = open(.force)
      advance()
      advance()
      close(node)
      return true
    }
    let node = open(.member)
    advance()
    if kind != .leftParen {
      setName(node)
      advance()
      if kind == .colonColon, isMemberName(ahead: 1) {
        advance()
        setName(node)
        advance()
      }
      parseCompoundName()
      parseExpressionGenericArguments()
    }
    close(node)
    return true
  }

  /// Whether the member ahead is a `!` by another name.
  private var isForceAhead: Bool {
    let word: StaticString = "unsafelyUnwrapped"
    guard kind(ahead: 1) == .identifier, tokens[at + 1].length == word.utf8CodeUnitCount else {
      return false
    }
    let start = text.start + Int(tokens[at + 1].offset)
    return (0..<word.utf8CodeUnitCount).allSatisfy { start[$0] == word.utf8Start[$0] }
  }

  /// Moves behind `(at:with:)` of a compound name.
  mutating func parseCompoundName() {
    guard kind == .leftParen, let partner = token.partner, partner > at + 1 else { return }
    var scan = at + 1
    while scan < partner {
      guard tokens[scan].kind != .colon, tokens[scan + 1].kind == .colon,
        tokens[scan].kind == .identifier || tokens[scan].kind == .keyword
          || tokens[scan].kind == .wildcard
      else { return }
      scan += 2
    }
    at = partner + 1
  }

  // MARK: Arguments

  /// Parses the arguments between the brackets at the next token.
  mutating func parseArguments() {
    inBrackets { $0.parseArgumentList() }
  }

  mutating func parseArgumentList() {
    while at < limit {
      let before = at
      parseArgument(.normal)
      while at < limit, kind != .comma { skipUnknown() }
      _ = consume(.comma)
      if at == before { skipUnknown() }
    }
  }

  private mutating func parseArgument(_ mode: ExpressionMode) {
    let node = open(.argument)
    if kind(ahead: 1) == .colon, isMemberName(ahead: 0) {
      nodes[node].label = UInt32(truncatingIfNeeded: at)
      advance()
      advance()
    }
    if at < limit, kind != .comma { parseExpression(mode) }
    close(node)
  }

  mutating func parseTuple(_ mode: ExpressionMode) {
    let node = open(.tuple)
    let inner: ExpressionMode = mode == .pattern ? .pattern : .normal
    inBrackets { parser in parser.parseElements(inner) }
    close(node)
  }

  private mutating func parseElements(_ mode: ExpressionMode) {
    while at < limit {
      let before = at
      parseArgument(mode)
      if mode == .pattern, kind == .equal {
        advance()
        parseExpression()
      }
      while at < limit, kind != .comma { skipUnknown() }
      _ = consume(.comma)
      if at == before { skipUnknown() }
    }
  }

  /// Parses `[a, b]` or `[k: v]`.
  mutating func parseCollection(_ mode: ExpressionMode) {
    let node = open(.array)
    inBrackets { parser in
      while parser.at < parser.limit {
        let before = parser.at
        if parser.consume(.colon) {
          parser.nodes[node].kind = .dictionary
          continue
        }
        let argument = parser.open(.argument)
        parser.parseExpression(mode == .pattern ? .pattern : .normal)
        parser.close(argument)
        while parser.at < parser.limit, parser.kind != .comma, parser.kind != .colon {
          parser.skipUnknown()
        }
        _ = parser.consume(.comma)
        if parser.at == before { parser.skipUnknown() }
      }
    }
    close(node)
  }

  /// Parses the pattern of a tuple binding as a primary.
  mutating func parsePattern(binding: Bool) {
    let outer = bindsNames
    bindsNames = binding
    parseTuple(.pattern)
    bindsNames = outer
  }

  // MARK: Closures

  /// Whether `{` behind an operand is its trailing closure and not a body or accessors.
  private func isTrailingClosure(_ mode: ExpressionMode) -> Bool {
    if mode == .pattern || atAccessorBlock || keyword(ahead: 1) == .case { return false }
    if mode == .normal { return true }
    // In a condition `{` begins the body, but for a closure whose braces something goes on behind.
    guard let partner = token.partner, partner + 1 < limit, !startsLine(at + 1) else {
      return false
    }
    let next = tokens[partner + 1]
    switch next.kind {
    case .leftBrace, .comma: return true
    case .period, .leftSquare, .leftParen, .postfixQuestion, .exclamation, .binaryOperator,
      .colon, .equal, .infixQuestion, .postfixOperator:
      return !startsLine(partner + 1)
    case .keyword:
      return next.keyword == .where
        || [.as, .is].contains(next.keyword) && !startsLine(partner + 1)
    default: return false
    }
  }

  private mutating func parseTrailingClosures(_ mode: ExpressionMode) {
    guard kind == .leftBrace, isTrailingClosure(mode) else { return }
    parseClosure()
    while isMemberName(ahead: 0), kind(ahead: 1) == .colon, kind(ahead: 2) == .leftBrace,
      keyword != .default || kind == .identifier
    {
      let node = open(.argument)
      nodes[node].label = UInt32(truncatingIfNeeded: at)
      advance()
      advance()
      parseClosure()
      close(node)
    }
  }

  mutating func parseClosure() {
    let node = open(.closure)
    let hasSignature = hasClosureSignature
    inBrackets { parser in
      if hasSignature { parser.parseClosureSignature(node) }
      parser.parseItems(.statements)
    }
    close(node)
  }

  /// Whether the braces at the next token begin with `… in`.
  private var hasClosureSignature: Bool {
    guard let partner = token.partner else { return false }
    return lookAhead { parser in
      parser.advance()
      parser.limit = min(partner, parser.limit)
      while parser.kind == .at { parser.skipAttribute() }
      if parser.kind == .leftSquare { parser.skipBalanced() }
      if parser.kind == .leftParen {
        parser.skipBalanced()
      } else {
        while parser.isMemberName(ahead: 0), parser.keyword != .in, parser.keyword != .throws,
          parser.keyword != .async
        {
          parser.advance()
          if !parser.consume(.comma) { break }
        }
      }
      while [.async, .throws, .rethrows].contains(parser.keyword) {
        parser.advance()
        if parser.kind == .leftParen { parser.skipBalanced() }
      }
      if parser.consume(.arrow) { parser.skipType() }
      return parser.keyword == .in && parser.split == 0
    } != nil
  }

  private mutating func parseClosureSignature(_ node: Int) {
    while kind == .at { parseAttribute() }
    if kind == .leftSquare { parseCaptures() }
    if kind == .leftParen {
      parseParameters(ofClosure: true)
    } else if keyword != .in {
      parseBareParameters()
    }
    parseEffects(node)
    if consume(.arrow) { parseType() }
    _ = consume(.in)
  }

  private mutating func parseBareParameters() {
    guard isMemberName(ahead: 0), keyword != .async, keyword != .throws else { return }
    let node = open(.parameters)
    while isMemberName(ahead: 0), keyword != .in, keyword != .async, keyword != .throws {
      leaf(.parameter, named: true)
      if !consume(.comma) { break }
    }
    close(node)
  }

  /// Parses `[weak self, id = x.id]`.
  private mutating func parseCaptures() {
    let node = open(.captures)
    inBrackets { parser in
      while parser.at < parser.limit {
        let before = parser.at
        parser.parseCapture()
        while parser.at < parser.limit, parser.kind != .comma { parser.skipUnknown() }
        _ = parser.consume(.comma)
        if parser.at == before { parser.skipUnknown() }
      }
    }
    close(node)
  }

  private mutating func parseCapture() {
    let node = open(.capture)
    if keyword == .weak || keyword == .unowned || keyword == .nonisolated, kind(ahead: 1) != .comma,
      kind(ahead: 1) != .equal, kind(ahead: 1) != .endOfFile
    {
      let modifier = open(.modifier)
      setName(modifier)
      advance()
      if kind == .leftParen { skipBalanced() }
      close(modifier)
    }
    if kind(ahead: 1) == .equal {
      setName(node)
      advance()
      advance()
    } else {
      setName(node)
    }
    if at < limit, kind != .comma { parseExpression() }
    close(node)
  }

  // MARK: `#if` in a chain

  /// Whether the `#if` at the next token holds further suffixes.
  private var isPostfixConditional: Bool {
    lookAhead { parser in
      while parser.kind == .poundIf {
        parser.advance()
        while parser.at < parser.limit, !parser.startsLine(parser.at) { parser.skipBalanced() }
      }
      return parser.kind == .period
    } != nil
  }

  private mutating func parsePostfixConditional(_ mode: ExpressionMode) {
    guard depth < Self.maximumDepth else { return skipDirectiveLine() }
    depth += 1
    defer { depth -= 1 }
    let config = open(.ifConfig)
    while kind == .poundIf || kind == .poundElseif || kind == .poundElse {
      let clause = open(.ifConfigClause)
      advance()
      while at < limit, !startsLine(at) { skipBalanced() }
      nodes[clause].label = UInt32(truncatingIfNeeded: at)
      parseSuffixes(mode)
      while at < limit, !kind.isConditional { skipUnknown() }
      close(clause)
      if kind == .poundIf { break }
    }
    if kind == .poundEndif { advance() }
    close(config)
  }
}
