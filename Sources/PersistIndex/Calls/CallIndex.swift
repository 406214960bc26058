import PersistSyntax

/// The calls with `.init` that may make a value of a type.
private struct InitCalls: Query {
  let type: Name

  static var provisional: [Ref] { [] }
  func answer(in program: Program) -> [Ref] { program.findInitCalls(of: type) }
}

/// The calls of a name, or of a type's initializers, by the functions that they can reach.
private struct CallersByFunction: Query {
  let name: Name
  let isType: Bool

  static var provisional: [FunctionID: [Ref]] { [:] }
  func answer(in program: Program) -> [FunctionID: [Ref]] {
    program.findCallers(named: name, isType: isType)
  }
}

/// The uses of a local in the body that declares it.
private struct UsesOfLocal: Query {
  let local: Ref

  static var provisional: [Ref] { [] }
  func answer(in program: Program) -> [Ref] { program.findUses(ofLocal: local) }
}

// MARK: - Calls and uses by name

extension Program {
  /// The calls whose called name is one, in source order.
  package func calls(named name: Name) -> [Ref] {
    if let known = callsByName[name] { return known }
    var calls: [Ref] = []
    for file in files(using: name) {
      calls += files[file].uses.calls(named: name).map { Ref(file: file, node: $0) }
    }
    callsByName[name] = calls
    return calls
  }

  /// The calls whose called name is one, in files that may use one of some other names as well.
  package func calls(named name: Name, inFilesUsingAny others: some Collection<Name>) -> [Ref] {
    let others = Set(files(usingAny: others))
    return files(using: name).filter(others.contains).flatMap { file in
      files[file].uses.calls(named: name).map { Ref(file: file, node: $0) }
    }
  }

  /// The calls that can reach a function, in source order.
  package func callers(of function: FunctionID) -> [Ref] {
    let declaration = functions[function]
    guard declaration.kind == .initDecl, let owner = declaration.owner else {
      return answer(CallersByFunction(name: declaration.name, isType: false))[function] ?? []
    }
    let calls = answer(CallersByFunction(name: types[owner].name, isType: true))[function] ?? []
    let bySelf = answer(CallersByFunction(name: "Self", isType: false))[function] ?? []
    let byHeirs = heirs(of: owner).flatMap { self.calls(named: $0) }
      .filter { mayRun(function, $0) }
    return byHeirs.isEmpty && bySelf.isEmpty ? calls : (calls + bySelf + byHeirs).sorted()
  }

  /// The calls of a function in code that ships, in source order.
  package func shippingCallers(of function: FunctionID) -> [Ref] {
    callers(of: function).filter { !isExempt($0) }
  }

  /// The calls of the function around a node in code that ships; none outside of functions.
  package func shippingCallers(around node: Ref) -> [Ref] {
    enclosingFunction(node).map { shippingCallers(of: $0) } ?? []
  }

  fileprivate func findCallers(named name: Name, isType: Bool) -> [FunctionID: [Ref]] {
    var found: [FunctionID: [Ref]] = [:]
    let calls =
      name == Self.instanceCall
      ? (self.calls(named: name) + callsOfInstances).sorted() : self.calls(named: name)
    for call in isType ? (calls + initCalls(of: name)).sorted() : calls {
      var reached: Set<FunctionID> = []
      for id in named(by: call) {
        for target in [id] + (witnesses(of: id) ?? []) where reached.insert(target).inserted {
          found[target, default: []].append(call)
        }
      }
    }
    return found
  }

  /// The calls of what no function has the name of, so that they may be of instances.
  private var callsOfInstances: [Ref] {
    files.indices.flatMap { file in
      descendants(Ref(file: file, node: 0), .call).filter { call in
        let name = calledName(call)
        return name == .none || functions(named: name).isEmpty
      }
    }
  }

  /// The names of the classes that may inherit the initializers of a class.
  private func heirs(of owner: TypeID) -> Set<Name> {
    guard types[owner].kind == .classDecl else { return [] }
    let found = types(inheritingFrom: [types[owner].name]).filter {
      $0 != owner && types[$0].kind == .classDecl
    }
    return Set(found.map { types[$0].name }).subtracting([types[owner].name])
  }

  /// The calls with `.init` that may make a value of a type, of one that inherits from it, or of
  /// what a variable holds.
  package func initCalls(of type: Name) -> [Ref] { answer(InitCalls(type: type)) }

  fileprivate func findInitCalls(of type: Name) -> [Ref] {
    let names = Set(
      [type, FileWords.initOfValue] + types(inheritingFrom: [type]).map { types[$0].name })
    return calls(named: "init", inFilesUsingAny: names)
  }

  /// The `name` and `member` nodes that spell one of the names, in source order.
  package func uses(of names: Set<Name>) -> [Ref] {
    guard !names.isEmpty else { return [] }
    if let known = usesByNames[names] { return known }
    var found: [Ref] = []
    for file in files(usingAny: names) {
      let nodes = names.flatMap { files[file].uses.nodes(spelling: $0) }
      found += (names.count > 1 ? nodes.sorted() : nodes).map { Ref(file: file, node: $0) }
    }
    usesByNames[names] = found
    return found
  }

