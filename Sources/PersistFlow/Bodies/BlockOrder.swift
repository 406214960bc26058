/// The blocks of a body in reverse postorder: each one after those that lead to it, loops left out.
struct BlockOrder: Sendable {
  /// The blocks by their places.
  private(set) var blocks: [Int32] = []
  /// The places by the blocks; a block that nothing leads to stands at the end.
  private(set) var places: [Int]

  init(_ body: Body) {
    places = Array(each: -1, count: body.blocks.count)
    var isSeen = Array(each: false, count: body.blocks.count)
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

  /// What comes from several blocks, by the order of these; -1 stands before all.
  func sorted<Edge>(_ edges: [Int32: Edge]) -> [Edge] {
    if edges.count < 2 { return edges.map { $0.value } }
    return edges.sorted { left, right in
      (left.key < 0 ? -1 : places[Int(left.key)]) < (right.key < 0 ? -1 : places[Int(right.key)])
    }.map { $0.value }
  }
}
