// MARK: - Items: declarations and statements

extension Parser {
  /// Parses declarations and statements up to the end of the brackets or clause.
  mutating func parseItems(_ context: Context) {
    while at < limit {
      let before = at
      switch kind {
      case .semicolon:
        advance()
      case .poundIf:
        if context == .switchBody, isConditionalCase { return }
        if declarationAhead(context) != nil {
          parseItem(context)
        } else {
          parseConditional(context)
        }
      case .poundElse, .poundElseif, .poundEndif:
        return
      default:
        if context == .switchBody, atCaseLabel { return }
        parseItem(context)
      }
      if at == before { skipUnknown() }
    }
  }

  private mutating func parseItem(_ context: Context) {
    nested { parser in
      if let declaration = parser.declarationAhead(context) {
        parser.parseDeclaration(declaration)
      } else if parser.kind == .at {
        parser.parseAttribute()
      } else {
        parser.parseStatement()
      }
    }
  }

  /// Parses `#if … #endif`, whose clauses hold what the context holds.
  mutating func parseConditional(_ context: Context) {
    guard depth < Self.maximumDepth else { return skipDirectiveLine() }
    depth += 1
    defer { depth -= 1 }
    let config = open(.ifConfig)
    while kind == .poundIf || kind == .poundElseif || kind == .poundElse {
      let clause = open(.ifConfigClause)
      skipDirectiveLine()
      nodes[clause].label = UInt32(truncatingIfNeeded: at)
      while at < limit, kind != .poundElse, kind != .poundElseif, kind != .poundEndif {
        let before = at
        if context == .switchBody { parseSwitchBody() } else { parseItems(context) }
        if at == before { skipUnknown() }
      }
      close(clause)
      if kind == .poundIf { break }
    }
    if kind == .poundEndif { advance() }
    close(config)
  }

  // MARK: Which declaration

  /// The kind of the declaration that begins at the next token, if one does.
  private func declarationAhead(_ context: Context) -> Node.Kind? {
    switch kind {
    case .at, .poundIf: return lookAheadAtDeclaration(context)
    case .keyword: break
    case .identifier:
      // A name that is no word of the grammar is no modifier either, unless it is underscored.
      if keyword == .none, text.start[Int(token.offset)] != UInt8(ascii: "_") { return nil }
    default: return nil
    }
    if let declaration = declarationKeyword(context) { return declaration }
    return isModifier ? lookAheadAtDeclaration(context) : nil
  }

  private func lookAheadAtDeclaration(_ context: Context) -> Node.Kind? {
    var found: Node.Kind?
    var words = 0
    _ = lookAhead { parser in
      while parser.at < parser.limit, words < Self.maximumModifiers {
        words += 1
        if parser.kind == .at {
          parser.skipAttribute()
        } else if parser.kind == .poundIf {
          guard parser.skipConditionalAttributes() else { return false }
        } else if let declaration = parser.declarationKeyword(context) {
          found = declaration
          return true
        } else if parser.isModifier {
          parser.advance()
          if parser.kind == .leftParen { parser.skipBalanced() }
        } else {
          return false
        }
      }
      return false
    }
    return found
  }

  /// Whether the next token is a modifier with a declaration or a further modifier behind it.
  var isModifier: Bool {
    switch keyword {
    case .static, .class, .public, .private, .fileprivate, .internal:
      return true
    case .final, .override, .mutating, .nonmutating, .lazy, .weak, .unowned, .optional, .required,
      .convenience, .dynamic, .indirect, .prefix, .postfix, .infix, .nonisolated, .isolated,
      .distributed, .borrowing, .consuming, .sending, .open, .package, .underscoreLocal, .async,
      .unsafe:
      switch kind(ahead: 1) {
      case .keyword, .at: return true
      case .identifier: return !startsLine(at + 1) || keyword == .nonisolated
      // `open()` before a declaration is a call.
      case .leftParen:
        return keyword == .unowned || keyword == .nonisolated || keyword(ahead: 2) == .set
      default: return false
      }
    default:
      return isUnderscoredModifier
    }
  }

  /// `__consuming`, `_const`: words that begin with `_` before a declaration keyword.
  private var isUnderscoredModifier: Bool {
    kind == .identifier && text.start[Int(token.offset)] == UInt8(ascii: "_")
      && kind(ahead: 1) == .keyword && [.func, .var, .let, .class].contains(keyword(ahead: 1))
  }

  private func declarationKeyword(_ context: Context) -> Node.Kind? {
    switch keyword {
    case .class:
      return kind(ahead: 1) == .identifier && !isModifierAhead ? .classDecl : nil
    case .struct: return .structDecl
    case .enum: return .enumDecl
    case .protocol: return .protocolDecl
    case .extension: return .extensionDecl
    case .func: return .functionDecl
    case .var, .let: return .variableDecl
    case .deinit: return .deinitDecl
    case .subscript: return .subscriptDecl
    case .initializer: return .initDecl
    case .typealias: return .typealiasDecl
    case .associatedtype: return .associatedtypeDecl
    case .import: return .importDecl
    case .operator: return .operatorDecl
    case .precedencegroup: return .precedenceGroupDecl
    case .case: return context == .members ? .enumCaseDecl : nil
    case .actor: return kind(ahead: 1) == .identifier && !startsLine(at + 1) ? .actorDecl : nil
    case .macro: return kind(ahead: 1) == .identifier && !startsLine(at + 1) ? .macroDecl : nil
    default: return nil
    }
  }

