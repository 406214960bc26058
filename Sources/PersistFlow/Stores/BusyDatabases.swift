import PersistIndex
import PersistSyntax

// MARK: - Databases that several processes write

extension Program {
  /// The openings of GRDB's databases that more than one process may write, without a busy mode; in
  /// source order.
  package var impatientDatabases: [StoreOpening] {
    storeFlow.openings.filter { opening in
      guard opening.site == opening.root, !opening.isInMemory, !isExempt(opening.site),
        Words.fileDatabases.contains(calledName(opening.site)),
        argument(opening.site, "path") != nil
      else { return false }
      return isShared(opening) && !waitsOrReads(opening.site) && !isOnlyRead(opening.site)
    }.sorted { $0.site < $1.site }
  }

  /// Whether a local holds a database, and all that it is asked for is to read.
  private func isOnlyRead(_ call: Ref) -> Bool {
    guard let chain = parent(call), children(chain).last == call, let expression = parent(chain),
      let binding = parent(expression), kind(binding) == .binding,
      let local = child(binding, .boundName)
    else { return false }
    let uses = uses(ofLocal: local)
    return !uses.isEmpty
      && uses.allSatisfy { use in
        guard let asked = parent(use), children(asked).count > 1 else { return false }
        return ["read", "unsafeRead", "close", "interrupt"].contains(name(children(asked)[1]))
      }
  }

  private func isShared(_ opening: StoreOpening) -> Bool {
    let call = opening.site
    let users = modulesUsing(ownerOf: call)
    if isInGroup(call) {
      // Where a project tells who builds what, a second process has to open it.
      guard processKinds(at: call).isEmpty else { return isOpenedByTwoProcesses(opening) }
      return hasOtherProcesses || users.count > 1 || platformsOfEntries.isEmpty
    }
    // A file that is handed in may be any.
    let isGiven =
      argument(call, "path").map { path in
        storePaths(path).contains { path in
          if case .parameter = path.base { return true }
          return false
        }
      } ?? true
    return !isGiven && runOnOneDevice(users)
  }

  /// The modules in which somebody names the type around a node, its own left out if others do.
  private func modulesUsing(ownerOf node: Ref) -> Set<Name> {
    guard var owner = enclosingType(node) else { return [] }
    while let parent = types[owner].parent { owner = parent }
    let own = files[Int(node.file)].module
    let modules = Set(
      uses(of: [types[owner].name]).filter { !isExempt($0) }.map { files[Int($0.file)].module })
    return modules.count > 1 ? modules.subtracting([own]) : modules
  }

  /// Whether two of some modules begin a process of their own on one device.
  private func runOnOneDevice(_ modules: Set<Name>) -> Bool {
    let platforms = modules.compactMap { platformsOfEntries[$0] }
    return platforms.indices.contains { index in
      platforms[(index + 1)...].contains { other in
        platforms[index].isEmpty || other.isEmpty || !other.isDisjoint(with: platforms[index])
      }
    }
  }

  /// The modules with an entry point, those of watch apps left out, with the platforms that the
  /// project builds them for; none where it doesn't say.
  private var platformsOfEntries: [Name: Set<String>] {
    var modules: [Name: Set<String>] = [:]
    for file in files.indices where !files[file].isTest {
      let path = files[file].path
      guard !path.camelWords.contains("watch"), !path.camelWords.contains("watchkit") else {
        continue
      }
      let isMain = path.hasSuffix("/main.swift") || declaresMain(file)
      if isMain {
        let platforms = projects.platforms(of: path) ?? []
        modules[files[file].module, default: []].formUnion(platforms.map(\.conditionName))
      }
    }
    return modules
  }

  private func declaresMain(_ file: Int) -> Bool {
    guard files[file].spells("main") else { return false }
    let outline = files[file].outline
    return outline.nodes.indices.contains { node in
      outline.nodes[node].kind == .attribute && outline.name(of: node) == "main"
    }
  }

  /// Whether the configuration of an opening sets how long to wait, or only reads; also where it
  /// can't be told.
  private func waitsOrReads(_ call: Ref) -> Bool {
    guard let configuration = argument(call, "configuration") else { return false }
    return Reach(from: configuration) { value in
      self.local(namedBy: value).flatMap { self.value(of: $0) }.map { [$0] } ?? []
    }.contains { waitsOrReads(value: $0) }
  }

  /// What a value names or calls last.
  private func last(of value: Ref) -> Ref? {
    (kind(value) == .expression ? child(value, .chain) : value).flatMap { children($0).last }
  }

  private func local(namedBy value: Ref) -> Ref? {
    guard let last = last(of: value), kind(last) == .name,
      case .local(let local)? = declared(last)
    else { return nil }
    return local
  }

  private func value(of local: Ref) -> Ref? {
    kind(local) == .boundName ? parent(local).flatMap { child($0, .expression) } : nil
  }

  private func waitsOrReads(value: Ref) -> Bool {
    if says(value) { return true }
    guard let last = last(of: value) else { return true }
    switch kind(last) {
    case .call:
      let called = functions(calledBy: last)
      if called.isEmpty { return calledName(last) != "Configuration" }
      return called.contains { function in
        guard let body = functions[function].body else { return true }
        let block = Ref(file: Int(functions[function].ref.file), node: body)
        return reaches({ Words.patience.contains(self.name($0)) }, block)
      }
    case .name, .member, .implicitMember:
      if let local = local(namedBy: value) { return waitsOrReads(local: local) }
      guard let id = property(usedBy: last) ?? configuration(last) else { return true }
      return waitsOrReads(property: id)
    default: return true
    }
  }

  /// The property that the project gives GRDB's configurations, as `.name` means it.
  private func configuration(_ member: Ref) -> PropertyID? {
    guard kind(member) == .implicitMember, let type = foreignType(named: "Configuration"),
      case .property(let id)? = self.member(name(member), of: type)
    else { return nil }
    return id
  }

  private func waitsOrReads(local: Ref) -> Bool {
    value(of: local) == nil
      || uses(ofLocal: local).contains { use in
        guard let chain = parent(use), children(chain).count > 1 else { return isHanded(use) }
        if holdsString(in: chain, where: { $0.contains("busy_timeout") }) { return true }
        return Words.patience.contains(name(children(chain)[1]))
      }
  }

  /// Whether a value is handed to something that may change it.
  private func isHanded(_ use: Ref) -> Bool {
    guard let chain = parent(use) else { return false }
    let first = Int(node(use).first)
    return first > 0 && outline(chain).tokens[first - 1].kind == .prefixAmpersand
  }

  private func waitsOrReads(property id: PropertyID) -> Bool {
    let property = properties[id]
    let file = Int(property.ref.file)
    let set = uses(of: [property.name]).contains { use in
      guard self.property(usedBy: use) == id, let chain = parent(use) else { return false }
      return children(chain).contains { $0 > use && Words.patience.contains(name($0)) }
    }
    guard !set, let value = property.initializer ?? property.accessors else { return true }
    return says(Ref(file: file, node: value))
  }

  private func says(_ ref: Ref) -> Bool {
    reaches({ Words.patience.contains(self.name($0)) }, ref)
  }
}
