import PersistFlow
import PersistIndex

/// A GRDB access that starts while another access of the same database is open.
struct DatabaseAccessInsideAccess: Rule {
  static let id: RuleID = "database-access-inside-access"

  func check(_ program: Program, into findings: inout Findings) {
    guard program.usesGRDB else { return }
    for nested in program.nestedAccesses {
      findings.report(
        .isNotReentrant(program.nameText(nested.place), nested.database), at: nested.place,
        related: [.init(nested.outer, "this access is already open")])
    }
  }
}

/// An access that begins inside another one.
private struct NestedAccess {
  /// The called name: the access, or the method that makes it.
  let place: Ref
  let outer: Ref
  let database: String
}

extension Program {
  private static let writes: Set<Name> = [
    "write", "writeWithoutTransaction", "barrierWriteWithoutTransaction", "inDatabase",
    "inTransaction", "writeInTransaction",
  ]

  fileprivate var nestedAccesses: [NestedAccess] {
    var found: [NestedAccess] = []
    for name in Self.writes.union(["read"]).sorted(by: { $0.hash < $1.hash }) {
      for outer in calls(named: name) where !isExempt(outer) {
        guard let database = accessed(by: outer),
          let closure = lastClosure(handedTo: outer)
        else { continue }
        for call in callsRun(onTurnOf: closure) {
          guard begins(call, database, inside: outer), let place = calledNode(call) else {
            continue
          }
          let method = calledNode(outer) ?? outer
          found.append(
            NestedAccess(place: place, outer: method, database: receiverText(ofCall: outer)))
        }
      }
    }
    return found.sorted { $0.place < $1.place }
  }

  /// The database of an access as it is written; nil for other calls.
  private func accessed(by call: Ref) -> [Name]? {
    guard case .externalMethod(let receiver, _) = callTarget(call),
      ["DatabaseQueue", "DatabasePool", "DatabaseWriter"].contains(where: {
        receiver.unwrapped.isExternal($0)
      }), let called = calledNode(call), let head = callee(call).first, head != called
    else { return nil }
    switch declared(head) {
    case .property, .selfValue, .local: break
    default: return nil
    }
    return receiverPath(ofCall: call)
  }

  /// Whether a call begins an access, or runs a method of the same type that surely does, of which
  /// the database says no inside of another.
  private func begins(_ call: Ref, _ database: [Name], inside outer: Ref) -> Bool {
    if let own = accessed(by: call) {
      return own == database && head(of: call) == head(of: outer) && excludes(outer, call)
    }
    guard let outerHead = callee(outer).first, isOfInstance(outerHead) else { return false }
    let called = functions(calledBy: call)
    guard called.count == 1, let id = called.first, !functions[id].isAsync,
      functions[id].owner == enclosingType(outer), isOnSelf(call), let body = body(of: id)
    else { return false }
    return callsRunWhenever(in: body).contains { inner in
      accessed(by: inner) == database && callee(inner).first.map { isOfInstance($0) } ?? false
        && excludes(outer, inner)
    }
  }

  private func head(of call: Ref) -> Declared? {
    callee(call).first { nameText($0) != "self" }.flatMap { first in
      property(usedBy: first).map { .property($0) } ?? declared(first)
    }
  }

  /// Whether an access keeps another one out: a queue keeps out all, a pool only writes.
  private func excludes(_ outer: Ref, _ inner: Ref) -> Bool {
    if case .externalMethod(let receiver, _) = callTarget(outer),
      receiver.unwrapped.isExternal("DatabaseQueue")
    {
      return true
    }
    return Self.writes.contains(calledName(outer)) && Self.writes.contains(calledName(inner))
  }

  private func isOnSelf(_ call: Ref) -> Bool {
    let parts = callee(call)
    return parts.count == 1 || parts.count == 2 && nameText(parts[0]) == "self"
  }
}

extension Finding.Message {
  fileprivate static func isNotReentrant(_ method: String, _ database: String) -> Self {
    """
    the app crashes here (Database methods are not reentrant), because `\(method)` starts an \
    access while another access of `\(database)` is open; use the `Database` of the open access, \
    and pass it on
    """
  }
}
