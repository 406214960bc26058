import PersistSyntax

// MARK: - Looking at files when something asks for them

extension Program {
  /// Where the declarations of one file stand in the lists of the program.
  struct Firsts {
    var types = 0..<0
    var functions = 0..<0
    var properties = 0..<0
    var isLoaded = false
  }

  /// A name that was asked for.
  struct Asked: Hashable {
    let name: Name
    let kind: FileWords.Declared.Kind

    func hash(into hasher: inout Hasher) { hasher.combine(name.hash &+ UInt64(kind.rawValue)) }
  }

  /// The files that may use a name, in their order.
  package func files(using name: Name) -> [Int] {
    guard takesShortcuts else { return Array(files.indices) }
    if let known = filesByWord[name] { return known }
    let found = index.words.files(holding: name).filter { files[$0].words.hasHalf(of: name) }
    filesByWord[name] = found
    return found
  }

  /// The files that may use one of the names, in their order.
  package func files(usingAny names: some Collection<Name>) -> [Int] {
    takesShortcuts ? Set(names.flatMap { files(using: $0) }).sorted() : Array(files.indices)
  }

  /// The files that may use one of the names, and those that extend a type which one of these
  /// declares: an extension knows the type's members without naming their types.
  package func files(usingOrExtending names: some Collection<Name>) -> [Int] {
    let using = files(usingAny: names)
    guard takesShortcuts else { return using }
    let types = Set(
      using.flatMap { files[$0].words.declared.filter { $0.kind == .type }.map(\.name) })
    return Set(using).union(
      types.flatMap { index.declarations.files(declaring: $0, as: .extended) }
    )
    .sorted()
  }

  /// Looks at all files that declare a name.
  func ask(for name: Name, as kind: FileWords.Declared.Kind) {
    guard takesShortcuts, complete.insert(Asked(name: name, kind: kind)).inserted else { return }
    load(index.declarations.files(declaring: name, as: kind))
    switch kind {
    case .function: functionsByName[name]?.sort { functions[$0].ref < functions[$1].ref }
    case .freeFunction: freeFunctions[name]?.sort { functions[$0].ref < functions[$1].ref }
    case .type: topLevelTypes[name]?.sort { types[$0].ref < types[$1].ref }
    case .variable: globals[name]?.sort { properties[$0].ref < properties[$1].ref }
    case .extended: if let type = foreignTypes[name] { sortMembers(of: type) }
    case .inherited: break
    }
  }

  /// The types that the files which may use a name declare, in source order.
  func types(inFilesUsing name: Name) -> [TypeID] {
    let files = files(using: name)
    load(files)
    return files.flatMap { Array(firsts[$0].types) }
  }

  /// The properties that the files which may use a name declare, in source order.
  func properties(inFilesUsing name: Name) -> [PropertyID] {
    let files = files(using: name)
    load(files)
    return files.flatMap { Array(firsts[$0].properties) }
  }

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
  func hasType(
    inheritingFrom names: some Collection<Name>, where isWanted: (TypeID) -> Bool
  ) -> Bool {
    var seen: Set<TypeID> = []
    var pending = Array(names)
    var asked = Set(names)
    while let name = pending.popLast() {
      for file in filesDeclaring(heirsOf: name) {
        for type in answer(HeirsInFile(file: file))[name] ?? [] where !seen.contains(type) {
          guard inherits(type, fromAny: asked) else { continue }
          seen.insert(type)
          if isWanted(type) { return true }
          if asked.insert(types[type].name).inserted { pending.append(types[type].name) }
        }
      }
    }
    return false
  }

  private func filesDeclaring(heirsOf name: Name) -> [Int] {
    takesShortcuts
      ? index.declarations.files(declaring: name, as: .inherited) : Array(files.indices)
  }

  private func types(declaredOrExtendedIn file: Int) -> [TypeID] {
    load([file])
    let extended = files[file].words.declared.lazy.filter { $0.kind == .extended }
      .flatMap { self.topLevelTypes(named: $0.name) }
    return Array(firsts[file].types) + extended
  }

  /// The types that a file declares or extends, by the names in their inheritance clauses and, for
  /// typealiases, in what they stand for.
  fileprivate func findHeirs(inFile file: Int) -> [Name: [TypeID]] {
    var heirs: [Name: [TypeID]] = [:]
    for type in types(declaredOrExtendedIn: file) {
      var names: Set<Name> = []
      for ref in [types[type].ref] + types[type].extensions {
        let kind: Node.Kind = types[type].kind == .typealiasDecl ? .type : .inheritance
        for clause in children(ref, kind) {
          names.formUnion(outline(ref).tokenNames(of: Int(clause.node)))
        }
      }
      for name in names { heirs[name, default: []].append(type) }
    }
    return heirs
  }

