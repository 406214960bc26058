// MARK: - Statements

extension Parser {
  mutating func parseStatement() {
    if isLabel {
      advance()
      advance()
    }
    switch keyword {
    case .if: parseIf()
    case .guard: parseGuard()
    case .while: parseWhile()
    case .repeat where kind(ahead: 1) == .leftBrace: parseRepeat()
    case .for: parseFor()
    case .switch: parseSwitch()
    case .do: parseDo()
    case .defer:
      let node = open(.deferStatement)
      advance()
      parseBlock()
      close(node)
    case .return: parseJump(.returnStatement)
    case .throw: parseJump(.throwStatement)
    case .break: parseLabelJump(.breakStatement)
    case .continue: parseLabelJump(.continueStatement)
    case .fallthrough: leaf(.fallthroughStatement)
    case .yield where isStatementWord: parseJump(.yieldStatement)
    case .then where isStatementWord, .discard where isStatementWord:
      advance()
      parseExpression()
    default: parseExpression()
    }
  }

  /// `name:` before a loop, `do`, `if` or `switch`.
  private var isLabel: Bool {
    guard kind == .identifier, kind(ahead: 1) == .colon else { return false }
    switch keyword(ahead: 2) {
    case .for, .while, .repeat, .do, .if, .switch: return true
    default: return false
    }
  }

  /// Whether `yield`, `then` or `discard` begins a statement rather than being a name.
  private var isStatementWord: Bool {
    guard kind == .identifier, !startsLine(at + 1) else { return false }
    switch kind(ahead: 1) {
    case .identifier, .prefixAmpersand, .integer, .string, .stringStart, .float: return true
    case .keyword:
      return keyword(ahead: 1) != .as && keyword(ahead: 1) != .is
        && keyword(ahead: 1) != .in
    default: return false
    }
  }

  private mutating func parseJump(_ nodeKind: Node.Kind) {
    let node = open(nodeKind)
    advance()
    if canBeginReturnValue { parseExpression() }
    close(node)
  }

  private var canBeginReturnValue: Bool {
    switch kind {
    case .endOfFile, .rightBrace, .rightParen, .rightSquare, .semicolon, .comma: return false
    case .poundIf, .poundElse, .poundElseif, .poundEndif: return false
    case .at: return false
    case .keyword:
      guard startsLine(at) else { return keyword != .case && keyword != .default }
      switch keyword {
      case .anyType, .selfType, .selfValue, .super, .nil, .true, .false, .try, .initializer:
        return true
      default: return false
      }
    default: return true
    }
  }

  private mutating func parseLabelJump(_ nodeKind: Node.Kind) {
    let node = open(nodeKind)
    advance()
    if kind == .identifier, !startsLine(at) {
      setName(node)
      advance()
    }
    close(node)
  }

  mutating func parseIf() {
    nested { parser in
      let node = parser.open(.ifStatement)
      parser.advance()
      parser.parseConditions()
      parser.parseBlock()
      if parser.consume(.else) {
        if parser.keyword == .if { parser.parseIf() } else { parser.parseBlock() }
      }
      parser.close(node)
    }
  }

  private mutating func parseGuard() {
    let node = open(.guardStatement)
    advance()
    parseConditions()
    _ = consume(.else)
    parseBlock()
    close(node)
  }

  private mutating func parseWhile() {
    let node = open(.whileStatement)
    advance()
    parseConditions()
    parseBlock()
    close(node)
  }

  private mutating func parseRepeat() {
    let node = open(.repeatStatement)
    advance()
    parseBlock()
    if consume(.while) { parseExpression() }
    close(node)
  }

  private mutating func parseFor() {
    let node = open(.forStatement)
    advance()
    if keyword == .try, kind(ahead: 1) != .colon { leaf(.tryMark) }
    if keyword == .await, kind(ahead: 1) != .colon { leaf(.awaitMark) }
    let isCase = consume(.case)
    if !isCase, isMemberName(ahead: 0), keyword != .var, keyword != .let {
      leaf(.boundName, named: true)
    } else {
      parsePatternExpression(binding: !isCase)
    }
    if kind == .colon {
      advance()
      parseType()
    }
    while at < limit, keyword != .in, kind != .leftBrace { skipUnknown() }
    if consume(.in) { parseExpression(.condition) }
    if consume(.where) { parseExpression(.condition) }
    parseBlock()
    close(node)
  }

  private mutating func parseDo() {
    let node = open(.doStatement)
    advance()
    parseEffects(node)
    parseBlock()
    while keyword == .catch {
      let clause = open(.catchClause)
      advance()
      if kind != .leftBrace { parseCaseItems(whereMode: .condition) }
      parseBlock()
      close(clause)
    }
    close(node)
  }

