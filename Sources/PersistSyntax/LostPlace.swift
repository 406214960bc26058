/// Where the reading of a file got lost, because its syntax is broken.
package struct LostPlace: Sendable, Hashable {
  /// In bytes.
  package let offset: Int
  /// What is wrong there, as a clause.
  package let reason: String

  package init(offset: Int, reason: String) {
    self.offset = offset
    self.reason = reason
  }
}

extension Outline {
  /// The first place that makes no sense; nil where the file can be read to its end.
  package var lostPlace: LostPlace? {
    tokens.lostPlace(in: text)
      ?? nodes.indices.lazy.filter { nodes[$0].kind == .unknown && !isInAttribute($0) }.first.map {
        LostPlace(offset: byteRange(of: $0).lowerBound, reason: "nothing that Swift knows")
      }
  }

  private func isInAttribute(_ index: Int) -> Bool {
    var node = index
    while node != 0, nodes[node].kind != .attribute { node = Int(nodes[node].parent) }
    return node != 0
  }
}

extension TokenList {
  /// The first bracket without a partner, or the one whose partner it took; nil where all have one.
  package func lostPlace(in text: SourceText) -> LostPlace? {
    guard let first = (0..<count).first(where: { isLone(buffer[$0]) }) else { return nil }
    let token = buffer[first]
    let sign = text[Int(token.offset)..<Int(token.offset) + 1]
    switch token.kind {
    case .rightParen, .rightSquare, .rightBrace:
      return LostPlace(offset: Int(token.offset), reason: "nothing is open that `\(sign)` closes")
    case .leftBrace:
      // The brace of an inner declaration that is forgotten is taken from an outer one.
      let robbed = outdentedBrace(behind: first, in: text) ?? first
      return LostPlace(offset: Int(buffer[robbed].offset), reason: "`{` is never closed")
    default: return LostPlace(offset: Int(token.offset), reason: "`\(sign)` is never closed")
    }
  }

  private func isLone(_ token: Token) -> Bool { token.kind.isBracket && token.partner == nil }

  /// The first brace behind a token whose partner stands further out than the brace's own line.
  private func outdentedBrace(behind start: Int, in text: SourceText) -> Int? {
    for index in start..<count where buffer[index].kind == .rightBrace {
      let token = buffer[index]
      guard let opener = token.partner, token.flags.contains(.afterNewline),
        indentation(at: Int(token.offset), in: text)
          < indentation(at: Int(buffer[opener].offset), in: text)
      else { continue }
      return opener
    }
    return nil
  }

  /// How many blanks the line of an offset begins with.
  private func indentation(at offset: Int, in text: SourceText) -> Int {
    var start = offset
    while start > 0, text.start[start - 1] != 0x0A, text.start[start - 1] != 0x0D { start -= 1 }
    var end = start
    while end < offset, text.start[end] == 0x20 || text.start[end] == 0x09 { end += 1 }
    return end - start
  }
}
