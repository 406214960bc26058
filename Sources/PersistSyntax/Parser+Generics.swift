// MARK: - Generic parameters, `where` clauses, and the roots of key paths

extension Parser {
  /// Parses `<T: P, each U>` of a declaration.
  mutating func parseGenericParameters() {
    guard atAngle else { return }
    let node = open(.genericParameters)
    advanceByte()
    while at < limit, !atCloseAngle, kind != .leftBrace {
      if keyword == .where {
        parseWhereClause(inAngles: true)
      } else if kind == .comma {
        advance()
      } else {
        parseGenericParameter()
      }
    }
    if atCloseAngle { advanceByte() }
    close(node)
  }

  /// Parses `each T: P`, and moves up to the comma or bracket behind it.
  private mutating func parseGenericParameter() {
    let node = open(.genericParameter)
    while kind == .at { parseAttribute() }
    if keyword == .each || keyword == .let, isMemberName(ahead: 1) { advance() }
    if isName {
      setName(node)
      advance()
    }
    if consume(.colon) { parseType() }
    if atEqual {
      advanceByte()
      parseType()
    }
    while at < limit, !endsGenericParameter {
      if split > 0 || atAngle {
        if !skipGenericArguments() { advanceByte() }
      } else {
        skipBalanced()
      }
    }
    close(node)
  }

  private var endsGenericParameter: Bool {
    atCloseAngle || kind == .comma || kind == .leftBrace || keyword == .where
  }

  /// Parses `where T: P, U == V` up to the body, or the `>` that it stands before.
  mutating func parseWhereClause(inAngles: Bool = false) {
    guard keyword == .where else { return }
    let node = open(.whereClause)
    advance()
    while at < limit {
      parseRequirement(inAngles)
      if split > 0, !(inAngles && atCloseAngle) { advance() }
      guard kind == .comma else { break }
      advance()
    }
    close(node)
  }

  private mutating func parseRequirement(_ inAngles: Bool) {
    let node = open(.conformanceRequirement)
    parseType()
    if kind == .colon {
      advance()
      parseType()
    } else if isOperator || split > 0, !(inAngles && atCloseAngle) {
      nodes[node].kind = .sameTypeRequirement
      // The `==` may be the rest of `>==`.
      repeat { advanceByte() } while split > 0
      parseType()
    }
    close(node)
  }

  /// Parses the type before the members of a key path: `A<B>?` of `\A<B>?.c`.
  mutating func parseKeyPathRoot() {
    let isBracket = kind == .leftParen || kind == .leftSquare
    guard isBracket || kind == .identifier || kind == .keyword else { return }
    let node = open(.type)
    recordsTypes = true
    let part = beginPart()
    switch kind {
    case .leftParen: skipTypeElements(part)
    case .leftSquare: skipCollectionType(part)
    default:
      advance()
      skipExpressionGenericArguments()
      record(.namedType, part, name: part.first)
    }
    while at < limit, byte == UInt8(ascii: "?") || byte == UInt8(ascii: "!"),
      split > 0 || kind == .postfixQuestion || kind == .exclamation || kind == .postfixOperator
    {
      let base = types.count
      let isOptional = byte == UInt8(ascii: "?")
      advanceByte()
      recordSuffix(isOptional ? .optionalType : .unwrappedType, part, behind: base)
    }
    recordsTypes = false
    emitTypes()
    close(node)
  }
}
