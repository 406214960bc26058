import PersistIndex
import PersistSyntax

/// A place that deletes objects which other code may hold.
package struct ModelRemoval: Hashable, Sendable {
  /// What a deletion takes away.
  package enum Extent: Hashable, Sendable {
    /// All objects of one class.
    case all(TypeID)
    /// Some objects of a class that the code itself has found.
    case found(TypeID)
    /// An object of a class that the code is given.
    case given(TypeID)
    /// Objects of a relationship of which the sources don't tell the class.
    case related
    /// An object of a class that the code has made itself.
    case own(TypeID)
    /// All objects that one context of Core Data has handed out, by what names the context.
    case context(Ref?, Name)
    /// All objects of SwiftData, because their container is emptied or replaced.
    case container
  }
  package let place: Ref
  package let extent: Extent
  /// Whether the code deletes nothing but what its function is given, alone or in a list.
  package var isHandedOver = false
}

/// The places of a program that delete objects, by what the values at them are.
final class ModelRemovals {
  private(set) var all: [ModelRemoval] = []
  let values: ValueSources
  private let own: OwnModels
  private let asked: AskedModels
  private var program: Program { values.program }
  private var bodies: Bodies { values.bodies }

  init(_ values: ValueSources) {
    self.values = values
    own = OwnModels(values)
    asked = AskedModels(values)
    for id in values.mentions.bodies(namingAny: Frameworks.removals)
    where !values.facts.isExempt(bodies[id].place) {
      for site in bodies[id].calls where Frameworks.removals.contains(site.name) {
        add(site, in: id)
      }
    }
    all = Set(all).sorted { ($0.place, $0.order) < ($1.place, $1.order) }
  }

  private func add(_ site: CallSite, in id: BodyID) {
    let call = bodies[id].ref(site)
    let receiver = program.receiverType(ofCall: call)
    switch site.name {
    case Frameworks.deletion:
      if let types = site.arguments.first(where: { $0.label == Frameworks.deletedModel }) {
        guard !site.arguments.contains(where: { $0.label == Frameworks.deletionFilter }) else {
          return addTypes(types.value, in: id, at: call) { .found($0) }
        }
        return addTypes(types.value, in: id, at: call) { .all($0) }
      }
      guard site.arguments.count == 1, site.arguments[0].label == .none,
        program.isContext(receiver)
      else { return }
      addObjects(site.arguments[0].value, in: id, at: call)
    case Frameworks.batchDeletion: addBatch(site, in: id, at: call)
    case Frameworks.reset:
      guard site.arguments.isEmpty, receiver.isExternal("NSManagedObjectContext"),
        let context = contextName(of: site, in: id)
      else { return }
      all.append(ModelRemoval(place: call, extent: .context(context.0, context.1)))
    case Frameworks.modelContainer:
      if isReplacement(call, in: id) { all.append(ModelRemoval(place: call, extent: .container)) }
    case Frameworks.forEach:
      guard let value = site.arguments.first?.value, value >= 0, site.receiver >= 0 else { return }
      addEach(of: site.receiver, by: value, in: id, at: call)
    default:
      guard receiver.isExternal(Frameworks.modelContainer) else { return }
      all.append(ModelRemoval(place: call, extent: .container))
    }
  }

  // MARK: Objects

  /// `delete(model:)` of one type, of each of a list, or of what the callers name.
  private func addTypes(
    _ value: Value, in id: BodyID, at call: Ref, _ extent: (TypeID) -> ModelRemoval.Extent
  ) {
    guard value >= 0 else { return }
    for source in types(values.value(value, in: id)) {
      guard case .metatype(.declared(let type, _)) = program.type(of: wholeName(source)),
        program.isModel(type)
      else { continue }
      let place = self.place(named: source, for: call, in: id)
      all.append(ModelRemoval(place: place, extent: extent(program.resolveAlias(type))))
    }
  }

  /// The place of a deletion of what a name stands for: what a caller names is deleted for that
  /// caller.
  private func place(named source: PlacedValue, for call: Ref, in id: BodyID) -> Ref {
    let isOwn =
      [.getter, .initialValue].contains(source.body.kind)
      || values.outermost(source.id) == values.outermost(id)
    return isOwn ? call : program.ancestors(source.node).first { isCall($0) } ?? call
  }

  private func isCall(_ node: Ref) -> Bool { values.callSite(at: node) != nil }

  /// The chain that names a type.
  private func wholeName(_ source: PlacedValue) -> Ref {
    let node = source.node
    return program.parent(node) ?? node
  }

  /// The steps that name types, each element of a list for itself.
  private func types(_ source: PlacedValue) -> [PlacedValue] {
    Reach(from: source) { [values] found in
      switch found.step.operation {
      case .next, .array, .binary: found.operands
      default: values.directGivers(of: found)
      }
    }.filter { $0.step.operation == .type }
  }

