import PersistIndex
import PersistSyntax

/// What runs the code at a place, as far as writes of realms go.
enum RealmTurn {
  /// A write is open, or may be.
  case write
  /// The callers of a function.
  case function(FunctionID)
  /// A queue, a timer or a task, on a turn of its own.
  case ownTurn
}

// MARK: - Whether a write is open at a place

extension Program {
  /// What runs the code at a place.
  func realmTurn(at place: Ref) -> RealmTurn {
    var inner = place
    while let body = enclosingBody(inner) {
      if beginsWrite(body) { return .write }
      switch kind(body) {
      case .closure:
        guard let (call, label) = callTaking(body) else { return .write }
        if mayOpenWrite(call, label, for: body) { return .write }
        let time = time(of: body)
        if time == .later || time == .muchLater { return .ownTurn }
      case .functionDecl:
        return function(declaredAt: body).map { .function($0) } ?? .write
      default: return .write
      }
      inner = body
    }
    return .write
  }

  /// Whether a body begins a write by hand, or asks whether one is open.
  private func beginsWrite(_ body: Ref) -> Bool { answer(BeginsWrite(body: body)) }

  fileprivate func findWriteBegun(in body: Ref) -> Bool {
    descendants(body, .member).contains { member in
      ["beginWrite", "isInWriteTransaction", "beginWriteTransaction", "inWriteTransaction"]
        .contains(name(member)) && enclosingBody(member) == body
    }
  }

  /// Whether the call that takes a closure may open a write for it.
  private func mayOpenWrite(_ call: Ref, _ label: Name, for closure: Ref) -> Bool {
    let called = calledName(call)
    if ["migrationBlock", "shouldCompactOnLaunch"].contains(label) { return true }
    if called == "enumerateObjects" || called == "Configuration" { return true }
    if namesWrite(call) { return true }
    switch callTarget(call) {
    case .functions(let ids), .initializer(_, let ids):
      return ids.contains { mayWrite($0, around: closure, in: call, depth: 0) }
    case .unknownMethod, .unknown, .closure:
      return functions(named: called).contains { id in
        functions[id].body != nil && writes(in: id)
      }
    default: return false
    }
  }

  private static let writeWords: Set<String> = [
    "transaction", "transactions", "write", "writes", "writing",
  ]

  /// Whether the name of what a call calls has a word for a write.
  private func namesWrite(_ call: Ref) -> Bool {
    guard let called = calledNode(call) else { return false }
    return nameText(called).camelWords.contains { Self.writeWords.contains($0) }
  }

  /// Whether a function writes anywhere.
  private func writes(in id: FunctionID) -> Bool {
    body(of: id).map { descendants($0, .call).contains { namesWrite($0) } } ?? false
  }

  /// Whether a function may run a closure that it is given inside of a write.
  private func mayWrite(
    _ id: FunctionID, around argument: Ref, in call: Ref, depth: Int
  ) -> Bool {
    let bodies = functions(calledBy: call).filter { functions[$0].body != nil }
    let id = functions[id].body == nil ? bodies.first ?? id : id
    guard let parameter = parameter(of: functions[id], taking: argument, in: call),
      let body = body(of: id)
    else { return functions[id].body != nil && writes(in: id) }
    let local = Ref(file: Int(functions[id].ref.file), node: parameter.node)
    if beginsWrite(functions[id].ref) { return true }
    return uses(ofLocal: local).contains { use in
      let scopes = ancestors(use).prefix { $0 != body }
      if scopes.contains(where: { kind($0) == .call && namesWrite($0) }) { return true }
      guard let chain = parent(use), children(chain) == [use],
        let expression = parent(chain), let given = parent(expression), kind(given) == .argument,
        let next = parent(given), kind(next) == .call, isWithin(depth, .closureCalls)
      else { return false }
      switch callTarget(next) {
      case .functions(let ids), .initializer(_, let ids):
        return ids.contains { $0 != id && mayWrite($0, around: given, in: next, depth: depth + 1) }
      default: return false
      }
    }
  }

  // MARK: Functions that somebody calls unseen

  /// Whether code that can't be resolved may call a function, or hands it on as a value.
  func mayBeCalledUnseen(_ id: FunctionID) -> Bool {
    let function = functions[id]
    if !function.modifiers.isDisjoint(with: ["public", "open", "override"]) { return true }
    return uses(of: [function.name]).contains { use in
      guard mayName(use, id) else { return false }
      guard let chain = parent(use), kind(chain) == .chain else { return true }
      guard let call = children(chain).first(where: { $0 > use }), kind(call) == .call else {
        return true
      }
      switch callTarget(call) {
      case .unknownMethod, .unknown: return fits(call, id)
      // A protocol asks for it, and what calls it there isn't known.
      case .functions(let ids): return ids.contains { functions[$0].body == nil }
      default: return false
      }
    }
  }
}

extension Program {
  /// Whether a call gives as many arguments as a function takes.
  private func fits(_ call: Ref, _ id: FunctionID) -> Bool {
    let parameters = functions[id].parameters
    let needed = parameters.filter { !$0.hasDefault && !$0.isVariadic }.count
    let given = arguments(call).count
    return given >= needed && (given <= parameters.count || parameters.contains { $0.isVariadic })
  }

  /// Whether a use of a function's name may be one of the function.
  private func mayName(_ use: Ref, _ id: FunctionID) -> Bool {
    if kind(use) != .name { return property(usedBy: use) == nil }
    switch declared(use) {
    case .functions(let ids): return ids.contains(id)
    case nil: return true
    default: return false
    }
  }
}

extension [Name] {
  fileprivate func isDisjoint(with others: Set<Name>) -> Bool { !contains { others.contains($0) } }
}

/// Whether a body begins a write by hand, or asks whether one is open.
private struct BeginsWrite: Query {
  let body: Ref

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findWriteBegun(in: body) }
}
