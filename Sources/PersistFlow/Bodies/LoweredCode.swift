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
    let clause = program.ancestors(place).first { clause in
      program.kind(clause) == .ifConfigClause
        && program.parent(clause).flatMap { program.activeClause(of: $0) } != clause
    }
    guard let clause else { return facts }
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
