import PersistIndex
import PersistSyntax

/// The framework's openings of stores in app group containers.
private struct OpeningsInGroup: Query {
  static var provisional: [StoreOpening] { [] }
  func answer(in program: Program) -> [StoreOpening] { program.findOpeningsInGroup() }
}

// MARK: - Stores that several processes open

extension Program {
  /// The framework's openings of stores in app group containers that migrate an older store, in
  /// source order.
  package var groupOpenings: [StoreOpening] {
    openingsInGroup.filter { migratesByItself($0.site) }
  }

  /// The framework's openings of stores in app group containers, in source order.
  var openingsInGroup: [StoreOpening] { answer(OpeningsInGroup()) }

  fileprivate func findOpeningsInGroup() -> [StoreOpening] {
    storeFlow.openings.filter { opening in
      // SQLite itself locks nothing until it is asked for something.
      opening.site == opening.root && !opening.isInMemory && !isExempt(opening.site)
        && calledName(opening.site) != "Connection" && isInGroup(opening.site)
    }
  }

  /// Whether an opening's store lies in an app group container.
  func isInGroup(_ call: Ref) -> Bool {
    project.isInAppGroup
      ?? openedStores(by: call).contains { $0.file?.beginning.hasPrefix("group:") ?? false }
  }

  /// Whether an opening migrates an older store, as far as the sources tell.
  private func migratesByItself(_ call: Ref) -> Bool {
    if isNamedOpening(call) { return true }
    switch calledName(call) {
    case "ModelContainer", "init": return true
    case "loadPersistentStores":
      return !openedStores(by: call).contains(where: \.isNeverMigrated)
    case "addPersistentStore":
      guard let body = enclosingBody(call) else { return false }
      return names("NSMigratePersistentStoresAutomaticallyOption", in: body)
    default: return false
    }
  }

  /// Whether the sources hold a widget, an intent, an extension or a watch app.
  var hasOtherProcesses: Bool {
    hasType(inheritingFrom: Words.otherProcessTypes) { !isExempt(types[$0].ref) }
  }

  /// Whether an opening can't change its store.
  package func isReadOnly(_ opening: StoreOpening) -> Bool {
    openedStores(by: opening.site).contains(where: \.isReadOnly)
      || outermostBody(opening.site).map {
        names("NSReadOnlyPersistentStoreOption", in: $0)
      } ?? false
  }

  // MARK: What is on the way

  /// Whether the functions around a node, and those that call them, reach one of some names first.
  package func comesBy(_ words: (Ref) -> Bool, _ node: Ref) -> Bool {
    Reach(from: node, by: shippingCallers(around:)).surely { node in
      outermostBody(node).map { reaches(words, $0) } ?? false
    }
  }

  /// Whether a body names something, or calls a function or makes a value of a type that does.
  func reaches(_ words: (Ref) -> Bool, _ body: Ref) -> Bool {
    reaches(body) { names(words, in: $0) }
  }

  func outermostBody(_ node: Ref) -> Ref? {
    if let function = enclosingFunction(node), let body = functions[function].body {
      return Ref(file: Int(node.file), node: body)
    }
    return ancestors(node).last {
      kind($0) == .closure || kind($0) == .accessors
        || kind($0) == .binding && property(declaredAt: $0) != nil
    }
  }

  /// Whether a node holds a name of some kind.
  func names(_ words: (Ref) -> Bool, in body: Ref) -> Bool {
    let outline = outline(body)
    return subtree(body).contains { index in
      switch outline.nodes[Int(index)].kind {
      case .name, .member, .implicitMember: words(Ref(file: Int(body.file), node: Int(index)))
      default: false
      }
    }
  }

  /// Whether a lock between processes is held around a node, as far as is known.
  package func isLocked(_ node: Ref) -> Bool {
    comesBy(
      { node in
        let name = nameText(node)
        return ["flock", "lockf", "NSFileCoordinator"].contains(name)
          || name.first?.isUppercase == true && name.camelWords.contains("lock")
          || isNamed(node, in: project.locks)
      }, node)
  }

  /// Whether somebody looks at the free space of the volume on the way to a node.
  package func checksSpace(_ node: Ref) -> Bool {
    comesBy({ nameText($0).hasPrefix("volumeAvailableCapacity") }, node)
  }
}
