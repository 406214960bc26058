import PersistSyntax

/// Whether `self` of a type belongs to a context.
private struct BelongsToContext: Query {
  let type: TypeID

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findContext(of: type) }
}

// MARK: - Homes of expressions

extension Program {
  /// The homes of the value of an expression, an argument or a part of one.
  package func contextHomes(of ref: Ref) -> ContextHomes {
    switch kind(ref) {
    case .expression: return homes(ofParts: children(ref))
    case .argument: return children(ref).first.map { contextHomes(of: $0) } ?? .unknown
    case .chain: return contextHomes(ofChain: ref, upTo: nil)
    case .array:
      return children(ref, .argument).reduce(.none) { $0.union(contextHomes(of: $1)) }
    case .tuple:
      let parts = children(ref, .argument)
      return parts.count == 1 ? contextHomes(of: parts[0]) : .unknown
    case .ifStatement, .switchStatement: return homes(ofBranches: ref)
    case .literal: return nameText(ref) == "nil" ? .none : .unknown
    default: return .unknown
    }
  }

  /// The homes of an expression's operands, of a ternary's condition none.
  private func homes(ofParts parts: [Ref]) -> ContextHomes {
    var operands: [Ref] = []
    for part in parts {
      switch kind(part) {
      case .tryMark, .awaitMark, .cast: continue
      case .binaryOperator:
        switch nameText(part) {
        case "?": operands = []
        case "??", ":", "+": continue
        default: return .unknown
        }
      default: operands.append(part)
      }
    }
    return operands.reduce(.none) { $0.union(contextHomes(of: $1)) }
  }

  private func homes(ofBranches ref: Ref) -> ContextHomes {
    var found = ContextHomes.none
    for branch in children(ref) {
      switch kind(branch) {
      case .block, .switchCase:
        let values = children(branch, .expression)
        guard let value = values.last else { continue }
        found.formUnion(contextHomes(of: value))
      case .ifStatement: found.formUnion(homes(ofBranches: branch))
      default: break
      }
    }
    return found
  }

  /// The homes of the value of a chain up to and without one of its suffixes, or of all of it.
  package func contextHomes(ofChain chain: Ref, upTo limit: Ref?) -> ContextHomes {
    let last = children(chain).last { part in
      limit.map { part < $0 } ?? true && kind(part) != .optionalChain && kind(part) != .force
    }
    guard let last else { return .unknown }
    switch kind(last) {
    case .name: return homes(ofName: last)
    case .member: return homes(ofMember: last, in: chain)
    case .call: return homes(ofCall: last, in: chain)
    case .subscriptSuffix: return contextHomes(ofChain: chain, upTo: last)
    default: return children(chain).first == last ? contextHomes(of: last) : .unknown
    }
  }

  private func homes(ofName name: Ref) -> ContextHomes {
    guard let declared = declared(name) else {
      guard self.name(name) == "viewContext", let owner = enclosingType(name),
        isPersistentContainer(.declared(owner)) || isPersistentContainer(selfType(owner))
      else { return .unknown }
      return ContextHomes(.main)
    }
    return homes(of: declared, at: name)
  }

  private func homes(of declared: Declared, at place: Ref) -> ContextHomes {
    switch declared {
    case .local(let local): return answer(HomesOfLocal(local: local))
    case .closureArgument(let closure, let index): return homes(ofArgument: index, of: closure)
    case .selfValue(let type): return homes(ofSelf: type)
    case .property(let id):
      return homes(ofProperty: id, at: place, of: ContextHomes(.receiver))
    default: return .unknown
    }
  }

  private func homes(ofSelf type: TypeID?) -> ContextHomes {
    type.map { belongsToContext($0) } ?? false ? ContextHomes(.receiver) : .unknown
  }

  private func homes(ofMember member: Ref, in chain: Ref) -> ContextHomes {
    let base = type(ofChain: chain, upTo: member)
    let whole = { self.contextHomes(ofChain: chain, upTo: member) }
    if let id = property(usedBy: member) { return homes(ofProperty: id, at: member, of: whole()) }
    if base.unwrapped.isCollection { return whole() }
    switch name(member) {
    case "viewContext": return isPersistentContainer(base) ? ContextHomes(.main) : .unknown
    case "managedObjectContext":
      return model(in: base) != nil || isResultsController(base) ? whole() : .unknown
    case "fetchedObjects": return isResultsController(base) ? whole() : .unknown
    case "self", "unsafelyUnwrapped": return whole()
    default: return .unknown
    }
  }

