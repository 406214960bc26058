import PersistSyntax

// MARK: - What keeps a copy of a store

extension Program {
  /// Whether a copy lies where nothing takes it away: not in the temporary folder or among caches,
  /// not in the place of the store itself, and not in a file that is then put there.
  func outlivesFailure(_ work: StoreFileWork) -> Bool {
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

  // MARK: Conditions

  /// The code of the conditions under which a node runs in its body.
  func conditions(around node: Ref) -> Set<[Name]> {
    var found: Set<[Name]> = []
    var child = node
    for parent in ancestors(node) {
      switch kind(parent) {
      case .ifStatement:
        let block = self.child(parent, .block)
        if child == block {
          found.formUnion(children(parent).prefix { kind($0) != .block }.map { tokens(of: $0) })
        }
      case .functionDecl, .initDecl, .accessor, .members: return found
      default: break
      }
      child = parent
    }
    return found
  }

  /// Whether work runs only when something holds that has nothing to do with its files, in a
  /// statement or in the functions that it calls.
  func hangsOnCondition(_ work: StoreFileWork, in statement: Ref, _ met: Set<[Name]>) -> Bool {
    hangsOnCondition(work.site, in: statement, met)
      || work.calls.dropFirst().contains { hangsOnCondition($0, in: nil, []) }
  }

  /// Whether a call runs only under a condition that is not among those that are met, in a
  /// statement or in its whole body.
  func hangsOnCondition(_ call: Ref, in statement: Ref?, _ met: Set<[Name]>) -> Bool {
    var child = call
    while child != statement, let parent = parent(child) {
      switch kind(parent) {
      case .ifStatement:
        // Conditions that run the call themselves don't keep it from running.
        if kind(child) == .block || kind(child) == .ifStatement {
          let conditions = children(parent).prefix { kind($0) != .block }
          let isElse = self.child(parent, .block) != child
          if conditions.contains(where: {
            isElse || !met.contains(tokens(of: $0)) && !asksForFile($0)
          }) {
            return !isElse || !conditions.allSatisfy { asksForFile($0) }
          }
        }
      case .switchCase: return true
      case .functionDecl, .initDecl, .accessor, .members: return false
      case .closure where !isRunInPlace(parent): return false
      default: break
      }
      child = parent
    }
    return false
  }

  private func isRunInPlace(_ closure: Ref) -> Bool {
    guard let (call, _) = callTaking(closure) else { return false }
    return Words.closureExecutors.contains(calledName(call))
  }

  /// Whether a condition asks whether there is something to copy.
  private func asksForFile(_ condition: Ref) -> Bool {
    if kind(condition) == .optionalBinding || kind(condition) == .availability { return true }
    let outline = outline(condition)
    return subtree(condition).contains { index in
      guard [.name, .member].contains(outline.nodes[Int(index)].kind) else { return false }
      let words = nameText(Ref(file: Int(condition.file), node: Int(index))).camelWords
      return words.contains { Words.existenceWords.contains($0) }
    }
  }
}
