import PersistSyntax

/// Finds which types extensions extend.
///
/// An extension may extend what another one declares, also by way of a typealias. So they are looked at
/// in rounds: each round sees what those before it have joined and nothing of its own, so that the
/// order of the files says nothing, and the last one finds nothing more.
struct ExtensionJoining {
  let conditions: ConditionalCode
  let types: [TypeDeclaration]
  let topLevelTypes: [Name: [TypeID]]
  private let parts: [Declarations.Part]
  /// The stand-ins for types from elsewhere, whose indices follow those of the types.
  private(set) var standIns: [TypeDeclaration] = []
  private(set) var foreignTypes: [Name: TypeID] = [:]
  private(set) var typeExtendedAt: [Ref: TypeID] = [:]
  private(set) var limitsHit: Set<Limit> = []
  /// By the indices of the extensions.
  private var extended: [Int: TypeID] = [:]
  /// The extensions of a type, and the types that stand in them.
  private var extensions: [TypeID: [Ref]] = [:]
  private var nested: [TypeID: [TypeID]] = [:]

  init(_ conditions: ConditionalCode, _ gathered: Gathered) {
    self.conditions = conditions
    types = gathered.types
    topLevelTypes = gathered.topLevelTypes
    parts = gathered.parts
  }

  /// The type that the extension of an index extends; nil where it is unknown.
  func type(extendedBy index: Int) -> TypeID? { extended[index] }

  /// Finds what all extensions extend.
  mutating func join(_ all: [Gathered.Extension]) {
    var waiting: [Int] = []
    for (index, part) in all.enumerated() {
      guard let first = part.path.first else { continue }
      let head = topLevelType(first, file: Int(part.ref.file))
      if part.path.count > 1 || head.map({ isTypealias($0) }) ?? false {
        waiting.append(index)
      } else {
        attach(index, part, to: head ?? standIn(first, part.ref))
      }
    }
    var round = 0
    var acceptsTypealiases = false
    while !waiting.isEmpty, isWithin(round, .joiningRounds) {
      let found = targets(of: waiting, all, acceptsTypealiases: acceptsTypealiases)
      for (index, type) in found { attach(index, all[index], to: type) }
      waiting.removeAll { extended[$0] != nil }
      if found.isEmpty {
        // What only a typealias of something from elsewhere leads to extends that typealias.
        if acceptsTypealiases { return }
        acceptsTypealiases = true
      } else {
        acceptsTypealiases = false
      }
      round += 1
    }
  }

  private func targets(
    of waiting: [Int], _ all: [Gathered.Extension], acceptsTypealiases: Bool
  ) -> [(Int, TypeID)] {
    var lookUp = JoinedLookup(self, acceptsTypealiases: acceptsTypealiases)
    return waiting.compactMap { index in
      lookUp.target(ofExtension: all[index].path, file: Int(all[index].ref.file))
        .map { (index, $0) }
    }
  }

  private mutating func attach(_ index: Int, _ part: Gathered.Extension, to type: TypeID) {
    extended[index] = type
    typeExtendedAt[part.ref] = type
    extensions[type, default: []].append(part.ref)
    if !part.members.types.isEmpty { nested[type, default: []] += part.members.types }
  }

  /// A stand-in for a type from elsewhere that an extension at a place extends.
  private mutating func standIn(_ name: Name, _ ref: Ref) -> TypeID {
    if let known = foreignTypes[name] { return known }
    let id = types.count + standIns.count
    standIns.append(
      TypeDeclaration(ref: ref, kind: .extensionDecl, name: name, attributes: [], isPrivate: false))
    foreignTypes[name] = id
    return id
  }

  private mutating func isWithin(_ number: Int, _ limit: Limit) -> Bool {
    guard number >= limit.count else { return true }
    limitsHit.insert(limit)
    return false
  }

  // MARK: What has been joined so far

  /// Whether a type is a typealias.
  func isTypealias(_ type: TypeID) -> Bool {
    type < types.count && types[type].kind == .typealiasDecl
  }

  /// The declaration of a type, unless it comes from elsewhere, and its extensions.
  func declarations(of type: TypeID) -> [Ref] {
    (type < types.count ? [types[type].ref] : []) + (extensions[type] ?? [])
  }

  /// The type that a name of a file means directly in a type.
  func nestedType(_ name: Name, directlyIn type: TypeID, file: Int) -> TypeID? {
    let own = type < types.count ? types[type].nested.filter { types[$0].name == name } : []
    let added = (nested[type] ?? []).filter { types[$0].name == name }
    return choice(among: own + added.sorted(), file: file)
  }

  /// The type that a declaration declares or an extension extends.
  func type(at ref: Ref, _ kind: Node.Kind) -> TypeID? {
    kind == .extensionDecl
      ? typeExtendedAt[ref] : types.find(ref, in: parts[Int(ref.file)].types) { $0.ref }
  }

  /// The top-level type that a name means in a file.
  func topLevelType(_ name: Name, file: Int) -> TypeID? {
    topLevelTypes[name].flatMap { choice(among: $0, file: file) }
  }

  /// The top-level type that a name means in a file behind the name of a module and a period.
  func topLevelType(_ name: Name, inModule module: Name, file: Int) -> TypeID? {
    let files = conditions.files
    let candidates = (topLevelTypes[name] ?? []).filter {
      files[file].isModule(module, of: files[Int(types[$0].ref.file)])
    }
    return choice(among: candidates, file: file)
  }

  private func choice(among all: [TypeID], file: Int) -> TypeID? {
    conditions.choice(among: all, of: types, file: file).only
  }
}
