import PersistIndex
import PersistSyntax

/// What is known while one question about a text is open.
struct TextQuestion {
  /// How many bodies it may run.
  var runs = Limit.textRuns
  /// A body of which the values are asked for.
  struct Wanted {
    let body: Body
    /// The body around it that runs by itself.
    let first: Body
    /// The value that is asked for; nil where all are.
    let value: Value?
    /// What its values have been so far; nil before it runs.
    var found: [Value: [Known]]?
    /// The closures around it, and what they were where they were made.
    let closures: [BodyID]
    /// All of these.
    let bodies: Set<BodyID>
    /// The parts of these bodies from which what is asked for follows.
    let slices: [ObjectIdentifier: [Bool]]
    var made: [BodyID: Known] = [:]
  }

  var wanted: [Wanted] = []
  /// What has been worked out, by the numbers of the parts, and what is being worked out.
  var outcomes: [Int: Outcome] = [:]
  var open: [Open] = []
  /// The call whose effects are asked for, the bodies around it, and the effects that it has had.
  var site: Ref?
  var watched: Set<BodyID> = []
  var inSite: [Range<Int>] = []
  var scope = Scope()
  /// What code has done so far with what knows a store.
  var effects: [StoreEffect] = []
  /// The effect before which settings are asked for; nil behind all of them.
  var end: Int?
  /// The bodies of which values have been asked for.
  var ran: Set<Ran> = []
  /// The properties of instances whose initial values have been worked out.
  var begun: Set<Begun> = []
  /// Whether code runs without what its callers hand over, which is asked for next.
  var isGuess = false

  /// What is being worked out, since when that much stood inside of one another.
  struct Open {
    let base: Height
    /// Whether it is an initializer, or what is asked for: what these set is told from what others do.
    let isInitializing: Bool
    var trace = Trace()
    var runs = 0
  }

  /// What a question follows, besides texts.
  struct Scope: Hashable {
    /// Containers, contexts and closures that callers hand over.
    var followsContainers = false
    /// The stores that are opened on the way.
    var followsOpenings = false
  }

  /// A body with all that comes in.
  struct Run: Hashable {
    let body: BodyID
    let parameters: [Known]
    let captures: [Known]
    let own: Known
  }

  /// A body of which values were asked for, with or without what callers hand over.
  struct Ran: Hashable {
    let body: BodyID
    let forCallers: Bool
  }

  /// A property of an instance.
  struct Begun: Hashable {
    let property: PropertyID
    let owner: Known
  }

  /// Whether the values of a body are asked for, or those of a closure in it.
  func wants(_ body: Body) -> Bool {
    wanted.contains { $0.body === body || $0.first === body }
  }
}

/// What an expression, argument or call is.
private struct ValueOfNode: Query {
  let node: Ref

  static var provisional: Known { .other }
  func answer(in program: Program) -> Known {
    program.texts.values.answer { $0.value(at: node) }
  }
}

/// The files that the values of a body may name, by the place of the body and the clause of an `#if`
/// that is run though this platform doesn't build it.
private struct FilesInBody: Query {
  let place: Ref
  let clause: Ref?

  static var provisional: [Value: Known] { [:] }
  func answer(in program: Program) -> [Value: Known] {
    program.texts.files(compiling: clause).answer { $0.values(around: place) }
  }
}

/// The files that an expression, chain or argument may name, or what a call is called on.
private struct StorePathsOfNode: Query {
  let node: Ref
  let isReceiver: Bool

  static var provisional: [StorePath] { [.unknown] }
  func answer(in program: Program) -> [StorePath] {
    program.storePaths(of: program.file(of: node, isReceiver: isReceiver))
  }
}

/// What a member of a type is there.
private struct ValueOfMember: Query {
  let member: Ref
  let type: TypeID

  static var provisional: Known { .other }
  func answer(in program: Program) -> Known {
    program.texts.values.answer { $0.value(ofMember: member, in: type) }
  }
}

extension Program {
  /// Answers a question about texts that depends on no other.
  func afresh<Answer>(within runs: Limit, _ ask: (KnownValues) -> Answer) -> Answer {
    texts.values.answer {
      $0.question.runs = runs
      return ask($0)
    }
  }

  fileprivate var texts: Texts { once(evenInQueries: true) { Texts($0) } }

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

  /// The files that an expression, chain or argument may name; `.unknown` where that can't be told.
  package func storePaths(_ node: Ref) -> [StorePath] {
    answer(StorePathsOfNode(node: node, isReceiver: false))
  }

