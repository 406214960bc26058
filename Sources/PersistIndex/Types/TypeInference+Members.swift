import PersistSyntax

// MARK: - Types of members and of closures' arguments

extension Program {
  /// The type of a property: as annotated, as its wrapper says, or as its initializer tells.
  package func type(ofProperty id: PropertyID) -> SwiftType {
    guard let node = properties[id].type else { return answer(TypeOfInitialValue(property: id)) }
    let ref = Ref(file: Int(properties[id].ref.file), node: node)
    return answer(WrittenTypeOfProperty(node: ref))
      ?? opaqueType(ref, type(ofTypeNode: ref), ofProperty: properties[id])
      ?? narrowed(type(ofTypeNode: ref))
  }

  /// The type that a property is written with; nil for `some Protocol`.
  fileprivate func findWrittenType(_ node: Ref) -> SwiftType? {
    written(node)?.unwrapped.kind == .someType ? nil : narrowed(type(ofTypeNode: node))
  }

  fileprivate func findTypeOfInitialValue(_ id: PropertyID) -> SwiftType {
    let property = properties[id]
    let file = Int(property.ref.file)
    if kind(property.ref) == .boundName { return type(ofLocal: property.ref) }
    if let type = typeOfWrapper(at: Ref(file: file, node: property.declaration)) { return type }
    return property.initializer.map { type(of: Ref(file: file, node: $0)) } ?? .unknown
  }

  /// The type behind `some Protocol`, by the value or the getter of a property; nil for other types.
  private func opaqueType(_ node: Ref, _ type: SwiftType, ofProperty property: PropertyDeclaration)
    -> SwiftType?
  {
    guard written(node)?.unwrapped.kind == .someType, case .declared(let id, _) = type,
      isProtocol(id)
    else { return nil }
    let file = Int(property.ref.file)
    if let accessors = property.accessors.map({ Ref(file: file, node: $0) }) {
      let getter = children(accessors, .accessor).first { [.none, "get"].contains(name($0)) }
      return getter.flatMap { opaqueType(node, type, of: $0) }
    }
    guard let value = property.initializer.map({ Ref(file: file, node: $0) }),
      case .declared(let concrete, let arguments) = self.type(of: value),
      lineage(of: concrete).contains(id)
    else { return nil }
    return .declared(concrete, arguments)
  }

  /// The type of a property with generic parameters as they are.
  func signatureType(ofProperty id: PropertyID) -> SwiftType {
    guard let node = properties[id].type else { return type(ofProperty: id) }
    let type = signatureType(ofTypeNode: Ref(file: Int(properties[id].ref.file), node: node))
    return type.isOpen ? type : self.type(ofProperty: id)
  }

  /// The type of a property of a value.
  private func type(ofProperty id: PropertyID, of value: SwiftType) -> SwiftType {
    let type = signatureType(ofProperty: id)
    guard type.isOpen, let owner = properties[id].owner else { return type }
    return settled(type, bindings(of: value, in: owner))
  }

  /// The type of a member of a value, when it is not called.
  package func type(ofMember name: Name, of base: SwiftType) -> SwiftType {
    switch base {
    case .optional(let wrapped):
      let own = type(ofStandard: name, of: base)
      return own == .unknown ? type(ofMember: name, of: wrapped) : own
    case .metatype(let type): return typeOfStatic(name, of: type)
    case .declared: return typeOfInstance(name, of: base)
    case .tuple(let parts, let labels):
      return parts.indices.first { index in
        Name(String(index)) == name || index < labels.count && labels[index] == name
      }.map { parts[$0] } ?? .unknown
    case .external("NSFetchedResultsController", let found)
    where name == "fetchedObjects" && found.count == 1:
      return .optional(.array(found[0]))
    case .external, .array, .set, .dictionary:
      if let found = foreignMember(name, of: base, isStatic: false) { return found }
      let standard = type(ofStandard: name, of: base)
      if standard != .unknown { return standard }
      guard case .external(let type, _) = base else {
        // Of what is read like an array, only what a realm gives has one.
        if name == "realm" { return .optional(.external("Realm", [])) }
        return ["wrappedValue", "indices"].contains(name) ? base : .unknown
      }
      return Words.member(name, of: type)
    case .unknown: return typeOfTelling(name)
    case .function, .parameter, .associated: return .unknown
    }
  }

