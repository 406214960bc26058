import PersistFlow
import PersistIndex

/// Openings of a realm's file with some of its classes, while others open it with all.
struct PartialRealm {
  /// The lists of classes, in source order; never empty.
  let places: [Ref]
  /// The names of the classes that none of them holds.
  let missing: [String]
  /// Where the same file is opened with all.
  let whole: Ref
}

/// Two configurations of one file, of which one has the lower version.
struct OutdatedRealm {
  let lower: RealmConfiguration
  let higher: RealmConfiguration
}

// MARK: - Configurations of one file

extension Program {
  /// The openings of files with fewer classes than others open them with, in source order.
  var partialRealms: [PartialRealm] {
    guard usesRealm else { return [] }
    let lists = realmLists
    return lists.filter { list in
      guard let classes = list.classes, migrates(list.call) else { return false }
      return lists.contains { other in
        other.file == list.file && other.classes.map { classes.isStrictSubset(of: $0) } ?? true
      }
    }.reduce(into: [(file: KnownText, lists: [RealmList])]()) { groups, list in
      if let index = groups.firstIndex(where: { $0.file == list.file }) {
        groups[index].lists.append(list)
      } else {
        groups.append((list.file, [list]))
      }
    }.compactMap { group in
      let whole = lists.filter { $0.file == group.file }
        .max { size(of: $0.classes) < size(of: $1.classes) }
      guard let whole else { return nil }
      let named = group.lists.reduce(into: Set<TypeID>()) { $0.formUnion($1.classes ?? []) }
      let missing = realmClasses.filter { stored in
        !stored.isEmbedded && !named.contains(stored.type)
          && whole.classes.map { $0.contains(stored.type) } ?? true
      }
      guard !missing.isEmpty else { return nil }
      return PartialRealm(
        places: group.lists.map(\.place).sorted(), missing: missing.map(\.name).sorted(),
        whole: whole.place)
    }
  }

  /// The configurations that open a file with a lower version than another one does.
  var outdatedRealms: [OutdatedRealm] {
    let written = realmConfigurations.filter {
      $0.version != nil && realmSetting("schemaVersion", of: $0.call) != nil
    }
    guard written.count > 1 else { return [] }
    return written.compactMap { lower in
      guard let version = lower.version, let file = realmFile(of: lower.call, besidesLists: true)
      else {
        return nil
      }
      let above = written.filter { other in
        guard let others = other.version, others > version, other.call != lower.call else {
          return false
        }
        return realmFile(of: other.call, besidesLists: true) == file
          && !standInOtherBranches(lower.call, other.call)
      }
      return above.max { ($0.version ?? 0) < ($1.version ?? 0) }
        .map { OutdatedRealm(lower: lower, higher: $0) }
    }
  }

  // MARK: Files

  /// The file that a configuration names; nil where it can't be told.
  private func realmFile(of call: Ref, besidesLists list: Bool = false) -> KnownText? {
    guard let url = realmSetting("fileURL", of: call) else {
      // Lists of classes tell apart what nothing else does.
      if list, realmSetting("objectTypes", of: call) != nil { return nil }
      guard argument(call, "syncConfiguration") == nil else { return nil }
      return KnownText("realm:default@\(files[Int(call.file)].module)")
    }
    return knownText(of: url)
  }

  // MARK: Lists of classes

  /// A list of classes with which a file is opened.
  private struct RealmList {
    let call: Ref
    let place: Ref
    /// Nil for all that there are.
    let classes: Set<TypeID>?
    let file: KnownText
  }

  private var realmLists: [RealmList] {
    realmConfigurations(withTypes: calls(named: "Configuration")).sorted { $0.place < $1.place }
  }

  private func realmConfigurations(withTypes calls: [Ref]) -> [RealmList] {
    calls.flatMap { call -> [RealmList] in
      let parts = callee(call)
      guard parts.count == 2, nameText(parts[0]) == "Realm", !isExempt(call),
        !isRealmInMemory(call),
        realmSetting("readOnly", of: call).map({ booleanLiteral($0) == false }) ?? true
      else { return [] }
      let file =
        realmFile(of: call)
        ?? KnownText(heldBy: call)
      guard let list = realmSetting("objectTypes", of: call) else {
        return [RealmList(call: call, place: call, classes: nil, file: file)]
      }
      return classes(listedBy: list).map {
        RealmList(call: call, place: $0.place, classes: $0.classes, file: file)
      }
    }
  }

  /// A list that is handed to a configuration; nil where a caller leaves it out.
  private struct Given: Hashable {
    let list: Ref?
    let place: Ref
  }

  /// The lists that an expression may be, those that callers hand over included.
  private func classes(listedBy value: Ref) -> [(place: Ref, classes: Set<TypeID>?)] {
    Reach(from: Given(list: value, place: value)) { given in
      guard let (id, index) = given.list.flatMap({ self.parameter(namedBy: $0) }) else { return [] }
      return self.shippingCallers(of: id).compactMap { call in
        let list = self.argument(of: call, for: index, of: self.functions[id])
        guard list != nil || self.isNilByDefault(index, of: id) else { return nil }
        return Given(list: list, place: self.calledNode(call) ?? call)
      }
    }.compactMap { given in
      guard let list = given.list, !isNil(list) else { return (given.place, nil) }
      let found = Set(parameter(namedBy: list) == nil ? typesListed(in: list) ?? [] : [])
      return found.isEmpty ? nil : (given.place, found)
    }
  }

  private func size(of classes: Set<TypeID>?) -> Int { classes?.count ?? Int.max }

  /// Whether opening a file by a configuration may raise its version.
  private func migrates(_ call: Ref) -> Bool {
    guard let version = realmSetting("schemaVersion", of: call) else { return false }
    return numbers(in: version) != [0]
  }
}
