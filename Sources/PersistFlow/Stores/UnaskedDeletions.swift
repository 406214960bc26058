import PersistIndex

/// A deletion of a store on the way to opening it, which no failure and no wish leads to.
package struct UnaskedDeletion: Sendable {
  package let work: StoreFileWork
  package let opening: StoreOpening
  /// Whether it is done at every launch.
  package let isSure: Bool
}

// MARK: - Deletions before a store is opened

extension Program {
  /// The deletions of stores just before they are opened, on no failure path and by nobody's wish.
  package var deletionsBeforeOpening: [UnaskedDeletion] {
    let words = Set(Words.fileWork.keys).union(Words.wholeStoreWork.keys)
    guard !files(usingAny: words).isEmpty else { return [] }
    return storeFlow.openings.flatMap { opening -> [UnaskedDeletion] in
      guard !opening.isInMemory, kind(opening.site) == .call,
        storeFlow.innermostPath(at: opening.site) == nil
      else { return [] }
      let within = arguments(opening.site).compactMap { closure(of: $0) }
        .flatMap { work(ofStatement: $0) }
      let all = deletions(before: opening.site) + deletionsBeforeCallers(of: opening) + within
      return all.compactMap { deletion($0, before: opening) }
    }
  }

  /// The deletions from which a way leads to a call in its own body, the nearest first; those in what
  /// opens a store by itself come before that.
  private func deletions(before call: Ref) -> [StoreFileWork] {
    bodies(around: call).flatMap { work(ofStatement: $0) }.filter { work in
      work.kind == .deletion && !storeFlow.openings.contains { $0.site == work.site }
        && Order(program: self).perhaps(work.calls, before: call)
    }.sorted { $0.site > $1.site }
  }

  /// The deletions of the same store before the calls of a function that opens it and deals with the
  /// failure by itself.
  private func deletionsBeforeCallers(of opening: StoreOpening) -> [StoreFileWork] {
    guard opening.site == opening.root, let function = enclosingFunction(opening.site),
      !storeFlow.openingFunctions.contains(function)
    else { return [] }
    let opened = openedPaths(of: opening.site)
    return callers(of: function).filter { call in
      !isExempt(call) && enclosingFunction(call) != function
        && storeFlow.innermostPath(at: call) == nil
    }.flatMap { deletions(before: $0) }.filter { work in
      work.files.contains { file in
        file.isStoreFile && opened.allSatisfy { file.maySharesStore(with: $0) }
      }
    }
  }

  private func deletion(
    _ work: StoreFileWork, before opening: StoreOpening
  ) -> UnaskedDeletion? {
    switch answer(ReasonOfDeletion(work: work)) {
    case .asked, .absent, .unknown: return nil
    case .state: return UnaskedDeletion(work: work, opening: opening, isSure: false)
    case .nothing: break
    }
    func launchReaches(unless isBarred: (Reason) -> Bool) -> Bool {
      self.launchReaches(work.site) { site in
        storeFlow.innermostPath(at: site) != nil || isBarred(reason(for: site, deleting: work))
      }
    }
    // Where another function opens the store, launch has to come here under no condition.
    let isDirect = opening.site == opening.root
    guard isOfSameStore(work, opening),
      launchReaches(unless: { isDirect ? $0 >= .asked : $0 != .nothing })
    else { return nil }
    let isSure = launchReaches(unless: { $0 == .state || $0 >= .asked })
    return UnaskedDeletion(work: work, opening: opening, isSure: isSure)
  }

  /// Whether what is deleted may be the store that is opened then, as far as names tell.
  private func isOfSameStore(_ work: StoreFileWork, _ opening: StoreOpening) -> Bool {
    let own = work.files.filter { $0.isStoreFile }
    let opened = openedPaths(of: opening.root)
    let names = (configurations(of: opening.root) ?? []).compactMap { fileName(madeBy: $0) }
    guard !opened.isEmpty || !names.isEmpty else {
      return own.contains { $0.literalName == "default.store" }
    }
    return own.contains { file in
      if let name = file.literalName, names.contains(name) { return true }
      return opened.contains { other in
        file.base == other.base && file.base != .unknown
          || file.literalName != nil && file.literalName == other.literalName
      }
    }
  }

