import PersistIndex

/// What has to hold where code runs: which flag or setting was read, which number or error was
/// compared, what was looked at.
final class Conditions {
  typealias Way = BlockConditions.Way

  private unowned let program: Program
  private var blocks: [Key: BlockConditions] = [:]

  private struct Key: Hashable {
    let bodies: ObjectIdentifier
    let body: BodyID
  }

  /// Ways that are told apart; of more nothing is known.
  private static let most = 64

  fileprivate init(_ program: Program) { self.program = program }

  /// The ways to a node from the beginning of the declaration around it, each with all that has to
  /// hold on it; nil where that isn't known.
  func ways(to node: Ref) -> [[PlacedCondition]]? {
    var found: [[PlacedCondition]] = [[]]
    for place in program.loweredCode.places(of: node) {
      let code = BodySteps(program, place.facts, place.body)
      let targets = Set(code.steps(at: place.node).compactMap { code.blocks[$0] })
      guard let ways = ways(toBlocks: targets, in: place.body, place.facts) else { return nil }
      let own = ways.map { way in
        way.map { PlacedCondition(condition: $0, body: code.body, facts: place.facts) }
      }
      found = found.flatMap { outer in own.map { outer + $0 } }
      guard found.count <= Self.most else { return nil }
    }
    return found
  }

  /// Whether some condition holds on each way to a node; `unknown` where the ways aren't known.
  func surely(
    before node: Ref, else unknown: Bool = false, where holds: (PlacedCondition) -> Bool
  ) -> Bool {
    ways(to: node).map { ways in ways.allSatisfy { $0.contains(where: holds) } } ?? unknown
  }

  /// Whether all that a node hangs on holds wherever another one runs, some conditions left out;
  /// without another one, wherever the declaration around it does.
  func runs(
    _ node: Ref, whenever other: Ref?, besides isLeftOut: (PlacedCondition) -> Bool
  ) -> Bool {
    guard let own = ways(to: node), let others = other.map({ ways(to: $0) }) ?? [[]] else {
      return false
    }
    let needed = own.map { way in way.filter { !isLeftOut($0) }.map(\.condition) }
    return others.allSatisfy { way in
      let known = Set(way.map(\.condition))
      return needed.contains { known.isSuperset(of: $0) }
    }
  }

  func ways(to step: Value, in id: BodyID, _ facts: ProgramFacts) -> [Way]? {
    let block = facts.bodies[id].blocks.firstIndex { $0.steps.contains(step) }
    return block.flatMap { ways(toBlocks: [Int32(truncatingIfNeeded: $0)], in: id, facts) }
  }

  func ways(toBlocks targets: Set<Int32>, in id: BodyID, _ facts: ProgramFacts) -> [Way]? {
    let key = Key(bodies: ObjectIdentifier(facts), body: id)
    let known = blocks[key] ?? BlockConditions(id, facts.bodies[id])
    blocks[key] = known
    return known.ways(to: targets)
  }
}

/// A condition where it stands.
struct PlacedCondition {
  let condition: Condition
  let body: Body
  let facts: ProgramFacts

  var step: Instruction { body.steps[Int(condition.value)] }
  /// The node that decides, or that may fail.
  var node: Ref { body.ref(step) }
  /// Whether a value has to be there.
  var isBinding: Bool { step.operation == .isNil && !condition.holds }
  /// Whether what is asked for has to be there, or be so, in place of not.
  var isPositive: Bool {
    let isDenied = step.operation == .isNil || step.operation == .binary && step.name == "!="
    return condition.holds != isDenied
  }
  /// The node that decides, with what is compared there.
  var nodes: [Ref] {
    let operands = body.operands(of: step).filter { $0 >= 0 }
    return [node] + operands.map { body.ref(body.steps[Int($0)]) }
  }
  /// The enum cases of which a value is asked to be one.
  var casesAskedFor: [Name] {
    guard step.operation == .binary else { return step.operation == .isCase ? [step.name] : [] }
    return body.operands(of: step).filter { $0 >= 0 }.map { body.steps[Int($0)] }.filter { side in
      side.operation == .implicitMember
        || side.operation == .get
          && body.operands(of: side).first.map {
            $0 >= 0 && body.steps[Int($0)].operation == .type
          } ?? false
    }.map(\.name)
  }
  /// What it looks at.
  var looks: Set<Look> { Looks(facts).looks(at: condition) }
  /// The steps from which it follows in its body; nothing follows from a failure.
  func steps(throughLocals: Bool = true) -> [Instruction] {
    condition.isFailure ? [] : body.steps(behind: condition.value, throughLocals: throughLocals)
  }
}

extension Program {
  var conditions: Conditions { once(evenInQueries: true) { Conditions($0) } }

  /// The names that the conditions look at which decide whether a place runs, those around the closures
  /// that it stands in included; nil where that isn't known.
  package func namesDeciding(on place: Ref) -> Set<String>? {
    conditions.ways(to: place).map { ways in
      Set(
        ways.flatMap { $0 }.flatMap { condition in
          condition.steps(throughLocals: false).compactMap { step in
            switch step.operation {
            case .load, .capture, .get, .type, .function: nameText(condition.body.ref(step))
            case .call: calledText(condition.body.ref(step))
            default: nil
            }
          }
        })
    }
  }

  /// Whether a node runs only where the variable or property holds that another node reads.
  package func runs(_ node: Ref, onlyWhereTrue read: Ref) -> Bool {
    let (property, local) = (property(usedBy: read), declared(read))
    guard property != nil || local != nil else { return false }
    return conditions.surely(before: node) { placed in
      placed.condition.holds
        && (property.map { $0 == self.property(usedBy: placed.node) }
          ?? (declared(placed.node) == local))
    }
  }

  /// Whether nothing but what a process was started with has a node run, here or wherever the function
  /// around it is called: no user does that.
  package func isAskedAtLaunchAlone(_ node: Ref) -> Bool {
    Reach(from: node) { node in
      guard let function = self.enclosingFunction(node), !self.mayBeCalledByOthers(function) else {
        return []
      }
      return self.shippingCallers(of: function)
    }.surely { node in
      conditions.surely(before: node) { placed in
        placed.isPositive
          && placed.looks.contains { if case .launch = $0 { true } else { false } }
      }
    }
  }

  /// Whether a node runs only where a value is an enum case that says test or debug.
  func runsInTestsAlone(_ node: Ref) -> Bool {
    conditions.surely(before: node) { placed in
      placed.isPositive && placed.casesAskedFor.contains(where: Frameworks.testCases.contains)
    }
  }

  /// Whether a node runs only where a flag is true, by the member that names the flag.
  package func runs(_ node: Ref, onlyWhere flag: Ref) -> Bool {
    conditions.surely(before: node) { $0.condition.holds && $0.node == flag }
  }
}