  /// `delete` of one object: an element of all there are, of some, or what the code is given.
  private func addObjects(_ value: Value, in id: BodyID, at call: Ref) {
    guard value >= 0, let argument = program.arguments(call).first else { return }
    let source = values.value(value, in: id)
    let givers = localGivers(of: source)
    let list = list(behind: givers.count == 1 ? givers[0] : source)
    guard let model = program.model(in: program.type(of: argument)) else {
      let fetched = list.map { models(fetchedInto: $0) } ?? []
      for found in fetched {
        let place = self.place(named: found.source, for: call, in: id)
        addObject(source, givers, list, found.model, at: call, place)
      }
      guard fetched.isEmpty, let relationship = relationship(behind: source) else { return }
      let related = model(relatedBy: relationship)
      return all.append(
        ModelRemoval(place: call, extent: related.map { .found($0) } ?? .related))
    }
    if givers.count == 1, givers[0].step.operation == .selfValue {
      return addDeletions(ofItselfIn: id, model)
    }
    addObject(source, givers, list, model, at: call)
  }

  /// An object that a method of its own deletes goes where that is called.
  private func addDeletions(ofItselfIn id: BodyID, _ model: TypeID) {
    guard let function = bodies[values.outermost(id)].function else { return }
    for call in program.callers(of: function) {
      guard let (body, site) = values.callSite(at: call), site.receiver >= 0 else { continue }
      let source = values.value(site.receiver, in: body)
      let givers = localGivers(of: source)
      let list = list(behind: givers.count == 1 ? givers[0] : source)
      addObject(source, givers, list, model, at: call)
    }
  }

  /// All objects go where a loop hands each to a function that deletes what it is given.
  private func addWipes(byCallersOf parameter: PlacedValue, _ model: TypeID) {
    guard parameter.step.operation == .parameter, parameter.body.kind == .function,
      let function = parameter.body.function
    else { return }
    for call in program.callers(of: function) where !program.isExempt(call) {
      guard let (body, site) = values.callSite(at: call),
        let argument = program.argument(
          of: call, for: Int(parameter.step.index), of: program.functions[function]),
        let place = program.arguments(call).firstIndex(of: argument),
        site.arguments.indices.contains(place), site.arguments[place].value >= 0
      else { continue }
      let source = values.value(site.arguments[place].value, in: body)
      let givers = localGivers(of: source)
      guard givers.count == 1, let list = list(behind: givers[0]),
        runsInEachRound(source, of: givers[0]), isAll(list)
      else { continue }
      all.append(ModelRemoval(place: call, extent: .all(model)))
    }
  }

  private func addObject(
    _ source: PlacedValue, _ givers: [PlacedValue], _ list: PlacedValue?, _ model: TypeID,
    at call: Ref, _ place: Ref? = nil
  ) {
    let extent: ModelRemoval.Extent
    if own.takesBack(source, at: call) {
      extent = .own(model)
    } else if givers.count == 1, let list {
      extent = runsInEachRound(source, of: givers[0]) && isAll(list) ? .all(model) : .found(model)
    } else if isGiven(givers) {
      extent = .given(model)
      if givers.count == 1 { addWipes(byCallersOf: givers[0], model) }
    } else {
      extent = .found(model)
    }
    all.append(
      ModelRemoval(place: place ?? call, extent: extent, isHandedOver: isHandedOver(source)))
  }

  /// Whether a value is a parameter, or an element of one.
  private func isHandedOver(_ source: PlacedValue) -> Bool {
    func isParameter(_ giver: PlacedValue) -> Bool {
      giver.step.operation == .parameter && program.kind(giver.node) == .parameter
    }
    return Reach(from: source) { giver in
      guard !isParameter(giver) else { return [] }
      let givers = self.localStep(from: giver)
      guard givers.isEmpty else { return givers }
      let isPart = giver.site.map { Words.sameElementMethods.contains($0.name) } ?? false
      return (isPart ? giver.whole : self.list(behind: giver)).map { [$0] } ?? []
    }.surely { isParameter($0) && $0.body.kind != .closure }
  }

  /// The relationship of an object that a value, or the list that it was taken from, is.
  private func relationship(behind source: PlacedValue) -> PropertyID? {
    func property(_ giver: PlacedValue) -> PropertyID? {
      giver.step.operation == .get && localStep(from: giver).isEmpty
        ? program.property(usedBy: giver.node) : nil
    }
    return Reach(from: source) { giver in
      guard property(giver) == nil else { return [] }
      let givers = self.localStep(from: giver)
      return givers.isEmpty
        ? (self.list(behind: giver) ?? giver.whole).map { [$0] } ?? [] : givers
    }.first { giver in
      property(giver).flatMap { id in
        program.properties[id].owner.map { program.isManagedClass($0) } ?? false ? id : nil
      }
    }
  }

