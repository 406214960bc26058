/// An outline with what is known of it besides its own nodes: its number, its folded expressions, and its
/// patterns.
///
/// One thread uses it; views of it are valid while it lives.
package final class OutlineContext {
  package let outline: Outline
  /// The folded expressions and the patterns, once somebody has asked for them.
  package private(set) var folded: FoldedNodes?
  private let details: UnsafeMutablePointer<Details>

  /// What a view reads of the context.
  @usableFromInline struct Details {
    let file: Int32
    var folded: UnsafePointer<Node>
    var foldedCount = 0
  }

  /// The owner of several outlines numbers them.
  package init(_ outline: Outline, file: Int = -1) {
    self.outline = outline
    details = .allocate(capacity: 1)
    details.initialize(
      to: Details(file: Int32(truncatingIfNeeded: file), folded: outline.nodes.start))
  }

  deinit { details.deallocate() }

  /// A view that knows the folded nodes, also those that are added later.
  package var view: OutlineView { OutlineView(outline, UnsafePointer(details)) }

  /// Adds the folded expressions and the patterns.
  package func add(_ nodes: FoldedNodes) {
    folded = nodes
    details.pointee.folded = nodes.nodes.start
    details.pointee.foldedCount = nodes.nodes.count
  }

  /// Folds the expressions, and makes nodes of the patterns.
  package func fold(by operators: OperatorTable) { add(FoldedNodes(outline, by: operators)) }

  /// The node that an expression is when its operators are folded: the operand that stands alone, or
  /// the folded node around all of them; any other node is itself.
  package func root(of expression: Int) -> Int {
    guard outline.nodes[expression].kind == .expression else { return expression }
    return folded?.root(of: expression) ?? expression
  }

  /// The pattern of a binding, condition, loop or case, as a node of its own kind; nil where it is missing.
  package func pattern(of binder: Int) -> Int? { folded?.pattern(of: binder) }
}

extension OutlineView {
  /// The folded node at an index behind those of the outline.
  @usableFromInline func foldedNode(_ index: Int) -> Node {
    let place = index - count
    precondition(
      place >= 0 && place < details?.pointee.foldedCount ?? 0, "a node of another outline")
    return (details?.pointee.folded ?? nodes)[place]
  }

  /// The number that the owner of several outlines gave to this one; -1 for none.
  package var file: Int { details.map { Int($0.pointee.file) } ?? -1 }
}
