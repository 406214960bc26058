import PersistIndex
import PersistSyntax

// MARK: - What the declarations say of objects

extension ProgramFacts {
  /// The framework of a model.
  func framework(of model: TypeID) -> Owner.Framework {
    if program.isRealmObject(model) { return .realm }
    return program.inherits(model, from: Frameworks.managedObject) ? .coreData : .swiftData
  }

  /// The framework of all objects of a type that frameworks declare for models; nil for another type.
  func framework(ofAny type: SwiftType) -> Owner.Framework? {
    switch type {
    case .external(let name, _): return Frameworks.framework(ofObject: name)
    case .declared(let id, _):
      switch program.types[id].kind {
      case .extensionDecl: return Frameworks.framework(ofObject: program.types[id].name)
      case .protocolDecl:
        if program.inherits(id, from: Frameworks.persistentModel) { return .swiftData }
        let all = conformingTypes(to: id)
        let kinds = Set(all.map { isModel($0) ? framework(of: $0) : nil })
        return kinds.count == 1 ? kinds.first ?? nil : nil
      default: return nil
      }
    default: return nil
    }
  }

  /// The property of that name of an object's model, where the places don't tell.
  func property(_ name: Name, ofOneOf set: OriginsID, _ table: OriginTable) -> PropertyID? {
    for origin in table.members(set) {
      let object = origin.numberOfObject.map { table[origin: $0] } ?? origin
      guard case .token(let token) = object, let model = token.model,
        case .property(let id)? = member(name, of: model)
      else { continue }
      return id
    }
    return nil
  }

  /// The class of Realm that a value is or holds.
  func realmModel(in type: SwiftType) -> TypeID? {
    switch type {
    case .declared(let id, _): program.isRealmObject(id) ? id : nil
    case .optional(let inner), .array(let inner), .set(let inner): realmModel(in: inner)
    case .external(let name, let arguments) where Frameworks.realmLists.contains(name):
      arguments.first.flatMap { realmModel(in: $0) }
    default: nil
    }
  }

  /// Whether the other end of a relationship deletes the objects of a model with itself.
  func cascadesBack(_ property: PropertyID, from model: TypeID) -> Bool {
    guard let owner = program.properties[property].owner else { return false }
    return program.modelProperties(of: model).contains { other in
      program.cascades(other) && program.destination(of: other) == program.resolveAlias(owner)
    }
  }

  /// Whether a body may hand on an object that it gets, or code that uses it.
  func mayHandOn(_ id: BodyID) -> Bool {
    let body = bodies[id]
    switch body.kind {
    case .closure: return true
    case .getter, .function, .initialValue: break
    default: return false
    }
    guard let type = resultType(of: id) else { return false }
    return mayHold(type.unwrapped)
  }

  /// Whether a body returns a context.
  func returnsContext(_ id: BodyID) -> Bool {
    guard [.getter, .function, .initialValue].contains(bodies[id].kind),
      case .external(let name, _)? = resultType(of: id)?.unwrapped
    else { return false }
    return Frameworks.framework(ofContext: name) != nil
  }

  /// Whether a body returns a new object of a model, if it returns one.
  func returnsNewModel(_ id: BodyID) -> Bool {
    Reach(from: id) { self.makers(returnedBy: $0)?.compactMap { $0 } ?? [] }.surely { id in
      makers(returnedBy: id).map { $0.allSatisfy { $0 == nil } } ?? false
    }
  }

  /// The functions whose results a body returns, nil for a new object of a model; nil where it returns
  /// something else.
  private func makers(returnedBy id: BodyID) -> [BodyID?]? {
    let body = bodies[id]
    guard body.kind == .closure || resultType(of: id).flatMap({ program.model(in: $0) }) != nil
    else { return nil }
    var found: [BodyID?] = []
    for step in body.results.flatMap({ body.givers(of: $0) }).map({ body.steps[Int($0)] })
    where step.operation != .none {
      guard step.operation == .call else { return nil }
      switch target(body.ref(step)) {
      case .initializer(let type, _) where isModel(type): found.append(nil)
      case .functions(let ids):
        let made = ids.compactMap { self.body(of: $0) }
        guard !made.isEmpty else { return nil }
        found += made
      default: return nil
      }
    }
    return found.isEmpty ? nil : found
  }

  /// Whether a body hands out code, or a value that keeps code in a property.
  func handsOutCode(_ id: BodyID) -> Bool {
    let body = bodies[id]
    guard [.getter, .function, .initialValue].contains(body.kind) else { return false }
    let type =
      body.kind == .initialValue
      ? body.property.map { program.type(ofProperty: $0) } : resultType(of: id)
    switch type?.unwrapped {
    case .function: return true
    case .declared(let type, _):
      guard !isModel(type) else { return false }
      return program.types[type].properties.contains { id in
        let property = program.properties[id]
        guard !property.isComputed, !property.isStatic else { return false }
        if case .function = program.type(ofProperty: id).unwrapped { return true }
        return false
      }
    default: return false
    }
  }

