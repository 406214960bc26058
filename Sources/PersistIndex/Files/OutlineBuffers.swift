import PersistSyntax

/// The parts of an outline as plain memory, for loops that look at each node; valid while the outline
/// is.
struct OutlineBuffers {
  let nodes: UnsafeBufferPointer<Node>
  let tokens: UnsafeBufferPointer<Token>
  private let bytes: UnsafePointer<UInt8>
  private let size: Int

  fileprivate init(_ outline: Outline, _ nodes: UnsafeBufferPointer<Node>) {
    self.nodes = nodes
    tokens = outline.tokens.buffer
    bytes = outline.text.start
    size = outline.text.count
  }

  /// The index behind a node and all that it holds.
  func end(ofSubtree node: Int) -> Int { Int(nodes[node].subtreeEnd) }

  /// The name that a token spells.
  func name(ofToken index: Int) -> Name {
    let token = tokens[index]
    let start = Int(token.offset)
    return Name(
      bytes: UnsafeBufferPointer(start: bytes + start, count: min(length(token), size - start)))
  }

  /// What the token says of itself, without a call into another module.
  private func length(_ token: Token) -> Int {
    switch token.kind {
    case .leftParen, .rightParen, .leftSquare, .rightSquare, .leftBrace, .rightBrace: 1
    default: Int(token.extent)
    }
  }

  /// The name of a node, or `.none`.
  func name(of node: Int) -> Name {
    let token = nodes[node].name
    return token == UInt32.max ? .none : name(ofToken: Int(token))
  }

  /// The label of an argument or parameter, or `.none`.
  func label(of node: Int) -> Name {
    let token = nodes[node].label
    return token == UInt32.max ? .none : name(ofToken: Int(token))
  }

  /// The first byte of a token.
  func firstByte(ofToken index: Int) -> UInt8 { bytes[Int(tokens[index].offset)] }
}

extension Outline {
  /// Hands out the parts of the outline for fast loops.
  func withBuffers<Value>(_ body: (OutlineBuffers) -> Value) -> Value {
    nodes.withUnsafeBufferPointer { nodes in
      withExtendedLifetime(self) { body(OutlineBuffers(self, nodes)) }
    }
  }
}
