import PersistSyntax

/// What a call calls.
package enum CallTarget: Hashable, Sendable {
  /// Functions of the sources that fit by name, receiver and labels; overloads give several.
  case functions([FunctionID])
  /// An initializer of a type of the sources; no function when it is the implicit one.
  case initializer(TypeID, [FunctionID])
  /// An initializer of a type from elsewhere.
  case externalInitializer(SwiftType)
  /// A method of a type from elsewhere, or a static one when the receiver is a metatype.
  case externalMethod(SwiftType, Name)
  /// A free function from elsewhere, such as `fatalError`.
  case externalFunction(Name)
  /// A closure that a local or property holds.
  case closure(Declared)
  /// A method with that name of a receiver that the sources don't tell.
  case unknownMethod(Name)
  case unknown
}

/// What a call calls.
struct TargetOfCall: Query {
  let call: Ref

  func _rawHashValue(seed: Int) -> Int { call._rawHashValue(seed: seed) }
  static var provisional: CallTarget { .unknown }
  static func memo(in program: Program) -> Memo<Self> { program.callTargets }
  func answer(in program: Program) -> CallTarget { program.resolveCall(call) }
}

// MARK: - Calls

extension Program {
  /// What a `call` node calls.
  package func callTarget(_ call: Ref) -> CallTarget {
    answer(TargetOfCall(call: call))
  }

  /// The suffixes and the primary before a call in its chain, nearest last.
  package func callee(_ call: Ref) -> [Ref] {
    guard let chain = parent(call), kind(chain) == .chain else { return [] }
    return children(chain).filter { $0 < call }
  }

  /// The name that is called: the method, function or type; `.none` for a called closure.
  package func calledName(_ call: Ref) -> Name {
    guard let last = calledNode(call) else { return .none }
    switch kind(last) {
    case .name, .member, .implicitMember, .macro: return name(last)
    default: return .none
    }
  }

  /// The node that spells the called name.
  package func calledNode(_ call: Ref) -> Ref? {
    guard let chain = parent(call), kind(chain) == .chain else { return nil }
    var called = sibling(before: call)
    while let node = called, kind(node) == .optionalChain || kind(node) == .force {
      called = sibling(before: node)
    }
    return called
  }

  /// The type of the value whose method is called; `.unknown` without one.
  package func receiverType(ofCall call: Ref) -> SwiftType {
    guard let node = calledNode(call), kind(node) == .member, let chain = parent(call) else {
      return .unknown
    }
    return type(ofChain: chain, upTo: node)
  }

  /// The arguments in order: `argument` nodes, and closures that trail without a label.
  package func arguments(_ call: Ref) -> [Ref] {
    children(call).filter { kind($0) == .argument || kind($0) == .closure }
  }

  /// The expression or closure of the argument with a label.
  package func argument(_ call: Ref, _ label: Name) -> Ref? {
    for argument in children(call, .argument) where self.label(argument) == label {
      return children(argument).first
    }
    return nil
  }

  fileprivate func resolveCall(_ call: Ref) -> CallTarget {
    guard let node = calledNode(call) else { return .unknown }
    switch kind(node) {
    case .name: return resolveNameCall(call, node)
    case .member: return resolveMemberCall(call, node)
    case .macro: return .unknown
    case .subscriptSuffix, .call: return .unknown
    case .array, .dictionary:
      if case .metatype(let type) = type(of: node) { return .externalInitializer(type) }
      return .unknown
    case .implicitMember: return .unknownMethod(name(node))
    default: return .unknown
    }
  }

  private func resolveNameCall(_ call: Ref, _ node: Ref) -> CallTarget {
    let name = name(node)
    switch declared(node) {
    case .functions(let candidates):
      let fitting = overloads(candidates, call)
      if !fitting.isEmpty { return .functions(fitting) }
      return inheritedCall(name, at: node) ?? .unknown
    case .type(let type): return initializerTarget(declaredType(type), call)
    case .local(let local):
      if kind(local) == .boundName || kind(local) == .parameter || kind(local) == .capture {
        return .closure(.local(local))
      }
      return .unknown
    case .property(let property): return .closure(.property(property))
    case .selfValue, .closureArgument: return .unknown
    case nil:
      if nameText(node).first?.isUppercase == true {
        return .externalInitializer(
          resolve([name], arguments: genericArguments(node), from: node))
      }
      return inheritedCall(name, at: node) ?? .externalFunction(name)
    }
  }

