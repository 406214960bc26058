import PersistSyntax

/// Whose queue runs a place.
package enum PlaceQueue: Hashable, Sendable {
  /// That of a context, inside `perform`.
  case context
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