  /// The files that an opening names, by its own arguments or those of its configurations.
  func openedPaths(of call: Ref) -> [StorePath] {
    placesOpened(by: call).flatMap { storePaths($0) }
  }

  /// Whether an opening surely takes a file in the temporary folder, which no user's data is in.
  func opensTemporaryFile(_ call: Ref) -> Bool {
    let places = placesOpened(by: call)
    return !places.isEmpty && places.allSatisfy { knownText(of: $0)?.isTemporary ?? false }
  }

  /// Whether an opening surely takes a file that the app comes with: no user has put anything there.
  func opensResource(_ call: Ref) -> Bool {
    guard !files(using: Frameworks.bundle).isEmpty else { return false }
    let places = placesOpened(by: call)
    guard places.isEmpty else {
      return places.allSatisfy { knownText(of: $0)?.isResource ?? false }
    }
    let stores = openedStores(by: call)
    return !stores.isEmpty && stores.allSatisfy { $0.file?.isResource ?? false }
  }

  /// The argument by which a configuration names the file of a store.
  func placeConfigured(by configuration: Ref) -> Ref? {
    argument(configuration, "url") ?? argument(configuration, "fileURL")
  }

  private func placesOpened(by call: Ref) -> [Ref] {
    let path = calledType(call).flatMap { Frameworks.unlabelledPaths.contains($0) ? call : nil }
    return (configurations(of: call) ?? []).compactMap { placeConfigured(by: $0) }
      + ["path", "at", "fileURL"].compactMap { argument(call, $0) }
      + (path.flatMap { argument($0, .none) }.map { [$0] } ?? [])
  }

  // MARK: Why it is done

  fileprivate func reason(ofDeletion work: StoreFileWork) -> Reason {
    guard work.kind == .deletion, work.takesStore, !isExempt(work.site),
      storeFlow.innermostPath(at: work.site) == nil, !isRepeated(work.site),
      !isImport(around: work), !deletesLeftover(work), !isReplaced(work)
    else { return .unknown }
    return work.calls.map { reason(for: $0, deleting: work) }.max() ?? .unknown
  }

  /// Why a node runs; a state that holds on one way is reason enough.
  private func reason(for node: Ref, deleting work: StoreFileWork) -> Reason {
    guard let ways = conditions.ways(to: node) else { return .unknown }
    let known = ways.map { way in way.map { (part: $0, reason: reason(of: $0, deleting: work)) } }
    let reasons = known.map { way in way.map(\.reason).max() ?? .nothing }
    if reasons.contains(.state) { return .state }
    let strongest = reasons.max() ?? .unknown
    guard strongest == .unknown else { return strongest }
    // Nothing decides where both branches lead on, and one of them only asks for a value.
    let needed = known.map { way in
      Set(way.filter { $0.reason != .nothing || $0.part.condition.isFailure }.map(\.part.condition))
    }
    return BlockConditions.merged(Set(needed)).contains([]) ? .nothing : .unknown
  }

  private func reason(of part: PlacedCondition, deleting work: StoreFileWork) -> Reason {
    if part.condition.isFailure { return readsStore(part.node) ? .state : .nothing }
    let reasons = part.looks.compactMap {
      reason(of: $0, isPositive: part.isPositive, deleting: work)
    }
    if let known = reasons.filter({ $0 != .unknown }).max() { return known }
    // What a binding or a `?` asks for is there, or nothing is done.
    let isBinding = part.step.operation == .isNil && kind(part.node) != .binaryOperator
    return isBinding && reasons.isEmpty ? .nothing : .unknown
  }

