import PersistSchema
import PersistSyntax

/// A configuration of realms that the sources make.
package struct RealmConfiguration: Hashable, Sendable {
  /// The function or property that makes it.
  package let name: String
  /// The call that makes it.
  package let call: Ref
  /// Its `schemaVersion`; nil where the sources don't tell it.
  package let version: UInt64?
  /// The number, or the call that lacks it.
  package let versionPlace: Ref
  /// The classes that it stores.
  package let classes: [RealmClass]
  /// The block that migrates; nil without one.
  package let migration: Ref?

  /// What a lock keeps of it; nil where the version isn't known.
  package var frozen: FrozenRealm? {
    version.map { version in
      FrozenRealm(
        name: name, version: version,
        classes: classes.map { stored in
          FrozenRealm.Class(
            name: stored.name, isEmbedded: stored.isEmbedded,
            properties: Dictionary(
              stored.properties.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first }),
            primaryKey: stored.primaryKey)
        }.sorted { $0.name < $1.name })
    }
  }
}

private struct RealmConfigurations: Query {
  static var provisional: [RealmConfiguration] { [] }
  func answer(in program: Program) -> [RealmConfiguration] { program.findRealmConfigurations() }
}

// MARK: - Configurations of realms

extension Program {
  /// The configurations of realms on disk, in source order; test code left out.
  package var realmConfigurations: [RealmConfiguration] { answer(RealmConfigurations()) }

  fileprivate func findRealmConfigurations() -> [RealmConfiguration] {
    guard usesRealm else { return [] }
    var names: [String: Int] = [:]
    return calls(named: "Configuration").compactMap { call in
      guard isRealmConfiguration(call), !isExempt(call), !isRealmInMemory(call) else { return nil }
      let symbol = symbol(call)
      names[symbol, default: 0] += 1
      let number = names[symbol] ?? 1
      return configuration(call, name: number > 1 ? "\(symbol)#\(number)" : symbol)
    }
  }

  /// Whether a call makes a configuration of realms.
  package func isRealmConfiguration(_ call: Ref) -> Bool {
    let parts = callee(call)
    return parts.count == 2 && nameText(parts[0]) == "Realm"
  }

  private func configuration(_ call: Ref, name: String) -> RealmConfiguration? {
    let written = realmSetting("schemaVersion", of: call)
    var number: (value: UInt64, place: Ref)?
    if let written {
      number = constantNumber(written)
    } else {
      number = (0, call)
    }
    guard let classes = listedClasses(of: call) else { return nil }
    return RealmConfiguration(
      name: name.isEmpty ? "Realm" : name, call: call, version: number?.value,
      versionPlace: number?.place ?? call, classes: classes,
      migration: realmSetting("migrationBlock", of: call))
  }

  /// What an argument, or an assignment to the local that holds the configuration, sets.
  package func realmSetting(_ setting: Name, of call: Ref) -> Ref? {
    if let given = argument(call, setting) { return given }
    if setting == "migrationBlock",
      let closure = children(call).last(where: { kind($0) == .closure })
    {
      return closure
    }
    return holder(of: call).flatMap { assigned(setting, to: $0) }
  }

  /// Whether a configuration on disk, in the usual file, gets a schema version or a migration.
  package func saysHowToMigrate(realm value: Ref) -> Bool {
    guard let call = realmConfigurationCall(value) else { return false }
    guard realmSetting("fileURL", of: call) == nil, !isRealmInMemory(call) else { return false }
    return realmSetting("schemaVersion", of: call) != nil
      || realmSetting("migrationBlock", of: call).map { !isNil($0) } ?? false
  }

  /// Whether a configuration on disk, in the usual file, gets a migration.
  package func setsMigration(realm value: Ref) -> Bool {
    guard let call = realmConfigurationCall(value) else { return false }
    return realmSetting("migrationBlock", of: call).map { !isNil($0) } ?? false
  }

  /// Whether a configuration is surely one of the usual file that says nothing of a migration.
  package func lacksMigration(realm value: Ref) -> Bool {
    guard let call = realmConfigurationCall(value) else { return false }
    let others: [Name] = [
      "fileURL", "inMemoryIdentifier", "syncConfiguration", "migrationBlock",
      "deleteRealmIfMigrationNeeded",
    ]
    return others.allSatisfy { realmSetting($0, of: call) == nil }
  }

  /// The call that makes a configuration, or that hands out the one by default.
  private func realmConfigurationCall(_ value: Ref) -> Ref? {
    Reach(from: value) { value in
      switch self.kind(value) {
      case .call:
        let ids = self.isRealmConfiguration(value) ? [] : self.functions(calledBy: value)
        let results = ids.count == 1 ? self.body(of: ids[0]).map { self.results(of: $0) } ?? [] : []
        return results.count == 1 ? results : []
      case .chain where self.children(value).last.map { self.kind($0) == .call } ?? false:
        return self.children(value).suffix(1)
      default: return self.valueStep(from: value).map { [$0] } ?? []
      }
    }.first { value in
      switch kind(value) {
      case .call: return isRealmConfiguration(value) ? value : nil
      case .chain:
        return children(value).last.flatMap { last in
          valueStep(from: value) == nil
            && ["defaultConfiguration", "configuration"].contains(name(last)) ? last : nil
        }
      default: return nil
      }
    }
  }

