import PersistIndex
import PersistSyntax

/// The bodies that a context, a realm or one of its objects may come to, by the names that lead there.
///
/// It begins with the bodies that name an owner or what a framework does with one. While the solver
/// finds owners in results and properties it adds their names, and each body that mentions one.
final class Relevance {
  @exclusivity(unchecked) private(set) var bodies = NumberSet()
  /// Those that call what deletes objects.
  @exclusivity(unchecked) private(set) var deleting = NumberSet()
  /// Bodies that have been looked at, and those whose callers, keepers or crossings have come in.
  private var seen = NumberSet()
  private var called = NumberSet()
  private var kept = NumberSet()
  private var crossed = NumberSet()
  /// Bodies that have come in since the solver asked last, in the order of their numbers.
  @exclusivity(unchecked) private var fresh: [BodyID] = []
  private let program: Program
  private let table: Bodies
  private let facts: ProgramFacts
  /// The initializers of classes and other types, by the types whose initializers they may call.
  private lazy var initializers = findInitializers()
  let mentions: Mentions
  /// The properties that begin with the value of a body: several for `let (a, b) = …`.
  @exclusivity(unchecked) private var propertiesOfInitialValues: [Ref: [PropertyID]] = [:]
  @exclusivity(unchecked) private var callersOfBodies = Numbered<BodyID, [BodyID]>()
  @exclusivity(unchecked) private var names: Set<Name> = []
  @exclusivity(unchecked) private var properties: Set<PropertyID> = []
  @exclusivity(unchecked) private var settersTaken: Set<PropertyID> = []
  @exclusivity(unchecked) private var makersTaken: Set<PropertyID> = []
  @exclusivity(unchecked) private var writersTaken: Set<PropertyID> = []
  /// Bodies that assign to what holds an owner, and those that call them.
  @exclusivity(unchecked) private(set) var writers = NumberSet()

  init(
    _ program: Program, _ table: Bodies, _ facts: ProgramFacts, _ analysis: Solver.Analysis,
    _ waits: Waits
  ) {
    self.program = program
    self.facts = facts
    self.table = table
    mentions = Mentions(program, table)
    for (id, property) in program.properties.enumerated() {
      guard let node = property.initializer else { continue }
      let place = Ref(file: Int(property.ref.file), node: node)
      propertiesOfInitialValues[place, default: []].append(id)
    }
    if analysis == .lifetimes {
      addDeletions()
      addWaits(waits)
      return
    }
    let heirs = program.types(inheritingFrom: [Frameworks.managedContext])
    let names = Frameworks.namesOfOwners.union(heirs.map { program.types[$0].name })
    for body in mentions.bodies(namingAny: names) { take(body) }
    addSignals()
    for (id, property) in program.properties.enumerated()
    where !Frameworks.wrappersOfOwners.isDisjoint(with: property.attributes) {
      add(property: id)
    }
    addReceiversOfModels()
    addLookUps()
    addDelegates()
  }

  /// Takes in what hands an object of the sources to a framework that calls its methods.
  private func addDelegates() {
    guard !bodies.isEmpty else { return }
    for (type, methods) in APITable.all.delegates
    where methods.contains(where: { !program.functions(named: $0).isEmpty }) {
      for body in mentions.bodies(naming: type) { take(body) }
    }
  }

  /// Takes in the methods of model actors that may look a model up with a subscript.
  private func addLookUps() {
    for actor in program.types(inFilesUsing: Frameworks.modelActor)
    where program.isModelActor(actor) {
      for function in program.types[actor].functions {
        guard let body = facts.body(of: function),
          table[body].steps.contains(where: { $0.operation == .getElement })
        else { continue }
        take(body)
      }
    }
  }

  /// Takes in the bodies that may delete objects.
  private func addDeletions() {
    for body in mentions.bodies(namingAny: Frameworks.objectDeletions)
    where deletes(table[body]) {
      deleting.insert(body)
      take(body)
    }
  }