  private func mayHold(_ type: SwiftType) -> Bool {
    switch type {
    case .external(let name, _): return Frameworks.framework(ofContext: name) != nil
    case .declared(let id, _):
      return isModel(id)
        || [.structDecl, .enumDecl, .protocolDecl].contains(program.types[id].kind)
    case .optional(let inner), .array(let inner), .set(let inner), .dictionary(_, let inner):
      return mayHold(inner)
    case .unknown: return true
    default: return true
    }
  }

  /// The node of a function's parameter; of other bodies the place.
  func parameter(_ index: Int, of body: Body) -> Ref {
    guard let function = body.function else { return body.place }
    let parameters = program.functions[function].parameters
    guard parameters.indices.contains(index) else { return body.place }
    return Ref(file: Int(body.place.file), node: parameters[index].node)
  }

  /// The type of a closure's parameter, by its name or by what it is handed to.
  func type(ofParameter index: Int, of body: Body) -> SwiftType? {
    guard body.kind == .closure else { return nil }
    let named = program.child(body.place, .parameters).map {
      program.children($0, .parameter)
    }
    if let named, named.indices.contains(index) { return program.type(ofLocal: named[index]) }
    return program.type(ofArgument: index, of: body.place)
  }

  /// The type of a part of a chain, with all before it.
  func type(at node: Ref) -> SwiftType {
    guard let chain = program.parent(node), program.kind(chain) == .chain else { return .unknown }
    let parts = program.children(chain)
    guard let index = parts.firstIndex(of: node) else { return .unknown }
    return index + 1 < parts.count
      ? program.type(ofChain: chain, upTo: parts[index + 1]) : program.type(of: chain)
  }

  /// Whether a name stands for a member of a context of Core Data, in front of it or around it.
  func isMemberOfContext(_ node: Ref) -> Bool {
    if program.kind(node) == .member, let chain = program.parent(node) {
      return program.isManagedContext(program.type(ofChain: chain, upTo: node))
    }
    return program.enclosingType(node).map { program.isManagedContext(program.selfType($0)) }
      ?? false
  }

  /// Whether a property may hold what a decoder has made, which nobody sees.
  func mayBeDecoded(_ property: PropertyID) -> Bool {
    if let known = decoded[property] { return known }
    let may =
      program.properties[property].owner.map { owner in
        Frameworks.decodables.contains { program.inherits(owner, from: $0) }
      } ?? false
    decoded[property] = may
    return may
  }

  /// Whether a property holds one object as long as it lives.
  func isLasting(_ property: PropertyID) -> Bool {
    let declaration = program.properties[property]
    return declaration.isLet || isGivenOnce(property)
      || !Frameworks.lastingWrappers.isDisjoint(with: declaration.attributes)
  }

  /// Whether an object of a class gets a property only from its initializer, or from code that has
  /// just made it.
  private func isGivenOnce(_ id: PropertyID) -> Bool {
    if let known = givenOnce[id] { return known }
    let property = program.properties[id]
    var isOnce = false
    if !property.isComputed, !property.isStatic, let owner = property.owner, !isModel(owner),
      program.types[owner].kind == .classDecl,
      property.attributes.allSatisfy({ Frameworks.plainAttributes.contains($0) })
    {
      let sets = program.uses(of: [property.name]).filter {
        program.property(usedBy: $0) == id && program.isAssignmentTarget($0)
      }
      isOnce = !sets.isEmpty && sets.allSatisfy { isOfNewObject($0) }
    }
    givenOnce[id] = isOnce
    return isOnce
  }

  /// Whether a member is set of an object that the code has just made, or of one that is being made.
  private func isOfNewObject(_ member: Ref) -> Bool {
    if program.isMemberOfSelf(member) {
      return program.memberBody(around: member).map { program.isInitializer($0) } ?? false
    }
    guard let chain = program.parent(member), let head = program.firstChild(chain),
      program.sibling(after: head) == member,
      let value = program.initialValue(ofLocalNamed: head)
    else { return false }
    if let call = program.onlyCall(of: value), case .initializer = target(call) { return true }
    return program.descendants(value, .member).contains {
      Frameworks.makersOfScreens.contains(program.name($0))
    }
  }

