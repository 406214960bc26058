import PersistSyntax

// MARK: - Nodes of the program

extension Program {
  /// The outline of a node's file.
  package func outline(_ ref: Ref) -> Outline { views.outline(ofFile: Int(ref.file)) }
  /// The same without what keeps it alive, for loops.
  package func view(_ ref: Ref) -> OutlineView { views[Int(ref.file)] }
  /// The node with what stands around it; valid while the program lives.
  package func nodeView(_ ref: Ref) -> NodeView { NodeView(view(ref), Int(ref.node)) }
  /// The node itself.
  package func node(_ ref: Ref) -> Node { views.node(ref) }
  /// What a node is.
  package func kind(_ ref: Ref) -> Node.Kind { views.node(ref).kind }

  /// The enclosing node; nil for a file.
  package func parent(_ ref: Ref) -> Ref? {
    ref.node == 0 ? nil : Ref(file: Int(ref.file), node: Int(views.node(ref).parent))
  }

  /// The children of a node in their order.
  package func children(_ ref: Ref) -> [Ref] {
    let view = view(ref)
    let end = view.end(of: Int(ref.node))
    var count = 0
    var index = Int(ref.node) + 1
    while index < end {
      count += 1
      index = view.end(of: index)
    }
    guard count > 0 else { return [] }
    var found: [Ref] = []
    found.reserveCapacity(count)
    index = Int(ref.node) + 1
    while index < end {
      found.append(Ref(file: Int(ref.file), node: index))
      index = view.end(of: index)
    }
    return found
  }

  /// The first child of a node.
  package func firstChild(_ ref: Ref) -> Ref? {
    Int(node(ref).subtreeEnd) > Int(ref.node) + 1
      ? Ref(file: Int(ref.file), node: Int(ref.node) + 1) : nil
  }

  /// Whether a node's parent has no other children.
  package func isOnlyChild(_ ref: Ref) -> Bool {
    guard let parent = parent(ref), sibling(before: ref) == nil else { return false }
    let view = view(ref)
    return view.end(of: Int(ref.node)) == view.end(of: Int(parent.node))
  }

  /// The first children of a node.
  func children(_ ref: Ref, atMost count: Int) -> [Ref] {
    let view = view(ref)
    let end = view.end(of: Int(ref.node))
    var found: [Ref] = []
    found.reserveCapacity(count)
    var index = Int(ref.node) + 1
    while index < end, found.count < count {
      found.append(Ref(file: Int(ref.file), node: index))
      index = view.end(of: index)
    }
    return found
  }

  /// The child of the same parent right before a node; nil for the first.
  package func sibling(before ref: Ref) -> Ref? {
    guard ref.node > 0 else { return nil }
    let view = view(ref)
    let parent = Int(view.at(Int(ref.node)).parent)
    var previous = Int(ref.node) - 1
    // The whole of a folded expression doesn't stand in its parent's subtree.
    guard previous != parent, Int(ref.node) < view.end(of: parent) else { return nil }
    while Int(view.at(previous).parent) != parent { previous = Int(view.at(previous).parent) }
    return Ref(file: Int(ref.file), node: previous)
  }

  /// The child of the same parent right behind a node; nil for the last.
  package func sibling(after ref: Ref) -> Ref? {
    let view = view(ref)
    let next = view.end(of: Int(ref.node))
    let parent = Int(view.at(Int(ref.node)).parent)
    guard next < view.end(of: parent) else { return nil }
    return Ref(file: Int(ref.file), node: next)
  }

  /// The children of one kind.
  package func children(_ ref: Ref, _ kind: Node.Kind) -> [Ref] {
    let view = view(ref)
    let end = view.end(of: Int(ref.node))
    var found: [Ref] = []
    var index = Int(ref.node) + 1
    while index < end {
      let node = view.at(index)
      if node.kind == kind { found.append(Ref(file: Int(ref.file), node: index)) }
      index = Int(node.subtreeEnd)
    }
    return found
  }

  /// The first child of one kind.
  package func child(_ ref: Ref, _ kind: Node.Kind) -> Ref? {
    let view = view(ref)
    let end = view.end(of: Int(ref.node))
    var index = Int(ref.node) + 1
    while index < end {
      let node = view.at(index)
      if node.kind == kind { return Ref(file: Int(ref.file), node: index) }
      index = Int(node.subtreeEnd)
    }
    return nil
  }

