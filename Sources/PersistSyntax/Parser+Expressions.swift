// MARK: - Expressions

/// What stands around an expression and decides where it ends.
enum ExpressionMode {
  case normal
  /// In the head of a statement: `{` begins the body.
  case condition
  /// A pattern: `let` binds names, `=` ends it.
  case pattern
}

extension Parser {
  /// Parses operands and operators up to something that can't go on with them.
  mutating func parseExpression(_ mode: ExpressionMode = .normal) {
    nested { parser in
      let node = parser.open(.expression)
      let outer = parser.bindsNames
      if mode != .pattern { parser.bindsNames = false }
      parser.parseSequence(mode)
      parser.bindsNames = outer
      parser.close(node)
    }
  }

  private mutating func parseSequence(_ mode: ExpressionMode) {
    var ternaries = 0
    while at < limit {
      parseMarks()
      guard parseOperand(mode) else { return }
      var expectsOperand = false
      while at < limit, !expectsOperand {
        switch kind {
        case .binaryOperator, .arrow:
          leaf(.binaryOperator, named: true)
          expectsOperand = true
        case .equal where mode != .pattern:
          leaf(.binaryOperator, named: true)
          expectsOperand = true
        case .infixQuestion:
          ternaries += 1
          leaf(.binaryOperator, named: true)
          expectsOperand = true
        case .colon where ternaries > 0:
          ternaries -= 1
          leaf(.binaryOperator, named: true)
          expectsOperand = true
        case .keyword where keyword == .as || keyword == .is:
          parseCast()
        case .identifier where keyword == .async && kind(ahead: 1) == .arrow:
          advance()
        case .keyword where keyword == .throws && !startsLine(at):
          advance()
          if kind == .leftParen { skipBalanced() }
        default:
          return
        }
      }
    }
  }

  private mutating func parseCast() {
    let node = open(.cast)
    if keyword == .is { nodes[node].flags.insert(.isTest) }
    advance()
    if kind == .postfixQuestion {
      nodes[node].flags.insert(.isOptional)
      advance()
    } else if kind == .exclamation {
      nodes[node].flags.insert(.isForced)
      advance()
    }
    parseType()
    close(node)
  }

  /// Parses `try`, `try?`, `await`, `unsafe` and the like before an operand.
  private mutating func parseMarks() {
    while at < limit {
      switch keyword {
      case .try where kind == .keyword:
        let node = open(.tryMark)
        advance()
        if kind == .postfixQuestion {
          nodes[node].flags.insert(.isOptional)
          advance()
        } else if kind == .exclamation {
          nodes[node].flags.insert(.isForced)
          advance()
        }
        close(node)
      case .await where isPrefixWord:
        leaf(.awaitMark)
      case .unsafe where isPrefixWord, .copy where isPrefixWord, .consume where isPrefixWord,
        .each where isPrefixWord, .any where isPrefixWord, .some where isPrefixWord:
        advance()
      case .repeat where kind == .keyword:
        advance()
      default:
        return
      }
    }
  }

  /// Whether a contextual word stands before an operand rather than being one.
  private var isPrefixWord: Bool {
    guard kind == .identifier, !startsLine(at + 1) || keyword == .await else { return false }
    switch kind(ahead: 1) {
    case .identifier, .dollarIdentifier, .wildcard, .integer, .float, .string, .stringStart:
      return true
    case .backslash, .pound: return true
    case .keyword:
      switch keyword(ahead: 1) {
      case .as, .is, .in, .else, .where, .case, .default, .catch: return false
      default: return true
      }
    case .leftParen, .leftSquare, .leftBrace:
      if keyword == .unsafe { return tokens[at + 1].flags.contains(.afterSpace) }
      return keyword == .await
        && (kind(ahead: 1) == .leftParen || tokens[at + 1].flags.contains(.afterSpace))
    case .prefixOperator: return keyword == .await
    case .period:
      return keyword == .await || keyword == .unsafe
        ? tokens[at + 1].flags.contains(.afterSpace) : false
    default: return false
    }
  }

