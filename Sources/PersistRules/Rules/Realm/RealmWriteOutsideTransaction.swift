import PersistFlow
import PersistIndex
import PersistSyntax

/// An object of a realm that is changed without a write, or a write inside a write: the app
/// crashes.
struct RealmWriteOutsideTransaction: Rule {
  static let id: RuleID = "realm-write-outside-transaction"
  static let readsFacts = true

  func check(_ program: Program, into findings: inout Findings) {
    guard program.usesRealm else { return }
    for group in changesOutside(program) {
      let first = group.changes[0]
      let caller = program.enclosingFunction(first.place)
      let calls = group.way.filter { program.enclosingFunction($0) != caller }
      findings.report(
        .changesOutside(first.text), at: first.place,
        related: group.changes.dropFirst().prefix(8).map { .init($0.place, "and here") }
          + calls.prefix(8).map { .init($0, "no write is open here") })
    }
    for nested in program.nestedWrites {
      findings.report(
        .writesInside, at: nested.place,
        related: [.init(nested.outer, "this write is already open")])
    }
    let told = Set(
      changesOutside(program).flatMap { $0.changes.map(\.place) + $0.way }
        .compactMap(program.enclosingBody))
    reportOutside(program, except: told, &findings)
  }

  /// Reports changes on ways that only the facts know, one finding a body.
  private func reportOutside(
    _ program: Program, except told: Set<Ref>, _ findings: inout Findings
  ) {
    var told = told
    for use in program.facts.uses {
      guard let wrong = use.outsideTransaction else { continue }
      let bodies = ([use.node] + use.steps).compactMap(program.enclosingBody)
      guard told.isDisjoint(with: bodies) else { continue }
      told.formUnion(bodies)
      let opened = wrong.owner.site.map { [Findings.Related($0, "the realm is opened here")] }
      findings.report(
        .changesOutside(program.text(use.node)), at: use.node, severity: .warning,
        related: (opened ?? []) + use.steps.prefix(6).map { .init($0, "no write is open here") })
    }
  }
}

extension RealmWriteOutsideTransaction {
  /// The changes of one body that are reached without a write, and the calls on the way to the first.
  private struct Group {
    var changes: [RealmChange]
    let way: [Ref]
  }

  private func changesOutside(_ program: Program) -> [Group] {
    var groups: [Group] = []
    var places: [Ref: Int] = [:]
    for change in program.realmChanges where change.origin != .unknown {
      var search = OpenWay(program)
      guard let way = search.way(to: change.place, change.origin, depth: 0) else { continue }
      let body = program.enclosingBody(change.place) ?? change.place
      if let index = places[body] {
        groups[index].changes.append(change)
      } else {
        places[body] = groups.count
        groups.append(Group(changes: [change], way: way))
      }
    }
    return groups
  }
}

/// Looks for a way to a change on which no write is open and the object comes out of a realm.
private struct OpenWay {
  private let program: Program
  private var seen: Set<Ref> = []

  init(_ program: Program) { self.program = program }

  /// The places by which a change is surely reached without a write, the nearest first; nil if there
  /// are none.
  mutating func way(to place: Ref, _ origin: RealmOrigin, depth: Int) -> [Ref]? {
    guard origin != .unknown, program.isWithin(depth, .writeCallers), seen.insert(place).inserted
    else { return nil }
    switch program.realmTurn(at: place) {
    case .write: return nil
    case .ownTurn: return origin == .managed || isHandedManaged(origin) ? [place] : nil
    case .function(let id):
      let callers = program.callers(of: id)
      if callers.isEmpty {
        return origin == .managed && !program.mayBeCalledUnseen(id) ? [place] : nil
      }
      for call in callers where !program.isExempt(call) {
        guard let next = origin == .managed ? origin : given(origin, to: id, by: call) else {
          continue
        }
        if let found = way(to: call, next, depth: depth + 1) { return [place] + found }
      }
      return nil
    }
  }

  /// Where the value comes from that a call hands over for a parameter.
  private func given(_ origin: RealmOrigin, to id: FunctionID, by call: Ref) -> RealmOrigin? {
    guard case .parameter(let parameter) = origin, let list = program.parent(parameter),
      let index = program.children(list, .parameter).firstIndex(of: parameter),
      let value = program.argument(of: call, for: index, of: program.functions[id])
    else { return nil }
    return program.realmOrigin(of: value)
  }

  private func isHandedManaged(_ origin: RealmOrigin) -> Bool {
    guard case .parameter(let parameter) = origin, let list = program.parent(parameter),
      let owner = program.parent(list), let id = program.function(declaredAt: owner)
    else { return false }
    return program.callers(of: id).contains { call in
      !program.isExempt(call) && given(origin, to: id, by: call) == .managed
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
