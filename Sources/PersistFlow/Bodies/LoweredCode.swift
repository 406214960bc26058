import PersistIndex
import PersistSyntax

/// The lowered bodies that questions about failures and about order share.
final class LoweredCode {
  private unowned let program: Program
  private lazy var facts = ProgramFacts(program, Bodies(of: program))
  /// The same of code that is built for other platforms, by the clauses of `#if`.
  private var otherFacts: [Ref: ProgramFacts] = [:]

  init(_ program: Program) { self.program = program }

  /// The bodies among which the code around a place is, whether this platform builds it or not.
  func facts(for place: Ref) -> ProgramFacts {
    guard let clause = program.unbuiltClause(around: place) else { return facts }
    if let known = otherFacts[clause] { return known }
    let made = ProgramFacts(program, Bodies(of: program, compiling: clause))
    otherFacts[clause] = made
    return made
  }

  /// A node in each body that holds it: itself, then the closures around it.
  func places(
    of node: Ref, beside other: Ref? = nil
  ) -> [(facts: ProgramFacts, body: BodyID, node: Ref)] {
    let facts = facts(for: other ?? node)
    var found: [(facts: ProgramFacts, body: BodyID, node: Ref)] = []
    var place = node
    while let id = facts.body(around: found.isEmpty ? place : program.parent(place) ?? place) {
      found.append((facts, id, place))
      guard facts.bodies[id].kind == .closure else { break }
      place = facts.bodies[id].place
    }
    return found
  }
}

extension Program {
  var loweredCode: LoweredCode { once(evenInQueries: true) { LoweredCode($0) } }

  /// The property that a step reads; `guard let name` reads one as well.
  func property(readBy step: Instruction, in body: Body) -> PropertyID? {
    if let id = property(usedBy: body.ref(step)) { return id }
    guard case .property(let id)? = lookUp(step.name, from: body.ref(step)) else { return nil }
    return id
  }

  /// The clause of an `#if` around a place that this platform doesn't build.
  func unbuiltClause(around place: Ref) -> Ref? {
    ancestors(place).first { clause in
      kind(clause) == .ifConfigClause && parent(clause).flatMap { activeClause(of: $0) } != clause
    }
  }
}

extension ProgramFacts {
  /// The innermost body around a place; `inClosures` says whether that of a closure counts.
  func body(around place: Ref, inClosures: Bool = true) -> BodyID? {
    bodies.lower(unit: bodies.unit(of: place))
    var next: Ref? = place
    while let current = next {
      if let id = bodies.loweredBody(at: current), inClosures || bodies[id].kind != .closure {
        return id
      }
      next = program.parent(current)
    }
    return nil
  }
}

/// A value where a lowered body makes it.
struct PlacedValue {
  let facts: ProgramFacts
  let id: BodyID
  let value: Value

  var body: Body { facts.bodies[id] }
  var step: Instruction { body.steps[Int(value)] }
  var node: Ref { body.ref(step) }
  /// The call that makes it.
  var site: CallSite? {
    step.operation == .call ? body.calls[Int(step.index)] : nil
  }
  /// The member or function that makes it.
  var name: Name { site?.name ?? step.name }
  /// What it is made of; for a call the value whose method that is.
  var whole: PlacedValue? {
    let first = site.map(\.receiver) ?? body.operands(of: step).first ?? -1
    return first < 0 ? nil : with(first)
  }
  /// What it is made of.
  var operands: [PlacedValue] {
    body.operands(of: step).filter { $0 >= 0 }.map { with($0) }
  }
  /// The block in which it is made.
  var block: Int32? {
    body.blocks.firstIndex { $0.steps.contains(value) }.map { Int32(truncatingIfNeeded: $0) }
  }
  /// The steps of the body that may give it, the variables on the way left out.
  var givers: [PlacedValue] { body.givers(of: value).map { with($0) } }
  /// What a closure has captured, where it is made.
  var captured: PlacedValue? {
    guard step.operation == .capture, let around = facts.program.parent(body.place),
      let maker = facts.body(around: around),
      let made = facts.bodies[maker].steps.first(where: {
        $0.operation == .closure && $0.index == id
      })
    else { return nil }
    let taken = facts.bodies[maker].operands(of: made).dropFirst(Int(step.index) + 1).first ?? -1
    return taken < 0 ? nil : PlacedValue(facts: facts, id: maker, value: taken)
  }
  /// Whether it is the instance that the code belongs to.
  var isSelf: Bool {
    givers.allSatisfy { $0.step.operation == .selfValue || $0.captured?.isSelf ?? false }
  }

  /// Another value of the body.
  func with(_ value: Value) -> PlacedValue { PlacedValue(facts: facts, id: id, value: value) }
}

extension PlacedValue: Hashable {
  static func == (one: Self, other: Self) -> Bool {
    one.value == other.value && one.id == other.id && one.facts === other.facts
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(value)
  }
}

extension LoweredCode {
  /// The value of a call.
  func value(of call: Ref) -> PlacedValue? {
    let facts = facts(for: call)
    guard let id = facts.body(around: call),
      let value = BodySteps(facts.program, facts, id).calls(call).first
    else { return nil }
    return PlacedValue(facts: facts, id: id, value: value)
  }

  /// The values of the bodies in whose units some code spells one of some names, where that is meant.
  func values(near names: Set<Name>, where isMeant: (Ref) -> Bool = { _ in true }) -> [PlacedValue]
  {
    var units: Set<Ref> = []
    for use in program.uses(of: names) where isMeant(use) {
      let facts = facts(for: use)
      units.insert(facts.bodies.unit(of: use))
    }
    return units.sorted().flatMap { unit -> [PlacedValue] in
      let facts = facts(for: unit)
      facts.bodies.lower(unit: unit)
      return facts.bodies.loweredBodies(inFile: Int(unit.file))
        .filter { facts.bodies.unit(ofBody: $0.0) == unit }
        .flatMap { id, body in
          body.steps.indices.map {
            PlacedValue(facts: facts, id: id, value: Value(truncatingIfNeeded: $0))
          }
        }
    }
  }
}