  /// A bare call of a method that a superclass or protocol from elsewhere declares.
  private func inheritedCall(_ name: Name, at node: Ref) -> CallTarget? {
    guard let type = enclosingType(node) else { return nil }
    for owner in lineage(of: type) {
      if types[owner].kind == .extensionDecl {
        return .externalMethod(.external(types[owner].name, []), name)
      }
      for inherited in inherited(by: owner) {
        if case .external(let parent, _) = inherited, Words.isMethod(name, of: parent) {
          return .externalMethod(inherited, name)
        }
      }
    }
    return nil
  }

  private func resolveMemberCall(_ call: Ref, _ node: Ref) -> CallTarget {
    guard let chain = parent(call) else { return .unknown }
    let name = name(node)
    let begin = children(chain, atMost: 2)
    if begin.count == 2, begin[1] == node {
      if let type = typeOfModule(begin[0], node) {
        return initializerTarget(declaredType(type), call)
      }
      let fitting = overloads(functions(ofModule: begin[0], named: name), call)
      if !fitting.isEmpty { return .functions(fitting) }
    }
    let receiver = type(ofChain: chain, upTo: node).unwrapped
    switch receiver {
    case .metatype(let type):
      if name == "init" { return initializerTarget(type, call) }
      if case .declared(let id) = type { return memberTarget(name, of: id, call, isStatic: true) }
      return foreignTarget(name, of: type, call, isStatic: true) ?? .externalMethod(receiver, name)
    case .declared(let id):
      if name == "init" { return initializerTarget(receiver, call) }
      return memberTarget(name, of: id, call, isStatic: false)
    case .unknown: return onlyMethod(name, call).map { .functions([$0]) } ?? .unknownMethod(name)
    default:
      return foreignTarget(name, of: receiver, call, isStatic: false)
        ?? .externalMethod(receiver, name)
    }
  }

  /// The functions outside of types that a name means behind the name of a module and a period.
  private func functions(ofModule first: Ref, named name: Name) -> [FunctionID] {
    guard kind(first) == .name, nameText(first).first?.isUppercase == true, declared(first) == nil
    else { return [] }
    let from = files[Int(first.file)]
    return functions(named: name).filter { id in
      functions[id].owner == nil
        && from.isModule(self.name(first), of: files[Int(functions[id].ref.file)])
    }
  }

  private func memberTarget(_ name: Name, of type: TypeID, _ call: Ref, isStatic: Bool)
    -> CallTarget
  {
    let candidates = methods(name, of: type)
    if !candidates.isEmpty {
      let fitting = overloads(candidates, call, of: type)
        .filter { functions[$0].isStatic == isStatic }
      if !fitting.isEmpty { return .functions(fitting) }
    }
    switch member(name, of: type) {
    case .property(let property): return .closure(.property(property))
    case .type(let nested): return initializerTarget(declaredType(nested), call)
    default: break
    }
    for owner in lineage(of: type) {
      if case .external(let parent, _)? = inherited(by: owner).first(where: {
        if case .external(let parent, _) = $0 { return Words.isMethod(name, of: parent) }
        return false
      }) {
        let receiver = SwiftType.external(parent, [])
        return .externalMethod(isStatic ? .metatype(receiver) : receiver, name)
      }
    }
    return .unknownMethod(name)
  }

  /// A method, or a closure, that an extension of the sources gives to a type from elsewhere.
  private func foreignTarget(_ name: Name, of type: SwiftType, _ call: Ref, isStatic: Bool)
    -> CallTarget?
  {
    let simple: [Name]
    switch type {
    case .external(let name, _): simple = [name]
    // What a realm gives is read like an array.
    case .array: simple = ["Array", "Results", "List"]
    case .set: simple = ["Set"]
    case .dictionary: simple = ["Dictionary"]
    default: return nil
    }
    for name in simple + Words.supertypes(of: simple[0]) {
      guard let foreign = foreignType(named: name) else { continue }
      let fitting = overloads(methods(calledName(call), of: foreign), call).filter {
        functions[$0].isStatic == isStatic
      }
      if !fitting.isEmpty { return .functions(fitting) }
      if case .property(let id)? = member(calledName(call), of: foreign),
        properties[id].isStatic == isStatic, case .function = self.type(ofProperty: id).unwrapped
      {
        return .closure(.property(id))
      }
    }
    return nil
  }

  private func initializerTarget(_ type: SwiftType, _ call: Ref) -> CallTarget {
    switch type {
    case .declared(let id):
      let candidates = methods("init", of: id).filter { functions[$0].kind == .initDecl }
      return .initializer(id, overloads(candidates, call))
    case .external(let name, _):
      if let foreign = foreignType(named: name) {
        let fitting = overloads(methods("init", of: foreign), call).filter {
          !functions[$0].parameters.isEmpty || arguments(call).isEmpty
        }
        if !fitting.isEmpty { return .functions(fitting) }
      }
      return .externalInitializer(type)
    default: return .externalInitializer(type)
    }
  }

