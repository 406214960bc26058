import PersistIndex
import PersistSyntax

/// Work on some of a store's three files, and not on the others.
package struct SidecarGap: Sendable {
  package let kind: StoreFileWork.Kind
  /// The work at which the gap is shown.
  package let work: StoreFileWork
  /// The endings of the files that are left out; "" for the main file.
  package let missing: [String]
  /// The log file's ending that a path meant to name, without the hyphen.
  package let misnamed: String?
  /// Whether the same code brought the store to another place before.
  package let isOfFormerStore: Bool
}

// MARK: - The three files of a store

extension Program {
  /// The functions and closures of properties that take some of a store's files only.
  package var sidecarGaps: [SidecarGap] {
    guard keepsLogFiles else { return [] }
    let work = Words.fileWork.keys.flatMap { calls(named: $0) }.filter { !isExempt($0) }
    // The bodies that hold the work, and those that hand it files through parameters.
    let bodies = Reach(from: work) { call in
      self.enclosingFunction(call).map { function in
        (self.callers(of: function) + self.calls(handed: function)).filter { !self.isExempt($0) }
      } ?? []
    }.compactMap { call in
      guard let function = enclosingFunction(call) else {
        return ancestors(call).last { kind($0) == .closure || kind($0) == .accessors }
      }
      return functions[function].body.map { Ref(file: Int(functions[function].ref.file), node: $0) }
    }
    let found = Set(bodies).sorted().flatMap { gaps(in: $0) }
    guard !found.isEmpty else { return [] }
    let logless = storesWithoutLog
    return found.filter { gap in
      let own = gap.work.files.filter { $0.isStoreFile }
      return !logless.contains { store in
        store.map { store in own.contains { $0.maySharesStore(with: store) } } ?? true
      }
    }
  }

  private func gaps(in body: Ref) -> [SidecarGap] {
    let work = fileWork(in: body)
    let former = work.filter { isOfFormerStore($0, in: body) }
    let all = followed(work, former.flatMap(\.files))
    let formerSites = Set(former.filter { $0.kind == .deletion }.map(\.site))
    let kinds: [StoreFileWork.Kind] = [.deletion, .move, .copy]
    return kinds.flatMap { kind in all.filter { $0.kind == kind } }.compactMap { item in
      guard item.origin != .called, isShown(item), !followsCheckpoint(item, in: body) else {
        return nil
      }
      let company = company(of: item, in: all)
      return gap(at: item, company, in: body, isOfFormer: formerSites.contains(item.site))
    }
  }

  /// The work that is perhaps done on one way with other work, that work itself included. What runs
  /// before the opening on whose failure the other work is done says nothing of the files there are
  /// then.
  private func company(of work: StoreFileWork, in all: [StoreFileWork]) -> [StoreFileWork] {
    let order = Order(program: self)
    let opening = storeFlow.innermostPath(at: work.site).map { storeFlow.openings[$0.opening].site }
    return all.filter { other in
      guard order.perhapsTogether(work.calls, other.calls) else { return false }
      guard let opening, other.site != work.site else { return true }
      return order.perhaps([opening], before: other.site)
        || !order.perhaps(other.calls, before: opening)
    }
  }

  /// Work on the store of before as work on a store in use, where the same body brings that store to
  /// another place: its log files are there.
  private func followed(_ all: [StoreFileWork], _ former: [StorePath]) -> [StoreFileWork] {
    guard !former.isEmpty else { return all }
    return all.map { work in
      let files = work.files.map { file in
        var file = file
        if file.part != .other, former.contains(where: { $0.maySharesStore(with: file) }) {
          file.saysOther = false
        }
        return file
      }
      var made = work
      made.files = files
      return made
    }
  }

