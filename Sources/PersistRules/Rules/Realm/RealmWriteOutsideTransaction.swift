import PersistFlow
import PersistIndex

/// An object of a realm that is changed without a write, a frozen one that is changed at all, or a
/// write inside a write: the app crashes.
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
      let what =
        (program.valueText(before: use.node).map { $0 + "." } ?? "") + program.nameText(use.node)
      if wrong.owner.home == .frozen {
        findings.report(
          .changesFrozen(what, isRealm: use.kind == .context), at: use.node,
          related: wrong.owner.site.map { [.init($0, "the frozen copy is made here")] } ?? [])
        continue
      }
      let opened = wrong.owner.site.map { [Findings.Related($0, "the realm is opened here")] }
      findings.report(
        .changesOutside(what), at: use.node,
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
      guard let closure = lastClosure(handedTo: outer) else { return [NestedWrite]() }
      let calls = callsRun(onTurnOf: closure) { inner in
        self.callTaking(inner).map { self.isRealmWrite($0.call) } ?? false
      }
      return calls.compactMap { call in
        if ["write", "beginWrite"].contains(calledName(call)) {
          guard isRealmWrite(call), receiverPath(ofCall: call) == receiverPath(ofCall: outer),
            !asksForWrite(enclosingFunction(call))
          else { return nil }
          return calledNode(call).map { NestedWrite(place: $0, outer: outer) }
        }
        guard beginsAnother(call, outer) else { return nil }
        return calledNode(call).map { NestedWrite(place: $0, outer: outer) }
      }
    }
  }

  private func isRealmWrite(_ call: Ref) -> Bool {
    guard case .externalMethod(let receiver, _) = callTarget(call) else { return false }
    return receiver.isExternal("Realm")
  }

  private func asksForWrite(_ id: FunctionID?) -> Bool {
    guard let body = id.flatMap({ body(of: $0) }) else { return false }
    return names("isInWriteTransaction", in: body)
  }

  /// Whether a function that a call runs in any case writes to the realm of an open write.
  private func beginsAnother(_ call: Ref, _ outer: Ref) -> Bool {
    let called = functions(calledBy: call)
    guard called.count == 1, let id = called.first, !functions[id].isAsync, !asksForWrite(id),
      let body = body(of: id)
    else { return false }
    return callsRunWhenever(in: body).contains { inner in
      guard ["write", "beginWrite"].contains(calledName(inner)), isRealmWrite(inner) else {
        return false
      }
      return isOneRealm(inner, of: id, call, outer)
    }
  }

  /// Whether the realm of a write in a function is the one of the write around its call.
  private func isOneRealm(_ inner: Ref, of id: FunctionID, _ call: Ref, _ outer: Ref) -> Bool {
    guard let head = callee(inner).first else { return false }
    if let parameter = parameter(meantBy: head) {
      let value = argument(of: call, for: parameter.index, of: functions[id])
      return value.flatMap { path(of: $0) } == receiverPath(ofCall: outer)
    }
    guard !isOfInstance(head) else {
      let called = callee(call)
      return functions[id].owner == enclosingType(call)
        && (called.count == 1 || called.first.map { name($0) } == "self")
        && receiverPath(ofCall: inner) == receiverPath(ofCall: outer)
        && callee(outer).first.map { isOfInstance($0) } ?? false
    }
    return opensDefault(head) && callee(outer).first.map { opensDefault($0) } ?? false
  }

  /// Whether a name stands for `Realm()`, of which a thread has one alone.
  private func opensDefault(_ name: Ref) -> Bool {
    guard let call = initialValue(ofLocalNamed: name).flatMap({ onlyCall(of: $0) }) else {
      return false
    }
    return calledName(call) == "Realm" && callee(call).count == 1 && arguments(call).isEmpty
  }
}

extension Finding.Message {
  fileprivate static func changesOutside(_ what: String) -> Self {
    """
    the app crashes here (Cannot modify managed objects outside of a write transaction), because \
    `\(what)` changes a realm and no write is open; make the change inside `realm.write { }`
    """
  }

  fileprivate static func changesFrozen(_ what: String, isRealm: Bool) -> Self {
    isRealm
      ? """
      the app crashes here (Can't perform transactions on a frozen Realm), because `\(what)` writes \
      to the realm of a frozen copy; call `thaw()` on the copy and use the realm of the result
      """
      : """
      the app crashes here (Attempting to modify a frozen object), because `\(what)` changes a \
      frozen copy; call `thaw()` on the copy and change the result
      """
  }

  fileprivate static let writesInside: Self = """
    the app crashes here (The Realm is already in a write transaction), because this write starts \
    inside another one of the same realm; use one write, or check `isInWriteTransaction` first
    """
}
