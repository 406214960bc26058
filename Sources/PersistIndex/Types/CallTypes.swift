import PersistSyntax

/// A use of a function from elsewhere whose signature is known.
struct StandardUse {
  let function: Signatures.Function
  /// What the receiver says of the parameters.
  let bindings: Bindings
  /// The arguments, each with the index of the parameter that takes it.
  let matched: [(argument: Ref, parameter: Int)]
}

// MARK: - Types of calls

extension Program {
  /// The type that a function of the sources returns.
  package func resultType(_ id: FunctionID) -> SwiftType { erased(signatureResult(id)) }

  /// The same with generic parameters as they are.
  func signatureResult(_ id: FunctionID) -> SwiftType {
    let function = functions[id]
    guard let node = function.result else {
      guard function.kind == .initDecl, let owner = function.owner else { return .unknown }
      let made = selfType(owner)
      guard case .declared(let type, _) = made else { return made }
      return .declared(type, ownParameters(of: type))
    }
    let ref = Ref(file: Int(function.ref.file), node: node)
    let type = signatureType(ofTypeNode: ref)
    if function.body != nil, let opaque = opaqueType(ref, type, of: function.ref) { return opaque }
    return type
  }

  /// The type behind `some Protocol`, by the code that makes the value; nil for other types.
  func opaqueType(_ node: Ref, _ type: SwiftType, of body: Ref) -> SwiftType? {
    guard case .declared(let id, _) = type.unwrapped, isProtocol(id),
      written(node)?.unwrapped.kind == .someType,
      case let made = typeOfResult(body), case .declared(let concrete, _) = made.unwrapped,
      lineage(of: concrete).contains(id)
    else { return nil }
    return made
  }

  /// The generic parameters of a type as its own arguments.
  private func ownParameters(of type: TypeID) -> [SwiftType] {
    let owner = types[type].ref
    return names(ofParametersOf: owner).map { .parameter(TypeParameter(owner: owner, name: $0)) }
  }

  /// The types of a function's parameters, with generic parameters as they are.
  func parameterTypes(of id: FunctionID) -> [SwiftType] {
    functions[id].parameters.map { parameter in
      parameter.type.map {
        signatureType(ofTypeNode: Ref(file: Int(functions[id].ref.file), node: $0))
      } ?? .unknown
    }
  }

  /// The type that a call gives.
  package func resultType(ofCall call: Ref) -> SwiftType {
    let target = callTarget(call)
    switch target {
    case .functions(let candidates):
      return narrowed(common(candidates.map { resultType($0, of: call) }))
    case .initializer(let type, let candidates):
      let made = SwiftType.declared(type, arguments(of: type, made(by: call, of: type)))
      return candidates.contains { isFailable($0) } ? .optional(made) : made
    case .closure(let value):
      guard case .function(_, let result) = type(ofDeclared: value).unwrapped else {
        return .unknown
      }
      return result
    case .unknown:
      guard let callee = calledNode(call), kind(callee) != .name, kind(callee) != .member,
        let chain = parent(call)
      else { return .unknown }
      if kind(callee) == .macro {
        let subject = name(callee) == "Predicate" ? subject(ofPredicate: call) : .unknown
        return subject == .unknown ? .unknown : .external("Predicate", [subject])
      }
      guard
        case .function(_, let result) = type(ofChain: chain, upTo: call).unwrapped
      else { return .unknown }
      return result
    case .externalInitializer(let type): return initialized(type, call)
    case .externalMethod, .unknownMethod, .externalFunction:
      if let use = standardUse(call) {
        let found = result(of: use)
        if found != .unknown { return found }
      }
      switch target {
      case .externalMethod(let receiver, let name): return externalResult(receiver, name, call)
      case .unknownMethod(let name):
        return implicitCase(name, call) ?? externalResult(.unknown, name, call)
      default: return .unknown
      }
    }
  }

  /// `.loaded(trip)`, a case of the enum that the code around asks for.
  private func implicitCase(_ name: Name, _ call: Ref) -> SwiftType? {
    guard let node = calledNode(call), let chain = parent(call) else { return nil }
    let type: SwiftType
    switch kind(node) {
    case .implicitMember: type = expectedType(of: chain).unwrapped
    case .member:
      guard case .metatype(let owner) = receiverType(ofCall: call) else { return nil }
      type = owner
    default: return nil
    }
    guard case .declared(let id, let given) = type,
      let element = enumElements(id).first(where: { self.name($0) == name })
    else { return nil }
    guard given.isEmpty, case let own = ownParameters(of: id), !own.isEmpty,
      let list = child(element, .parameters)
    else { return type }
    var bindings: Bindings = [:]
    for (parameter, argument) in zip(children(list, .parameter), arguments(call)) {
      guard let node = child(parameter, .type) else { continue }
      bind(signatureType(ofTypeNode: node), to: self.type(of: argument), &bindings)
    }
    return settled(.declared(id, own), bindings)
  }