  private func isOfFormerStore(_ work: StoreFileWork, in body: Ref) -> Bool {
    if work.kind == .deletion, isMigrated(work, in: body) { return true }
    let words = work.files.flatMap { $0.text.camelWords } + words(in: work.call)
    guard work.files.contains(where: { $0.namesStoreFile && $0.saysOther }),
      words.contains(where: { Words.formerWords.contains($0) })
    else { return false }
    guard work.kind == .deletion else {
      return words.allSatisfy {
        !Words.noStoreWords.contains($0) || Words.formerWords.contains($0)
      }
    }
    return nodesRun(in: body).contains {
      kind($0) == .call && Words.wholeTransfers.contains(calledName($0))
        && Order(program: self).perhaps([$0], before: work.site)
    }
  }

  /// Whether the store that work deletes was brought to another place before, by its coordinator.
  private func isMigrated(_ work: StoreFileWork, in body: Ref) -> Bool {
    descendants(body, .call).contains { call in
      guard calledName(call) == "migratePersistentStore",
        Order(program: self).perhaps([call], before: work.site),
        let store = children(call, .argument).first.flatMap({ child($0, .expression) })
      else { return false }
      let names = descendants(store, .name).filter { declared($0) != nil }
      return names.contains { name in
        guard let found = fixedValue(of: name) else { return false }
        return descendants(found, .call).contains { lookUp in
          calledName(lookUp) == "persistentStore"
            && takes(work, children(lookUp, .argument).flatMap { storePaths($0) })
        }
      }
    }
  }

  /// What work on a store's file leaves behind, as far as it and its company say.
  private func gap(
    at place: StoreFileWork, _ company: [StoreFileWork], in body: Ref, isOfFormer: Bool
  ) -> SidecarGap? {
    let own = place.files.filter { $0.isStoreFile }
    let work = company.filter { $0.kind == place.kind }
    guard !own.isEmpty, !work.contains(where: { $0.isWhole }), !isExchanged(place, company) else {
      return nil
    }
    let known = work.flatMap(\.files).filter { file in
      file.isStoreFile && own.contains { $0.maySharesStore(with: file) }
    }
    guard
      !known.contains(where: { $0.base == .store(StorePath.realmKey) || !keepsLog($0) })
    else { return nil }
    let parts = Set(known.map(\.part))
    let missing = [StorePath.Part.main, .writeAheadLog, .sharedMemory].filter {
      !parts.contains($0)
    }
    guard missing.count < 3 || parts.contains(where: { $0.isMisnamed }), !missing.isEmpty else {
      return nil
    }
    let hasMain = parts.contains(.main)
    if work.contains(where: { $0.files.contains { mayBeAny($0) } && $0.origin != .called }),
      !hasMain || work.count > 1
    {
      return nil
    }
    // A gap is shown once: at a wrong name, else where the main file is taken.
    let isMisnamed = parts.contains { $0.isMisnamed }
    let first = work.first { item in
      item.origin != .called && isShown(item)
        && item.files.contains { file in
          known.contains(file)
            && (isMisnamed ? file.part.isMisnamed : !hasMain || file.part == .main)
        }
    }
    guard first == place, hasMain || isMainForgotten(body, place.kind, company) else { return nil }
    let misnamed = own.compactMap { $0.part.misnamedWord }.first
    return SidecarGap(
      kind: place.kind, work: place, missing: missing.map { $0.ending }, misnamed: misnamed,
      isOfFormerStore: place.kind == .deletion && misnamed == nil && isOfFormer)
  }

  /// Whether a file that nothing opens as a store, such as an export, takes a store's place, and the
  /// log of the store that was there goes.
  private func isExchanged(_ work: StoreFileWork, _ company: [StoreFileWork]) -> Bool {
    guard work.kind == .move, !takesMigrated(work) else { return false }
    let isReplacement = Words.replacements.contains(calledName(work.call))
    let places = isReplacement ? work.files : targets(of: work.call)
    let isOpened =
      !isReplacement && storeFlow.openings.contains { takes(work, openedPaths(of: $0.site)) }
    return !isOpened
      && company.contains { other in
        other.kind == .deletion
          && other.files.contains { file in
            file.part == .writeAheadLog && places.contains { $0.maySharesStore(with: file) }
          }
      }
  }

