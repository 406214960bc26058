import PersistSyntax

/// Whether no code that ships, and that something may run, can be seen to make or name a type.
private struct IsUnusedType: Query {
  let type: TypeID
  let depth: Int

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findUnused(type: type, depth) }
}

/// The same of calling or naming a function.
private struct IsUnusedFunction: Query {
  let function: FunctionID
  let depth: Int

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findUnused(function: function, depth) }
}

/// Whether the objects of a class live as long as the process: only a static property of its own
/// makes one.
private struct IsNeverReleased: Query {
  let type: TypeID

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findNeverReleased(type) }
}

/// Whether the sources hold what begins an app, so that code which nothing leads to doesn't run.
private struct HoldsApp: Query {
  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool {
    program.types.contains { !Words.appAttributes.isDisjoint(with: $0.attributes) }
      || Words.callsOfApps.contains { !program.calls(named: $0).isEmpty }
  }
}

// MARK: - Code that nothing runs

extension Program {
  /// Whether nothing in an app runs the code around a node: no other code that ships names its type
  /// or its function, and no framework can find them. What names them may itself be such code;
  /// `depth` is how many declarations have led to the node.
  package func isUnused(_ node: Ref, depth: Int = 0) -> Bool {
    guard answer(HoldsApp()), !files[Int(node.file)].isTest else { return false }
    return ancestors(node).contains { scope in
      if kind(scope) == .deinitDecl {
        return enclosingType(scope).map { answer(IsNeverReleased(type: $0)) } ?? false
      }
      if let function = function(declaredAt: scope),
        answer(IsUnusedFunction(function: function, depth: depth))
      {
        return true
      }
      return type(declaredAt: scope).map {
        answer(IsUnusedType(type: $0, depth: depth + 1))
      } ?? false
    }
  }

  /// Whether code ships, and something may run it.
  package func isRun(_ node: Ref) -> Bool { !isExempt(node) && !isUnused(node) }

  fileprivate func findNeverReleased(_ type: TypeID) -> Bool {
    guard types[type].kind == .classDecl else { return false }
    let made = makers(of: type)
    return !made.isEmpty
      && made.allSatisfy { place in
        ancestors(place).lazy.compactMap { self.property(declaredAt: $0) }.first.map {
          properties[$0].isStatic && properties[$0].isLet && properties[$0].owner == type
        } ?? false
      }
  }

  fileprivate func findUnused(type id: TypeID, _ depth: Int) -> Bool {
    let type = types[id]
    guard [.classDecl, .structDecl, .actorDecl, .enumDecl].contains(type.kind),
      isHidden(type.ref), type.attributes.allSatisfy({ Words.plainAttributes.contains($0) }),
      isKnownToSourcesAlone(id) || isPlainObject(id)
    else { return false }
    return !isNamed(type.name, outside: [type.ref] + type.extensions, depth: depth)
  }

  /// Whether a class inherits from `NSObject` alone, and shows nothing to Objective-C and storyboards.
  private func isPlainObject(_ id: TypeID) -> Bool {
    isKnownToSourcesAlone(id, exceptFor: ["NSObject"])
      && !([types[id].ref] + types[id].extensions).contains { part in
        Words.attributesOfObjectiveC.contains { isNamed($0, within: part) }
      }
  }

  /// The functions of one name that stand for each other: a requirement and what meets it.
  private func family(of id: FunctionID) -> [FunctionID] {
    guard let owner = functions[id].owner else { return [id] }
    let required = Set(lineage(of: owner).filter { types[$0].kind == .protocolDecl })
    guard !required.isEmpty else { return [id] }
    return functions(named: functions[id].name).filter { other in
      guard other != id, let holder = functions[other].owner else { return other == id }
      return lineage(of: holder).contains { required.contains($0) }
    }
  }