  private func common(_ types: [SwiftType]) -> SwiftType {
    let known = Set(types)
    return known.count == 1 ? known.first ?? .unknown : .unknown
  }

  /// Whether a function is an initializer that may make nothing.
  package func isFailable(_ id: FunctionID) -> Bool {
    guard functions[id].kind == .initDecl else { return false }
    let tokens = outline(functions[id].ref).tokens
    let next = Int(node(functions[id].ref).name) + 1
    return next < tokens.count && tokens[next].kind == .postfixQuestion
  }

  /// The type of a variable that may be called.
  func type(ofDeclared value: Declared) -> SwiftType {
    switch value {
    case .property(let id): type(ofProperty: id)
    case .local(let local): type(ofLocal: local)
    default: .unknown
    }
  }

  // MARK: Functions of the sources

  private func resultType(_ id: FunctionID, of call: Ref) -> SwiftType {
    let type = signatureResult(id)
    guard type.isOpen else { return type }
    var bindings = receiverBindings(id, call)
    bindArguments(of: call, to: id, &bindings) { _ in true }
    if substitute(type, bindings).isOpen, let asked = typeAsked(of: call) {
      bind(type, to: asked, &bindings)
    }
    return settled(type, bindings)
  }

  /// What the code around a call asks of it where no other call is asked for that.
  private func typeAsked(of call: Ref) -> SwiftType? {
    guard let chain = parent(call), kind(chain) == .chain, children(chain).last == call,
      let value = parent(chain), kind(value) == .expression,
      parent(value).map({ kind($0) != .argument }) ?? false
    else { return nil }
    return expectedType(of: chain).unwrapped
  }

  /// What the value whose method is called says of the parameters of the type that declares it.
  func receiverBindings(_ id: FunctionID, _ call: Ref) -> Bindings {
    guard let owner = functions[id].owner, functions[id].kind != .initDecl else { return [:] }
    var receiver = receiverInChain(ofCall: call)
    if receiver == .unknown, let node = calledNode(call), kind(node) == .name {
      receiver = enclosingType(call).map { selfType($0) } ?? .unknown
    }
    if case .metatype(let type) = receiver { receiver = type }
    if case .optional = receiver, types[owner].name != "Optional" { receiver = receiver.unwrapped }
    return receiver == .unknown ? [:] : bindings(of: receiver, in: owner)
  }

  /// Binds what parameters of a function stand for by some arguments of a call.
  func bindArguments(
    of call: Ref, to id: FunctionID, _ bindings: inout Bindings, where isMeant: (Ref) -> Bool
  ) {
    let function = functions[id]
    guard let matched = matching(function, call) else { return }
    for (argument, index) in zip(arguments(call), matched) where isMeant(argument) {
      guard let node = function.parameters[index].type else { continue }
      let type = signatureType(ofTypeNode: Ref(file: Int(function.ref.file), node: node))
      bind(type, to: argument, &bindings)
    }
  }

  /// Binds what parameters stand for by one argument.
  private func bind(_ pattern: SwiftType, to argument: Ref, _ bindings: inout Bindings) {
    guard pattern.isOpen else { return }
    if let path = keyPath(in: argument) {
      bind(pattern, to: type(ofKeyPath: path, as: pattern, bindings), &bindings)
    } else {
      bind(pattern, to: type(of: argument), &bindings)
    }
  }

  /// What the generic parameters of a type stand for where one of its initializers is called.
  func made(by call: Ref, of type: TypeID, except left: Ref? = nil) -> Bindings {
    let owner = types[type].ref
    let own = names(ofParametersOf: owner)
    guard !own.isEmpty else { return [:] }
    if let callee = calledNode(call), kind(callee) == .name {
      let written = genericArguments(callee)
      if !written.isEmpty { return bindings(of: type, to: written) }
    }
    var found: Bindings = [:]
    guard case .initializer(_, let candidates) = callTarget(call) else { return found }
    if let only = candidates.first, candidates.count == 1 {
      bindArguments(of: call, to: only, &found) { $0 != left && (left == nil || !isClosure($0)) }
    } else if candidates.isEmpty {
      for argument in arguments(call)
      where argument != left && (left == nil || !isClosure(argument)) {
        guard
          let id = types[type].properties.first(where: {
            properties[$0].name == label(argument) && !properties[$0].isStatic
          })
        else { continue }
        bind(signatureType(ofProperty: id), to: argument, &found)
      }
    }
    if found.isEmpty, left == nil, let chain = parent(call), let node = calledNode(call),
      kind(node) == .implicitMember,
      case .declared(type, let given) = expectedType(of: chain).unwrapped
    {
      return bindings(of: type, to: given)
    }
    return found
  }

