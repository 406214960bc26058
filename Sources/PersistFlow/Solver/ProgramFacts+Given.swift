import PersistIndex
import PersistSyntax

// MARK: - What comes in that nobody sees

extension ProgramFacts {
  /// Whether a value of a type is or holds a model or context of Core Data or SwiftData.
  func isGiven(_ type: SwiftType) -> Bool {
    switch type {
    case .declared(let id, _): program.isModel(id)
    case .external(let name, _):
      Frameworks.framework(ofContext: name) != nil
    case .optional(let inner), .array(let inner), .set(let inner), .dictionary(_, let inner):
      isGiven(inner)
    case .tuple(let parts, _): parts.contains { isGiven($0) }
    default: false
    }
  }

  /// Whether a property holds code that gets a model or context.
  func holdsReceiver(_ property: PropertyID) -> Bool {
    if let known = receiving[property] { return known }
    var holds = false
    if case .function(let parameters, _) = program.type(ofProperty: property).unwrapped {
      holds = parameters.contains { isGiven($0) }
    }
    receiving[property] = holds
    return holds
  }

  /// What a caller that nobody has seen hands over: an object belongs where the code runs that gets
  /// it. Nil where the type is no model's, or the code may run on an actor of its own.
  func given(_ type: SwiftType, to place: Ref, on executor: Executor, _ table: OriginTable)
    -> OriginsID?
  {
    switch executor {
    case .main: given(type, .main, place, table)
    case .unknown: given(type, .given(place), place, table)
    // What is handed to code without an actor may have been sent.
    case .pool: given(type, .unknown, place, table)
    // A global actor without contexts gets what belongs elsewhere.
    case .actor(let id) where isWithoutContexts(id): given(type, .given(place), place, table)
    default: nil
    }
  }

  /// Whether code runs on a global actor of the sources.
  func isOfGlobalActor(_ body: Body) -> Bool {
    if globalActors.isEmpty { return false }
    if case .globalActor = isolation(of: body) { return true }
    return false
  }

  /// Whether nothing that a global actor of the sources guards is a context.
  private func isWithoutContexts(_ actor: TypeID) -> Bool {
    guard program.types[actor].attributes.contains(Frameworks.globalActorAttribute) else {
      return false
    }
    let name = program.types[actor].name
    return !keptGiven.contains { id in
      guard program.isContext(program.type(ofProperty: id)) else { return false }
      return isolation(at: program.properties[id].ref) == .globalActor(name)
    }
  }

  /// A model or context that belongs somewhere; nil for other types.
  func given(_ type: SwiftType, _ home: Owner.Home, _ place: Ref, _ table: OriginTable)
    -> OriginsID?
  {
    func inner(_ type: SwiftType) -> OriginsID? { given(type, home, place, table) }
    let site = home == .unknown ? place : nil
    switch type {
    case .declared(let id, _):
      guard program.isModel(id) else { return nil }
      let framework: Owner.Framework =
        program.inherits(id, from: Frameworks.managedObject) ? .coreData : .swiftData
      return table.one(
        .managed(Owner(framework: framework, home: home, site: site, isGiven: true)))
    case .external("ModelContext", _):
      let owner = Owner(framework: .swiftData, home: home, site: site, isGiven: true)
      return table.one(.owner(owner))
    case .external(Frameworks.realm, _):
      return table.one(
        .owner(Owner(framework: .realm, home: home, site: site, isGiven: true)))
    case .external("NSManagedObjectContext", _):
      // Code on main may get a context with a queue of its own.
      let given: Owner.Home = home == .unknown ? home : .given(place)
      let owner = Owner(framework: .coreData, home: given, site: site, isGiven: true)
      return table.one(.owner(owner))
    case .optional(let type): return inner(type).map { table.union($0, OriginTable.null) }
    case .array(let type), .set(let type): return inner(type).map { table.one(.collection($0)) }
    case .dictionary(_, let type): return inner(type).map { table.one(.dictionary($0)) }
    case .tuple(let parts, let labels) where isGiven(type):
      let made = parts.map { inner($0) ?? value(of: $0, table) }
      return table.one(.tuple(made, labels))
    default: return nil
    }
  }

  /// Whether a stored property of a type holds models or a context.
  func keepsOwned(_ type: TypeID) -> Bool {
    if let keepers { return keepers.contains(type) }
    let found = Set(
      keptGiven.compactMap { program.properties[$0].owner }.filter { !isModel($0) })
    keepers = found
    return found.contains(type)
  }

  /// The models that a property of the main actor holds: nothing else may assign them.
  func keptOnMain(by property: PropertyID, _ table: OriginTable) -> OriginsID? {
    let declaration = program.properties[property]
    guard let owner = declaration.owner, !isModel(owner),
      isolation(at: declaration.ref) == .mainActor
    else { return nil }
    return given(program.type(ofProperty: property), to: declaration.ref, on: .main, table)
  }

  /// The method of a framework's type which a method that the sources add calls by its own name.
  func overloaded(by ids: [FunctionID], at node: Ref) -> (type: Name, name: Name)? {
    guard ids.count == 1, case let function = program.functions[ids[0]],
      program.contains(function.ref, node), let owner = function.owner,
      program.kind(program.types[owner].ref) == .extensionDecl,
      APITable.all.row(function.name, of: program.types[owner].name) != nil
    else { return nil }
    return (program.types[owner].name, function.name)
  }

  /// A protocol with more types that conform to it stands for anything.
  private static let mostConformances = 4

  /// What is known of a value by its type alone.
  func value(of type: SwiftType, _ table: OriginTable) -> OriginsID {
    switch type {
    case .declared(let id, _):
      switch program.types[id].kind {
      case .classDecl, .actorDecl, .structDecl:
        return program.isModel(id) || program.isRealmObject(id)
          ? OriginTable.unknown : table.one(.instance(id))
      case .extensionDecl: return value(ofExternal: program.types[id].name, table)
      case .protocolDecl:
        let all = conformingTypes(to: id)
        guard !all.isEmpty, all.count <= Self.mostConformances else { return OriginTable.unknown }
        return table.union(all.map { value(of: .declared($0), table) })
      default: return OriginTable.unknown
      }
    case .external(Frameworks.results, let arguments) where knowsRealms:
      guard let element = arguments.first, realmModel(in: element) != nil else {
        return OriginTable.unknown
      }
      return table.one(.collection(table.one(.managed(.someRealm))))
    case .external(let name, _): return value(ofExternal: name, table)
    case .optional(let inner): return table.union(value(of: inner, table), OriginTable.null)
    case .array(let inner), .set(let inner): return table.one(.collection(value(of: inner, table)))
    case .metatype(.declared(let id, _)): return table.one(.type(id))
    case .metatype(.external(let name, _)): return table.one(.externalType(name))
    default: return OriginTable.unknown
    }
  }

  private func value(ofExternal name: Name, _ table: OriginTable) -> OriginsID {
    if Frameworks.plainTypes.contains(name) { return OriginTable.plain }
    if knowsRealms, name == Frameworks.realm { return table.one(.owner(.someRealm)) }
    return Frameworks.statelessTypes.contains(name)
      ? table.one(.external(name)) : OriginTable.unknown
  }
}
