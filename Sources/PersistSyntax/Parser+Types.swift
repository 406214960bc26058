// MARK: - Types

extension Parser {
  /// Parses a type as one node.
  mutating func parseType() {
    let node = open(.type)
    skipType()
    close(node)
  }

  var atAngle: Bool {
    byte == UInt8(ascii: "<") && (split > 0 || isOperator)
  }

  var atCloseAngle: Bool {
    byte == UInt8(ascii: ">") && (split > 0 || isOperator)
  }

  var isOperator: Bool {
    switch kind {
    case .binaryOperator, .prefixOperator, .postfixOperator: true
    default: false
    }
  }

  /// Whether the next thing is `=`, also as the rest of `>=`.
  var atEqual: Bool {
    kind == .equal || split > 0 && byte == UInt8(ascii: "=")
  }

  /// Moves behind a type and makes no nodes; false when none stands there.
  @discardableResult
  mutating func skipType() -> Bool {
    guard depth < Self.maximumDepth else { return false }
    depth += 1
    defer { depth -= 1 }
    skipTypeSpecifiers()
    guard skipTypePrimary() else { return false }
    skipTypeSuffixes()
    while byte == UInt8(ascii: "&"), isOperator || kind == .prefixAmpersand {
      advanceByte()
      guard skipTypePrimary() else { return true }
      skipTypeSuffixes()
    }
    if skipEffectsBeforeArrow() {
      advance()
      return skipType()
    }
    return true
  }

  private mutating func skipTypeSpecifiers() {
    while at < limit {
      switch (kind, keyword) {
      case (.at, _):
        skipAttribute()
      case (.keyword, .inout), (.keyword, .repeat):
        advance()
      case (.identifier, .some), (.identifier, .any), (.identifier, .each),
        (.identifier, .borrowing), (.identifier, .consuming), (.identifier, .isolated),
        (.identifier, .sending), (.identifier, .nonisolated):
        guard startsTypeAfterSpecifier else { return }
        advance()
        if kind == .leftParen, tokens[at - 1].keyword == .nonisolated { skipBalanced() }
      case (.identifier, .none) where isSuppression:
        advance()
      case (.prefixOperator, _) where byte == UInt8(ascii: "~"):
        advance()
      default:
        return
      }
    }
  }

  /// `__owned`, `__shared`, `_const` before another name.
  private var isSuppression: Bool {
    guard text.start[Int(token.offset)] == UInt8(ascii: "_"), !startsLine(at + 1) else {
      return false
    }
    return kind(ahead: 1) == .identifier
      || kind(ahead: 1) == .leftParen && tokens[at + 1].flags.contains(.afterSpace)
  }

  private var startsTypeAfterSpecifier: Bool {
    switch kind(ahead: 1) {
    case .identifier, .leftSquare, .at: true
    case .leftParen:
      keyword == .nonisolated || keyword == .any || keyword == .some
        || tokens[at + 1].flags.contains(.afterSpace)
    case .keyword:
      switch keyword(ahead: 1) {
      case .selfType, .anyType, .inout, .repeat, .class: true
      default: false
      }
    case .prefixOperator: true
    default: false
    }
  }

  private mutating func skipTypePrimary() -> Bool {
    if split > 0 { return false }
    switch kind {
    case .identifier, .dollarIdentifier, .wildcard, .integer:
      advance()
      skipGenericArguments()
      return true
    case .keyword:
      switch keyword {
      case .selfType, .anyType, .class:
        advance()
        skipGenericArguments()
        return true
      default: return false
      }
    case .leftParen, .leftSquare:
      skipBalanced()
      return true
    case .prefixOperator where byte == UInt8(ascii: "~") || byte == UInt8(ascii: "-"):
      advance()
      return skipTypePrimary()
    case .at:
      skipAttribute()
      return skipTypePrimary()
    default:
      return false
    }
  }

