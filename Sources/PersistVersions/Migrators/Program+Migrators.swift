import PersistIndex
import PersistSchema
import PersistSyntax

// MARK: - The migrators of the sources

extension Program {
  /// Reads all migrators outside of silent places, sorted by place.
  func findMigrators() -> [Migrator] {
    let calls = registrationCalls()
    guard !calls.isEmpty else { return [] }
    let registrars = registrars(of: calls)
    var groups: [(key: MigratorKey, found: [MigrationReader.Registration], isOpen: Bool)] = []
    for (index, root) in migratorRoots(calls, registrars).enumerated() {
      var reader = MigrationReader(self, registrars: registrars)
      reader.readRoot(root)
      for registration in reader.registrations {
        let key = key(of: registration, root: index)
        let escapes = reader.hands(registration.receiver)
        if let place = groups.firstIndex(where: { $0.key == key }) {
          groups[place].found.append(registration)
          groups[place].isOpen = groups[place].isOpen || escapes
        } else {
          groups.append((key, [registration], escapes))
        }
      }
    }
    var migrators = groups.compactMap { migrator($0.found, isOpen: $0.isOpen, registrars) }
    migrators.sort { $0.place < $1.place }
    nameApart(&migrators)
    markLive(&migrators)
    return migrators
  }

  /// Tells migrators that are made in the same function apart by a number.
  private func nameApart(_ migrators: inout [Migrator]) {
    var seen: [String: Int] = [:]
    for index in migrators.indices {
      let count = seen[migrators[index].name, default: 0] + 1
      seen[migrators[index].name] = count
      if count > 1 { migrators[index].name += "#\(count)" }
    }
  }

  /// Notes which migrations work with record types that other code uses too.
  private func markLive(_ migrators: inout [Migrator]) {
    let code = migrationCode(migrators)
    var live: [TypeID: Bool] = [:]
    for migrator in migrators.indices {
      for index in migrators[migrator].migrations.indices {
        let steps = migrators[migrator].migrations[index].steps
        let types = Set(steps.compactMap { record(of: $0) }).filter { type in
          let isLive = live[type] ?? isUsed(type, outside: code)
          live[type] = isLive
          return isLive
        }
        migrators[migrator].migrations[index].liveTables =
          Set(types.compactMap { recordTable(of: $0)?.lowercased() }).sorted()
      }
    }
  }

  private func registrationCalls() -> [Ref] {
    calls(named: "registerMigration").filter { call in
      guard !isExempt(call), arguments(call).count > 1 else { return false }
      switch callTarget(call) {
      case .externalMethod(let type, _): return type.isExternal("DatabaseMigrator")
      case .unknownMethod, .externalFunction: return true
      default: return false
      }
    }
  }

  // MARK: Who registers

  /// The functions that register migrations, or hand a migrator to one that does.
  private func registrars(of calls: [Ref]) -> Set<FunctionID> {
    var found: Set<FunctionID> = []
    var waiting = calls.compactMap { enclosingFunction($0) }
    while let function = waiting.popLast() {
      guard found.insert(function).inserted else { continue }
      waiting += leading(to: function).compactMap { enclosingFunction($0) }
    }
    return found
  }

  /// The calls of a function that are a part of registering: those which hand a migrator over, get
  /// one, or belong to the type that keeps it.
  private func leading(to function: FunctionID) -> [Ref] {
    let declaration = functions[function]
    let isGiven = takesMigrator(function)
    let makes = resultType(function).isExternal("DatabaseMigrator")
    return callers(of: function).filter { call in
      guard !isExempt(call) else { return false }
      if isGiven || makes { return true }
      guard let owner = declaration.owner, let caller = enclosingType(call) else { return false }
      return owner == caller && registersWithProperty(function)
    }
  }

  private func takesMigrator(_ function: FunctionID) -> Bool {
    let declaration = functions[function]
    if let owner = declaration.owner, types[owner].kind == .extensionDecl {
      if types[owner].name == "DatabaseMigrator", !declaration.isStatic { return true }
    }
    return declaration.parameters.contains { parameter in
      parameter.type.map {
        type(ofTypeNode: Ref(file: Int(declaration.ref.file), node: $0))
          .isExternal("DatabaseMigrator")
      } ?? false
    }
  }

  /// Whether a function's own registrations go to a property.
  private func registersWithProperty(_ function: FunctionID) -> Bool {
    descendants(functions[function].ref, .call).contains { call in
      guard calledName(call) == "registerMigration" else { return false }
      return receiverProperty(call) != nil
    }
  }

  /// The property that a migration is registered with.
  private func receiverProperty(_ call: Ref) -> PropertyID? {
    let before = callee(call).dropLast()
    return before.last.flatMap { property(usedBy: $0) }
  }

  /// The bodies from which all registrations are reached, in source order.
  private func migratorRoots(_ calls: [Ref], _ registrars: Set<FunctionID>) -> [Ref] {
    var roots: Set<Ref> = []
    for function in registrars {
      let isLed = takesMigrator(function) || registersWithProperty(function)
      let makes = resultType(function).isExternal("DatabaseMigrator")
      let leading = leading(to: function)
      if makes && !takesMigrator(function) || !isLed || leading.isEmpty {
        roots.insert(functions[function].ref)
      }
      for site in leading where enclosingFunction(site) == nil {
        roots.insert(enclosingDeclaration(site))
      }
    }
    for call in calls where enclosingFunction(call) == nil {
      roots.insert(enclosingDeclaration(call))
    }
    return roots.filter { !isExempt($0) }.sorted()
  }