  /// The class of the objects that a relationship leads to, by its type or the data model.
  private func model(relatedBy id: PropertyID) -> TypeID? {
    if let model = program.destination(of: id) { return model }
    let property = program.properties[id]
    guard let owner = property.owner else { return nil }
    let (entity, name) = (program.modelName(owner), program.nameText(property.ref))
    return program.schemaInput.dataModels.lazy.compactMap { model in
      model.current?.shape.entities.first { $0.name == entity }?.property(name)?.relationship
    }.first.flatMap { self.asked.model(ofEntity: $0.destination) }
  }

  /// The steps of the same body and its makers that give a value.
  private func localGivers(of source: PlacedValue) -> [PlacedValue] {
    Reach(from: source, by: localStep).ends
  }

  private func localStep(from source: PlacedValue) -> [PlacedValue] {
    source.step.operation == .parameter ? [] : values.directGivers(of: source)
  }

  private func isGiven(_ givers: [PlacedValue]) -> Bool {
    !givers.isEmpty
      && givers.allSatisfy { source in
        let step = source.step
        switch step.operation {
        case .parameter, .none: return true
        case .get:
          // A stored property holds what somebody has put there.
          guard let id = program.property(usedBy: source.node) else { return false }
          let property = program.properties[id]
          return !property.isComputed
            && !property.attributes.contains { Frameworks.fetchWrappers[$0] != nil }
        default: return false
        }
      }
  }

  /// Whether the step of a deletion runs for each element that a loop or closure gets.
  private func runsInEachRound(_ use: PlacedValue, of next: PlacedValue) -> Bool {
    guard next.id == use.id, let place = use.block else { return false }
    if next.step.operation == .parameter {
      return BlockPaths(use.body).isSure(place)
    }
    guard let head = next.block,
      case .loop(let inner, _) = next.body.blocks[Int(head)].terminator
    else { return false }
    var seen: Set<Int32> = [inner, place]
    var pending = inner == place ? [] : [inner]
    while let block = pending.popLast() {
      let targets = next.body.blocks[Int(block)].terminator.targets.filter {
        $0 != missedCast(behind: block, in: next.body)
      }
      if targets.contains(head) { return false }
      pending += targets.filter { seen.insert($0).inserted }
    }
    return true
  }

  /// Where a block goes on when what is fetched is no managed object, which it always is.
  private func missedCast(behind block: Int32, in body: Body) -> Int32? {
    guard case .branch(let condition, let yes, _) = body.blocks[Int(block)].terminator,
      condition >= 0, case let question = body.steps[Int(condition)],
      question.operation == .isNil, let cast = body.operands(of: question).first, cast >= 0,
      body.steps[Int(cast)].operation == .cast,
      let type = program.child(body.ref(body.steps[Int(cast)]), .type),
      program.type(ofTypeNode: type).isExternal(Frameworks.managedObject)
    else { return nil }
    return yes
  }

  /// A list whose elements are handed to `delete` by its name.
  private func addEach(of list: Value, by code: Value, in id: BodyID, at call: Ref) {
    let taken = bodies[id].steps[Int(code)]
    guard taken.name == Frameworks.deletion,
      let model = program.model(in: program.receiverType(ofCall: call))
    else { return }
    let isAll = isAll(values.value(list, in: id))
    all.append(ModelRemoval(place: call, extent: isAll ? .all(model) : .found(model)))
  }

  /// The list of which a step gives one element after the other.
  private func list(behind source: PlacedValue) -> PlacedValue? {
    switch source.step.operation {
    case .next: source.operands.first
    case .parameter: values.list(behind: source)
    default: nil
    }
  }

  // MARK: All of a class

  /// Whether a value is all objects of a class: a fetch without a filter, a plain `@Query`, or what a
  /// function of the sources returns that is so.
  private func isAll(_ list: PlacedValue) -> Bool {
    let found = Reach(from: list) { source in
      let givers = self.localStep(from: source)
      return givers.isEmpty ? self.values.results(ofCall: source) ?? [] : givers
    }.ends.filter { source in
      // What gives an empty list is left out.
      source.step.operation != .none
        && (source.step.operation != .array || source.step.operandCount > 0)
    }
    return !found.isEmpty && found.allSatisfy { isWhole($0) }
  }

  private func isWhole(_ source: PlacedValue) -> Bool {
    if source.step.operation == .get, let id = program.property(usedBy: source.node) {
      return isPlainQuery(id)
    }
    guard let site = source.site, site.name == Frameworks.fetch,
      program.isContext(program.receiverType(ofCall: source.node)),
      let request = site.arguments.first?.value, request >= 0
    else { return false }
    return asksForAll(source.with(request))
  }

