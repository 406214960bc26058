import PersistIndex
import PersistSyntax

/// What the solver asks the declarations again and again.
final class ProgramFacts {
  unowned let program: Program
  let bodies: Bodies
  /// Whether some code gives an operation queue a dispatch queue to run its work on.
  let givesQueues: Bool
  /// Whether there can be realms, whose objects may change only in a transaction.
  let usesRealm: Bool
  @exclusivity(unchecked) private var seldomMade = Numbered<TypeID, Bool>()
  @exclusivity(unchecked) private var mentioned: [Name: Bool] = [:]
  @exclusivity(unchecked) private var holdingData = Numbered<PropertyID, Bool>()
  @exclusivity(unchecked) var keepers: Set<TypeID>?
  @exclusivity(unchecked) private var members: [MemberKey: Declared?] = [:]
  @exclusivity(unchecked) private var targets: [Ref: CallTarget] = [:]
  @exclusivity(unchecked) private var externalBases = Numbered<TypeID, [Name]>()
  @exclusivity(unchecked) private var accessors = Numbered<PropertyID, [BodyID]>()
  @exclusivity(unchecked) private var propertiesOfModels: [Name: [PropertyID]]?
  @exclusivity(unchecked) var isolations: [Ref: Isolation] = [:]
  @exclusivity(unchecked) private var exempt: [Ref: Bool] = [:]
  @exclusivity(unchecked) var subscriptsOfTypes: [TypeID: [FunctionID]] = [:]
  @exclusivity(unchecked) private var resultTypes = Numbered<BodyID, SwiftType?>()
  @exclusivity(unchecked) private var defaults = Numbered<FunctionID, [(Int, BodyID)]>()
  /// The properties that bodies assign, with those that they call.
  @exclusivity(unchecked) var assigned = Numbered<BodyID, Set<PropertyID>>()
  @exclusivity(unchecked) var assignedDirectly = Numbered<BodyID, Set<PropertyID>>()
  /// The bodies that bodies call by name.
  @exclusivity(unchecked) var callees = Numbered<BodyID, [BodyID]>()
  /// The properties that hold one model and that bodies read.
  @exclusivity(unchecked) var steadyModels = Numbered<BodyID, [PropertyID]>()
  /// The properties that objects get only where they are made.
  @exclusivity(unchecked) var givenOnce = Numbered<PropertyID, Bool>()

  @exclusivity(unchecked) private var conforming = Numbered<TypeID, [TypeID]>()
  @exclusivity(unchecked) private var implementations: [MethodKey: FunctionID?] = [:]
  @exclusivity(unchecked) var decoded = Numbered<PropertyID, Bool>()
  @exclusivity(unchecked) var receiving = Numbered<PropertyID, Bool>()

  private struct MethodKey: Hashable {
    let function: FunctionID
    let type: TypeID
  }

  private struct MemberKey: Hashable {
    let type: TypeID
    let name: Name
    let isStatic: Bool?
  }

  /// Whether realms and what they find are known by their types alone.
  let knowsRealms: Bool

  init(_ program: Program, _ bodies: Bodies, knowsRealms: Bool = false) {
    self.program = program
    self.bodies = bodies
    self.knowsRealms = knowsRealms
    usesRealm = !program.files(using: Frameworks.realm).isEmpty
    givesQueues = !program.files(using: Frameworks.underlyingQueue).isEmpty
  }

  /// Whether the system calls a body, or nothing that may mean it does by its name.
  func isEntry(_ id: BodyID, _ mentions: Mentions) -> Bool {
    let body = bodies[id]
    let isCalled: Bool?
    switch body.kind {
    case .file: isCalled = false
    case .function: isCalled = body.function.map { isMentioned(program.functions[$0].name) }
    case .initializer:
      isCalled = body.owner.map {
        !program.calls(named: program.types[$0].name).isEmpty
          || !program.calls(named: Frameworks.initializerName).isEmpty
      }
    case .getter:
      isCalled = body.property.map {
        isMentioned(program.properties[$0].name) && mentions.isMentioned(property: $0)
      }
    default: isCalled = nil
    }
    return isCalled == false && mayBegin(id)
  }

