import PersistIndex
import PersistSyntax

/// The number of an instance in its solver.
package typealias InstanceID = Int32

/// One body with what comes in: a use in it is judged for each of its instances, so that what one
/// caller hands over is never mixed with where another one runs.
package struct InstanceKey: Hashable, Sendable {
  package let body: BodyID
  package var receiver: OriginsID
  package var arguments: [OriginsID]
  package var captures: [OriginsID]
  package var executor: Executor
  package var transaction = Transaction.unknown
  /// Where the instance belongs whose code runs, when a closure has taken it elsewhere.
  package var home: Owner.Home?
  /// What stored properties hold of objects that are gone.
  var fields: [HeldField] = []

  /// What tables ask for: what most keys differ in.
  package func _rawHashValue(seed: Int) -> Int {
    var mixer = Mixer(seed)
    mixer.add(body)
    mixer.add(receiver)
    mixer.add(arguments)
    mixer.add(captures)
    switch executor {
    case .owner(let owner): mixer.add(owner.site ?? Ref(file: 0, node: 0))
    case .queue(let place): mixer.add(place)
    case .actor(let type): mixer.add(type)
    case .unknown: break
    case .main, .pool, .background, .outside: mixer.add(executor == .main ? 1 : 2)
    }
    for field in fields { mixer.add(field.value) }
    return mixer.value
  }
}

/// What a stored property of something holds where a body begins.
struct HeldField: Hashable {
  let key: ObjectState.FieldKey
  let value: OriginsID
}

/// Whether a write transaction of a realm is open where code runs.
package enum Transaction: UInt8, Hashable, Sendable { case unknown, none, open }

/// What is known of an instance.
final class Instance {
  let key: InstanceKey
  @exclusivity(unchecked) var result = OriginTable.nothing
  /// What `self` is at the end, for a struct that changes.
  @exclusivity(unchecked) var receiver = OriginTable.nothing
  /// What the parameters have become at the end, where it assigns them.
  @exclusivity(unchecked) var changed: [Int: OriginsID] = [:]
  /// The instances to look at again when the result changes.
  @exclusivity(unchecked) var callers = FewNumbers()
  /// What the body has called when it ran last, with the calling node.
  @exclusivity(unchecked) var calls: [Call] = []
  @exclusivity(unchecked) var uses: [Use] = []
  /// What it does to the objects that come in.
  @exclusivity(unchecked) var effects = Effects()
  /// How often that has changed.
  @exclusivity(unchecked) var changes = 0
  /// The reads of objects that it has deleted before.
  @exclusivity(unchecked) var goneReads: [GoneRead] = []
  @exclusivity(unchecked) var waits: [Wait] = []
  /// What has been inserted into a context by the end: the object of a place, and what it is then.
  @exclusivity(unchecked) var adopted: [OriginID: OriginsID] = [:]
  @exclusivity(unchecked) var isWaiting = false
  /// The places that call it, of instances as they have run last.
  @exclusivity(unchecked) var callCount = 0
  @exclusivity(unchecked) var isRoot = false
  /// Whether it waits for somebody to call it again.
  @exclusivity(unchecked) var isLeft = false
  /// Whether it uses or keeps something of an owner, or calls what does.
  @exclusivity(unchecked) var isHot = false

  init(key: InstanceKey) {
    self.key = key
  }

  /// Whether what it makes may count at the end.
  var isWanted: Bool { isRoot || callCount > 0 }

  struct Call: Hashable {
    let node: Ref
    let target: InstanceID

    func _rawHashValue(seed: Int) -> Int {
      var mixer = Mixer(seed)
      mixer.add(node)
      mixer.add(target)
      return mixer.value
    }
  }
}

/// The instances that wait to be run, as a heap: the one with the greatest number comes first.
struct WaitingInstances {
  private var heap: [InstanceID] = []

  var isEmpty: Bool { heap.isEmpty }