  /// The homes of a property at a use, whose owner has the homes of `receiver`.
  private func homes(
    ofProperty id: PropertyID, at place: Ref, of receiver: @autoclosure () -> ContextHomes
  )
    -> ContextHomes
  {
    let property = properties[id]
    if let owner = property.owner, !property.isStatic, !property.isComputed, isModel(owner) {
      return receiver()
    }
    return answer(HomesOfProperty(property: id)).flatMap { home in
      switch home {
      case .receiver: receiver()
      case .made(let node) where property.isComputed && contains(property.ref, node):
        ContextHomes(.made(place))
      default: ContextHomes(home)
      }
    }
  }

  // MARK: What has a home

  /// Whether a type is Core Data's controller of fetched results, which works in its context.
  private func isResultsController(_ type: SwiftType) -> Bool {
    type.unwrapped.isExternal("NSFetchedResultsController")
  }

  /// Whether a type is Core Data's container, or inherits from it.
  func isPersistentContainer(_ type: SwiftType) -> Bool {
    let names: [Name] = ["NSPersistentContainer", "NSPersistentCloudKitContainer"]
    if case .declared(let id) = type.unwrapped { return names.contains { inherits(id, from: $0) } }
    return names.contains { type.isExternal($0) }
  }

  /// Whether a type is a Core Data context.
  package func isManagedContext(_ type: SwiftType) -> Bool {
    isContext(type) && !type.isExternal("ModelContext")
  }

  /// The managed object's class that a value is or holds.
  package func managedModel(in type: SwiftType) -> TypeID? {
    model(in: type).flatMap { inherits($0, from: "NSManagedObject") ? $0 : nil }
  }

  /// Whether `self` of a type belongs to a context: a managed object, or a context.
  func belongsToContext(_ type: TypeID) -> Bool { answer(BelongsToContext(type: type)) }

  fileprivate func findContext(of type: TypeID) -> Bool {
    let whole = selfType(type)
    return isManagedContext(whole) || managedModel(in: whole) != nil
      || whole.isExternal("NSManagedObject")
      || inherits(type, from: "NSManagedObject") || inherits(type, from: "NSManagedObjectContext")
  }

  /// The type of `self` in a type, or in an extension of a type from elsewhere.
  func selfType(_ type: TypeID) -> SwiftType {
    types[type].kind == .extensionDecl ? .external(types[type].name, []) : .declared(type)
  }
}

// MARK: - Homes of calls' results

extension Program {
  private func homes(ofCall call: Ref, in chain: Ref) -> ContextHomes {
    guard let called = calledNode(call) else { return .unknown }
    if kind(called) == .closure { return answer(HomesOfResult(body: called)) }
    let method = calledName(call)
    switch callTarget(call) {
    case .functions:
      let found = homes(ofFunctions: functions(calledBy: call), at: call)
      return found.isOpen && method == "newBackgroundContext" ? ContextHomes(.made(call)) : found
    case .initializer(let type, _):
      if isManagedContext(.declared(type)) { return homes(ofContextMadeBy: call) }
      return managedModel(in: .declared(type)) == nil ? .unknown : homes(ofContextGivenTo: call)
    case .externalInitializer(let type):
      if isManagedContext(type) { return homes(ofContextMadeBy: call) }
      if isResultsController(type) {
        return argument(call, "managedObjectContext").map { contextHomes(of: $0) } ?? .unknown
      }
      guard type.isExternal("Array") || type.isExternal("Set") else { return .unknown }
      return children(call, .argument).first.map { contextHomes(of: $0) } ?? .none
    case .closure(.local(let local)) where kind(local) == .parameter:
      return ContextHomes(.returned(local))
    case .closure: return .unknown
    default: return homes(ofForeign: method, call, called)
    }
  }

  private func homes(ofForeign method: Name, _ call: Ref, _ called: Ref) -> ContextHomes {
    if method == "newBackgroundContext" { return ContextHomes(.made(call)) }
    if method == "insertNewObject" {
      return argument(call, "into").map { contextHomes(of: $0) } ?? .unknown
    }
    if Words.continuationCalls.contains(method) { return homes(resumedIn: call) }
    if kind(called) == .implicitMember { return .unknown }
    let receiver = receiverType(ofCall: call)
    if Words.contextGivers.contains(method) { return homes(ofReceiver: call) }
    if method == "perform" || method == "performAndWait" {
      return arguments(call).last.map { homes(ofClosureResult: $0) } ?? .unknown
    }
    if method == "execute", receiver.isExternal("NSFetchRequest") {
      if case .context(let homes) = queue(at: call) { return homes }
      return .unknown
    }
    if receiver.unwrapped.isCollection || receiver.unwrapped != receiver {
      if ["map", "compactMap", "flatMap"].contains(method), let argument = arguments(call).first {
        let made = homes(ofClosureResult: argument)
        return made.isOpen ? homes(ofReceiver: call) : made
      }
      return homes(ofReceiver: call)
    }
    return model(in: receiver) != nil ? homes(ofReceiver: call) : .unknown
  }

