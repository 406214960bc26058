import PersistIndex

/// What a framework's function or property does: a row of a table, no code.
package struct API: Sendable {
  /// Where one of the values of a call stands.
  enum Operand: Sendable, Hashable {
    case receiver
    case argument(Int)
    case labelled(Name)
    /// The last argument, a trailing closure as a rule.
    case last
    /// The closures that wait at the receiver for what it sends.
    case waiting
    /// What a framework's object in the receiver holds.
    case held
    /// The context inside of whose `perform` the code runs.
    case performing
    /// What the closure in the last argument returns.
    case returned
  }

  /// What comes out.
  indirect enum Result: Sendable {
    case plain, unknown
    case value(Operand)
    /// What a collection, optional, subject or stream holds.
    case element(Operand)
    /// The same, or nothing.
    case elementOrNil(Operand)
    case collection(Result)
    case orNil(Result)
    case tuple([Result], labels: [Name] = [])
    /// What the closure in an operand returns.
    case returned(Operand)
    /// The context of the main queue.
    case mainOwner(Owner.Framework)
    /// A new context with a queue of its own.
    case ownOwner(Owner.Framework)
    /// A context of the queue that an argument chooses.
    case chosenOwner(Operand)
    /// A context or realm of whoever makes it.
    case makersOwner(Owner.Framework)
    /// An object of the context in an operand.
    case object(of: Operand)
    /// What the thread's realm has for a frozen object or list, and a frozen copy of what is live.
    case thawed, frozen
    /// An object of the context in an operand: the one of the identifier in the first argument, whether it is still there or not.
    case identified(of: Operand)
    /// The context that an object belongs to.
    case owner(of: Operand)
    case external(Name)
    /// A new framework object that holds what an operand is.
    case holder(Name, Operand?)
    case queue(Queue)
    case madeQueue, madeOperationQueue
    /// A live list of such objects, which belongs to their owner itself.
    case list(Name, Result)
    /// The elements of the collection that the last argument returns.
    case elementOfReturned
    /// What the values of a dictionary may be.
    case valuesOfReceiver
    /// A dictionary of what is grouped by a closure, or of pairs.
    case grouped
    /// The first argument.
    static let argument0 = Result.value(.argument(0))
    /// The receiver, whose values arrive on the queue in an operand.
    case moved(to: Operand)
    case elementOfMoved
    /// A publisher of other values, which arrive on the same queue as the receiver's.
    case movedOn
    /// A view of the receiver that asks a closure anew for each element that is read; `joins` where
    /// the closure returns several.
    case lazyView(joins: Bool)
    /// The receiver in another order: a collection of its own where a closure says in which.
    case sorted
    /// A collection of its own with the elements of an operand.
    case copied(Operand)
    /// What a closure returns as a success, or a failure.
    case outcome
    /// What was posted with the notification that an observer is told of.
    case posted
    /// What a closure makes of the first argument and all elements in turn.
    case reduced
    /// A new stream, which its continuation is as well; a pair of both.
    case stream, streamPair
    /// Whether the code runs on the main thread.
    case isOnMain
    /// The continuation that a closure is given, and what it is resumed with.
    case continuation, sent
  }

  /// Where a closure runs.
  enum Place: Sendable {
    case inPlace, main, background, pool
    /// The queue in an operand.
    case queue(Operand)
    /// The queue that is called, while the caller waits.
    case queueOfSync
    /// The same, or where it runs when no queue is given.
    case queueOr(Operand, otherwise: Executor)
    /// The queue that an observer asks for, or else where the notification is posted.
    case posting
    /// The context in an operand.
    case owner(Operand)
    /// The context that the closure is given first.
    case given
    /// The actor around the call, or the pool.
    case task
    /// The queue that a framework's object was made with, or else.
    case heldQueue(otherwise: Executor)
    /// The queue that a publisher's values have been moved to.
    case movedQueue
    /// In place, before what waits for the continuation goes on.
    case continuation
    case unknown
  }

  struct Closure: Sendable {
    let operand: Operand
    let place: Place
    /// What the closure is given, in order.
    var given: [Result] = []
    /// Whether it runs in a write transaction of its own.
    var opensTransaction = false
    /// Whether it runs after a wait that leaves other code time.
    var isDelayed = false
    /// Whether the caller's thread stands still until it has run, wherever that is.
    var isWaitedFor = false
  }

  /// An object whose methods of some names the framework calls.
  struct Delegate: Sendable {
    let operand: Operand
    let methods: Set<Name>
    let place: Place
  }

  /// What is put where others get it out.
  struct Flow: Sendable {
    let value: Operand
    let into: Operand
    /// Which of the receiver's cells: what it sends, or who waits for it.
    var cell: Name = "values"
  }

  /// What a method of a context does to deletions that aren't saved, or to all objects.
  enum Lifetime: Sendable { case save, rollback, reset }

  /// Whether it begins a write transaction of a realm.
  var beginsTransaction: Bool {
    closures.contains(where: \.opensTransaction) || Frameworks.transactionBegins.contains(name)
  }
  /// Whether it is a method that can stand for a function.
  var isMethod: Bool { deletes != nil || inserts != nil }

  let type: Name
  let name: Name
  var isStatic = false
  var result = Result.plain
  var closures: [Closure] = []
  var flows: [Flow] = []
  var delegates: [Delegate] = []
  /// The contexts and objects that have to be on their queue for this.
  var uses: [Operand] = []
  /// The new object that belongs to the receiver from here on.
  var inserts: Operand?
  /// The object that the receiver deletes.
  var deletes: Operand?
  /// The context, or the object of one, that has something to save after this.
  var changes: Operand?
  /// The contexts that are told of changes from elsewhere.
  var merges: Operand?
  /// What becomes of the objects that were deleted before.
  var lifetime: Lifetime?
  var isWrite = false
  /// What the caller's thread waits for: work of a queue, or a signal.
  var waits: Operand?
  /// What it lets go on that waits for a signal.
  var signals: Operand?
}