  mutating func insert(_ id: InstanceID) {
    var place = heap.count
    heap.append(id)
    while place > 0, heap[(place - 1) / 2] < id {
      heap[place] = heap[(place - 1) / 2]
      place = (place - 1) / 2
    }
    heap[place] = id
  }

  /// Takes out the one with the greatest number.
  mutating func takeLast() -> InstanceID? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return first }
    var place = 0
    while 2 * place + 1 < heap.count {
      var child = 2 * place + 1
      if child + 1 < heap.count, heap[child + 1] > heap[child] { child += 1 }
      guard heap[child] > last else { break }
      heap[place] = heap[child]
      place = child
    }
    heap[place] = last
    return first
  }
}

/// A place where a thread stands still until something happens, or that lets one go on.
struct Wait: Hashable {
  enum Kind: UInt8 {
    case wait, signal
    /// What is waited for goes to code that can't be read.
    case unread
  }
  let kind: Kind
  /// The call.
  let node: Ref
  /// The queue, semaphore or group.
  var value: OriginsID
}

/// How a call runs the code that it is given.
struct Manner: OptionSet, Hashable {
  let rawValue: UInt8
  /// After the call, on an executor that its row names.
  static let later = Manner(rawValue: 1)
  /// Before the call returns, on an executor that its row names.
  static let waitedFor = Manner(rawValue: 2)
  /// Nobody knows when, nor where.
  static let untold = Manner(rawValue: 4)
}

/// A use of something that belongs to an owner.
package struct Use: Hashable, Sendable {
  /// Whether a context is used, or an object of one.
  package enum Kind: UInt8, Sendable {
    case context, object
    /// An object is deleted by a context.
    case deletion
    /// An object is put into a relationship of another one.
    case relation
    /// A realm is opened for a queue that can't hold one.
    case opening
    /// A function hands out an object of the thread on which it happened to run.
    case result
    /// A context is saved.
    case save
    /// A context, or an object of one, is changed.
    case change
    /// The changes of a context are given up.
    case discard
    /// A context is told to save by itself.
    case autosave
    /// A context gets a merge policy.
    case policy
    /// A context gets a parent.
    case parent
    /// A context gets a coordinator.
    case coordinator
    /// A context is told of changes from elsewhere.
    case merge
    /// A context, or an object of one, goes to code that can't be read.
    case handed
  }
  package let kind: Kind
  /// The node: a member, or a call's argument.
  package let node: Ref
  package let value: OriginsID
  package let isWrite: Bool
  package let transaction: Transaction
  /// The context that deletes the object, the object whose relationship it is put into, or the
  /// parent or coordinator of a context.
  package var context = OriginTable.nothing
  /// Whether the object that is put into a relationship was held by a property before, or the
  /// coordinator is that of another context.
  package var isHeld = false
}

/// A variable that outlives a body, or that several bodies share.
enum Cell: Hashable {
  /// A stored property of what one place makes, of an instance made somewhere, or of all.
  case field(OriginID, PropertyID)
  case anyField(PropertyID)
  /// A property of that name, of something that can't be told.
  case named(Name)
  case global(PropertyID)
  case local(Ref)
  /// What goes through a subject, stream or other holder.
  case channel(Name, Ref)
  /// Where a notification of that name is posted, and what goes with it.
  case posts(Name)
  case posted(Name)
  /// The contexts that are saved.
  case saves

  /// What tables ask for.
  func _rawHashValue(seed: Int) -> Int {
    var mixer = Mixer(seed)
    switch self {
    case .field(let origin, let property):
      mixer.add(origin)
      mixer.add(property)
    case .anyField(let property): mixer.add(property)
    case .global(let property): mixer.add(~property)
    case .named(let name), .posts(let name), .posted(let name): mixer.add(name.hash)
    case .local(let place), .channel(_, let place): mixer.add(place)
    case .saves: break
    }
    return mixer.value
  }

  /// The property that the cell is of.
  var property: PropertyID? {
    switch self {
    case .field(_, let id), .anyField(let id), .global(let id): id
    case .named, .local, .channel, .posts, .posted, .saves: nil
    }
  }
}
