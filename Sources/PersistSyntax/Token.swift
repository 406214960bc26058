/// One token: where it stands, what it is, and for a bracket which token is its partner.
package struct Token: Sendable {
  /// The offset of the first byte.
  package var offset: UInt32
  /// The length in bytes; for a bracket the index of its partner, or `unmatched`.
  package var extent: UInt32
  package var kind: Kind
  /// The reserved or contextual keyword that the text is, else `.none`.
  package var keyword: Keyword
  package var flags: Flags

  /// The `extent` of a bracket without a partner.
  package static let unmatched = UInt32.max

  package init(offset: UInt32, extent: UInt32, kind: Kind, keyword: Keyword, flags: Flags) {
    self.offset = offset
    self.extent = extent
    self.kind = kind
    self.keyword = keyword
    self.flags = flags
  }

  /// The length in bytes.
  package var length: Int { kind.isBracket ? 1 : Int(extent) }
  /// The offset after the last byte.
  package var end: Int { Int(offset) + length }
  /// The index of a bracket's partner.
  package var partner: Int? {
    kind.isBracket && extent != Self.unmatched ? Int(extent) : nil
  }

  /// What a token is.
  package enum Kind: UInt8, Sendable {
    case leftParen, rightParen, leftSquare, rightSquare, leftBrace, rightBrace
    /// A name; `$name` and a name in backticks are names too.
    case identifier
    /// A closure's parameter without a name: `$0`.
    case dollarIdentifier
    case keyword, wildcard
    case integer, float
    /// A whole string literal without interpolation, with its delimiters.
    case string
    /// The part of a string literal up to its first `\(`; `(`, code and `)` follow as tokens.
    case stringStart
    /// The part of a string literal between two interpolations.
    case stringMiddle
    /// The part of a string literal after its last interpolation.
    case stringEnd
    case regex
    case binaryOperator, prefixOperator, postfixOperator
    case equal, arrow, period, comma, colon, colonColon, semicolon
    case at, pound, backslash, backtick, prefixAmpersand
    case postfixQuestion, infixQuestion, exclamation
    case poundIf, poundElseif, poundElse, poundEndif, poundSourceLocation
    case poundAvailable, poundUnavailable
    case shebang, unknown, endOfFile

    /// Compares numbers, which the generic operator for raw values does by way of a table.
    package static func == (left: Kind, right: Kind) -> Bool { left.rawValue == right.rawValue }

    /// Whether the token is one of `( ) [ ] { }`.
    package var isBracket: Bool { rawValue <= Kind.rightBrace.rawValue }
    /// Whether the token is a run of operator characters.
    package var isOperator: Bool {
      self == .binaryOperator || self == .prefixOperator || self == .postfixOperator
    }
    /// Whether the token is a conditional compilation directive.
    package var isConditional: Bool {
      rawValue >= Kind.poundIf.rawValue && rawValue <= Kind.poundEndif.rawValue
    }
  }

  /// What stands around a token.
  package struct Flags: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// A line break stands before the token.
    package static let afterNewline = Flags(rawValue: 1)
    /// White space or a comment stands before the token.
    package static let afterSpace = Flags(rawValue: 2)
    /// The parenthesis belongs to a string interpolation.
    package static let interpolation = Flags(rawValue: 4)
    /// The string literal has `"""` delimiters.
    package static let multiline = Flags(rawValue: 8)
  }
}

/// A comment's bytes, without the line break that ends a line comment.
package struct Comment: Sendable {
  package let offset: UInt32
  package let length: UInt32

  package init(offset: UInt32, length: UInt32) {
    self.offset = offset
    self.length = length
  }
}

/// Memory in which one thread lexes file after file.
package final class TokenMemory {
  fileprivate(set) var storage: UnsafeMutablePointer<Token>
  fileprivate(set) var capacity: Int

  package init() {
    capacity = 1 << 14
    storage = .allocate(capacity: capacity)
  }

  deinit { storage.deallocate() }

  /// Doubles the room until it holds so many tokens, the first `count` of which stay.
  func grow(to wanted: Int, keeping count: Int) {
    guard wanted > capacity else { return }
    while capacity < wanted { capacity *= 2 }
    let larger = UnsafeMutablePointer<Token>.allocate(capacity: capacity)
    larger.update(from: storage, count: count)
    storage.deallocate()
    storage = larger
  }
}

/// The tokens and comments of one file; the last token is always `.endOfFile`.
package final class TokenList: @unchecked Sendable {
  package let count: Int
  package let comments: [Comment]
  @usableFromInline let storage: UnsafeMutablePointer<Token>
  /// The memory that is not the list's own.
  private let memory: TokenMemory?

  /// The first token; valid while the list lives.
  var start: UnsafePointer<Token> { UnsafePointer(storage) }

  /// All tokens; valid while the list lives.
  package var buffer: UnsafeBufferPointer<Token> {
    UnsafeBufferPointer(start: storage, count: count)
  }

  /// Lexes any bytes; never fails.
  package static func lex(_ text: SourceText) -> TokenList { Lexer.lex(text) }

  /// Lexes any bytes in memory that the next file may overwrite; never fails.
  package static func lex(_ text: SourceText, in memory: TokenMemory) -> TokenList {
    Lexer.lex(text, in: memory)
  }

  /// The list in memory of its own, for as long as it is wanted.
  package var kept: TokenList {
    guard memory != nil else { return self }
    let own = UnsafeMutablePointer<Token>.allocate(capacity: count)
    own.initialize(from: storage, count: count)
    return TokenList(storage: own, count: count, comments: comments, memory: nil)
  }

  private init(
    storage: UnsafeMutablePointer<Token>, count: Int, comments: [Comment], memory: TokenMemory?
  ) {
    self.storage = storage
    self.count = count
    self.comments = comments
    self.memory = memory
  }

  /// The first tokens in some memory.
  convenience init(in memory: TokenMemory, count: Int, comments: [Comment]) {
    self.init(storage: memory.storage, count: count, comments: comments, memory: memory)
  }

  deinit {
    if memory == nil { storage.deallocate() }
  }

  /// The token at an index; any index outside gives the end of file.
  @inlinable package subscript(index: Int) -> Token {
    storage[index >= 0 && index < count ? index : count - 1]
  }
}
