import PersistSyntax

// MARK: - Migrations that may do nothing

extension Program {
  /// The first statements of Realm's migration blocks that do nothing when a weak `self` is gone, in
  /// source order.
  package var weakRealmMigrations: [Ref] {
    guard usesRealm else { return [] }
    return calls(named: "Configuration").compactMap { call in
      guard isRealmConfiguration(call), !isExempt(call), !isRealmInMemory(call),
        let value = realmSetting("migrationBlock", of: call),
        let closure = closure(in: value) ?? child(value, .chain).flatMap({ child($0, .closure) })
      else { return nil }
      return leavingStatement(of: closure)
    }
  }

  /// The first statement of a closure that takes `self` weakly, if it returns without `self` or is
  /// only a call on it.
  private func leavingStatement(of closure: Ref) -> Ref? {
    guard let view = ClosureView(nodeView(closure)), let first = view.statements.first,
      view.captures.contains(where: { $0.modifier == .weak && $0.node.name?.text == "self" })
    else { return nil }
    switch first.kind {
    case .guardStatement:
      let binds = first.children(.optionalBinding).contains {
        $0.child(.expression).map { $0.text == "self" } ?? ($0.child(.boundName)?.text == "self")
      }
      return binds ? first.ref : nil
    case .expression where view.statements.count == 1:
      let chain = child(first.ref, .chain).map { children($0) } ?? []
      guard chain.count > 1, kind(chain[0]) == .name, nameText(chain[0]) == "self",
        kind(chain[1]) == .optionalChain
      else { return nil }
      return first.ref
    default: return nil
    }
  }
}
