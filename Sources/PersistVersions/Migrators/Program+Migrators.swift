import PersistFlow
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
    let values = KnownValues(self, registering: Set(calls), registrars: registrars)
    var groups: [(key: MigratorKey, found: [Registration])] = []
    for (index, root) in migratorRoots(calls, registrars).enumerated() {
      for registration in values.registrations(from: root) {
        let key = key(of: registration, root: index)
        if let place = groups.firstIndex(where: { $0.key == key }) {
          groups[place].found.append(registration)
        } else {
          groups.append((key, [registration]))
        }
      }
    }
    // Who calls what makes a migrator finds all that is registered there once more.
    groups = groups.enumerated().filter { index, group in
      !groups.enumerated().contains { other, rest in
        guard other != index, rest.key.migrator == group.key.migrator else { return false }
        let isLonger = rest.found.count > group.found.count
        return group.found.allSatisfy { one in rest.found.contains { $0.call == one.call } }
          && (isLonger || other < index)
      }
    }.map(\.element)
    var migrators = groups.compactMap { migrator($0.found, values) }
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
      // A function that migrators get, and which is called like the framework's, calls that one.
      case .functions(let ids): return enclosingFunction(call).map(ids.contains) ?? false
      case .unknown: return enclosingFunction(call).map(takesMigrator) ?? false
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
    let isLocal = enclosingBody(declaration.ref) != nil
    return callers(of: function).filter { call in
      guard !isExempt(call) else { return false }
      if isGiven || makes || isLocal { return true }
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
      let isLed =
        takesMigrator(function) || registersWithProperty(function)
        || enclosingBody(functions[function].ref) != nil
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

  /// A migrator by its value; one that code makes is another each time.
  private struct MigratorKey: Hashable {
    let root: Int?
    let migrator: Known
  }

  private func key(of registration: Registration, root: Int) -> MigratorKey {
    MigratorKey(
      root: property(of: registration) == nil ? root : nil, migrator: migrator(of: registration))
  }

  private func migrator(of registration: Registration) -> Known {
    property(of: registration).map { .migrator(properties[$0].ref) } ?? registration.migrator
  }

  /// The property that keeps the migrator of a registration.
  private func property(of registration: Registration) -> PropertyID? {
    guard case .migrator(let place) = registration.migrator else {
      return receiverProperty(registration.call)
    }
    return property(declaredAt: place)
  }

  private func migrator(_ found: [Registration], _ values: KnownValues) -> Migrator? {
    guard let first = found.first else { return nil }
    let place = place(of: first)
    var migrations: [RegisteredMigration] = []
    for registration in found {
      guard let id = registration.id.text.map({ SQLText.normalized($0) }) else { continue }
      let run = values.run(registration)
      var plain = FormReader(self, values, isPlain: true)
      let plainStatements = MigrationForm.canonical(plain.readBody(registration, run))
      var reader = FormReader(self, values, isPlain: false)
      let statements = MigrationForm.canonical(reader.readBody(registration, run))
      let sum = MigrationForm.sum(statements)
      let plainSum = MigrationForm.sum(plainStatements)
      migrations.append(
        RegisteredMigration(
          id: id, call: registration.call, path: registration.path,
          naming: naming(registration, id),
          isConditional: isConditional(registration), statements: statements, steps: reader.steps,
          fingerprint: plainSum, fullFingerprint: sum == plainSum ? nil : sum,
          merged: (registration.merged.elements ?? []).compactMap(\.text),
          definitions: MigrationForm.sum(plainStatements.filter { SchemaWork.defines(in: $0) }),
          functions: reader.listed.sorted()))
    }
    let isOpen = found.contains { $0.isRepeated || values.escaping.contains($0.migrator) }
    let name = symbol(place)
    return Migrator(
      name: name.isEmpty ? "migrator" : name, place: place, migrations: migrations,
      isComplete: !isOpen && migrations.count == found.count)
  }

  /// The call from the migrator's code to a registration that says its id, the innermost one.
  private func naming(_ registration: Registration, _ id: String) -> Ref {
    let calls = [registration.call] + registration.path.reversed()
    let naming = calls.first { call in
      children(call, .argument).contains { argument in
        descendants(argument, .string).contains { stringText($0) == id }
      }
    }
    return naming ?? registration.call
  }

  /// Where the migrator of a registration is made.
  private func place(of registration: Registration) -> Ref {
    guard case .migrator(let place) = migrator(of: registration), function(declaredAt: place) == nil
    else { return calledNode(registration.call) ?? registration.call }
    if kind(place) == .call { return ancestors(place).first { kind($0) == .expression } ?? place }
    let binding = kind(place) == .boundName ? parent(place) ?? place : place
    return child(binding, .expression) ?? place
  }

  private func isConditional(_ registration: Registration) -> Bool {
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
    KnownValues(self).table(ofRecord: type)
  }
}
