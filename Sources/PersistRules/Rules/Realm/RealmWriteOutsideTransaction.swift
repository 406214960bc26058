import PersistFlow
import PersistIndex
import PersistSyntax

/// An object of a realm that is changed without a write, or a write inside a write: the app
/// crashes.
struct RealmWriteOutsideTransaction: Rule {
  static let id: RuleID = "realm-write-outside-transaction"
  static let analysis = Analysis.owners

  func check(_ program: Program, into findings: inout Findings) {
    guard program.usesRealm else { return }
    for nested in program.nestedWrites {
      findings.report(
        .writesInside, at: nested.place,
        related: [.init(nested.outer, "this write is already open")])
    }
    reportOutside(program, &findings)
  }

  /// Reports the changes that some way comes to without a write, one finding a body.
  private func reportOutside(_ program: Program, _ findings: inout Findings) {
    var told: Set<Ref> = []
    for use in program.facts.uses {
      guard let wrong = use.outsideTransaction else { continue }
      let bodies = ([use.node] + use.steps).compactMap(program.enclosingBody)
      guard told.isDisjoint(with: bodies) else { continue }
      told.formUnion(bodies)
      let opened = wrong.owner.site.map { [Findings.Related($0, "the realm is opened here")] }
      findings.report(
        .changesOutside(
          (program.valueText(before: use.node).map { $0 + "." } ?? "") + program.nameText(use.node)),
        at: use.node,
        related: (opened ?? []) + use.steps.prefix(6).map { .init($0, "no write is open here") })
    }
  }
}

// MARK: - Writes inside of writes

/// A write that begins while another one of the same realm is open.
private struct NestedWrite {
  let place: Ref
  let outer: Ref
}

extension Program {
  fileprivate var nestedWrites: [NestedWrite] {
    calls(named: "write").filter { isRealmWrite($0) && !isExempt($0) }.flatMap { outer in
      guard let closure = arguments(outer).lazy.compactMap({ self.closure(of: $0) }).last else {
        return [NestedWrite]()
      }
      return descendants(closure, .call).compactMap { call in
        guard isAtOnce(call, in: closure) else { return nil }
        if ["write", "beginWrite"].contains(calledName(call)) {
          guard isRealmWrite(call), realm(of: call) == realm(of: outer),
            !asksForWrite(enclosingFunction(call))
          else { return nil }
          return calledNode(call).map { NestedWrite(place: $0, outer: outer) }
        }
        guard beginsAnother(call, outer) else { return nil }
        return calledNode(call).map { NestedWrite(place: $0, outer: outer) }
      }
    }
  }

  private func closure(of argument: Ref) -> Ref? {
    kind(argument) == .closure
      ? argument : descendants(argument, .closure).first { callTaking($0) != nil }
  }

  private func isRealmWrite(_ call: Ref) -> Bool {
    guard case .externalMethod(let receiver, _) = callTarget(call) else { return false }
    return receiver.isExternal("Realm")
  }

  /// Whether a call in a closure runs on the closure's turn.
  private func isAtOnce(_ call: Ref, in closure: Ref) -> Bool {
    for scope in ancestors(call) {
      if scope == closure { return true }
      switch kind(scope) {
      case .closure:
        let isWrite = callTaking(scope).map { isRealmWrite($0.call) } ?? false
        guard isWrite || time(of: scope) == .atOnce else { return false }
      case .functionDecl: return false
      default: break
      }
    }
    return false
  }

  /// The realm of a call, as it is written.
  private func realm(of call: Ref) -> [Name] {
    guard let called = calledNode(call) else { return [] }
    return tokens(ofPath: callee(call).filter { $0 < called })
  }

  private func asksForWrite(_ id: FunctionID?) -> Bool {
    guard let body = id.flatMap({ body(of: $0) }) else { return false }
    return descendants(body, .member).contains { name($0) == "isInWriteTransaction" }
  }

  /// Whether a function that a call runs in any case writes to the realm of an open write.
  private func beginsAnother(_ call: Ref, _ outer: Ref) -> Bool {
    let called = functions(calledBy: call)
    guard called.count == 1, let id = called.first, !functions[id].isAsync, !asksForWrite(id),
      let body = body(of: id)
    else { return false }
    return descendants(body, .call).contains { inner in
      guard ["write", "beginWrite"].contains(calledName(inner)), isRealmWrite(inner),
        runsWhenever(inner, in: body)
      else { return false }
      return isOneRealm(inner, of: id, call, outer)
    }
  }

  /// Whether the realm of a write in a function is the one of the write around its call.
  private func isOneRealm(_ inner: Ref, of id: FunctionID, _ call: Ref, _ outer: Ref) -> Bool {
    guard let head = callee(inner).first, kind(head) == .name else { return false }
    switch declared(head) {
    case .local(let local) where kind(local) == .parameter:
      guard let list = parent(local),
        let index = children(list, .parameter).firstIndex(of: local),
        let value = argument(of: call, for: index, of: functions[id])
      else { return false }
      guard let chain = descendants(value, .chain).first else { return false }
      return tokens(ofPath: children(chain)) == realm(of: outer)
    case .property, .selfValue:
      let called = callee(call)
      return functions[id].owner == enclosingType(call)
        && (called.count == 1 || called.first.map { name($0) } == "self")
        && realm(of: inner) == realm(of: outer)
        && callee(outer).first.map { isMember($0) } ?? false
    case .local(let local):
      guard let first = callee(outer).first, kind(first) == .name,
        case .local(let other)? = declared(first)
      else { return false }
      return opensDefault(local) && opensDefault(other)
    default: return false
    }
  }

  private func isMember(_ head: Ref) -> Bool {
    switch declared(head) {
    case .property, .selfValue: true
    default: false
    }
  }

  /// Whether a local is `Realm()`, of which a thread has one alone.
  private func opensDefault(_ local: Ref) -> Bool {
    guard kind(local) == .boundName, let binding = parent(local),
      let value = child(binding, .expression), let chain = child(value, .chain)
    else { return false }
    let parts = children(chain)
    return parts.count == 2 && nameText(parts[0]) == "Realm" && kind(parts[1]) == .call
      && arguments(parts[1]).isEmpty
  }
}

extension Finding.Message {
  fileprivate static func changesOutside(_ what: String) -> Self {
    """
    the app crashes here (Cannot modify managed objects outside of a write transaction), because \
    `\(what)` changes a realm and no write is open; make the change inside `realm.write { }`
    """
  }

  fileprivate static let writesInside: Self = """
    the app crashes here (The Realm is already in a write transaction), because this write starts \
    inside another one of the same realm; use one write, or check `isInWriteTransaction` first
    """
}
