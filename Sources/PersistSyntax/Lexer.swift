/// Turns any bytes into tokens and comments.
struct Lexer {
  /// A bracket that waits for its partner.
  struct OpenBracket {
    let token: UInt32
    let kind: Token.Kind
    /// The string literal whose interpolation this parenthesis opens.
    let string: StringDelimiter?
  }

  let text: SourceText
  let start: UnsafePointer<UInt8>
  let count: Int
  private let classes: UnsafePointer<ByteClass>
  let continues: UnsafePointer<Bool>
  private let keywords = KeywordTable.shared

  /// The offset of the next byte.
  var at = 0
  private var tokens: UnsafeMutablePointer<Token>
  private var tokenCount = 0
  private var tokenCapacity: Int
  private let memory: TokenMemory
  var comments: [Comment] = []
  private var flags: Token.Flags = []
  private var brackets: [OpenBracket] = []
  /// The indices in `brackets` of the interpolations that are open.
  private var interpolations: [Int] = []
  /// What is known about the lines of raw strings, by the number of pounds.
  var lineScans = [LineScan](repeating: LineScan(), count: 16)
  /// The least number of pounds of a regex that was read to the end of the file without its end.
  var unclosedPounds = Int.max
  var previousKind = Token.Kind.endOfFile
  var previousKeyword = Keyword.none
  /// The token before was the mark of `try?` or `try!`, after which an expression must come.
  var followsTryMark = false

  private init(_ text: SourceText, in memory: TokenMemory) {
    self.text = text
    start = text.start
    count = min(text.count, Int(UInt32.max) - 1)
    classes = UnsafePointer(ByteTable.shared.classes)
    continues = UnsafePointer(ByteTable.shared.continues)
    self.memory = memory
    tokenCapacity = memory.capacity
    tokens = memory.storage
  }

  /// Lexes a whole file; never fails.
  static func lex(_ text: SourceText) -> TokenList { lex(text, in: TokenMemory()).kept }

  /// Lexes a whole file in memory that the next file may overwrite; never fails.
  static func lex(_ text: SourceText, in memory: TokenMemory) -> TokenList {
    var lexer = Lexer(text, in: memory)
    lexer.run()
    return TokenList(in: memory, count: lexer.tokenCount, comments: lexer.comments)
  }

  private mutating func run() {
    skipStart()
    while at < count {
      let byte = start[at]
      switch classes[Int(byte)] {
      case .space:
        skipSpaces()
        flags.insert(.afterSpace)
      case .newline: lexNewline()
      case .letter: lexIdentifier()
      case .digit: lexNumber()
      case .quote: lexString(pounds: 0)
      case .slash: lexSlash()
      case .pound: lexPound()
      case .dollar: lexDollar()
      case .backtick: lexBacktick()
      case .leftParen: open(.leftParen)
      case .leftSquare: open(.leftSquare)
      case .leftBrace: open(.leftBrace)
      case .rightParen: closeParen()
      case .rightSquare: close(.rightSquare, opener: .leftSquare)
      case .rightBrace: close(.rightBrace, opener: .leftBrace)
      case .comma: emit(.comma, length: 1)
      case .semicolon: emit(.semicolon, length: 1)
      case .at: emit(.at, length: 1)
      case .backslash: emit(.backslash, length: 1)
      case .colon:
        let double = start[at + 1] == UInt8(ascii: ":")
        emit(double ? .colonColon : .colon, length: double ? 2 : 1)
      case .period, .operatorStart: lexOperator()
      case .questionOrExclamation: lexQuestionOrExclamation()
      case .high: lexHigh()
      case .other:
        at += 1
        markSpace()
      }
    }
    while !interpolations.isEmpty { abandonInterpolation() }
    emit(.endOfFile, length: 0)
  }

  /// Skips a space and those behind it, eight at a time; the text ends in zeros.
  @inline(__always)
  private mutating func skipSpaces() {
    at += 1
    while start.word(at: at) == 0x2020_2020_2020_2020 { at += 8 }
    while start[at] == 0x20 { at += 1 }
  }

  /// Skips a byte order mark; a `#!` line is one token.
  private mutating func skipStart() {
    if count >= 3, start[0] == 0xEF, start[1] == 0xBB, start[2] == 0xBF { at = 3 }
    guard start[at] == UInt8(ascii: "#"), start[at + 1] == UInt8(ascii: "!") else { return }
    emit(.shebang, length: endOfLine(from: at) - at)
  }

