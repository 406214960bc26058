import PersistSyntax

/// The words of one file as its tokens tell them, so that files without a word need no outline.
///
/// It may hold more than the outline would tell, never less.
package struct FileWords: Sendable {
  /// A name by which other files may ask for this one.
  struct Declared: Sendable {
    enum Kind: UInt8, Sendable, CaseIterable {
      case function
      /// A function that may belong to no type.
      case freeFunction
      /// A class, struct, enum, actor, protocol or typealias outside of braces.
      case type
      /// What an extension extends, or a typealias stands for.
      case extended
      /// What a type or extension inherits from, or a typealias stands for.
      case inherited
      /// A variable outside of braces.
      case variable
    }

    let name: Name
    let kind: Kind
  }

  /// Stands for an `init` that is called on a value, such as a metatype in a variable.
  static let initOfValue = Name(").init")

  /// The number of different bits that the words have.
  static let bitCount = 4096

  /// Two bits for each word.
  private(set) var bits: [UInt64] = []
  /// The lower halves of the words' hashes, some more than once.
  private var halves: [UInt32] = []
  private(set) var declared: [Declared] = []
  /// Some word is one of those by which rules find where to look, or the words don't tell all.
  package private(set) var mayMatter = false
  /// Some declaration has `async let`.
  private(set) var hasAsyncLet = false
  /// Some comment begins with the mark of a suppression.
  private(set) var hasSuppression = false
  /// Some brace has no partner, so that the tokens don't tell what stands outside of braces.
  private(set) var hasLooseBraces = false

  /// Reads the words of a text whose tokens are known.
  package init(_ text: SourceText, _ tokens: TokenList) {
    var scan = WordScan(text, tokens)
    defer { scan.free() }
    scan.run(into: &self)
    (bits, halves) = (scan.bitArray, scan.halfArray)
    hasSuppression = tokens.comments.contains { Self.isSuppression($0, text) }
  }

  /// The two bits of a word.
  static func places(of name: Name) -> (Int, Int) {
    let mask = UInt64(bitCount - 1)
    return (Int(name.hash >> 52 & mask), Int(name.hash >> 34 & mask))
  }

  /// False when no token of the file is spelled so.
  func mayHold(_ name: Name) -> Bool {
    let (first, second) = Self.places(of: name)
    return bits[first >> 6] >> UInt64(first & 63) & 1 == 1
      && bits[second >> 6] >> UInt64(second & 63) & 1 == 1 && hasHalf(of: name)
  }

  /// Whether a token says SwiftData, as every import of it does.
  package var mayUseSwiftData: Bool { mayHold("SwiftData") }

  /// Whether some token has the lower half of a name's hash; true by chance once in millions.
  func hasHalf(of name: Name) -> Bool { halves.contains(UInt32(truncatingIfNeeded: name.hash)) }

  private static func isSuppression(_ comment: Comment, _ text: SourceText) -> Bool {
    var offset = Int(comment.offset)
    let end = min(offset + Int(comment.length), text.count)
    while offset < end, SourceFile.isCommentMark(text.start[offset]) { offset += 1 }
    let marker = SourceFile.suppressionMarker
    guard end - offset >= marker.utf8CodeUnitCount else { return false }
    return (0..<marker.utf8CodeUnitCount).allSatisfy {
      text.start[offset + $0] == marker.utf8Start[$0]
    }
  }

  fileprivate mutating func declare(_ name: Name, _ kind: Declared.Kind) {
    declared.append(Declared(name: name, kind: kind))
  }

  fileprivate mutating func noteThatItMatters() { mayMatter = true }
  fileprivate mutating func noteAsyncLet() { hasAsyncLet = true }
  fileprivate mutating func noteLooseBrace() {
    hasLooseBraces = true
    mayMatter = true
  }
}

/// One pass over the tokens of a file.
private struct WordScan {
  private let text: UnsafePointer<UInt8>
  private let size: Int
  private let tokens: UnsafeBufferPointer<Token>
  /// The index of the token that ends the file.
  private let last: Int
  private var depth = 0
  /// The last words by some bits of their hashes, `recentCount` of them; then the bits of the words.
  private let memory: UnsafeMutablePointer<UInt64>
  private let halves: UnsafeMutablePointer<UInt32>
  private var halfCount = 0
  private let ruleWords = RuleWords.shared
  /// The depth at which functions belong to an extension of a type that the name does not tell.
  private var looseDepth = -1
  private var at = 0

  init(_ text: SourceText, _ tokens: TokenList) {
    self.text = text.start
    size = text.count
    self.tokens = tokens.buffer
    last = tokens.count - 1
    let count = Self.recentCount + FileWords.bitCount / 64
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    halves = .allocate(capacity: tokens.count * 2)
  }

  private static let recentCount = 256

  func free() {
    memory.deallocate()
    halves.deallocate()
  }

  var bitArray: [UInt64] {
    Array(
      UnsafeBufferPointer(start: memory + Self.recentCount, count: FileWords.bitCount / 64))
  }

  var halfArray: [UInt32] { Array(UnsafeBufferPointer(start: halves, count: halfCount)) }

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
    let slot = Int(truncatingIfNeeded: name.hash >> 8) & (Self.recentCount - 1)
    guard memory[slot] != name.hash else { return }
    memory[slot] = name.hash
    halves[halfCount] = UInt32(truncatingIfNeeded: name.hash)
    halfCount += 1
    let (first, second) = FileWords.places(of: name)
    let bits = memory + Self.recentCount
    bits[first >> 6] |= 1 << UInt64(first & 63)
    bits[second >> 6] |= 1 << UInt64(second & 63)
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
    while index < min(last, start + 200) {
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
    let limit = min(last, index + 64)
    while index < limit, tokens[index].kind != .equal {
      if tokens[index].kind == .keyword { return }
      index += 1
    }
    let first = index + 1
    index = first
    while index < limit {
      let token = tokens[index]
      if index > first, token.flags.contains(.afterNewline),
        token.kind == .keyword || token.kind == .at || token.kind == .rightBrace
      {
        return
      }
      if token.kind == .identifier {
        let name = name(token)
        words.declare(name, .extended)
        words.declare(name, .inherited)
      }
      index += 1
    }
  }
}