  /// The node and everything in it, in source order.
  package func subtree(_ ref: Ref) -> Range<Int32> {
    ref.node..<Int32(truncatingIfNeeded: node(ref).subtreeEnd)
  }

  /// All nodes of a kind in a node, itself included, in source order.
  package func descendants(_ ref: Ref, _ kind: Node.Kind) -> [Ref] {
    let view = view(ref)
    var found: [Ref] = []
    for index in Int(ref.node)..<view.end(of: Int(ref.node))
    where view.at(index).kind == kind {
      found.append(Ref(file: Int(ref.file), node: index))
    }
    return found
  }

  /// The first nodes of a kind in a subtree, the node itself included, in source order.
  func descendants(_ ref: Ref, _ kind: Node.Kind, atMost count: Int) -> [Ref] {
    let view = view(ref)
    var found: [Ref] = []
    for index in Int(ref.node)..<view.end(of: Int(ref.node))
    where view.at(index).kind == kind {
      found.append(Ref(file: Int(ref.file), node: index))
      if found.count == count { break }
    }
    return found
  }

  /// Whether a node is another or stands in it.
  package func contains(_ outer: Ref, _ inner: Ref) -> Bool {
    outer.file == inner.file && subtree(outer).contains(inner.node)
  }

  /// The enclosing nodes, nearest first.
  package func ancestors(_ ref: Ref) -> [Ref] {
    let view = view(ref)
    var result: [Ref] = []
    result.reserveCapacity(24)
    var node = Int(ref.node)
    while node != 0 {
      node = Int(view.at(node).parent)
      result.append(Ref(file: Int(ref.file), node: node))
    }
    return result
  }

  /// The name of a node, or `.none`.
  package func name(_ ref: Ref) -> Name {
    let view = view(ref)
    return view.name(ofToken: view.at(Int(ref.node)).name)
  }
  /// The label of an argument or parameter, or `.none`.
  package func label(_ ref: Ref) -> Name {
    let view = view(ref)
    return view.name(ofToken: view.at(Int(ref.node)).label)
  }

  /// The name that a token spells; `.none` for no token.
  package func name(_ token: TokenText?) -> Name { token?.name ?? .none }

  /// The source text of a node.
  package func text(_ ref: Ref) -> String {
    let view = view(ref)
    return view.text(view.byteRange(of: Int(ref.node)))
  }

  /// The text of a node's name token; "" when it has none.
  package func nameText(_ ref: Ref) -> String {
    let view = view(ref)
    let token = view.at(Int(ref.node)).name
    guard token != Node.noToken else { return "" }
    let text = view.text(ofToken: Int(token))
    return text.utf8.first == UInt8(ascii: "`") ? String(text.dropFirst().dropLast()) : text
  }

  /// The function, accessor, initializer or closure that a node stands in, itself left out.
  package func enclosingBody(_ ref: Ref) -> Ref? {
    var next = parent(ref)
    while let current = next {
      switch kind(current) {
      case .functionDecl, .initDecl, .deinitDecl, .accessor, .closure: return current
      case .members, .file: return nil
      default: next = parent(current)
      }
    }
    return nil
  }

  /// The function declaration that a node stands in, closures passed over.
  package func enclosingFunction(_ ref: Ref) -> FunctionID? {
    var next: Ref? = ref
    while let current = next {
      if let function = function(declaredAt: current) { return function }
      if kind(current) == .members { return nil }
      next = parent(current)
    }
    return nil
  }

  /// The type declaration or extension that a node stands in.
  package func enclosingType(_ ref: Ref) -> TypeID? {
    var next = parent(ref)
    while let current = next {
      if let type = type(declaredAt: current) { return type }
      next = parent(current)
    }
    return nil
  }

  /// Whether `self` means the type itself at a place, as it does in static members.
  package func isInStaticMember(_ ref: Ref) -> Bool {
    var next = parent(ref)
    while let current = next, kind(current) != .members {
      if [.functionDecl, .variableDecl, .subscriptDecl].contains(kind(current)),
        nodeView(current).isStatic
      {
        return true
      }
      next = parent(current)
    }
    return false
  }

