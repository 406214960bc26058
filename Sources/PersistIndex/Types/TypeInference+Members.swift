import PersistSyntax

// MARK: - Types of members and of closures' arguments

extension Program {
  /// The type of a property: as annotated, as its wrapper says, or as its initializer tells.
  package func type(ofProperty id: PropertyID) -> SwiftType {
    let property = properties[id]
    let file = Int(property.ref.file)
    if kind(property.ref) == .boundName { return type(ofLocal: property.ref) }
    if let node = property.type { return type(ofTypeNode: Ref(file: file, node: node)) }
    if let type = typeOfWrapper(at: Ref(file: file, node: property.declaration)) { return type }
    guard let initializer = property.initializer else { return .unknown }
    return type(of: Ref(file: file, node: initializer))
  }

  /// The type of a member of a value, when it is not called.
  package func type(ofMember name: Name, of base: SwiftType) -> SwiftType {
    switch base {
    case .optional(let wrapped): return type(ofMember: name, of: wrapped)
    case .metatype(let type): return typeOfStatic(name, of: type)
    case .declared(let type): return typeOfInstance(name, of: type)
    case .tuple(let parts, let labels):
      return parts.indices.first { index in
        Name(String(index)) == name || index < labels.count && labels[index] == name
      }.map { parts[$0] } ?? .unknown
    case .array(let element): return collectionMember(name, element, whole: base)
    case .set(let element): return collectionMember(name, element, whole: .array(element))
    case .dictionary(let key, let value):
      return name == "values" ? .array(value) : name == "keys" ? .array(key) : .unknown
    case .external("NSFetchedResultsController", let found)
    where name == "fetchedObjects" && found.count == 1:
      return .optional(.array(found[0]))
    case .external(let type, _):
      if let foreign = foreignType(named: type), case .property(let id)? = member(name, of: foreign)
      {
        return self.type(ofProperty: id)
      }
      return Words.member(name, of: type)
    case .unknown, .function: return .unknown
    }
  }

  private func typeOfStatic(_ name: Name, of type: SwiftType) -> SwiftType {
    if name == "self" { return .metatype(type) }
    guard case .declared(let id) = type else {
      if case .external(let external, _) = type {
        if let foreign = foreignType(named: external),
          case .property(let id)? = member(name, of: foreign)
        {
          return self.type(ofProperty: id)
        }
        return Words.staticMember(name, of: external)
      }
      return .unknown
    }
    switch member(name, of: id) {
    case .property(let property): return self.type(ofProperty: property)
    case .type(let nested): return .metatype(declaredType(nested))
    case .functions(let candidates):
      return candidates.count == 1 ? .function(resultType(candidates[0])) : .unknown
    default:
      return enumElements(id).contains { self.name($0) == name } ? type : .unknown
    }
  }

  private func typeOfInstance(_ name: Name, of type: TypeID) -> SwiftType {
    if name == "self" { return .declared(type) }
    switch member(name, of: type) {
    case .property(let property): return self.type(ofProperty: property)
    case .functions(let candidates):
      return candidates.count == 1 ? .function(resultType(candidates[0])) : .unknown
    default: return implicitMember(name, of: type)
    }
  }

  private func collectionMember(_ name: Name, _ element: SwiftType, whole: SwiftType) -> SwiftType {
    switch name {
    case "first", "last": .optional(element)
    case "lazy", "indices": whole
    case "count": .external("Int", [])
    case "isEmpty": .external("Bool", [])
    case "wrappedValue": whole
    default: .unknown
    }
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
    case .declared(let id) where isModelActor(id):
      let cast = children(suffix, .argument).first { label($0) == "as" }.map { type(of: $0) }
      if case .metatype(let model)? = cast { return .optional(model) }
      return .unknown
    default: return .unknown
    }
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

  // MARK: Closures

  /// The type of an argument that a closure is called with, from the call that takes the closure.
  package func type(ofArgument index: Int, of closure: Ref) -> SwiftType {
    guard let (call, _) = callTaking(closure) else {
      return functionTypeNode(ofHeld: closure).map { typeOfArgument(index, inFunctionType: $0) }
        ?? .unknown
    }
    if let type = typeFromFunction(call, closure, index) { return type }
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
    case .array, .set: return elementArgument(method, index, receiver, closure)
    default: break
    }
    if case .dictionary(let key, let value) = receiver.unwrapped {
      guard Words.elementMethods.contains(method) else { return .unknown }
      return part(index, of: .tuple([key, value], ["key", "value"]), in: closure)
    }
    if index == 0 {
      let given = Words.databaseArgument(ofMethod: method, receiver: receiver)
      if given != .unknown { return given }
    }
    if method == "Dictionary", let grouped = argument(call, "grouping"), index == 0 {
      return type(of: grouped).element
    }
    if method == "ForEach" || method == "List" || method == "Table", index == 0,
      let argument = child(call, .argument)
    {
      return type(of: argument).element
    }
    if method == "map" || method == "flatMap", receiver.unwrapped != receiver, index == 0 {
      return receiver.unwrapped
    }
    return .unknown
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

