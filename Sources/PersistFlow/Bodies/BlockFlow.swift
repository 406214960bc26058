/// Where the values of a body are made, and what its conditions decide.
struct BlockFlow {
  /// The block of each value.
  let blocks: [Int32]
  /// The steps that put something into each local.
  let stores: [Int32: [Value]]
  /// The blocks that return something.
  let returns: [Int32]
  /// The conditions, each with the blocks that run only on one of the ways from it.
  let branches: [(condition: Value, blocks: Set<Int32>)]

  init(_ body: Body) {
    var blocks = body.steps.map { _ in Int32(0) }
    var stores: [Int32: [Value]] = [:]
    var returns: [Int32] = []
    var branches: [(Value, Set<Int32>)] = []
    for (index, block) in body.blocks.enumerated() {
      for value in block.steps {
        blocks[Int(value)] = Int32(index)
        let step = body.steps[Int(value)]
        if step.operation == .store { stores[step.index, default: []].append(value) }
      }
      if case .return(let value) = block.terminator, value >= 0 { returns.append(Int32(index)) }
      guard case .branch(let condition, let first, let second) = block.terminator, condition >= 0
      else { continue }
      let ways = body.reached(from: first).symmetricDifference(body.reached(from: second))
      branches.append((condition, ways))
    }
    (self.blocks, self.stores, self.returns, self.branches) = (blocks, stores, returns, branches)
  }
}

extension Body {
  /// The blocks to which ways lead from one, itself among them.
  fileprivate func reached(from first: Int32) -> Set<Int32> {
    var seen: Set<Int32> = [first]
    var waiting = [first]
    while let next = waiting.popLast() {
      for target in blocks[Int(next)].terminator.targets where seen.insert(target).inserted {
        waiting.append(target)
      }
    }
    return seen
  }
}
