// MARK: - Parts of types

// A suffix such as `?` stands behind the type that it holds, and a node before its children. So the
// parts of a type are recorded each behind its children, and become nodes when the type is whole.

/// Where a part of a type begins: its first token, and the first of the recorded parts in it.
struct TypePart {
  let mark: Int
  let first: Int
}

extension Parser {
  /// No type has more suffixes; further ones belong to the last, so that no type is too deep.
  private static let maximumTypeHeight = 256

  func beginPart() -> TypePart { TypePart(mark: types.count, first: at) }

  /// Records a part that ends before the next token and holds what was recorded since it began.
  ///
  /// Until it is emitted, `subtreeEnd` counts the parts in it, itself included, and `parent` is
  /// its height.
  mutating func record(
    _ kind: Node.Kind, _ part: TypePart, name: Int? = nil, label: Int? = nil,
    flags: Node.Flags = []
  ) {
    guard recordsTypes else { return }
    types.append(
      Node(
        kind: kind, flags: flags, first: UInt32(truncatingIfNeeded: part.first), end: partEnd,
        subtreeEnd: UInt32(truncatingIfNeeded: types.count - part.mark + 1),
        parent: height(ofChildrenFrom: part.mark),
        name: name.map { UInt32(truncatingIfNeeded: $0) } ?? Node.noToken,
        label: label.map { UInt32(truncatingIfNeeded: $0) } ?? Node.noToken))
  }

  /// Records a part around the part that was recorded up to an index, and what came behind it.
  mutating func recordSuffix(
    _ kind: Node.Kind, _ part: TypePart, behind base: Int, name: Int? = nil
  ) {
    guard recordsTypes else { return }
    guard base > part.mark, height(ofChildrenFrom: base - 1) > Self.maximumTypeHeight else {
      return record(kind, part, name: name)
    }
    types.remove(from: base)
    types[base - 1].end = partEnd
    types[base - 1].flags.insert(.isSkipped)
  }

  private var partEnd: UInt32 { UInt32(truncatingIfNeeded: split > 0 ? at + 1 : at) }

  private func height(ofChildrenFrom mark: Int) -> UInt32 {
    var height: UInt32 = 0
    var child = types.count - 1
    while child >= mark {
      height = max(height, types[child].parent + 1)
      child -= Int(types[child].subtreeEnd)
    }
    return height
  }

  /// Makes nodes of the recorded parts, each before its children, beneath the current node.
  mutating func emitTypes() {
    let count = types.count
    guard count > 0 else { return }
    let start = nodes.extend(by: count)
    place(childrenBefore: count, downTo: 0, end: start + count, in: currentNode)
    for index in (0..<count).reversed() {
      let size = Int(types[index].subtreeEnd)
      let place = Int(types[index].parent)
      self.place(
        childrenBefore: index, downTo: index - size + 1, end: place + size, in: place)
    }
    types.remove(from: 0)
  }

  /// Makes the parts that stand in a row before an index nodes of one parent, the last one first.
  private func place(childrenBefore index: Int, downTo first: Int, end: Int, in parent: Int) {
    var end = end
    var child = index - 1
    while child >= first {
      let size = Int(types[child].subtreeEnd)
      end -= size
      place(child, at: end, in: UInt32(truncatingIfNeeded: parent))
      child -= size
    }
  }

  /// Makes one part a node, and remembers where it stands for those that it holds.
  private func place(_ index: Int, at place: Int, in parent: UInt32) {
    var node = types[index]
    node.subtreeEnd = UInt32(truncatingIfNeeded: place + Int(node.subtreeEnd))
    node.parent = parent
    nodes[place] = node
    types[index].parent = UInt32(truncatingIfNeeded: place)
  }

  // MARK: Brackets

  /// Whether the bracket at the next token ends before the brackets around it do.
  private var hasPartner: Bool { token.partner.map { $0 < limit } ?? false }

  /// Moves behind `(A, label: B)`.
  mutating func skipTypeElements(_ part: TypePart) {
    guard recordsTypes, hasPartner else {
      skipBalanced()
      return record(.tupleType, part)
    }
    inBrackets { parser in
      while parser.at < parser.limit {
        let before = parser.at
        parser.skipTypeElement()
        if !parser.consume(.comma), parser.at == before { parser.advance() }
      }
    }
    record(.tupleType, part)
  }

  private mutating func skipTypeElement() {
    let part = beginPart()
    var label: Int?
    var name: Int?
    if isMemberName(ahead: 0) {
      if kind(ahead: 1) == .colon {
        label = at
        name = at
        advance()
        advance()
      } else if isMemberName(ahead: 1), kind(ahead: 2) == .colon {
        label = at
        name = at + 1
        advance()
        advance()
        advance()
      }
    }
    skipType()
    while at < limit, kind != .comma { skipBalanced() }
    record(.typeElement, part, name: name, label: label)
  }

  /// Moves behind `[T]`, `[K: V]` or `[3 of T]`.
  mutating func skipCollectionType(_ part: TypePart) {
    guard recordsTypes, hasPartner else {
      skipBalanced()
      return record(.arrayType, part)
    }
    var kind = Node.Kind.arrayType
    inBrackets { parser in
      parser.skipType()
      if parser.consume(.colon) {
        kind = .dictionaryType
        parser.skipType()
      } else if parser.isOf {
        kind = .inlineArrayType
        parser.advance()
        parser.skipType()
      }
    }
    record(kind, part)
  }

  /// Whether the next token is the `of` of an inline array.
  private var isOf: Bool {
    guard kind == .identifier, token.length == 2 else { return false }
    let place = text.start + Int(token.offset)
    return place[0] == UInt8(ascii: "o") && place[1] == UInt8(ascii: "f")
  }

  // MARK: Functions

  /// Moves behind `async throws(E) -> R` when it stands there; false when the result is missing.
  mutating func skipFunctionResult(_ part: TypePart) -> Bool {
    guard isArrowAhead else { return true }
    beginFunctionType(part)
    var flags: Node.Flags = []
    while kind != .arrow, at < limit {
      switch keyword {
      case .async, .reasync: flags.insert(.isAsync)
      case .rethrows: flags.insert([.isThrowing, .isLet])
      default: flags.insert(.isThrowing)
      }
      advance()
      if kind == .leftParen { skipThrownType() }
    }
    advance()
    guard skipOneType() else { return false }
    record(.functionType, part, flags: flags)
    return true
  }

  /// Whether `->` is the next token, or stands behind `async throws(E)`.
  private var isArrowAhead: Bool {
    var ahead = 0
    while true {
      switch keyword(ahead: ahead) {
      case .async, .reasync, .rethrows: ahead += 1
      case .throws:
        ahead += 1
        if kind(ahead: ahead) == .leftParen {
          guard let partner = tokens[at + ahead].partner else { return false }
          ahead = partner + 1 - at
        }
      default: return split == 0 && kind(ahead: ahead) == .arrow
      }
    }
  }

  /// The elements of a tuple become parameters; what else stands before `->` is one.
  private mutating func beginFunctionType(_ part: TypePart) {
    guard recordsTypes, types.count > part.mark else { return }
    let last = types.count - 1
    if types[last].kind == .tupleType, Int(types[last].subtreeEnd) == types.count - part.mark {
      types.remove(from: last)
    } else {
      record(.typeElement, part)
    }
  }

  private mutating func skipThrownType() {
    guard recordsTypes, hasPartner else { return skipBalanced() }
    inBrackets { _ = $0.skipType() }
  }
}
