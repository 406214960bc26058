import PersistIndex
import PersistSyntax

extension Origin {
  /// Whether it is a context, or an object of one, of which nobody knows where it belongs.
  fileprivate var isOfUnknownOwner: Bool {
    switch self {
    case .owner(let owner), .managed(let owner): owner.isGiven && owner.home == .unknown
    default: false
    }
  }
}

// MARK: - Threads of the pool

extension Run {
  /// Whether what stands under an `await` may wait: `await Realm()` opens a realm at once.
  func mayLeaveThread(_ step: Instruction) -> Bool {
    guard let value = body.operands(of: step).first, value >= 0 else { return true }
    let awaited = body.steps[Int(value)]
    guard awaited.operation == .call else { return true }
    if case .externalInitializer = facts.target(body.ref(awaited)) { return false }
    return true
  }

  /// Goes on behind a wait, perhaps on another thread: what belongs to the one before is lost.
  func leaveThread(with operands: [OriginsID]) -> OriginsID {
    for index in locals.indices { locals[index] = solver.table.left(locals[index]) }
    return operands.first.map { solver.table.left($0) } ?? OriginTable.unknown
  }

  /// Notes that an async function hands out what belongs to the thread on which it runs.
  func noteResult(_ value: Value) {
    let step = body.steps[Int(value)]
    guard body.kind == .function else { return }
    var made = values[Int(value)]
    if let type = facts.resultType(of: key.body) {
      made = facts.admitted(made, by: type, solver.table)
    }
    let left = solver.table.left(made)
    var lost = OriginTable.nothing
    for id in solver.table.all(in: left) {
      guard case .managed(let owner) = solver.table[origin: id], owner.home == .left else {
        continue
      }
      lost = solver.table.union(lost, solver.table.one(.managed(owner)))
    }
    guard lost != OriginTable.nothing else { return }
    note(.result, lost, at: place(of: body.ref(step)))
  }
}

// MARK: - What closures take elsewhere

extension Run {
  /// Has what a closure captures, and nobody knows where it comes from, belong where the closure was
  /// made, if the closure runs elsewhere.
  func handOver(_ inner: inout InstanceKey) {
    guard let home = homeOfCaptured(on: inner.executor) else { return }
    let closure = solver.bodies[inner.body]
    for (index, declaration) in closure.captures.enumerated()
    where index + 1 < inner.captures.count {
      inner.captures[index + 1] = belonging(
        inner.captures[index + 1], program.type(ofLocal: declaration), home)
    }
    guard let owner = closure.owner, !closure.isStatic else { return }
    if facts.isModel(owner) {
      inner.receiver = belonging(inner.receiver, .declared(owner), home)
      if !inner.captures.isEmpty { inner.captures[0] = inner.receiver }
    } else if !isIsolated(owner), facts.keepsOwned(owner) {
      inner.home = home
    }
  }

  /// Where what a closure captures belongs; nil where the closure may run there.
  private func homeOfCaptured(on executor: Executor) -> Owner.Home? {
    switch (key.executor, executor) {
    case (_, .unknown), (_, .owner): return nil
    case (.actor(let type), _) where executor != key.executor:
      return program.isModelActor(type) || program.isManagedActor(type) ? .actor(type) : nil
    case (_, .main): return nil
    case (.main, _): return .main
    // Tasks run beside one another, and so may the closures of a concurrent queue.
    case (.pool, .pool), (.background, .background): return .given(body.place)
    default: return executor == key.executor ? nil : .given(body.place)
    }
  }

  /// A value of which something isn't known, with that as what belongs somewhere.
  func belonging(_ set: OriginsID, _ type: SwiftType, _ home: Owner.Home) -> OriginsID {
    guard let given = facts.given(type, home, body.place, solver.table) else { return set }
    return filled(set, type, by: given)
  }

  private func filled(_ set: OriginsID, _ type: SwiftType, by given: OriginsID) -> OriginsID {
    let table = solver.table
    func inner(_ set: OriginsID, _ type: SwiftType) -> OriginsID {
      var parts = OriginTable.nothing
      for origin in table.members(given) {
        switch origin {
        case .collection(let part), .dictionary(let part): parts = table.union(parts, part)
        default: break
        }
      }
      return filled(set, type, by: parts)
    }
    switch type {
    case .optional(let wrapped):
      let isNull = table.members(set).contains(.null)
      let rest = filled(table.unwrapped(set), wrapped, by: table.unwrapped(given))
      return isNull ? table.union(rest, OriginTable.null) : rest
    case .array(let element), .set(let element), .dictionary(_, let element):
      let whole = table[set]
      var result = whole.isOpen || whole.known.isEmpty ? given : OriginTable.nothing
      for origin in table.members(set) {
        let changed: Origin =
          switch origin {
          case .collection(let part): .collection(inner(part, element))
          case .dictionary(let part): .dictionary(inner(part, element))
          default: origin
          }
        result = table.union(result, table.one(changed))
      }
      return result
    default:
      let whole = table[set]
      guard whole.isOpen || table.members(set).allSatisfy(\.isOfUnknownOwner) else { return set }
      return whole.isOpen ? table.union(table.closed(set), given) : given
    }
  }

  private func isIsolated(_ type: TypeID) -> Bool {
    switch facts.isolation(at: program.types[type].ref) {
    case .mainActor, .actor, .globalActor: true
    default: false
    }
  }
}