  /// Whether code finds the same object in a property behind a wait: in what lasts, and in the copy
  /// that it has of a struct.
  func isSteady(_ property: PropertyID) -> Bool {
    if isLasting(property) { return true }
    let declaration = program.properties[property]
    return !declaration.isComputed && !declaration.isStatic
      && declaration.attributes.allSatisfy { Frameworks.plainAttributes.contains($0) }
      && declaration.owner.map { program.types[$0].kind == .structDecl } ?? false
  }

  /// The properties of its instance that hold one model as long as it lives and that a body reads, in
  /// its closures too.
  func steadyModels(readBy id: BodyID) -> [PropertyID] {
    if let known = steadyModels[id] { return known }
    let found = Set(
      withClosures(id).flatMap { code in
        let body = bodies[code]
        return body.steps.filter { $0.operation == .get }.compactMap { step in
          program.property(readBy: step, in: body).flatMap { property in
            let type = program.type(ofProperty: property)
            let model = program.model(in: type) ?? realmModel(in: type)
            return model != nil && isSteady(property) ? property : nil
          }
        }
      }
    ).sorted()
    steadyModels[id] = found
    return found
  }

  /// A body with the closures in it.
  func withClosures(_ id: BodyID) -> [BodyID] {
    var found = [id]
    var next = 0
    while next < found.count {
      found += bodies[found[next]].steps.filter { $0.operation == .closure }.map(\.index)
      next += 1
    }
    return found
  }

  /// Whether a function gets code and may keep it.
  func keepsClosures(_ body: Body) -> Bool {
    body.steps.contains { $0.operation == .set } && getsCode(body)
  }

  /// Whether a function or initializer gets code.
  func getsCode(_ body: Body) -> Bool {
    guard body.kind == .function || body.kind == .initializer else { return false }
    return parameterTypes(of: body).contains {
      if case .function = $0.unwrapped { true } else { false }
    }
  }

  /// The properties that a body itself assigns.
  func assigned(by body: Body) -> Set<PropertyID> {
    var found: Set<PropertyID> = []
    for step in body.steps where step.operation == .set && isChange(step, in: body) {
      if let id = program.property(usedBy: body.ref(step))
        ?? (step.index >= 0 ? Int(step.index) : nil)
      {
        found.insert(id)
      }
    }
    return found
  }

  private func assignedDirectly(by id: BodyID) -> Set<PropertyID> {
    if let known = assignedDirectly[id] { return known }
    let found = assigned(by: bodies[id])
    assignedDirectly[id] = found
    return found
  }

  /// How far calls are followed to what they assign.
  private static let deepestAssignment = 6

  /// The properties that a body assigns, or one that it calls.
  func assignedDeeply(by body: BodyID) -> Set<PropertyID> {
    if let known = assigned[body] { return known }
    let found = assignedDeeply(by: body, besides: [])
    assigned[body] = found
    return found
  }

  /// The same with some closures left out.
  func assignedDeeply(by body: BodyID, besides leftOut: Set<BodyID>) -> Set<PropertyID> {
    var found: Set<PropertyID> = []
    var seen = NumberSet(body)
    for other in leftOut { seen.insert(other) }
    var next = [body]
    for _ in 0..<Self.deepestAssignment {
      var inner: [BodyID] = []
      for code in next {
        found.formUnion(assignedDirectly(by: code))
        for callee in callees(of: code) where seen.insert(callee) {
          inner.append(callee)
        }
      }
      next = inner
    }
    return found
  }

  /// The properties that the functions which a call runs assign.
  func assignedDeeply(byCallAt node: Ref) -> Set<PropertyID> {
    guard case .functions(let ids) = target(node) else { return [] }
    return ids.flatMap { [$0] + (program.witnesses(of: $0) ?? []) }.compactMap { body(of: $0) }
      .reduce(into: []) { $0.formUnion(assignedDeeply(by: $1)) }
  }

  /// Whether a step gives a property another value: it assigns, or puts back what a mutating
  /// method has left.
  func isChange(_ step: Instruction, in body: Body) -> Bool {
    guard step.isWriteBack, let value = body.operands(of: step).last, value >= 0 else {
      return true
    }
    return [.receiverAfter, .setElement].contains(body.steps[Int(value)].operation)
  }

  /// The bodies that a body calls by name.
  func callees(of id: BodyID) -> [BodyID] {
    if let known = callees[id] { return known }
    let body = bodies[id]
    var found: [BodyID] = []
    for site in body.calls {
      let node = body.ref(site)
      switch target(node) {
      case .functions(let ids):
        found += ids.flatMap { [$0] + (program.witnesses(of: $0) ?? []) }
          .compactMap { self.body(of: $0) }
      case .initializer(_, let ids): found += ids.compactMap { self.body(of: $0) }
      default: continue
      }
    }
    for step in body.steps where step.operation == .closure { found.append(step.index) }
    callees[id] = found
    return found
  }
}
