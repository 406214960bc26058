import PersistFlow
import PersistIndex
import PersistSyntax

/// A look-up of an object by an identifier from elsewhere.
struct IdentifierLookup {
  let call: Ref
  /// The expression that casts the object.
  let expression: Ref
  let model: TypeID
  /// The method of the context that it comes to.
  let method: Name
}

/// The look-ups of a program whose identifier may be older than a deletion: calls of `model(for:)`
/// and `object(with:)`, and of functions of the sources that hand on what these return.
struct IdentifierLookups {
  private(set) var all: [IdentifierLookup] = []
  let program: Program

  init(_ program: Program) {
    self.program = program
    let calls =
      program.calls(named: "model").filter { program.argument($0, "for") != nil }
      + program.calls(named: "object").filter { program.argument($0, "with") != nil }
    for call in calls.sorted() where !program.isExempt(call) {
      guard program.arguments(call).count == 1, isContexts(call) else { continue }
      let method = program.calledName(call)
      if let argument = program.arguments(call).first, comesFromElsewhere(argument, at: call),
        let found = cast(call, method)
      {
        all.append(found)
      }
      addCalls(ofWrapperAround: call, method)
    }
    all.sort { $0.call < $1.call }
  }

  private func isContexts(_ call: Ref) -> Bool {
    switch program.callTarget(call) {
    case .externalMethod(let receiver, _): return program.isContext(receiver)
    case .functions:
      // An overload in an extension of the context, which the context's own may be as well.
      return program.isContext(program.receiverType(ofCall: call)) && !asksFirst(call)
    case .unknownMethod:
      guard
        let receiver = program.callee(call).dropLast().last(where: {
          ![.optionalChain, .force].contains(program.kind($0))
        })
      else { return false }
      let name = program.nameText(receiver).lowercased()
      return name.hasSuffix("context") || name == "moc"
    default: return false
    }
  }

  /// Whether a function of the sources that a call reaches asks whether the row exists.
  private func asksFirst(_ call: Ref) -> Bool {
    program.functions(calledBy: call).contains { id in
      guard let body = program.body(of: id) else { return true }
      return asks(body)
    }
  }

  private func asks(_ body: Ref) -> Bool {
    Self.questions.contains { program.names($0, in: body) }
  }

  private static let questions: [Name] = [
    "existingObject", "fetch", "isDeleted", "isFault", "registeredModel",
  ]

  /// The cast of the object that a call gives, through `perform` and the like left out.
  private func cast(_ call: Ref, _ method: Name) -> IdentifierLookup? {
    guard let chain = program.parent(call), program.children(chain).last == call,
      let expression = program.parent(chain), program.kind(expression) == .expression
    else { return nil }
    let parts = program.children(expression)
    if let place = parts.firstIndex(of: chain), place + 1 < parts.count,
      program.kind(parts[place + 1]) == .cast, let type = program.child(parts[place + 1], .type),
      let model = model(ofCastTo: type)
    {
      return IdentifierLookup(call: call, expression: expression, model: model, method: method)
    }
    guard let binder = program.parent(expression),
      [.binding, .optionalBinding].contains(program.kind(binder)),
      let type = program.child(binder, .type),
      let model = program.model(in: program.type(ofTypeNode: type))
    else { return nil }
    return IdentifierLookup(call: call, expression: expression, model: model, method: method)
  }

  /// The model that a type names; one of those that are meant by `NSManagedObject & Syncable`.
  private func model(ofCastTo type: Ref) -> TypeID? {
    if let model = program.model(in: program.type(ofTypeNode: type)) { return model }
    guard program.written(type)?.isComposition ?? false,
      program.names("NSManagedObject", in: type)
    else { return nil }
    let names = Set(program.outline(type).tokenNames(of: Int(type.node)))
      .subtracting(["NSManagedObject", "any"])
    return program.types(inheritingFrom: names).filter {
      program.isModel($0) && program.isManagedClass($0)
        && program.types[$0].kind == .classDecl && !program.isExempt(program.types[$0].ref)
    }.min()
  }

  // MARK: Functions of the sources that hand on an object

  /// Takes in the calls of the function that returns what a look-up by its parameter finds.
  private mutating func addCalls(ofWrapperAround call: Ref, _ method: Name) {
    guard let id = program.enclosingFunction(call), let body = program.body(of: id),
      let argument = program.arguments(call).first,
      let name = program.chainParts(argument), name.count == 1,
      case .local(let local)? = program.declared(name[0]),
      let index = program.functions[id].parameters.firstIndex(where: { $0.node == local.node }),
      !asks(body), program.model(in: program.resultType(id)) == nil
    else { return }
    let results = program.results(of: body)
    guard !results.isEmpty, results.allSatisfy({ leads($0, to: call, depth: 0) }) else { return }
    for caller in program.callers(of: id) where !program.isExempt(caller) && caller != call {
      guard program.functions(calledBy: caller) == [id],
        let given = program.argument(of: caller, for: index, of: program.functions[id]),
        comesFromElsewhere(given, at: caller), !all.contains(where: { $0.call == caller }),
        let found = cast(caller, method) ?? typed(caller, method)
      else { continue }
      all.append(found)
    }
  }

