/// The ways through the blocks of a body.
final class BlockPaths {
  private let body: Body
  /// Where control goes from each block.
  private let targets: [[Int32]]
  private var closed: [Question: Bool] = [:]
  private var only: [Step: Bool] = [:]

  private struct Question: Hashable {
    let without: Int32
    /// The block that is looked for; -1 for any end of the body.
    let target: Int32
  }

  /// A step from one block to another one, and a block behind it.
  private struct Step: Hashable {
    let source: Int32
    let target: Int32
    let block: Int32
  }

  init(_ body: Body) {
    self.body = body
    targets = body.blocks.map(\.terminator.targets)
  }

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
    var seen = NumberSet(first)
    var pending = [first]
    while let next = pending.popLast() {
      if next == block { return true }
      if case .loop = body.blocks[Int(next)].terminator { continue }
      for target in targets[Int(next)] where seen.insert(target) { pending.append(target) }
    }
    return false
  }

  /// Whether each way from one block comes to another one in the same round of all loops.
  func comes(to block: Int32, from first: Int32) -> Bool {
    var seen = NumberSet(first)
    var pending = [first]
    while let next = pending.popLast() {
      if next == block { continue }
      if case .loop = body.blocks[Int(next)].terminator { return false }
      if targets[Int(next)].isEmpty { return false }
      for target in targets[Int(next)] where seen.insert(target) { pending.append(target) }
    }
    return true
  }

  /// Whether a block runs only behind the step from one block to another one.
  func isOnly(_ block: Int32, behind source: Int32, _ target: Int32) -> Bool {
    let step = Step(source: source, target: target, block: block)
    if let known = only[step] { return known }
    let isOnly = !isReached(block, without: step) && leads(from: source, to: block)
    only[step] = isOnly
    return isOnly
  }

  /// Whether a way leads to a block on which a step isn't taken.
  private func isReached(_ block: Int32, without step: Step) -> Bool {
    var seen = NumberSet(0)
    var pending: [Int32] = [0]
    while let next = pending.popLast() {
      if next == block { return true }
      for following in targets[Int(next)]
      where (next != step.source || following != step.target) && seen.insert(following) {
        pending.append(following)
      }
    }
    return false
  }

  /// Whether a way leads out of one block and into another one, past no third one.
  func leads(from first: Int32, to block: Int32, without other: Int32 = -1) -> Bool {
    var seen = NumberSet()
    if other >= 0 { seen.insert(other) }
    var pending = [first]
    while let next = pending.popLast() {
      for target in targets[Int(next)] where seen.insert(target) {
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
    var seen = NumberSet(0)
    var pending: [Int32] = [0]
    var isClosed = true
    while let next = pending.popLast() {
      if question.target == next
        || question.target < 0 && ends(body.blocks[Int(next)].terminator)
      {
        isClosed = false
        break
      }
      for target in targets[Int(next)] where target != question.without && seen.insert(target) {
        pending.append(target)
      }
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
