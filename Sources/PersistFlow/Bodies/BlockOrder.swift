/// The blocks of a body in reverse postorder: each one after those that lead to it, loops left out.
struct BlockOrder: Sendable {
  /// The blocks by their places.
  private(set) var blocks: [Int32] = []
  /// The places by the blocks; a block that nothing leads to stands at the end.
  private(set) var places: [Int]

  init(_ body: Body) {
    places = Array(repeating: -1, count: body.blocks.count)
    var isSeen = Array(repeating: false, count: body.blocks.count)
    var stack: [(block: Int32, targets: [Int32])] = []
    func enter(_ block: Int32) {
      guard !isSeen[Int(block)] else { return }
      isSeen[Int(block)] = true
      stack.append((block, body.blocks[Int(block)].terminator.targets))
    }
    for first in body.blocks.indices {
      enter(Int32(truncatingIfNeeded: first))
      var part: [Int32] = []
      while let top = stack.last {
        if let target = top.targets.last {
          stack[stack.count - 1].targets.removeLast()
          enter(target)
        } else {
          part.append(top.block)
          stack.removeLast()
        }
      }
      blocks += part.reversed()
    }
    for (place, block) in blocks.enumerated() { places[Int(block)] = place }
  }
}