  fileprivate func findUnused(function id: FunctionID, _ depth: Int) -> Bool {
    let function = functions[id]
    if function.kind == .initDecl { return findUnused(initializer: id, depth) }
    guard function.kind == .functionDecl, isHidden(function.ref),
      // Operators are called by no name.
      node(function.ref).name != Node.noToken,
      outline(function.ref).tokens[Int(node(function.ref).name)].kind == .identifier,
      function.attributes.allSatisfy({ Words.plainAttributes.contains($0) }),
      !function.modifiers.contains("override"),
      !Words.functionsOfProtocols.contains(function.name),
      function.owner.map({ owner in
        // No protocol asks for what is private.
        if function.isPrivate { return !types[owner].attributes.contains("objcMembers") }
        // Methods of delegates take the object that calls them, and know no types of the sources.
        let isOwn =
          function.parameters.isEmpty || function.isStatic
          || parameterTypes(of: id).contains(where: \.namesDeclared)
        return isKnownToSourcesAlone(
          owner, exceptFor: isOwn ? Words.objectTypes : Words.baseClasses)
      }) ?? true
    else { return false }
    // What calls itself, or forwards a requirement to another that meets it, runs only if somebody
    // else calls it.
    let family = Set(self.family(of: id))
    let own = family.map { functions[$0].ref }
    return !isNamed(function.name, outside: own, depth: depth) {
      self.mayMean(family, $0, token: $1)
    }
  }

  /// Whether all that makes objects of a type calls other initializers.
  private func findUnused(initializer id: FunctionID, _ depth: Int) -> Bool {
    let function = functions[id]
    guard isHidden(function.ref), let owner = function.owner, types[owner].kind != .protocolDecl,
      function.modifiers.allSatisfy({ !["override", "required"].contains($0) }),
      function.attributes.allSatisfy({ Words.plainAttributes.contains($0) }),
      !function.parameters.contains(where: { Words.labelsOfDecoding.contains($0.label) }),
      isKnownToSourcesAlone(owner),
      !lineage(of: owner).contains(where: { types[$0].kind == .protocolDecl })
    else { return false }
    let names = [types[owner].name, "Self"]
    let made = names.flatMap { calls(named: $0) } + initCalls(of: types[owner].name)
    var isMade = false
    for call in made where !isExempt(call) {
      guard case .initializer(let type, let ids) = callTarget(call) else { continue }
      guard !ids.contains(where: { isLike($0, [id]) }) else {
        if isWithin(depth, .unusedSteps), isUnused(call, depth: depth + 1) { continue }
        return false
      }
      isMade = isMade || resolveAlias(type) == owner
    }
    // What is handed over as a value, or called by another name, can't be seen.
    return isMade
      && !uses(of: ["init"]).contains { node in
        guard sibling(before: node).map({ names.contains(name($0)) }) ?? true else { return false }
        let rest = parent(node).map { children($0) } ?? []
        return !rest.contains { kind($0) == .call && calledNode($0) == node }
      }
      && types.allSatisfy {
        $0.kind != .typealiasDecl || !isNamed(types[owner].name, within: $0.ref)
      }
  }

  /// Whether a function is one of some, or has the labels of one: types may not tell them apart.
  private func isLike(_ id: FunctionID, _ others: Set<FunctionID>) -> Bool {
    let labels = functions[id].parameters.map(\.label)
    return others.contains { $0 == id || functions[$0].parameters.map(\.label) == labels }
  }

  private func isNamed(_ name: Name, within declaration: Ref) -> Bool {
    let tokens = tokenRange(of: declaration)
    return tokens.contains { outline(declaration).name(ofToken: $0) == name }
  }