  /// Takes in the bodies that may use models after a wait.
  private func addWaits(_ waits: Waits) {
    let models = program.types.indices.filter { facts.isModel($0) }
    let names = Set(models.map { program.types[$0].name })
    // What runs at some time decides for Realm alone.
    let keepsClosures = models.contains { program.isRealmObject($0) }
    for file in program.files(sharingTypesWith: program.files(usingAny: names)) {
      for (id, body) in table.numbered(inFile: file) where waits.isIn(body) {
        take(id)
        // What a function is given may run after the wait.
        if waits.delays(body) { addGivers(to: outermost(id)) }
      }
      guard keepsClosures else { continue }
      for (id, body) in table.numbered(inFile: file) where facts.keepsClosures(body) {
        take(id)
        addGivers(to: id)
      }
    }
  }

  /// Takes in who calls code that runs at some time what it is given, and who calls those that only
  /// hand on what they are given themselves.
  private func addGivers(to id: BodyID) {
    guard called.insert(id) else { return }
    for caller in callers(of: id) {
      take(caller)
      let function = outermost(caller)
      if function != id, facts.getsCode(table[function]) { addGivers(to: function) }
    }
  }

  /// The body that a closure stands in, or the body itself.
  func outermost(_ id: BodyID) -> BodyID {
    var current = id
    while let maker = mentions.maker(ofClosure: current) { current = maker }
    return current
  }

  private func deletes(_ body: Body) -> Bool {
    body.steps.contains { step in
      guard Frameworks.objectDeletions.contains(step.name) else { return false }
      switch step.operation {
      case .get: return true
      case .call:
        switch facts.target(body.ref(step)) {
        case .externalMethod(let type, _):
          if case .external(let name, _) = type.unwrapped {
            return Frameworks.framework(ofContext: name) != nil
          }
          return program.isContext(type)
        case .unknownMethod, .unknown: return true
        default: return false
        }
      default: return false
      }
    }
  }

  func contains(_ body: BodyID) -> Bool { bodies.contains(body) }

  /// Takes in what lets a waiting thread go on, and who makes what is waited for.
  private func addSignals() {
    // Where nothing is stored, nothing waits for a store.
    guard !bodies.isEmpty else { return }
    let files = program.files(usingAny: Frameworks.signalTypes)
    for body in mentions.bodies(namingAny: Frameworks.signalTypes) { take(body) }
    let names = Set(Frameworks.namesOfSignals + [Frameworks.nameOfWait])
    for body in mentions.bodies(namingAny: names, in: Set(files)) { take(body) }
  }

  /// Takes in the bodies that may take a model elsewhere, where nobody sees whose it is: functions
  /// that get one and make closures, and what hands on closures that use one.
  private func addReceiversOfModels() {
    let models = program.types.indices.filter { facts.isGiven(.declared($0)) }
    let names = Set(models.map { program.types[$0].name }).union(Frameworks.contextTypes)
    for file in program.files(usingAny: names) {
      for id in program.functions(inFile: file) {
        let function = program.functions[id]
        guard function.body != nil, getsModel(function) else { continue }
        guard let body = table.body(at: function.ref) else { continue }
        if makesClosures(body) || facts.isOfGlobalActor(table[body]) || getsRealm(function) {
          take(body)
        }
      }
    }
    for id in facts.keptGiven {
      for body in mentions.bodies(ofProperty: id)
      where table[body].kind == .closure || makesClosures(body) { take(body) }
    }
    let related = Set(program.files(sharingTypesWith: program.files(usingAny: names)))
    for id in mentions.bodies(namingAny: Frameworks.namesOfCrossings, in: related)
    where table[id].calls.contains(where: { Frameworks.namesOfCrossings.contains($0.name) }) {
      take(id)
    }
    for file in program.files(using: Frameworks.childTask).filter(related.contains) {
      for modifier in program.descendants(Ref(file: file, node: 0), .modifier)
      where program.name(modifier) == Frameworks.childTask {
        table.lower(unit: table.unit(of: modifier))
      }
      for (id, body) in table.loweredBodies(inFile: file)
      where body.steps.contains(where: { $0.operation == .childTask }) { take(id) }
    }
  }