  /// The files that the value may name whose method is called.
  func storePaths(receiverOf call: Ref) -> [StorePath] {
    answer(StorePathsOfNode(node: call, isReceiver: true))
  }

  /// The paths at which a database was opened whose method is called.
  func storePaths(openedForReceiverOf call: Ref) -> [StorePath] {
    file(of: call, isReceiver: true).choices.flatMap { owner -> [StorePath] in
      guard case .made(let opening, let given) = owner, let path = given.first,
        calledName(opening) != Frameworks.modelConfiguration
      else { return [] }
      return storePaths(of: path)
    }
  }

  /// The name of the file that a configuration, description or container keeps, as far as the call that
  /// makes it says.
  package func fileName(madeBy call: Ref) -> String? {
    guard case .made(let maker, let given) = file(of: call, isReceiver: false) else { return nil }
    return texts.files(compiling: nil).fileName(madeBy: maker, given)
  }

  fileprivate func file(of node: Ref, isReceiver: Bool) -> Known {
    let clause = unbuiltClause(around: node)
    guard let (body, made) = texts.files(compiling: clause).body(making: node) else {
      return .other
    }
    var value = made
    if isReceiver { value = body.calls[Int(body.steps[Int(made)].index)].receiver }
    return answer(FilesInBody(place: body.place, clause: clause))[value] ?? .other
  }
}

/// The runs of code for texts, and for files.
private final class Texts {
  private let program: Program
  let values: KnownValues
  private var files: [Ref?: KnownValues] = [:]

  init(_ program: Program) {
    self.program = program
    values = KnownValues(program, followsTexts: true)
  }

  func files(compiling clause: Ref?) -> KnownValues {
    if let known = files[clause] { return known }
    let made = KnownValues(program, followsTexts: true, namesFiles: true, compiling: clause)
    files[clause] = made
    return made
  }
}

// MARK: - Values of nodes

extension KnownValues {
  fileprivate func answer<Answer>(_ ask: (KnownValues) -> Answer) -> Answer {
    let outer = (question, own, path, running)
    question = TextQuestion()
    defer { (question, own, path, running) = outer }
    return flow.afresh { ask(self) }
  }

  /// What a static variable, or a static function without parameters, is in a type.
  fileprivate func value(ofMember member: Ref, in type: TypeID) -> Known {
    if let id = program.property(declaredAt: member) { return value(of: id, in: .type(type)) }
    guard let id = program.function(declaredAt: member), let body = flow.facts.body(of: id),
      program.functions[id].parameters.isEmpty
    else { return .other }
    return run(body, own: .type(type))
  }

  /// What a node is in any run of the code around it that callers begin.
  func value(at node: Ref) -> Known {
    guard let (body, value) = body(making: node) else { return .other }
    if namesFiles { return values(around: body.place)[value] ?? .other }
    // What is known without the callers is so whoever they are.
    let before = question.effects.count
    let outer = question.isGuess
    question.isGuess = takesText(around: body.place)
    let known = values(around: body.place, for: value, forCallers: false)[value] ?? .other
    defer { question.isGuess = outer }
    guard !known.isWhole, question.isGuess else { return known }
    question.isGuess = outer
    // What code may do without its callers' values it needn't do with them.
    let effects = question.effects[before...].filter { !$0.isGuess }
    question.effects.replaceSubrange(before..., with: effects)
    return values(around: body.place, for: value)[value] ?? known
  }

  /// What a method is called on.
  func value(ofReceiver call: Ref) -> Known {
    guard let (body, made) = body(making: call) else { return .other }
    let receiver = body.calls[Int(body.steps[Int(made)].index)].receiver
    return values(around: body.place, for: receiver)[receiver] ?? .other
  }

  /// The innermost body around a node, and the value that the node makes in it.
  fileprivate func body(making node: Ref) -> (Body, Value)? {
    guard let id = flow.facts.body(around: node) else { return nil }
    return flow.bodies[id].value(of: node, program).map { (flow.bodies[id], $0) }
  }

  /// What the values of the innermost body around a place are, with or without what callers hand over.
  /// Where one value is asked for, the others may be missing.
  func values(
    around place: Ref, for value: Value? = nil, forCallers: Bool = true
  ) -> [Value: Known] {
    let bodies = bodies(around: place)
    guard let last = bodies.last else { return [:] }
    return once(.values(of: last, for: value, forCallers: forCallers)) {
      let isGuess = question.isGuess
      question.isGuess = isGuess && !forCallers
      defer { question.isGuess = isGuess }
      guard program.isWithin(question.wanted.count, .fileConstants) else {
        bind()
        return Outcome()
      }
      let before = question.effects.count
      let found = values(around: place, bodies, for: value, forCallers: forCallers)
      if !question.ran.insert(.init(body: last, forCallers: forCallers)).inserted {
        forgetRepeated(since: before)
      }
      return Outcome(values: found)
    }.values
  }

