import PersistSyntax

/// The nodes of one file that spell names, and the calls of what they name.
struct FileUses: Sendable {
  private struct Use {
    let node: Int32
    /// The call of what the node names; -1 where it isn't called.
    let call: Int32
    /// The next use of the same name; -1 behind the last one.
    let next: Int32
    let isMacro: Bool
  }

  /// The names by their hashes, and the first use of each; 0 where a place is free.
  private var slots: [UInt64]
  private var firsts: [Int32]
  private var uses: [Use] = []

  /// Reads an outline that uses so many different words.
  init(_ outline: Outline, words: Int) {
    var capacity = 64
    while capacity < words * 2 { capacity *= 2 }
    slots = Array(repeating: 0, count: capacity)
    firsts = Array(repeating: -1, count: capacity)
    outline.withBuffers { read($0) }
  }

  private mutating func read(_ view: OutlineBuffers) {
    let nodes = view.nodes
    var calls = [Int32](repeating: -1, count: nodes.count)
    uses.reserveCapacity(nodes.count / 3)
    for index in nodes.indices {
      if nodes[index].kind == .chain { Self.collectCalls(in: index, nodes, into: &calls) }
    }
    // From the end, so that the first use of a name stands first.
    for index in nodes.indices.reversed() {
      switch nodes[index].kind {
      case .name, .member, .implicitMember: add(view.name(of: index), index, calls[index], false)
      case .macro where calls[index] >= 0: add(view.name(of: index), index, calls[index], true)
      default: continue
      }
    }
  }

  private mutating func add(_ name: Name, _ node: Int, _ call: Int32, _ isMacro: Bool) {
    guard name != .none else { return }
    let place = place(of: name)
    slots[place] = name.hash
    uses.append(
      Use(
        node: Int32(truncatingIfNeeded: node), call: call, next: firsts[place], isMacro: isMacro))
    firsts[place] = Int32(truncatingIfNeeded: uses.count - 1)
  }

  /// The place of a name, or the free one where it belongs.
  private func place(of name: Name) -> Int {
    let mask = slots.count - 1
    var place = Int(truncatingIfNeeded: name.hash >> 20) & mask
    while slots[place] != 0, slots[place] != name.hash { place = (place + 1) & mask }
    return place
  }

  /// Notes the calls of a chain that call something by its name, by the nodes that spell it.
  private static func collectCalls(
    in chain: Int, _ nodes: UnsafeBufferPointer<Node>, into calls: inout [Int32]
  ) {
    let end = Int(nodes[chain].subtreeEnd)
    var called: Int?
    var part = chain + 1
    while part < end {
      switch nodes[part].kind {
      case .name, .member, .implicitMember, .macro: called = part
      case .optionalChain, .force: break
      case .call:
        if let called { calls[called] = Int32(truncatingIfNeeded: part) }
        called = nil
      default: called = nil
      }
      part = Int(nodes[part].subtreeEnd)
    }
  }

  /// The `call` nodes whose called name is one, in source order.
  func calls(named name: Name) -> [Int] {
    var found: [Int] = []
    forEachUse(of: name) { use in
      if use.call >= 0 { found.append(Int(use.call)) }
    }
    return found
  }

  /// The `name`, `member` and `implicitMember` nodes that spell a name, in source order.
  func nodes(spelling name: Name) -> [Int] {
    var found: [Int] = []
    forEachUse(of: name) { use in
      if !use.isMacro { found.append(Int(use.node)) }
    }
    return found
  }

  private func forEachUse(of name: Name, _ body: (Use) -> Void) {
    guard name != .none else { return }
    var next = firsts[place(of: name)]
    while next >= 0 {
      body(uses[Int(next)])
      next = uses[Int(next)].next
    }
  }
}