  private func isMentioned(_ name: Name) -> Bool {
    if let known = mentioned[name] { return known }
    let isMentioned = !program.uses(of: [name]).isEmpty
    mentioned[name] = isMentioned
    return isMentioned
  }

  /// Whether code may be run without a caller in the sources: no closure, and nothing exempt.
  func mayBegin(_ id: BodyID) -> Bool {
    let body = bodies[id]
    switch body.kind {
    case .closure, .initialValue: return false
    default: return !isExempt(body.place)
    }
  }

  func isExempt(_ place: Ref) -> Bool {
    if let known = exempt[place] { return known }
    let found = program.isExempt(place)
    exempt[place] = found
    return found
  }

  /// Whether few places make instances of a type, so that these are told apart.
  func isMadeSeldom(_ type: TypeID) -> Bool {
    if let known = seldomMade[type] { return known }
    let isSeldom = program.calls(named: program.types[type].name).count <= Self.fewMakers
    seldomMade[type] = isSeldom
    return isSeldom
  }

  private static let fewMakers = 3

  /// The type that a body's result has, where it is written.
  func resultType(of id: BodyID) -> SwiftType? {
    if let known = resultTypes[id] { return known }
    let body = bodies[id]
    var found: SwiftType? = .unknown
    if let function = body.function,
      body.kind == .function || body.kind == .getter && body.property == nil
    {
      let declaration = program.functions[function]
      found = declaration.result.map {
        program.type(ofTypeNode: Ref(file: Int(declaration.ref.file), node: $0))
      }
    } else if let property = body.property, body.kind == .getter || body.kind == .initialValue {
      let declaration = program.properties[property]
      found =
        declaration.type.map {
          program.type(ofTypeNode: Ref(file: Int(declaration.ref.file), node: $0))
        } ?? .unknown
    }
    resultTypes[id] = found
    return found
  }

  /// Whether a body that names no owner may return what decides where code runs or what it is.
  func mayReturnTelling(_ id: BodyID) -> Bool {
    let body = bodies[id]
    switch body.kind {
    case .getter, .initialValue, .function: break
    case .closure: return true
    default: return false
    }
    guard let type = resultType(of: id) else { return false }
    switch type.unwrapped {
    case .external(let name, _): return APITable.all.knows(name)
    case .declared(let type, _):
      return ![.classDecl, .actorDecl].contains(program.types[type].kind)
    default: return true
    }
  }

  /// What the result of a body that was not run is, as far as its type says.
  func typicalResult(of id: BodyID, _ table: OriginTable) -> OriginsID {
    guard let type = resultType(of: id) else { return OriginTable.plain }
    return value(of: type, table)
  }

  /// Whether Realm keeps a property: `@Persisted`, or dynamic as of old; one that a protocol asks for
  /// where each class that has it does.
  func isKept(_ property: PropertyID) -> Bool {
    let declaration = program.properties[property]
    if let owner = declaration.owner, program.types[owner].kind == .protocolDecl {
      let all = conformingTypes(to: owner)
      return !all.isEmpty
        && all.allSatisfy {
          guard program.isRealmObject($0),
            case .property(let own)? = member(declaration.name, of: $0), own != property
          else { return false }
          return isKept(own)
        }
    }
    return declaration.attributes.contains(Frameworks.persistedWrapper)
      || declaration.modifiers.contains("dynamic")
  }

  /// Whether a type's instances belong to a context or realm.
  func isModel(_ type: TypeID) -> Bool {
    program.isModel(type) || program.isRealmObject(type)
  }

  // MARK: Declarations

  func member(_ name: Name, of type: TypeID, isStatic: Bool? = nil) -> Declared? {
    let key = MemberKey(type: type, name: name, isStatic: isStatic)
    if let known = members[key] { return known }
    let found = program.member(name, of: type, isStatic: isStatic)
    members[key] = found
    return found
  }

