/// Something that has to hold where a block runs.
struct Condition: Hashable {
  let body: BodyID
  /// The value that decides, or the step that may fail.
  let value: Value
  /// Whether the value has to be true, or the step has to fail.
  let holds: Bool
  let isFailure: Bool

  /// Where it comes among those of its body.
  var order: Int { 4 * Int(value) + (holds ? 2 : 0) + (isFailure ? 1 : 0) }
}

/// Which branches of a body decide whether some of its blocks run.
final class BlockConditions {
  /// What all has to hold on one way to a block.
  typealias Way = Set<Condition>

  private let id: BodyID
  private let body: Body
  /// The blocks that the beginning leads to.
  private let reached: [Int32]
  private let leading: [Int32: [Int32]]
  /// The blocks by which the body is left.
  private let exits: [Int32]
  private var known: [Int32: [Way]] = [:]
  /// How often a block that decides on itself, on the next turn of a loop, was left out.
  private var turns = 0

  /// Ways that are told apart; of more nothing is known.
  private static let most = 64

  init(_ id: BodyID, _ body: Body) {
    self.id = id
    self.body = body
    var leading: [Int32: [Int32]] = [:]
    var reached: [Int32] = [0]
    var next = 0
    while next < reached.count {
      for target in body.blocks[Int(reached[next])].terminator.targets {
        if leading[target] == nil, target != 0 { reached.append(target) }
        leading[target, default: []].append(reached[next])
      }
      next += 1
    }
    self.reached = reached
    self.leading = leading
    exits = reached.filter { block in
      let code = body.blocks[Int(block)]
      // A switch without a case that matches ends in an empty block.
      return code.terminator.targets.isEmpty && (code.terminator != .end || !code.steps.isEmpty)
    }
  }

  /// The ways to one of some blocks; nil where there are too many, or none.
  func ways(to blocks: Set<Int32>) -> [Way]? {
    guard !body.isCut, !blocks.isDisjoint(with: reached) else { return nil }
    var open: Set<Int32> = []
    return ways(to: blocks, &open)
  }

  private func ways(to blocks: Set<Int32>, _ open: inout Set<Int32>) -> [Way]? {
    let passing = blocksLeading(to: exits, around: blocks)
    if blocks.contains(0) || !passing.contains(0) { return [[]] }
    let before = blocksLeading(to: Array(blocks), around: [])
    var found: Set<Way> = []
    for block in reached where before.contains(block) {
      let targets = body.blocks[Int(block)].terminator.targets
      guard targets.contains(where: passing.contains) else { continue }
      let deciding = targets.filter { !passing.contains($0) && before.contains($0) }
      guard !deciding.isEmpty else { continue }
      guard open.insert(block).inserted else {
        turns += 1
        continue
      }
      defer { open.remove(block) }
      let turnsBefore = turns
      guard let ways = known[block] ?? ways(to: [block], &open) else { return nil }
      if turns == turnsBefore { known[block] = ways }
      for target in deciding {
        let condition = condition(behind: block, target)
        found.formUnion(ways.map { $0.union(condition.map { [$0] } ?? []) })
      }
      guard found.count <= Self.most else { return nil }
    }
    return Self.absorbed(found)
  }

  /// The blocks from which a way leads to some others, past those around which it has to go.
  private func blocksLeading(to targets: [Int32], around others: Set<Int32>) -> Set<Int32> {
    var found = Set(targets).subtracting(others)
    var pending = Array(found)
    while let next = pending.popLast() {
      for block in leading[next] ?? [] where !others.contains(block) {
        if found.insert(block).inserted { pending.append(block) }
      }
    }
    return found
  }

  /// What has to hold where a block goes on to a target.
  private func condition(behind block: Int32, _ target: Int32) -> Condition? {
    let code = body.blocks[Int(block)]
    switch code.terminator {
    case .branch(let value, let yes, let no) where yes != no && value >= 0:
      let (asked, holds) = body.condition(value)
      return Condition(
        body: id, value: asked, holds: (target == yes) == holds, isFailure: false)
    case .mayThrow(let next, let handler) where next != handler && target == handler:
      return code.steps.last.map { Condition(body: id, value: $0, holds: true, isFailure: true) }
    default: return nil
    }
  }

  /// The ways without those that another one covers.
  private static func absorbed(_ ways: Set<Way>) -> [Way] {
    let ways = merged(ways)
    return ways.filter { way in !ways.contains { $0.isStrictSubset(of: way) } }
  }

  /// The ways without conditions of which another one covers the opposite: of `a || !a && b` the latter
  /// needs `b` alone.
  static func merged(_ ways: Set<Way>) -> Set<Way> {
    let sorted = ways.map { (way: $0, order: $0.map(\.order).sorted()) }
      .sorted { $0.order.lexicographicallyPrecedes($1.order) }.map(\.way)
    var ways = ways
    for way in sorted where ways.contains(way) {
      var rest = way
      for condition in way.sorted(by: { $0.order < $1.order }) {
        let opposite = Condition(
          body: condition.body, value: condition.value, holds: !condition.holds,
          isFailure: condition.isFailure)
        let needed = rest.subtracting([condition])
        let isNeedless = ways.contains {
          $0.contains(opposite) && $0.subtracting([opposite]).isSubset(of: needed)
        }
        guard isNeedless else { continue }
        ways.remove(needed.union([opposite]))
        rest = needed
      }
      guard rest != way else { continue }
      ways.remove(way)
      ways.insert(rest)
    }
    return ways
  }
}

extension Body {
  /// A condition without what negates it, and whether it has to hold.
  func condition(_ value: Value) -> (Value, holds: Bool) {
    guard value >= 0 else { return (value, true) }
    let step = steps[Int(value)]
    guard step.operation == .prefix, step.name == "!", let operand = operands(of: step).first else {
      return (value, true)
    }
    let inner = condition(operand)
    return (inner.0, !inner.holds)
  }
}
