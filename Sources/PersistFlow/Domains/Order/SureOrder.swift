import PersistIndex
import PersistSyntax

/// What surely happens in code, and what surely has happened before some step of it.
final class SureOrder {
  let program: Program
  let bodies: Bodies
  let facts: ProgramFacts
  private var paths: [BodyID: BlockPaths] = [:]

  init(_ program: Program) {
    self.program = program
    bodies = Bodies(of: program)
    facts = ProgramFacts(program, bodies)
  }

  /// The steps of a body in an order in which they may run.
  func steps(of body: BodyID) -> [(block: Int32, step: Value)] {
    let code = bodies[body]
    return code.order.blocks.flatMap { block in
      code.blocks[Int(block)].steps.map { (block, $0) }
    }
  }

  /// Whether a block runs on each way through a body to its end.
  func isSure(_ block: Int32, in body: BodyID) -> Bool { paths(of: body).isSure(block) }

  /// Whether a block has run on each way to another one.
  func isBefore(_ first: Int32, _ second: Int32, in body: BodyID) -> Bool {
    paths(of: body).isBefore(first, second)
  }

  private func paths(of body: BodyID) -> BlockPaths {
    if let known = paths[body] { return known }
    let made = BlockPaths(bodies[body])
    paths[body] = made
    return made
  }

  /// The bodies that a step surely runs, one after the other.
  func bodiesRun(by step: Instruction, in body: BodyID) -> [BodyID] {
    let code = bodies[body]
    switch step.operation {
    case .call: return bodiesCalled(by: code.calls[Int(step.index)], at: code.ref(step), code)
    case .get:
      guard let id = program.property(usedBy: code.ref(step)) else { return [] }
      let property = program.properties[id]
      if property.isComputed { return facts.getter(of: id).map { [$0] } ?? [] }
      // What belongs to no instance, and what is lazy, is made when it is asked for.
      let isLate = property.owner == nil || property.isStatic || property.modifiers.contains("lazy")
      return isLate ? facts.initialValue(of: id).map { [$0] } ?? [] : []
    default: return []
    }
  }

  private func bodiesCalled(by site: CallSite, at call: Ref, _ code: Body) -> [BodyID] {
    if site.callsValue, site.receiver >= 0 {
      let called = code.steps[Int(site.receiver)]
      return called.operation == .closure ? [called.index] : []
    }
    switch facts.target(call) {
    case .functions(let ids):
      return ids.count == 1 ? facts.body(of: ids[0]).map { [$0] } ?? [] : []
    case .initializer(let type, let ids):
      let own = ids.count == 1 ? facts.body(of: ids[0]).map { [$0] } ?? [] : []
      return initialValues(of: type) + own
    default: return []
    }
  }

  /// What runs when an instance is made, before its initializer does.
  func initialValues(of type: TypeID) -> [BodyID] {
    program.types[type].properties.compactMap { id in
      let property = program.properties[id]
      guard !property.isStatic, !property.isComputed, !property.modifiers.contains("lazy"),
        Frameworks.lateWrappers.isDisjoint(with: property.attributes)
      else { return nil }
      return facts.initialValue(of: id)
    }
  }
}
