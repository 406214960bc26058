import PersistIndex
import PersistSyntax

/// A place that can hold a model on a path.
enum LifeVariable: Hashable {
  case local(Ref)
  case argument(Ref, Int)
  case property(PropertyID)
  case own
}

/// An object, or a collection of objects, that a path meets.
struct LifeObject {
  let model: TypeID
  let isCollection: Bool
  /// The collection that it was taken from.
  var whole: Int?
  /// The relationship that it was read from, and its owner.
  var owner: Int?
  var relationship: PropertyID?
  /// The path of the context that fetched it, where the sources tell.
  var context: String?
  /// Whether it was made on the path, so that nobody else can know it.
  var isMade = false
}

/// How an object was deleted on a path.
struct LifeEnd: Hashable {
  /// The call that deletes it.
  let deletion: Ref
  /// The context that deletes it, where it can be told.
  let context: LifeVariable?
  /// The call that saves the deletion; nil before it.
  var save: Ref?
  /// The branch that the deletion stands in, when another way leads past it.
  var branch: Ref?
}

/// What is known at one point of a path.
struct LifeState {
  /// The object that each variable holds.
  var objects: [LifeVariable: Int] = [:]
  var ends: [Int: LifeEnd] = [:]
  /// The `await` since which nobody has looked whether an object still exists.
  var suspensions: [Int: Ref] = [:]
  /// The last `await` on the path.
  var lastAwait: Ref?

  /// Stands for one of several objects.
  static let either = -1

  /// What holds on one of two ways, where they meet again.
  mutating func join(_ other: LifeState, branch: Ref) {
    for (variable, object) in other.objects where objects[variable] == nil {
      objects[variable] = object
    }
    for (variable, object) in objects where other.objects[variable].map({ $0 != object }) ?? false {
      objects[variable] = Self.either
    }
    var joined: [Int: LifeEnd] = [:]
    for object in Set(ends.keys).union(other.ends.keys) {
      let (mine, theirs) = (ends[object], other.ends[object])
      var end = [mine, theirs].compactMap { $0 }.max { $0.save == nil && $1.save != nil }
      if mine == nil || theirs == nil, end?.branch == nil { end?.branch = branch }
      joined[object] = end
    }
    ends = joined
    for (object, place) in other.suspensions { suspensions[object] = suspensions[object] ?? place }
    lastAwait = lastAwait ?? other.lastAwait
  }
}

/// A read of an object that is gone, or that may be.
struct LifeRead {
  /// The chain that reads.
  let place: Ref
  /// The object as it is written there.
  let text: String
  let model: TypeID
  /// The property that is read or set; nil where the object is handed to what does so.
  let property: PropertyID?
  let isWrite: Bool
  /// How it was deleted on the path.
  let end: LifeEnd?
  /// The `await` since which nobody looked.
  let suspension: Ref?
}
