import PersistIndex
import PersistSyntax

/// What is known while one question about a text is open.
struct TextQuestion {
  /// A value that is asked for, with the body that makes it.
  struct Wanted {
    let body: Body
    let value: Value
    /// What it has been so far.
    var found: [Known] = []
    /// The closures around it, and what they were where they were made.
    let closures: [BodyID]
    var made: [BodyID: Known] = [:]
  }

  var wanted: [Wanted] = []
  /// How many bodies have been run.
  var runs = 0
  var answers: [Ref: Known] = [:]
  var instances: [TypeID: Known] = [:]
  /// What bodies of types give back.
  var results: [TypeResult: Known] = [:]

  struct TypeResult: Hashable {
    let body: BodyID
    let own: Known
  }
}

/// What an expression, argument or call is.
private struct ValueOfNode: Query {
  let node: Ref

  static var provisional: Known { .other }
  func answer(in program: Program) -> Known { program.texts.answer(node) }
}

/// What a member of a type is there.
private struct ValueOfMember: Query {
  let member: Ref
  let type: TypeID

  static var provisional: Known { .other }
  func answer(in program: Program) -> Known { program.texts.answer(member, of: type) }
}

extension Program {
  fileprivate var texts: KnownValues {
    once(evenInQueries: true) { Texts($0) }.values
  }

  /// What an expression, argument or call surely is, texts and what holds some, wherever it comes
  /// from: what callers hand over, what initializers put into properties.
  package func knownValue(of node: Ref) -> Known { answer(ValueOfNode(node: node)) }

  /// What a static variable, or a static function without parameters, is in a type.
  package func knownValue(ofMember member: Ref, in type: TypeID) -> Known {
    answer(ValueOfMember(member: member, type: type))
  }

  /// The text or path that an expression or argument is, holes left in it; nil where it is none, or
  /// may be one of several.
  package func knownText(of node: Ref) -> KnownText? { knownValue(of: node).knownText }
}

/// The run of code for texts.
private final class Texts {
  let values: KnownValues
  init(_ program: Program) { values = KnownValues(program, followsTexts: true) }
}

// MARK: - Values of nodes

extension KnownValues {
  fileprivate func answer(_ node: Ref) -> Known { asking { value(at: node) } }

  fileprivate func answer(_ member: Ref, of type: TypeID) -> Known {
    asking {
      if let id = program.property(declaredAt: member) { return value(of: id, in: .type(type)) }
      guard let id = program.function(declaredAt: member), let body = flow.facts.body(of: id),
        program.functions[id].parameters.isEmpty
      else { return .other }
      return run(body, own: .type(type))
    }
  }

  private func asking(_ answer: () -> Known) -> Known {
    let outer = question
    question = TextQuestion()
    flow.forgetResults()
    defer { question = outer }
    return answer()
  }

  /// What a node is in any run of the code around it that callers begin.
  func value(at node: Ref) -> Known {
    if let known = question.answers[node] { return known }
    question.answers[node] = .other
    let bodies = bodies(around: node)
    guard program.isWithin(question.wanted.count, .fileConstants), let first = bodies.first,
      let last = bodies.last, let value = flow.bodies[last].value(of: node, program)
    else { return .other }
    let wanted = TextQuestion.Wanted(
      body: flow.bodies[last], value: value, closures: Array(bodies.dropFirst()))
    var found = run(first, [], for: wanted)
    if !found.isWhole {
      // What is known without the callers is so whoever they are.
      let given = parameters(of: first)
      if !given.isEmpty { found = run(first, given, for: wanted) }
    }
    question.answers[node] = found == .unset ? .other : found
    return found == .unset ? .other : found
  }

  /// Runs a body for a value in it, or in closures that it makes.
  private func run(
    _ first: BodyID, _ given: [Known], for wanted: TextQuestion.Wanted
  ) -> Known {
    let outer = (own, path, running)
    question.wanted.append(wanted)
    _ = run(first, given, own: .other, isKept: false)
    for closure in wanted.closures where question.wanted.last?.found.isEmpty ?? false {
      // What nobody was seen to run may run later.
      guard case .closure(_, let own, let captures)? = question.wanted.last?.made[closure]
      else { break }
      _ = run(closure, captures: captures, own: own, isKept: false)
    }
    (own, path, running) = outer
    return Known(oneOf: question.wanted.removeLast().found)
  }

  /// The body around a node that runs by itself, and the closures in it that lead to the node.
  private func bodies(around node: Ref) -> [BodyID] {
    guard let first = flow.facts.body(around: node, inClosures: false) else { return [] }
    let place = flow.bodies[first].place
    let closures = ([node] + program.ancestors(node)).prefix { $0 != place }
      .compactMap { flow.bodies.loweredBody(at: $0) }
    return [first] + closures.reversed().filter { $0 != first }
  }