  private func values(
    around place: Ref, _ bodies: [BodyID], for value: Value?, forCallers: Bool
  ) -> [Value: Known] {
    let (first, last) = (bodies[0], bodies[bodies.count - 1])
    // What comes in stands for itself where it is asked for, and not for what it may be.
    let isAsked = question.wanted.isEmpty
    if isAsked, namesFiles { bind() }
    let slices = slices(of: bodies, for: value)
    let given = forCallers ? parameters(of: first, slices, isAsked: isAsked) : []
    if !namesFiles, forCallers, given.isEmpty {
      return values(around: place, for: value, forCallers: false)
    }
    let outer = (own, path, running, assigned)
    assigned = []
    question.wanted.append(
      .init(
        body: flow.bodies[last], first: flow.bodies[first], value: value,
        closures: Array(bodies.dropFirst()), bodies: Set(bodies), slices: slices))
    _ = run(
      first, given, captures: captured(by: first), own: instance(of: flow.bodies[first]),
      isKept: false)
    if bodies.dropFirst().contains(where: { !parameters(of: flow.bodies[$0].place).isEmpty }) {
      // What a closure that is kept takes stands for itself.
      question.wanted[question.wanted.count - 1].found = nil
    }
    for closure in bodies.dropFirst() where question.wanted.last?.found == nil {
      // What nobody was seen to run may run later.
      guard case .closure(let place, let own, let captures)? = question.wanted.last?.made[closure]
      else { break }
      _ = run(closure, parameters(of: place), captures: captures, own: own, isKept: false)
    }
    (own, path, running, assigned) = outer
    return (question.wanted.removeLast().found ?? [:]).mapValues { Known(oneOf: $0, most: .max) }
      .filter { ![.unset, .other].contains($0.value) }
  }

  /// The body around a node that runs by itself, and the closures in it that lead to the node.
  private func bodies(around node: Ref) -> [BodyID] {
    guard let first = flow.facts.body(around: node, inClosures: false) else { return [] }
    let place = flow.bodies[first].place
    let closures = ([node] + program.ancestors(node)).prefix { $0 != place }
      .compactMap { flow.bodies.loweredBody(at: $0) }
    return [first] + closures.reversed().filter { $0 != first }
  }

  /// What the variables of the code around a local function are that it uses.
  private func captured(by body: BodyID) -> [Known] {
    flow.bodies[body].captures.map { declaration in
      guard namesFiles, let id = flow.facts.body(around: declaration) else { return .other }
      let outer = flow.bodies[id]
      let values = values(around: outer.place)
      return Known(
        oneOf: outer.steps.filter { $0.operation == .store && $0.node == declaration.node }
          .flatMap { outer.operands(of: $0) }.map { values[$0] ?? .other })
    }
  }

  func see(_ mark: Known, of value: Value, in body: Body) {
    if let noting, body.steps[Int(value)].saysValue {
      noting.note(mark, of: body.ref(body.steps[Int(value)]))
    }
    let last = question.wanted.count - 1
    guard last >= 0, question.wanted[last].body === body else { return }
    if question.wanted[last].found == nil { question.wanted[last].found = [:] }
    guard question.wanted[last].value ?? value == value,
      !(question.wanted[last].found?[value]?.contains(mark) ?? false)
    else { return }
    question.wanted[last].found?[value, default: []].append(mark)
  }

  /// Notes a closure that leads to the value that is asked for.
  func note(_ closure: Known, _ body: BodyID) {
    guard let wanted = question.wanted.last, wanted.closures.contains(body) else { return }
    question.wanted[question.wanted.count - 1].made[body] = closure
  }

  /// What a variable is that nobody knows: a hole.
  func kept(_ mark: Known, in local: Body.Local) -> Known {
    guard followsTexts, let declaration = local.declaration else { return mark }
    if namesFiles { return file(mark, keptBy: declaration, local.name) }
    guard mark == .other, !local.isVariable else { return mark }
    return .pieces([.hole(declaration)])
  }

  /// The same for what a property keeps.
  func holed(_ mark: Known, at property: PropertyDeclaration) -> Known {
    if namesFiles { return file(mark, keptBy: property.ref, property.name) }
    guard followsTexts, mark == .other, property.isLet || property.isStatic else { return mark }
    return .pieces([.hole(property.ref)])
  }

