import PersistIndex
import PersistSyntax

// MARK: - What becomes of the configurations of realms

/// What code does with the configurations of realms that it makes.
private final class ConfigurationFates {
  let byOrigin: [Ref: [Fate]]
  /// The configurations that a member is set of, by the place that spells them there.
  let set: [Ref: Set<Ref>]

  init(_ program: Program) {
    let all = program.usesRealm ? program.fates(of: .realmConfigurations) : []
    byOrigin = Dictionary(grouping: all, by: \.origin)
    var set: [Ref: Set<Ref>] = [:]
    for fate in all {
      if case .sets = fate.deed { set[fate.place, default: []].insert(fate.origin) }
    }
    self.set = set
  }
}

extension Program {
  /// Whether nothing is done with the configurations that an assignment sets a member of but setting
  /// their members.
  func setsUnused(_ assignment: Ref) -> Bool {
    let fates = once(ConfigurationFates.init)
    guard let holder = descendants(assignment, .name).first, let origins = fates.set[holder] else {
      return false
    }
    return origins.allSatisfy { origin in
      (fates.byOrigin[origin] ?? []).allSatisfy { fate in
        switch fate.deed {
        case .sets, .assigns, .reads: true
        default: false
        }
      }
    }
  }

  /// The first statements of Realm's migration blocks that do nothing when a weak `self` is gone,
  /// where nobody keeps `self` alive while a realm is opened, in source order.
  package var lostRealmMigrations: [Ref] {
    weakRealmMigrations.filter { statement in
      let made = ancestors(statement).first { kind($0) == .call && isRealmConfiguration($0) }
      return made.map { !isOpenedByItself($0) } ?? true
    }
  }

  /// Whether the type that makes a configuration opens a realm by it at once, and keeps it nowhere.
  private func isOpenedByItself(_ made: Ref) -> Bool {
    guard let owner = enclosingType(made) else { return false }
    let fates = once(ConfigurationFates.init).byOrigin[made] ?? []
    let given = fates.filter { fate in
      switch fate.deed {
      case .sets, .assigns, .reads, .returns: false
      default: true
      }
    }
    return !given.isEmpty
      && given.allSatisfy { fate in
        guard case .hands(Frameworks.realm, _) = fate.deed else { return false }
        return !fate.isLate && enclosingType(fate.body) == owner
      }
  }
}
