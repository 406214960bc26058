import PersistSyntax

/// One pass over the tokens of a file.
struct WordScan {
  private let text: UnsafePointer<UInt8>
  private let size: Int
  private let tokens: UnsafeBufferPointer<Token>
  /// The index of the token that ends the file.
  private let last: Int
  private var depth = 0
  private let memory: WordMemory
  private let ruleWords = RuleWords.shared
  /// The depth at which functions belong to an extension of a type that the name does not tell.
  private var looseDepth = -1
  private var at = 0

  init(_ text: SourceText, _ tokens: TokenList, _ memory: WordMemory) {
    self.text = text.start
    size = text.count
    self.tokens = tokens.buffer
    last = tokens.count - 1
    self.memory = memory
    memory.clear(room: tokens.count * 2)
  }

  mutating func run(into words: inout FileWords) {
    var previous = Token.Kind.endOfFile
    while at < last {
      let token = tokens[at]
      switch token.kind {
      case .identifier:
        let name = name(token)
        take(name, into: &words)
        if case .actor = token.keyword { declareType(into: &words) }
        if depth == 0 {
          switch previous {
          case .comma, .leftParen: words.declare(name, .variable)
          default: break
          }
        }
      case .keyword:
        // A word of the grammar may be the name of a member.
        if case .period = previous {
          take(name(token), into: &words)
          if case .initializer = token.keyword, isValue(before: at - 1) {
            take(FileWords.initOfValue, into: &words)
          }
        } else {
          readKeyword(token.keyword, into: &words)
        }
      case .leftBrace:
        depth += 1
        if token.partner == nil { words.noteLooseBrace() }
      case .rightBrace:
        depth = max(0, depth - 1)
        if depth < looseDepth { looseDepth = -1 }
        if token.partner == nil { words.noteLooseBrace() }
      default: break
      }
      previous = token.kind
      at += 1
    }
  }

  /// Takes in a word, unless it was there a moment ago.
  @inline(__always)
  private mutating func take(_ name: Name, into words: inout FileWords) {
    guard memory.add(name) else { return }
    if ruleWords.contains(name) { words.noteThatItMatters() }
  }

  @inline(__always)
  private func name(_ token: Token) -> Name {
    let start = Int(token.offset)
    return Name(
      bytes: UnsafeBufferPointer(start: text + start, count: min(token.end, size) - start))
  }

  /// The token at an index; any index outside gives the end of file.
  private func token(at index: Int) -> Token { tokens[min(max(index, 0), last)] }

  /// The name at an index, when there is one.
  private func name(at index: Int) -> Name? {
    let token = token(at: index)
    return token.kind == .identifier ? name(token) : nil
  }

  /// Whether a value ends before a period, so that no type is named there.
  private func isValue(before period: Int) -> Bool {
    let token = token(at: period - 1)
    switch token.kind {
    case .rightParen, .rightSquare, .rightBrace, .dollarIdentifier: return true
    case .identifier:
      let first = text[Int(token.offset)]
      return first >= UInt8(ascii: "a") && first <= UInt8(ascii: "z")
    default: return false
    }
  }

  private mutating func readKeyword(_ keyword: Keyword, into words: inout FileWords) {
    switch keyword {
    case .func:
      guard let name = name(at: at + 1) else { return }
      words.declare(name, .function)
      if depth == 0 || depth == looseDepth { words.declare(name, .freeFunction) }
      if takesClosure() { words.noteClosureTaker(name) }
    case .class, .struct, .enum, .protocol: declareType(into: &words)
    case .extension:
      let end = readPath(.extended, into: &words)
      // Generic arguments follow a name, a period follows one part of several.
      if end != at + 2 || token(at: end).kind == .period { looseDepth = depth + 1 }
      readInheritance(from: end, into: &words)
    case .typealias:
      declareType(into: &words)
      readAliased(into: &words)
    case .let, .var:
      if token(at: at - 1).keyword == .async { words.noteAsyncLet() }
      if depth == 0, let name = name(at: at + 1) { words.declare(name, .variable) }
    default: break
    }
  }

  /// Whether an arrow stands in the parameters of the function at the keyword.
  private func takesClosure() -> Bool {
    var index = at + 2
    while index < last {
      switch tokens[index].kind {
      case .leftParen:
        return (index..<(tokens[index].partner ?? last)).contains { tokens[$0].kind == .arrow }
      case .leftBrace, .rightBrace, .semicolon: return false
      default: index += 1
      }
    }
    return false
  }

  /// The name behind the keyword, and what the declaration inherits from.
  private func declareType(into words: inout FileWords) {
    guard let name = name(at: at + 1) else { return }
    if depth == 0 { words.declare(name, .type) }
    readInheritance(from: at + 2, into: &words)
  }

  /// Declares the first part of the path behind the keyword; gives the index behind that part.
  private func readPath(_ kind: FileWords.Declared.Kind, into words: inout FileWords) -> Int {
    var index = at + 1
    while token(at: index).kind == .at { index += 2 }
    guard let name = name(at: index) else { return index }
    words.declare(name, kind)
    return index + 1
  }

  /// All names up to the brace of a declaration.
  private func readInheritance(from start: Int, into words: inout FileWords) {
    var index = start
    while index < min(last, start + Limit.inheritanceTokens.count) {
      switch tokens[index].kind {
      case .leftBrace, .rightBrace, .semicolon: return
      case .identifier: words.declare(name(tokens[index]), .inherited)
      case .keyword where tokens[index].keyword != .where && tokens[index].keyword != .anyType:
        return
      default: break
      }
      index += 1
    }
  }

  /// The names behind the `=` of a typealias, up to the next line that goes on with something else.
  private func readAliased(into words: inout FileWords) {
    var index = at + 2
    let limit = min(last, index + Limit.aliasTokens.count)
    while index < limit, tokens[index].kind != .equal {
      if tokens[index].kind == .keyword { return }
      index += 1
    }
    let first = index + 1
    index = first
    let alias = name(at: at + 1)
    while index < limit {
      let token = tokens[index]
      if index > first, token.flags.contains(.afterNewline),
        token.kind == .keyword || token.kind == .at || token.kind == .rightBrace
      {
        return
      }
      if token.kind == .arrow, let alias { words.noteClosureAlias(alias) }
      if token.kind == .identifier {
        let name = name(token)
        words.declare(name, .extended)
        words.declare(name, .inherited)
      }
      index += 1
    }
  }
}