  /// What a look says of the reason; nil where it says nothing.
  private func reason(of look: Look, isPositive: Bool, deleting work: StoreFileWork) -> Reason? {
    switch look {
    case .launch: return isPositive ? .asked : .nothing
    case .keptSetting: return isPositive ? .asked : .unknown
    case .setting(let read, let key):
      guard isPersonal(setting: key, readBy: read) else { return .state }
      return isPositive ? .asked : .unknown
    case .file(let call):
      let asked = arguments(call).first.map { storePaths($0) } ?? []
      guard asked.contains(where: \.isStoreFile) else { return .state }
      return !isPositive && takes(work, asked) ? .absent : .nothing
    case .failure(let call, let isKept): return isKept || readsStore(call) ? .state : nil
    case .parameter(let parameter):
      guard type(ofLocal: parameter).isExternal("Bool") else { return saysOutdated(parameter) }
      return isPositive ? .asked : .unknown
    case .name(let node): return saysOutdated(node)
    case .error: return nil
    }
  }

  private func saysOutdated(_ node: Ref) -> Reason? {
    let text = kind(node) == .call ? calledText(node) : nameText(node)
    return text.camelWords.contains { Words.outdatedWords.contains($0) } ? .state : nil
  }

  // MARK: What is no wipe

  /// Whether a call starts the function anew that holds it.
  func isRepeated(_ call: Ref) -> Bool {
    enclosingFunction(call).map { functions(calledBy: call).contains($0) } ?? false
  }

  /// Whether the body that deletes a file brings another one to its place.
  private func isReplaced(_ work: StoreFileWork) -> Bool {
    guard let own = fileWork(by: work.call), let body = bodies(around: work.call).first else {
      return false
    }
    return self.work(ofStatement: body).contains { other in
      other.kind == .move && other.call > work.call && takes(own, targets(of: other.call))
    }
  }

  /// Whether the body around a deletion brings another store in its place, or the store to another
  /// place; a copy of the deleted store itself is no more than a backup.
  private func isImport(around work: StoreFileWork) -> Bool {
    guard let body = bodies(around: work.site).first else { return false }
    return self.work(ofStatement: body).contains { other in
      guard other.kind != .deletion else { return false }
      let isWritten = Words.movesOfStores.contains(calledName(other.call))
      let places = targets(of: other.call)
      if takes(work, places), opensStore(between: other, and: work, in: body) { return false }
      if takes(work, other.files) { return other.kind == .move || isWritten }
      if isWritten, other.files.allSatisfy(\.isUnknown) { return true }
      return places.isEmpty || takes(work, places)
        || places.contains { $0.isUnknown && !$0.saysOther }
    }
  }

  /// Whether what a body has brought to a store's place is opened before the deletion: people may have
  /// used it since.
  private func opensStore(
    between other: StoreFileWork, and work: StoreFileWork, in body: Ref
  ) -> Bool {
    let order = Order(program: self)
    return storeFlow.openings.contains { opening in
      contains(body, opening.site) && order.perhaps(other.calls, before: opening.site)
        && order.perhaps([opening.site], before: work.site)
        && !order.perhaps(work.calls, before: other.site)
    }
  }
}

/// Why a deletion is done, the strongest reason last.
private enum Reason: Int, Comparable {
  /// It is always done, or when the file is there.
  case nothing
  case unknown
  /// Something that no one has chosen holds: a version, a marker, a count, a failure.
  case state
  /// Somebody asked for it, or may have.
  case asked
  /// There was no store when it was looked for.
  case absent

  static func < (left: Reason, right: Reason) -> Bool { left.rawValue < right.rawValue }
}

/// Why a store is deleted, which is asked for each opening behind it.
private struct ReasonOfDeletion: Query {
  let work: StoreFileWork

  static var provisional: Reason { .unknown }
  func answer(in program: Program) -> Reason { program.reason(ofDeletion: work) }
}