  func target(_ call: Ref) -> CallTarget {
    if let known = targets[call] { return known }
    var found = program.callTarget(call)
    if case .functions(let ids) = found, let (type, name) = overloaded(by: ids, at: call) {
      found = .externalMethod(.external(type, []), name)
    }
    targets[call] = found
    return found
  }

  /// The row of a member that tells by its name which type of the frameworks has it; nil where the
  /// receiver is known, or where the sources have such a function of their own.
  func tellingRow(_ name: Name, of receiver: SwiftType) -> API? {
    guard receiver == .unknown, let type = Frameworks.tellingMembers[name],
      program.functions(named: name).isEmpty
    else { return nil }
    return APITable.all.row(name, of: type)
  }

  func getter(of property: PropertyID) -> BodyID? {
    accessors(of: property).last { bodies[$0].kind == .getter }
  }

  func setters(of property: PropertyID) -> [BodyID] {
    accessors(of: property).filter { [.setter, .observer].contains(bodies[$0].kind) }
  }

  private func accessors(of property: PropertyID) -> [BodyID] {
    if let known = accessors[property] { return known }
    var found: [BodyID] = []
    let declaration = program.properties[property]
    if let node = declaration.accessors {
      let all = Ref(file: Int(declaration.ref.file), node: node)
      found = program.descendants(all, .accessor).compactMap { bodies.body(at: $0) }
        .filter { bodies[$0].property == property }
    }
    accessors[property] = found
    return found
  }

  func initialValue(of property: PropertyID) -> BodyID? {
    let declaration = program.properties[property]
    return declaration.initializer.flatMap {
      bodies.body(at: Ref(file: Int(declaration.ref.file), node: $0))
    }
  }

  /// The properties of that name that models have.
  func propertiesOfModels(named name: Name) -> [PropertyID] {
    if let known = propertiesOfModels { return known[name] ?? [] }
    var found: [Name: [PropertyID]] = [:]
    for id in program.properties.indices {
      guard let owner = program.properties[id].owner,
        program.isModel(owner) || program.isRealmObject(owner)
      else { continue }
      found[program.properties[id].name, default: []].append(id)
    }
    propertiesOfModels = found
    return found[name] ?? []
  }
  func body(of function: FunctionID) -> BodyID? {
    bodies.body(at: program.functions[function].ref)
  }

  /// The bodies of the defaults of a function's parameters, by the parameter's number.
  func defaults(of function: FunctionID) -> [(Int, BodyID)] {
    if let known = defaults[function] { return known }
    let declaration = program.functions[function]
    var found: [(Int, BodyID)] = []
    for (index, parameter) in declaration.parameters.enumerated() where parameter.hasDefault {
      let node = Ref(file: Int(declaration.ref.file), node: parameter.node)
      guard let value = program.child(node, .expression), let code = bodies.body(at: value) else {
        continue
      }
      found.append((index, code))
    }
    defaults[function] = found
    return found
  }

  /// The types from elsewhere that a type inherits from.
  func externalBases(of type: TypeID) -> [Name] {
    if let known = externalBases[type] { return known }
    var found: [Name] = []
    for parent in program.lineage(of: type) {
      if program.types[parent].kind == .extensionDecl { found.append(program.types[parent].name) }
      for case .external(let name, _) in program.inherited(by: parent) { found.append(name) }
    }
    externalBases[type] = found
    return found
  }

  /// The functions that a call of one may run for an instance of a type: an override, a witness.
  func implementation(of function: FunctionID, in type: TypeID) -> FunctionID? {
    let key = MethodKey(function: function, type: type)
    if let known = implementations[key] { return known }
    let declaration = program.functions[function]
    let all = program.methods(declaration.name, of: type)
    let found = all.first {
      program.functions[$0].body != nil
        // What one type has twice differs in its result.
        && ($0 == function
          || program.functions[$0].owner != declaration.owner
            && program.haveOneSignature($0, function))
    }
    implementations[key] = found
    return found
  }