  // MARK: Migrators

  private enum MigratorKey: Hashable {
    case property(PropertyID)
    case local(root: Int, Form)
  }

  private func key(of registration: MigrationReader.Registration, root: Int) -> MigratorKey {
    if let property = property(of: registration) { return .property(property) }
    return .local(root: root, registration.receiver)
  }

  /// The property that keeps the migrator of a registration.
  private func property(of registration: MigrationReader.Registration) -> PropertyID? {
    switch registration.receiver {
    case .migrator(let property): property
    case .local: nil
    default: receiverProperty(registration.call)
    }
  }

  private func migrator(
    _ found: [MigrationReader.Registration], isOpen: Bool, _ registrars: Set<FunctionID>
  ) -> Migrator? {
    guard let first = found.first else { return nil }
    let place = place(of: first)
    var migrations: [RegisteredMigration] = []
    for registration in found {
      guard let id = registration.id.literal else { continue }
      var reader = MigrationReader(self, registrars: registrars)
      let statements = MigrationForm.canonical(reader.readBody(registration))
      migrations.append(
        RegisteredMigration(
          id: id, call: registration.call, path: registration.path,
          isConditional: isConditional(registration), statements: statements, steps: reader.steps,
          fingerprint: MigrationForm.sum(statements),
          merged: registration.merged.texts.filter { !$0.contains(SQLText.hole) },
          definitions: MigrationForm.sum(statements.filter { SchemaWork.defines(in: $0) }),
          functions: reader.listed.sorted()))
    }
    let isComplete =
      !isOpen && migrations.count == found.count && !found.contains { $0.isRepeated }
    let name = symbol(place)
    return Migrator(
      name: name.isEmpty ? "migrator" : name, place: place, migrations: migrations,
      isComplete: isComplete)
  }

  /// Where the migrator of a registration is made.
  private func place(of registration: MigrationReader.Registration) -> Ref {
    var places: [Ref] = []
    for case (.local(let local), registration.receiver) in registration.names {
      places.append(local)
    }
    if let property = property(of: registration) {
      places = [properties[property].ref]
    }
    let made = places.sorted().map { place -> Ref in
      let binding = kind(place) == .boundName ? parent(place) ?? place : place
      return child(binding, .expression) ?? place
    }
    return made.first { names("DatabaseMigrator", in: $0) } ?? made.first
      ?? calledNode(registration.call) ?? registration.call
  }

  private func isConditional(_ registration: MigrationReader.Registration) -> Bool {
    (registration.path + [registration.call]).contains { call in
      for ancestor in ancestors(call) {
        switch kind(ancestor) {
        case .ifStatement, .guardStatement, .switchCase, .ifConfigClause, .catchClause: return true
        case .functionDecl, .initDecl, .accessor, .members: return false
        default: continue
        }
      }
      return false
    }
  }
}

extension Program {
  /// The table of a record type: as it says, else as GRDB names it.
  package func recordTable(of type: TypeID) -> String? {
    var reader = MigrationReader(self)
    guard case .property(let id)? = member("databaseTableName", of: type) else {
      return reader.tableName(of: type)
    }
    return reader.constant(id)?.literal
  }
}

extension MigrationReader {
  /// Reads the body of a function, or the value of a property, for what is registered in it.
  mutating func readRoot(_ root: Ref) {
    if let function = program.function(declaredAt: root) {
      let file = Int(root.file)
      for parameter in program.functions[function].parameters {
        _ = bind(Ref(file: file, node: parameter.node))
      }
      if let owner = program.functions[function].owner,
        program.types[owner].kind == .extensionDecl
      {
        ownForm = .words("self")
      }
      _ = putIn(function)
    } else {
      _ = form(root)
    }
  }

  /// Whether a migrator was handed to a function that the sources don't have.
  func hands(_ receiver: Form) -> Bool {
    switch receiver {
    case .local, .migrator:
      steps.contains { step in
        step.arguments.contains { [receiver, .prefixed("&", receiver)].contains($0.value) }
      }
    default: false
    }
  }

  /// The statements of what is registered.
  mutating func readBody(_ registration: Registration) -> [Form] {
    names = registration.names.mapValues { $0.startsWithLocal ? .outer : $0 }
    ownForm = registration.ownForm.map { $0.startsWithLocal ? .outer : $0 }
    path = registration.path
    types = registration.types
    elements = registration.elements
    ownElement = registration.ownElement
    guard let body = registration.body else { return [] }
    if program.kind(body) == .closure { return readClosure(body) }
    if let function = registration.function ?? program.namedFunction(body) {
      let file = Int(program.functions[function].ref.file)
      for parameter in program.functions[function].parameters {
        _ = bind(Ref(file: file, node: parameter.node))
      }
      return putIn(function)
    }
    let form = form(body)
    if let source = registration.closures[form] {
      names = source.names.mapValues { $0.startsWithLocal ? .outer : $0 }
      return readClosure(source.closure)
    }
    return [form]
  }

  private mutating func readClosure(_ ref: Ref) -> [Form] {
    if let list = program.child(ref, .parameters) {
      for parameter in program.children(list, .parameter) { _ = bind(parameter) }
    } else {
      count += 1
      names[.closureArgument(ref, 0)] = .local(count)
    }
    return statements(in: ref)
  }
}
