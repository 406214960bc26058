import PersistSyntax

// MARK: - Asking for declarations

extension Program {
  /// The type that a declaration or extension node declares or extends.
  package func type(declaredAt ref: Ref) -> TypeID? {
    switch kind(ref) {
    case .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl, .extensionDecl,
      .typealiasDecl:
      declarations.type(at: ref)
    default: nil
    }
  }

  /// The function that a node declares.
  package func function(declaredAt ref: Ref) -> FunctionID? {
    switch kind(ref) {
    case .functionDecl, .initDecl, .deinitDecl, .subscriptDecl: declarations.function(at: ref)
    default: nil
    }
  }

  /// The property that a binding declares; locals are none.
  package func property(declaredAt ref: Ref) -> PropertyID? {
    kind(ref) == .binding || kind(ref) == .boundName ? declarations.property(at: ref) : nil
  }

  /// The type from elsewhere of that name that the sources extend.
  package func foreignType(named name: Name) -> TypeID? { declarations.foreignTypes[name] }

  /// The members of a type with a name, those of its supertypes left out.
  func ownMembers(_ type: TypeID, _ name: Name) -> Members? { declarations.members[type, name] }

  /// The types in a type with a name.
  package func ownTypes(_ type: TypeID, _ name: Name) -> [TypeID] {
    ownMembers(type, name)?.types ?? []
  }

  /// All functions with a name.
  package func functions(named name: Name) -> [FunctionID] {
    declarations.functionsByName[name] ?? []
  }

  /// The functions with a name that belong to no type, those inside of functions left out.
  package func freeFunctions(named name: Name) -> [FunctionID] {
    declarations.freeFunctions[name] ?? []
  }

  /// The variables with a name outside of types and functions.
  package func globals(named name: Name) -> [PropertyID] { declarations.globals[name] ?? [] }

  /// All top-level types with a name.
  package func topLevelTypes(named name: Name) -> [TypeID] {
    declarations.topLevelTypes[name] ?? []
  }

  /// The types of all files, in source order; no stand-ins for types from elsewhere.
  package func allTypes() -> [TypeID] { types.indices.filter { types[$0].kind != .extensionDecl } }

  // MARK: By words

  /// The files that use a word, in their order.
  package func files(using word: Name) -> [Int] { index.words.files(holding: word) }

  /// The files that use one of the words, in their order.
  package func files(usingAny words: some Collection<Name>) -> [Int] {
    Set(words.flatMap { files(using: $0) }).sorted()
  }

  /// Some files, and those with parts of types of which these have parts, in their order.
  package func files(sharingTypesWith files: [Int]) -> [Int] {
    var all = Set(files)
    for id in Set(files.flatMap { declarations.typesWithParts(inFile: $0) })
    where types[id].kind != .extensionDecl {
      all.formUnion(([types[id].ref] + types[id].extensions).map { Int($0.file) })
    }
    return all.sorted()
  }

  /// The types that the files declare which use a word, in source order.
  package func types(inFilesUsing word: Name) -> [TypeID] {
    files(using: word).flatMap { Array(declarations.part(ofFile: $0).types) }
  }

  /// The properties that the files declare which use a word, in source order.
  func properties(inFilesUsing word: Name) -> [PropertyID] {
    files(using: word).flatMap { Array(declarations.part(ofFile: $0).properties) }
  }

  /// The functions that a file declares, those of extensions included, in source order.
  package func functions(inFile file: Int) -> Range<FunctionID> {
    declarations.part(ofFile: file).functions
  }

  /// The properties and variables that a file declares, in source order.
  package func properties(inFile file: Int) -> Range<PropertyID> {
    declarations.part(ofFile: file).properties
  }

  // MARK: By supertypes

  /// The types that inherit, directly or not, from a type of one of the names, and the typealiases
  /// of such a type, in source order.
  package func types(inheritingFrom names: some Collection<Name>) -> [TypeID] {
    var found: [TypeID] = []
    _ = hasType(inheritingFrom: names) {
      found.append($0)
      return false
    }
    return found.sorted { types[$0].ref < types[$1].ref }
  }

  /// Whether some type that inherits, directly or not, from a type of one of the names is a wanted
  /// one; typealiases of such a type are asked for as well.
  package func hasType(
    inheritingFrom names: some Collection<Name>, where isWanted: (TypeID) -> Bool
  ) -> Bool {
    var seen: Set<TypeID> = []
    var pending = Array(names)
    var asked = Set(names)
    while let name = pending.popLast() {
      for type in declarations.heirs[name] ?? [] where !seen.contains(type) {
        guard inherits(type, fromAny: asked) else { continue }
        seen.insert(type)
        if isWanted(type) { return true }
        if asked.insert(types[type].name).inserted { pending.append(types[type].name) }
      }
    }
    return false
  }

  /// Whether a type names one of the names in its inheritance clauses, or behind `typealias`.
  private func inherits(_ type: TypeID, fromAny names: Set<Name>) -> Bool {
    if types[type].kind == .typealiasDecl { return isNamed(aliasTarget(type), names) }
    return inherited(by: type).contains { isNamed($0, names) }
  }

  private func isNamed(_ type: SwiftType, _ names: Set<Name>) -> Bool {
    switch type.unwrapped {
    case .declared(let id, _): names.contains(types[id].name)
    case .external(let name, _): names.contains(name)
    default: false
    }
  }
}
