import PersistSyntax

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
  /// Whether nothing in an app runs the code around a node: no other code that ships and runs names its
  /// type or its function, and no framework can find them.
  package func isUnused(_ node: Ref) -> Bool {
    isLeft(node) { !$0.isRun($1) }
  }

  /// The same where nothing else that ships names it, but for functions what itself is named nowhere.
  package func isUnnamed(_ node: Ref) -> Bool {
    isLeft(node) { $0.isUnnamed($1) }
  }

  private func isLeft(
    _ node: Ref, _ leaves: (RunDeclarations, RunDeclarations.Scope) -> Bool
  ) -> Bool {
    guard answer(HoldsApp()), !files[Int(node.file)].isTest else { return false }
    let declarations = once(evenInQueries: true, RunDeclarations.init)
    return scopes(around: node).map { $0.contains { leaves(declarations, $0) } } ?? true
  }

  /// The functions and types around a node; nil in a `deinit` of what is never released.
  fileprivate func scopes(around node: Ref) -> [RunDeclarations.Scope]? {
    var found: [RunDeclarations.Scope] = []
    for scope in ancestors(node) {
      if kind(scope) == .deinitDecl,
        enclosingType(scope).map({ answer(IsNeverReleased(type: $0)) }) ?? false
      {
        return nil
      }
      if let function = function(declaredAt: scope) { found.append(.function(function)) }
      if let type = type(declaredAt: scope) { found.append(.type(type)) }
    }
    return found
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

  /// What may name a type, so that it is run; nil where that can't be seen.
  fileprivate func search(forType id: TypeID) -> RunDeclarations.Search? {
    let type = types[id]
    guard [.classDecl, .structDecl, .actorDecl, .enumDecl].contains(type.kind),
      isHidden(type.ref), type.attributes.allSatisfy({ Words.plainAttributes.contains($0) }),
      isKnownToSourcesAlone(id) || isPlainObject(id)
    else { return nil }
    return RunDeclarations.Search(self, type.name, outside: [type.ref] + type.extensions)
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

  /// What may call or name a function, so that it runs; nil where that can't be seen.
  fileprivate func search(forFunction id: FunctionID) -> RunDeclarations.Search? {
    let function = functions[id]
    if function.kind == .initDecl { return search(forInitializer: id) }
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
    else { return nil }
    // What calls itself, or forwards a requirement to another that meets it, runs only if somebody
    // else calls it.
    let family = Set(self.family(of: id))
    let own = family.map { functions[$0].ref }
    return RunDeclarations.Search(self, function.name, outside: own, meaning: family)
  }

  /// The calls of an initializer, where others make objects of the type as well.
  private func search(forInitializer id: FunctionID) -> RunDeclarations.Search? {
    let function = functions[id]
    guard isHidden(function.ref), let owner = function.owner, types[owner].kind != .protocolDecl,
      function.modifiers.allSatisfy({ !["override", "required"].contains($0) }),
      function.attributes.allSatisfy({ Words.plainAttributes.contains($0) }),
      !function.parameters.contains(where: { Words.labelsOfDecoding.contains($0.label) }),
      isKnownToSourcesAlone(owner),
      !lineage(of: owner).contains(where: { types[$0].kind == .protocolDecl })
    else { return nil }
    let names = [types[owner].name, "Self"]
    let made = names.flatMap { calls(named: $0) } + initCalls(of: types[owner].name)
    var isMade = false
    var own: [Ref] = []
    for call in made where !isExempt(call) {
      guard case .initializer(let type, let ids) = callTarget(call) else { continue }
      if ids.contains(where: { isLike($0, [id]) }) {
        own.append(call)
      } else {
        isMade = isMade || resolveAlias(type) == owner
      }
    }
    // What is handed over as a value, or called by another name, can't be seen.
    guard isMade,
      !uses(of: ["init"]).contains(where: { node in
        guard sibling(before: node).map({ names.contains(name($0)) }) ?? true else { return false }
        let rest = parent(node).map { children($0) } ?? []
        return !rest.contains { kind($0) == .call && calledNode($0) == node }
      }),
      types.allSatisfy({
        $0.kind != .typealiasDecl || !isNamed(types[owner].name, within: $0.ref)
      })
    else { return nil }
    return RunDeclarations.Search(own)
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
  fileprivate func mayMean(_ family: Set<FunctionID>, _ node: Ref, token: Int) -> Bool {
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

  /// Whether code that ships spells a name outside of some declarations.
  func isNamed(_ name: Name, outside declarations: [Ref], where isMeant: (Ref) -> Bool) -> Bool {
    files(using: name).contains { file in
      spellings(of: name, in: file, outside: declarations).contains {
        !isExempt($0.place) && isMeant($0.place)
      }
    }
  }

  /// The tokens of a file that spell a name outside of some declarations, and the innermost nodes around
  /// them; none in code of tests.
  fileprivate func spellings(
    of name: Name, in file: Int, outside declarations: [Ref]
  ) -> [(place: Ref, token: Int)] {
    guard !files[file].isTest else { return [] }
    let outline = files[file].outline
    let own = declarations.filter { Int($0.file) == file }.map { tokenRange(of: $0) }
    return (0..<outline.tokens.count).filter { token in
      outline.tokens[token].kind == .identifier && outline.name(ofToken: token) == name
        && !own.contains { $0.contains(token) }
    }.map { (Ref(file: file, node: outline.innermostNode(at: $0) ?? 0), $0) }
  }
}

/// The functions and types that code names which ships and runs itself, found as far as anybody asks.
private final class RunDeclarations {
  enum Scope: Hashable {
    case type(TypeID)
    case function(FunctionID)
  }

  /// The places that may name a declaration, looked for file by file.
  struct Search {
    private var name = Name.none
    private var own: [Ref] = []
    /// The functions of which one has to be meant; nil where any node will do.
    private var family: Set<FunctionID>?
    private var files: [Int] = []
    private var found: [(place: Ref, token: Int)] = []

    init(_ calls: [Ref]) { found = calls.map { ($0, -1) } }

    init(
      _ program: Program, _ name: Name, outside own: [Ref], meaning family: Set<FunctionID>? = nil
    ) {
      (self.name, self.own, self.family) = (name, own, family)
      files = program.files(using: name).reversed()
    }

    mutating func next(in program: Program) -> Ref? {
      while true {
        while let (place, token) = found.popLast() {
          if !program.isExempt(place),
            family.map({ program.mayMean($0, place, token: token) }) ?? true
          {
            return place
          }
        }
        guard let file = files.popLast() else { return nil }
        found = program.spellings(of: name, in: file, outside: own).reversed()
      }
    }
  }

  /// A place that runs, and with it what it names, when some declarations around it run.
  private struct Place {
    let named: Scope
    var missing: Int
  }

  private unowned let program: Program
  private var known: [Scope: Bool] = [:]
  private var unnamed: [Scope: Bool] = [:]
  private var spelledNowhere: [Scope: Bool] = [:]
  private var searches: [Scope: Search] = [:]
  private var places: [Place] = []
  /// The places that wait for a declaration.
  private var waiting: [Scope: [Int]] = [:]
  /// The declarations of which more places are to be found, each in its turn.
  private var pending: [Scope] = []
  private var first = 0

  init(_ program: Program) { self.program = program }

  /// Whether something runs a declaration, or may for all that can be seen.
  func isRun(_ scope: Scope) -> Bool {
    open(scope)
    while known[scope] == nil {
      if first == pending.count { finish() } else { lookFurther() }
    }
    return known[scope] ?? true
  }

  /// Whether nothing that ships names a declaration; a function may be named by what itself has no name
  /// there.
  func isUnnamed(_ scope: Scope) -> Bool {
    if case .type = scope { return isSpelledNowhere(scope) }
    if let known = unnamed[scope] { return known }
    var search = search(for: scope)
    var isUnnamed = search != nil
    while isUnnamed, let place = search?.next(in: program) {
      isUnnamed = program.scopes(around: place)?.contains { isSpelledNowhere($0) } ?? true
    }
    unnamed[scope] = isUnnamed
    return isUnnamed
  }

  /// Whether no code that ships spells the name of a declaration.
  private func isSpelledNowhere(_ scope: Scope) -> Bool {
    if let known = spelledNowhere[scope] { return known }
    var search = search(for: scope)
    let isNowhere = search != nil && search?.next(in: program) == nil
    spelledNowhere[scope] = isNowhere
    return isNowhere
  }

  private func search(for scope: Scope) -> Search? {
    switch scope {
    case .type(let id): program.search(forType: id)
    case .function(let id): program.search(forFunction: id)
    }
  }

  private func open(_ scope: Scope) {
    guard known[scope] == nil, searches[scope] == nil else { return }
    let search = search(for: scope)
    searches[scope] = search
    if search == nil { known[scope] = true } else { pending.append(scope) }
  }

  /// Looks at one more place that names a declaration.
  private func lookFurther() {
    let scope = pending[first]
    first += 1
    guard known[scope] == nil, let place = searches[scope]?.next(in: program) else { return }
    pending.append(scope)
    guard let scopes = program.scopes(around: place) else { return }
    scopes.forEach(open)
    guard !scopes.contains(where: { known[$0] == false }) else { return }
    let missing = scopes.filter { known[$0] == nil }
    for other in missing { waiting[other, default: []].append(places.count) }
    places.append(Place(named: scope, missing: missing.count))
    if missing.isEmpty { note(scope) }
  }

  /// Notes that a declaration runs, and what runs with it.
  private func note(_ scope: Scope) {
    var running = [scope]
    while let next = running.popLast() {
      guard known.updateValue(true, forKey: next) == nil else { continue }
      for index in waiting.removeValue(forKey: next) ?? [] {
        places[index].missing -= 1
        if places[index].missing == 0 { running.append(places[index].named) }
      }
    }
  }

  /// Where no place is left, what waits for nothing but itself doesn't run.
  private func finish() {
    for scope in searches.keys where known[scope] == nil { known[scope] = false }
    (searches, places, waiting, pending, first) = ([:], [], [:], [], 0)
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
