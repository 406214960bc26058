/// The nodes of one outline; copies share them.
package struct NodeList: RandomAccessCollection, Sendable {
  @usableFromInline let storage: Storage
  package let count: Int

  @usableFromInline final class Storage: @unchecked Sendable {
    @usableFromInline let start: UnsafeMutablePointer<Node>
    init(_ start: UnsafeMutablePointer<Node>) { self.start = start }
    deinit { start.deallocate() }
  }

  init(copying nodes: UnsafeMutablePointer<Node>, count: Int) {
    let own = UnsafeMutablePointer<Node>.allocate(capacity: count)
    own.initialize(from: nodes, count: count)
    storage = Storage(own)
    self.count = count
  }

  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { count }

  /// The node at an index of the list.
  @inlinable package subscript(index: Int) -> Node {
    precondition(index >= 0 && index < count, "a node of another outline")
    return storage.start[index]
  }

  /// All nodes; valid while the list lives.
  fileprivate var start: UnsafePointer<Node> { UnsafePointer(storage.start) }

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
  @usableFromInline let nodes: UnsafePointer<Node>
  package let count: Int
  @usableFromInline let tokens: UnsafePointer<Token>
  @usableFromInline let tokenCount: Int
  /// The bytes of the text, and how many there are.
  package let bytes: UnsafePointer<UInt8>
  package let size: Int

  package init(_ outline: Outline) {
    nodes = outline.nodes.start
    count = outline.nodes.count
    tokens = outline.tokens.start
    tokenCount = outline.tokens.count
    bytes = outline.text.start
    size = outline.text.count
  }

  /// The node at an index.
  @inlinable package subscript(node index: Int) -> Node {
    precondition(index >= 0 && index < count, "a node of another outline")
    return nodes[index]
  }

  /// The token at an index; any index outside is the end of the file.
  @inlinable package subscript(token index: Int) -> Token {
    tokens[index >= 0 && index < tokenCount ? index : tokenCount - 1]
  }

  /// The index behind a node and all that it holds.
  @inlinable package func end(ofSubtree index: Int) -> Int { Int(self[node: index].subtreeEnd) }
}
