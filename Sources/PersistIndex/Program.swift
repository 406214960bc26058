import PersistSyntax

/// All files of a project joined, with answers to what a name, a call or a type means.
///
/// A program caches its answers, so one thread uses it at a time.
package final class Program {
  package let files: [SourceFile]
  package private(set) var types: [TypeDeclaration] = []
  package private(set) var functions: [FunctionDeclaration] = []
  package private(set) var properties: [PropertyDeclaration] = []
  /// Properties outside of types.
  package private(set) var globals: [Name: [PropertyID]] = [:]
  private var topLevelTypes: [Name: [TypeID]] = [:]
  private var functionsByName: [Name: [FunctionID]] = [:]
  private var membersByName: [TypeID: [Name: Members]] = [:]
  /// The types that extensions extend.
  private var typeExtendedAt: [Ref: TypeID] = [:]
  var typeCache: [Ref: SwiftType] = [:]
  var inProgress: Set<Ref> = []
  var declaredCache: [Ref: Declared] = [:]
  var scopeNames: [Ref: ScopeNames] = [:]
  /// The modules that a file imports, by its index.
  var importedModules: [Int: Set<Name>] = [:]
  var callCache: [Ref: CallTarget] = [:]
  var knownCrossings: [Crossing]?
  var parameterRunners: [Ref: ClosureRunner] = [:]
  var modelCache: [TypeID: Bool] = [:]
  private(set) lazy var exportsSwiftData = findSwiftDataExport()
  private(set) lazy var placesByName = findPlacesByName()
  var privateContextCache: [Ref: Bool] = [:]
  var saveCache: [FunctionID: Bool] = [:]
  var isolationCache: [Ref: Isolation] = [:]
  var typeIsolationCache: [TypeID: Isolation] = [:]
  /// The folders, with `/` at their ends, whose code runs on the main actor by default.
  private(set) lazy var mainActorFolders = foldersOnMainActor()
  var callsByName: [Name: [Ref]] = [:]
  var endingFunctions: [FunctionID: Bool] = [:]
  var knownGroupOpenings: [StoreOpening]?
  /// Whether a body asks for time in the background.
  var assertedBodies: [Ref: Bool] = [:]
  var functionWork: [FunctionID: [StoreFileWork]] = [:]
  /// How the failures of opening a store spread through the program.
  package private(set) lazy var storeFlow = FailureFlow(openingStoresOf: self)
  /// How the failures of saving a context spread through the program.
  package private(set) lazy var saveFlow = FailureFlow(savesOf: self)
  /// How the failures of bringing stores to another place spread through the program.
  private(set) lazy var transferFlow = FailureFlow(transfersOf: self)

  /// What is known of the schemas besides the Swift files; set it before `schema` is asked for.
  package var schemaInput = SchemaInput()
  /// The schema versions, plans and models of the files.
  package private(set) lazy var schema = SchemaProgram(files, input: schemaInput)

  /// The schemas as each platform sees them, where `#if os(…)` may divide a plan; the first one is
  /// `schema`.
  package private(set) lazy var platformSchemas: [SchemaProgram] =
    schema.mayDivide(files)
    ? [schema, SchemaProgram(files, input: schemaInput, platform: "macOS")] : [schema]

  /// Whether the sources map Core Data models by hand, so that nothing is inferred.
  package private(set) lazy var mapsDataModelsByHand = findsMappingByHand()

  /// The members of a type that have one name.
  struct Members {
    var functions: [FunctionID] = []
    var properties: [PropertyID] = []
    var types: [TypeID] = []
  }

  /// Joins the files; `facts` are those of `files` in the same order.
  package init(_ files: [SourceFile], facts: [DeclarationFacts]) {
    self.files = files
    reserve(for: facts)
    for (index, fact) in facts.enumerated() { add(fact.facts, file: index) }
    typeOffsets.append(types.count)
    functionOffsets.append(functions.count)
    propertyOffsets.append(properties.count)
    for (index, fact) in facts.enumerated() { addExtensions(fact.facts, file: index) }
    resolveInheritance()
  }

  /// Joins the files and makes their facts here, for callers with few files.
  package convenience init(_ files: [SourceFile]) {
    self.init(
      files,
      facts: files.enumerated().map { DeclarationFacts($1.outline, file: $0) })
  }

  // MARK: Joining

  private func reserve(for facts: [DeclarationFacts]) {
    types.reserveCapacity(facts.reduce(0) { $0 + $1.facts.types.count })
    functions.reserveCapacity(facts.reduce(0) { $0 + $1.facts.functions.count })
    properties.reserveCapacity(facts.reduce(0) { $0 + $1.facts.properties.count })
    functionsByName.reserveCapacity(functions.capacity / 2)
  }

  private var typeOffsets: [Int] = []
  private var functionOffsets: [Int] = []
  private var propertyOffsets: [Int] = []

  private func add(_ facts: FileFacts, file: Int) {
    let (typeOffset, functionOffset, propertyOffset) = (
      types.count, functions.count, properties.count
    )
    typeOffsets.append(typeOffset)
    functionOffsets.append(functionOffset)
    propertyOffsets.append(propertyOffset)
    types += facts.types
    functions += facts.functions
    properties += facts.properties
    for (index, members) in facts.members.enumerated() {
      attach(members, to: typeOffset + index, file: file)
    }
    for index in facts.functions.indices {
      let id = functionOffset + index
      functionsByName[functions[id].name, default: []].append(id)
    }
    for index in facts.topLevel.types {
      topLevelTypes[types[typeOffset + index].name, default: []].append(typeOffset + index)
    }
    for index in facts.topLevel.properties {
      globals[properties[propertyOffset + index].name, default: []].append(propertyOffset + index)
    }
  }

  private func attach(_ members: FileFacts.Members, to type: TypeID, file: Int) {
    for index in members.functions {
      functions[functionOffsets[file] + index].owner = type
      types[type].functions.append(functionOffsets[file] + index)
    }
    for index in members.properties {
      properties[propertyOffsets[file] + index].owner = type
      types[type].properties.append(propertyOffsets[file] + index)
    }
    for index in members.types {
      types[typeOffsets[file] + index].parent = type
      types[type].nested.append(typeOffsets[file] + index)
    }
  }

  /// Gives extensions' members to their types; what extends an unknown type stays without owner.
  private func addExtensions(_ facts: FileFacts, file: Int) {
    for (index, part) in facts.extensions.enumerated() {
      let type =
        extendedType(part.path, file: file)
        ?? foreignType(part.path, ref: Ref(file: file, node: part.node))
      guard let type, index < facts.extensions.count else { continue }
      types[type].extensions.append(Ref(file: file, node: part.node))
      attach(
        FileFacts.Members(
          functions: part.functions, properties: part.properties, types: part.types),
        to: type, file: file)
      typeExtendedAt[Ref(file: file, node: part.node)] = type
    }
  }

  private func extendedType(_ path: [Name], file: Int) -> TypeID? {
    guard let first = path.first, var type = topLevelType(first, file: file) else { return nil }
    for name in path.dropFirst() {
      guard let next = types[resolveAlias(type)].nested.first(where: { types[$0].name == name })
      else { return nil }
      type = next
    }
    return resolveAlias(type)
  }

  /// A stand-in for a type from elsewhere that the sources extend.
  private func foreignType(_ path: [Name], ref: Ref) -> TypeID? {
    guard path.count == 1, let name = path.first else { return nil }
    if let known = foreignTypes[name] { return known }
    types.append(TypeDeclaration(ref: ref, kind: .extensionDecl, name: name, attributes: []))
    foreignTypes[name] = types.count - 1
    return types.count - 1
  }

  /// Types from elsewhere that the sources extend, by name.
  private(set) var foreignTypes: [Name: TypeID] = [:]

  private func members(of type: TypeID) -> [Name: Members] {
    if let known = membersByName[type] { return known }
    var members: [Name: Members] = [:]
    for id in types[type].functions {
      members[functions[id].name, default: .init()].functions.append(id)
    }
    for id in types[type].properties {
      members[properties[id].name, default: .init()].properties.append(id)
    }
    for id in types[type].nested { members[types[id].name, default: .init()].types.append(id) }
    membersByName[type] = members
    return members
  }

  private func resolveInheritance() {
    for type in types.indices {
      var inherited: [SwiftType] = []
      for ref in [types[type].ref] + types[type].extensions {
        let outline = files[Int(ref.file)].outline
        for clause in outline.children(of: Int(ref.node))
        where outline.nodes[clause].kind == .inheritance {
          for node in outline.children(of: clause) {
            inherited.append(self.type(ofTypeNode: Ref(file: Int(ref.file), node: node)))
          }
        }
      }
      types[type].inherited = inherited
    }
  }

  // MARK: Asking

  /// The members of a type with a name, those of its supertypes left out.
  func ownMembers(_ type: TypeID, _ name: Name) -> Members? { members(of: type)[name] }

  /// The type that a declaration or extension node declares or extends.
  package func type(declaredAt ref: Ref) -> TypeID? {
    typeExtendedAt[ref] ?? find(ref, typeOffsets) { types[$0].ref }
  }
  /// The function that a node declares.
  package func function(declaredAt ref: Ref) -> FunctionID? {
    find(ref, functionOffsets) { functions[$0].ref }
  }
  /// The property that a binding declares; locals are none.
  package func property(declaredAt ref: Ref) -> PropertyID? {
    find(ref, propertyOffsets) { properties[$0].ref }
  }

  /// The declaration of a file at a node; those of a file stand together, in source order.
  private func find(_ ref: Ref, _ offsets: [Int], _ place: (Int) -> Ref) -> Int? {
    let file = Int(ref.file)
    guard file >= 0, file < files.count else { return nil }
    var low = offsets[file]
    var high = offsets[file + 1]
    let end = high
    while low < high {
      let middle = (low + high) / 2
      if place(middle) < ref { low = middle + 1 } else { high = middle }
    }
    return low < end && place(low) == ref ? low : nil
  }
  /// All functions with a name.
  package func functions(named name: Name) -> [FunctionID] { functionsByName[name] ?? [] }

  /// The top-level type that a name means in a file: of its module, else the only one elsewhere.
  package func topLevelType(_ name: Name, file: Int) -> TypeID? {
    guard let candidates = topLevelTypes[name] else { return nil }
    if candidates.count == 1 { return candidates[0] }
    let near = candidates.filter { files[Int(types[$0].ref.file)].module == files[file].module }
    if near.count == 1 { return near[0] }
    if near.count > 1 {
      let same = near.filter { Int(types[$0].ref.file) == file }
      return same.count == 1 ? same[0] : nil
    }
    let seen = candidates.filter { sees(Int(types[$0].ref.file), from: file) }
    return seen.count == 1 ? seen[0] : nil
  }

  /// Whether a file can see what another module's file declares: a target of a package has to be
  /// imported.
  private func sees(_ other: Int, from file: Int) -> Bool {
    guard let target = files[other].target else { return true }
    return files[file].imports.contains { $0.name == target }
  }

  /// All top-level types with a name.
  package func topLevelTypes(named name: Name) -> [TypeID] { topLevelTypes[name] ?? [] }

  /// What a typealias stands for, when that is a type of the sources; else the type itself.
  package func resolveAlias(_ type: TypeID) -> TypeID {
    guard types[type].kind == .typealiasDecl else { return type }
    if case .declared(let target) = aliasTarget(type) { return target }
    return type
  }

  func aliasTarget(_ type: TypeID) -> SwiftType {
    let ref = types[type].ref
    let outline = files[Int(ref.file)].outline
    guard
      let node = outline.children(of: Int(ref.node)).first(where: {
        outline.nodes[$0].kind == .type
      })
    else { return .unknown }
    let place = Ref(file: Int(ref.file), node: node)
    guard inProgress.insert(place).inserted else { return .unknown }
    defer { inProgress.remove(place) }
    return self.type(ofTypeNode: place)
  }

  /// The type and its supertypes of the sources, nearest first; protocols included.
  package func lineage(of type: TypeID) -> [TypeID] {
    var line = [resolveAlias(type)]
    var next = 0
    while next < line.count {
      for inherited in types[line[next]].inherited {
        if case .declared(let parent) = inherited, !line.contains(parent) { line.append(parent) }
      }
      next += 1
    }
    return line
  }

  /// Whether a type inherits, directly or not, from a type from elsewhere of that name.
  package func inherits(_ type: TypeID, from name: Name) -> Bool {
    lineage(of: type).contains { parent in
      types[parent].inherited.contains { $0.isExternal(name) }
    }
  }
}

/// What one file declares; made in parallel, one file at a time.
package struct DeclarationFacts: Sendable {
  let facts: FileFacts

  /// Collects the declarations of a file whose index in the program is `file`.
  package init(_ outline: Outline, file: Int) {
    facts = FileFacts(outline, file: file)
  }
}