  private mutating func skipTypeSuffixes() {
    while at < limit {
      switch byte {
      case UInt8(ascii: "?"), UInt8(ascii: "!"):
        guard
          split > 0 || kind == .postfixQuestion || kind == .exclamation
            || kind == .postfixOperator
        else { return }
        advanceByte()
      case UInt8(ascii: "."):
        if kind == .period, split == 0 {
          guard isMemberName(ahead: 1) else { return }
          advance()
          advance()
          skipGenericArguments()
        } else {
          guard isEllipsis else { return }
          advance()
        }
      case UInt8(ascii: ":") where kind == .colonColon:
        advance()
        if kind == .identifier { advance() }
        skipGenericArguments()
      default:
        return
      }
    }
  }

  var isEllipsis: Bool {
    guard isOperator, split == 0, token.length == 3 else { return false }
    let place = text.start + Int(token.offset)
    return place[0] == 0x2E && place[1] == 0x2E && place[2] == 0x2E
  }

  func isMemberName(ahead count: Int) -> Bool {
    switch kind(ahead: count) {
    case .identifier, .dollarIdentifier, .keyword, .integer, .wildcard: true
    default: false
    }
  }

  /// Moves behind `<…>` when it stands there and closes.
  @discardableResult
  mutating func skipGenericArguments() -> Bool {
    guard atAngle else { return false }
    let (oldAt, oldSplit) = (at, split)
    advanceByte()
    while at < limit, !atCloseAngle {
      if !skipType() { break }
      if kind == .comma { advance() }
    }
    guard atCloseAngle else {
      (at, split) = (oldAt, oldSplit)
      return false
    }
    advanceByte()
    return true
  }

  /// Moves over `async throws(E)` when an arrow follows; stands at the arrow then.
  private mutating func skipEffectsBeforeArrow() -> Bool {
    let (oldAt, oldSplit) = (at, split)
    while at < limit {
      switch keyword {
      case .async, .throws, .rethrows, .reasync:
        advance()
        if kind == .leftParen, tokens[at - 1].keyword == .throws { skipBalanced() }
        continue
      default: break
      }
      break
    }
    if kind == .arrow { return true }
    (at, split) = (oldAt, oldSplit)
    return false
  }

  /// Moves behind `@name.name<…>(…)` and makes no nodes.
  mutating func skipAttribute() {
    advance()
    skipAttributeName()
    guard kind == .leftParen, !token.flags.contains(.afterSpace), !isFunctionType else { return }
    skipBalanced()
  }

  /// Whether the parentheses at the next token are those of a function type, as in
  /// `@autoclosure() -> Int`, and no arguments.
  private var isFunctionType: Bool {
    guard let partner = token.partner, partner + 1 < limit else { return false }
    switch tokens[partner + 1].keyword {
    case .throws, .rethrows, .async: return true
    default: return tokens[partner + 1].kind == .arrow
    }
  }

  mutating func skipAttributeName() {
    guard isMemberName(ahead: 0) else { return }
    advance()
    if !token.flags.contains(.afterSpace) { skipGenericArguments() }
    while kind == .period || kind == .colonColon, isMemberName(ahead: 1) {
      advance()
      advance()
      if !token.flags.contains(.afterSpace) { skipGenericArguments() }
    }
  }

  /// Moves behind `<T: P, each U where …>` of a declaration as one node.
  mutating func parseGenericParameters() {
    guard atAngle else { return }
    let node = open(.genericParameters)
    advanceByte()
    var angles = 1
    while at < limit, angles > 0 {
      if atAngle {
        angles += 1
        advanceByte()
      } else if atCloseAngle {
        angles -= 1
        advanceByte()
      } else if kind == .leftBrace {
        break
      } else {
        skipBalanced()
      }
    }
    close(node)
  }

  /// Parses `where T: P, U == V` up to the body.
  mutating func parseWhereClause() {
    guard keyword == .where else { return }
    let node = open(.whereClause)
    advance()
    while at < limit {
      skipType()
      if kind == .colon || isOperator || split > 0 {
        if split > 0 { advanceByte() } else { advance() }
        skipType()
      }
      if split > 0 { advance() }
      guard kind == .comma else { break }
      advance()
    }
    close(node)
  }
}
