import PersistIndex
import PersistSchema

/// A realm as it shipped, and as the sources make it now.
struct RealmStep {
  let shipped: FrozenRealm
  let now: RealmConfiguration

  /// A difference that a file has to be migrated for.
  struct Change {
    let text: String
    let place: Ref
  }

  /// A property that seems to have another name now.
  struct Rename {
    let owner: String
    let old: String
    let new: RealmClass.Property
  }

  /// The changes of classes that shipped; new classes need no migration.
  var changes: [Change] {
    now.classes.flatMap { stored -> [Change] in
      guard let old = shipped.storedClass(stored.name) else { return [] }
      var changes: [Change] = []
      if old.isEmbedded != stored.isEmbedded {
        changes.append(
          Change(
            text: "`\(stored.name)` \(stored.isEmbedded ? "became" : "is no longer") embedded",
            place: stored.place))
      }
      if old.primaryKey != stored.primaryKey {
        changes.append(
          Change(text: "the primary key of `\(stored.name)` changed", place: stored.place))
      }
      for property in stored.properties {
        let name = "`\(stored.name).\(property.name)`"
        guard let type = old.properties[property.name] else {
          changes.append(Change(text: "\(name) is new", place: property.place))
          continue
        }
        guard !type.isEmpty, !property.type.isEmpty, type != property.type else { continue }
        changes.append(
          Change(
            text: "\(name) changed from `\(type)` to `\(property.type)`", place: property.place))
      }
      let names = Set(stored.properties.map(\.name))
      for gone in old.properties.keys.sorted() where !names.contains(gone) {
        changes.append(Change(text: "`\(stored.name).\(gone)` was removed", place: stored.place))
      }
      return changes
    }
  }

  /// The properties that went while one of their type came, of which the migration says nothing.
  func unsaidRenames(in program: Program) -> [Rename] {
    now.classes.compactMap { stored in
      guard let old = shipped.storedClass(stored.name) else { return nil }
      let names = Set(stored.properties.map(\.name))
      let gone = old.properties.keys.filter { !names.contains($0) }
      let come = stored.properties.filter { old.properties[$0.name] == nil }
      guard gone.count == 1, come.count == 1, let before = gone.first, !come[0].type.isEmpty,
        old.properties[before] == come[0].type,
        !(now.migration.map { program.migrates(before, in: $0) } ?? false)
      else { return nil }
      return Rename(owner: stored.name, old: before, new: come[0])
    }
  }
}

extension Program {
  /// The realms of the base beside those of the sources: of one name, or the only ones.
  var realmSteps: [RealmStep] {
    guard let shipped = schemaInput.base?.realms, !shipped.isEmpty else { return [] }
    let now = realmConfigurations
    return now.compactMap { configuration in
      if let same = shipped.first(where: { $0.name == configuration.name }) {
        return RealmStep(shipped: same, now: configuration)
      }
      guard shipped.count == 1, now.count == 1 else { return nil }
      return RealmStep(shipped: shipped[0], now: configuration)
    }
  }
}