  /// The type of a member of something unknown, where its name tells it and the sources have no such
  /// function of their own.
  func typeOfTelling(_ name: Name) -> SwiftType {
    guard let type = Words.tellingMembers[name], functions(named: name).isEmpty else {
      return .unknown
    }
    return type
  }

  /// The type of a property from elsewhere whose signature is known.
  private func type(ofStandard name: Name, of base: SwiftType) -> SwiftType {
    let found = settled(
      Signatures.standard.property(name, of: base), Signatures.standard.bindings(of: base))
    return found.isKnown ? found : .unknown
  }

  /// What an extension of the sources gives to a type from elsewhere by a name; nil where none does.
  private func foreignMember(_ name: Name, of base: SwiftType, isStatic: Bool) -> SwiftType? {
    for external in extendedNames(of: base) {
      guard let foreign = foreignType(named: external) else { continue }
      if let id = property(name, of: foreign, isStatic: isStatic) {
        return type(ofProperty: id, of: base)
      }
      switch member(name, of: foreign, isStatic: isStatic) {
      case .type(let nested)? where isStatic: return .metatype(declaredType(nested))
      case .functions(let candidates)? where candidates.count == 1:
        return functionType(candidates[0])
      default: break
      }
    }
    return nil
  }

  /// The names of the types from elsewhere whose extensions a value has.
  func extendedNames(of type: SwiftType) -> [Name] {
    let simple: [Name]
    switch type {
    case .external(let name, _): simple = [name]
    // What a realm gives is read like an array.
    case .array: simple = ["Array", "Results", "List"]
    case .set: simple = ["Set"]
    case .dictionary: simple = ["Dictionary"]
    case .optional: simple = ["Optional"]
    default: return []
    }
    return simple + Words.supertypes(of: simple[0])
  }

  private func typeOfStatic(_ name: Name, of type: SwiftType) -> SwiftType {
    if name == "self" { return .metatype(type) }
    guard case .declared(let id, _) = type else {
      if let found = foreignMember(name, of: type, isStatic: true) { return found }
      if case .external(let external, _) = type { return Words.staticMember(name, of: external) }
      return .unknown
    }
    if let property = property(name, of: id, isStatic: true) {
      return self.type(ofProperty: property, of: type)
    }
    switch member(name, of: id, isStatic: true) {
    case .property(let property): return self.type(ofProperty: property)
    case .type(let nested): return .metatype(declaredType(nested))
    case .functions(let candidates):
      return candidates.count == 1 ? functionType(candidates[0]) : .unknown
    default:
      return enumElements(id).contains { self.name($0) == name } ? type : .unknown
    }
  }

  private func typeOfInstance(_ name: Name, of base: SwiftType) -> SwiftType {
    guard case .declared(let type, _) = base else { return .unknown }
    if name == "self" { return base }
    if let property = property(name, of: type, isStatic: false) {
      return self.type(ofProperty: property, of: base)
    }
    switch member(name, of: type, isStatic: false) {
    case .property(let property): return self.type(ofProperty: property)
    case .functions(let candidates):
      return candidates.count == 1 ? functionType(candidates[0]) : .unknown
    default:
      let own = implicitMember(name, of: type)
      return own == .unknown ? memberOfConforming(name, type) : own
    }
  }

  /// A member that a value of a protocol's type has by a class that it also belongs to: what all
  /// types have that conform.
  private func memberOfConforming(_ name: Name, _ type: TypeID) -> SwiftType {
    guard isProtocol(type) else { return .unknown }
    let found = Set(conformingTypes(to: type).map { implicitMember(name, of: $0) })
    return found.count == 1 ? found.first ?? .unknown : .unknown
  }

  /// The type of an element that a subscript takes out.
  func type(ofSubscript suffix: Ref, of base: SwiftType) -> SwiftType {
    switch base.unwrapped {
    case .array(let element):
      let isRange = child(suffix, .argument).map { spellsRange($0) } ?? false
      return isRange ? .array(element) : element
    case .dictionary(_, let value):
      let hasDefault = children(suffix, .argument).contains { label($0) == "default" }
      return hasDefault ? value : .optional(value)
    case .metatype(let type): return .metatype(type)
    case .declared(let id, _) where isModelActor(id):
      let cast = children(suffix, .argument).first { label($0) == "as" }.map { type(of: $0) }
      if case .metatype(let model)? = cast { return .optional(model) }
      return .unknown
    case .declared(let id, _): return type(ofSubscript: suffix, declaredBy: id, base.unwrapped)
    default: return .unknown
    }
  }

