import SwiftParser
import SwiftSyntax

/// A piece of source as both sides see it: a token, or the text of a literal between interpolations.
struct Piece {
  var start: Int
  var end: Int
  var kind: String
  /// The offset of the bracket's partner; -1 for what is no bracket or has none.
  var partner = -1
}

/// The pieces and comments of one file.
struct Pieces {
  var tokens: [Piece] = []
  var comments: [Range<Int>] = []
}

/// The words that SwiftParser's lexer makes keywords; all others become keywords in its parser only.
let reservedWords: Set<String> = [
  "Any", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer",
  "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func",
  "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
  "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
  "Self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
  "typealias", "var", "where", "while",
]

/// Collects the pieces of a SwiftSyntax tree.
final class ReferenceTokens: SyntaxVisitor {
  private(set) var pieces = Pieces()
  /// The start of the literal's text that is being collected.
  private var literalStart: Int?
  private var literalEnd = 0
  /// Left brackets by parent node, waiting for their right ones.
  private var waiting: [SyntaxIdentifier: [(kind: String, index: Int)]] = [:]

  static func pieces(of tree: SourceFileSyntax) -> Pieces {
    let visitor = ReferenceTokens(viewMode: .sourceAccurate)
    visitor.walk(tree)
    return visitor.pieces
  }

  // MARK: Literals are one piece up to their first interpolation, and after each

