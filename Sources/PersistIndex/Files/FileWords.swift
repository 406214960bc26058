import PersistSyntax

/// The words of one file: its identifiers, `Self`, and the words of the grammar that name a member.
struct FileWords: Sendable {
  /// Stands for an `init` that is called on something else than the name of a type, or on nothing.
  static let initOfValue = Name(").init")

  /// The words as a table of their hashes; 0 where a place is free.
  private var slots: [UInt64]
  private(set) var count = 0

  /// Reads the words of an outline.
  init(_ outline: Outline) {
    var capacity = 64
    while capacity < outline.tokens.count / 4 { capacity *= 2 }
    slots = Array(repeating: 0, count: capacity)
    outline.withBuffers { readWords($0) }
  }

  private mutating func readWords(_ view: OutlineBuffers) {
    var isBehindPeriod = false
    for index in view.tokens.indices {
      let token = view.tokens[index]
      switch token.kind {
      case .identifier:
        insert(view.name(ofToken: index))
        isBehindPeriod = false
      case .keyword:
        if isBehindPeriod || token.keyword == .selfType {
          insert(view.name(ofToken: index))
          if case .initializer = token.keyword, Self.isValue(before: index - 1, view) {
            insert(Self.initOfValue)
          }
        }
        isBehindPeriod = false
      case .period: isBehindPeriod = true
      default: isBehindPeriod = false
      }
    }
  }

  /// Whether a value ends before a period, or begins with it, so that no type is named there.
  private static func isValue(before period: Int, _ view: OutlineBuffers) -> Bool {
    let token = max(period - 1, 0)
    switch view.tokens[token].kind {
    case .rightParen, .rightSquare, .rightBrace, .dollarIdentifier: return true
    case .leftParen, .colon, .comma, .equal: return true
    case .identifier:
      let first = view.firstByte(ofToken: token)
      return first >= UInt8(ascii: "a") && first <= UInt8(ascii: "z")
    default: return false
    }
  }

  @inline(__always)
  private static func place(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 20) }

  private mutating func insert(_ word: Name) {
    let mask = slots.count - 1
    var place = Self.place(of: word.hash) & mask
    while slots[place] != 0 {
      if slots[place] == word.hash { return }
      place = (place + 1) & mask
    }
    slots[place] = word.hash
    count += 1
    if count * 2 > slots.count { grow() }
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: 0, count: old.count * 2)
    let mask = slots.count - 1
    for hash in old where hash != 0 {
      var place = Self.place(of: hash) & mask
      while slots[place] != 0 { place = (place + 1) & mask }
      slots[place] = hash
    }
  }

  /// Whether a token of the file is spelled so.
  func holds(_ word: Name) -> Bool {
    let mask = slots.count - 1
    var place = Self.place(of: word.hash) & mask
    while slots[place] != 0 {
      if slots[place] == word.hash { return true }
      place = (place + 1) & mask
    }
    return false
  }

  /// Hands out the hash of each word once.
  func forEachHash(_ body: (UInt64) -> Void) {
    for hash in slots where hash != 0 { body(hash) }
  }
}
