import PersistProject
import PersistSyntax

/// What one thread has found out about the files of an index: what a name, a call or a type means.
///
/// A program remembers its answers, so one thread uses it; several may ask the same index.
package final class Program {
  package let index: SourceIndex
  package let files: [SourceFile]
  /// What the files declare, as it is compiled for `platform`.
  package let declarations: Declarations
  let views: OutlineViews
  /// The types of `declarations`.
  package let types: [TypeDeclaration]
  /// The functions of `declarations`.
  package let functions: [FunctionDeclaration]
  /// The properties of `declarations`.
  package let properties: [PropertyDeclaration]
  @exclusivity(unchecked) var queries = Queries()
  @exclusivity(unchecked) var memos: [ObjectIdentifier: any Answers] = [:]
  /// What is freed with the program.
  private var kept: [AnyObject] = []
  /// What `once` was asked for, by its type.
  @exclusivity(unchecked) var workedOut: [ObjectIdentifier: AnyObject] = [:]
  let typesOfValues = Memo<TypeOfValue>()
  let typesOfNodes = Memo<TypeOfNode>()
  let chainStarts = Memo<ChainStart>()
  let declarationsOfNames = Memo<DeclarationOfName>()
  let callTargets = Memo<TargetOfCall>()
  let isolations = Memo<IsolationAtPlace>()
  let realmObjects = Memo<LivesInRealms>()
  let writtenTypes = Memo<WrittenTypeOfProperty>()
  let inheritedTypes = Memo<InheritedTypes>()
  let lineages = Memo<Lineage>()
  let models = Memo<IsModel>()
  let typesOfInitialValues = Memo<TypeOfInitialValue>()
  /// How often each limit cut a question short.
  package internal(set) var limitHits: [Limit: Int] = [:]
  @exclusivity(unchecked) var scopeNames: [Ref: ScopeNames] = [:]
  /// The parameters of a list by their names.
  @exclusivity(unchecked) var parameterNames: [Ref: [Name: Ref]] = [:]
  /// The modules that a file imports, by its index.
  @exclusivity(unchecked) var importedModules: [Int: Set<Name>] = [:]
  private(set) lazy var importsOpeners = Words.openingModules.contains { module in
    files.contains { $0.imports(module) }
  }
  /// Whether the sources use realms.
  package private(set) lazy var usesRealm = files.contains { $0.importsRealm }
  package private(set) lazy var exportsSwiftData = findSwiftDataExport()
  private(set) lazy var actorCalls = findActorCalls()
  /// Whether there can be values that must stay with their actor or queue.
  package private(set) lazy var holdsModelsOrContexts = findsModelsOrContexts()
  /// The targets of the projects that the sources belong to.
  package private(set) lazy var projects =
    knowsProjects
    ? index.projects { Program(index, platform: platform, knowsProjects: false).readManifests() }
    : ProjectMap()
  /// Whether targets decide what names mean; they can't where manifests are read that say which
  /// targets there are.
  private let knowsProjects: Bool
  /// Whether some project or manifest may say where code runs that says nothing of it.
  private(set) lazy var projectMayIsolate = findsIsolationInProjects()
  @exclusivity(unchecked) var callsByName: [Name: [Ref]] = [:]
  @exclusivity(unchecked) var usesByNames: [Set<Name>: [Ref]] = [:]
  /// The targets that each file belongs to, by its index.
  private(set) lazy var targetsOfFiles = files.map { projects.targets(of: $0.path) }

  /// What is known of the project besides the Swift files.
  package var schemaInput: SchemaInput { index.input }
  /// The platform, as `os(…)` names it, whose clauses of `#if` count where several declare a name.
  package let platform: String

  /// Asks an index as its code is compiled for a platform.
  package convenience init(_ index: SourceIndex, platform: String = Program.usualPlatform) {
    self.init(index, platform: platform, knowsProjects: true)
  }

  private init(_ index: SourceIndex, platform: String, knowsProjects: Bool) {
    self.index = index
    self.knowsProjects = knowsProjects
    self.platform = platform
    files = index.files
    declarations = index.declarations(on: platform)
    types = declarations.types
    functions = declarations.functions
    properties = declarations.properties
    views = OutlineViews(files)
    for limit in declarations.limitsHit { limitHits[limit] = 1 }
  }

  /// Asks an index of its own.
  package convenience init(_ files: [SourceFile], input: SchemaInput = SchemaInput()) {
    self.init(SourceIndex(files, input: input))
  }

  /// Keeps what was worked out as long as the program: freeing it takes as long as making it.
  package func keep(_ object: AnyObject) { kept.append(object) }

  /// The types in the inheritance clauses of a type, extensions included, resolved where they can
  /// be.
  package func inherited(by type: TypeID) -> [SwiftType] {
    answer(InheritedTypes(type: type))
  }

  fileprivate func findInherited(by type: TypeID) -> [SwiftType] {
    inheritanceNodes(of: type).flatMap { [self.type(ofTypeNode: $0)] + joinedTypes($0) }
  }

  /// The types that `A & B` joins, also where a typealias stands for it.
  private func joinedTypes(_ node: Ref) -> [SwiftType] {
    guard let view = written(node) else { return [] }
    let parts = view.joined
    if parts.count > 1 { return parts.map { read($0, at: node) } }
    guard case .found(let alias) = lookUpType(view.path.map { name($0) }, from: node),
      types[alias].kind == .typealiasDecl,
      let target = child(types[alias].ref, .type), written(target)?.isComposition ?? false
    else { return [] }
    return joinedTypes(target)
  }

  /// The types that a type and its extensions spell where they say what they inherit from.
  func inheritanceNodes(of type: TypeID) -> [Ref] {
    ([types[type].ref] + types[type].extensions).flatMap { part in
      children(part, .inheritance).flatMap { children($0) }
    }
  }

  /// What a typealias stands for, when that is a type of the sources; else the type itself.
  package func resolveAlias(_ type: TypeID) -> TypeID {
    guard types[type].kind == .typealiasDecl else { return type }
    if case .declared(let target, _) = aliasTarget(type) { return target }
    return type
  }

  /// What a typealias stands for, with its generic parameters as they are.
  func aliasTarget(_ type: TypeID) -> SwiftType { answer(TargetOfAlias(alias: type)) }

  fileprivate func findAliasTarget(_ type: TypeID) -> SwiftType {
    let ref = types[type].ref
    let outline = files[Int(ref.file)].outline
    guard
      let node = outline.children(of: Int(ref.node)).first(where: {
        outline.nodes[$0].kind == .type
      })
    else { return .unknown }
    return signatureType(ofTypeNode: Ref(file: Int(ref.file), node: node))
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
      for case .declared(let parent, _) in inherited(by: line[next]) {
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
struct InheritedTypes: Query {
  let type: TypeID

  func _rawHashValue(seed: Int) -> Int { UInt64(truncatingIfNeeded: type).scattered(seed) }
  static func memo(in program: Program) -> Memo<Self> { program.inheritedTypes }
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
struct Lineage: Query {
  let type: TypeID

  func _rawHashValue(seed: Int) -> Int { UInt64(truncatingIfNeeded: type).scattered(seed) }
  static func memo(in program: Program) -> Memo<Self> { program.lineages }
  static var provisional: [TypeID] { [] }
  func answer(in program: Program) -> [TypeID] { program.findLineage(of: type) }
}