  /// The homes of what a call is made on, `self` where it stands for itself.
  func homes(ofReceiver call: Ref) -> ContextHomes {
    guard let called = calledNode(call), let chain = parent(call) else { return .unknown }
    if kind(called) == .member { return contextHomes(ofChain: chain, upTo: called) }
    return homes(ofSelf: enclosingType(call))
  }

  /// What an argument that is a closure returns.
  private func homes(ofClosureResult argument: Ref) -> ContextHomes {
    closure(in: argument).map { answer(HomesOfResult(body: $0)) } ?? .unknown
  }

  /// The closure that an argument is.
  func closure(in argument: Ref) -> Ref? {
    if kind(argument) == .closure { return argument }
    if let direct = child(argument, .closure) { return direct }
    guard let value = child(argument, .expression), children(value).count == 1,
      let chain = child(value, .chain), children(chain).count == 1
    else { return nil }
    return child(chain, .closure)
  }

  private func homes(resumedIn call: Ref) -> ContextHomes {
    descendants(call, .call).reduce(.none) { found, inner in
      guard calledName(inner) == "resume", let value = argument(inner, "returning") else {
        return found
      }
      return found.union(contextHomes(of: value))
    }
  }

  /// The queue that an initializer gives to the context that it makes.
  private func homes(ofContextMadeBy call: Ref) -> ContextHomes {
    for argument in children(call, .argument) {
      let text = text(argument).lowercased()
      if text.contains("private") { return ContextHomes(.made(call)) }
      if text.contains("mainqueue") { return ContextHomes(.main) }
    }
    return .unknown
  }

  /// The home of an object is the context that its initializer gets.
  private func homes(ofContextGivenTo call: Ref) -> ContextHomes {
    let given = children(call, .argument).first {
      isManagedContext(type(of: $0)) || Words.contextLabels.contains(label($0))
    }
    return given.map { contextHomes(of: $0) } ?? .unknown
  }

  /// The homes of what one of some functions gives at a call.
  private func homes(ofFunctions candidates: [FunctionID], at call: Ref) -> ContextHomes {
    var found = ContextHomes.none
    for id in candidates where functions[id].body != nil {
      let given = answer(HomesOfResult(body: functions[id].ref))
      found.formUnion(asSeen(given, at: call, of: id))
    }
    return found == .none ? .unknown : found
  }

  /// Homes as a function sees them, seen from a call of it.
  func asSeen(_ homes: ContextHomes, at call: Ref, of id: FunctionID) -> ContextHomes {
    homes.preferring { gives(call, $0, of: id) }.flatMap { home in
      switch home {
      case .made(let node) where contains(functions[id].ref, node): ContextHomes(.made(call))
      case .receiver: self.homes(ofReceiver: call)
      case .parameter(let parameter) where contains(functions[id].ref, parameter):
        self.homes(givenTo: parameter, of: id, at: call)
      case .returned(let parameter) where contains(functions[id].ref, parameter):
        self.homes(returnedTo: parameter, of: id, at: call)
      default: ContextHomes(home)
      }
    }
  }

  /// Whether a call gives what a parameter, that may be left out, stands for.
  private func gives(_ call: Ref, _ home: ContextHome, of id: FunctionID) -> Bool {
    guard case .parameter(let parameter) = home, mayBeLeftOut(parameter),
      let index = functions[id].parameters.firstIndex(where: { $0.node == Int(parameter.node) })
    else { return false }
    return argument(of: call, for: index, of: functions[id]).map { text($0) != "nil" } ?? false
  }

  /// Whether a parameter is nil where a caller leaves it out, so that something else stands in.
  func mayBeLeftOut(_ parameter: Ref) -> Bool {
    child(parameter, .expression).map { text($0) == "nil" } ?? false
  }

  private func homes(returnedTo parameter: Ref, of id: FunctionID, at call: Ref) -> ContextHomes {
    let function = functions[id]
    guard let index = function.parameters.firstIndex(where: { $0.node == Int(parameter.node) }),
      let given = argument(of: call, for: index, of: function), let closure = closure(in: given)
    else { return .unknown }
    return answer(HomesOfResult(body: closure))
  }

  private func homes(givenTo parameter: Ref, of id: FunctionID, at call: Ref) -> ContextHomes {
    let function = functions[id]
    guard let index = function.parameters.firstIndex(where: { $0.node == Int(parameter.node) })
    else { return .unknown }
    if let given = argument(of: call, for: index, of: function) { return contextHomes(of: given) }
    return child(parameter, .expression).map { contextHomes(of: $0) } ?? .unknown
  }
}
