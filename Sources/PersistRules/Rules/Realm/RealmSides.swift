import PersistIndex
import PersistSyntax

/// On which side of the main queue code surely runs.
enum RealmSide: Hashable {
  case main, off

  var other: RealmSide { self == .main ? .off : .main }
}

/// A use, on one side of the main queue, of what was found on the other.
struct RealmSideUse {
  let use: RealmUse
  let isOnMain: Bool
  /// The call by which the value comes, where a function is handed it.
  let caller: Ref?
}

// MARK: - Values that go to the main queue and away from it

extension Program {
  /// The uses on the main queue of what code surely found off it, and the other way round, each
  /// closure's in source order.
  var realmUsesOnOtherSide: [RealmSideUse] {
    closuresWithQueue.flatMap { closure, side -> [RealmSideUse] in
      realmUses(in: closure, handing: side == .main ? .toProperties : .toFunctions).compactMap {
        use in
        guard isManaged(use, in: closure), let birth = birth(of: use.source, besides: side) else {
          return nil
        }
        return RealmSideUse(use: use, isOnMain: side == .main, caller: birth.caller)
      }
    }
  }

  /// The closures that surely run on the main queue or off it whatever runs the code around them.
  private var closuresWithQueue: [(closure: Ref, side: RealmSide)] {
    let turning = Set(files(usingAny: Self.turningWords))
    return realmFiles.filter { turning.contains($0) }.flatMap {
      file -> [(closure: Ref, side: RealmSide)] in
      let outline = files[file].outline
      return outline.nodes.indices.compactMap { node -> (closure: Ref, side: RealmSide)? in
        guard outline.nodes[node].kind == .closure else { return nil }
        let closure = Ref(file: file, node: node)
        guard callTaking(closure) != nil, !isExempt(closure) else { return nil }
        switch queue(ofClosure: closure) {
        case .main: return (closure, .main)
        case .elsewhere: return (closure, .off)
        default: return nil
        }
      }
    }
  }

  /// Words without one of which nothing changes queues.
  private static let turningWords: Set<Name> = [
    "async", "asyncAfter", "dispatch_async", "run", "addOperation", "dataTask", "downloadTask",
    "uploadTask", "Task", "sink", "detached",
    "subscribe",
  ]

  /// The files that may speak of realms or of what they store; test code left out.
  var realmFiles: [Int] {
    let names = Set(realmClasses.map { types[$0.type].name }).union([
      "Realm", "RealmSwift", "realm",
    ])
    return files(usingAny: names).filter { !files[$0].isTest && !files[$0].isDocumentation }
  }

  // MARK: Where values come from

  /// Where a value was surely found on another side than a given one; nil where it wasn't.
  private func birth(of source: Ref, besides side: RealmSide) -> (caller: Ref?, place: Ref)? {
    if let id = property(declaredAt: source) {
      return isKept(id, besides: side) ? (nil, source) : nil
    }
    if kind(source) == .parameter, let list = parent(source), let owner = parent(list),
      let id = function(declaredAt: owner)
    {
      let index = children(list, .parameter).firstIndex(of: source) ?? 0
      let manager = RealmManaged(program: self)
      for call in callers(of: id) where !isExempt(call) {
        guard let given = argument(of: call, for: index, of: functions[id]),
          manager.isManaged(given), sides(at: call, depth: 0) == [side.other]
        else { continue }
        return (calledNode(call) ?? call, call)
      }
      return nil
    }
    // What is waited for comes from another turn.
    if let value = ancestors(source).first(where: {
      [.binding, .optionalBinding].contains(kind($0))
    })
    .flatMap({ child($0, .expression) }), !descendants(value, .awaitMark).isEmpty {
      return nil
    }
    return sides(at: source, depth: 0) == [side.other] ? (nil, source) : nil
  }

  /// Whether a property surely gets its values on another side than a given one.
  private func isKept(_ id: PropertyID, besides side: RealmSide) -> Bool {
    let property = properties[id]
    guard !property.isComputed, !property.isStatic, !property.modifiers.contains("lazy") else {
      return false
    }
    let assigned = assignedValues(of: id)
    guard property.initializer != nil || !assigned.isEmpty else { return false }
    if property.initializer != nil, isolation(at: property.ref) != .mainActor || side == .main {
      return false
    }
    return assigned.allSatisfy { sides(at: $0, depth: 0) == [side.other] }
  }

  /// The sides on which code runs, by all who call it; empty where one of them can't be told.
  private func sides(at place: Ref, depth: Int) -> Set<RealmSide> {
    sides(of: queue(at: place), depth: depth)
  }

  private func sides(of queue: PlaceQueue, depth: Int) -> Set<RealmSide> {
    switch queue {
    case .main: return [.main]
    case .elsewhere: return [.off]
    case .callers(let body):
      guard isWithin(depth, .sideCallers) else { return [] }
      let places = places(calling: body)
      guard !places.isOpen, !places.sites.isEmpty else { return [] }
      var found: Set<RealmSide> = []
      for site in places.sites where !isExempt(site.place) {
        let inner = sides(of: site.queue, depth: depth + 1)
        if inner.isEmpty { return [] }
        found.formUnion(inner)
      }
      return found
    default: return []
    }
  }
}
