import PersistSyntax

// MARK: - What guards a deletion

extension Program {
  /// The deletions of stores on the failure paths of stores on disk, each with the innermost path.
  package var deletionsOnFailure: [(work: StoreFileWork, path: FailurePath)] {
    storeFlow.paths.filter { !storeFlow.opening(of: $0).isInMemory }.flatMap { path in
      path.nodes.flatMap { fileWork(in: $0) }.filter { work in
        work.kind == .deletion && work.takesStore && !isSilent(work.site)
          && !isMadeThere(work, on: path)
      }.map { ($0, storeFlow.innermostPath(at: $0.site) ?? path) }
    }
  }

  /// The deletions of stores just before they are opened, on no failure path and by nobody's wish,
  /// each with the opening.
  package var deletionsBeforeOpening: [(work: StoreFileWork, opening: StoreOpening)] {
    storeFlow.openings.filter { !$0.isInMemory && kind($0.site) == .call }.flatMap { opening in
      let before = runBefore(opening.site, withDoBlocks: false).flatMap { fileWork(in: $0) }
        .filter { isOutdated($0, before: opening.site) }
      let within = arguments(opening.site).compactMap { closure(of: $0) }.flatMap { closure in
        fileWork(in: closure).filter { isOutdated($0, before: closure) }
      }
      return storeFlow.innermostPath(at: opening.site) == nil
        ? (before + within).map { ($0, opening) } : []
    }
  }

  /// Whether work deletes a store because of the state that it or its schema is in.
  private func isOutdated(_ work: StoreFileWork, before opening: Ref) -> Bool {
    work.kind == .deletion && work.takesStore && !isSilent(work.site)
      && storeFlow.innermostPath(at: work.site) == nil && !isRepeated(work.site)
      && isConditional(work.site, before: opening) && !isImport(around: work.site)
  }

  /// Whether a call starts the function anew that holds it.
  private func isRepeated(_ call: Ref) -> Bool {
    enclosingFunction(call).map { functions(calledBy: call).contains($0) } ?? false
  }

  /// Whether a deletion hangs on a condition that no launch argument, setting or caller gives.
  private func isConditional(_ node: Ref, before opening: Ref) -> Bool {
    var child = node
    for parent in ancestors(node) {
      if contains(parent, opening) { return false }
      if kind(parent) == .ifStatement {
        let conditions = children(parent).filter {
          $0 < child && ![.block, .ifStatement].contains(kind($0))
        }
        let choices = conditions.map { alternatives(of: $0) }
        return choices.joined().contains {
          $0.contains(where: saysOutdated) && !$0.contains(where: isGiven)
        }
          && !choices.contains { $0.allSatisfy { $0.contains(where: isGiven) } }
      }
      child = parent
    }
    return false
  }

  /// What stands between the `||` of a condition, each as its parts.
  private func alternatives(of condition: Ref) -> [[Ref]] {
    guard kind(condition) == .expression else { return [[condition]] }
    return children(condition).split { kind($0) == .binaryOperator && name($0) == "||" }
      .map(Array.init)
  }

  /// Whether a condition speaks of the store's or the schema's state.
  private func saysOutdated(_ condition: Ref) -> Bool {
    let outline = outline(condition)
    return subtree(condition).contains { index in
      guard [.name, .member].contains(outline.nodes[Int(index)].kind) else { return false }
      let words = nameText(Ref(file: Int(condition.file), node: Int(index))).camelWords
      return words.contains { Words.outdatedWords.contains($0) }
    }
  }

  private func isGiven(_ condition: Ref) -> Bool {
    let outline = outline(condition)
    return subtree(condition).contains { index in
      guard outline.nodes[Int(index)].kind == .name else { return false }
      let name = Ref(file: Int(condition.file), node: Int(index))
      if ["CommandLine", "ProcessInfo", "UserDefaults"].contains(nameText(name)) { return true }
      switch declared(name) {
      case .local(let local):
        return kind(local) == .parameter && type(of: name).isExternal("Bool")
          || fixedValue(of: name).map { isGiven($0) } ?? false
      case .property(let id):
        return properties[id].attributes.contains("AppStorage")
          || properties[id].initializer.map {
            isGiven(Ref(file: Int(properties[id].ref.file), node: $0))
          } ?? false
      default: return false
      }
    }
  }

  /// Whether the body around a deletion brings another store in its place.
  private func isImport(around node: Ref) -> Bool {
    guard let body = enclosingBody(node) else { return false }
    return fileWork(in: body).contains { $0.kind != .deletion }
  }

  /// Whether the deleted file is one that the failed attempt had made itself, as a copy.
  private func isMadeThere(_ work: StoreFileWork, on path: FailurePath) -> Bool {
    guard kind(path.head) == .catchClause, let statement = parent(path.head),
      let block = child(statement, .block)
    else { return false }
    return fileWork(in: block).contains { made in
      made.kind == .copy && takes(work, targets(of: made.call))
    }
  }

  /// Whether work is done on one of some files.
  func takes(_ work: StoreFileWork, _ files: [StorePath]) -> Bool {
    work.files.contains { own in
      own != .unknown && files.contains { $0.base == own.base && $0.text == own.text }
    }
  }

  /// The files that a copy or move makes.
  func targets(of call: Ref) -> [StorePath] {
    let list = children(call, .argument)
    let isReplaced = calledName(call) == "replacePersistentStore"
    let target =
      list.first { ["to", "toPath"].contains(label($0)) || isReplaced && label($0) == "at" }
      ?? list.dropFirst().first
    return target.map { storePaths($0) } ?? []
  }

  /// Whether the error is told apart from others before a node on a failure path runs.
  package func isTold(_ node: Ref, on path: FailurePath) -> Bool {
    if kind(path.head) == .catchClause, !catchesAll(path.head) { return true }
    let guards = runBefore(node, withDoBlocks: false).filter {
      path.contains($0, in: self) && parent($0).map { kind($0) != .guardStatement } ?? false
    }
    if guards.contains(where: { kind($0) == .guardStatement && asksForError($0) }) { return true }
    var child = node
    while let parent = parent(child), path.contains(parent, in: self) {
      switch kind(parent) {
      case .ifStatement, .guardStatement:
        let conditions = children(parent).filter {
          $0 < child && ![.block, .ifStatement].contains(kind($0))
        }
        if conditions.contains(where: { saysError($0) }) { return true }
      case .switchCase:
        if let statement = self.parent(parent), let subject = self.child(statement, .expression),
          saysError(subject)
        {
          return true
        }
      default: break
      }
      child = parent
    }
    return false
  }

  /// Whether a `guard` lets only some errors pass.
  private func asksForError(_ statement: Ref) -> Bool {
    children(statement).contains { kind($0) == .expression && saysError($0) }
  }

  private func saysError(_ condition: Ref) -> Bool {
    let outline = outline(condition)
    return subtree(condition).contains { index in
      guard [.name, .member, .implicitMember].contains(outline.nodes[Int(index)].kind) else {
        return false
      }
      let words = nameText(Ref(file: Int(condition.file), node: Int(index))).camelWords
      return words.contains { ["error", "code", "reason", "corrupt", "corrupted"].contains($0) }
    }
  }
}
