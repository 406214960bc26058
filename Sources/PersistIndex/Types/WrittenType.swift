import PersistSyntax

/// The outermost form of a type as it is written, without what its names mean.
package struct WrittenType: Sendable {
  /// The last name outside of brackets and generic arguments: `Error` of `any Swift.Error`;
  /// `.none` for an array, a dictionary or a tuple.
  package private(set) var name = Name.none
  /// Whether it ends with `?`.
  package private(set) var isOptional = false
  /// Whether it ends with `!`.
  package private(set) var isImplicitlyUnwrapped = false
  /// Whether it is written `[Element]`, with a mark for optionals or without.
  package private(set) var isArray = false
  /// Whether it joins protocols with `&`.
  package private(set) var isComposition = false
  /// Whether it is a function type.
  package private(set) var isFunction = false

  init(_ outline: Outline, node: Int) {
    var tokens = Int(outline.nodes[node].first)..<Int(outline.nodes[node].end)
    guard !tokens.isEmpty else { return }
    let last = outline.text.start[outline.tokens[tokens.upperBound - 1].end - 1]
    var isWhole = true
    while let inner = Self.inParentheses(outline, tokens) {
      tokens = inner
      isWhole = false
    }
    read(outline, tokens)
    if isFunction { isArray = false }
    // The mark behind `() -> Trip?` is that of the result.
    guard !isFunction || !isWhole else { return }
    isOptional = last == UInt8(ascii: "?")
    isImplicitlyUnwrapped = last == UInt8(ascii: "!")
  }

  /// What stands in the parentheses around a whole type; nil where there are none, and for tuples.
  private static func inParentheses(_ outline: Outline, _ tokens: Range<Int>) -> Range<Int>? {
    guard outline.tokens[tokens.lowerBound].kind == .leftParen,
      let partner = outline.tokens[tokens.lowerBound].partner, tokens.contains(partner),
      partner > tokens.lowerBound + 1,
      (partner + 1..<tokens.upperBound).allSatisfy({
        [.postfixQuestion, .exclamation].contains(outline.tokens[$0].kind)
      })
    else { return nil }
    let inner = tokens.lowerBound + 1..<partner
    return stands(.comma, directlyIn: inner, outline) ? nil : inner
  }

  private mutating func read(_ outline: Outline, _ tokens: Range<Int>) {
    var angles = 0
    var token = tokens.lowerBound
    while token < tokens.upperBound {
      let next = outline.tokens[token]
      switch next.kind {
      case .leftSquare where angles == 0:
        let elements = token + 1..<max(next.partner ?? 0, token + 1)
        isArray =
          isArray
          || token == tokens.lowerBound && !Self.stands(.colon, directlyIn: elements, outline)
        name = .none
      case .identifier where angles == 0: name = outline.name(ofToken: token)
      case .keyword where angles == 0 && (next.keyword == .selfType || next.keyword == .anyType):
        name = outline.name(ofToken: token)
      case .arrow where angles == 0: isFunction = true
      case .binaryOperator, .prefixOperator, .postfixOperator, .prefixAmpersand:
        for offset in 0..<next.length {
          switch outline.text.start[Int(next.offset) + offset] {
          case UInt8(ascii: "<"): angles += 1
          case UInt8(ascii: ">"): angles -= 1
          case UInt8(ascii: "&") where angles == 0: isComposition = true
          default: break
          }
        }
      default: break
      }
      token = next.kind.isBracket ? max(token, next.partner ?? token) + 1 : token + 1
    }
  }

  /// Whether a token of a kind stands among some, outside of the brackets in them.
  private static func stands(
    _ kind: Token.Kind, directlyIn tokens: Range<Int>, _ outline: Outline
  ) -> Bool {
    var token = tokens.lowerBound
    while token < tokens.upperBound {
      let next = outline.tokens[token]
      if next.kind == kind { return true }
      token = next.kind.isBracket ? max(token, next.partner ?? token) + 1 : token + 1
    }
    return false
  }
}

extension Program {
  /// The outermost form of the type that a node spells.
  package func writtenType(_ ref: Ref) -> WrittenType {
    WrittenType(outline(ref), node: Int(ref.node))
  }

  /// Whether the type that a node spells is an optional.
  package func isOptional(_ ref: Ref) -> Bool {
    if case .optional = type(ofTypeNode: ref) { return true }
    return writtenType(ref).isOptional
  }

  /// Whether the type that a node spells is `Void`.
  func isVoid(_ ref: Ref) -> Bool {
    switch type(ofTypeNode: ref) {
    case .tuple(let parts, _): parts.isEmpty
    case .external(let name, _): name == "Void"
    default: false
    }
  }
}
