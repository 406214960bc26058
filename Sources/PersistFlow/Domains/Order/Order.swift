import PersistIndex
import PersistSyntax

/// Something that code does, as the calls that lead to it: the first one stands in the body in
/// question, each other one in what the call before it runs.
package typealias Event = [Ref]

/// Where an event that has failed counts like one that has happened.
enum Attempts {
  case never
  /// In the `catch` that its failure leads to.
  case whereCaught
  case always
}

/// What surely or perhaps happens before code runs.
package struct Order {
  let program: Program
  /// Whether what was tried and has failed counts as well.
  var attempts = Attempts.never
  /// Whether the process ends at a call; nil for all that surely end it.
  var isEnd: ((Ref) -> Bool)?
  /// Whether nothing has to happen where a condition or a binding doesn't lead to it.
  var isNeedless: (Ref, _ isBinding: Bool) -> Bool = { _, _ in false }

  /// Whether one of some events happens on each way to a node, in the bodies that hold it.
  func surely(_ events: [Event], before node: Ref) -> Bool {
    guard !events.isEmpty else { return false }
    return program.loweredCode.places(of: node).contains { place in
      let ways = MissingWays(self, place.facts, place.body, events, before: place.node)
      return !ways.ends.isMet
    }
  }

  /// Whether two events perhaps happen on one way.
  func perhapsTogether(_ one: Event, _ other: Event) -> Bool {
    guard let first = one.first, let second = other.first else { return true }
    if first == second { return perhapsTogether(Array(one.dropFirst()), Array(other.dropFirst())) }
    return perhaps(one, before: second) || perhaps(other, before: first)
  }

  /// Whether a way leads from an event to a node, in one of the bodies that hold both.
  func perhaps(_ event: Event, before node: Ref) -> Bool {
    guard let first = event.first else { return false }
    // Either may stand in a clause that this platform doesn't build.
    let code = program.loweredCode
    return (code.places(of: node) + code.places(of: node, beside: first)).contains { place in
      let code = BodySteps(program, place.facts, place.body)
      if code.body.isCut { return true }
      let paths = BlockPaths(code.body)
      let targets = code.steps(at: place.node)
      return code.steps(of: event).contains { first in
        targets.contains { last in
          guard let block = code.blocks[first], let target = code.blocks[last] else { return false }
          return block == target && first < last || paths.leads(from: block, to: target)
        }
      }
    }
  }
}

extension Program {
  /// Whether a way leads from one node to another one.
  package func perhapsRuns(_ first: Ref, before second: Ref) -> Bool {
    Order(program: self).perhaps([first], before: second)
  }
}

/// The steps of a body by the nodes that they stand for.
struct BodySteps {
  let program: Program
  let facts: ProgramFacts
  let body: Body
  /// The block of each step.
  let blocks: [Value: Int32]

  init(_ program: Program, _ facts: ProgramFacts, _ id: BodyID) {
    self.program = program
    self.facts = facts
    body = facts.bodies[id]
    var blocks: [Value: Int32] = [:]
    for (number, block) in body.blocks.enumerated() {
      for step in block.steps { blocks[step] = Int32(truncatingIfNeeded: number) }
    }
    self.blocks = blocks
  }

  /// The calls of a node.
  func calls(_ node: Ref) -> [Value] {
    blocks.keys.filter { step in
      let step = body.steps[Int(step)]
      return step.operation == .call && step.node == node.node
    }.sorted()
  }

  /// The steps of a node: its call, or all in it, or those of what holds it.
  func steps(at node: Ref) -> [Value] {
    let own = program.kind(node) == .call ? calls(node) : []
    guard own.isEmpty else { return own }
    var next: Ref? = node
    while let current = next {
      let range = current.node..<Int32(program.node(current).subtreeEnd)
      let inside = blocks.keys.filter { range.contains(body.steps[Int($0)].node) }
      if !inside.isEmpty || current == body.place { return inside.sorted() }
      next = program.parent(current)
    }
    return []
  }

  /// The steps by which an event perhaps happens, if it begins in the body.
  func steps(of event: Event) -> [Value] {
    guard let first = event.first, let (node, _) = lifted(first, isSure: false) else { return [] }
    return steps(at: node)
  }

  /// The call in the body that runs a call, and the closure that this stands in; of a closure that
  /// perhaps runs, the closure itself.
  func lifted(_ call: Ref, isSure: Bool = true) -> (node: Ref, closure: BodyID?)? {
    guard program.contains(body.place, call), var inner = facts.body(around: call) else {
      return nil
    }
    var taken: (Ref, BodyID?) = (call, nil)
    while facts.bodies[inner].place != body.place {
      let place = facts.bodies[inner].place
      guard facts.bodies[inner].kind == .closure, !isSure || program.surelyRuns(place),
        let outer = program.parent(place).flatMap({ facts.body(around: $0) })
      else { return nil }
      let taker =
        program.isCalledAtOnce(place)
        ? program.parent(place).map { program.children($0)[1] } : program.callTaking(place)?.call
      taken = (taker ?? place, inner)
      inner = outer
    }
    return taken
  }
}
