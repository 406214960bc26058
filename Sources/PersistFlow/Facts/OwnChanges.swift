import PersistIndex
import PersistSyntax

/// A change that a method makes of its own object, or of one that a relationship leads to, by itself
/// or by other methods of the object.
package struct OwnChange {
  /// The relationships that lead to the changed object; empty for the object itself.
  package let path: [String]
  /// The property that is set.
  package let property: String
  /// Where the method itself makes the change, or calls what makes it.
  package let place: Ref
  /// What the conditions look at on each way to the change; none where that isn't known.
  package let ways: [Looks]

  /// What some conditions look at.
  package struct Looks: Hashable {
    /// The names of all members that are read or called.
    package fileprivate(set) var names: Set<String> = []
    /// Those that are read of the object itself.
    package fileprivate(set) var ofSelf: Set<String> = []
    /// Whether a stored property of the object is compared with something.
    package fileprivate(set) var comparesOwn = false
  }
}

extension Program {
  /// What a method of a model changes of its own object, in source order.
  package func ownChanges(by function: FunctionID) -> [OwnChange] {
    OwnChanges(self, of: function).all
  }
}

/// Where a value leads from the object whose method runs.
private enum OwnPath: Hashable {
  case nothing
  case object([PropertyID])
  case other
}

/// Follows a method of a model for what it changes.
private final class OwnChanges: LocalDomain {
  static let nothing = OwnPath.nothing
  static let other = OwnPath.other

  private let program: Program
  private let owner: TypeID?
  private lazy var flow = LocalFlow(program, for: self)
  private var conditions: [Ref: BlockConditions] = [:]
  /// The calls that lead to what runs, outermost first, with what decides on them on each way.
  private var frames: [(place: Ref, ways: [OwnChange.Looks])] = []
  private var found: [Ref: [OwnChange]] = [:]

  /// Ways that are told apart; of more nothing is known.
  private static let most = 64

  var all: [OwnChange] { found.sorted { $0.key < $1.key }.flatMap(\.value) }

  init(_ program: Program, of function: FunctionID) {
    self.program = program
    owner = program.functions[function].owner
    if let body = flow.facts.body(of: function) { _ = flow.run(body) }
  }

  func joined(_ left: OwnPath, _ right: OwnPath) -> OwnPath {
    if left == .nothing { return right }
    return right == .nothing || left == right ? left : .other
  }

  func take(
    _ step: Instruction, _ value: Value, _ operands: [OwnPath], in run: LocalRun<OwnChanges>
  ) -> OwnPath {
    switch step.operation {
    case .none: return .nothing
    case .selfValue: return .object([])
    case .unwrap, .next, .getElement: return operands[0]
    case .get:
      guard case .object(let path)? = operands.first,
        let id = program.property(readBy: step, in: run.body), program.destination(of: id) != nil
      else { return .other }
      return .object(path + [id])
    case .set:
      if case .object(let path) = operands[0], !step.isWriteBack { set(step, path, run) }
      return operands[0]
    case .closure:
      let place = flow.bodies[step.index].place
      guard program.runsNow(place) else { return .other }
      within(run.body.ref(step), run) {
        _ = flow.run(step.index, [], Array(operands.dropFirst()), isKept: false)
      }
      return .other
    case .call:
      call(step, run)
      return .other
    default: return .other
    }
  }

  private func set(_ step: Instruction, _ path: [PropertyID], _ run: LocalRun<OwnChanges>) {
    let node = run.body.ref(step)
    guard let id = program.property(usedBy: node), program.isStored(id),
      !path.isEmpty || isOwn(program.properties[id].owner)
    else { return }
    let names = path.map { program.nameText(program.properties[$0].ref) }
    note(names, program.nameText(node), at: node, run)
  }

  private func call(_ step: Instruction, _ run: LocalRun<OwnChanges>) {
    let site = run.body.calls[Int(step.index)]
    let node = run.body.ref(step)
    guard run.mark(site.receiver) == .object([]) else { return }
    guard case .functions(let ids) = flow.facts.target(node) else {
      if site.name == Frameworks.settingByKey, let key = program.argument(node, "forKey"),
        let literal = program.stringLiteral(key)
      {
        note([], program.stringText(literal), at: program.calledNode(node) ?? node, run)
      }
      return
    }
    guard ids.count == 1, !program.functions[ids[0]].isStatic,
      isOwn(program.functions[ids[0]].owner), let body = flow.facts.body(of: ids[0]),
      flow.bodies[body].place != run.body.place
    else { return }
    let arguments = run.marks(of: site)
    within(program.calledNode(node) ?? node, run) { _ = flow.run(body, arguments, isKept: false) }
  }

  private func isOwn(_ type: TypeID?) -> Bool {
    guard let type, let owner else { return false }
    return program.lineage(of: owner).contains(type)
  }

  // MARK: Conditions

  private func within(_ place: Ref, _ run: LocalRun<OwnChanges>, _ part: () -> Void) {
    frames.append((place, ways(run)))
    part()
    frames.removeLast()
  }

  private func note(
    _ path: [String], _ property: String, at place: Ref, _ run: LocalRun<OwnChanges>
  ) {
    let ways = (frames.map(\.ways) + [ways(run)]).reduce([OwnChange.Looks()]) { all, next in
      let joined = Set(all.flatMap { known in next.map { known.joined($0) } })
      return joined.count > Self.most ? [] : Array(joined)
    }
    let outermost = frames.first?.place ?? place
    found[outermost, default: []].append(
      OwnChange(path: path, property: property, place: program.whole(outermost), ways: ways))
  }

  /// What the conditions look at on each way to the block of a run.
  private func ways(_ run: LocalRun<OwnChanges>) -> [OwnChange.Looks] {
    let known = conditions[run.body.place] ?? BlockConditions(-1, run.body)
    conditions[run.body.place] = known
    let ways = known.ways(to: [run.block]) ?? []
    return Array(
      Set(
        ways.map { way in
          way.reduce(OwnChange.Looks()) { $0.joined(looks(of: $1, in: run.body)) }
        }))
  }

  private func looks(of condition: Condition, in body: Body) -> OwnChange.Looks {
    var looks = OwnChange.Looks()
    guard !condition.isFailure else { return looks }
    let steps = body.steps(behind: condition.value)
    for step in steps {
      let node = body.ref(step)
      switch step.operation {
      case .get, .function: looks.names.insert(program.nameText(node))
      case .call: looks.names.insert(program.calledText(node))
      default: continue
      }
      if step.operation == .get, isOfSelf(step, body) {
        looks.ofSelf.insert(program.nameText(node))
      }
    }
    let compares = steps.contains {
      $0.operation == .binary && Frameworks.comparisons.contains($0.name)
    }
    looks.comparesOwn =
      compares
      && steps.contains { step in
        guard step.operation == .get, let id = program.property(usedBy: body.ref(step)) else {
          return false
        }
        return program.isStored(id) && program.properties[id].owner == owner
      }
    return looks
  }

  private func isOfSelf(_ step: Instruction, _ body: Body) -> Bool {
    guard let receiver = body.operands(of: step).first, receiver >= 0 else { return true }
    return body.steps[Int(receiver)].operation == .selfValue
  }
}

extension OwnChange.Looks {
  fileprivate func joined(_ other: Self) -> Self {
    var joined = self
    joined.names.formUnion(other.names)
    joined.ofSelf.formUnion(other.ofSelf)
    joined.comparesOwn = comparesOwn || other.comparesOwn
    return joined
  }
}