  /// Whether a path could name any file, so that it may be one of the missing ones.
  private func mayBeAny(_ path: StorePath) -> Bool {
    if path.saysOther { return false }
    if path.text.contains(StorePath.unknownText) { return true }
    switch path.base {
    case .parameter, .closureParameter, .receiver:
      // A name that is made from a store's is told.
      return !path.isStoreFile && !(path.saysStore && path.text.count > 1)
    default: return false
    }
  }

  /// Whether work is judged in this body: files that come in through a parameter are judged at the
  /// callers.
  private func isShown(_ work: StoreFileWork) -> Bool {
    work.files.allSatisfy { path in
      let function: FunctionID?
      switch path.base {
      case .parameter(let id, _): function = id
      case .receiver(let member): function = self.function(declaredAt: member)
      default: function = nil
      }
      guard let function, !path.isStoreInKnownFolder else { return true }
      return path.isStoreFile && callers(of: function).allSatisfy { isExempt($0) }
    }
  }

  /// Whether nobody takes the main file when only the log files are taken.
  private func isMainForgotten(
    _ body: Ref, _ kind: StoreFileWork.Kind, _ company: [StoreFileWork]
  ) -> Bool {
    guard kind == .deletion, company.allSatisfy({ $0.kind == kind }) else { return false }
    let writes = nodesRun(in: body).contains {
      self.kind($0) == .call && ["write", "replaceItemAt", "createFile"].contains(calledName($0))
    }
    guard !writes else { return false }
    guard let function = enclosingFunction(body) else { return true }
    return callers(of: function).allSatisfy { call in
      if opensStore(after: call) { return true }
      guard let caller = enclosingFunction(call), let outer = self.body(of: caller) else {
        return false
      }
      return !fileWork(in: outer).contains { $0.takesStore || $0.kind != .deletion }
    }
  }

  /// Whether the store is opened after a call, with nothing done to the main file between.
  private func opensStore(after call: Ref) -> Bool {
    let order = Order(program: self)
    guard let caller = enclosingFunction(call), let body = body(of: caller) else { return false }
    let taken = fileWork(in: body).filter {
      $0.takesStore && order.perhaps([call], before: $0.site)
    }
    return storeFlow.openings.contains { opening in
      !opening.isInMemory && contains(body, opening.site)
        && order.perhaps([call], before: opening.site)
        && !taken.contains { order.perhaps($0.calls, before: opening.site) }
    }
  }

  /// Whether the log is perhaps put into the main file before work on that.
  private func followsCheckpoint(_ work: StoreFileWork, in body: Ref) -> Bool {
    let own = work.files.filter { $0.isStoreFile }
    return events(in: body, where: saysCheckpoint).contains { event in
      // What is handed the file of another store puts nothing into this one.
      let given = arguments(event[0]).flatMap { storePaths($0) }.filter { $0.namesStoreFile }
      return given.allSatisfy { file in own.contains { $0.maySharesStore(with: file) } }
        && Order(program: self).perhaps(event, before: work.site)
    }
  }

  /// Whether a call is handed the text that puts a log into its store's main file.
  private func saysCheckpoint(_ call: Ref) -> Bool {
    answer(NamesCheckpoint())
      && arguments(call).contains { argument in
        guard closure(of: argument) == nil else { return false }
        let texts = descendants(argument, .string).map { text($0) } + [manifestText(argument) ?? ""]
        return texts.contains { $0.lowercased().contains("wal_checkpoint") }
      }
  }
}

/// Whether some text puts a log into its store's main file.
private struct NamesCheckpoint: Query {
  static let provisional = false
  func answer(in program: Program) -> Bool {
    program.files.contains { $0.mentions("wal_checkpoint") }
  }
}

extension StorePath.Part {
  /// What stands behind the main file's name.
  fileprivate var ending: String {
    switch self {
    case .main, .other, .misnamed: ""
    case .writeAheadLog: "-wal"
    case .sharedMemory: "-shm"
    }
  }

  fileprivate var misnamedWord: String? {
    if case .misnamed(let word) = self { return word }
    return nil
  }

  fileprivate var isMisnamed: Bool { misnamedWord != nil }
}