  /// Whether a type names one of the names in its inheritance clauses, or behind `typealias`.
  private func inherits(_ type: TypeID, fromAny names: Set<Name>) -> Bool {
    if types[type].kind == .typealiasDecl { return isNamed(aliasTarget(type), names) }
    return inherited(by: type).contains { isNamed($0, names) }
  }

  private func isNamed(_ type: SwiftType, _ names: Set<Name>) -> Bool {
    switch type.unwrapped {
    case .declared(let id): names.contains(types[id].name)
    case .external(let name, _): names.contains(name)
    default: false
    }
  }

  /// The types of all files.
  package func allTypes() -> [TypeID] {
    load(Array(files.indices))
    return files.indices.flatMap { Array(firsts[$0].types) }
  }

  /// The properties of all files.
  func allProperties() -> [PropertyID] {
    load(Array(files.indices))
    return files.indices.flatMap { Array(firsts[$0].properties) }
  }

  /// The functions that the files which may use one of the names declare, in source order.
  func functions(inFilesUsingAny names: Set<Name>) -> [FunctionID] {
    let files = files(usingAny: names)
    load(files)
    return files.flatMap { Array(firsts[$0].functions) }
  }

  // MARK: Joining

  /// Takes in what files declare, and what makes their types whole: the files that extend these.
  func load(_ wanted: [Int]) {
    let known = types.count
    takeIn(wanted)
    // What is asked while extensions are joined may load more files; theirs are joined with the others.
    guard !isJoining, !openExtensions.isEmpty else { return }
    isJoining = true
    joinExtensions(newFrom: known)
    isJoining = false
  }

  private func takeIn(_ wanted: [Int]) {
    var pending = wanted.filter { !firsts[$0].isLoaded }
    var next = 0
    while next < pending.count {
      let file = pending[next]
      next += 1
      guard !firsts[file].isLoaded else { continue }
      let facts = files[file].facts(at: file)
      add(facts, file: file)
      openExtensions += facts.extensions.map { OpenExtension(part: $0, file: file) }
      guard takesShortcuts else { continue }
      for type in facts.topLevel.types {
        pending += index.declarations.files(declaring: facts.types[type].name, as: .extended)
      }
      for part in facts.extensions {
        guard let first = part.path.first else { continue }
        pending += index.declarations.files(declaring: first, as: .type)
      }
    }
  }

  /// An extension whose members don't belong to a type yet.
  struct OpenExtension {
    let part: FileFacts.Extension
    let file: Int

    var ref: Ref { Ref(file: file, node: part.node) }
  }

  /// Gives extensions' members to their types; one may extend what another declares, also by way of a
  /// typealias, so those that find no type wait for the others. The order turns around from round to
  /// round, so that a chain of them is done in two, whichever way it runs. Types from an index on
  /// are new: nobody has asked for them.
  private func joinExtensions(newFrom known: TypeID) {
    var round = 0
    var isLast = false
    while !openExtensions.isEmpty {
      let open = openExtensions.sorted {
        round.isMultiple(of: 2) ? $0.ref < $1.ref : $1.ref < $0.ref
      }
      openExtensions = []
      hasJoinedKnown = false
      let waiting = open.filter { !join($0, isLast: isLast, newFrom: known) }
      round += 1
      isLast =
        waiting.count == open.count && openExtensions.isEmpty || !isWithin(round, .joiningRounds)
      openExtensions += waiting
      // What was asked meanwhile may have missed an extension, and so may what was asked before.
      queries.endTentative()
      if hasJoinedKnown { forgetAnswers() }
    }
  }

  private func add(_ facts: FileFacts, file: Int) {
    let first = Firsts(
      types: types.count..<types.count + facts.types.count,
      functions: functions.count..<functions.count + facts.functions.count,
      properties: properties.count..<properties.count + facts.properties.count, isLoaded: true)
    firsts[file] = first
    types += facts.types
    functions += facts.functions
    properties += facts.properties
    for (index, members) in facts.members.enumerated() {
      attach(members, to: first.types.lowerBound + index, file: file)
    }
    for id in first.functions { functionsByName[functions[id].name, default: []].append(id) }
    for index in facts.topLevel.functions {
      addFree(first.functions.lowerBound + index)
    }
    for index in facts.topLevel.types {
      let id = first.types.lowerBound + index
      topLevelTypes[types[id].name, default: []].append(id)
    }
    for index in facts.topLevel.properties {
      let id = first.properties.lowerBound + index
      globals[properties[id].name, default: []].append(id)
    }
  }