  /// What a subscript of a type of the sources gives, where one alone takes so many arguments.
  private func type(ofSubscript suffix: Ref, declaredBy type: TypeID, _ base: SwiftType)
    -> SwiftType
  {
    let given = arguments(suffix)
    let fitting = methods("subscript", of: type).filter { id in
      let parameters = functions[id].parameters
      return parameters.count == given.count
        && zip(parameters, given).allSatisfy { parameter, argument in
          // A subscript's parameter has a label only where two names are written.
          label(argument) == .none || label(argument) == parameter.label
        }
    }
    guard let only = fitting.first, fitting.count == 1, let owner = functions[only].owner else {
      return .unknown
    }
    var bindings = bindings(of: base, in: owner)
    for (wanted, argument) in zip(parameterTypes(of: only), given) {
      bind(wanted, to: self.type(of: argument), &bindings)
    }
    return settled(signatureResult(only), bindings)
  }

  /// Whether an argument is written as a range: `2...`, `..<count`, `from...to`.
  private func spellsRange(_ argument: Ref) -> Bool {
    let view = view(argument)
    let node = view[node: Int(argument.node)]
    var index = Int(node.first)
    while index < Int(node.end) {
      let token = view[token: index]
      switch token.kind {
      case .binaryOperator, .prefixOperator, .postfixOperator:
        let sign = view.bytes + Int(token.offset)
        if sign[0] == UInt8(ascii: "."), sign[1] == UInt8(ascii: ".") { return true }
      default: break
      }
      index = max(index, token.partner ?? index) + 1
    }
    return false
  }

  /// A member that a macro or a protocol from elsewhere gives to the type around a place.
  func implicitMember(_ name: Name, at place: Ref) -> SwiftType {
    guard let type = enclosingType(place) else { return .unknown }
    return implicitMember(name, of: type)
  }

  /// A member that a macro or a superclass from elsewhere gives to a type.
  func implicitMember(_ name: Name, of type: TypeID) -> SwiftType {
    if isModelActor(type) {
      if name == "modelContext" { return .external("ModelContext", []) }
      if name == "modelContainer" { return .external("ModelContainer", []) }
    } else if isManagedActor(type) {
      let found = Words.member(name, of: "NSModelActor")
      if found != .unknown { return found }
    }
    for owner in lineage(of: type) {
      for inherited in inherited(by: owner) {
        guard case .external(let parent, _) = inherited else { continue }
        let found = Words.member(name, of: parent)
        if found != .unknown { return found }
      }
      if types[owner].attributes.contains("Model") {
        let found = Words.member(name, of: "PersistentModel")
        if found != .unknown { return found }
      }
    }
    return .unknown
  }

  /// Whether a type has `@ModelActor` or conforms to `ModelActor`.
  package func isModelActor(_ type: TypeID) -> Bool {
    types[type].attributes.contains("ModelActor") || inherits(type, from: "ModelActor")
  }

  /// Whether a type is an actor with a context of Core Data: `@NSModelActor` of CoreDataEvolution.
  package func isManagedActor(_ type: TypeID) -> Bool {
    types[type].attributes.contains("NSModelActor") || inherits(type, from: "NSModelActor")
  }

  // MARK: Closures

  /// The type of an argument that a closure is called with, from the code that takes the closure.
  package func type(ofArgument index: Int, of closure: Ref) -> SwiftType {
    if case .function(let parameters, _) = expectedType(of: closure).unwrapped {
      let given =
        parameters.count == 1
        ? part(index, of: parameters[0], in: closure)
        : index < parameters.count ? parameters[index] : .unknown
      if given != .unknown { return given }
    }
    guard let (call, _) = callTaking(closure) else { return .unknown }
    switch callTarget(call) {
    case .functions, .initializer: return .unknown
    default: return type(ofArgument: index, of: closure, handedTo: call)
    }
  }