  override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    beginLiteral(Syntax(node))
    return .visitChildren
  }

  override func visitPost(_ node: StringLiteralExprSyntax) { endLiteral(Syntax(node)) }

  override func visit(_ node: SimpleStringLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    beginLiteral(Syntax(node))
    return .visitChildren
  }

  override func visitPost(_ node: SimpleStringLiteralExprSyntax) { endLiteral(Syntax(node)) }

  override func visit(_ node: RegexLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    beginLiteral(Syntax(node))
    return .visitChildren
  }

  override func visitPost(_ node: RegexLiteralExprSyntax) {
    flush(until: node.endPositionBeforeTrailingTrivia.utf8Offset, kind: "regex")
    literalStart = nil
  }

  private func beginLiteral(_ node: Syntax) {
    literalStart = node.positionAfterSkippingLeadingTrivia.utf8Offset
    isFirstPiece = true
  }

  private var isFirstPiece = true

  private func endLiteral(_ node: Syntax) {
    let kind = isFirstPiece ? "string" : "stringEnd"
    flush(until: node.endPositionBeforeTrailingTrivia.utf8Offset, kind: kind)
    literalStart = nil
  }

  private func flush(until end: Int, kind: String) {
    guard let start = literalStart else { return }
    pieces.tokens.append(Piece(start: start, end: end, kind: kind))
    literalStart = nil
  }

  // MARK: Tokens

  override func visit(_ token: TokenSyntax) -> SyntaxVisitorContinueKind {
    collectComments(token)
    let start = token.positionAfterSkippingLeadingTrivia.utf8Offset
    let end = start + token.trimmedLength.utf8Length
    let parent = token.parent
    if parent?.is(ExpressionSegmentSyntax.self) == true {
      visitInterpolation(token, start: start, end: end)
      return .skipChildren
    }
    if isLiteralText(parent) || start == end { return .skipChildren }
    append(token, start: start, end: end)
    return .skipChildren
  }

  private func isLiteralText(_ parent: Syntax?) -> Bool {
    switch parent?.kind {
    case .stringLiteralExpr, .simpleStringLiteralExpr, .stringSegment, .regexLiteralExpr: true
    default: false
    }
  }

  private func visitInterpolation(_ token: TokenSyntax, start: Int, end: Int) {
    switch token.tokenKind {
    case .leftParen:
      flush(until: start, kind: isFirstPiece ? "stringStart" : "stringMiddle")
      append(token, start: start, end: end)
    case .rightParen:
      append(token, start: start, end: end)
      literalStart = end
      isFirstPiece = false
    default: break
    }
  }

  private func append(_ token: TokenSyntax, start: Int, end: Int) {
    var kind = Self.kind(of: token)
    if kind.isEmpty { return }
    if Self.isRemade(token) { kind = "any" }
    var piece = Piece(start: start, end: end, kind: kind)
    if let parent = token.parent?.id {
      if kind.hasPrefix("left") {
        waiting[parent, default: []].append((kind, pieces.tokens.count))
      } else if kind.hasPrefix("right"),
        let at = waiting[parent]?.lastIndex(where: { $0.kind.dropFirst(4) == kind.dropFirst(5) })
      {
        let left = waiting[parent]!.remove(at: at).index
        if waiting[parent]!.isEmpty { waiting[parent] = nil }
        piece.partner = pieces.tokens[left].start
        pieces.tokens[left].partner = start
      }
    }
    pieces.tokens.append(piece)
  }

  /// Whether the parser gives such a token another kind than its lexer did: an operator as a name,
  /// the mark of `init?`, `~` of a suppressed type, `_` in a selector, `*` before a version.
  private static func isRemade(_ token: TokenSyntax) -> Bool {
    switch token.parent?.kind {
    case .functionDecl, .operatorDecl, .declReferenceExpr:
      if case .binaryOperator = token.tokenKind { return true }
      return false
    case .initializerDecl, .suppressedType, .objCSelectorPiece: return true
    case .platformVersion: return token.text == "*"
    default: return false
    }
  }

  private func collectComments(_ token: TokenSyntax) {
    var offset = token.position.utf8Offset
    for piece in token.leadingTrivia { collectComment(piece, &offset) }
    offset = token.endPositionBeforeTrailingTrivia.utf8Offset
    for piece in token.trailingTrivia { collectComment(piece, &offset) }
  }

  private func collectComment(_ piece: TriviaPiece, _ offset: inout Int) {
    let length = piece.sourceLength.utf8Length
    switch piece {
    case .lineComment, .blockComment, .docLineComment, .docBlockComment:
      pieces.comments.append(offset..<offset + length)
    default: break
    }
    offset += length
  }

  private static func kind(of token: TokenSyntax) -> String {
    switch token.tokenKind {
    case .leftParen: "leftParen"
    case .rightParen: "rightParen"
    case .leftSquare: "leftSquare"
    case .rightSquare: "rightSquare"
    case .leftBrace: "leftBrace"
    case .rightBrace: "rightBrace"
    case .identifier(let text): reservedWords.contains(text) ? "keyword" : "identifier"
    case .keyword: reservedWords.contains(token.text) ? "keyword" : "identifier"
    case .dollarIdentifier: "dollarIdentifier"
    case .wildcard: "wildcard"
    case .integerLiteral: "integer"
    case .floatLiteral: "float"
    case .binaryOperator: "binaryOperator"
    case .prefixOperator: "prefixOperator"
    case .postfixOperator: "postfixOperator"
    case .leftAngle, .rightAngle, .ellipsis: "operator"
    case .equal: "equal"
    case .arrow: "arrow"
    case .period: "period"
    case .comma: "comma"
    case .colon: "colon"
    case .semicolon: "semicolon"
    case .atSign: "at"
    case .pound: "pound"
    case .backslash: "backslash"
    case .backtick: "backtick"
    case .prefixAmpersand: "prefixAmpersand"
    case .postfixQuestionMark: "postfixQuestion"
    case .infixQuestionMark: "infixQuestion"
    case .exclamationMark: "exclamation"
    case .poundIf: "poundIf"
    case .poundElseif: "poundElseif"
    case .poundElse: "poundElse"
    case .poundEndif: "poundEndif"
    case .poundSourceLocation: "poundSourceLocation"
    case .poundAvailable: "poundAvailable"
    case .poundUnavailable: "poundUnavailable"
    case .shebang: "shebang"
    case .unknown: "unknown"
    case .endOfFile: ""
    default: "\(token.tokenKind)"
    }
  }
}
