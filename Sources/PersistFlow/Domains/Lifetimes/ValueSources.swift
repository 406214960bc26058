import PersistIndex
import PersistSyntax

/// Where values come from, by way of locals, captures, getters and arguments.
final class ValueSources {
  let program: Program
  let bodies: Bodies
  let facts: ProgramFacts
  let mentions: Mentions

  init(_ program: Program) {
    self.program = program
    bodies = Bodies(of: program)
    facts = ProgramFacts(program, bodies)
    mentions = Mentions(program, bodies)
  }

  func value(_ value: Value, in body: BodyID) -> PlacedValue {
    PlacedValue(facts: facts, id: body, value: value)
  }

  /// The steps that may give a value, the ways to it left out.
  func sources(of source: PlacedValue) -> [PlacedValue] {
    Reach(from: source, by: directGivers).ends
  }

  /// The steps from which a value comes right away.
  func directGivers(of source: PlacedValue) -> [PlacedValue] {
    let (body, step) = (source.body, source.step)
    switch step.operation {
    case .load:
      return (body.stored[step.index] ?? []).filter { $0 >= 0 && $0 != source.value }
        .map { source.with($0) }
    case .unwrap, .cast, .await: return Array(source.operands.prefix(1))
    case .capture: return source.captured.map { [$0] } ?? []
    case .get where step.name == Frameworks.itself: return Array(source.operands.prefix(1))
    case .get: return values(ofPropertyAt: source)
    case .parameter: return arguments(Int(step.index), of: body)
    default: return []
    }
  }

  /// The list whose elements a closure gets one after the other.
  func list(behind parameter: PlacedValue) -> PlacedValue? {
    guard let maker = mentions.maker(ofClosure: parameter.id),
      let site = bodies[maker].calls.first(where: { site in
        site.name == Frameworks.forEach && site.receiver >= 0
          && hands(parameter.id, to: site, in: maker)
      })
    else { return nil }
    return value(site.receiver, in: maker)
  }

  /// Whether a call gets a closure.
  func hands(_ closure: BodyID, to site: CallSite, in body: BodyID) -> Bool {
    site.arguments.contains { argument in
      guard argument.value >= 0 else { return false }
      let step = bodies[body].steps[Int(argument.value)]
      return step.operation == .closure && step.index == closure
    }
  }

  /// What a getter returns, or a constant begins with.
  private func values(ofPropertyAt source: PlacedValue) -> [PlacedValue] {
    guard let id = program.property(usedBy: source.node) else { return [] }
    let property = program.properties[id]
    guard property.isComputed || property.isLet,
      let body = facts.getter(of: id) ?? facts.initialValue(of: id)
    else { return [] }
    return results(of: body)
  }

  /// What a body returns.
  func results(of body: BodyID) -> [PlacedValue] {
    bodies[body].results.map { value($0, in: body) }
  }

  /// What the functions of the sources return that a call runs; nil for a call of a framework's.
  func results(ofCall call: PlacedValue) -> [PlacedValue]? {
    guard case .functions(let ids) = facts.target(call.node) else { return nil }
    return ids.flatMap { [$0] + (program.witnesses(of: $0) ?? []) }
      .compactMap { facts.body(of: $0) }.flatMap { results(of: $0) }
  }

  /// What the callers of a function hand over for a parameter.
  private func arguments(_ index: Int, of body: Body) -> [PlacedValue] {
    guard body.kind != .closure, let function = body.function else { return [] }
    return program.callers(of: function).compactMap { call in
      guard let (id, site) = callSite(at: call),
        let argument = program.argument(
          of: call, for: index, of: program.functions[function])
      else { return nil }
      let value = site.arguments.map(\.value).first { value in
        value >= 0 && program.contains(argument, bodies[id].ref(bodies[id].steps[Int(value)]))
      }
      return value.map { self.value($0, in: id) }
    }
  }

  /// The body that makes a call, with the call; nil in code of tests.
  func callSite(at call: Ref) -> (BodyID, CallSite)? {
    guard !facts.isExempt(call), let id = facts.body(around: call) else { return nil }
    return bodies[id].calls.first { $0.node == call.node }.map { (id, $0) }
  }

  /// The body that a closure stands in, or the body itself.
  func outermost(_ id: BodyID) -> BodyID {
    var current = id
    while let maker = mentions.maker(ofClosure: current) { current = maker }
    return current
  }

  /// The properties that initializers are given as bindings to a property.
  func bindings(to property: PropertyID) -> Set<PropertyID> {
    let name = program.nameText(program.properties[property].ref)
    var found: Set<PropertyID> = []
    for id in mentions.bodies(namingAny: [Name("$" + name), program.properties[property].name]) {
      for site in bodies[id].calls {
        guard
          case .initializer(let type, _) = facts.target(
            bodies[id].ref(site))
        else { continue }
        for argument in site.arguments
        where isBinding(argument.value, to: property, in: id) {
          if case .property(let own)? = facts.member(argument.label, of: type) { found.insert(own) }
        }
      }
    }
    return found
  }

  /// Whether a value is `$name` or `$object.name`.
  private func isBinding(_ value: Value, to property: PropertyID, in id: BodyID) -> Bool {
    guard value >= 0, case let step = bodies[id].steps[Int(value)], step.operation == .get,
      self.property(of: step, in: id) == property
    else { return false }
    let node = bodies[id].ref(step)
    let first = program.parent(node).flatMap { program.firstChild($0) } ?? node
    return program.nameText(first).hasPrefix("$")
  }

  /// The property that a step reads or sets.
  func property(of step: Instruction, in id: BodyID) -> PropertyID? {
    program.property(usedBy: bodies[id].ref(step))
  }
}