  /// The generic arguments of a type; none where nothing is known of them.
  private func arguments(of type: TypeID, _ found: Bindings) -> [SwiftType] {
    guard !found.isEmpty else { return [] }
    let owner = types[type].ref
    return names(ofParametersOf: owner).map {
      found[TypeParameter(owner: owner, name: $0)] ?? .unknown
    }
  }

  // MARK: Functions from elsewhere

  /// The function from elsewhere that a call means, with what its receiver says.
  func standardUse(_ call: Ref) -> StandardUse? {
    guard let node = calledNode(call) else { return nil }
    let name = name(node)
    guard kind(node) == .member else {
      guard kind(node) == .name else { return nil }
      return use(of: Signatures.standard.functions[name] ?? [], by: call, [:])
    }
    let receiver = receiverInChain(ofCall: call)
    for base in receiver.unwrapped == receiver ? [receiver] : [receiver, receiver.unwrapped] {
      var owner = base
      if case .metatype(let type) = base { owner = type }
      if let use = use(
        of: Signatures.standard.methods(name, of: base), by: call,
        Signatures.standard.bindings(of: owner))
      {
        return use
      }
    }
    return nil
  }

  private func use(of candidates: [Signatures.Function], by call: Ref, _ bindings: Bindings)
    -> StandardUse?
  {
    guard !candidates.isEmpty else { return nil }
    let arguments = arguments(call)
    for function in candidates {
      let matched = matching(function.parameters, call) { index in
        switch function.types[index] {
        case .function, .parameter: true
        default: false
        }
      }
      guard let matched, fits(function, arguments, matched) else { continue }
      return StandardUse(
        function: function, bindings: bindings,
        matched: zip(arguments, matched).map { (argument: $0, parameter: $1) })
    }
    return nil
  }

  /// Whether closures with so many names are given where functions with so many parameters are taken.
  private func fits(_ function: Signatures.Function, _ arguments: [Ref], _ matched: [Int]) -> Bool {
    zip(arguments, matched).allSatisfy { argument, index in
      guard case .function(let parameters, _) = function.types[index],
        let closure = closure(in: argument), let list = child(closure, .parameters)
      else { return true }
      return parameters.count == 1 || children(list, .parameter).count == parameters.count
    }
  }

  /// Adds what the arguments of a use say that are no closures.
  func bindValues(_ use: StandardUse, except left: Ref? = nil, _ bindings: inout Bindings) {
    for (argument, index) in use.matched where argument != left && !isClosure(argument) {
      bind(use.function.types[index], to: argument, &bindings)
    }
  }

  func result(of use: StandardUse) -> SwiftType {
    guard use.function.result.isOpen else { return use.function.result }
    var bindings = use.bindings
    bindValues(use, &bindings)
    for (argument, index) in use.matched where isClosure(argument) {
      bind(use.function.types[index], to: argument, &bindings)
    }
    let found = settled(use.function.result, bindings)
    return found.isKnown ? found : .unknown
  }

  // MARK: Key paths

  /// The key path that an argument is.
  private func keyPath(in argument: Ref) -> Ref? {
    guard kind(argument) == .argument, let expression = child(argument, .expression),
      let chain = firstChild(expression), isOnlyChild(chain), kind(chain) == .chain,
      let path = firstChild(chain), kind(path) == .keyPath
    else { return nil }
    return path
  }

  private func type(ofKeyPath path: Ref, as pattern: SwiftType, _ bindings: Bindings) -> SwiftType {
    var root = SwiftType.unknown
    switch pattern {
    case .function(let parameters, _): root = parameters.first ?? .unknown
    case .external(_, let parts): root = parts.first ?? .unknown
    default: break
    }
    let found = type(ofKeyPath: path, from: substitute(root, bindings))
    if case .external(let name, _) = pattern, case .external(_, let parts) = found {
      return .external(name, parts)
    }
    return found
  }

  /// The type of a key path whose root is a type unless it is written.
  func type(ofKeyPath path: Ref, from given: SwiftType) -> SwiftType {
    guard let view = view(ofKeyPath: path) else { return .unknown }
    let root = view.root.map { erased(read($0, at: path)) } ?? erased(given)
    guard root != .unknown else { return .unknown }
    var value = root
    for component in view.components {
      switch component {
      case .member(let member):
        let name = name(member)
        value = name == "self" ? value : type(ofMember: name, of: value)
      case .arguments: value = .unknown
      case .unwrapping: continue
      }
    }
    return .external("KeyPath", [root, value])
  }
}