  // MARK: What comes in

  /// What callers hand over to a function, where they all are known; the files of a body that is
  /// asked for stand for themselves.
  private func parameters(
    of body: BodyID, _ slices: [ObjectIdentifier: [Bool]], isAsked: Bool
  ) -> [Known] {
    guard let id = flow.bodies[body].function,
      [.function, .initializer].contains(flow.bodies[body].kind)
    else { return [] }
    let function = program.functions[id]
    let types = flow.facts.parameterTypes(of: flow.bodies[body])
    let holes = types.indices.map { namesFiles ? hole(ofParameter: $0, of: id, types[$0]) : nil }
    if isAsked, !holes.contains(nil) { return holes.map { $0 ?? .other } }
    let needed = flow.bodies[body].parameters(in: slices[ObjectIdentifier(flow.bodies[body])])
    guard types.indices.contains(where: { needed.contains($0) && mayCarryText(types[$0]) }) else {
      return []
    }
    let calls = program.callers(of: id).filter { !program.isExempt($0) }
    guard !calls.isEmpty, program.isWithin(calls.count, .makers) else {
      return holes.map { $0 ?? .other }
    }
    let matches = calls.map { ($0, program.matching(function, $0)) }
    return types.enumerated().map { index, type in
      if isAsked, let hole = holes[index] { return hole }
      guard needed.contains(index), mayCarryText(type), !function.parameters[index].isVariadic
      else { return .other }
      return Known(
        oneOf: matches.map { call, matched in
          guard let place = matched?.firstIndex(of: index) else {
            return valueByDefault(index, of: id)
          }
          return value(at: program.arguments(call)[place])
        })
    }
  }

  /// Whether the code around a place that runs by itself takes texts from its callers.
  private func takesText(around place: Ref) -> Bool {
    guard let first = bodies(around: place).first else { return false }
    return flow.facts.parameterTypes(of: flow.bodies[first]).contains(where: mayCarryText)
  }

  func mayCarryText(_ type: SwiftType) -> Bool {
    switch type.unwrapped {
    // What a flag that callers hand over rules out names its files all the same.
    case .external(let name, _):
      Frameworks.textCarriers.contains(name) && !(namesFiles && name == "Bool")
        || question.scope.followsContainers && Frameworks.containerCarriers.contains(name)
    case .function: question.scope.followsContainers
    case .declared, .tuple: true
    case .array(let element): mayCarryText(element)
    case .metatype: true
    case .unknown: namesFiles
    default: false
    }
  }

  /// The instances of a type that code makes.
  func instances(of type: TypeID) -> Known {
    once(.instances(type)) {
      let types = program.types[type].kind == .protocolDecl ? program.conformers(to: type) : [type]
      guard !types.isEmpty, program.isWithin(types.count, .makers) else { return Outcome() }
      let found = Known(
        oneOf: types.flatMap { type -> [Known] in
          let calls = program.makers(of: type)
          guard program.isWithin(calls.count, .makers) else { return [.other] }
          return calls.isEmpty ? [instance(of: type)] : calls.map { value(at: $0) }
        })
      return Outcome(value: bounded(found))
    }.value
  }

  /// What a body belongs to that is asked for: a path, or the instance that an initializer fills.
  private func instance(of body: Body) -> Known {
    guard !namesFiles, let type = body.owner else { return ownFile(of: body) }
    guard body.kind == .initializer else {
      // Nobody knows how a container was made whose method this is.
      return !body.isStatic && ownsStore(.declared(type, []))
        ? .made(program.types[program.resolveAlias(type)].ref, [.other]) : ownFile(of: body)
    }
    return .instance(program.resolveAlias(type), [:])
  }

  /// An instance that nobody was seen to make: what the only initializer leaves behind.
  private func instance(of type: TypeID) -> Known {
    let all = program.types[type].functions.filter {
      program.functions[$0].kind == .initDecl && program.functions[$0].body != nil
    }
    guard let body = only(all).flatMap({ flow.facts.body(of: $0) }) else {
      return .instance(type, [:])
    }
    return made(type) { run(body, own: $0) }
  }
}

extension Body {
  /// The parameters that a slice reads.
  fileprivate func parameters(in slice: [Bool]?) -> Set<Int> {
    Set(
      steps.indices.filter { steps[$0].operation == .parameter && slice?[$0] ?? true }
        .map { Int(steps[$0].index) })
  }

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