  private func isPlainQuery(_ id: PropertyID) -> Bool {
    let property = program.properties[id]
    guard property.attributes.contains(where: { Frameworks.fetchWrappers[$0] != nil }) else {
      return false
    }
    let declaration = Ref(file: Int(property.ref.file), node: property.declaration)
    return program.children(declaration, .attribute).allSatisfy { attribute in
      program.children(attribute, .argument).allSatisfy {
        !Frameworks.filterLabels.contains(program.label($0)) || program.lastName(of: $0) == "nil"
      } && !program.names("Predicate", in: attribute)
    }
  }

  /// Whether a descriptor or request asks for all objects of its class, as a function of the sources
  /// makes it.
  private func asksForAll(_ request: PlacedValue) -> Bool {
    Reach(from: request) { request in
      let made = self.localGivers(of: request)
      return made.count == 1 ? self.values.results(ofCall: made[0]) ?? [] : []
    }.allSatisfy { request in
      let made = localGivers(of: request)
      guard made.count == 1, let site = made[0].site else { return false }
      if let results = values.results(ofCall: made[0]) {
        guard !results.isEmpty else { return false }
      } else {
        guard Frameworks.requests.contains(site.name),
          site.arguments.allSatisfy({ !Frameworks.filterLabels.contains($0.label) })
        else { return false }
      }
      // What narrows it afterwards is set on the local that holds it.
      return !request.body.steps.contains { step in
        step.operation == .set && Frameworks.narrowing.contains(step.name)
          && request.body.operands(of: step).first.map { target in
            target >= 0 && localGivers(of: request.with(target)).contains(made[0])
          } ?? false
      }
    }
  }

  private func addBatch(_ site: CallSite, in id: BodyID, at call: Ref) {
    guard let value = site.arguments.first(where: { $0.label == Frameworks.batchRequest })?.value,
      value >= 0, let node = program.argument(call, "fetchRequest")
    else { return }
    let request = values.value(value, in: id)
    let isAll = asksForAll(request)
    func add(_ model: TypeID, at place: Ref) {
      all.append(ModelRemoval(place: place, extent: isAll ? .all(model) : .found(model)))
    }
    if case .external("NSFetchRequest", let arguments) = program.type(of: node),
      let model = arguments.first.flatMap({ program.model(in: $0) })
    {
      return add(model, at: call)
    }
    for found in asked.asked(by: request) {
      add(found.model, at: place(named: found.source, for: call, in: id))
    }
  }

  /// The classes of the objects that a fetch has put into a list, where their type doesn't tell.
  private func models(fetchedInto list: PlacedValue) -> [AskedModels.Asked] {
    let found = localGivers(of: list).filter { $0.site?.name == Frameworks.fetch }
    guard found.count == 1, let request = found[0].site?.arguments.first?.value, request >= 0
    else { return [] }
    return asked.asked(by: found[0].with(request))
  }

  // MARK: Contexts and containers

  /// What names the context that a method is called on: the property or local that holds it.
  func contextName(of site: CallSite, in id: BodyID) -> (Ref?, Name)? {
    guard site.receiver >= 0 else { return nil }
    let givers = localGivers(of: values.value(site.receiver, in: id))
    guard givers.count == 1 else { return nil }
    let step = givers[0].step
    if Frameworks.mainContexts.contains(step.name) { return (nil, step.name) }
    let node = givers[0].node
    if let property = program.property(usedBy: node) {
      return (program.properties[property].ref, .none)
    }
    return (node, .none)
  }

  /// Whether a method, or an action of a view, puts an opened container into the place of another one.
  private func isReplacement(_ call: Ref, in id: BodyID) -> Bool {
    let outer = values.outermost(id)
    // A view is drawn before anything that its closures do.
    let isAction = outer != id && program.isViewCode(call)
    guard bodies[outer].kind == .function || isAction, !program.opensInMemory(call) else {
      return false
    }
    return bodies[id].steps.contains { step in
      guard step.operation == .set, !step.isWriteBack,
        let value = bodies[id].operands(of: step).last, value >= 0,
        let property = program.property(usedBy: bodies[id].ref(step)),
        localGivers(of: values.value(value, in: id)).contains(where: { $0.node == call })
      else { return false }
      return program.properties[property].initializer != nil || isOpenedAtFirst(property)
    }
  }

  /// Whether an initializer of its type gives a property its first value.
  private func isOpenedAtFirst(_ property: PropertyID) -> Bool {
    values.mentions.bodies(ofProperty: property, writing: true).contains {
      bodies[values.outermost($0)].kind == .initializer
    }
  }
}

extension ModelRemoval {
  /// The model whose objects are deleted; nil where it is what a context or container holds.
  package var model: TypeID? {
    switch extent {
    case .all(let model), .found(let model), .given(let model), .own(let model): model
    case .related, .context, .container: nil
    }
  }

  fileprivate var order: Int { model ?? -1 }
}
