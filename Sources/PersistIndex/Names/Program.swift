import PersistProject
import PersistSyntax

/// What one thread has found out about the files of an index: what a name, a call or a type means.
///
/// A program remembers its answers, so one thread uses it; several may ask the same index. `types`,
/// `functions` and `properties` are those of the files that questions have led to, so whoever wants
/// all of a kind says so by a name, as `types(…)` does.
package final class Program {
  package let index: SourceIndex
  package let files: [SourceFile]
  let views: OutlineViews
  package internal(set) var types: [TypeDeclaration] = []
  package internal(set) var functions: [FunctionDeclaration] = []
  package internal(set) var properties: [PropertyDeclaration] = []
  /// Properties outside of types.
  var globals: [Name: [PropertyID]] = [:]
  var topLevelTypes: [Name: [TypeID]] = [:]
  var functionsByName: [Name: [FunctionID]] = [:]
  /// Functions outside of types, and those of extensions that extend an unknown type.
  var freeFunctions: [Name: [FunctionID]] = [:]
  var membersByName: [TypeID: [Name: Members]] = [:]
  /// The types that extensions extend.
  var typeExtendedAt: [Ref: TypeID] = [:]
  /// Types from elsewhere that the sources extend, by name.
  var foreignTypes: [Name: TypeID] = [:]
  /// Where the declarations of each file begin.
  var firsts: [Firsts]
  let takesShortcuts: Bool
  /// What was asked for by name, all files that declare it loaded.
  var complete: Set<Asked> = []
  var queries = Queries()
  var memos: [ObjectIdentifier: any Answers] = [:]
  /// What `once` was asked for, by its type.
  var workedOut: [ObjectIdentifier: AnyObject] = [:]
  let typesOfValues = Memo<TypeOfValue>()
  let typesOfNodes = Memo<TypeOfNode>()
  let declarationsOfNames = Memo<DeclarationOfName>()
  let callTargets = Memo<TargetOfCall>()
  let isolations = Memo<IsolationAtPlace>()
  /// Whether a typealias led to the type of the extension that is joined.
  var hasFollowedAlias = false
  /// Whether somebody may have asked for a type that got an extension by way of a typealias.
  var hasJoinedKnown = false
  /// The extensions of loaded files that have not been joined to their types.
  var openExtensions: [OpenExtension] = []
  var isJoining = false
  /// How often each limit cut a question short.
  package internal(set) var limitHits: [Limit: Int] = [:]
  var scopeNames: [Ref: ScopeNames] = [:]
  /// The parameters of a list by their names.
  var parameterNames: [Ref: [Name: Ref]] = [:]
  /// The modules that a file imports, by its index.
  var importedModules: [Int: Set<Name>] = [:]
  private(set) lazy var importsOpeners = Words.openingModules.contains { module in
    files.contains { $0.imports(module) }
  }
  private(set) lazy var exportsSwiftData = findSwiftDataExport()
  private(set) lazy var actorCalls = findActorCalls()
  /// Whether there can be values that must stay with their actor or queue.
  private(set) lazy var holdsModelsOrContexts = findsModelsOrContexts()
  /// The targets of the projects that the sources belong to.
  package private(set) lazy var projects = index.projects { readManifests() }
  /// The typealiases that stand for a closure, or for something with one in it.
  private(set) lazy var closureAliases = Set(files.flatMap(\.words.closureAliases))
  /// Whether some project or manifest may say where code runs that says nothing of it.
  private(set) lazy var projectMayIsolate = findsIsolationInProjects()
  var filesByWord: [Name: [Int]] = [:]
  var callsByName: [Name: [Ref]] = [:]
  var usesByNames: [Set<Name>: [Ref]] = [:]
  /// How many nodes of a file have been looked at for the uses of names.
  var lookedAt: [Int: Int] = [:]
  /// How the failures of opening a store spread through the program.
  package private(set) lazy var storeFlow = FailureFlow(openingStoresOf: self)
  /// How the failures of saving a context spread through the program.
  package private(set) lazy var saveFlow = FailureFlow(savesOf: self)
  /// How the failures of writing to databases spread through the program.
  package private(set) lazy var writeFlow = FailureFlow(writesOf: self)
  /// How the failures of bringing stores to another place spread through the program.
  private(set) lazy var transferFlow = FailureFlow(transfersOf: self)

  /// What is known of the project besides the Swift files.
  package var schemaInput: SchemaInput { index.input }
  /// The schema versions, plans and models of the files.
  package private(set) lazy var schema = index.schema(on: mainPlatform)

  /// The schemas as each platform that the project builds sees them, where `#if` may divide a plan;
  /// the first one is `schema`.
  package private(set) lazy var platformSchemas = findPlatformSchemas()
  /// The schemas as the platforms see them that some `#if` names, built or not.
  package private(set) lazy var clauseSchemas = findClauseSchemas()

  /// Whether the sources map Core Data models by hand, so that nothing is inferred.
  package private(set) lazy var mapsDataModelsByHand = findsMappingByHand()

  /// The members of a type that have one name.
  struct Members {
    var functions: [FunctionID] = []
    var properties: [PropertyID] = []
    var types: [TypeID] = []
  }

  /// The platform, as `os(…)` names it, whose clauses of `#if` count where several declare a name.
  let platform: String

  /// Asks an index; what nothing asks for is not looked at.
  package init(_ index: SourceIndex, platform: String = Program.usualPlatform) {
    self.index = index
    self.platform = platform
    files = index.files
    views = OutlineViews(files)
    takesShortcuts = index.takesShortcuts
    firsts = Array(repeating: Firsts(), count: files.count)
    // Without braces in pairs the words don't tell what a file declares for others.
    load(files.indices.filter { !takesShortcuts || files[$0].words.hasLooseBraces })
  }

  /// Asks an index of its own.
  package convenience init(_ files: [SourceFile], input: SchemaInput = SchemaInput()) {
    self.init(SourceIndex(files, input: input))
  }

  // MARK: Asking

  /// The type from elsewhere of that name that the sources extend.
  func foreignType(named name: Name) -> TypeID? {
    ask(for: name, as: .extended)
    return foreignTypes[name]
  }

  /// Makes sure that a stand-in for a type from elsewhere has all its extensions.
  private func completeStandIn(_ type: TypeID) {
    if types[type].kind == .extensionDecl { ask(for: types[type].name, as: .extended) }
  }

  private func members(of type: TypeID) -> [Name: Members] {
    completeStandIn(type)
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

  /// The types in the inheritance clauses of a type, extensions included, resolved where they can
  /// be.
  package func inherited(by type: TypeID) -> [SwiftType] {
    completeStandIn(type)
    return answer(InheritedTypes(type: type))
  }

  fileprivate func findInherited(by type: TypeID) -> [SwiftType] {
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
    return inherited
  }

  /// The members of a type with a name, those of its supertypes left out.
  func ownMembers(_ type: TypeID, _ name: Name) -> Members? { members(of: type)[name] }

  /// The type that a declaration or extension node declares or extends.
  package func type(declaredAt ref: Ref) -> TypeID? {
    switch kind(ref) {
    case .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl, .extensionDecl,
      .typealiasDecl:
      break
    default: return nil
    }
    let range = loadedFirsts(of: ref).types
    return typeExtendedAt[ref] ?? find(ref, range) { types[$0].ref }
  }
  /// The function that a node declares.
  package func function(declaredAt ref: Ref) -> FunctionID? {
    switch kind(ref) {
    case .functionDecl, .initDecl, .deinitDecl, .subscriptDecl:
      find(ref, loadedFirsts(of: ref).functions) { functions[$0].ref }
    default: nil
    }
  }
  /// The property that a binding declares; locals are none.
  package func property(declaredAt ref: Ref) -> PropertyID? {
    kind(ref) == .binding
      ? find(ref, loadedFirsts(of: ref).properties) { properties[$0].ref } : nil
  }

  private func loadedFirsts(of ref: Ref) -> Firsts {
    let file = Int(ref.file)
    guard file >= 0, file < files.count else { return Firsts() }
    if !firsts[file].isLoaded { load([file]) }
    return firsts[file]
  }

  /// The declaration of a file at a node; those of a file stand together, in source order.
  private func find(_ ref: Ref, _ range: Range<Int>, _ place: (Int) -> Ref) -> Int? {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high {
      let middle = (low + high) / 2
      if place(middle) < ref { low = middle + 1 } else { high = middle }
    }
    return low < range.upperBound && place(low) == ref ? low : nil
  }

  /// All functions with a name.
  package func functions(named name: Name) -> [FunctionID] {
    ask(for: name, as: .function)
    return functionsByName[name] ?? []
  }

  /// The functions with a name that belong to no type, those inside of functions left out.
  func freeFunctions(named name: Name) -> [FunctionID] {
    ask(for: name, as: .freeFunction)
    return freeFunctions[name] ?? []
  }

  /// The variables with a name outside of types and functions.
  func globals(named name: Name) -> [PropertyID] {
    ask(for: name, as: .variable)
    return globals[name] ?? []
  }

  /// All top-level types with a name.
  package func topLevelTypes(named name: Name) -> [TypeID] {
    ask(for: name, as: .type)
    return topLevelTypes[name] ?? []
  }

  /// What a typealias stands for, when that is a type of the sources; else the type itself.
  package func resolveAlias(_ type: TypeID) -> TypeID {
    guard types[type].kind == .typealiasDecl else { return type }
    if case .declared(let target) = aliasTarget(type) { return target }
    return type
  }

  func aliasTarget(_ type: TypeID) -> SwiftType { answer(TargetOfAlias(alias: type)) }

  fileprivate func findAliasTarget(_ type: TypeID) -> SwiftType {
    let ref = types[type].ref
    let outline = files[Int(ref.file)].outline
    guard
      let node = outline.children(of: Int(ref.node)).first(where: {
        outline.nodes[$0].kind == .type
      })
    else { return .unknown }
    let place = Ref(file: Int(ref.file), node: node)
    return self.type(ofTypeNode: place)
  }

  /// The type and its supertypes of the sources, nearest first; protocols included.
  package func lineage(of type: TypeID) -> [TypeID] {
    answer(Lineage(type: resolveAlias(type)))
  }

  fileprivate func findLineage(of type: TypeID) -> [TypeID] {
    var line = [type]
    var seen: Set<TypeID> = [type]
    var next = 0
    while next < line.count, isWithin(next, .supertypes) {
      for case .declared(let parent) in inherited(by: line[next]) {
        for named in [parent, resolveAlias(parent)] where seen.insert(named).inserted {
          line.append(named)
        }
      }
      next += 1
    }
    return line
  }

  /// Whether a type inherits, directly or not, from a type from elsewhere of that name.
  package func inherits(_ type: TypeID, from name: Name) -> Bool {
    lineage(of: type).contains { parent in
      inherited(by: parent).contains { $0.isExternal(name) }
    }
  }
}

/// The types in the inheritance clauses of a type.
private struct InheritedTypes: Query {
  let type: TypeID

  static var provisional: [SwiftType] { [] }
  func answer(in program: Program) -> [SwiftType] { program.findInherited(by: type) }
}

/// What a typealias stands for.
private struct TargetOfAlias: Query {
  let alias: TypeID

  static var provisional: SwiftType { .unknown }
  func answer(in program: Program) -> SwiftType { program.findAliasTarget(alias) }
}

/// A type that is no typealias, and its supertypes.
private struct Lineage: Query {
  let type: TypeID

  static var provisional: [TypeID] { [] }
  func answer(in program: Program) -> [TypeID] { program.findLineage(of: type) }
}
