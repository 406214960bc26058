extension Pieces {
  /// The pieces of our lexer.
  static func own(_ list: TokenList) -> Pieces {
    var pieces = Pieces()
    pieces.tokens.reserveCapacity(list.count)
    for index in 0..<list.count {
      let token = list[index]
      if token.kind == .endOfFile { continue }
      var piece = Piece(
        start: Int(token.offset), end: token.end, kind: String(describing: token.kind))
      if let partner = token.partner { piece.partner = Int(list[partner].offset) }
      pieces.tokens.append(piece)
    }
    pieces.comments = list.comments.map { Int($0.offset)..<Int($0.offset) + Int($0.length) }
    return pieces
  }
}