  // MARK: Results

  /// The type that a function of the sources returns.
  package func resultType(_ id: FunctionID) -> SwiftType {
    let function = functions[id]
    guard let node = function.result else {
      return function.kind == .initDecl
        ? function.owner.map { .declared($0) } ?? .unknown : .unknown
    }
    return type(ofTypeNode: Ref(file: Int(function.ref.file), node: node))
  }

  /// The type that a call gives.
  package func resultType(ofCall call: Ref) -> SwiftType {
    switch callTarget(call) {
    case .functions(let candidates):
      let results = Set(
        candidates.map { id in
          let bound = genericResult(id, call)
          return bound == .unknown ? elementResult(resultType(id), id, call) : bound
        })
      return results.count == 1 ? results.first ?? .unknown : .unknown
    case .initializer(let type, let candidates):
      let isFailable = candidates.contains { functionIsFailable($0) }
      return isFailable ? .optional(.declared(type)) : .declared(type)
    case .externalInitializer(let type): return initialized(type, call)
    case .externalMethod(let receiver, let name): return externalResult(receiver, name, call)
    case .unknownMethod(let name): return externalResult(.unknown, name, call)
    case .closure(let value):
      if case .property(let id) = value, case .function(let result) = type(ofProperty: id).unwrapped
      {
        return result
      }
      if case .local(let local) = value, case .function(let result) = type(ofLocal: local).unwrapped
      {
        return result
      }
      return .unknown
    case .externalFunction("zip"):
      let parts = arguments(call).map { type(of: $0).element }
      return parts.allSatisfy { $0 == .unknown } ? .unknown : .array(.tuple(parts))
    case .externalFunction, .unknown:
      return immediateClosureResult(call)
    }
  }

  /// A method's result where it is written with the `Element` of the collection that is extended.
  private func elementResult(_ type: SwiftType, _ id: FunctionID, _ call: Ref) -> SwiftType {
    guard let owner = functions[id].owner, types[owner].kind == .extensionDecl else { return type }
    let element: SwiftType
    switch receiverType(ofCall: call).unwrapped {
    case .array(let found): element = found
    case .external("Results", let found) where found.count == 1: element = found[0]
    case .external("List", let found) where found.count == 1: element = found[0]
    default: return type
    }
    switch type {
    case .external("Element", _): return element
    case .array(.external("Element", _)): return .array(element)
    case .optional(.external("Element", _)): return .optional(element)
    default: return type
    }
  }

  private func functionIsFailable(_ id: FunctionID) -> Bool {
    let ref = functions[id].ref
    let token = outline(ref).tokens[Int(node(ref).name) + 1]
    return functions[id].kind == .initDecl && token.kind == .postfixQuestion
  }

  /// `{ … }()`: what the closure's `return` gives, when there is one and it is simple.
  private func immediateClosureResult(_ call: Ref) -> SwiftType {
    guard let closure = callee(call).last, kind(closure) == .closure else { return .unknown }
    if let written = child(closure, .type) { return type(ofTypeNode: written) }
    let values = descendants(closure, .returnStatement).filter {
      enclosingBody($0) == closure
    }.compactMap { child($0, .expression) }
    let found = Set(values.map { type(of: $0) }.filter { $0 != .unknown })
    return found.count == 1 ? found.first ?? .unknown : .unknown
  }

  private func initialized(_ type: SwiftType, _ call: Ref) -> SwiftType {
    guard case .external(let name, let arguments) = type else { return type }
    if name == "Array" || name == "Set", let argument = children(call, .argument).first {
      let element = self.type(of: argument).element
      guard element != .unknown else { return .unknown }
      return name == "Set" ? .set(element) : .array(element)
    }
    if name == "Dictionary", let grouped = argument(call, "grouping") {
      let element = self.type(of: grouped).element
      return element == .unknown ? type : .dictionary(.unknown, .array(element))
    }
    if name == "Dictionary",
      let pairs = argument(call, "uniqueKeysWithValues") ?? children(call, .argument).first,
      case .tuple(let parts, _) = self.type(of: pairs).element, parts.count == 2
    {
      return .dictionary(parts[0], parts[1])
    }
    if name == "FetchDescriptor", arguments.isEmpty { return .external(name, predicateModel(call)) }
    return type
  }

  /// The model of `FetchDescriptor(predicate: #Predicate<Trip> { … })`.
  private func predicateModel(_ call: Ref) -> [SwiftType] {
    descendants(call, .macro).first { name($0) == "Predicate" }.map { genericArguments($0) } ?? []
  }
}
