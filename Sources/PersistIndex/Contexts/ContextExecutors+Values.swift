import PersistSyntax

/// Whether `self` of a type belongs to a context.
private struct BelongsToContext: Query {
  let type: TypeID

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findContext(of: type) }
}

// MARK: - Executors of expressions

extension Program {
  /// The executors of the value of an expression, an argument or a part of one.
  package func contextExecutors(of ref: Ref) -> ContextExecutors {
    switch kind(ref) {
    case .expression: return executors(ofParts: children(ref))
    case .argument: return children(ref).first.map { contextExecutors(of: $0) } ?? .unknown
    case .chain: return contextExecutors(ofChain: ref, upTo: nil)
    case .array:
      return children(ref, .argument).reduce(.none) { $0.union(contextExecutors(of: $1)) }
    case .dictionary: return executors(ofDictionary: ref)
    case .tuple: return executors(ofTuple: ref)
    case .ifStatement, .switchStatement: return executors(ofBranches: ref)
    case .literal: return nameText(ref) == "nil" ? .none : .unknown
    default: return .unknown
    }
  }

  /// The executors of an expression's operands, of a ternary's condition none.
  private func executors(ofParts parts: [Ref]) -> ContextExecutors {
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
    return operands.reduce(.none) { $0.union(contextExecutors(of: $1)) }
  }

  private func executors(ofBranches ref: Ref) -> ContextExecutors {
    var found = ContextExecutors.none
    for branch in children(ref) {
      switch kind(branch) {
      case .block, .switchCase:
        let values = children(branch, .expression)
        guard let value = values.last else { continue }
        found.formUnion(contextExecutors(of: value))
      case .ifStatement: found.formUnion(executors(ofBranches: branch))
      default: break
      }
    }
    return found
  }

  /// The executors of the value of a chain up to and without one of its suffixes, or of all of it.
  package func contextExecutors(ofChain chain: Ref, upTo limit: Ref?) -> ContextExecutors {
    let last = children(chain).last { part in
      limit.map { part < $0 } ?? true && kind(part) != .optionalChain && kind(part) != .force
    }
    guard let last else { return .unknown }
    switch kind(last) {
    case .name: return executors(ofName: last)
    case .member: return executors(ofMember: last, in: chain)
    case .call: return executors(ofCall: last, in: chain)
    case .subscriptSuffix: return contextExecutors(ofChain: chain, upTo: last)
    default: return children(chain).first == last ? contextExecutors(of: last) : .unknown
    }
  }

  private func executors(ofName name: Ref) -> ContextExecutors {
    guard let declared = declared(name) else {
      guard self.name(name) == "viewContext", let owner = enclosingType(name),
        isPersistentContainer(.declared(owner)) || isPersistentContainer(selfType(owner))
      else { return .unknown }
      return ContextExecutors(.main)
    }
    return executors(of: declared, at: name)
  }

  private func executors(of declared: Declared, at place: Ref) -> ContextExecutors {
    switch declared {
    case .local(let local): return answer(ExecutorsOfLocal(local: local))
    case .closureArgument(let closure, let index): return executors(ofArgument: index, of: closure)
    case .selfValue(let type): return executors(ofSelf: type)
    case .property(let id):
      return executors(ofProperty: id, at: place, of: ContextExecutors(.receiver))
    default: return .unknown
    }
  }

  private func executors(ofSelf type: TypeID?) -> ContextExecutors {
    type.map { belongsToContext($0) } ?? false ? ContextExecutors(.receiver) : .unknown
  }

  private func executors(ofMember member: Ref, in chain: Ref) -> ContextExecutors {
    let base = type(ofChain: chain, upTo: member)
    let whole = { self.contextExecutors(ofChain: chain, upTo: member) }
    if let id = property(usedBy: member) {
      return executors(ofProperty: id, at: member, of: whole())
    }
    if base.unwrapped.isCollection || base.isTuple { return whole() }
    switch name(member) {
    case "viewContext": return isPersistentContainer(base) ? ContextExecutors(.main) : .unknown
    case "mainContext":
      return base.isExternal("ModelContainer") ? ContextExecutors(.main) : .unknown
    case "managedObjectContext":
      return model(in: base) != nil || isResultsController(base) ? whole() : .unknown
    case "fetchedObjects": return isResultsController(base) ? whole() : .unknown
    case "self", "unsafelyUnwrapped": return whole()
    default: return .unknown
    }
  }