  /// `class func`, `class override var`: `class` is a modifier then.
  private var isModifierAhead: Bool {
    lookAhead { parser in
      parser.advance()
      guard parser.isModifier, parser.keyword != .open else { return false }
      while parser.isModifier {
        parser.advance()
        if parser.kind == .leftParen { parser.skipBalanced() }
      }
      return parser.keyword.isReserved && parser.kind == .keyword && parser.keyword != .in
        && parser.keyword != .where
    } != nil
  }

  // MARK: Parts

  mutating func parseAttribute() {
    let node = open(.attribute)
    advance()
    setName(node)
    skipAttributeName()
    if kind == .leftParen, !token.flags.contains(.afterSpace) { parseArguments() }
    close(node)
  }

  /// Parses attributes and modifiers; a declaration keyword ends them.
  mutating func parseAttributesAndModifiers() {
    while at < limit {
      if kind == .at {
        parseAttribute()
      } else if kind == .poundIf {
        parseConditionalAttributes()
      } else if isModifier, keyword != .class || isModifierAhead || kind(ahead: 1) == .keyword {
        let node = open(.modifier)
        setName(node)
        advance()
        if kind == .leftParen { skipBalanced() }
        close(node)
      } else {
        return
      }
    }
  }

  /// Moves behind `#if … #endif` when there are attributes in it and nothing else.
  private mutating func skipConditionalAttributes() -> Bool {
    guard depth < Self.maximumDepth else { return false }
    depth += 1
    defer { depth -= 1 }
    var hasAttributes = false
    repeat {
      skipDirectiveLine()
      while kind == .at || kind == .poundIf {
        hasAttributes = true
        if kind == .at {
          skipAttribute()
        } else if !skipConditionalAttributes() {
          return false
        }
      }
    } while kind == .poundElseif || kind == .poundElse
    return hasAttributes && consume(.poundEndif)
  }

  /// Parses the attributes between `#if` and `#endif` as if no condition stood around them.
  private mutating func parseConditionalAttributes() {
    while kind.isConditional {
      if kind == .poundEndif { advance() } else { skipDirectiveLine() }
      while kind == .at { parseAttribute() }
    }
  }

  /// Moves behind `#if`, `#elseif` or `#else` and its condition.
  mutating func skipDirectiveLine() {
    advance()
    while at < limit, !startsLine(at), !kind.isConditional { skipBalanced() }
  }

  mutating func parseBlock() {
    guard kind == .leftBrace else { return }
    let node = open(.block)
    inBrackets { $0.parseItems(.statements) }
    close(node)
  }

  mutating func parseInheritance() {
    guard kind == .colon else { return }
    let node = open(.inheritance)
    repeat {
      advance()
      parseType()
    } while kind == .comma
    close(node)
  }
}

// MARK: - Declarations

extension Parser {
  private mutating func parseDeclaration(_ kind: Node.Kind) {
    let node = open(kind)
    parseAttributesAndModifiers()
    switch kind {
    case .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl, .extensionDecl:
      parseTypeDeclaration(node)
    case .functionDecl, .initDecl, .deinitDecl, .subscriptDecl, .macroDecl:
      parseFunction(node)
    case .variableDecl: parseVariable(node)
    case .enumCaseDecl: parseEnumCase()
    case .typealiasDecl, .associatedtypeDecl: parseTypealias(node)
    case .importDecl: parseImport(node)
    default: parseOperator(node)
    }
    close(node)
  }

  private mutating func parseTypeDeclaration(_ node: Int) {
    advance()
    if nodes[node].kind == .extensionDecl {
      setName(node)
      parseType()
    } else {
      setName(node)
      if isMemberName(ahead: 0) { advance() }
      parseGenericParameters()
    }
    if atAngle { parseGenericParameters() }
    parseInheritance()
    parseWhereClause()
    guard kind == .leftBrace else { return }
    let members = open(.members)
    inBrackets { $0.parseItems(.members) }
    close(members)
  }

  private mutating func parseFunction(_ node: Int) {
    setName(node)
    let declared = nodes[node].kind
    advance()
    if declared == .functionDecl || declared == .macroDecl {
      setName(node)
      advanceBehindFunctionName()
    } else if declared == .initDecl, kind == .postfixQuestion || kind == .exclamation {
      advance()
    }
    if split > 0 || atAngle { parseGenericParameters() }
    parseParameters()
    parseEffects(node)
    if kind == .arrow {
      advance()
      parseType()
    }
    parseWhereClause()
    if declared == .subscriptDecl {
      parseAccessors()
    } else if declared == .macroDecl {
      if atEqual {
        advance()
        parseExpression()
      }
      parseWhereClause()
    } else {
      parseBlock()
    }
  }

