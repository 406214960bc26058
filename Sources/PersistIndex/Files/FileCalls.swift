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
        case .call:
          guard let called = Self.called(by: index, nodes) else { continue }
          calls.append(
            Call(name: outline.name(of: called), node: Int32(truncatingIfNeeded: index)))
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

  /// The node that spells the name that a call calls; nil for a called closure.
  private static func called(by call: Int, _ nodes: UnsafeBufferPointer<Node>) -> Int? {
    let chain = Int(nodes[call].parent)
    guard nodes[chain].kind == .chain else { return nil }
    var called: Int?
    var child = chain + 1
    while child < call {
      if nodes[child].kind != .optionalChain, nodes[child].kind != .force { called = child }
      child = Int(nodes[child].subtreeEnd)
    }
    guard let called else { return nil }
    switch nodes[called].kind {
    case .name, .member, .implicitMember, .macro: return called
    default: return nil
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