  /// The executors of a property at a use, whose owner has the executors of `receiver`.
  private func executors(
    ofProperty id: PropertyID, at place: Ref, of receiver: @autoclosure () -> ContextExecutors
  )
    -> ContextExecutors
  {
    let property = properties[id]
    if let owner = property.owner, !property.isStatic, !property.isComputed, isModel(owner) {
      return receiver()
    }
    return answer(ExecutorsOfProperty(property: id)).flatMap { executor in
      switch executor {
      case .receiver: receiver()
      case .made(let node) where property.isComputed && contains(property.ref, node):
        ContextExecutors(.made(place))
      default: ContextExecutors(executor)
      }
    }
  }

  // MARK: What has an executor

  /// Whether a type is Core Data's controller of fetched results, which works in its context.
  private func isResultsController(_ type: SwiftType) -> Bool {
    type.unwrapped.isExternal("NSFetchedResultsController")
  }

  /// Whether a type is Core Data's container, or inherits from it.
  func isPersistentContainer(_ type: SwiftType) -> Bool {
    let names: [Name] = ["NSPersistentContainer", "NSPersistentCloudKitContainer"]
    if case .declared(let id, _) = type.unwrapped {
      return names.contains { inherits(id, from: $0) }
    }
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

// MARK: - Executors of calls' results

extension Program {
  private func executors(ofCall call: Ref, in chain: Ref) -> ContextExecutors {
    guard let called = calledNode(call) else { return .unknown }
    if kind(called) == .closure { return answer(ExecutorsOfResult(body: called)) }
    // `[Item]()` and `[String: Item]()` hold nothing yet.
    if [.array, .dictionary].contains(kind(called)) { return .none }
    let method = calledName(call)
    switch callTarget(call) {
    case .functions:
      let found = executors(ofFunctions: functions(calledBy: call), at: call)
      return found.isOpen && method == "newBackgroundContext"
        ? ContextExecutors(.made(call)) : found
    case .initializer(let type, _):
      if isManagedContext(.declared(type)) { return executors(ofContextMadeBy: call) }
      return managedModel(in: .declared(type)) == nil ? .unknown : executors(ofContextGivenTo: call)
    case .externalInitializer(let type):
      if isManagedContext(type) { return executors(ofContextMadeBy: call) }
      if isResultsController(type) {
        return argument(call, "managedObjectContext").map { contextExecutors(of: $0) } ?? .unknown
      }
      guard type.isExternal("Array") || type.isExternal("Set") else { return .unknown }
      return children(call, .argument).first.map { contextExecutors(of: $0) } ?? .none
    case .closure(.local(let local)) where kind(local) == .parameter:
      return ContextExecutors(.returned(local))
    case .closure: return .unknown
    default: return executors(ofForeign: method, call, called)
    }
  }

  private func executors(ofForeign method: Name, _ call: Ref, _ called: Ref) -> ContextExecutors {
    if method == "newBackgroundContext" || makesForeignContext(call) {
      return ContextExecutors(.made(call))
    }
    if method == "insertNewObject" {
      return argument(call, "into").map { contextExecutors(of: $0) } ?? .unknown
    }
    if Words.continuationCalls.contains(method) { return executors(resumedIn: call) }
    if kind(called) == .implicitMember { return .unknown }
    let receiver = receiverType(ofCall: call)
    if Words.contextGivers.contains(method) { return executors(ofReceiver: call) }
    if method == "perform" || method == "performAndWait" {
      return arguments(call).last.map { executors(ofClosureResult: $0) } ?? .unknown
    }
    if method == "execute", receiver.isExternal("NSFetchRequest") {
      if case .context(let executors) = queue(at: call) { return executors }
      return .unknown
    }
    if receiver.unwrapped.isCollection || receiver.unwrapped != receiver {
      if ["map", "compactMap", "flatMap"].contains(method), let argument = arguments(call).first {
        let made = executors(ofClosureResult: argument)
        return made.isOpen ? executors(ofReceiver: call) : made
      }
      return executors(ofReceiver: call)
    }
    return model(in: receiver) != nil ? executors(ofReceiver: call) : .unknown
  }

  /// Whether the name of a method from elsewhere says that it makes a background context.
  func makesForeignContext(_ call: Ref) -> Bool {
    guard let called = calledNode(call), kind(called) == .member else { return false }
    let words = nameText(called).camelWords
    return words.first == "new" && words.suffix(2) == ["background", "context"]
  }

  /// The executors of what a call is made on, `self` where it stands for itself.
  func executors(ofReceiver call: Ref) -> ContextExecutors {
    guard let called = calledNode(call), let chain = parent(call) else { return .unknown }
    if kind(called) == .member { return contextExecutors(ofChain: chain, upTo: called) }
    return executors(ofSelf: enclosingType(call))
  }

  /// What an argument that is a closure returns.
  private func executors(ofClosureResult argument: Ref) -> ContextExecutors {
    closure(in: argument).map { answer(ExecutorsOfResult(body: $0)) } ?? .unknown
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

  private func executors(resumedIn call: Ref) -> ContextExecutors {
    descendants(call, .call).reduce(.none) { found, inner in
      guard calledName(inner) == "resume", let value = argument(inner, "returning") else {
        return found
      }
      return found.union(contextExecutors(of: value))
    }
  }

  /// The queue that an initializer gives to the context that it makes.
  private func executors(ofContextMadeBy call: Ref) -> ContextExecutors {
    for argument in children(call, .argument) {
      let names = subtree(argument).lazy.map { Ref(file: Int(argument.file), node: Int($0)) }
        .filter { [.name, .member, .implicitMember].contains(self.kind($0)) }
        .map { self.nameText($0).camelWords }
      if names.contains(where: { $0.contains("private") }) { return ContextExecutors(.made(call)) }
      if names.contains(where: { $0.starts(with: ["main", "queue"]) }) {
        return ContextExecutors(.main)
      }
    }
    return .unknown
  }

  /// The executor of an object is the context that its initializer gets.
  private func executors(ofContextGivenTo call: Ref) -> ContextExecutors {
    let given = children(call, .argument).first {
      isManagedContext(type(of: $0)) || Words.contextLabels.contains(label($0))
    }
    return given.map { contextExecutors(of: $0) } ?? .unknown
  }

  /// The executors of what one of some functions gives at a call.
  private func executors(ofFunctions candidates: [FunctionID], at call: Ref) -> ContextExecutors {
    var found = ContextExecutors.none
    for id in candidates where functions[id].body != nil {
      let given = answer(ExecutorsOfResult(body: functions[id].ref))
      found.formUnion(asSeen(given, at: call, of: id))
    }
    return found == .none ? .unknown : found
  }

  /// Executors as a function sees them, seen from a call of it.
  func asSeen(_ executors: ContextExecutors, at call: Ref, of id: FunctionID) -> ContextExecutors {
    executors.preferring { gives(call, $0, of: id) }.flatMap { executor in
      switch executor {
      case .made(let node) where contains(functions[id].ref, node): ContextExecutors(.made(call))
      case .receiver: self.executors(ofReceiver: call)
      case .parameter(let parameter) where contains(functions[id].ref, parameter):
        self.executors(givenTo: parameter, of: id, at: call)
      case .returned(let parameter) where contains(functions[id].ref, parameter):
        self.executors(returnedTo: parameter, of: id, at: call)
      default: ContextExecutors(executor)
      }
    }
  }

  /// Whether a call gives what a parameter, that may be left out, stands for.
  func gives(_ call: Ref, _ executor: ContextExecutor, of id: FunctionID) -> Bool {
    guard case .parameter(let parameter) = executor, mayBeLeftOut(parameter),
      let index = functions[id].parameters.firstIndex(where: { $0.node == Int(parameter.node) })
    else { return false }
    return argument(of: call, for: index, of: functions[id]).map { !isNil($0) } ?? false
  }

  /// Whether a parameter is nil where a caller leaves it out, so that something else stands in.
  func mayBeLeftOut(_ parameter: Ref) -> Bool {
    child(parameter, .expression).map { isNil($0) } ?? false
  }

  private func executors(returnedTo parameter: Ref, of id: FunctionID, at call: Ref)
    -> ContextExecutors
  {
    let function = functions[id]
    guard let index = function.parameters.firstIndex(where: { $0.node == Int(parameter.node) }),
      let given = argument(of: call, for: index, of: function), let closure = closure(in: given)
    else { return .unknown }
    return answer(ExecutorsOfResult(body: closure))
  }

  private func executors(givenTo parameter: Ref, of id: FunctionID, at call: Ref)
    -> ContextExecutors
  {
    let function = functions[id]
    guard let index = function.parameters.firstIndex(where: { $0.node == Int(parameter.node) })
    else { return .unknown }
    if let given = argument(of: call, for: index, of: function) {
      return contextExecutors(of: given)
    }
    return child(parameter, .expression).map { contextExecutors(of: $0) } ?? .unknown
  }
}