  /// Parses prefix operators, a primary and its suffixes; false when no operand begins here.
  private mutating func parseOperand(_ mode: ExpressionMode) -> Bool {
    var probe = at
    while probe < limit, [.prefixOperator, .prefixAmpersand].contains(tokens[probe].kind) {
      probe += 1
    }
    guard probe > at || startsPrimary(mode) else { return false }
    let chain = open(.chain)
    let hasPrefix = probe > at
    at = probe
    if at < limit, startsPrimary(mode) {
      parsePrimary(mode)
      parseSuffixes(mode)
    } else if !hasPrefix {
      skipUnknown()
    }
    close(chain)
    return true
  }

  private func startsPrimary(_ mode: ExpressionMode) -> Bool {
    switch kind {
    case .identifier, .dollarIdentifier, .wildcard, .integer, .float, .string, .stringStart,
      .regex, .leftParen, .leftSquare, .period, .backslash, .pound:
      return true
    case .leftBrace: return mode == .normal || isBehindOperator
    case .binaryOperator: return kind(ahead: 1) == .endOfFile || kind(ahead: 1) == .comma
    case .poundAvailable, .poundUnavailable: return true
    case .at:
      return at > 0 && [.leftParen, .leftSquare, .comma, .colon].contains(tokens[at - 1].kind)
    case .keyword:
      switch keyword {
      case .selfValue, .selfType, .super, .nil, .true, .false, .anyType, .initializer: return true
      case .if, .switch, .do: return true
      case .let, .var: return mode == .pattern
      case .is: return mode == .pattern
      default: return false
      }
    default: return false
    }
  }

  /// Whether an operand must come, so that `{` begins a closure even in a condition.
  private var isBehindOperator: Bool {
    guard at > 0 else { return false }
    switch tokens[at - 1].kind {
    case .equal, .binaryOperator, .comma: return true
    case .postfixQuestion, .exclamation: return at > 1 && tokens[at - 2].keyword == .try
    case .keyword: return tokens[at - 1].keyword == .try
    case .identifier: return tokens[at - 1].keyword == .await
    default: return false
    }
  }

  private mutating func parsePrimary(_ mode: ExpressionMode) {
    switch kind {
    case .identifier, .dollarIdentifier, .wildcard: parseNamePrimary()
    case .integer, .float: leaf(.literal)
    case .string: leaf(.string)
    case .stringStart: parseInterpolatedString()
    case .regex: leaf(.regex)
    case .leftParen: parseTuple(mode)
    case .leftSquare: parseCollection(mode)
    case .leftBrace: parseClosure()
    case .period: parseImplicitMember()
    case .backslash: parseKeyPath()
    case .pound: parseMacro()
    case .poundAvailable, .poundUnavailable:
      let node = open(.availability)
      advance()
      if kind == .leftParen { skipBalanced() }
      close(node)
    case .binaryOperator: leaf(.name, named: true)
    case .at:
      // A type as a value: `(@convention(c) () -> Bool).self`.
      while kind == .at { skipAttribute() }
      parsePrimary(mode)
    default: parseKeywordPrimary()
    }
  }

  private mutating func parseNamePrimary() {
    let node = open(bindsNames && isBareName ? .boundName : .name)
    setName(node)
    advance()
    if kind == .colonColon, isMemberName(ahead: 1) {
      advance()
      setName(node)
      advance()
    }
    parseCompoundName()
    parseExpressionGenericArguments()
    close(node)
  }

  /// Whether a name in a pattern stands alone: no call and no member behind it.
  private var isBareName: Bool {
    switch kind(ahead: 1) {
    case .period, .leftParen: false
    default: true
    }
  }

  private mutating func parseKeywordPrimary() {
    switch keyword {
    case .nil, .true, .false: leaf(.literal, named: true)
    case .if: parseIf()
    case .switch: parseSwitch()
    case .do: parseStatement()
    case .let, .var:
      // A loop, because rows of the words must not lead to recursion.
      while keyword == .let || keyword == .var { advance() }
      let outer = bindsNames
      bindsNames = true
      if at < limit, startsPrimary(.pattern) {
        parsePrimary(.pattern)
        parseSuffixes(.pattern)
      }
      bindsNames = outer
    case .is:
      parseCast()
    case .selfValue where bindsNames && isBareName: leaf(.boundName, named: true)
    default:
      let node = open(.name)
      setName(node)
      advance()
      parseCompoundName()
      close(node)
    }
  }