  /// The nodes of one file that spell one of the names.
  package func uses(of names: Set<Name>, inFile file: Int) -> [Ref] {
    names.flatMap { files[file].uses.nodes(spelling: $0) }.map { Ref(file: file, node: $0) }
  }

  /// The property that a `name` or `member` node stands for, or that `if let name` binds, when it is one
  /// of the sources.
  package func property(usedBy ref: Ref) -> PropertyID? {
    if kind(ref) == .name {
      if case .property(let id)? = declared(ref) { return id }
      return nil
    }
    if kind(ref) == .boundName { return property(boundBy: ref) }
    let isImplicit = kind(ref) == .implicitMember
    guard isImplicit || kind(ref) == .member, let chain = parent(ref), kind(chain) == .chain else {
      return nil
    }
    let base =
      isImplicit
      ? .metatype(expectedType(of: chain).unwrapped) : type(ofChain: chain, upTo: ref).unwrapped
    if case .property(let id)? = member(name(ref), of: base) { return id }
    return nil
  }

  /// The property that `if let name` binds again.
  private func property(boundBy name: Ref) -> PropertyID? {
    guard let binding = parent(name), kind(binding) == .optionalBinding,
      value(ofBinding: binding) == nil,
      case .property(let id)? = lookUp(self.name(name), from: binding)
    else { return nil }
    return id
  }

  /// The uses of a local in the body that declares it, its declaration left out, in source order.
  package func uses(ofLocal local: Ref) -> [Ref] { answer(UsesOfLocal(local: local)) }

  fileprivate func findUses(ofLocal local: Ref) -> [Ref] {
    let outline = outline(local)
    let name = name(local)
    var scope = parent(local)
    while let current = scope,
      ![.functionDecl, .initDecl, .accessor, .closure, .file, .members].contains(kind(current))
    {
      scope = parent(current)
    }
    guard let body = scope else { return [] }
    let range = subtree(body)
    let nodes = files[Int(local.file)].uses.nodes(spelling: name)
      .filter { range.contains(Int32(truncatingIfNeeded: $0)) }
    return nodes.lazy.filter { outline.nodes[$0].kind == .name }
      .map { Ref(file: Int(local.file), node: $0) }
      .filter { self.declared($0) == .local(local) }
  }

  /// The `if let x` and `guard let x` without a value that unwrap a local, in source order.
  package func shorthandBindings(ofLocal local: Ref) -> [Ref] {
    let name = name(local)
    guard let body = enclosingBody(local) else { return [] }
    let all = shorthandBindings(of: name, in: Int(local.file))
    return all[all.partition(before: body)...].prefix { contains(body, $0) }.filter {
      lookUp(name, from: $0) == .local(local)
    }
  }

  /// The `if let x` and `guard let x` of a file that give a name no value, in source order.
  package func shorthandBindings(of name: Name, in file: Int) -> [Ref] {
    answer(ShorthandBindings(file: file))[name] ?? []
  }
}

extension [Ref] {
  /// The index of the first that isn't before a node, where they are in source order.
  package func partition(before node: Ref) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < node { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The conditions `let name` of a file, without a value, by their names.
private struct ShorthandBindings: Query {
  let file: Int

  static var provisional: [Name: [Ref]] { [:] }
  func answer(in program: Program) -> [Name: [Ref]] {
    var found: [Name: [Ref]] = [:]
    for binding in program.descendants(Ref(file: file, node: 0), .optionalBinding)
    where program.child(binding, .expression) == nil {
      guard let bound = program.child(binding, .boundName) else { continue }
      found[program.name(bound), default: []].append(binding)
    }
    return found
  }
}

// MARK: - Callers outside of the sources

extension Program {
  /// Whether something outside of the sources may call a method: one that overrides, or that a
  /// protocol from elsewhere may ask for.
  package func mayBeCalledByOthers(_ id: FunctionID) -> Bool {
    let function = functions[id]
    if function.modifiers.contains("override") || function.attributes.contains("objc") {
      return true
    }
    guard let owner = function.owner, !function.isPrivate, !function.isStatic else { return false }
    return lineage(of: owner).contains { type in
      inherited(by: type).contains { inherited in
        if case .external(let name, _) = inherited {
          return !Words.nonisolatedTypes.contains(name) && !Words.mainActorTypes.contains(name)
            || name == "NSFetchedResultsControllerDelegate"
        }
        return inherited == .unknown
      }
        || function.kind == .functionDecl && types[type].kind == .protocolDecl
          && ownMembers(type, function.name) != nil && isPublic(type)
    }
  }

  private func isPublic(_ type: TypeID) -> Bool {
    children(types[type].ref, .modifier).contains { ["public", "open"].contains(name($0)) }
  }
}