  /// Takes in what is told of notifications.
  func addObservers() { add(Frameworks.observing) }

  /// Takes in what posts notifications.
  func addPosts() {
    add(Frameworks.posting)
  }

  private func makesClosures(_ body: BodyID) -> Bool {
    table[body].steps.contains { $0.operation == .closure }
  }

  private func getsRealm(_ function: FunctionDeclaration) -> Bool {
    parameterTypes(of: function).contains {
      $0.isExternal(Frameworks.realm) || $0.isExternal(Frameworks.results)
    }
  }

  private func parameterTypes(of function: FunctionDeclaration) -> [SwiftType] {
    function.parameters.compactMap { parameter in
      parameter.type.map {
        program.type(ofTypeNode: Ref(file: Int(function.ref.file), node: $0)).unwrapped
      }
    }
  }

  private func getsModel(_ function: FunctionDeclaration) -> Bool {
    if let owner = function.owner, !function.isStatic, facts.isGiven(.declared(owner)) {
      return true
    }
    return parameterTypes(of: function).contains { facts.isGiven($0) }
  }

  /// The bodies that have come in since this was asked last.
  func takeFresh() -> [BodyID] {
    defer { fresh = [] }
    return fresh.sorted()
  }

  var hasFresh: Bool { !fresh.isEmpty }

  /// Takes in all bodies that mention a name.
  private func add(_ name: Name) {
    guard names.insert(name).inserted else { return }
    for body in mentions.bodies(naming: name) { take(body) }
  }

  /// Takes in all bodies that mention a property.
  func add(property: PropertyID) {
    guard properties.insert(property).inserted else { return }
    for body in mentions.bodies(ofProperty: property) { take(body) }
  }

  /// Takes in the bodies that assign to a property.
  func addSetters(of property: PropertyID) {
    guard settersTaken.insert(property).inserted else { return }
    for body in mentions.bodies(ofProperty: property, writing: true) { take(body) }
  }

  /// Takes in the bodies that assign a queue to a property; not those that have one by default, for
  /// whoever calls them may give another.
  func addMakers(ofQueue property: PropertyID) {
    guard makersTaken.insert(property).inserted else { return }
    for body in mentions.bodies(ofProperty: property, writing: true) {
      let hasDefault = table[body].function.map { !facts.defaults(of: $0).isEmpty } ?? false
      if !hasDefault { take(body) }
    }
  }

  /// Takes in the bodies that give a property code which gets something of an owner, a memberwise
  /// initializer's callers among them.
  func addMakers(ofReceiver property: PropertyID) {
    guard makersTaken.insert(property).inserted else { return }
    addWriters(of: property)
    guard let owner = program.properties[property].owner else { return }
    for body in mentions.bodies(naming: program.types[owner].name) { take(body) }
  }

  /// Takes in the bodies that assign to a property, and who calls these.
  func addWriters(of property: PropertyID) {
    guard writersTaken.insert(property).inserted else { return }
    for body in mentions.bodies(ofProperty: property, writing: true) {
      addWriter(body)
      for caller in callers(of: body) { addWriter(caller) }
    }
  }

  /// Takes in a body that assigns; an initializer hands on what its callers hand over.
  private func addWriter(_ body: BodyID) {
    take(body)
    guard writers.insert(body), table[body].kind == .initializer else { return }
    for caller in callers(of: body) { addWriter(caller) }
  }

  /// Whether a body assigns to what holds an owner, and may be called by one that doesn't matter:
  /// that one hands over nobody knows what.
  func mayWriteUnknown(_ body: BodyID) -> Bool {
    writers.contains(body) && callers(of: body).contains { !bodies.contains($0) }
  }

  /// Takes in whoever may call a body.
  func addCallers(of id: BodyID) {
    guard called.insert(id) else { return }
    for caller in callers(of: id) { take(caller) }
  }