  /// Moves behind a name; the last `<` of an operator such as `==<` begins generic parameters.
  private mutating func advanceBehindFunctionName() {
    let length = token.length
    let endsWithAngle =
      isOperator && length > 1 && text.start[token.end - 1] == UInt8(ascii: "<")
    if endsWithAngle, kind(ahead: 1) == .identifier, !tokens[at + 1].flags.contains(.afterSpace) {
      split = length - 1
    } else {
      advance()
    }
  }

  /// Reads `async`, `throws`, `throws(E)`, `rethrows` into a node's flags.
  mutating func parseEffects(_ node: Int) {
    while at < limit {
      switch keyword {
      case .async, .reasync:
        nodes[node].flags.insert(.isAsync)
        advance()
      case .throws:
        nodes[node].flags.insert(.isThrowing)
        advance()
        if kind == .leftParen { skipBalanced() }
      case .rethrows:
        nodes[node].flags.insert([.isThrowing, .isLet])
        advance()
      default: return
      }
    }
  }

  /// Parses `(…)` of a function, or of a closure, where a name may stand without a type.
  mutating func parseParameters(ofClosure: Bool = false) {
    guard kind == .leftParen else { return }
    let node = open(.parameters)
    inBrackets { parser in
      while parser.at < parser.limit {
        let before = parser.at
        parser.parseParameter(ofClosure: ofClosure)
        if !parser.consume(.comma), parser.at == before { parser.skipBalanced() }
      }
    }
    close(node)
  }

  /// Parses `@A label name: T... = value`.
  private mutating func parseParameter(ofClosure: Bool) {
    let node = open(.parameter)
    if !isTypeWithAttributes {
      while kind == .at { parseAttribute() }
      while isModifier, kind(ahead: 1) != .colon, kind(ahead: 2) != .colon {
        leaf(.modifier, named: true)
      }
    }
    let isBare = ofClosure && endsParameter(ahead: 1)
    let hasTwoNames =
      isMemberName(ahead: 1)
      && (kind(ahead: 2) == .colon || ofClosure && kind == .wildcard && endsParameter(ahead: 2))
    if isMemberName(ahead: 0), isBare || kind(ahead: 1) == .colon || hasTwoNames {
      nodes[node].label = UInt32(truncatingIfNeeded: at)
      setName(node)
      advance()
      if isMemberName(ahead: 0) {
        setName(node)
        advance()
      }
    }
    if kind == .colon {
      advance()
      parseType()
    } else if at < limit, kind != .comma {
      parseType()
    }
    if isEllipsis || split > 0 && !atEqual { advance() }
    if atEqual {
      advance()
      parseExpression()
    }
    while at < limit, kind != .comma { skipUnknown() }
    close(node)
  }

  private func endsParameter(ahead count: Int) -> Bool {
    kind(ahead: count) == .comma || kind(ahead: count) == .endOfFile
  }

  /// Whether the attributes at the next token belong to a type that stands without a name.
  private var isTypeWithAttributes: Bool {
    kind == .at
      && lookAhead { parser in
        while parser.kind == .at { parser.skipAttribute() }
        return !parser.isMemberName(ahead: 0)
      } != nil
  }

  private mutating func parseEnumCase() {
    repeat {
      advance()
      let element = open(.enumElement)
      setName(element)
      if isMemberName(ahead: 0) { advance() }
      parseParameters()
      if kind == .equal {
        advance()
        parseExpression()
      }
      close(element)
    } while kind == .comma
  }

  private mutating func parseTypealias(_ node: Int) {
    advance()
    setName(node)
    if isMemberName(ahead: 0) { advance() }
    parseGenericParameters()
    parseInheritance()
    if atEqual {
      advance()
      parseType()
    }
    parseWhereClause()
  }

  private mutating func parseImport(_ node: Int) {
    advance()
    switch keyword {
    case .typealias, .struct, .class, .enum, .protocol, .let, .var, .func: advance()
    default: break
    }
    setName(node)
    if isMemberName(ahead: 0) { advance() }
    while kind == .period || kind == .colonColon, isMemberName(ahead: 1) || isOperatorAhead {
      advance()
      advance()
    }
  }

  private var isOperatorAhead: Bool {
    switch kind(ahead: 1) {
    case .binaryOperator, .prefixOperator, .postfixOperator: true
    default: false
    }
  }

  /// An operator or a precedence group: a name, then tokens to the end of the line or its braces.
  private mutating func parseOperator(_ node: Int) {
    advance()
    setName(node)
    if at < limit { advance() }
    while at < limit, !startsLine(at) || tokens[at - 1].kind == .colon, kind != .leftBrace,
      kind != .semicolon
    {
      advance()
    }
    if kind == .leftBrace { skipBalanced() }
  }
}
