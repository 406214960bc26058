import PersistIndex
import PersistSyntax

/// The number of an origin in the table of a solver.
package typealias OriginID = Int32
/// The number of a set of origins in the table of a solver.
package typealias OriginsID = Int32

/// What one value may be, as far as the code says where it comes from.
package enum Origin: Hashable, Sendable {
  /// `nil`.
  case null
  /// Plain data, of which nothing is to be known.
  case plain
  /// A literal by its text, such as `true`.
  case literal(Name)
  /// A case of an enum with its payload; also a static member of a framework's type.
  case enumCase(Name, [OriginsID])
  /// A type of the sources as a value.
  case type(TypeID)
  /// A framework's type as a value.
  case externalType(Name)
  /// What one place makes: an instance of a class or actor of the sources.
  case object(TypeID, Ref)
  /// An instance of a class or actor, made somewhere.
  case instance(TypeID)
  /// A struct of the sources with the values of its stored properties.
  case structure(TypeID, [Field])
  case tuple([OriginsID], [Name])
  /// An array or set with what may be in it.
  case collection(OriginsID)
  /// A dictionary with what its values may be.
  case dictionary(OriginsID)
  /// A closure with what it has captured, `self` first.
  case closure(BodyID, [OriginsID])
  /// A function of the sources that is not called, with the instance that it belongs to.
  case function(FunctionID, OriginsID)
  /// A framework's object of which only the type is known.
  case external(Name)
  /// A framework's object that one place makes and that holds other values, such as a subject or a
  /// results controller.
  case holder(Name, Ref, OriginsID)
  /// What keeps objects on its queue or thread: a context, or a realm.
  case owner(Owner)
  /// An object that belongs to an owner.
  case managed(Owner)
  /// A dispatch or operation queue.
  case queue(Queue)
  /// A key path, which can stand for a function of what it begins with.
  case keyPath(Ref)
  /// A framework's method that is not called, with its receiver.
  case method(Name, OriginsID)
  /// One object of a store, told apart from others.
  case token(Token)
  /// The identifier of an object of a store.
  case identifier(OriginsID)
  /// An object of a store that was deleted on the way.
  case gone(End)

  /// A stored property of a struct with what it holds.
  package struct Field: Hashable, Sendable {
    package let property: PropertyID
    package let value: OriginsID
  }
}

/// A context of Core Data or SwiftData, or a realm, by the place that makes it.
package struct Owner: Hashable, Sendable {
  /// The framework that the owner comes from.
  package enum Framework: UInt8, Hashable, Sendable { case coreData, swiftData, realm }
  /// Where the owner's objects may be used.
  package enum Home: Hashable, Sendable {
    case main
    /// A queue of its own, which `perform` leads to.
    case own
    /// The queue or actor on which it was made.
    case queue(Ref)
    case actor(TypeID)
    /// Some thread beside main on which it was made.
    case background
    /// Where a function runs that gets the object, which nobody knows; the place is the parameter.
    case given(Ref)
    /// A thread of the pool, which code leaves when it waits.
    case turn
    /// A thread that code has left: nothing may be used any more.
    case left
    /// Wherever it was asked for first, as nobody knows.
    case shared
    case unknown
  }
  package let framework: Framework
  package var home: Home
  /// Where it is made, or the property of a framework's object that it is.
  package let site: Ref?
  /// Whether only the place is known where an object was handed over, and not its context.
  package var isGiven = false
}

extension Owner {
  /// A realm of which only the type is known.
  static let someRealm = Owner(framework: .realm, home: .unknown, site: nil, isGiven: true)

  /// A context of that kind, made somewhere.
  var somewhere: Owner { Owner(framework: framework, home: home, site: nil) }
}

/// A queue by the place that makes it.
package enum Queue: Hashable, Sendable {
  case main
  /// A concurrent queue of the system.
  case global
  case made(Ref)
  /// A queue by the place that makes it, which runs several closures at once.
  case concurrent(Ref)
  /// An operation queue by the place that makes it; it may run its work on a dispatch queue that it
  /// was given.
  case operations(Ref)
}

