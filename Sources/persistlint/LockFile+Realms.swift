import PersistSchema

extension LockFile {
  /// Takes the configurations of realms in as they are now; gives the names of those that are new or
  /// have another version.
  ///
  /// Refuses where classes changed under one version, unless they may be frozen again.
  mutating func freeze(
    _ wanted: [FrozenRealm], again: Bool
  ) throws(CommandError) -> [String] {
    guard !wanted.isEmpty else { return [] }
    guard format > 1 else {
      warn(
        "the lock has format 1, and that can't hold classes of Realm; "
          + "`persistlint freeze --again` rewrites it")
      return []
    }
    var frozen = realms
    var written: [String] = []
    for realm in wanted {
      guard let index = frozen.firstIndex(where: { $0.name == realm.name }) else {
        frozen.append(realm)
        written.append("\(realm.name) (\(realm.version))")
        continue
      }
      if frozen[index] == realm { continue }
      if !again, frozen[index].version >= realm.version, frozen[index].changes(in: realm) {
        throw .refusal(
          "\(realm.name) is frozen with version \(frozen[index].version) and its classes have changed: "
            + "raise the version, or rewrite it with --again if nobody has it")
      }
      frozen[index] = realm
      written.append("\(realm.name) (\(realm.version))")
    }
    realms = frozen
    return written
  }
}

extension FrozenRealm {
  /// Whether a class that is frozen differs in another state.
  fileprivate func changes(in other: FrozenRealm) -> Bool {
    classes.contains { frozen in
      other.storedClass(frozen.name).map { $0 != frozen } ?? false
    }
  }
}