  private mutating func parseImplicitMember() {
    let node = open(.implicitMember)
    advance()
    if isMemberName(ahead: 0) {
      setName(node)
      advance()
      parseCompoundName()
      parseExpressionGenericArguments()
    }
    close(node)
  }

  private mutating func parseMacro() {
    let node = open(.macro)
    advance()
    if isMemberName(ahead: 0) {
      setName(node)
      advance()
      if kind == .colonColon {
        advance()
        setName(node)
        advance()
      }
      parseExpressionGenericArguments()
    }
    close(node)
  }

  /// Parses `<…>` when what follows shows that it was no comparison; the types become nodes.
  mutating func parseExpressionGenericArguments() {
    guard atAngle, split == 0, isGenericArgumentsAhead else { return }
    recordsTypes = true
    skipGenericArguments()
    recordsTypes = false
    emitTypes()
  }

  /// Moves behind `<…>` when what follows shows that it was no comparison.
  mutating func skipExpressionGenericArguments() {
    if atAngle, split == 0, isGenericArgumentsAhead { skipGenericArguments() }
  }

  private var isGenericArgumentsAhead: Bool {
    lookAhead { parser in
      guard parser.skipGenericArguments() else { return false }
      return parser.canFollowGenericArguments
    } != nil
  }

  private var canFollowGenericArguments: Bool {
    if split > 0 {
      switch byte {
      case UInt8(ascii: "?"), UInt8(ascii: "!"): return true
      case UInt8(ascii: "&"): return split + 1 == token.length
      default: return false
      }
    }
    switch kind {
    case .leftParen, .leftSquare: return !startsLine(at)
    case .rightParen, .rightSquare, .rightBrace, .leftBrace, .period, .comma, .semicolon,
      .endOfFile, .exclamation, .postfixQuestion, .colon:
      return true
    case .binaryOperator: return byte == UInt8(ascii: "&") && token.length == 1
    default: return false
    }
  }

  /// Parses `\Type.member[0]?.other`.
  private mutating func parseKeyPath() {
    let node = open(.keyPath)
    advance()
    parseKeyPathRoot()
    var isFirst = nodes[node].first + 1 == UInt32(truncatingIfNeeded: at)
    while at < limit, isFirst || !token.flags.contains(.afterSpace) || kind == .period {
      isFirst = false
      switch kind {
      case .period, .colonColon:
        guard isMemberName(ahead: 1) else {
          advance()
          continue
        }
        advance()
        parseKeyPathMember(of: node)
      case .postfixQuestion, .exclamation: leaf(.keyPathUnwrapping)
      case .leftSquare, .leftParen:
        let arguments = open(.keyPathArguments)
        skipBalanced()
        close(arguments)
      case .postfixOperator where byte == UInt8(ascii: "."),
        .prefixOperator where byte == UInt8(ascii: "."),
        .binaryOperator where byte == UInt8(ascii: "."):
        parseKeyPathOperator()
        if kind == .identifier { parseKeyPathMember(of: node) }
      default:
        close(node)
        return
      }
    }
    close(node)
  }

  /// Parses `.?.` and the like, which are one token.
  private mutating func parseKeyPathOperator() {
    let sign = token.length > 1 ? text.start[Int(token.offset) + 1] : 0
    if sign == UInt8(ascii: "?") || sign == UInt8(ascii: "!") {
      leaf(.keyPathUnwrapping)
    } else {
      advance()
    }
  }

  private mutating func parseKeyPathMember(of path: Int) {
    let node = open(.keyPathMember)
    setName(node)
    setName(path)
    advance()
    parseExpressionGenericArguments()
    close(node)
  }

  private mutating func parseInterpolatedString() {
    let node = open(.string)
    advance()
    while at < limit, kind == .leftParen, token.flags.contains(.interpolation) {
      inBrackets { parser in parser.parseArgumentList() }
      guard kind == .stringMiddle else { break }
      advance()
    }
    if kind == .stringEnd { advance() }
    close(node)
  }
}
