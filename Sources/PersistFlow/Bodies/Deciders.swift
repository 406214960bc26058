import PersistIndex
import PersistSyntax

/// What decides whether the blocks of a body run, and what those conditions look at.
final class Deciders {
  private let body: Body
  private var known: [Int32: [Value]] = [:]
  private var stores: [Int32: [Value]]?

  init(_ body: Body) { self.body = body }

  /// The conditions of which one answer keeps a block from running.
  func conditions(of block: Int32) -> [Value] {
    if let found = known[block] { return found }
    var found: [Value] = []
    for (number, code) in body.blocks.enumerated() {
      guard case .branch(let condition, let yes, let no) = code.terminator, condition >= 0,
        yes != no
      else { continue }
      let source = Int32(truncatingIfNeeded: number)
      if [yes, no].contains(where: { !isReached(block, without: (source, $0)) }) {
        found.append(condition)
      }
    }
    known[block] = found
    return found
  }

  /// The steps from which a value follows, where asked for with those that give a local its value.
  func steps(behind value: Value, throughLocals: Bool = true) -> [Instruction] {
    var seen: Set<Value> = []
    var pending = [value]
    while let next = pending.popLast() {
      guard next >= 0, seen.insert(next).inserted else { continue }
      let step = body.steps[Int(next)]
      switch step.operation {
      case .load where throughLocals: pending += storesOfLocals[step.index] ?? []
      case .call:
        let site = body.calls[Int(step.index)]
        pending += [site.receiver] + site.arguments.map(\.value)
      default: pending += body.operands(of: step)
      }
    }
    return seen.sorted().map { body.steps[Int($0)] }
  }

  private var storesOfLocals: [Int32: [Value]] {
    if let stores { return stores }
    var found: [Int32: [Value]] = [:]
    for step in body.steps where step.operation == .store {
      found[step.index, default: []] += body.operands(of: step)
    }
    stores = found
    return found
  }

  /// Whether some way from the beginning leads to a block, past one edge.
  private func isReached(_ block: Int32, without edge: (from: Int32, to: Int32)) -> Bool {
    var seen: Set<Int32> = [0]
    var pending: [Int32] = [0]
    while let next = pending.popLast() {
      if next == block { return true }
      for target in body.blocks[Int(next)].terminator.targets
      where (next, target) != edge && seen.insert(target).inserted {
        pending.append(target)
      }
    }
    return false
  }
}

extension ProgramFacts {
  /// The bodies around a place, or around a closure, innermost first, each with the block in which the
  /// place, or the closure with it, is.
  func blocks(around place: Ref) -> [(body: Body, block: Int32)] {
    var found: [(body: Body, block: Int32)] = []
    var inner = place
    let isBody = bodies.loweredBody(at: place) != nil
    var next = (isBody ? program.parent(place) : place).flatMap { body(around: $0) }
    while let id = next, let block = bodies[id].block(of: inner, program) {
      found.append((bodies[id], block))
      inner = bodies[id].place
      next =
        bodies[id].kind == .closure
        ? program.parent(inner).flatMap { body(around: $0) } : nil
    }
    return found
  }
}

extension Body {
  /// The block in which a step stands that a node, or the call of what it names, makes.
  fileprivate func block(of node: Ref, _ program: Program) -> Int32? {
    let number = blocks.firstIndex { code in
      code.steps.contains { value in
        let step = steps[Int(value)]
        let made = ref(step)
        if step.operation == .closure { return made == node || program.contains(node, made) }
        return made == node || step.operation == .call && program.calledNode(made) == node
      }
    }
    return number.map { Int32(truncatingIfNeeded: $0) }
  }
}

extension Program {
  /// The property that a step reads; `guard let name` reads one as well.
  func property(readBy step: Instruction, in body: Body) -> PropertyID? {
    if let id = property(usedBy: body.ref(step)) { return id }
    guard case .property(let id)? = lookUp(step.name, from: body.ref(step)) else { return nil }
    return id
  }

  /// The names that the conditions look at which decide whether a place runs, those around the closures
  /// that it stands in included.
  package func namesDeciding(on place: Ref) -> Set<String> {
    var names: Set<String> = []
    for (body, block) in loweredCode.facts(for: place).blocks(around: place) {
      let deciders = Deciders(body)
      for condition in deciders.conditions(of: block) {
        for step in deciders.steps(behind: condition, throughLocals: false) {
          switch step.operation {
          case .load, .capture, .get, .type, .function: names.insert(nameText(body.ref(step)))
          case .call: names.insert(calledText(body.ref(step)))
          default: continue
          }
        }
      }
    }
    return names
  }
}
