import PersistIndex
import PersistSyntax

// MARK: - What keeps a copy of a store

extension Program {
  /// Whether a copy lies where nothing takes it away: not in the temporary folder or among caches,
  /// not in the place of the store itself, and not in a file that is then put there.
  package func outlivesFailure(_ work: StoreFileWork) -> Bool {
    if isStaged(work) { return false }
    let places = destinations(of: work)
    if !places.isEmpty, places.allSatisfy(\.isPassing) || takes(work, places) { return false }
    return !isPutBack(places, work)
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
    var reader = StorePathReader(self)
    var places = targets(of: work.call)
    for call in work.calls.dropLast().reversed() {
      for function in functions(calledBy: call) {
        places = places.flatMap { reader.substitute($0, call, function) }
      }
    }
    return places
  }

  /// Whether what a migration has written is brought to another place in the same body, so that no
  /// second copy is left.
  private func isPutBack(_ places: [StorePath], _ work: StoreFileWork) -> Bool {
    guard calledName(work.call) == "migrateStore", let body = enclosingBody(work.call) else {
      return false
    }
    let made = Set(
      (argument(work.call, "toDestinationURL").map { descendants($0, .name) } ?? [])
        .compactMap { declared($0) })
    return descendants(body, .call).contains { call in
      guard call != work.call,
        ["replacePersistentStore", "replaceItem", "replaceItemAt", "moveItem"]
          .contains(calledName(call))
      else { return false }
      let names = descendants(call, .name).compactMap { declared($0) }
      return names.contains { value in
        if case .local = value { return made.contains(value) }
        return false
      }
    }
  }
}