  // MARK: Conditions

  mutating func parseConditions() {
    while at < limit, kind != .leftBrace || isOperandClosure, keyword != .else {
      let before = at
      parseCondition()
      // Before Swift 3 `where` stood between a binding and what has to hold as well.
      if !consume(.comma), !consume(.where) {
        if kind == .leftBrace || keyword == .else { return }
        if at == before || at < limit && !startsLine(at) { skipUnknown() } else { return }
      }
    }
  }

  /// Whether `{` behind a comma begins a closure that is called or compared, and not the body.
  private var isOperandClosure: Bool {
    guard at > 0, tokens[at - 1].kind == .comma, let partner = token.partner, partner + 1 < limit
    else { return false }
    switch tokens[partner + 1].kind {
    case .leftBrace: return true
    case .leftParen, .binaryOperator: return !startsLine(partner + 1)
    default: return false
    }
  }

  private mutating func parseCondition() {
    switch keyword {
    case .let, .var, .inout:
      parseOptionalBinding()
    case .case:
      let node = open(.caseCondition)
      advance()
      parsePatternExpression(binding: false)
      if kind == .colon {
        advance()
        parseType()
      }
      if consume(.equal) { parseExpression(.condition) }
      close(node)
    default:
      if kind == .poundAvailable || kind == .poundUnavailable {
        let node = open(.availability)
        advance()
        if kind == .leftParen { skipBalanced() }
        close(node)
      } else {
        parseExpression(.condition)
      }
    }
  }

  private mutating func parseOptionalBinding() {
    let node = open(.optionalBinding)
    advance()
    parseBindingPattern(node)
    if kind == .colon {
      advance()
      parseType()
    }
    if atEqual {
      advance()
      parseExpression(.condition)
    }
    close(node)
  }

  // MARK: Switch

  var atCaseLabel: Bool {
    switch keyword {
    case .case: return kind == .keyword
    case .default: return kind == .keyword && kind(ahead: 1) == .colon
    default:
      guard kind == .at else { return false }
      return lookAhead { parser in
        while parser.kind == .at { parser.skipAttribute() }
        return parser.keyword == .case || parser.keyword == .default
      } != nil
    }
  }

  mutating func parseSwitch() {
    nested { parser in
      let node = parser.open(.switchStatement)
      parser.advance()
      parser.parseExpression(.condition)
      if parser.kind == .leftBrace { parser.inBrackets { $0.parseSwitchBody() } }
      parser.close(node)
    }
  }

  /// Parses the cases of a switch, or of one `#if` clause in it.
  mutating func parseSwitchBody() {
    while at < limit {
      let before = at
      if kind == .poundIf, isConditionalCase {
        parseConditional(.switchBody)
      } else if kind.isConditional, kind != .poundIf {
        return
      } else if atCaseLabel {
        parseSwitchCase()
      } else {
        parseItems(.switchBody)
      }
      if at == before { skipUnknown() }
    }
  }

  /// Whether the first thing in the `#if` at the next token is a case label.
  var isConditionalCase: Bool {
    lookAhead { parser in
      while parser.kind == .poundIf {
        parser.advance()
        while parser.at < parser.limit, !parser.startsLine(parser.at) { parser.skipBalanced() }
      }
      return parser.atCaseLabel
    } != nil
  }

  private mutating func parseSwitchCase() {
    let node = open(.switchCase)
    while kind == .at { parseAttribute() }
    if consume(.default) {
      nodes[node].flags.insert(.isDefault)
    } else {
      advance()
      parseCaseItems(whereMode: .normal)
    }
    while at < limit, kind != .colon, !startsLine(at) { skipUnknown() }
    _ = consume(.colon)
    while at < limit, !atCaseLabel, !kind.isConditional || kind == .poundIf && !isConditionalCase {
      let before = at
      parseItems(.switchBody)
      if at == before { break }
    }
    close(node)
  }

  /// Parses `pattern where condition, pattern` of a case, or of a catch, whose body follows.
  private mutating func parseCaseItems(whereMode: ExpressionMode) {
    repeat {
      if kind == .comma { advance() }
      let item = open(.caseItem)
      parsePatternExpression(binding: false)
      if consume(.where) { parseExpression(whereMode) }
      close(item)
    } while kind == .comma
  }

  /// Parses a pattern as an expression in which `let` and `var` bind names.
  mutating func parsePatternExpression(binding: Bool) {
    let outer = bindsNames
    bindsNames = binding
    parseExpression(.pattern)
    bindsNames = outer
  }
}