/// All rows, by the type and the name.
struct APITable: Sendable {
  private struct Key: Hashable {
    let type: Name
    let name: Name
    let isStatic: Bool
  }

  private var rows: [Key: API] = [:]
  /// The types that have rows, with those that they inherit rows from.
  private let types: Set<Name>
  private let supertypes: [Name: [Name]]
  /// The methods of others that frameworks call, by the types that are told of these.
  let delegates: [(type: Name, methods: Set<Name>)]

  static let all = APITable()

  private init() {
    supertypes = Frameworks.supertypes
    var types: Set<Name> = []
    var delegates: [(type: Name, methods: Set<Name>)] = []
    for row in API.coreData + API.swiftData + API.realm + API.concurrency + API.handlers
      + API.collections + API.publishers + API.databases + API.enumerations
    {
      rows[Key(type: row.type, name: row.name, isStatic: row.isStatic)] = row
      types.insert(row.type)
      delegates += row.delegates.map { (row.type, $0.methods) }
    }
    self.types = types
    self.delegates = delegates
  }

  /// Whether there is a row for a type's members.
  func knows(_ type: Name) -> Bool { types.contains(type) || supertypes[type] != nil }

  /// The row of a member of a type or one that it inherits from.
  func row(_ name: Name, of type: Name, isStatic: Bool = false) -> API? {
    if let row = rows[Key(type: type, name: name, isStatic: isStatic)] { return row }
    for parent in supertypes[type] ?? [] {
      if let row = row(name, of: parent, isStatic: isStatic) { return row }
    }
    return nil
  }
}

extension APITable {
  /// The row of a member of a value, by its written type.
  func row(_ name: Name, of type: SwiftType) -> API? {
    switch type {
    case .external(let external, _): row(name, of: external)
    case .metatype(.external(let external, _)): row(name, of: external, isStatic: true)
    case .array, .set: row(name, of: "Array")
    case .dictionary: row(name, of: "Dictionary")
    case .optional(let inner): row(name, of: inner)
    default: nil
    }
  }
}

extension API.Place {
  /// Whether the code around a closure goes on only when that has run.
  var isWaitedFor: Bool {
    switch self {
    case .inPlace, .owner, .given, .continuation: true
    default: false
    }
  }
}
