import PersistIndex
import PersistSyntax

// MARK: - What keeps a copy of a store

extension Program {
  /// Whether a copy lies where nothing takes it away: not in the temporary folder or among caches,
  /// not in the place of the store itself, and is no migrated store that comes to that place.
  package func outlivesFailure(_ work: StoreFileWork) -> Bool {
    if isStaged(work) || installsMigration(work) { return false }
    let places = destinations(of: work)
    return places.isEmpty || !places.allSatisfy(\.isPassing) && !takes(work, places)
  }

  /// Whether a copy lies only on its way to another place, as the names of its target say.
  private func isStaged(_ work: StoreFileWork) -> Bool {
    let list = children(work.call, .argument)
    guard let target = list.first(where: { ["to", "toPath"].contains(label($0)) }) else {
      return false
    }
    return descendants(target, .name).contains { name in
      (nameText(name).camelWords + (fixedValue(of: name).map { words(in: $0) } ?? [])).contains {
        Words.stagingWords.contains($0)
      }
    }
  }

  /// The files that a copy or move makes, as the outer body gives them.
  private func destinations(of work: StoreFileWork) -> [StorePath] {
    var places = targets(of: work.call)
    for call in work.calls.dropLast().reversed() {
      for function in functions(calledBy: call) {
        places = places.flatMap { substitute($0, call, function) }
      }
    }
    return places
  }

  /// Whether work puts in place what a migration by hand has written in the same body.
  private func installsMigration(_ work: StoreFileWork) -> Bool {
    guard let body = enclosingBody(work.call) else { return false }
    let made = descendants(body, .call).filter { calledName($0) == "migrateStore" }
      .compactMap { argument($0, "toDestinationURL") }.flatMap { locals(in: $0) }
    return !made.isEmpty && !locals(in: work.call).isDisjoint(with: made)
  }

  private func locals(in node: Ref) -> Set<Ref> {
    Set(
      descendants(node, .name).compactMap { name in
        if case .local(let local)? = declared(name) { return local }
        return nil
      })
  }
}