  /// Appends a token that begins at `at` and moves on behind it.
  @inline(__always)
  mutating func emit(_ kind: Token.Kind, length: Int, keyword: Keyword = .none) {
    append(
      Token(
        offset: UInt32(truncatingIfNeeded: at), extent: UInt32(truncatingIfNeeded: length),
        kind: kind, keyword: keyword, flags: flags))
    at += length
  }

  @inline(__always)
  private mutating func append(_ token: Token) {
    if tokenCount == tokenCapacity { grow() }
    (tokens + tokenCount).initialize(to: token)
    tokenCount += 1
    followsTryMark =
      previousKeyword == .try
      && (token.kind == .postfixQuestion || token.kind == .exclamation)
    previousKind = token.kind
    previousKeyword = token.kind == .keyword ? token.keyword : .none
    flags = []
  }

  private mutating func grow() {
    memory.grow(to: tokenCapacity * 2, keeping: tokenCount)
    tokens = memory.storage
    tokenCapacity = memory.capacity
  }

  mutating func markSpace() { flags.insert(.afterSpace) }
  mutating func markNewline() { flags.insert([.afterNewline, .afterSpace]) }
  mutating func markMultiline() { flags.insert(.multiline) }

  private mutating func lexNewline() {
    markNewline()
    if let last = interpolations.last, let string = brackets[last].string, !string.isMultiline {
      abandonInterpolation()
    } else {
      at += 1
    }
  }

  @inline(__always)
  private mutating func lexIdentifier() {
    var end = at + 1
    while continues[Int(start[end])] { end += 1 }
    if start[end] >= 0x80 { end = endOfIdentifier(from: end) }
    let length = min(end, count) - at
    let keyword = keywords.keyword(at: start + at, length: length)
    if keyword.isReserved {
      emit(.keyword, length: length, keyword: keyword)
    } else if length == 1, start[at] == UInt8(ascii: "_") {
      emit(.wildcard, length: 1)
    } else {
      emit(.identifier, length: length, keyword: keyword)
    }
  }
}

// MARK: - Brackets

extension Lexer {
  private mutating func open(_ kind: Token.Kind) {
    openBracket(kind, string: nil)
  }

  private mutating func openBracket(_ kind: Token.Kind, string: StringDelimiter?) {
    let index = UInt32(truncatingIfNeeded: tokenCount)
    if string != nil {
      flags.insert(.interpolation)
      interpolations.append(brackets.count)
    }
    brackets.append(OpenBracket(token: index, kind: kind, string: string))
    append(
      Token(
        offset: UInt32(truncatingIfNeeded: at), extent: Token.unmatched, kind: kind, keyword: .none,
        flags: flags))
    at += 1
  }

  /// Opens the interpolation at the `(` where `at` stands.
  mutating func openInterpolation(_ string: StringDelimiter) {
    openBracket(.leftParen, string: string)
  }

  private mutating func closeParen() {
    guard let depth = depthOfOpener(.leftParen) else {
      emit(.rightParen, length: 1)
      markLastUnmatched()
      return
    }
    brackets.removeLast(depth)
    let bracket = brackets.removeLast()
    if bracket.string != nil {
      interpolations.removeLast()
      flags.insert(.interpolation)
    }
    link(bracket, .rightParen)
    if let string = bracket.string { lexStringBody(string, isContinued: true) }
  }

  private mutating func close(_ kind: Token.Kind, opener: Token.Kind) {
    guard let depth = depthOfOpener(opener) else {
      emit(kind, length: 1)
      markLastUnmatched()
      return
    }
    brackets.removeLast(depth)
    link(brackets.removeLast(), kind)
  }

  private mutating func link(_ bracket: OpenBracket, _ kind: Token.Kind) {
    tokens[Int(bracket.token)].extent = UInt32(truncatingIfNeeded: tokenCount)
    append(
      Token(
        offset: UInt32(truncatingIfNeeded: at), extent: bracket.token, kind: kind, keyword: .none,
        flags: flags))
    at += 1
  }

  private mutating func markLastUnmatched() {
    tokens[tokenCount - 1].extent = Token.unmatched
  }

  /// How many unclosed brackets stand above the opener that a closing bracket belongs to; nil when
  /// there is none near. A brace closes over brackets of other kinds, but nothing leaves the
  /// interpolation that it stands in, and nothing but a brace leaves a brace.
  private func depthOfOpener(_ opener: Token.Kind) -> Int? {
    var depth = 0
    while depth < brackets.count, depth < 8 {
      let bracket = brackets[brackets.count - 1 - depth]
      if bracket.kind == opener { return depth }
      if bracket.string != nil || bracket.kind == .leftBrace { return nil }
      depth += 1
    }
    return nil
  }

