/// What differs in one file, by class.
struct Difference {
  let name: String
  let offset: Int
}

/// Compares our pieces of one file with the reference's.
struct Comparison {
  let own: Pieces
  let reference: Pieces
  private(set) var differences: [Difference] = []
  /// How many of our tokens the parser had split.
  private(set) var splits = 0

  private static let operators: Set<String> = [
    "any", "operator", "binaryOperator", "prefixOperator", "postfixOperator", "equal", "arrow",
    "period", "postfixQuestion", "infixQuestion", "exclamation", "prefixAmpersand",
  ]
  private static let numberParts: Set<String> = ["integer", "float", "period"]

  init(own: Pieces, reference: Pieces) {
    self.own = own
    self.reference = reference
    compareTokens()
    compareComments()
  }

  private mutating func report(_ name: String, _ offset: Int) {
    differences.append(Difference(name: name, offset: offset))
  }

  private mutating func compareTokens() {
    var left = 0
    var right = 0
    while left < own.tokens.count, right < reference.tokens.count {
      let ours = own.tokens[left]
      let theirs = reference.tokens[right]
      if ours.start == theirs.start, ours.end == theirs.end {
        compare(ours, theirs)
        left += 1
        right += 1
      } else if ours.start == theirs.start, let pieces = split(ours, at: right) {
        splits += 1
        left += 1
        right += pieces
      } else {
        report("range: \(theirs.kind) is \(ours.kind)", min(ours.start, theirs.start))
        // Both go on behind what either has passed, so that one slip is one difference.
        let end = max(ours.end, theirs.end)
        while left < own.tokens.count, own.tokens[left].start < end { left += 1 }
        while right < reference.tokens.count, reference.tokens[right].start < end { right += 1 }
      }
    }
    if left < own.tokens.count { report("more tokens at the end", own.tokens[left].start) }
    if right < reference.tokens.count {
      report("fewer tokens at the end", reference.tokens[right].start)
    }
  }

  private mutating func compare(_ ours: Piece, _ theirs: Piece) {
    let isSame =
      ours.kind == theirs.kind
      || theirs.kind == "any"
      || theirs.kind == "operator" && ours.kind.hasSuffix("Operator")
    if !isSame { report("kind: \(theirs.kind) is \(ours.kind)", ours.start) }
    if ours.partner != theirs.partner { report("partner of \(theirs.kind)", ours.start) }
  }

  /// How many of the reference's pieces make up one token of ours that the parser took apart.
  private func split(_ ours: Piece, at index: Int) -> Int? {
    let parts: Set<String>
    if ours.kind == "float" {
      parts = Self.numberParts
    } else if ours.kind == "colonColon" {
      parts = ["colon", "any"]
    } else if Self.operators.contains(ours.kind) {
      parts = Self.operators
    } else {
      return nil
    }
    var end = ours.start
    var next = index
    while next < reference.tokens.count, end < ours.end {
      let piece = reference.tokens[next]
      guard piece.start == end, parts.contains(piece.kind) else { return nil }
      end = piece.end
      next += 1
    }
    return end == ours.end && next - index > 1 ? next - index : nil
  }

  private mutating func compareComments() {
    var left = own.comments[...]
    var right = reference.comments[...]
    while let ours = left.first, let theirs = right.first {
      if ours == theirs {
        left.removeFirst()
        right.removeFirst()
      } else {
        report("comment", min(ours.lowerBound, theirs.lowerBound))
        if ours.lowerBound <= theirs.lowerBound { left.removeFirst() }
        if theirs.lowerBound <= ours.lowerBound { right.removeFirst() }
      }
    }
    if let ours = left.first { report("comment too many", ours.lowerBound) }
    if let theirs = right.first { report("comment missing", theirs.lowerBound) }
  }
}