  private func addFree(_ function: FunctionID) {
    freeFunctions[functions[function].name, default: []].append(function)
  }

  private func attach(_ members: FileFacts.Members, to type: TypeID, file: Int) {
    let first = firsts[file]
    for index in members.functions {
      functions[first.functions.lowerBound + index].owner = type
      types[type].functions.append(first.functions.lowerBound + index)
    }
    for index in members.properties {
      properties[first.properties.lowerBound + index].owner = type
      types[type].properties.append(first.properties.lowerBound + index)
    }
    for index in members.types {
      types[first.types.lowerBound + index].parent = type
      types[type].nested.append(first.types.lowerBound + index)
    }
  }

  /// Whether an extension has found its type, or waits no longer; what extends an unknown type stays
  /// without owner.
  private func join(_ open: OpenExtension, isLast: Bool, newFrom known: TypeID) -> Bool {
    let part = open.part
    let file = open.file
    var found: TypeID?
    hasFollowedAlias = false
    if let first = part.path.first, let head = topLevelType(first, file: file).only {
      found = extendedType(head, part.path.dropFirst())
      let waits = found.map { types[$0].kind == .typealiasDecl } ?? true
      if waits, !isLast { return false }
    }
    guard let type = found ?? foreignType(part.path, ref: open.ref) else {
      for index in part.functions { addFree(firsts[file].functions.lowerBound + index) }
      return true
    }
    if hasFollowedAlias, type < known { hasJoinedKnown = true }
    let isLate = types[type].extensions.last.map { open.ref < $0 } ?? false
    types[type].extensions.append(open.ref)
    attach(
      FileFacts.Members(
        functions: part.functions, properties: part.properties, types: part.types),
      to: type, file: file)
    typeExtendedAt[open.ref] = type
    membersByName[type] = nil
    if isLate { sortMembers(of: type) }
    return true
  }

  private func extendedType(_ head: TypeID, _ path: ArraySlice<Name>) -> TypeID? {
    var type = head
    for name in path {
      guard let next = types[target(of: type)].nested.first(where: { types[$0].name == name })
      else { return nil }
      type = next
    }
    return target(of: type)
  }

  /// The type, or what it stands for, asked while files are still being joined.
  private func target(of type: TypeID) -> TypeID {
    guard types[type].kind == .typealiasDecl else { return type }
    hasFollowedAlias = true
    queries.beginTentative()
    return resolveAlias(type)
  }

  /// A stand-in for a type from elsewhere that the sources extend.
  private func foreignType(_ path: [Name], ref: Ref) -> TypeID? {
    guard path.count == 1, let name = path.first else { return nil }
    if let known = foreignTypes[name] { return known }
    types.append(
      TypeDeclaration(ref: ref, kind: .extensionDecl, name: name, attributes: [], isPrivate: false))
    foreignTypes[name] = types.count - 1
    return types.count - 1
  }

  /// Puts the members of a type in order: its own, then those of extensions, in source order.
  private func sortMembers(of type: TypeID) {
    var whole = types[type]
    let own = whole.kind == .extensionDecl ? nil : whole.ref
    func isBefore(_ left: Ref, _ right: Ref) -> Bool {
      guard let own else { return left < right }
      let (isOwn, isOtherOwn) = (contains(own, left), contains(own, right))
      return isOwn == isOtherOwn ? left < right : isOwn
    }
    whole.extensions.sort()
    whole.functions.sort { isBefore(functions[$0].ref, functions[$1].ref) }
    whole.properties.sort { isBefore(properties[$0].ref, properties[$1].ref) }
    whole.nested.sort { isBefore(types[$0].ref, types[$1].ref) }
    if whole.kind == .extensionDecl, let first = whole.extensions.first { whole.ref = first }
    types[type] = whole
    membersByName[type] = nil
  }
}

/// The types that a file declares or extends, by the names of what they inherit from.
private struct HeirsInFile: Query {
  let file: Int

  static var provisional: [Name: [TypeID]] { [:] }
  func answer(in program: Program) -> [Name: [TypeID]] { program.findHeirs(inFile: file) }
}
