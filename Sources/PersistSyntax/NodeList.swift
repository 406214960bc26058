/// The nodes of one outline; copies share them.
package struct NodeList: RandomAccessCollection, Sendable {
  @usableFromInline let storage: Storage
  package let count: Int

  @usableFromInline final class Storage: @unchecked Sendable {
    @usableFromInline let start: UnsafeMutablePointer<Node>
    init(_ start: UnsafeMutablePointer<Node>) { self.start = start }
    deinit { start.deallocate() }
  }

  /// Takes over the memory of the nodes, or copies them when someone else owns it.
  init(_ nodes: UnsafeMutablePointer<Node>, count: Int, isOwned: Bool) {
    self.count = count
    guard !isOwned else {
      storage = Storage(nodes)
      return
    }
    let own = UnsafeMutablePointer<Node>.allocate(capacity: count)
    own.initialize(from: nodes, count: count)
    storage = Storage(own)
  }

  init(_ nodes: [Node]) {
    count = nodes.count
    let own = UnsafeMutablePointer<Node>.allocate(capacity: Swift.max(1, nodes.count))
    for (index, node) in nodes.enumerated() { (own + index).initialize(to: node) }
    storage = Storage(own)
  }

  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { count }

  /// The node at an index of the list.
  @inlinable package subscript(index: Int) -> Node {
    precondition(index >= 0 && index < count, "a node of another outline")
    return storage.start[index]
  }

  /// All nodes; valid while the list lives.
  var start: UnsafePointer<Node> { UnsafePointer(storage.start) }

  /// Hands out the nodes for fast loops.
  package func withUnsafeBufferPointer<Value>(
    _ body: (UnsafeBufferPointer<Node>) -> Value
  ) -> Value {
    withExtendedLifetime(storage) {
      body(UnsafeBufferPointer(start: storage.start, count: count))
    }
  }
}

/// The parts of an outline without what keeps them alive: cheap to copy, valid while the outline is.
package struct OutlineView: @unchecked Sendable {
  /// The nodes of the outline itself, as many as `count` says.
  package let nodes: UnsafePointer<Node>
  package let count: Int
  @usableFromInline let tokens: UnsafePointer<Token>
  @usableFromInline let tokenCount: Int
  /// The bytes of the text, and how many there are.
  package let bytes: UnsafePointer<UInt8>
  package let size: Int
  @usableFromInline let details: UnsafePointer<OutlineContext.Details>?

  package init(_ outline: Outline) { self.init(outline, nil) }

  init(_ outline: Outline, _ details: UnsafePointer<OutlineContext.Details>?) {
    self.details = details
    nodes = outline.nodes.start
    count = outline.nodes.count
    tokens = outline.tokens.start
    tokenCount = outline.tokens.count
    bytes = outline.text.start
    size = outline.text.count
  }

  /// The node at an index; folded expressions stand behind the nodes of the outline.
  @inlinable package subscript(node index: Int) -> Node {
    if index >= 0 && index < count { return nodes[index] }
    return foldedNode(index)
  }

  /// The token at an index; any index outside is the end of the file.
  @inlinable package subscript(token index: Int) -> Token {
    tokens[index >= 0 && index < tokenCount ? index : tokenCount - 1]
  }

  /// The offset behind the last byte of a node that covers tokens.
  ///
  /// In `[Set<A>?]` the name ends within the token `>?`, of which each part of the type has a byte.
  package func endOffset(of index: Int) -> Int {
    let node = self[node: index]
    let last = self[token: Int(node.end) - 1]
    guard last.kind.isOperator, last.length > 1, node.kind.endsAsType else {
      return last.end
    }
    var length = 0
    var part = index
    while self[node: part].end == node.end {
      switch self[node: part].kind {
      case .optionalType, .unwrappedType, .namedType, .memberType: length += 1
      case .typeValue, .variadicType: return last.end
      default: break
      }
      let end = end(ofSubtree: part)
      guard part + 1 < end else { break }
      var child = part + 1
      while self.end(ofSubtree: child) < end { child = self.end(ofSubtree: child) }
      part = child
    }
    return Int(last.offset) + min(max(length, 1), last.length)
  }

  /// The bytes that the tokens of a node cover.
  package func byteRange(of index: Int) -> Range<Int> {
    let node = self[node: index]
    let start = Int(self[token: Int(node.first)].offset)
    guard node.end > node.first else { return start..<start }
    return start..<max(start, endOffset(of: index))
  }

  /// The index behind a node and all that it holds.
  @inlinable package func end(ofSubtree index: Int) -> Int { Int(self[node: index].subtreeEnd) }
}
