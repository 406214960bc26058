import PersistIndex
import PersistSyntax

/// Where values come from, by way of locals, captures, getters and arguments.
final class ValueSources {
  /// A step that gives a value.
  struct Source {
    let body: BodyID
    let value: Value
  }

  let program: Program
  let bodies: Bodies
  let facts: ProgramFacts
  let mentions: Mentions

  /// Steps between a value and what gives it.
  private static let deepest = 24

  init(_ program: Program) {
    self.program = program
    bodies = Bodies(of: program)
    facts = ProgramFacts(program, bodies)
    mentions = Mentions(program, bodies)
  }

  func step(_ source: Source) -> Instruction { bodies[source.body].steps[Int(source.value)] }

  func operands(_ source: Source) -> [Source] {
    let body = bodies[source.body]
    return body.operands(of: step(source)).filter { $0 >= 0 }.map {
      Source(body: source.body, value: $0)
    }
  }

  func node(_ source: Source) -> Ref { bodies[source.body].ref(step(source)) }

  func site(_ source: Source) -> CallSite? {
    let step = step(source)
    return step.operation == .call ? bodies[source.body].calls[Int(step.index)] : nil
  }

  /// The steps that may give a value, the ways to it left out.
  func sources(of source: Source) -> [Source] { sources(of: source, 0) }

  private func sources(of source: Source, _ depth: Int) -> [Source] {
    guard depth < Self.deepest else { return [source] }
    let next = directGivers(of: source)
    return next.isEmpty ? [source] : next.flatMap { sources(of: $0, depth + 1) }
  }

  /// The steps from which a value comes right away.
  func directGivers(of source: Source) -> [Source] {
    let body = bodies[source.body]
    let step = step(source)
    switch step.operation {
    case .load:
      return (body.stored[step.index] ?? []).filter { $0 >= 0 && $0 != source.value }
        .map { Source(body: source.body, value: $0) }
    case .unwrap, .cast, .await: return Array(operands(source).prefix(1))
    case .capture: return captured(Int(step.index), by: source.body).map { [$0] } ?? []
    case .get where step.name == Frameworks.itself: return Array(operands(source).prefix(1))
    case .get: return values(ofPropertyAt: source)
    case .parameter: return arguments(Int(step.index), of: body)
    default: return []
    }
  }

  /// What a closure takes along, where it is made.
  private func captured(_ index: Int, by closure: BodyID) -> Source? {
    guard let maker = mentions.maker(ofClosure: closure),
      let made = bodies[maker].steps.first(where: {
        $0.operation == .closure && $0.index == closure
      })
    else { return nil }
    let taken = bodies[maker].operands(of: made).dropFirst(index + 1).first
    return taken.flatMap { $0 >= 0 ? Source(body: maker, value: $0) : nil }
  }

  /// The list whose elements a closure gets one after the other.
  func list(behind parameter: Source) -> Source? {
    guard let maker = mentions.maker(ofClosure: parameter.body),
      let site = bodies[maker].calls.first(where: { site in
        site.name == Frameworks.forEach && site.receiver >= 0
          && hands(parameter.body, to: site, in: maker)
      })
    else { return nil }
    return Source(body: maker, value: site.receiver)
  }

  /// Whether a call gets a closure.
  func hands(_ closure: BodyID, to site: CallSite, in body: BodyID) -> Bool {
    site.arguments.contains { argument in
      guard argument.value >= 0 else { return false }
      let step = bodies[body].steps[Int(argument.value)]
      return step.operation == .closure && step.index == closure
    }
  }

  /// A step as a value that no other one equals.
  func place(_ source: Source) -> Ref { Ref(file: Int(source.body), node: Int(source.value)) }

  /// What a getter returns, or a constant begins with.
  private func values(ofPropertyAt source: Source) -> [Source] {
    guard let id = program.property(usedBy: node(source)) else { return [] }
    let property = program.properties[id]
    guard property.isComputed || property.isLet,
      let body = facts.getter(of: id) ?? facts.initialValue(of: id)
    else { return [] }
    return results(of: body)
  }

  /// What a body returns.
  func results(of body: BodyID) -> [Source] {
    bodies[body].results.map { Source(body: body, value: $0) }
  }

  /// What the callers of a function hand over for a parameter.
  private func arguments(_ index: Int, of body: Body) -> [Source] {
    guard body.kind != .closure, let function = body.function else { return [] }
    return program.callers(of: function).compactMap { call in
      guard let (id, site) = callSite(at: call),
        let argument = program.argument(
          of: call, for: index, of: program.functions[function])
      else { return nil }
      let value = site.arguments.map(\.value).first { value in
        value >= 0 && program.contains(argument, bodies[id].ref(bodies[id].steps[Int(value)]))
      }
      return value.map { Source(body: id, value: $0) }
    }
  }

  /// The body that makes a call, with the call; nil in code of tests.
  func callSite(at call: Ref) -> (BodyID, CallSite)? {
    guard !facts.isExempt(call), let id = body(around: call) else { return nil }
    return bodies[id].calls.first { $0.node == call.node }.map { (id, $0) }
  }

  /// The innermost body around a node.
  func body(around node: Ref) -> BodyID? {
    bodies.lower(unit: bodies.unit(of: node))
    for scope in [node] + program.ancestors(node) {
      if let id = bodies.loweredBody(at: scope) { return id }
    }
    return nil
  }

  /// The body that a closure stands in, or the body itself.
  func outermost(_ id: BodyID) -> BodyID {
    var current = id
    while let maker = mentions.maker(ofClosure: current) { current = maker }
    return current
  }

  /// The block of a step.
  func block(of source: Source) -> Int32? {
    bodies[source.body].blocks.firstIndex { $0.steps.contains(source.value) }
      .map { Int32(truncatingIfNeeded: $0) }
  }

  /// The property that a step reads or sets.
  func property(of step: Instruction, in id: BodyID) -> PropertyID? {
    let body = bodies[id]
    if let known = program.property(usedBy: body.ref(step)) { return known }
    // `if let trip` names the property of `self` that it binds.
    guard let owner = body.owner, let whole = body.operands(of: step).first, whole >= 0,
      body.steps[Int(whole)].operation == .selfValue,
      case .property(let found)? = facts.member(step.name, of: owner)
    else { return nil }
    return found
  }

  /// Whether a step puts only a changed part back into its whole.
  func isOnlyPart(_ step: Instruction, in body: Body) -> Bool {
    guard step.isWriteBack, let value = body.operands(of: step).last, value >= 0 else {
      return false
    }
    return ![.receiverAfter, .setElement].contains(body.steps[Int(value)].operation)
  }
}