  /// The types of the sources that conform to a protocol in code that ships.
  func conformingTypes(to type: TypeID) -> [TypeID] {
    if let known = conforming[type] { return known }
    let found = program.conformingTypes(to: type)
    conforming[type] = found
    return found
  }

  // MARK: What comes in from outside

  /// The value of `self` where nobody in the sources calls the code.
  func receiver(of body: Body, _ owner: TypeID, _ table: OriginTable) -> OriginsID {
    if body.isStatic { return table.one(.type(owner)) }
    return value(of: .declared(owner), table)
  }

  /// The written types of a body's parameters.
  func parameterTypes(of body: Body) -> [SwiftType] {
    guard let id = body.function else {
      return Array(repeating: .unknown, count: body.parameterCount)
    }
    let function = program.functions[id]
    return function.parameters.map { parameter in
      parameter.type.map {
        program.type(ofTypeNode: Ref(file: Int(function.ref.file), node: $0))
      } ?? .unknown
    }
  }

  /// The stored properties of types that hold models or contexts, by their numbers.
  private(set) lazy var keptGiven: [PropertyID] = {
    let models = program.types.indices.filter { isGiven(.declared($0)) }
    let names = Set(models.map { program.types[$0].name }).union(Frameworks.contextTypes)
    return program.files(sharingTypesWith: program.files(usingAny: names)).flatMap { file in
      program.properties(inFile: file).filter { id in
        let property = program.properties[id]
        return property.owner != nil && !property.isComputed
          && isGiven(program.type(ofProperty: id))
      }
    }
  }()

  private static let flags: [Origin] = [.literal("true"), .literal("false")]

  /// A value without what a written type rules out: an object of a context is no text.
  func admitted(_ set: OriginsID, by type: SwiftType, _ table: OriginTable) -> OriginsID {
    switch type {
    case .optional(let inner):
      let rest = admitted(table.unwrapped(set), by: inner, table)
      return rest == table.unwrapped(set) ? set : table.union(rest, OriginTable.null)
    case .array(let inner), .set(let inner):
      return table.mapped(set) { origin in
        switch origin {
        case .collection(let part):
          return table.one(.collection(self.admitted(part, by: inner, table)))
        case .managed, .owner, .queue, .closure, .function, .tuple: return OriginTable.unknown
        case .holder(Frameworks.lazyView, _, _): return OriginTable.unknown
        default: return nil
        }
      }
    case .tuple(let types, let labels) where !labels.isEmpty && labels.count == types.count:
      // What is written without labels has those of the type.
      return table.mapped(set) { origin in
        guard case .tuple(let parts, _) = origin, parts.count == labels.count else {
          return nil
        }
        return table.one(.tuple(parts, labels))
      }
    case .external(let name, _):
      guard Frameworks.plainTypes.contains(name) else { return set }
      if table.sets[Int(set)].isOpen { return OriginTable.unknown }
      // A flag may decide something.
      return table.members(set).allSatisfy(Self.flags.contains) ? set : OriginTable.plain
    case .declared(let id, _):
      guard [.classDecl, .actorDecl, .structDecl, .enumDecl].contains(program.types[id].kind),
        !isModel(id)
      else { return set }
      return table.mapped(set) { origin in
        switch origin {
        case .managed, .owner, .collection, .dictionary, .queue, .closure, .function, .tuple:
          OriginTable.unknown
        // What another module keeps under a name: `NSApp.delegate`.
        case .enumCase where program.types[id].kind == .classDecl: OriginTable.unknown
        default: nil
        }
      }
    default: return set
    }
  }

  /// Whether a type is a realm, or what one has found.
  func isOfRealm(_ type: SwiftType) -> Bool {
    knowsRealms && (type.isExternal(Frameworks.realm) || type.isExternal(Frameworks.results))
  }

