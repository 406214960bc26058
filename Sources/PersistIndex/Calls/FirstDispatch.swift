import PersistSyntax

/// Whether the sources call Dispatch as only Swift before 3 did.
private struct UsesFirstDispatch: Query {
  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool {
    !program.files(usingAny: FirstDispatch.queues).isEmpty
  }
}

/// The functions by which Swift before 3 called Dispatch.
enum FirstDispatch {
  static let main: Name = "dispatch_get_main_queue"
  static let global: Name = "dispatch_get_global_queue"
  static let created: Name = "dispatch_queue_create"
  static let queues: Set<Name> = [main, global]
  static let calls: Set<Name> = ["dispatch_async", "dispatch_after", "dispatch_barrier_async"]
}

extension Program {
  /// Whether the sources are written in Swift 2 or older.
  var usesFirstDispatch: Bool { answer(UsesFirstDispatch()) }

  /// The kind of queue to which `dispatch_async` and its like hand a closure; nil for other calls
  /// and for a queue that the sources don't tell.
  func firstDispatchExecutor(_ call: Ref) -> ClosureExecutor? {
    guard usesFirstDispatch, FirstDispatch.calls.contains(calledName(call)),
      let queue = arguments(call).first(where: { argument in
        calledName(call) != "dispatch_after" || argument != arguments(call).first
      }), let value = child(queue, .expression), let chain = child(value, .chain)
    else { return nil }
    if let kind = firstDispatchQueue(chain) { return kind }
    guard let last = children(chain).last(where: { [.name, .member].contains(kind($0)) }),
      let made = declaredValue(last)
    else { return nil }
    return firstDispatchQueue(kind(made) == .chain ? made : child(made, .chain) ?? made)
  }

  private func firstDispatchQueue(_ chain: Ref) -> ClosureExecutor? {
    guard let head = children(chain).first, children(chain).count == 2 else { return nil }
    switch name(head) {
    case FirstDispatch.main: return .main
    case FirstDispatch.global: return .detached(.globalQueue)
    case FirstDispatch.created: return .detached(.privateQueue)
    default: return nil
    }
  }
}
