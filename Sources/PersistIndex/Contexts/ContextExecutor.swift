import PersistSyntax

/// The context to which a context itself belongs, or an object that it made or fetched.
package enum ContextExecutor: Hashable, Sendable {
  /// A context of the main queue.
  case main
  /// A context with a queue of its own, made anew each time this node runs.
  case made(Ref)
  /// A context with a queue of its own that this property keeps.
  case kept(Ref)
  /// That of what a function's parameter holds.
  case parameter(Ref)
  /// That of `self`, in a method of a context or of a managed object.
  case receiver
  /// That of what the closure which a function's parameter holds returns.
  case returned(Ref)

  /// Whether it is known to have a queue of its own.
  package var isPrivate: Bool {
    switch self {
    case .made, .kept: true
    default: false
    }
  }
}

/// The executors that a value can have.
package struct ContextExecutors: Hashable, Sendable {
  package private(set) var known: Set<ContextExecutor> = []
  /// Whether it can have others, which the sources don't tell.
  package private(set) var isOpen = false

  /// No value, as of `nil`.
  package static let none = ContextExecutors()
  /// An executor that the sources don't tell.
  package static let unknown = ContextExecutors(isOpen: true)

  private init(isOpen: Bool = false) { self.isOpen = isOpen }

  init(_ executor: ContextExecutor) { known = [executor] }

  /// The executor, where there can be only one.
  package var only: ContextExecutor? { isOpen || known.count != 1 ? nil : known.first }

  /// Whether each executor is known to have a queue of its own.
  package var arePrivate: Bool { !isOpen && !known.isEmpty && known.allSatisfy(\.isPrivate) }

  /// Whether each is that of the main queue.
  package var isMain: Bool { only == .main }

  mutating func formUnion(_ other: ContextExecutors) {
    known.formUnion(other.known)
    isOpen = isOpen || other.isOpen
  }

  func union(_ other: ContextExecutors) -> ContextExecutors {
    var both = self
    both.formUnion(other)
    return both
  }

  /// Each executor replaced by others.
  func flatMap(_ replace: (ContextExecutor) -> ContextExecutors) -> ContextExecutors {
    var found = ContextExecutors(isOpen: isOpen)
    for executor in known { found.formUnion(replace(executor)) }
    return found
  }

  /// The executors that a condition prefers, where one does: what is given goes before what stands
  /// in.
  func preferring(_ isPreferred: (ContextExecutor) -> Bool) -> ContextExecutors {
    guard !isOpen, known.count > 1 else { return self }
    let preferred = known.filter(isPreferred)
    guard !preferred.isEmpty else { return self }
    var found = self
    found.known = preferred
    return found
  }

  /// The same without contexts that are made where another is kept: a getter that makes what it
  /// lacks, and keeps it.
  var cached: ContextExecutors {
    let kept = known.filter { if case .kept = $0 { true } else { false } }
    guard !kept.isEmpty else { return self }
    var found = self
    found.known = known.filter { if case .made = $0 { false } else { true } }
    return found
  }
}

/// Whose queue runs a place.
package enum PlaceQueue: Hashable, Sendable {
  /// That of a context, inside `perform`.
  case context(ContextExecutors)
  case main
  /// Neither the main queue nor a context's.
  case elsewhere
  /// No context's own queue; perhaps the main queue.
  case apart
  /// Wherever the function or getter that this node declares is called.
  case callers(Ref)
  /// Where the code around runs.
  case here
  case unknown

  /// Its place in an order of queues.
  var rank: Int {
    switch self {
    case .here: 0
    case .main: 1
    case .elsewhere: 2
    case .apart: 3
    case .callers: 4
    case .context: 5
    case .unknown: 6
    }
  }

  /// The function or getter whose callers it is about.
  var body: Ref? {
    if case .callers(let body) = self { return body }
    return nil
  }
}

// MARK: - Queries

/// The executors of what a `boundName`, `parameter` or `capture` holds.
struct ExecutorsOfLocal: Query {
  let local: Ref

  static var provisional: ContextExecutors { .none }
  func answer(in program: Program) -> ContextExecutors { program.findExecutors(ofLocal: local) }
}

/// The executors of what a property holds or gives.
struct ExecutorsOfProperty: Query {
  let property: PropertyID

  static var provisional: ContextExecutors { .none }
  func answer(in program: Program) -> ContextExecutors {
    program.findExecutors(ofProperty: property)
  }
}

/// The executors of what all callers give to a parameter.
struct ExecutorsOfParameter: Query {
  let parameter: Ref

  static var provisional: ContextExecutors { .none }
  func answer(in program: Program) -> ContextExecutors {
    program.findExecutors(ofParameter: parameter)
  }
}

/// The executors of what a function, accessor or closure returns.
struct ExecutorsOfResult: Query {
  let body: Ref

  static var provisional: ContextExecutors { .none }
  func answer(in program: Program) -> ContextExecutors { program.findExecutors(returnedBy: body) }
}

/// The executors of what a function gives to the closure that a parameter holds.
struct ExecutorsGiven: Query {
  let parameter: Ref
  let index: Int
  let function: FunctionID

  static var provisional: ContextExecutors { .none }
  func answer(in program: Program) -> ContextExecutors {
    program.findExecutors(givenTo: parameter, at: index, by: function)
  }
}

/// Whose queue runs a closure.
struct QueueOfClosure: Query {
  let closure: Ref

  static var provisional: PlaceQueue { .unknown }
  func answer(in program: Program) -> PlaceQueue { program.findQueue(ofClosure: closure) }
}

/// Whose queue runs the closure that a parameter holds.
struct QueueOfParameter: Query {
  let parameter: Ref
  let function: FunctionID

  static var provisional: PlaceQueue { .unknown }
  func answer(in program: Program) -> PlaceQueue {
    program.findQueue(ofParameter: parameter, of: function)
  }
}
