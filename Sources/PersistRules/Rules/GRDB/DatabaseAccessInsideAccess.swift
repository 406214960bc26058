import PersistFlow
import PersistIndex
import PersistSyntax

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
          let closure = arguments(outer).lazy.compactMap({ self.closure(of: $0, in: outer) }).last
        else { continue }
        for call in descendants(closure, .call) where isAtOnce(call, in: closure) {
          guard begins(call, database, inside: outer), let place = calledNode(call) else {
            continue
          }
          let method = calledNode(outer) ?? outer
          let path = callee(outer).filter { $0 < method }
          found.append(
            NestedAccess(place: place, outer: method, database: pathText(path[...])))
        }
      }
    }
    return found.sorted { $0.place < $1.place }
  }

  private func closure(of argument: Ref, in call: Ref) -> Ref? {
    kind(argument) == .closure
      ? argument : descendants(argument, .closure).first { callTaking($0)?.call == call }
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
    return tokens(ofPath: callee(call).filter { $0 < called })
  }

  /// Whether a call begins an access, or runs a method of the same type that surely does, of which
  /// the database says no inside of another.
  private func begins(_ call: Ref, _ database: [Name], inside outer: Ref) -> Bool {
    if let own = accessed(by: call) {
      return own == database && head(of: call) == head(of: outer) && excludes(outer, call)
    }
    guard let outerHead = callee(outer).first, isMember(outerHead) else { return false }
    let called = functions(calledBy: call)
    guard called.count == 1, let id = called.first, !functions[id].isAsync,
      functions[id].owner == enclosingType(outer), isOnSelf(call), let body = body(of: id)
    else { return false }
    return descendants(body, .call).contains { inner in
      accessed(by: inner) == database && callee(inner).first.map { isMember($0) } ?? false
        && runsWhenever(inner, in: body) && excludes(outer, inner)
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

  private func isMember(_ head: Ref) -> Bool {
    switch declared(head) {
    case .property, .selfValue: true
    default: false
    }
  }

  private func isOnSelf(_ call: Ref) -> Bool {
    let parts = callee(call)
    return parts.count == 1 || parts.count == 2 && nameText(parts[0]) == "self"
  }

  /// Whether a call in a closure runs before the closure is over.
  private func isAtOnce(_ call: Ref, in closure: Ref) -> Bool {
    for scope in ancestors(call) {
      if scope == closure { return true }
      switch kind(scope) {
      case .closure: guard time(of: scope) == .atOnce else { return false }
      case .functionDecl: return false
      default: break
      }
    }
    return false
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
