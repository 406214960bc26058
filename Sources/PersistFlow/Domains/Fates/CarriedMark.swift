import PersistIndex
import PersistSyntax

/// A value on a trail.
struct Carried: Hashable, Sendable {
  let kind: Name
  let origin: Ref
  /// The closure that may run later than the code that got the value.
  var lateIn: Ref?
  /// Whether it was looked at.
  var isAsked = false

  func late(in closure: Ref) -> Carried {
    var late = self
    late.lateIn = closure
    return late
  }
}

/// What a value is, as far as a trail goes.
indirect enum CarriedMark: Hashable, Sendable {
  case nothing
  /// It may be one of these.
  case values(Set<Carried>)
  /// A list of such values.
  case list(Set<Carried>)
  case tuple([CarriedMark], [Name])
  /// Instances of types of the sources, by what their properties hold.
  case instances([TypeID: [PropertyID: CarriedMark]])
  case other

  /// The values that it is or holds.
  var all: Set<Carried> {
    switch self {
    case .values(let values), .list(let values): values
    case .tuple(let parts, _): parts.reduce(into: []) { $0.formUnion($1.all) }
    case .instances(let held):
      held.values.reduce(into: []) { all, fields in
        for mark in fields.values { all.formUnion(mark.all) }
      }
    case .nothing, .other: []
    }
  }

  /// The values that it is, alone or with others, and not the ones that instances keep.
  var own: Set<Carried> {
    switch self {
    case .tuple(let parts, _): parts.reduce(into: []) { $0.formUnion($1.own) }
    case .instances: []
    default: all
    }
  }

  /// The same with other values.
  func mapped(_ new: (Carried) -> Carried) -> CarriedMark {
    switch self {
    case .values(let values): .values(Set(values.map(new)))
    case .list(let values): .list(Set(values.map(new)))
    case .tuple(let parts, let labels): .tuple(parts.map { $0.mapped(new) }, labels)
    case .instances(let held):
      .instances(held.mapValues { fields in fields.mapValues { $0.mapped(new) } })
    case .nothing, .other: self
    }
  }

  /// The values that nobody has looked at, as they are for code that runs at some other time.
  var forOthers: CarriedMark {
    func fresh(_ values: Set<Carried>) -> Set<Carried> {
      Set(values.filter { !$0.isAsked }.map { Carried(kind: $0.kind, origin: $0.origin) })
    }
    return switch self {
    case .values(let values): .values(fresh(values))
    case .list(let values): .list(fresh(values))
    case .tuple(let parts, let labels): .tuple(parts.map(\.forOthers), labels)
    case .instances(let held): .instances(held.mapValues { $0.mapValues(\.forOthers) })
    case .nothing, .other: self
    }
  }
}
