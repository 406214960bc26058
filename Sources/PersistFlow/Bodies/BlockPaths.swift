/// The ways through the blocks of a body.
final class BlockPaths {
  private let body: Body
  private var closed: [Question: Bool] = [:]

  private struct Question: Hashable {
    let without: Int32
    /// The block that is looked for; -1 for any end of the body.
    let target: Int32
  }

  init(_ body: Body) { self.body = body }

  /// Whether a block runs on each way to the end.
  func isSure(_ block: Int32) -> Bool {
    block == 0 || isClosed(Question(without: block, target: -1))
  }

  /// Whether a block has run on each way to another one.
  func isBefore(_ first: Int32, _ second: Int32) -> Bool {
    first == 0 || first == second || isClosed(Question(without: first, target: second))
  }

  /// Whether a way leads from one block to another one in the same round of all loops.
  func reaches(_ block: Int32, from first: Int32) -> Bool {
    var seen: Set<Int32> = [first]
    var pending = [first]
    while let next = pending.popLast() {
      if next == block { return true }
      if case .loop = body.blocks[Int(next)].terminator { continue }
      pending += body.blocks[Int(next)].terminator.targets.filter { seen.insert($0).inserted }
    }
    return false
  }

  /// Whether a block runs only behind the step from one block to another one.
  func isOnly(_ block: Int32, behind source: Int32, _ target: Int32) -> Bool {
    var seen: Set<Int32> = [0]
    var pending: [Int32] = [0]
    while let next = pending.popLast() {
      if next == block { return false }
      for following in body.blocks[Int(next)].terminator.targets
      where (next != source || following != target) && seen.insert(following).inserted {
        pending.append(following)
      }
    }
    return leads(from: source, to: block)
  }

  /// Whether a way leads out of one block and into another one.
  func leads(from first: Int32, to block: Int32) -> Bool {
    var seen: Set<Int32> = []
    var pending = [first]
    while let next = pending.popLast() {
      for target in body.blocks[Int(next)].terminator.targets where seen.insert(target).inserted {
        if target == block { return true }
        pending.append(target)
      }
    }
    return false
  }

  /// Whether ways from two blocks come to one that does something.
  func meet(_ one: Int32, _ two: Int32) -> Bool {
    body.blocks.indices.contains { index in
      let block = Int32(index)
      return !body.blocks[index].steps.isEmpty
        && (block == one || leads(from: one, to: block))
        && (block == two || leads(from: two, to: block))
    }
  }

  /// Whether no way from the beginning leads past a block to the target.
  private func isClosed(_ question: Question) -> Bool {
    if let known = closed[question] { return known }
    var seen: Set<Int32> = [0]
    var pending: [Int32] = [0]
    var isClosed = true
    while let next = pending.popLast() {
      let terminator = body.blocks[Int(next)].terminator
      if question.target == next || question.target < 0 && ends(terminator) {
        isClosed = false
        break
      }
      for target in terminator.targets
      where target != question.without && seen.insert(target).inserted { pending.append(target) }
    }
    closed[question] = isClosed
    return isClosed
  }

  /// Whether code ends here as it is meant to.
  private func ends(_ terminator: Terminator) -> Bool {
    switch terminator {
    case .return: true
    case .end: body.kind == .file
    default: false
    }
  }
}
