/// A node with its outline: cheap to copy, valid while the outline is.
package struct NodeView: Sendable, Equatable {
  package let outline: OutlineView
  /// The index of the node.
  package let index: Int

  package init(_ outline: OutlineView, _ index: Int) {
    self.outline = outline
    self.index = index
  }

  /// The node itself.
  package var node: Node { outline[node: index] }
  /// What the node is.
  package var kind: Node.Kind { outline[node: index].kind }
  /// Properties that the kind does not say.
  package var flags: Node.Flags { outline[node: index].flags }
  /// The indices of the tokens that the node covers.
  package var tokens: Range<Int> {
    let node = node
    return Int(node.first)..<max(Int(node.first), Int(node.end))
  }

  /// Whether both are the same node of one outline.
  package static func == (left: Self, right: Self) -> Bool {
    left.index == right.index && left.outline.bytes == right.outline.bytes
  }

  // MARK: Tokens

  /// The token that names the node, or nil.
  package var name: TokenText? { token(node.name) }
  /// The token that labels the node, or nil.
  package var label: TokenText? { token(node.label) }
  /// The first token; the end of the file's when the node covers none.
  package var firstToken: Token { outline[token: Int(node.first)] }
  /// The token of which the node consists; nil where it has several.
  package var onlyToken: Token? { tokens.count == 1 ? firstToken : nil }
  /// The text from the first token to the last.
  package var text: String {
    guard !tokens.isEmpty else { return "" }
    let start = Int(firstToken.offset)
    return outline.text(start..<max(start, outline.endOffset(of: index)))
  }

  private func token(_ index: UInt32) -> TokenText? {
    index == Node.noToken ? nil : TokenText(outline: outline, index: Int(index))
  }

  // MARK: Other nodes

  /// The enclosing node; nil for the file.
  package var parent: NodeView? {
    index == 0 ? nil : NodeView(outline, Int(node.parent))
  }

  /// The nodes right beneath this one, in their order.
  package var children: Children {
    Children(outline: outline, index: index + 1, end: outline.end(ofSubtree: index))
  }

  /// The enclosing nodes, nearest first.
  package var ancestors: [NodeView] {
    var found: [NodeView] = []
    var next = parent
    while let current = next {
      found.append(current)
      next = current.parent
    }
    return found
  }

  /// The node and all that it holds, in source order.
  package var subtree: some Sequence<NodeView> {
    (index..<outline.end(ofSubtree: index)).lazy.map { NodeView(outline, $0) }
  }

  /// All nodes of a kind in this one, itself included, in source order.
  package func descendants(_ kind: Node.Kind) -> [NodeView] {
    var found: [NodeView] = []
    for index in index..<outline.end(ofSubtree: index) where outline[node: index].kind == kind {
      found.append(NodeView(outline, index))
    }
    return found
  }

  /// The first node beneath this one.
  package var firstChild: NodeView? {
    index + 1 < outline.end(ofSubtree: index) ? NodeView(outline, index + 1) : nil
  }

  /// The last node right beneath this one.
  package var lastChild: NodeView? {
    var last: NodeView?
    for child in children { last = child }
    return last
  }

  /// The first child of a kind.
  package func child(_ kind: Node.Kind) -> NodeView? {
    let end = outline.end(ofSubtree: index)
    var child = index + 1
    while child < end {
      let node = outline[node: child]
      if node.kind == kind { return NodeView(outline, child) }
      child = Int(node.subtreeEnd)
    }
    return nil
  }

  /// The children of a kind.
  package func children(_ kind: Node.Kind) -> [NodeView] {
    let end = outline.end(ofSubtree: index)
    var found: [NodeView] = []
    var child = index + 1
    while child < end {
      let node = outline[node: child]
      if node.kind == kind { found.append(NodeView(outline, child)) }
      child = Int(node.subtreeEnd)
    }
    return found
  }

  /// The child of the same parent right before this one.
  package var previousSibling: NodeView? {
    let parent = Int(node.parent)
    // The whole of a folded expression doesn't stand in its parent's subtree.
    guard index - 1 > parent, index < outline.end(ofSubtree: parent) else { return nil }
    var previous = index - 1
    while Int(outline[node: previous].parent) != parent {
      previous = Int(outline[node: previous].parent)
    }
    return NodeView(outline, previous)
  }

  /// The child of the same parent right behind this one.
  package var nextSibling: NodeView? {
    let next = outline.end(ofSubtree: index)
    guard next < outline.end(ofSubtree: Int(node.parent)) else { return nil }
    return NodeView(outline, next)
  }

  /// The nodes right beneath another.
  package struct Children: Sequence, IteratorProtocol {
    fileprivate let outline: OutlineView
    fileprivate var index: Int
    fileprivate let end: Int

    package mutating func next() -> NodeView? {
      guard index < end else { return nil }
      defer { index = outline.end(ofSubtree: index) }
      return NodeView(outline, index)
    }
  }
}

/// A token of an outline, for its text.
package struct TokenText: Sendable {
  package let outline: OutlineView
  /// The index of the token.
  package let index: Int

  /// The token itself.
  package var token: Token { outline[token: index] }

  /// The text, without the backticks around a name.
  package var text: String {
    var range = Int(token.offset)..<token.end
    if range.count > 2, outline.bytes[range.lowerBound] == UInt8(ascii: "`"),
      outline.bytes[range.upperBound - 1] == UInt8(ascii: "`")
    {
      range = range.lowerBound + 1..<range.upperBound - 1
    }
    return outline.text(range)
  }
}

extension OutlineView {
  /// The file, the first of the nodes.
  package var root: NodeView { NodeView(self, 0) }

  /// The text of a token.
  package func text(ofToken index: Int) -> String {
    let token = self[token: index]
    return text(Int(token.offset)..<token.end)
  }

  /// The text of a byte range, cut to what is there; invalid UTF-8 is repaired.
  package func text(_ range: Range<Int>) -> String {
    let lower = Swift.min(Swift.max(0, range.lowerBound), size)
    let upper = Swift.min(Swift.max(lower, range.upperBound), size)
    return String(
      decoding: UnsafeBufferPointer(start: bytes + lower, count: upper - lower), as: UTF8.self)
  }
}

/// A node of one kind, or of a few, with names for its parts.
package protocol SyntaxView: Sendable {
  /// The node.
  var node: NodeView { get }
  /// The view of a node; nil for a node of another kind.
  init?(_ node: NodeView)
}

extension SyntaxView {
  /// The text from the first token to the last.
  package var text: String { node.text }
}

extension NodeView {
  /// The children that have a view of a type.
  package func children<View: SyntaxView>(_ view: View.Type) -> [View] {
    children.compactMap { View($0) }
  }

  /// The first child that has a view of a type.
  package func child<View: SyntaxView>(_ view: View.Type) -> View? {
    for child in children {
      if let found = View(child) { return found }
    }
    return nil
  }
}
