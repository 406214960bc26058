import PersistIndex
import PersistSyntax

/// A store in an app group that the app and another process open.
package struct SharedOpening: Sendable {
  /// An opening in the app, with no lock around it.
  package let opening: StoreOpening
  /// Where the other process begins, and the name of what begins there.
  package let other: Ref
  package let otherName: String
}

// MARK: - Who opens a store

extension Program {
  /// The stores in app groups that two processes open and may migrate, each once, in source order.
  package var sharedOpenings: [SharedOpening] {
    let writing = groupOpenings.filter { !isReadOnly($0) && !runsOnWatchOnly($0.site) }
    var groups: [(key: StoreKey, openings: [StoreOpening])] = []
    for opening in writing {
      let key = storeKey(of: opening)
      if let index = groups.firstIndex(where: { $0.key == key }) {
        groups[index].openings.append(opening)
      } else {
        groups.append((key, [opening]))
      }
    }
    return groups.compactMap { sharedOpening($0.openings) }
      .sorted { $0.opening.site < $1.opening.site }
  }

  private func sharedOpening(_ openings: [StoreOpening]) -> SharedOpening? {
    let users = openings.map { (opening: $0, users: self.users(of: $0)) }
    // Of several that are nearest, the one whose name comes first: where they stand doesn't matter.
    guard
      let other = users.compactMap({ $0.users.other }).min(by: {
        (name(ofEntrance: $0.place), $0.place) < (name(ofEntrance: $1.place), $1.place)
      }),
      users.contains(where: { $0.users.hasApp })
    else { return nil }
    let open = users.filter { !isLocked($0.opening.site) }
    // The app's own opening is shown, or else the one whose name comes first.
    let shown = open.min {
      (rank($0.users), symbol($0.opening.site), $0.opening.site)
        < (rank($1.users), symbol($1.opening.site), $1.opening.site)
    }
    guard let shown else { return nil }
    return SharedOpening(
      opening: shown.opening, other: other.place, otherName: name(ofEntrance: other.place))
  }

  /// Whether the app reaches an opening, and another process does too.
  func isOpenedByTwoProcesses(_ opening: StoreOpening) -> Bool {
    let users = users(of: opening)
    return users.hasApp && users.other != nil
  }

  /// The first saves by which the app and another process may change the same objects of one file, each
  /// in a context of the main queue, and the name of the other process; nil where one of them saves none.
  package var savesOfTwoProcesses: (app: Ref, other: Ref, otherName: String)? {
    guard openingsInGroup.contains(where: { !isReadOnly($0) && isOpenedByTwoProcesses($0) }) else {
      return nil
    }
    let saves = facts.contexts.saves.filter { save in
      guard let context = save.contexts.only, context.home == .main else { return false }
      return isRun(save.node) && facts.contexts.isAskedForObjects(context)
    }.map { (node: $0.node, users: users(of: $0.node, hasApp: false)) }
    guard let app = saves.first(where: \.users.hasApp)?.node,
      let (node, other) = saves.lazy.compactMap({ save in
        save.users.other.map { (save.node, $0) }
      }).first
    else { return nil }
    return (app, node, name(ofEntrance: other.place))
  }

  /// Whether widgets alone reach a node, and no code of their process changes what is stored.
  package func isShownOnly(_ node: Ref) -> Bool {
    var widget: Ref?
    var isElsewhere = false
    visitEntryPoints(leadingTo: node) { found in
      // A task runs for what begins it.
      let entryPoint =
        found.kind == .task ? self.entryPoint(around: found.place) ?? found : found
      if entryPoint.kind == .appExtension, isOfWidget(entryPoint.place) {
        widget = widget ?? entryPoint.place
      } else {
        isElsewhere = true
      }
      return isElsewhere
    }
    guard let widget, !isElsewhere else { return false }
    return !Frameworks.changesOfStores.contains { name in
      calls(named: name).contains { call in
        isContext(receiverType(ofCall: call).unwrapped) && mayRun(call, beside: widget)
          && isBegunOutsideOfApp(call)
      }
    }
  }

  /// Whether an extension or an intent leads to a node, or nobody that can be seen.
  private func isBegunOutsideOfApp(_ node: Ref) -> Bool {
    var isBegun = false
    var isOutside = false
    visitEntryPoints(leadingTo: node) { entryPoint in
      isBegun = true
      isOutside = isOutside || [.appExtension, .intent].contains(entryPoint.kind)
      return isOutside
    }
    return isOutside || !isBegun
  }

  private func isOfWidget(_ place: Ref) -> Bool {
    enclosingType(place).map { type in
      Frameworks.widgets.contains { inherits(resolveAlias(type), from: $0) }
    } ?? false
  }

  /// Whether the process of one place may run another one.
  private func mayRun(_ node: Ref, beside place: Ref) -> Bool {
    let kinds = processKinds(at: place)
    guard kinds.isEmpty else { return !kinds.isDisjoint(with: processKinds(at: node)) }
    func folder(_ node: Ref) -> Substring {
      let path = files[Int(node.file)].path
      return path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
    }
    return folder(node).hasPrefix(folder(place))
  }

  /// The processes that reach an opening.
  private struct Users {
    var hasApp = false
    /// Where the nearest process beside the app begins.
    var other: EntryPoint?
  }

  private func rank(_ users: Users) -> Int { users.hasApp ? users.other == nil ? 0 : 1 : 2 }

  private func users(of opening: StoreOpening) -> Users {
    // A file of the app is there to be used in it.
    let own = processKinds(at: opening.site)
    return users(of: opening.site, hasApp: own.isEmpty || own.contains(.app))
  }

  private func users(of node: Ref, hasApp: Bool) -> Users {
    var users = Users(hasApp: hasApp)
    visitEntryPoints(leadingTo: node) { entryPoint in
      if entryPoint.kind != .watch { note(entryPoint, in: &users) }
      return users.hasApp && users.other != nil
    }
    return users
  }

  private func note(_ entryPoint: EntryPoint, in users: inout Users) {
    let kinds = processKinds(at: entryPoint.place)
    switch entryPoint.kind {
    case .appExtension: users.other = users.other ?? entryPoint
    case .intent where kinds.isEmpty, .intent where kinds.contains(.appExtension):
      users.other = users.other ?? entryPoint
      users.hasApp = users.hasApp || kinds.contains(.app)
    case .intent: users.hasApp = users.hasApp || kinds.contains(.app)
    default:
      if kinds.contains(.appExtension) && !kinds.contains(.app) || kinds == [.tool] {
        users.other = users.other ?? entryPoint
      } else {
        users.hasApp = true
      }
    }
  }

  private func name(ofEntrance place: Ref) -> String {
    let owner = enclosingType(place).flatMap { type in
      types[type].kind == .extensionDecl ? nil : nameText(types[type].ref)
    }
    return owner ?? nameText(place)
  }

  // MARK: Which store

  /// What tells one store of a group from another: its name, or the opening where none is told.
  private enum StoreKey: Hashable {
    case name(String)
    case opening(Ref)
  }

  private func storeKey(of opening: StoreOpening) -> StoreKey {
    let names = Set(openedStores(by: opening.site).map { $0.file?.lastComponent?.whole })
    if names.count == 1, let name = names.first ?? nil { return .name(name) }
    return .opening(opening.site)
  }
}