  /// The same for a function from elsewhere whose signature isn't known.
  private func type(ofArgument index: Int, of closure: Ref, handedTo call: Ref) -> SwiftType {
    let receiver = receiverType(ofCall: call)
    let method = calledName(call)
    if method == "custom", index == 0, argument(call, "fromVersion") != nil {
      return .external("ModelContext", [])
    }
    if method == "performBackgroundTask", index == 0 {
      return .external("NSManagedObjectContext", [])
    }
    if method == "Predicate", index == 0 { return subject(ofPredicate: call) }
    if index == 0, let handed = Words.closureArguments[method] { return handed }
    if method == "sink" || method == "handleEvents" {
      return typePublished(to: call, index, closure)
    }
    switch receiver.unwrapped {
    case .array, .set, .dictionary:
      guard Words.elementMethods.contains(method) else { return .unknown }
      return part(index, of: receiver.element, in: closure)
    default: break
    }
    return index == 0 ? Words.databaseArgument(ofMethod: method, receiver: receiver) : .unknown
  }

  /// What `sink` of a publisher gets that a property holds or has.
  private func typePublished(to call: Ref, _ index: Int, _ closure: Ref) -> SwiftType {
    guard takesValues(closure, of: call), let source = publishedSource(of: call) else {
      return .unknown
    }
    if nameText(source).hasPrefix("$") {
      return index == 0
        ? propertyPublished(by: source).map { type(ofProperty: $0) } ?? .unknown : .unknown
    }
    guard case .external(let publisher, let arguments) = type(of: source).unwrapped,
      Words.publisherTypes.contains(publisher), let output = arguments.first
    else { return .unknown }
    return part(index, of: output, in: closure)
  }

  /// Whether a closure that `sink` or `handleEvents` takes gets values, and no completion.
  func takesValues(_ closure: Ref, of call: Ref) -> Bool {
    guard let (_, label) = callTaking(closure) else { return false }
    if label == .none {
      return calledName(call) == "sink" && argument(call, "receiveValue") == nil
    }
    return label == "receiveValue" || label == "receiveOutput"
  }

  /// An argument of a closure that is called with one value, which may be a tuple taken apart.
  private func part(_ index: Int, of value: SwiftType, in closure: Ref) -> SwiftType {
    if case .tuple(let parts, _) = value, parts.count == parameterCount(of: closure),
      index < parts.count
    {
      return parts[index]
    }
    return index == 0 ? value : .unknown
  }

  /// How many parameters a closure names, or how many of `$0` and so on it uses.
  func parameterCount(of closure: Ref) -> Int {
    if let list = child(closure, .parameters) { return children(list, .parameter).count }
    return descendants(closure, .name).reduce(0) { count, name in
      guard nameText(name).hasPrefix("$"),
        case .closureArgument(closure, let index)? = declared(name)
      else { return count }
      return max(count, index + 1)
    }
  }

  /// The call that a closure is an argument of, and the label it has there.
  package func callTaking(_ closure: Ref) -> (call: Ref, label: Name)? {
    guard let holder = parent(closure) else { return nil }
    switch kind(holder) {
    case .call: return (holder, .none)
    case .argument: return parent(holder).flatMap { kind($0) == .call ? ($0, label(holder)) : nil }
    case .chain:
      guard children(holder).count == 1, let expression = parent(holder),
        let argument = parent(expression), kind(argument) == .argument, let call = parent(argument),
        kind(call) == .call
      else { return nil }
      return (call, label(argument))
    default: return nil
    }
  }
}

/// The type that a property is written with; nil for `some Protocol`.
struct WrittenTypeOfProperty: Query {
  let node: Ref

  func _rawHashValue(seed: Int) -> Int { node._rawHashValue(seed: seed) }
  static var provisional: SwiftType? { nil }
  static func memo(in program: Program) -> Memo<Self> { program.writtenTypes }
  func answer(in program: Program) -> SwiftType? { program.findWrittenType(node) }
}

/// The type of a property that is written nowhere.
struct TypeOfInitialValue: Query {
  let property: PropertyID

  func _rawHashValue(seed: Int) -> Int { UInt64(truncatingIfNeeded: property).scattered(seed) }
  static func memo(in program: Program) -> Memo<Self> { program.typesOfInitialValues }
  static var provisional: SwiftType { .unknown }
  static var isEmptyInCycles: Bool { true }
  func answer(in program: Program) -> SwiftType { program.findTypeOfInitialValue(property) }
}