  /// Whether a value of a type is data that decides nothing and leads nowhere.
  func isData(_ type: SwiftType) -> Bool {
    if case .external(let name, _) = type { Frameworks.dataTypes.contains(name) } else { false }
  }

  /// Whether a stored property holds such data and nothing else.
  func holdsData(_ property: PropertyID) -> Bool {
    if let known = holdingData[property] { return known }
    let holds =
      program.properties[property].attributes.isEmpty && isData(program.type(ofProperty: property))
    holdingData[property] = holds
    return holds
  }

  /// What a property wrapper hands out: what SwiftUI's environment and fetches are.
  func wrapped(by property: PropertyID, _ table: OriginTable) -> OriginsID? {
    let declaration = program.properties[property]
    for attribute in declaration.attributes {
      if let made = Frameworks.fetchWrappers[attribute] {
        guard made == .realm else {
          let owner = Owner(framework: made, home: .main, site: nil)
          return table.one(.collection(table.one(.managed(owner))))
        }
        // Outside of views it opens its realm wherever it is read first, and freezes nothing.
        let isShown = program.isViewCode(declaration.ref)
        let owner = isShown ? Owner(frozenAt: declaration.ref) : .someRealm
        return table.one(.holder("Results", declaration.ref, table.one(.managed(owner))))
      }
      guard attribute == "Environment" else { continue }
      let node = Ref(file: Int(declaration.ref.file), node: declaration.declaration)
      for path in program.descendants(node, .keyPath) {
        if let made = Frameworks.environmentContexts[program.name(path)] {
          return table.one(.owner(Owner(framework: made, home: .main, site: nil)))
        }
      }
    }
    return nil
  }

  /// Whether a property's wrapper hands out a frozen copy of what it holds.
  func freezes(_ property: PropertyID) -> Bool {
    !Frameworks.freezingWrappers.isDisjoint(with: program.properties[property].attributes)
      && program.isViewCode(program.properties[property].ref)
  }

  /// The property wrappers of the sources that work out what they hand out, with that, by their names.
  private(set) lazy var wrappers: [Name: [PropertyID]] = Dictionary(
    grouping: program.types.indices.compactMap { id -> PropertyID? in
      let type = program.types[id]
      guard type.attributes.contains(Frameworks.propertyWrapper),
        case .property(let value)? = member(Frameworks.wrappedValue, of: id),
        program.properties[value].isComputed
      else { return nil }
      return value
    }, by: { program.properties[$0].owner.map { program.types[$0].name } ?? .none })

  /// The property wrappers of the sources that keep something, by their names.
  private(set) lazy var keepingWrappers: Set<Name> = Set(
    program.types.filter {
      $0.attributes.contains(Frameworks.propertyWrapper) && wrappers[$0.name] == nil
    }.map(\.name))

  /// What a wrapper of the sources hands out for a property, whichever it wraps.
  func wrapper(of property: PropertyID) -> PropertyID? {
    guard !wrappers.isEmpty else { return nil }
    for attribute in program.properties[property].attributes {
      if let found = wrappers[attribute] { return found.count == 1 ? found[0] : nil }
    }
    return nil
  }

  /// The properties that a wrapper of the sources wraps, by what it hands out.
  private(set) lazy var wrappedProperties: [PropertyID: [PropertyID]] = Dictionary(
    grouping: program.properties.indices.filter { wrapper(of: $0) != nil },
    by: { wrapper(of: $0) ?? $0 })

  /// The global actors of the sources that say nothing of where they run, by their names.
  private(set) lazy var globalActors: [Name: [TypeID]] = Dictionary(
    grouping: program.types.indices.filter { id in
      program.types[id].attributes.contains(Frameworks.globalActorAttribute)
        && member(Frameworks.sharedExecutorOfActor, of: id) == nil
        && member(Frameworks.executorOfActor, of: id) == nil
    }, by: { program.types[$0].name })
}
