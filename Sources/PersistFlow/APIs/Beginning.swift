import PersistIndex
import PersistSyntax

/// How code is begun that leaves the code around it, as messages name it.
package enum Beginning: Sendable {
  case task, concurrentTask, detachedTask, childTask, asyncLet, globalQueue, operation
}

extension Program {
  /// How a closure, or the value of an `async let`, is begun; nil where only its place is known.
  package func beginning(of body: Ref) -> Beginning? {
    guard kind(body) == .closure else { return kind(body) == .expression ? .asyncLet : nil }
    guard let (call, _) = callTaking(body), let row = row(of: call) else { return nil }
    switch row.closures.first?.place {
    case .task: return isConcurrent(body) ? .concurrentTask : .task
    case .pool: return row.isStatic ? .detachedTask : .childTask
    case .background: return row.type == Frameworks.operationQueue ? .operation : nil
    case .queue:
      return callee(call).contains { name($0) == Frameworks.globalQueue } ? .globalQueue : nil
    default: return nil
    }
  }
}
