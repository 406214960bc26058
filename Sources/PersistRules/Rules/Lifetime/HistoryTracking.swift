import PersistFlow
import PersistIndex
import PersistSyntax

/// A Core Data opening on disk: its file, and what the code around it says of its history.
struct CoreDataStore {
  let opening: Ref
  let store: KnownText?
  /// The code that sets the store up: the body around the opening.
  let setup: Ref
  let tracksHistory: Bool
  let isReadOnly: Bool
}

extension Program {
  /// The places that turn history tracking on, in source order: the option's key.
  var historyOptions: [Ref] {
    uses(of: ["NSPersistentHistoryTrackingKey"]).filter { !isExempt($0) && turnsOn($0) }
  }

  /// Whether the value beside the key of an option is not `false` or nil.
  private func turnsOn(_ key: Ref) -> Bool {
    for node in ancestors(key).prefix(8) {
      switch kind(node) {
      case .call:
        guard calledName(node) == "setOption", let value = child(node, .argument) else {
          return false
        }
        return !saysOff(value)
      case .dictionary:
        let pairs = children(node)
        guard let place = pairs.firstIndex(where: { contains($0, key) }), place + 1 < pairs.count
        else { return false }
        return !saysOff(pairs[place + 1])
      case .subscriptSuffix:
        guard let expression = ancestors(node).first(where: { kind($0) == .expression }),
          let assignment = assignment(expression)
        else { return false }
        return !saysOff(assignment.right[0])
      default: break
      }
    }
    return false
  }

  private func saysOff(_ value: Ref) -> Bool {
    isNil(value) || holds(Keyword.false, in: value) || names("NO", in: value)
  }

  /// The Core Data openings on disk whose file can be told.
  var coreDataStores: [CoreDataStore] {
    coreDataOpenings.filter { !isExempt($0.site) }.map { opening in
      let setup = setup(around: opening.site)
      return CoreDataStore(
        opening: opening.site, store: coreDataFile(opening.site, setup), setup: setup,
        tracksHistory: tracksHistory(setup),
        isReadOnly: mentions("isReadOnly", in: setup)
          || mentions("NSReadOnlyPersistentStoreOption", in: setup))
    }
  }

  /// The function, initializer or property around an opening.
  private func setup(around call: Ref) -> Ref {
    ancestors(call).first { function(declaredAt: $0) != nil || property(declaredAt: $0) != nil }
      ?? call
  }

  func mentions(_ word: Name, in node: Ref) -> Bool {
    subtree(node).contains { index in
      let ref = Ref(file: Int(node.file), node: Int(index))
      return [.name, .member, .implicitMember].contains(kind(ref)) && name(ref) == word
    }
  }

  /// Whether code turns history tracking on, itself or in functions of the sources that it calls.
  private func tracksHistory(_ setup: Ref, depth: Int = 0) -> Bool {
    if mentions("NSPersistentHistoryTrackingKey", in: setup)
      || mentions("NSPersistentCloudKitContainer", in: setup)
    {
      return true
    }
    guard isWithin(depth, .historyCalls) else { return true }
    return descendants(setup, .call).contains { call in
      functions(calledBy: call).contains { id in
        body(of: id).map { tracksHistory($0, depth: depth + 1) } ?? false
      }
    }
  }

  /// Whether code names the option that turns history tracking on, itself or in functions of the
  /// sources that it calls.
  func turnsHistoryOn(in setup: Ref, depth: Int = 0) -> Bool {
    if mentions("NSPersistentHistoryTrackingKey", in: setup) { return true }
    guard isWithin(depth, .historyCalls) else { return true }
    return descendants(setup, .call).contains { call in
      functions(calledBy: call).contains { id in
        body(of: id).map { turnsHistoryOn(in: $0, depth: depth + 1) } ?? false
      }
    }
  }

  /// The file that a Core Data opening opens.
  private func coreDataFile(_ call: Ref, _ setup: Ref) -> KnownText? {
    if calledName(call) == "addPersistentStore" {
      return argument(call, "at").flatMap { knownText(of: $0) }
    }
    let described = descendants(setup, .call).filter {
      calledName($0) == "NSPersistentStoreDescription"
    }
    if described.count == 1 {
      guard mentions("persistentStoreDescriptions", in: setup) else { return nil }
      if let url = argument(described[0], "url") { return knownText(of: url) }
    }
    guard described.count < 2 else { return nil }
    let assigned = descendants(setup, .expression).compactMap { expression -> Ref? in
      guard let assignment = assignment(expression),
        let last = lastPart(ofTarget: assignment), name(last) == "url"
      else { return nil }
      return assignment.value
    }
    if assigned.count == 1 { return knownText(of: assigned[0]) }
    guard assigned.isEmpty, described.isEmpty,
      let made = descendants(setup, .call).first(where: {
        ["NSPersistentContainer", "NSPersistentCloudKitContainer"].contains(calledName($0))
      }), let name = argument(made, "name"), let read = knownText(of: name)
    else { return nil }
    return .store(ofContainer: read)
  }
}