  /// Whether a value is what a look-up found, constants followed.
  private func leads(_ value: Ref, to call: Ref, depth: Int) -> Bool {
    if program.contains(value, call) { return true }
    guard program.isWithin(depth, .lookupConstants),
      let parts = program.children(value).first.map({ [$0] })
    else { return false }
    let name = program.kind(parts[0]) == .chain ? program.children(parts[0]).first : parts[0]
    guard let name, program.kind(name) == .name, let inner = program.fixedValue(of: name) else {
      return false
    }
    return leads(inner, to: call, depth: depth + 1)
  }

  /// A call whose value has the type of a model without a cast.
  private func typed(_ call: Ref, _ method: Name) -> IdentifierLookup? {
    guard let chain = program.parent(call), program.children(chain).last == call,
      let expression = program.parent(chain), program.kind(expression) == .expression,
      let model = program.model(in: program.type(of: chain))
    else { return nil }
    return IdentifierLookup(call: call, expression: expression, model: model, method: method)
  }

  // MARK: Where the identifier comes from

  /// Whether the identifier may be older than a deletion: not taken, here and now, from an object.
  private func comesFromElsewhere(_ argument: Ref, at call: Ref) -> Bool {
    guard let parts = program.chainParts(argument) else { return false }
    return !isFresh(parts, at: call, depth: 0)
  }

  /// Whether an identifier is taken from an object in the same body, with nothing waited for since.
  private func isFresh(_ parts: [Ref], at place: Ref, depth: Int) -> Bool {
    guard program.isWithin(depth, .lookupConstants), let first = parts.first else { return true }
    if parts.count > 1, let last = parts.last,
      ["persistentModelID", "objectID", "id", "persistentModelIDs"].contains(
        program.nameText(last))
    {
      return isHere(first, place)
    }
    guard parts.count == 1, program.kind(first) == .name else {
      // What is decoded was written before.
      return parts.contains { program.kind($0) == .call }
        && !parts.contains { Self.decoders.contains(program.nameText($0)) }
    }
    switch program.declared(first) {
    case .local(let local):
      guard program.kind(local) == .boundName, let binder = program.parent(local),
        isHere(local, place), let value = program.child(binder, .expression)
      else { return false }
      if program.kind(binder) == .forStatement {
        // Elements of what was just fetched.
        return program.descendants(value, .call).contains {
          program.calledName($0).isFetch
        }
          || program.descendants(value, .name).contains { name in
            program.fixedValue(of: name).map { fetches($0) } ?? false
          }
      }
      if fetches(value) { return true }
      guard let inner = program.chainParts(value) else { return false }
      return isFresh(inner, at: place, depth: depth + 1)
    case .closureArgument(let closure, 0): return isCalledForFetched(closure)
    default: return false
    }
  }

  /// Whether a closure gets the elements of what the same expression fetches.
  private func isCalledForFetched(_ closure: Ref) -> Bool {
    guard let (call, _) = program.callTaking(closure), let chain = program.parent(call) else {
      return false
    }
    return program.descendants(chain, .call).contains {
      $0 < call && program.calledName($0).isFetch
    }
  }

  private static let decoders: Set<String> = [
    "decode", "unarchivedObject", "managedObjectID", "persistentIdentifier",
  ]

  private func fetches(_ value: Ref) -> Bool {
    program.descendants(value, .call).contains { program.calledName($0).isFetch }
  }

  /// Whether what begins at a node belongs to the body of a place, with no `await` between.
  private func isHere(_ node: Ref, _ place: Ref) -> Bool {
    guard let body = program.enclosingBody(place) else { return false }
    var source = node
    if program.kind(node) == .name {
      switch program.declared(node) {
      case .local(let local): source = local
      case .closureArgument(let closure, _): source = closure
      default: return true
      }
    }
    guard runsAtOnce(from: program.enclosingBody(source) ?? source, to: body) else { return false }
    return !program.descendants(program.enclosingFunctionBody(place) ?? body, .awaitMark).contains {
      $0 > source && $0 < place
    }
  }

  /// Whether a body is another, or a closure in it that runs at once.
  private func runsAtOnce(from outer: Ref, to inner: Ref) -> Bool {
    var body: Ref? = inner
    while let current = body, current != outer, !program.contains(current, outer) {
      guard program.kind(current) == .closure, program.time(of: current) == .atOnce else {
        return false
      }
      body = program.enclosingBody(current)
    }
    return true
  }
}
