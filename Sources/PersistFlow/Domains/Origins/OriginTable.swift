import PersistIndex
import PersistSyntax

/// Keeps each origin and each set once, so that numbers stand for them.
final class OriginTable {
  @exclusivity(unchecked) private(set) var origins: [Origin] = []
  @exclusivity(unchecked) private(set) var sets: [Origins] = []
  @exclusivity(unchecked) private var idsOfOrigins: [Origin: OriginID] = [:]
  @exclusivity(unchecked) private var idsOfSets: [Origins: OriginsID] = [:]
  @exclusivity(unchecked) private var depths: [Int32] = []
  /// Whether an origin leads to an owner or decides something, so that calls are told apart by it.
  @exclusivity(unchecked) private var telling: [Bool] = []
  /// Whether an origin is an object that is told apart from others, or holds one.
  @exclusivity(unchecked) private var holdsToken: [Bool] = []
  /// Whether an origin leads to an owner.
  @exclusivity(unchecked) private var leadsOfOrigins: [Lead] = []
  @exclusivity(unchecked) private(set) var leadsOfSets: [Lead] = []
  /// The set that holds one origin alone, by its number; -1 where nobody has asked for it.
  @exclusivity(unchecked) private var singles: [OriginsID] = []
  @exclusivity(unchecked) private var lazyViews: [Bool] = []
  @exclusivity(unchecked) private var generalized: [OriginsID: OriginsID] = [:]
  @exclusivity(unchecked) private var unions: [UInt64: OriginsID] = [:]
  @exclusivity(unchecked) var withoutGiven: [OriginsID: OriginsID] = [:]
  @exclusivity(unchecked) var left: [OriginsID: OriginsID] = [:]

  /// More origins than these make a set open.
  private static let mostOrigins = 24
  /// How deep values may stand in one another.
  private static let deepest: Int32 = 5
  /// How many closures may hand one another on, each of them from another place.
  private static let longestChain: Int32 = 16

  /// The empty set.
  static let nothing: OriginsID = 0
  /// The set of which nothing is known.
  static let unknown: OriginsID = 1
  /// Plain data.
  static let plain: OriginsID = 2
  /// `nil` alone.
  static let null: OriginsID = 3

  init() {
    _ = id(.nothing)
    _ = id(.unknown)
    _ = one(.plain)
    _ = one(.null)
  }

  subscript(set: OriginsID) -> Origins { sets[Int(set)] }
  subscript(origin origin: OriginID) -> Origin { origins[Int(origin)] }

  /// The origins of a set.
  func members(_ set: OriginsID) -> Members { Members(numbers: sets[Int(set)].known, table: self) }

  /// The origins of a set, each of them taken from the table when it is asked for.
  struct Members: RandomAccessCollection {
    let numbers: [OriginID]
    let table: OriginTable

    var startIndex: Int { 0 }
    var endIndex: Int { numbers.count }
    subscript(index: Int) -> Origin { table.origins[Int(numbers[index])] }
  }

  func id(_ set: Origins) -> OriginsID {
    if let known = idsOfSets[set] { return known }
    let id = OriginsID(truncatingIfNeeded: sets.count)
    sets.append(set)
    leadsOfSets.append(greatest(set.known.map { leadsOfOrigins[Int($0)] }))
    idsOfSets[set] = id
    return id
  }

  /// The set with one origin; open where the origin is nested too deeply.
  func one(_ origin: Origin) -> OriginsID {
    let number = number(of: origin)
    return number < 0 ? Self.unknown : one(ofNumber: number)
  }

  /// The number of an origin; -1 where it is nested too deeply.
  func number(of origin: Origin) -> OriginID {
    if let known = idsOfOrigins[origin] { return known }
    let depth = depth(of: origin)
    guard depth <= Self.deepest || depth <= Self.longestChain && isChain(origin) else { return -1 }
    let number = OriginID(truncatingIfNeeded: origins.count)
    origins.append(origin)
    depths.append(depth)
    telling.append(isTelling(origin))
    holdsToken.append(parts(of: origin).contains { holdsTokens($0) } || origin.isObject)
    leadsOfOrigins.append(lead(of: origin))
    idsOfOrigins[origin] = number
    singles.append(-1)
    lazyViews.append(isLazyView(origin))
    return number
  }

  /// Whether an origin is a closure that holds no other one of the same place.
  private func isChain(_ origin: Origin) -> Bool {
    guard case .closure(let body, let parts) = origin else { return false }
    return !parts.contains { set in
      all(in: set).contains { id in
        if case .closure(body, _) = origins[Int(id)] { true } else { false }
      }
    }
  }

  /// The set with the origin of a number.
  func one(ofNumber number: OriginID) -> OriginsID {
    let known = singles[Int(number)]
    if known >= 0 { return known }
    let made = id(Origins(known: [number]))
    singles[Int(number)] = made
    return made
  }

  private func isLazyView(_ origin: Origin) -> Bool {
    if case .holder(Frameworks.lazyView, _, _) = origin { true } else { false }
  }