  /// Whether a token in a node may stand for one of some functions of its name.
  private func mayMean(_ family: Set<FunctionID>, _ node: Ref, token: Int) -> Bool {
    switch kind(node) {
    case .name, .member:
      let isCalled: (Ref) -> Bool = { self.kind($0) == .call && self.calledNode($0) == node }
      guard let call = parent(node).flatMap({ self.children($0).first(where: isCalled) }) else {
        switch declared(node) {
        case .local, .property: return false
        default: return property(usedBy: node) == nil
        }
      }
      switch callTarget(call) {
      case .functions(let named): return named.contains { isLike($0, family) }
      case .unknown, .unknownMethod: return true
      case .externalMethod(.external(let name, _), _):
        // Of several types of one name nobody knows which is meant.
        return family.contains { functions[$0].owner.map { types[$0].name == name } ?? false }
      default: return false
      }
    case .functionDecl: return self.node(node).name != UInt32(token)
    // A case of an enum, a static member or an initializer.
    case .implicitMember:
      return family.contains { functions[$0].isStatic || functions[$0].kind == .initDecl }
    case .casePattern, .enumElement, .parameter, .argument, .boundName: return false
    default: return true
    }
  }

  /// Whether no other module can name a declaration, by itself or as a member of an extension.
  private func isHidden(_ declaration: Ref) -> Bool {
    // Nothing imports an app or an extension.
    let built = targetsOfFiles[Int(declaration.file)]
    if !built.isEmpty, built.allSatisfy({ projects.targets[$0].kind.isProcess }) { return true }
    let extensions = ancestors(declaration).filter { kind($0) == .extensionDecl }
    return ([declaration] + extensions).allSatisfy { part in
      !children(part, .modifier).contains { ["public", "open", "package"].contains(name($0)) }
    }
  }

  /// Whether no framework makes objects of a type or calls its methods by what it inherits, except for
  /// some classes and protocols.
  private func isKnownToSourcesAlone(_ id: TypeID, exceptFor known: Set<Name> = []) -> Bool {
    types[id].attributes.allSatisfy {
      // A name for Objective-C says nothing of the members.
      Words.plainAttributes.contains($0)
        || !known.isEmpty && (Words.appAttributes.contains($0) || $0 == "objc")
    }
      && lineage(of: id).flatMap { inherited(by: $0) }.allSatisfy { type in
        switch type {
        case .declared: true
        case .external(let name, _):
          Words.uncallingProtocols.contains(name)
            || known.contains(name)
        default: false
        }
      }
  }

  private func tokenRange(of declaration: Ref) -> Range<Int> {
    Int(node(declaration).first)..<Int(node(declaration).end)
  }

  /// Whether code that ships spells a name outside of some declarations; with a depth, code that
  /// something may run.
  func isNamed(
    _ name: Name, outside declarations: [Ref], depth: Int? = nil,
    where isMeant: (Ref, _ token: Int) -> Bool = { _, _ in true }
  ) -> Bool {
    files(using: name).contains { file in
      guard !files[file].isTest else { return false }
      let outline = files[file].outline
      let own = declarations.filter { Int($0.file) == file }.map { tokenRange(of: $0) }
      return (0..<outline.tokens.count).contains { token in
        outline.tokens[token].kind == .identifier && outline.name(ofToken: token) == name
          && !own.contains { $0.contains(token) }
          && ships(token, in: file, depth, isMeant)
      }
    }
  }

  /// Whether a token means what is asked for, in code that ships and that something may run.
  private func ships(
    _ token: Int, in file: Int, _ depth: Int?, _ isMeant: (Ref, _ token: Int) -> Bool
  ) -> Bool {
    guard let node = files[file].outline.innermostNode(at: token) else { return true }
    let place = Ref(file: file, node: node)
    guard !isExempt(place), isMeant(place, token) else { return false }
    guard let depth, isWithin(depth, .unusedSteps) else { return true }
    return !isUnused(place, depth: depth + 1)
  }
}

extension Outline {
  /// The innermost node around a token.
  fileprivate func innermostNode(at token: Int) -> Int? {
    // Nodes stand in the order of their first tokens, each before what it holds.
    var (low, high) = (0, nodes.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(nodes[middle].first) <= token { low = middle + 1 } else { high = middle }
    }
    var node = low - 1
    while node > 0, token >= Int(nodes[node].end) { node = Int(nodes[node].parent) }
    return node >= 0 && token < Int(nodes[node].end) ? node : nil
  }
}
