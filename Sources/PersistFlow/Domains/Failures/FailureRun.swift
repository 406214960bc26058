import PersistIndex
import PersistSyntax

/// Follows failures over the blocks of lowered code.
final class FailureDomain {
  private let program: Program

  init(_ program: Program) { self.program = program }

  func follow(_ opening: Int, at site: Ref, from start: FailureStart) -> FailureOutcome {
    let place = place(of: start, at: site)
    let facts = program.loweredCode.facts(for: place)
    let run = FailureRun(facts, opening, place, start)
    if let root = facts.body(around: place, inClosures: false) { run.follow(in: root) }
    return run.outcome
  }

  /// The node that shows the failure first.
  private func place(of start: FailureStart, at site: Ref) -> Ref {
    switch start {
    case .binding: program.pattern(of: site).map { program.source($0) } ?? site
    default: start.closure ?? site
    }
  }
}

/// The way of one failure through the declaration that it begins in.
final class FailureRun {
  let program: Program
  let facts: ProgramFacts
  var bodies: Bodies { facts.bodies }
  let opening: Int
  /// The node that shows the failure first.
  let place: Ref
  let start: FailureStart
  @exclusivity(unchecked) var outcome = FailureOutcome()
  /// The calls that a continuation makes throw.
  @exclusivity(unchecked) var resumed: [Ref: ExitTraits] = [:]
  /// Whether code looks at what shows the failure.
  @exclusivity(unchecked) var isHeard = false
  @exclusivity(unchecked) private var results: [Key: Result] = [:]
  /// What comes out of the closures that let the failure out.
  @exclusivity(unchecked) private(set) var codes: [BodyID: Result] = [:]
  @exclusivity(unchecked) private var depth = 0

  struct Key: Hashable {
    let body: BodyID
    let captures: [FailureMark]
    let state: FailureState
    let isLast: Bool
  }

  /// What comes out of a body.
  struct Result {
    var returned = FailureMark.other
    var thrown: ExitTraits?
    /// What the variables of other bodies become, by the numbers of the captures.
    var stores: [Int: FailureMark] = [:]

    var lets: Bool { thrown != nil || !returned.forms.isEmpty }
  }

  /// Closures inside of one another.
  private static let deepest = 40

  init(_ facts: ProgramFacts, _ opening: Int, _ place: Ref, _ start: FailureStart) {
    program = facts.program
    self.facts = facts
    self.opening = opening
    self.place = place
    self.start = start
  }

  /// The form in which a node shows the failure by itself.
  func form(at node: Ref) -> FailureForm? {
    guard node == place else { return nil }
    switch start {
    case .node(let form), .binding(let form), .local(let form): return form
    case .argument, .recovery: return nil
    }
  }

  func follow(in root: BodyID) {
    let found = run(root, [], FailureState(), isLast: true)
    leave(bodies[root], found)
    outcome.paths.sort { $0.nodes[0] < $1.nodes[0] }
    if case .argument(_, _, .error) = start {
      outcome.isUnheard = !isHeard && outcome.paths.isEmpty && outcome.exits.isEmpty
    }
    for (exit, traits) in outcome.exits where outcome.paths.isEmpty && exit.form == .missing {
      // What isn't the store is nil for many reasons.
      let isMade: Bool =
        switch exit {
        case .function: true
        case .property(let id, _): program.properties[id].accessors != nil
        default: false
        }
      if isMade, !program.mayHoldStore(exit) {
        outcome.exits[exit] = ExitTraits(isReported: traits.isReported, isShared: true)
      }
    }
  }

  func run(_ id: BodyID, _ captures: [FailureMark], _ state: FailureState, isLast: Bool) -> Result {
    let key = Key(body: id, captures: captures, state: state, isLast: isLast)
    if let known = results[key] { return known }
    guard depth < Self.deepest else { return Result() }
    depth += 1
    defer { depth -= 1 }
    let frame = FailureFrame(self, bodies[id], captures, state)
    let found = frame.follow(isLast: isLast)
    results[key] = found
    if found.lets { codes[id] = found }
    return found
  }

  // MARK: Exits

  private func leave(_ body: Body, _ found: Result) {
    switch body.kind {
    case .function, .initializer:
      guard let id = body.function else { return }
      if let traits = found.thrown { leave(by: .function(id, .thrown), traits) }
      for (form, traits) in found.returned.forms { leave(by: .function(id, form), traits) }
    case .getter, .initialValue:
      guard let id = body.property else { return }
      if let traits = found.thrown, body.kind == .getter {
        leave(by: .property(id, .thrown), traits)
      }
      for (form, traits) in found.returned.forms { leave(by: .property(id, form), traits) }
      if case .code(let code) = found.returned { leave(by: Declared.property(id), code: code) }
    default: break
    }
  }

  func leave(by exit: FailureExit, _ traits: ExitTraits) {
    guard let known = outcome.exits[exit] else {
      outcome.exits[exit] = traits
      return
    }
    outcome.exits[exit] = ExitTraits(
      isReported: known.isReported && traits.isReported,
      isShared: known.isShared || traits.isShared)
  }

  /// Leaves by a variable that holds a closure.
  func leave(by holder: Declared, code: BodyID) {
    guard let found = codes[code] else { return }
    if let traits = found.thrown { leave(by: .closure(holder, .thrown), traits) }
    for (form, traits) in found.returned.forms { leave(by: .closure(holder, form), traits) }
  }

  func ignore(_ mark: Ref) {
    if !outcome.ignored.contains(where: { $0.mark == mark }) {
      outcome.ignored.append(ForcedOpening(opening: opening, mark: mark))
    }
  }

  func force(_ mark: Ref) {
    if !outcome.forced.contains(where: { $0.mark == mark }) {
      outcome.forced.append(ForcedOpening(opening: opening, mark: mark))
    }
  }

  func drop(_ mark: Ref) {
    if !outcome.drops.contains(mark) { outcome.drops.append(mark) }
  }
}