  func see(_ mark: Known, of value: Value, in body: Body) {
    if let noting, body.steps[Int(value)].saysValue {
      noting.note(mark, of: body.ref(body.steps[Int(value)]))
    }
    guard let wanted = question.wanted.last, wanted.value == value, wanted.body === body,
      !wanted.found.contains(mark)
    else { return }
    question.wanted[question.wanted.count - 1].found.append(mark)
  }

  /// Notes a closure that leads to the value that is asked for.
  func note(_ closure: Known, _ body: BodyID) {
    guard let wanted = question.wanted.last, wanted.closures.contains(body) else { return }
    question.wanted[question.wanted.count - 1].made[body] = closure
  }

  /// What a variable is that nobody knows: a hole.
  func kept(_ mark: Known, in local: Body.Local) -> Known {
    guard followsTexts, mark == .other, !local.isVariable, let declaration = local.declaration
    else { return mark }
    return .pieces([.hole(declaration)])
  }

  /// The same for what a property keeps.
  func holed(_ mark: Known, at property: PropertyDeclaration) -> Known {
    guard followsTexts, mark == .other, property.isLet || property.isStatic else { return mark }
    return .pieces([.hole(property.ref)])
  }

  // MARK: What comes in

  /// What callers hand over to a function, where they all are known.
  private func parameters(of body: BodyID) -> [Known] {
    guard let id = flow.bodies[body].function,
      [.function, .initializer].contains(flow.bodies[body].kind)
    else { return [] }
    let function = program.functions[id]
    let types = flow.facts.parameterTypes(of: flow.bodies[body])
    guard types.contains(where: mayCarryText) else { return [] }
    let calls = program.callers(of: id).filter { !program.isExempt($0) }
    guard !calls.isEmpty, program.isWithin(calls.count, .makers) else { return [] }
    let defaults = Dictionary(flow.facts.defaults(of: id), uniquingKeysWith: { first, _ in first })
    return types.enumerated().map { index, type in
      guard mayCarryText(type), !function.parameters[index].isVariadic else { return .other }
      return Known(
        oneOf: calls.map { call in
          if let given = program.argument(of: call, for: index, of: function) {
            return value(at: given)
          }
          return defaults[index].map { run($0, own: .other) } ?? .other
        })
    }
  }

  private func mayCarryText(_ type: SwiftType) -> Bool {
    switch type.unwrapped {
    case .external(let name, _): Frameworks.textCarriers.contains(name)
    case .declared, .tuple: true
    case .array(let element): mayCarryText(element)
    case .metatype: true
    default: false
    }
  }

  /// The instances of a type that code makes.
  func instances(of type: TypeID) -> Known {
    if let known = question.instances[type] { return known }
    question.instances[type] = .other
    let calls = program.makers(of: type)
    guard program.isWithin(calls.count, .makers) else { return .other }
    let found =
      calls.isEmpty
      ? Known.instance(type, [:])
      : Known(oneOf: calls.map { value(at: $0) })
    question.instances[type] = found
    return found
  }

  // MARK: What initializers leave behind

  /// The instance that an initializer makes, which runs for it.
  func made(_ type: TypeID, _ initialize: (Known) -> Known) -> Known {
    let outer = assigned
    assigned = []
    left = .other
    _ = initialize(.instance(type, [:]))
    assigned = outer
    return left
  }

  /// What an instance is when a property of it has got a value.
  func put(_ value: Known, into id: PropertyID?, of owner: Known) -> Known {
    guard followsTexts, case .instance(let type, var fields) = owner, let id else { return .other }
    let isOwn = owner == own
    // Nobody knows which of several assignments in an initializer comes last.
    let before = isOwn && assigned.contains(id) ? fields[id] : nil
    fields[id] = Known(oneOf: [before, value].compactMap { $0 })
    guard isOwn else { return .instance(type, fields) }
    assigned.insert(id)
    own = .instance(type, fields)
    return own
  }

  /// Whether only what makes an instance gives a property its value.
  func isFixed(_ id: PropertyID) -> Bool {
    let property = program.properties[id]
    return property.isLet
      || program.uses(of: [property.name]).allSatisfy { use in
        guard program.isAssignmentTarget(use), program.property(usedBy: use) == id,
          !program.isExempt(use)
        else { return true }
        return program.enclosingBody(use).map {
          program.kind($0) == .initDecl && program.enclosingType($0) == property.owner
        } ?? false
      }
  }
}

extension Body {
  /// The value that an expression or call makes: what its last step does.
  fileprivate func value(of node: Ref, _ program: Program) -> Value? {
    if program.kind(node) == .call {
      return steps.lastIndex { $0.operation == .call && $0.node == node.node }.map { Value($0) }
    }
    let inside = program.subtree(node)
    return steps.lastIndex { inside.contains($0.node) && $0.saysValue }.map { Value($0) }
  }
}

extension Instruction {
  /// Whether what a step makes is what its node says.
  fileprivate var saysValue: Bool {
    !isWriteBack
      && ![.set, .setElement, .receiverAfter, .argumentAfter, .store, .storeArgument, .caught]
        .contains(operation)
  }
}
