// MARK: - Variables and accessors

extension Parser {
  /// Parses `var a = 1, b: Int { … }` from the keyword on.
  mutating func parseVariable(_ node: Int) {
    if keyword == .let { nodes[node].flags.insert(.isLet) }
    setName(node)
    repeat {
      advance()
      parseBinding(isLet: nodes[node].flags.contains(.isLet))
    } while kind == .comma
  }

  private mutating func parseBinding(isLet: Bool) {
    let binding = open(.binding)
    if isLet { nodes[binding].flags.insert(.isLet) }
    parseBindingPattern(binding)
    if kind == .colon {
      advance()
      parseType()
    }
    if atEqual {
      advance()
      parseExpression()
    }
    if kind == .leftBrace { parseAccessors() }
    close(binding)
  }

  /// Parses the pattern of a binding: a name, or a tuple whose names are bound.
  mutating func parseBindingPattern(_ node: Int) {
    if kind == .leftParen {
      let pattern = open(.expression)
      let chain = open(.chain)
      parsePattern(binding: true)
      close(chain)
      close(pattern)
    } else if isMemberName(ahead: 0) {
      setName(node)
      leaf(.boundName, named: true)
    }
  }

  /// Whether `{` begins `get`, `set`, `willSet` … rather than statements.
  var atAccessorBlock: Bool {
    guard kind == .leftBrace else { return false }
    return lookAhead { parser in
      parser.advance()
      while parser.kind == .at { parser.skipAttribute() }
      while parser.isAccessorModifier { parser.advance() }
      return parser.isAccessorName && parser.isAccessorFollower
    } != nil
  }

  private var isAccessorModifier: Bool {
    switch keyword {
    case .mutating, .nonmutating, .borrowing, .consuming, .nonisolated, .underscoreLocal:
      kind(ahead: 1) == .identifier
    case .private, .fileprivate, .internal, .public, .package: kind(ahead: 1) == .identifier
    default: false
    }
  }

  private var isAccessorName: Bool {
    switch keyword {
    case .get, .set, .willSet, .didSet, .underscoreRead, .underscoreModify, .read, .modify,
      .unsafeAddress, .borrowing, .borrow, .mutate:
      return true
    case .initializer:
      return kind(ahead: 1) == .leftBrace || kind(ahead: 1) == .leftParen
    default:
      return kind == .identifier && text.token(token, beginsWith: "unsafe", endsWith: "ddress")
    }
  }

  /// Whether `(name) {` follows, as in `set(value) {`.
  private var hasParameterName: Bool {
    guard keyword != .get, kind(ahead: 3) == .rightParen else { return false }
    switch kind(ahead: 4) {
    case .leftBrace: return true
    default: return [.async, .throws, .rethrows].contains(keyword(ahead: 4))
    }
  }

  private var isAccessorFollower: Bool {
    switch kind(ahead: 1) {
    case .leftBrace, .endOfFile, .at: return true
    case .leftParen: return hasParameterName
    case .identifier, .keyword:
      switch keyword(ahead: 1) {
      case .get, .set, .async, .throws, .nonmutating, .mutating, .rethrows, .reasync: return true
      case .willSet, .didSet, .underscoreModify, .underscoreRead, .read, .modify: return true
      default: return false
      }
    case .rightBrace: return true
    default: return false
    }
  }

  /// Parses the braces of a property or subscript, when they stand there.
  mutating func parseAccessors() {
    guard kind == .leftBrace else { return }
    let node = open(.accessors)
    if atAccessorBlock {
      inBrackets { parser in
        while parser.at < parser.limit {
          let before = parser.at
          if parser.kind == .poundIf {
            parser.parseConditionalAccessors()
          } else {
            parser.parseAccessor()
          }
          if parser.at == before { parser.skipUnknown() }
        }
      }
    } else {
      let getter = open(.accessor)
      parseBlock()
      close(getter)
    }
    close(node)
  }

  private mutating func parseConditionalAccessors() {
    let config = open(.ifConfig)
    while kind == .poundIf || kind == .poundElseif || kind == .poundElse {
      let clause = open(.ifConfigClause)
      advance()
      while at < limit, !startsLine(at) { skipBalanced() }
      while at < limit, !kind.isConditional {
        let before = at
        parseAccessor()
        if at == before { skipUnknown() }
      }
      close(clause)
      if kind == .poundIf { break }
    }
    if kind == .poundEndif { advance() }
    close(config)
  }

  private mutating func parseAccessor() {
    let node = open(.accessor)
    while kind == .at { parseAttribute() }
    while isAccessorModifier { leaf(.modifier, named: true) }
    if isAccessorName {
      setName(node)
      advance()
      if kind == .leftParen { skipBalanced() }
    }
    parseEffects(node)
    parseBlock()
    close(node)
  }
}
