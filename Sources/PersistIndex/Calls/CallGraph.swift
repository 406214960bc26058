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
    case .subscriptSuffix, .call:
      return parent(call).flatMap { calledInstance(type(ofChain: $0, upTo: call), call) }
        ?? .unknown
    case .array, .dictionary:
      if case .metatype(let type) = type(of: node) { return .externalInitializer(type) }
      return .unknown
    case .implicitMember: return resolveImplicitCall(call, node)
    default: return .unknown
    }
  }

  /// The method that runs where an instance of a type of the sources is called like a function.
  private func calledInstance(_ type: @autoclosure () -> SwiftType, _ call: Ref) -> CallTarget? {
    guard !functions(named: Self.instanceCall).isEmpty,
      case .declared(let id, _) = type().unwrapped
    else { return nil }
    let fitting = overloads(methods(Self.instanceCall, of: id), call, of: id)
    return fitting.isEmpty ? nil : .functions(fitting)
  }

  /// The method by which instances are called.
  package static var instanceCall: Name { "callAsFunction" }

  /// `.init(…)` and `.make(…)`, which belong to the type that the code around asks for.
  private func resolveImplicitCall(_ call: Ref, _ node: Ref) -> CallTarget {
    let name = name(node)
    let wanted = parent(call).map { expectedType(of: $0).unwrapped } ?? .unknown
    switch wanted {
    case .declared(let id, _):
      return name == "init"
        ? initializerTarget(wanted, call) : memberTarget(name, of: id, call, isStatic: true)
    case .external:
      return name == "init"
        ? initializerTarget(wanted, call)
        : foreignTarget(name, of: wanted, call, isStatic: true) ?? .unknownMethod(name)
    default: return .unknownMethod(name)
    }
  }

  private func resolveNameCall(_ call: Ref, _ node: Ref) -> CallTarget {
    let name = name(node)
    switch declared(node) {
    case .functions(let candidates):
      let fitting = overloads(candidates, call).filter { takesArguments($0, of: call) }
      if !fitting.isEmpty { return .functions(fitting) }
      return inheritedCall(name, at: node) ?? .unknown
    case .type(let type): return initializerTarget(declaredType(type), call)
    case .local(let local):
      if kind(local) == .boundName || kind(local) == .parameter || kind(local) == .capture {
        return calledInstance(type(of: node), call) ?? .closure(.local(local))
      }
      return .unknown
    case .property(let property):
      let methods = overloads(methodsBeside(property, name, at: node), call)
      if !methods.isEmpty { return .functions(methods) }
      return calledInstance(type(ofProperty: property), call) ?? .closure(.property(property))
    case .selfValue, .closureArgument: return .unknown
    case nil:
      if nameText(node).first?.isUppercase == true {
        return .externalInitializer(
          resolve([name], arguments: genericArguments(node), from: node))
      }
      return inheritedCall(name, at: node) ?? .externalFunction(name)
    }
  }

  /// The methods that have the name of a property, unless a call without labels may call its value.
  private func methodsBeside(_ property: PropertyID, _ name: Name, at node: Ref) -> [FunctionID] {
    guard let owner = properties[property].owner,
      case let methods = methods(name, of: enclosingType(node) ?? owner), !methods.isEmpty
    else { return [] }
    switch type(ofProperty: property).unwrapped {
    case .function(let parameters, _):
      return methods.filter { functions[$0].parameters.count != parameters.count }
    case .unknown: return methods.filter { functions[$0].parameters.contains { $0.label != .none } }
    default: return methods
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
      if let type = foreignType(ofModule: begin[0], node) { return initializerTarget(type, call) }
    }
    let whole = receiverInChain(ofCall: call)
    if case .optional = whole, let target = foreignTarget(name, of: whole, call, isStatic: false) {
      return target
    }
    let receiver = whole.unwrapped
    switch receiver {
    case .metatype(let type):
      if name == "init" { return initializerTarget(type, call) }
      if case .declared(let id, _) = type {
        return memberTarget(name, of: id, call, isStatic: true)
      }
      return foreignTarget(name, of: type, call, isStatic: true) ?? .externalMethod(receiver, name)
    case .declared(let id, _):
      if name == "init" { return initializerTarget(receiver, call) }
      return memberTarget(name, of: id, call, isStatic: false)
    case .unknown: return onlyMethod(name, call).map { .functions([$0]) } ?? .unknownMethod(name)
    default:
      return foreignTarget(name, of: receiver, call, isStatic: false)
        ?? .externalMethod(receiver, name)
    }
  }

  /// The type from elsewhere that a name means behind the name of an imported module: `GRDB.Row`.
  private func foreignType(ofModule first: Ref, _ node: Ref) -> SwiftType? {
    guard kind(first) == .name, kind(node) == .member, declared(first) == nil,
      Words.sharedModules.contains(name(first)) || files[Int(first.file)].imports(name(first)),
      nameText(node).first?.isUppercase == true,
      topLevelTypes(named: name(first)).isEmpty
    else { return nil }
    return resolve([name(first), name(node)], arguments: genericArguments(node), from: node)
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
      if fitting.count == 1, let foreign = foreignType(meeting: fitting[0]) {
        return .externalMethod(isStatic ? .metatype(foreign) : foreign, name)
      }
      if !fitting.isEmpty { return .functions(fitting) }
    }
    switch member(name, of: type, isStatic: isStatic) {
    case .property(let property):
      return calledInstance(self.type(ofProperty: property), call) ?? .closure(.property(property))
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
    for name in extendedNames(of: type) {
      guard let foreign = foreignType(named: name) else { continue }
      // What a protocol of the sources asks for, the type has itself.
      let written = methods(calledName(call), of: foreign).filter { functions[$0].body != nil }
      let fitting = overloads(written, call).filter {
        functions[$0].isStatic == isStatic && takesArguments($0, of: call)
      }
      if !fitting.isEmpty { return .functions(fitting) }
      if isStatic, case .type(let nested)? = member(calledName(call), of: foreign) {
        return initializerTarget(declaredType(nested), call)
      }
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
    case .declared(let id, _):
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

  /// The type that an initializer of a type from elsewhere makes.
  func initialized(_ type: SwiftType, _ call: Ref) -> SwiftType {
    guard case .external(let name, let arguments) = type, arguments.isEmpty else { return type }
    guard let use = standardUse(call) else { return type }
    let made = result(of: use)
    // Nothing is known of a collection whose elements aren't told.
    return made == .unknown && !Words.collections.contains(name) ? type : made
  }
}