  /// What has the value of an expression: its only part, or what the constant begins with that it names.
  private func valueStep(from value: Ref) -> Ref? {
    let parts = children(value)
    switch kind(value) {
    case .expression, .argument: return parts.count == 1 ? parts[0] : nil
    case .chain:
      guard let last = parts.last else { return nil }
      if parts.count == 1, case .local(let local)? = declared(last), kind(local) == .boundName {
        return parent(local).flatMap { child($0, .expression) }
      }
      return property(usedBy: last).flatMap { id in
        properties[id].initializer.map { Ref(file: Int(properties[id].ref.file), node: $0) }
      }
    default: return nil
    }
  }

  /// The local that holds what a call makes.
  private func holder(of call: Ref) -> Ref? {
    guard let chain = parent(call), let expression = parent(chain),
      let binding = parent(expression),
      kind(binding) == .binding
    else { return nil }
    return child(binding, .boundName)
  }

  private func assigned(_ setting: Name, to local: Ref) -> Ref? {
    for use in uses(ofLocal: local) {
      guard let chain = parent(use), children(chain).count == 2,
        let last = children(chain).last, name(last) == setting
      else { continue }
      if let value = assignment(toChain: chain)?.value { return value }
    }
    return nil
  }

  /// Whether a configuration is one of a realm in memory.
  package func isRealmInMemory(_ call: Ref) -> Bool {
    realmSetting("inMemoryIdentifier", of: call).map { !isNil($0) } ?? false
  }

  /// The number that an expression is for certain, and where it is written.
  private func constantNumber(_ value: Ref) -> (value: UInt64, place: Ref)? {
    Reach(from: value) { value in
      let parts = self.children(value)
      guard self.kind(value) == .chain, let head = parts.first, let last = parts.last else {
        return self.valueStep(from: value).map { [$0] } ?? []
      }
      if parts.count == 1, self.kind(head) == .literal { return [head] }
      if self.kind(last) == .call, parts.count == 2,
        ["UInt64", "Int", "UInt"].contains(self.nameText(head))
      {
        return self.child(last, .argument).map { [$0] } ?? []
      }
      guard parts.allSatisfy({ self.kind($0) == .name || self.kind($0) == .member }) else {
        return []
      }
      return (self.valueStep(from: value) ?? self.onlyResult(ofGetterAt: last)).map { [$0] } ?? []
    }.first { value in
      kind(value) == .literal ? UInt64(text(value).filter { $0 != "_" }).map { ($0, value) } : nil
    }
  }

  /// What the getter of a property returns, if it returns one value.
  private func onlyResult(ofGetterAt name: Ref) -> Ref? {
    guard let id = property(usedBy: name), let accessors = properties[id].accessors,
      let getter = child(Ref(file: Int(properties[id].ref.file), node: accessors), .accessor),
      let block = child(getter, .block), case let results = results(of: block), results.count == 1
    else { return nil }
    return results[0]
  }

  /// The classes of `objectTypes`; all that there are without it, nil where they can't be told.
  private func listedClasses(of call: Ref) -> [RealmClass]? {
    guard let list = realmSetting("objectTypes", of: call) else { return realmClasses }
    var found: [RealmClass] = []
    for element in descendants(list, .member) where name(element) == "self" {
      guard let chain = parent(element), case .metatype(.declared(let type, _)) = type(of: chain),
        let stored = realmClasses.first(where: { $0.type == resolveAlias(type) })
      else { return nil }
      found.append(stored)
    }
    return found.isEmpty ? nil : found
  }
}

// MARK: - What migration blocks say

extension Program {
  /// Whether a migration block speaks of a class or property, or isn't in the sources.
  package func migrates(_ name: String, in block: Ref) -> Bool {
    guard let body = migrationBody(block) else { return true }
    let bodies = bodiesReached(from: body, escapes: { _ in false }) ?? []
    return bodies.contains { body in
      let outline = outline(body)
      let node = node(body)
      return (Int(node.first)..<Int(node.end)).contains { token in
        switch outline.tokens[token].kind {
        case .identifier: return outline.text(ofToken: token) == name
        case .string: return outline.text(ofToken: token) == "\"\(name)\""
        default: return false
        }
      }
    }
  }

  /// The closure or the function's block that a migration block is; nil where it can't be told.
  private func migrationBody(_ block: Ref) -> Ref? {
    let values = Set(possibleValues(of: block).map(\.place))
    guard values.count == 1, let value = values.first else { return namedFunction(block) }
    return kind(value) == .closure ? value : child(value, .closure) ?? namedFunction(value)
  }

  private func namedFunction(_ value: Ref) -> Ref? {
    for name in descendants(value, .name) {
      if case .functions(let ids)? = declared(name), ids.count == 1 { return body(of: ids[0]) }
    }
    for member in descendants(value, .member) {
      let named = functions(named: name(member))
      if named.count == 1 { return body(of: named[0]) }
    }
    return nil
  }
}
