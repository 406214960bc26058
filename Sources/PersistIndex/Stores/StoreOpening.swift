import PersistSyntax

/// A place that opens a store: a framework's call, or a use of a function or property of the
/// sources that opens one and lets the failure out.
package struct StoreOpening: Hashable, Sendable {
  /// The call, or the name of the property.
  package let site: Ref
  /// The framework's call that opens in the end.
  package let root: Ref
  /// What the code calls, such as `ModelContainer` or `openStore`.
  package let name: String
  package let isInMemory: Bool
  /// The opening out of which the failure came here, an index in `FailureSpread.openings`; nil for the
  /// framework's call.
  package let before: Int?
  /// The failure was logged, kept or shown before it came here.
  package var isReported = false
  /// The failure shows as nil here, and what it was is lost already.
  package var isNil = false
  /// It opens only where the code doesn't run on the main thread.
  package var isOffMain = false

  package init(site: Ref, root: Ref, name: String, isInMemory: Bool, before: Int? = nil) {
    self.site = site
    self.root = root
    self.name = name
    self.isInMemory = isInMemory
    self.before = before
  }
}

// MARK: - The frameworks' openings

extension Program {
  /// The calls of all files that open a store by a framework, in source order, with the way in
  /// which each tells its failure.
  package func frameworkOpenings() -> [(call: Ref, form: Words.Opening)] {
    var found: [(Ref, Words.Opening)] = []
    for name in Words.openingTypes.keys {
      found += calls(named: name).filter { opensByInitializer($0) }.map { ($0, .thrown) }
    }
    found += Words.openingTypes.keys.flatMap { initCalls(of: $0) }
      .filter { opensByInitializer($0) }.map { ($0, .thrown) }
    for (name, form) in Words.openingMethods {
      for call in calls(named: name) where opensByMethod(call, name) {
        found.append((call, self.form(of: call, form)))
      }
    }
    for name in Words.openingFunctions {
      found += calls(named: name).filter { opensByFunction($0) }.map { ($0, .thrown) }
    }
    var seen: Set<Ref> = []
    return found.filter { seen.insert($0.0).inserted }.sorted { $0.0 < $1.0 }
      .map { (call: $0.0, form: $0.1) }
  }

  private func opensByInitializer(_ call: Ref) -> Bool {
    guard case .externalInitializer(.external(let type, _)) = callTarget(call),
      let labels = Words.openingTypes[type], mayUseOpeners(Int(call.file))
    else { return false }
    if type == "ModelContainer" { return !arguments(call).isEmpty }
    // Other modules have types of that name as well.
    if type == "Connection" { return files[Int(call.file)].imports("SQLite") }
    if Words.typesInMemoryWithoutPath.contains(type) { return true }
    return labels.isEmpty || labels.contains { argument(call, $0) != nil }
  }

  /// `defaultDatabase(…)`, also behind the name of its module.
  private func opensByFunction(_ call: Ref) -> Bool {
    let file = files[Int(call.file)]
    guard file.imports("SQLiteData") || file.imports("SharingGRDB"), let node = calledNode(call)
    else { return false }
    switch callTarget(call) {
    case .externalFunction: return true
    case .functions, .initializer, .closure: return false
    default:
      return kind(node) == .member && callee(call).count == 2
        && callee(call).first.map { self.name($0) == "SQLiteData" } ?? false
    }
  }

  private func opensByMethod(_ call: Ref, _ name: Name) -> Bool {
    guard mayUseOpeners(Int(call.file)) else { return false }
    switch callTarget(call) {
    case .externalMethod(let type, _) where name == "migrate":
      return type.isExternal("DatabaseMigrator")
    case .unknownMethod where name == "migrate": return false
    case .externalMethod, .unknownMethod:
      return name != "asyncOpen" || callee(call).first.map { self.name($0) == "Realm" } ?? false
    default: return false
    }
  }

  /// The form of one call: with a closure or without.
  private func form(of call: Ref, _ form: Words.Opening) -> Words.Opening {
    let takesClosure = arguments(call).contains { closure(of: $0) != nil }
    switch form {
    case .thrown: return takesClosure ? .completion(1) : .thrown
    case .missing, .denied: return form
    case .completion, .result: return takesClosure || !arguments(call).isEmpty ? form : .thrown
    }
  }

  /// The closure that an argument is, or consists of.
  package func closure(of argument: Ref) -> Ref? {
    if kind(argument) == .closure { return argument }
    guard let value = children(argument).first else { return nil }
    if kind(value) == .closure { return value }
    guard kind(value) == .expression, children(value).count == 1, let chain = child(value, .chain),
      children(chain).count == 1, let closure = child(chain, .closure)
    else { return nil }
    return closure
  }

  /// Whether a file can see a framework that opens stores, and not only something of its names.
  private func mayUseOpeners(_ file: Int) -> Bool {
    let imports = importedModules(file)
    return imports.isEmpty || !imports.isDisjoint(with: Words.openingModules)
      || importsOpeners
  }

  private func importedModules(_ file: Int) -> Set<Name> {
    if let known = importedModules[file] { return known }
    let outline = files[file].outline
    var modules: Set<Name> = []
    for node in outline.children(of: 0) where outline.nodes[node].kind == .importDecl {
      modules.insert(outline.name(of: node))
    }
    importedModules[file] = modules
    return modules
  }

  /// The initializer of the constant that a name stands for.
  package func fixedValue(of name: Ref) -> Ref? { declared(name).flatMap { fixedValue(of: $0) } }

  private func fixedValue(of declared: Declared) -> Ref? {
    switch declared {
    case .local(let local):
      guard kind(local) == .boundName, let binding = parent(local) else { return nil }
      if let value = child(binding, .expression) {
        return kind(binding) == .binding || kind(binding) == .optionalBinding ? value : nil
      }
      guard kind(binding) == .optionalBinding,
        let outer = lookUp(self.name(local), from: binding), outer != declared
      else { return nil }
      return fixedValue(of: outer)
    case .property(let id):
      let property = properties[id]
      return property.initializer.map { Ref(file: Int(property.ref.file), node: $0) }
    default: return nil
    }
  }
}