  private func elementArgument(_ method: Name, _ index: Int, _ receiver: SwiftType, _ closure: Ref)
    -> SwiftType
  {
    let count = parameterCount(of: closure)
    if Words.pairMethods.contains(method), index < 2, count == 2 { return receiver.element }
    if Words.elementMethods.contains(method) {
      return part(index, of: receiver.element, in: closure)
    }
    if method == "reduce", index == 1 { return receiver.element }
    return .unknown
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
      guard case .closureArgument(closure, let index)? = declared(name) else { return count }
      return max(count, index + 1)
    }
  }

  /// What the called functions of the sources say of their closure parameter's arguments.
  private func typeFromFunction(_ call: Ref, _ closure: Ref, _ index: Int) -> SwiftType? {
    switch callTarget(call) {
    case .initializer(let type, let candidates) where candidates.isEmpty:
      return property(of: type, keeping: closure, in: call).flatMap { id in
        properties[id].type.map { node in
          typeOfArgument(
            index, inFunctionType: Ref(file: Int(properties[id].ref.file), node: node))
        }
      } ?? .unknown
    case .functions(let candidates), .initializer(_, let candidates):
      let found = Set(candidates.map { typeFromFunction($0, call, closure, index) })
      return found.count == 1 ? found.first : .unknown
    default: return nil
    }
  }

  /// The type that is written for the variable or property that a closure is the value of.
  private func functionTypeNode(ofHeld closure: Ref) -> Ref? {
    if let binding = bindingOfClosure(closure) { return child(binding, .type) }
    guard let id = propertySet(to: closure), let node = properties[id].type else { return nil }
    return Ref(file: Int(properties[id].ref.file), node: node)
  }

  private func typeOfArgument(_ index: Int, inFunctionType node: Ref) -> SwiftType {
    let list = outline(node).closureParameterTokens(ofType: Int(node.node))
    guard index < list.count else { return .unknown }
    var reader = TypeReader(self, tokens: list[index], at: node)
    return reader.read()
  }

  private func typeFromFunction(_ id: FunctionID, _ call: Ref, _ closure: Ref, _ index: Int)
    -> SwiftType
  {
    let function = functions[id]
    guard let parameter = parameter(of: function, taking: closure, in: call),
      let node = parameter.type
    else { return .unknown }
    let ref = Ref(file: Int(function.ref.file), node: node)
    let list = outline(ref).closureParameterTokens(ofType: node)
    guard index < list.count else { return .unknown }
    var reader = TypeReader(self, tokens: list[index], at: ref)
    let type = reader.read()
    if type.isExternal("Element"), isStandIn(function.owner) {
      return receiverType(ofCall: call).element
    }
    guard type == .unknown, list[index].count == 1 else { return type }
    return bound(outline(ref).name(ofToken: list[index].lowerBound), of: function, in: call)
  }

  private func isStandIn(_ owner: TypeID?) -> Bool {
    owner.map { types[$0].kind == .extensionDecl } ?? false
  }

  /// What a call's arguments say of a generic parameter: those for `T`, `T?`, `[T]` and `Set<T>`.
  private func bound(_ name: Name, of function: FunctionDeclaration, in call: Ref) -> SwiftType {
    guard scope(ofGenericParameter: name, at: function.ref) == function.ref else { return .unknown }
    for (index, parameter) in function.parameters.enumerated() {
      guard let node = parameter.type, let argument = argument(of: call, for: index, of: function)
      else { continue }
      let type = Ref(file: Int(function.ref.file), node: node)
      let names = outline(type).tokenNames(of: node)
      guard names.last == name, !holds(.leftParen, in: type) else { continue }
      let given = self.type(of: argument)
      if names == [name] {
        guard let written = written(type) else { return given }
        if written.unwrapped.kind == .arrayType { return given.element }
        return written.isOptional ? given.unwrapped : given
      }
      if names.count == 2 { return given.element }
    }
    return .unknown
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

extension Outline {
  /// The token ranges of the parameters of a function type such as `@Sendable (A, B) -> C`.
  func closureParameterTokens(ofType node: Int) -> [Range<Int>] {
    var token = Int(nodes[node].first)
    let end = Int(nodes[node].end)
    while token < end, tokens[token].kind != .leftParen { token += 1 }
    guard token < end, var partner = tokens[token].partner, partner < end else { return [] }
    if partner + 1 < end, tokens[partner + 1].kind == .postfixQuestion,
      tokens[token + 1].kind == .leftParen || tokens[token + 1].kind == .at
    {
      while token < partner, tokens[token + 1].kind != .leftParen { token += 1 }
      token += 1
      guard token < partner, let inner = tokens[token].partner else { return [] }
      partner = inner
    }
    var ranges: [Range<Int>] = []
    var start = token + 1
    var scan = start
    while scan <= partner {
      if scan == partner || tokens[scan].kind == .comma {
        if start < scan { ranges.append(start..<scan) }
        start = scan + 1
        scan += 1
      } else {
        scan = tokens[scan].kind.isBracket ? max(scan, tokens[scan].partner ?? scan) + 1 : scan + 1
      }
    }
    return ranges
  }
}
