import PersistSyntax

// MARK: - Writes of realms

extension Program {
  /// The calls that write to a realm and throw when that fails, in source order.
  package var realmWrites: [Ref] {
    guard files.contains(where: { $0.imports("RealmSwift") }) else { return [] }
    return ["write", "asyncWrite", "commitWrite"].flatMap { calls(named: $0) }.filter { call in
      guard case .externalMethod(let receiver, _) = callTarget(call) else { return false }
      return receiver.isExternal("Realm")
    }.sorted()
  }
}