  /// The names of the enclosing types, functions and properties, joined with periods.
  package func symbol(_ ref: Ref) -> String {
    var parts: [String] = []
    var next: Ref? = ref
    while let current = next {
      switch kind(current) {
      case .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl, .functionDecl, .initDecl,
        .enumElement:
        parts.append(nameText(current))
      case .extensionDecl:
        if let type = child(current, .type) { parts.append(text(type)) }
      case .binding where property(declaredAt: current) != nil: parts.append(nameText(current))
      default: break
      }
      next = parent(current)
    }
    return parts.reversed().joined(separator: ".")
  }
}

extension NodeView {
  /// The node's address in the program whose view it is.
  package var ref: Ref { Ref(file: outline.file, node: index) }

  /// Whether a declaration is one of the type and not of its values.
  package var isStatic: Bool {
    children(.modifier).contains { [.static, .class].contains($0.firstToken.keyword) }
  }
}

extension TokenText {
  /// The name that the token spells.
  package var name: Name { outline.name(ofToken: UInt32(truncatingIfNeeded: index)) }
}

extension OutlineView {
  /// The node at an index, read in place.
  @inline(__always)
  func at(_ index: Int) -> Node {
    index >= 0 && index < count ? nodes[index] : self[node: index]
  }

  /// The index behind a node and all that it holds, read in place.
  @inline(__always)
  func end(of index: Int) -> Int { Int(at(index).subtreeEnd) }

  /// The name that a token spells; `.none` for `Node.noToken`.
  func name(ofToken index: UInt32) -> Name {
    guard index != Node.noToken else { return .none }
    let token = self[token: Int(index)]
    let start = Int(token.offset)
    return Name(
      bytes: UnsafeBufferPointer(start: bytes + start, count: min(token.end, size) - start))
  }
}

/// The outlines of the files and their views, taken when they are asked for.
final class OutlineViews {
  private let files: [SourceFile]
  private let count: Int
  private let views: UnsafeMutablePointer<OutlineView?>
  private let outlines: UnsafeMutablePointer<Outline?>
  private let contexts: UnsafeMutablePointer<OutlineContext?>

  init(_ files: [SourceFile]) {
    self.files = files
    count = files.count
    views = .allocate(capacity: files.count)
    views.initialize(repeating: nil, count: files.count)
    outlines = .allocate(capacity: files.count)
    outlines.initialize(repeating: nil, count: files.count)
    contexts = .allocate(capacity: files.count)
    contexts.initialize(repeating: nil, count: files.count)
  }

  deinit {
    outlines.deinitialize(count: count)
    outlines.deallocate()
    contexts.deinitialize(count: count)
    contexts.deallocate()
    views.deallocate()
  }

  subscript(file: Int) -> OutlineView {
    @inline(__always) get {
      precondition(file >= 0 && file < count, "a file of another program")
      return views[file] ?? make(file)
    }
  }

  /// A node, read in place: most are asked for one by one.
  @inline(__always)
  func node(_ ref: Ref) -> Node {
    let (file, index) = (Int(ref.file), Int(ref.node))
    precondition(file >= 0 && file < count, "a file of another program")
    if let view = views[file], index >= 0, index < view.count { return view.nodes[index] }
    return self[file][node: index]
  }

  /// The outline of a file, without waiting for other threads that ask for it.
  func outline(ofFile file: Int) -> Outline {
    precondition(file >= 0 && file < count, "a file of another program")
    if let known = outlines[file] { return known }
    let outline = files[file].outline
    outlines[file] = outline
    return outline
  }

  /// The folded expressions of a file, which its view knows from then on.
  func folded(_ file: Int, _ declarations: Declarations) -> FoldedNodes {
    let context = context(file)
    if let known = context.folded { return known }
    let nodes = declarations.folded(file, context.outline)
    context.add(nodes)
    return nodes
  }

  private func context(_ file: Int) -> OutlineContext {
    if let known = contexts[file] { return known }
    let context = OutlineContext(outline(ofFile: file), file: file)
    contexts[file] = context
    return context
  }

  @inline(never) private func make(_ file: Int) -> OutlineView {
    let view = context(file).view
    views[file] = view
    return view
  }
}