  /// Gives up the innermost interpolation: its string ends here.
  private mutating func abandonInterpolation() {
    guard let index = interpolations.popLast() else { return }
    brackets.removeLast(brackets.count - index)
    emit(.stringEnd, length: 0)
  }
}

// MARK: - Comments and pounds

extension Lexer {
  /// The offset of the line break, or of the end of the file, at or after an offset.
  func endOfLine(from offset: Int) -> Int {
    var end = offset
    while end + 8 <= count {
      let word = start.word(at: end)
      // A byte that is zero after the exclusive or is one that was looked for.
      let found =
        Self.zeroBytes(word ^ 0x0A0A_0A0A_0A0A_0A0A)
        | Self.zeroBytes(word ^ 0x0D0D_0D0D_0D0D_0D0D)
      if found != 0 { return end + found.trailingZeroBitCount >> 3 }
      end += 8
    }
    while end < count, start[end] != 0x0A, start[end] != 0x0D { end += 1 }
    return end
  }

  /// The highest bit of the lowest byte that is zero, and maybe of bytes above it.
  @inline(__always)
  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  private mutating func lexSlash() {
    switch start[at + 1] {
    case UInt8(ascii: "/"):
      let end = endOfLine(from: at + 2)
      recordComment(end: end)
    case UInt8(ascii: "*"):
      lexBlockComment()
    default:
      lexOperator()
    }
  }

  private mutating func recordComment(end: Int) {
    comments.append(
      Comment(
        offset: UInt32(truncatingIfNeeded: at), length: UInt32(truncatingIfNeeded: end - at)))
    at = end
    markSpace()
  }

  private mutating func lexBlockComment() {
    var depth = 1
    var end = at + 2
    var hasNewline = false
    while end < count {
      let byte = start[end]
      if byte == UInt8(ascii: "*"), start[end + 1] == UInt8(ascii: "/") {
        end += 2
        depth -= 1
        if depth == 0 { break }
      } else if byte == UInt8(ascii: "/"), start[end + 1] == UInt8(ascii: "*") {
        end += 2
        depth += 1
      } else {
        if byte == 0x0A || byte == 0x0D { hasNewline = true }
        end += 1
      }
    }
    recordComment(end: min(end, count))
    if hasNewline { markNewline() }
  }

  /// `#`: a raw string, a regex, a directive, or a macro's mark.
  private mutating func lexPound() {
    var pounds = 1
    while start[at + pounds] == UInt8(ascii: "#") { pounds += 1 }
    let next = start[at + pounds]
    if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
      lexString(pounds: pounds)
    } else if next == UInt8(ascii: "/"), let end = endOfRegex(from: at, mustBeRegex: true) {
      emit(.regex, length: end - at)
    } else {
      lexDirective()
    }
  }

  private mutating func lexDirective() {
    var end = at + 1
    while start[end] | 0x20 >= 0x61 && start[end] | 0x20 <= 0x7A || start[end] == 0x5F { end += 1 }
    let kind: Token.Kind
    switch text[at + 1..<min(end, at + 16)] {
    case "if": kind = .poundIf
    case "elseif": kind = .poundElseif
    case "else": kind = .poundElse
    case "endif": kind = .poundEndif
    case "available": kind = .poundAvailable
    case "unavailable": kind = .poundUnavailable
    case "sourceLocation": kind = .poundSourceLocation
    default: kind = .pound
    }
    emit(kind, length: kind == .pound ? 1 : end - at)
  }

  private mutating func lexDollar() {
    var end = at + 1
    while continues[Int(start[end])] { end += 1 }
    if start[end] >= 0x80 { end = endOfIdentifier(from: end) }
    end = min(end, count)
    var digits = at + 1
    while digits < end, start[digits] >= 0x30, start[digits] <= 0x39 { digits += 1 }
    emit(digits == end ? .dollarIdentifier : .identifier, length: end - at)
  }

  private mutating func lexBacktick() {
    var end = at + 1
    while end < count, start[end] != UInt8(ascii: "`"), start[end] != 0x0A, start[end] != 0x0D {
      end += 1
    }
    if end < count, start[end] == UInt8(ascii: "`") {
      emit(.identifier, length: end + 1 - at)
    } else {
      emit(.backtick, length: 1)
    }
  }
}
