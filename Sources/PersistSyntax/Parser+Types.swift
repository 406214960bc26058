// MARK: - Types

extension Parser {
  /// Parses a type as one node with the parts of the type beneath it.
  mutating func parseType() {
    let node = open(.type)
    recordsTypes = true
    skipType()
    recordsTypes = false
    emitTypes()
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

  /// Whether the next thing is `&` alone, also as the rest of `>&`.
  private var atAmpersand: Bool {
    byte == UInt8(ascii: "&") && split + 1 == token.length
      && (isOperator || kind == .prefixAmpersand)
  }

  /// Whether the next thing is `=`, also as the rest of `>=`.
  var atEqual: Bool {
    kind == .equal || split > 0 && byte == UInt8(ascii: "=")
  }

  /// Moves behind a type; false when none stands there. Its parts are recorded in `parseType`.
  @discardableResult
  mutating func skipType() -> Bool {
    let part = beginPart()
    guard skipOneType() else { return false }
    if isEllipsis {
      advance()
      record(.variadicType, part)
    }
    return true
  }

  /// Moves behind a type but for the `...` behind it.
  mutating func skipOneType() -> Bool {
    guard depth < Self.maximumDepth else { return false }
    depth += 1
    defer { depth -= 1 }
    let whole = beginPart()
    let hasPrefix = skipTypeSpecifiers()
    let base = beginPart()
    guard skipConstrainedType(), skipFunctionResult(base) else {
      types.remove(from: whole.mark)
      return false
    }
    if hasPrefix { record(.attributedType, whole) }
    return true
  }

  /// Moves behind attributes and words such as `inout`; whether there are any.
  private mutating func skipTypeSpecifiers() -> Bool {
    let start = at
    while at < limit {
      switch (kind, keyword) {
      case (.at, _):
        skipTypeAttribute()
      case (.keyword, .inout):
        recordWord()
      case (.identifier, .borrowing), (.identifier, .consuming), (.identifier, .isolated),
        (.identifier, .sending), (.identifier, .nonisolated):
        guard startsTypeAfterSpecifier else { return at > start }
        let part = beginPart()
        advance()
        if kind == .leftParen, tokens[at - 1].keyword == .nonisolated { skipBalanced() }
        record(.typeSpecifier, part, name: part.first)
      case (.identifier, .none) where isSuppression:
        recordWord()
      default:
        return at > start
      }
    }
    return at > start
  }

  private mutating func recordWord() {
    let part = beginPart()
    advance()
    record(.typeSpecifier, part, name: part.first)
  }

  private mutating func skipTypeAttribute() {
    let part = beginPart()
    skipAttribute()
    record(.typeAttribute, part, name: part.first + 1)
  }

  /// `__owned`, `__shared`, `_const` before another name.
  private var isSuppression: Bool {
    guard text.start[Int(token.offset)] == UInt8(ascii: "_"), !startsLine(at + 1) else {
      return false
    }
    return kind(ahead: 1) == .identifier || keyword(ahead: 1) == .selfType
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

  /// The kind of type that the next word begins, as `some` does.
  private var typeWord: Node.Kind? {
    switch (kind, keyword) {
    case (.keyword, .repeat): .packExpansionType
    case (.identifier, .some) where startsTypeAfterSpecifier: .someType
    case (.identifier, .any) where startsTypeAfterSpecifier: .anyType
    case (.identifier, .each) where startsTypeAfterSpecifier: .packElementType
    default: nil
    }
  }

  /// Moves behind `some P & Q`, `any P`, `repeat each T`, or a type without such a word.
  private mutating func skipConstrainedType() -> Bool {
    guard let word = typeWord else { return skipComposition() }
    let part = beginPart()
    advance()
    let isPrefixed = word == .packExpansionType || kind == .at || keyword != .none
    guard isPrefixed ? skipOneType() : skipComposition() else { return false }
    record(word, part)
    return true
  }

  private mutating func skipComposition() -> Bool {
    let part = beginPart()
    guard skipSimpleType() else { return false }
    var isComposition = false
    while atAmpersand {
      isComposition = true
      advanceByte()
      guard skipSimpleType() else { break }
    }
    if isComposition { record(.compositionType, part) }
    return true
  }

  /// Moves behind a type without an operator before or behind it, and its suffixes.
  private mutating func skipSimpleType() -> Bool {
    let part = beginPart()
    let hasAttributes = kind == .at
    while kind == .at { skipTypeAttribute() }
    let base = beginPart()
    guard skipTypePrimary(base) else { return false }
    skipTypeSuffixes(base)
    if hasAttributes { record(.attributedType, part) }
    return true
  }

  private mutating func skipTypePrimary(_ part: TypePart) -> Bool {
    if split > 0 { return false }
    switch kind {
    case .identifier, .dollarIdentifier, .wildcard:
      skipTypeName(part)
      return true
    case .integer:
      advance()
      skipGenericArguments()
      record(.typeValue, part)
      return true
    case .keyword:
      switch keyword {
      case .selfType, .anyType, .class:
        skipTypeName(part)
        return true
      default: return false
      }
    case .leftParen:
      skipTypeElements(part)
      return true
    case .leftSquare:
      skipCollectionType(part)
      return true
    case .prefixOperator where byte == UInt8(ascii: "~") || byte == UInt8(ascii: "-"):
      return skipSuppressedType(part)
    default:
      return false
    }
  }

  private mutating func skipTypeName(_ part: TypePart) {
    advance()
    skipGenericArguments()
    record(.namedType, part, name: part.first)
  }

  /// Moves behind `~Copyable`, or a negative number.
  private mutating func skipSuppressedType(_ part: TypePart) -> Bool {
    guard depth < Self.maximumDepth else { return false }
    depth += 1
    defer { depth -= 1 }
    let isNumber = byte == UInt8(ascii: "-")
    advance()
    guard skipSimpleType() else { return false }
    if isNumber { types.remove(from: part.mark) }
    record(isNumber ? .typeValue : .suppressedType, part)
    return true
  }

  private mutating func skipTypeSuffixes(_ part: TypePart) {
    while at < limit {
      let base = types.count
      switch byte {
      case UInt8(ascii: "?"), UInt8(ascii: "!"):
        guard
          split > 0 || kind == .postfixQuestion || kind == .exclamation
            || kind == .postfixOperator
        else { return }
        let isOptional = byte == UInt8(ascii: "?")
        advanceByte()
        recordSuffix(isOptional ? .optionalType : .unwrappedType, part, behind: base)
      case UInt8(ascii: "."):
        guard kind == .period, split == 0, isMemberName(ahead: 1) else { return }
        advance()
        let name = at
        let isMetatype = keyword == .metatype || keyword == .protocolMetatype
        advance()
        skipGenericArguments()
        recordSuffix(isMetatype ? .metatype : .memberType, part, behind: base, name: name)
      case UInt8(ascii: ":") where kind == .colonColon:
        advance()
        let name = at
        if kind == .identifier { advance() }
        skipGenericArguments()
        recordSuffix(.memberType, part, behind: base, name: name)
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
    let mark = types.count
    advanceByte()
    while at < limit, !atCloseAngle {
      if !skipType() { break }
      if kind == .comma { advance() }
    }
    guard atCloseAngle else {
      (at, split) = (oldAt, oldSplit)
      types.remove(from: mark)
      return false
    }
    advanceByte()
    return true
  }

  /// Moves behind `@name.name<…>(…)` and makes no nodes.
  mutating func skipAttribute() {
    advance()
    let name = token
    skipAttributeName()
    guard kind == .leftParen, !token.flags.contains(.afterSpace), !isFunctionType,
      !isTypeAttribute(name)
    else { return }
    skipBalanced()
  }

  /// Whether an attribute of types has no arguments, so that `(` behind it begins the type.
  private func isTypeAttribute(_ name: Token) -> Bool {
    text.token(name, is: "escaping") || text.token(name, is: "Sendable")
      || text.token(name, is: "autoclosure")
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
}
