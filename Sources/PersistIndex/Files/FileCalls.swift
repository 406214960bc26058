import PersistSyntax

/// The calls of one file by the names that they call.
struct FileCalls: Sendable {
  private struct Call {
    let name: Name
    let node: Int32
  }

  /// Sorted by name, then by place.
  private let calls: [Call]
  /// The declarations with `async let`, in source order.
  let asyncLets: [Int32]

  init(_ outline: Outline) {
    var calls: [Call] = []
    var asyncLets: [Int32] = []
    outline.nodes.withUnsafeBufferPointer { nodes in
      for index in nodes.indices {
        switch nodes[index].kind {
        case .chain:
          Self.forEachCall(in: index, nodes) { call, called in
            calls.append(
              Call(name: outline.name(of: called), node: Int32(truncatingIfNeeded: call)))
          }
        case .variableDecl where Self.isAsync(nodes[index], outline.tokens):
          asyncLets.append(Int32(truncatingIfNeeded: index))
        default: continue
        }
      }
    }
    calls.sort { ($0.name.hash, $0.node) < ($1.name.hash, $1.node) }
    self.calls = calls
    self.asyncLets = asyncLets
  }

  /// Whether `async` stands before the `let` of a declaration.
  private static func isAsync(_ declaration: Node, _ tokens: TokenList) -> Bool {
    guard declaration.name != Node.noToken else { return false }
    return (declaration.first..<declaration.name).contains { tokens[Int($0)].keyword == .async }
  }

  /// Goes through the calls of a chain that call something by its name, and the nodes that spell it.
  private static func forEachCall(
    in chain: Int, _ nodes: UnsafeBufferPointer<Node>, _ body: (_ call: Int, _ called: Int) -> Void
  ) {
    let end = Int(nodes[chain].subtreeEnd)
    var called: Int?
    var part = chain + 1
    while part < end {
      switch nodes[part].kind {
      case .name, .member, .implicitMember, .macro: called = part
      case .optionalChain, .force: break
      case .call:
        if let called { body(part, called) }
        called = nil
      default: called = nil
      }
      part = Int(nodes[part].subtreeEnd)
    }
  }

  /// The `call` nodes whose called name is one, in source order.
  func named(_ name: Name) -> [Int] {
    var low = 0
    var high = calls.count
    while low < high {
      let middle = (low + high) / 2
      if calls[middle].name.hash < name.hash { low = middle + 1 } else { high = middle }
    }
    var found: [Int] = []
    while low < calls.count, calls[low].name == name {
      found.append(Int(calls[low].node))
      low += 1
    }
    return found
  }
}