  /// Whether a value may be a view of a collection that makes its elements when they are asked for.
  func mayBeLazyView(_ set: OriginsID) -> Bool {
    sets[Int(set)].known.contains { lazyViews[Int($0)] }
  }

  private func isTelling(_ origin: Origin) -> Bool {
    func some(_ parts: [OriginsID]) -> Bool { parts.contains { isTelling($0) } }
    switch origin {
    case .owner, .managed, .queue, .literal, .function, .closure, .holder, .external, .method,
      .token, .gone:
      return true
    case .enumCase(_, let parts): return parts.isEmpty || some(parts)
    case .tuple(let parts, _): return some(parts)
    case .structure(_, let fields): return some(fields.map(\.value))
    case .collection(let part), .dictionary(let part): return some([part])
    case .identifier(let object): return some([object])
    case .null, .plain, .type, .externalType, .object, .instance, .keyPath: return false
    }
  }

  /// Whether a value is or holds objects that are told apart from others.
  func holdsTokens(_ set: OriginsID) -> Bool {
    sets[Int(set)].known.contains { holdsToken[Int($0)] }
  }

  /// The values that stand in another one.
  private func parts(of origin: Origin) -> [OriginsID] {
    switch origin {
    case .enumCase(_, let parts), .tuple(let parts, _), .closure(_, let parts): parts
    case .structure(_, let fields): fields.map(\.value)
    case .collection(let part), .dictionary(let part), .function(_, let part), .method(_, let part),
      .holder(_, _, let part), .identifier(let part):
      [part]
    default: []
    }
  }