/// Where code runs.
package enum Executor: Hashable, Sendable {
  case unknown
  case main
  /// A thread of the pool on which tasks without an actor run.
  case pool
  /// Another thread than main, on a queue of the system or in a framework's callback.
  case background
  case queue(Ref)
  /// Inside `perform` of a context.
  case owner(Owner)
  /// Wherever it is called, which is surely not inside `perform` of the context that is used.
  case outside
  case actor(TypeID)
}

extension Origin {
  /// Whether it is an object that belongs to a context or realm.
  var isManaged: Bool { if case .managed = self { true } else { false } }
}

extension Executor {
  /// Whether code runs inside `perform` of some context.
  package var isInPerform: Bool { if case .owner = self { true } else { false } }
}

/// A set of origins, and whether the value may be something else as well.
package struct Origins: Hashable, Sendable {
  /// In ascending order.
  package var known: [OriginID] = []
  package var isOpen = false
  /// Whether there were too many to name, so that nothing else can be added.
  package var isFull = false

  /// Whether the value is surely from one place.
  var isOne: Bool { known.count == 1 && !isOpen }

  static let nothing = Origins()
  static let unknown = Origins(known: [], isOpen: true)
}

/// Keeps each origin and each set once, so that numbers stand for them.
final class OriginTable {
  private(set) var origins: [Origin] = []
  private(set) var sets: [Origins] = []
  private var idsOfOrigins: [Origin: OriginID] = [:]
  private var idsOfSets: [Origins: OriginsID] = [:]
  private var depths: [Int32] = []
  /// Whether an origin leads to an owner or decides something, so that calls are told apart by it.
  private var telling: [Bool] = []
  /// Whether an origin is an object that is told apart from others, or holds one.
  private var holdsToken: [Bool] = []
  /// Whether an origin leads to an owner.
  private var leadsOfOrigins: [Lead] = []
  private(set) var leadsOfSets: [Lead] = []
  private var generalized: [OriginsID: OriginsID] = [:]
  private var unions: [UInt64: OriginsID] = [:]
  var withoutGiven: [OriginsID: OriginsID] = [:]
  var left: [OriginsID: OriginsID] = [:]

  /// More origins than these make a set open.
  private static let mostOrigins = 24
  /// How deep values may stand in one another.
  private static let deepest: Int32 = 5

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
  func members(_ set: OriginsID) -> [Origin] { sets[Int(set)].known.map { origins[Int($0)] } }

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
    if let known = idsOfOrigins[origin] { return id(Origins(known: [known])) }
    let depth = depth(of: origin)
    guard depth <= Self.deepest else { return Self.unknown }
    let number = OriginID(truncatingIfNeeded: origins.count)
    origins.append(origin)
    depths.append(depth)
    telling.append(isTelling(origin))
    holdsToken.append(parts(of: origin).contains { holdsTokens($0) } || origin.isObject)
    leadsOfOrigins.append(lead(of: origin))
    idsOfOrigins[origin] = number
    return id(Origins(known: [number]))
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
    var found: [OriginID] = []
    var pending = [set]
    var seen: Set<OriginsID> = []
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

  /// The set with something else for each origin.
  func mapped(_ set: OriginsID, _ change: (Origin) -> OriginsID) -> OriginsID {
    let whole = sets[Int(set)]
    var result = whole.isOpen ? Self.unknown : Self.nothing
    for id in whole.known { result = union(result, change(origins[Int(id)])) }
    return result
  }

  /// The set as one of which no condition is known.
  func undecided(_ set: OriginsID) -> OriginsID {
    let decides = sets[Int(set)].known.contains { id in
      switch origins[Int(id)] {
      case .literal, .enumCase: true
      default: false
      }
    }
    return decides ? union(set, Self.plain) : set
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

extension Origin {
  /// An instance of the same type, made somewhere.
  var anywhere: Origin {
    switch self {
    case .object(let type, _), .structure(let type, _): .instance(type)
    default: self
    }
  }

  /// Whether this is an object of a store.
  var isStored: Bool {
    if case .managed = self { return true }
    return isObject
  }

  /// The type of the sources whose members this has.
  var declaredType: TypeID? {
    switch self {
    case .object(let type, _), .instance(let type), .structure(let type, _), .type(let type): type
    default: nil
    }
  }
}