  /// Takes in the bodies that may run a closure which is kept in a property.
  func addKeepers(of id: BodyID) {
    guard kept.insert(id), let maker = mentions.maker(ofClosure: id) else { return }
    let body = table[maker]
    func isClosure(_ value: Value?) -> Bool {
      guard let value, value >= 0 else { return false }
      return body.steps[Int(value)].operation == .closure && body.steps[Int(value)].index == id
    }
    for step in body.steps where step.operation == .set && isClosure(body.operands(of: step).last) {
      if let property = program.property(usedBy: body.ref(step)) { add(property: property) }
    }
    for site in body.calls {
      let node = body.ref(site)
      for argument in site.arguments where isClosure(argument.value) {
        guard case .initializer(let type, _) = facts.target(node),
          case .property(let property)? = facts.member(argument.label, of: type)
        else { continue }
        add(property: property)
      }
    }
    for property in propertiesOfInitialValues[body.place] ?? [] { add(property: property) }
  }

  /// Takes in the closures that may call a body and go to another queue, and who has it observe.
  func addCrossings(to id: BodyID) {
    guard crossed.insert(id) else { return }
    for caller in callers(of: id) {
      let observes = table[caller].calls.contains { $0.name == Frameworks.observing }
      if observes || table[caller].kind == .closure && crosses(caller) { take(caller) }
    }
  }

  /// Whether a closure, or one around it, is handed to what runs code elsewhere.
  private func crosses(_ id: BodyID) -> Bool {
    let outer = table[outermost(id)].place
    return program.ancestors(table[id].place).prefix { $0 != outer }.contains {
      program.kind($0) == .call && Frameworks.namesOfCrossings.contains(program.calledName($0))
    }
  }

  /// Whether some code may call a function.
  func isMentioned(_ function: FunctionID) -> Bool { mentions.isMentioned(function) }

  /// The bodies that may call one.
  private func callers(of id: BodyID) -> [BodyID] {
    if let known = callersOfBodies[id] { return known }
    let found = findCallers(of: id)
    callersOfBodies[id] = found
    return found
  }

  private func findInitializers() -> [TypeID: [FunctionID]] {
    var found: [TypeID: [FunctionID]] = [:]
    for (id, function) in program.functions.enumerated() where function.kind == .initDecl {
      guard let heir = function.owner, function.body != nil else { continue }
      for base in Set([heir] + program.lineage(of: heir)) { found[base, default: []].append(id) }
    }
    return found
  }

  /// The initializers that call another one of their type or of a superclass.
  private func delegators(of type: TypeID) -> [BodyID] {
    (initializers[type] ?? []).compactMap { table.body(at: program.functions[$0].ref) }
      .filter { table[$0].steps.contains { $0.name == Frameworks.initializerName } }
  }

  private func findCallers(of id: BodyID) -> [BodyID] {
    if let maker = mentions.maker(ofClosure: id) { return [maker] }
    let body = table[id]
    if let function = body.function {
      guard body.kind == .initializer, let owner = body.owner else {
        return mentions.bodies(ofFunction: function)
      }
      return mentions.bodies(naming: program.types[owner].name) + delegators(of: owner)
    }
    if let properties = propertiesOfInitialValues[body.place] {
      return properties.flatMap { mentions.bodies(ofProperty: $0) }
    }
    guard let property = body.property else { return [] }
    let wrapped = facts.wrappedProperties[property] ?? []
    return ([property] + wrapped).flatMap { mentions.bodies(ofProperty: $0) }
  }

  private func take(_ id: BodyID) {
    guard seen.insert(id), !facts.isExempt(table[id].place) else { return }
    bodies.insert(id)
    fresh.append(id)
    if let maker = mentions.maker(ofClosure: id) ?? self.maker(ofFunction: id) { take(maker) }
  }

  /// The body in which a function is declared that takes along what stands around it.
  private func maker(ofFunction id: BodyID) -> BodyID? {
    guard table[id].kind == .function else { return nil }
    return program.enclosingBody(table[id].place).flatMap { table.loweredBody(at: $0) }
  }
}