  /// The origins of a set and of all that stands in it, outermost first.
  func all(in set: OriginsID) -> [OriginID] {
    var found = sets[Int(set)].known
    var pending = found.flatMap { parts(of: origins[Int($0)]) }
    guard !pending.isEmpty else { return found }
    var seen: Set<OriginsID> = [set]
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      for id in sets[Int(next)].known {
        found.append(id)
        pending += parts(of: origins[Int(id)])
      }
    }
    return found
  }

  /// The set with something else for some of what is or stands in it.
  func rewritten(_ set: OriginsID, _ change: (OriginID, Origin) -> OriginsID?) -> OriginsID {
    let whole = sets[Int(set)]
    guard holdsTokens(set) else { return set }
    var result = whole.isOpen ? Self.unknown : Self.nothing
    for id in whole.known {
      let origin = origins[Int(id)]
      result = union(result, change(id, origin) ?? rewritten(id, origin, change))
    }
    return result
  }

  private func rewritten(
    _ id: OriginID, _ origin: Origin, _ change: (OriginID, Origin) -> OriginsID?
  ) -> OriginsID {
    func new(_ part: OriginsID) -> OriginsID { rewritten(part, change) }
    return switch origin {
    case .collection(let part): one(.collection(new(part)))
    case .dictionary(let part): one(.dictionary(new(part)))
    case .tuple(let parts, let labels): one(.tuple(parts.map(new), labels))
    case .enumCase(let name, let parts): one(.enumCase(name, parts.map(new)))
    case .closure(let body, let captures): one(.closure(body, captures.map(new)))
    case .function(let function, let receiver): one(.function(function, new(receiver)))
    case .method(let name, let receiver): one(.method(name, new(receiver)))
    case .holder(let name, let site, let part): one(.holder(name, site, new(part)))
    case .structure(let type, let fields):
      one(
        .structure(
          type, fields.map { Origin.Field(property: $0.property, value: new($0.value)) }))
    case .identifier(let object): identifier(object, new(object))
    default: self.id(Origins(known: [id]))
    }
  }

  /// An identifier stands for its object, deleted or not.
  private func identifier(_ old: OriginsID, _ new: OriginsID) -> OriginsID {
    let objects = members(new).map { $0.numberOfObject }
    return objects.contains { $0 == nil } && !sets[Int(new)].isOpen
      ? one(.identifier(new)) : sets[Int(new)].isOpen ? Self.unknown : one(.identifier(old))
  }

  /// Whether calls are told apart by a value.
  func isTelling(_ set: OriginsID) -> Bool { sets[Int(set)].known.contains { telling[Int($0)] } }

  /// An argument as calls are told apart by it: what leads nowhere is what its type says.
  func generalized(_ set: OriginsID) -> OriginsID {
    if let known = generalized[set] { return known }
    let whole = sets[Int(set)]
    var result = whole.isOpen ? Self.unknown : Self.nothing
    for id in whole.known {
      switch origins[Int(id)] {
      case .structure(let type, _) where !telling[Int(id)]:
        result = union(result, one(.instance(type)))
      case .tuple where !telling[Int(id)], .collection where !telling[Int(id)],
        .dictionary where !telling[Int(id)], .enumCase where !telling[Int(id)]:
        result = union(result, Self.unknown)
      default: result = union(result, self.id(Origins(known: [id])))
      }
    }
    generalized[set] = result
    return result
  }

  private func depth(of origin: Origin) -> Int32 {
    func deepest(_ parts: [OriginsID]) -> Int32 {
      1
        + (parts.map { set in
          sets[Int(set)].known.map { depths[Int($0)] }.max() ?? 0
        }.max() ?? 0)
    }
    let parts = parts(of: origin)
    return parts.isEmpty ? 0 : deepest(parts)
  }

  func union(_ left: OriginsID, _ right: OriginsID) -> OriginsID {
    if left == right || right == Self.nothing { return left }
    if left == Self.nothing { return right }
    let key =
      UInt64(UInt32(bitPattern: min(left, right))) << 32
      | UInt64(UInt32(bitPattern: max(left, right)))
    if let known = unions[key] { return known }
    let (one, other) = (sets[Int(left)], sets[Int(right)])
    let isOpen = one.isOpen || other.isOpen
    var merged = Origins(known: [], isOpen: true, isFull: true)
    if !one.isFull, !other.isFull {
      let known = joined(Array(Set(one.known).union(other.known)).sorted())
      if known.count <= Self.mostOrigins { merged = Origins(known: known, isOpen: isOpen) }
    }
    let result = id(merged)
    unions[key] = result
    return result
  }

  /// Several collections are one of all their elements, and so are dictionaries.
  private func joined(_ known: [OriginID]) -> [OriginID] {
    var lists: [OriginsID] = []
    var tables: [OriginsID] = []
    var others: [OriginID] = []
    for id in known {
      switch origins[Int(id)] {
      case .collection(let inner): lists.append(inner)
      case .dictionary(let inner): tables.append(inner)
      default: others.append(id)
      }
    }
    guard lists.count > 1 || tables.count > 1 else { return known }
    if !lists.isEmpty { others += sets[Int(one(.collection(union(lists))))].known }
    if !tables.isEmpty { others += sets[Int(one(.dictionary(union(tables))))].known }
    return others.sorted()
  }

  func union(_ all: some Sequence<OriginsID>) -> OriginsID {
    var result = Self.nothing
    for set in all { result = union(result, set) }
    return result
  }

  /// The set as one that holds nothing else.
  func closed(_ set: OriginsID) -> OriginsID { id(Origins(known: sets[Int(set)].known)) }

  /// The set with something else for each origin; nil leaves one as it is.
  func mapped(_ set: OriginsID, _ change: (Origin) -> OriginsID?) -> OriginsID {
    let whole = sets[Int(set)]
    var result = whole.isOpen ? Self.unknown : Self.nothing
    for id in whole.known {
      result = union(result, change(origins[Int(id)]) ?? one(ofNumber: id))
    }
    return result
  }

  /// The set as one of which no condition is known.
  func undecided(_ set: OriginsID) -> OriginsID {
    var result = set
    for id in sets[Int(set)].known {
      switch origins[Int(id)] {
      case .literal: result = union(result, Self.plain)
      // Another case, which holds none of what this one holds.
      case .enumCase: result = union(result, one(.enumCase(.none, [])))
      default: continue
      }
    }
    return result
  }

  /// The set as one that may hold something else as well.
  func opened(_ set: OriginsID) -> OriginsID { union(set, Self.unknown) }

  /// The set with other origins in place of one, which may stand inside of others as well.
  func replacing(_ origin: OriginID, by set: OriginsID, in whole: OriginsID) -> OriginsID {
    let old = sets[Int(whole)]
    guard old.known.contains(where: { $0 == origin || holds(origin, in: $0) }) else { return whole }
    var result = old.isOpen ? Self.unknown : Self.nothing
    for id in old.known {
      if id == origin {
        result = union(result, set)
      } else {
        result = union(result, replacing(origin, by: set, inside: id))
      }
    }
    return result
  }

  private func holds(_ origin: OriginID, in other: OriginID) -> Bool {
    func some(_ set: OriginsID) -> Bool {
      sets[Int(set)].known.contains { $0 == origin || holds(origin, in: $0) }
    }
    return switch origins[Int(other)] {
    case .collection(let part), .dictionary(let part): some(part)
    case .tuple(let parts, _), .enumCase(_, let parts): parts.contains(where: some)
    case .structure(_, let fields): fields.contains { some($0.value) }
    default: false
    }
  }

  private func replacing(_ origin: OriginID, by set: OriginsID, inside id: OriginID) -> OriginsID {
    func new(_ part: OriginsID) -> OriginsID { replacing(origin, by: set, in: part) }
    return switch origins[Int(id)] {
    case .collection(let part): one(.collection(new(part)))
    case .dictionary(let part): one(.dictionary(new(part)))
    case .tuple(let parts, let labels): one(.tuple(parts.map(new), labels))
    case .enumCase(let name, let parts): one(.enumCase(name, parts.map(new)))
    case .structure(let type, let fields):
      one(
        .structure(
          type, fields.map { Origin.Field(property: $0.property, value: new($0.value)) }))
    default: self.id(Origins(known: [id]))
    }
  }

  /// The set without `nil`.
  func unwrapped(_ set: OriginsID) -> OriginsID {
    let whole = sets[Int(set)]
    guard let null = sets[Int(Self.null)].known.first, whole.known.contains(null) else {
      return set
    }
    return id(Origins(known: whole.known.filter { $0 != null }, isOpen: whole.isOpen))
  }
}
