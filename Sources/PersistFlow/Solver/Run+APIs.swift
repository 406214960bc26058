import PersistIndex
import PersistSyntax

// MARK: - What a row of the table does

extension Run {
  func evaluate(_ row: API, _ operands: Operands, at node: Ref) -> OriginsID {
    noteList(operands.receiver, row.name, at: node)
    for use in row.uses where row.name != Frameworks.pinning || !isOfNewContainer(node) {
      guard let value = value(use, operands) else { continue }
      noteUse(
        of: value, at: node,
        isWrite: row.isWrite || row.beginsTransaction && solver.table.isFrozen(value))
    }
    if isTracking {
      change(row, operands, at: node)
    } else if let deleted = row.deletes.flatMap({ operands.value($0) }) {
      note(.deletion, deleted, at: place(of: node), context: operands.receiver)
    }
    if !isTracking { noteContexts(row, operands, at: node) }
    if !isTracking, row.lifetime == .save, row.type == Frameworks.managedContext {
      solver.write(operands.receiver, to: .saves)
    }
    noteWaits(row, operands, at: node)
    if let inserted = row.inserts.flatMap({ operands.value($0) }) {
      insert(inserted, into: operands.receiver)
    }
    for flow in row.flows where flow.value != .returned { send(flow, operands, nil) }
    let returned = runClosures(of: row, operands, at: node)
    for flow in row.flows where flow.value == .returned { send(flow, operands, returned[.last]) }
    runDelegates(of: row, operands, at: node)
    // A closure of which the row says nothing may run at any time.
    let given = row.closures.flatMap(\.given).compactMap { value -> API.Operand? in
      if case .value(let operand) = value { operand } else { nil }
    }
    let told = Set((row.closures.map(\.operand) + given).compactMap { operands.value($0) })
    for (_, argument) in operands.arguments
    where !told.contains(argument) && row.flows.isEmpty && row.delegates.isEmpty {
      escape(argument, at: node)
    }
    if isTracking {
      if row.lifetime == .save { apply(.save, to: operands.receiver, at: node) }
      if let all = fetchedList(row, operands, at: node) { return all }
      let made = make(row.result, operands, returned, node)
      if case .copied = row.result { return some(of: made, at: node, isCopy: true) }
      return Frameworks.choosingMethods.contains(row.name) ? some(of: made, at: node) : made
    }
    return make(row.result, operands, returned, node)
  }

  /// Puts a value where others get it out.
  private func send(_ flow: API.Flow, _ operands: Operands, _ returned: OriginsID?) {
    if flow.cell == "posted" { return notePost(operands) }
    guard let value = returned ?? operands.value(flow.value),
      let target = operands.value(flow.into)
    else { return }
    for case .holder(_, let site, _) in solver.table.members(target) {
      write(value, to: .channel(flow.cell, site))
      guard isTracking, returned != nil else { continue }
      collected[site] = solver.table.union(collected[site] ?? OriginTable.nothing, value)
    }
  }

  /// The objects that a context hands out as a list; nil for what hands out something else.
  private func fetchedList(_ row: API, _ operands: Operands, at node: Ref) -> OriginsID? {
    switch row.result {
    case .collection(.object(let operand)), .list(_, .object(let operand)):
      let contexts = value(operand, operands) ?? OriginTable.unknown
      return solver.table.one(
        .collection(
          fetched(by: contexts, isMany: true, isWholeClass: asksForAll(row), at: node)))
    default: return nil
    }
  }

  /// Runs the closures of a call where its row says; what they return, by their operands.
  private func runClosures(of row: API, _ operands: Operands, at node: Ref)
    -> [API.Operand: OriginsID]
  {
    var returned: [API.Operand: OriginsID] = [:]
    for closure in row.closures {
      let set =
        closure.operand == .waiting
        ? waiting(at: operands.receiver) : operands.value(closure.operand)
      guard let set else { continue }
      let given = closure.given.map {
        (label: Name.none, value: elements($0, operands, at: node))
      }
      for executor in executors(closure.place, operands, given.first?.value, at: node) {
        let isInPlace = if case .inPlace = closure.place { true } else { false }
        if !isInPlace { solver.note(closure.isWaitedFor ? .waitedFor : .later, at: node) }
        var handed = Operands(
          receiver: OriginTable.nothing, arguments: given,
          transaction: closure.opensTransaction
            ? .open : isInPlace && !closure.isDelayed ? nil : Transaction.none)
        if case .task = closure.place {
          handed.isPlainTask = program.isCompiledAsSwift6(node)
        }
        handed.isLater = !closure.place.isWaitedFor && !closure.isWaitedFor
        delay =
          isTracking && closure.isDelayed && !program.isShortDelay(node) ? (node, .perhaps) : nil
        let made = callValues(set, handed, on: executor, at: node)
        delay = nil
        if isTracking, row.name == Frameworks.forEach { endEach(of: operands.receiver, given) }
        returned[closure.operand] = solver.table.union(
          returned[closure.operand] ?? OriginTable.nothing, made)
      }
    }
    return returned
  }

  /// Runs the methods of an object that a framework calls.
  private func runDelegates(of row: API, _ operands: Operands, at node: Ref) {
    for delegate in row.delegates {
      let given = delegate.operand
      let set = given == .waiting ? waiting(at: operands.receiver) : operands.value(given)
      for origin in solver.table.members(set ?? OriginTable.nothing) {
        guard let type = origin.declaredType else { continue }
        let methods = program.types[type].functions.filter {
          delegate.methods.contains(program.functions[$0].name)
        }
        for executor in executors(delegate.place, operands, nil, at: node) {
          for method in methods {
            _ = run(
              method, receiver: solver.table.one(origin),
              Operands(receiver: OriginTable.nothing), nil, -1, at: node, on: executor)
          }
        }
      }
    }
  }

  /// What a closure is given: of a collection each element, those that were deleted as well.
  private func elements(_ result: API.Result, _ operands: Operands, at node: Ref) -> OriginsID {
    guard isTracking, case .element(let operand) = result else {
      return singles(make(result, operands, [:], node), at: node)
    }
    let all = operands.value(operand).map { element(of: $0) } ?? OriginTable.unknown
    return singles(all, at: node, takesAll: true)
  }

  /// Notes what a call waits for without a limit, and what it lets go on.
  private func noteWaits(_ row: API, _ operands: Operands, at node: Ref) {
    if let waits = row.waits.flatMap({ operands.value($0) }),
      !operands.arguments.contains(where: { Frameworks.timeLimits.contains($0.label) })
    {
      noteWait(.wait, waits, at: node)
    }
    if let signals = row.signals.flatMap({ operands.value($0) }) {
      noteWait(.signal, signals, at: node)
    }
  }

  /// Makes new objects those of a context, or of an object's context, from here on.
  func insert(_ objects: OriginsID, into contexts: OriginsID) {
    if isTracking {
      effects.inserts = true
      let inserted = solver.table.all(in: objects).compactMap {
        solver.table[origin: $0].numberOfObject ?? $0
      }
      state.inserted.formUnion(inserted)
      return revive { !$0.isSaved && inserted.contains($0.object) }
    }
    let owned = mapped(contexts) { origin in
      switch origin {
      case .owner(let owner), .managed(let owner): .managed(owner)
      default: nil
      }
    }
    for number in solver.table[objects].known {
      switch solver.table[origin: number] {
      case .object:
        adopt(number, as: owned)
        noteRelations(of: number, in: owned)
      case .collection(let inner): insert(inner, into: contexts)
      default: break
      }
    }
  }

  private func waiting(at receiver: OriginsID) -> OriginsID {
    var result = OriginTable.nothing
    for case .holder(_, let site, _) in solver.table.members(receiver) {
      result = solver.table.union(result, read(.channel("waiting", site)))
    }
    return result
  }

  /// What a collection, optional, subject or stream may hand out.
  func element(of set: OriginsID) -> OriginsID {
    var result = solver.table[set].isOpen ? OriginTable.unknown : OriginTable.nothing
    for origin in solver.table.members(set) {
      switch origin {
      // Whatever its closure returns.
      case .holder(Frameworks.lazyView, let site, _):
        result = solver.table.union(result, read(.channel("values", site)))
      // Objects have names in one body alone: those of other bodies' tasks are nobody knows what.
      case .holder(Frameworks.taskGroup, let site, _) where isTracking:
        result = solver.table.union(result, collected[site] ?? OriginTable.unknown)
      case .holder(let type, let site, let inner):
        result = solver.table.union(result, read(.channel("values", site)))
        // A subject begins with a value, a list belongs to the owner of its objects.
        result = solver.table.union(
          result, type == "CurrentValueSubject" ? inner : element(of: inner))
      case .dictionary(let inner):
        result = solver.table.union(
          result, solver.table.one(.tuple([OriginTable.plain, inner], ["key", "value"])))
      case .collection(let inner): result = solver.table.union(result, inner)
      case .null: break
      case .plain, .literal: result = solver.table.union(result, OriginTable.plain)
      case .managed, .token, .gone:
        result = solver.table.union(result, solver.table.one(origin))
      default: result = OriginTable.unknown
      }
    }
    return result
  }

  /// The value of an operand, or what the receiver holds.
  func value(_ operand: API.Operand, _ operands: Operands) -> OriginsID? {
    if operand == .performing {
      guard case .owner(let owner) = key.executor else { return OriginTable.unknown }
      return solver.table.one(.owner(owner))
    }
    guard operand == .held else { return operands.value(operand) }
    var result = OriginTable.nothing
    for origin in solver.table.members(operands.receiver) {
      if case .holder(_, _, let inner) = origin { result = solver.table.union(result, inner) }
    }
    // What a controller holds may not be found yet.
    let isHeld = solver.table.members(operands.receiver).contains {
      if case .holder = $0 { true } else { false }
    }
    return isHeld ? result : OriginTable.unknown
  }

  // MARK: Results

  private func make(
    _ result: API.Result, _ operands: Operands, _ returned: [API.Operand: OriginsID], _ node: Ref
  ) -> OriginsID {
    switch result {
    case .plain: return OriginTable.plain
    case .unknown: return OriginTable.unknown
    case .value(let operand): return value(operand, operands) ?? OriginTable.unknown
    case .element(let operand):
      return operands.value(operand).map { singles(element(of: $0), at: node) }
        ?? OriginTable.unknown
    case .elementOrNil(let operand):
      let inner = operands.value(operand).map { element(of: $0) } ?? OriginTable.unknown
      return solver.table.union(singles(inner, at: node), OriginTable.null)
    case .collection(let inner):
      return solver.table.one(.collection(make(inner, operands, returned, node)))
    case .orNil(let inner):
      return solver.table.union(make(inner, operands, returned, node), OriginTable.null)
    case .tuple(let parts, let labels):
      let made = parts.map { make($0, operands, returned, node) }
      return solver.table.one(.tuple(made, labels))
    case .returned(let operand): return returned[operand] ?? OriginTable.unknown
    case .external(let name): return solver.table.one(.external(name))
    case .holder(let name, let operand):
      let inner = operand.flatMap { operands.value($0) } ?? OriginTable.nothing
      return solver.table.one(.holder(name, node, inner))
    case .list(let name, let inner):
      return solver.table.one(.holder(name, node, make(inner, operands, returned, node)))
    case .queue(let queue): return solver.table.one(.queue(queue))
    case .madeQueue:
      // A queue runs its work where its target does.
      switch operands.value(.labelled("target")).flatMap({ solver.table.members($0).first }) {
      case .queue(let target): return solver.table.one(.queue(target))
      case .enumCase("main", _): return solver.table.one(.queue(.main))
      default: break
      }
      let isConcurrent = operands.value(.labelled("attributes")).map(namesConcurrent) ?? false
      return solver.table.one(.queue(isConcurrent ? .concurrent(node) : .made(node)))
    case .madeOperationQueue: return solver.table.one(.queue(.operations(node)))
    case .identified(let operand):
      return identified(by: operands.value(.argument(0)))
        ?? makeOwner(.object(of: operand), operands, node)
    case .mainOwner, .ownOwner, .makersOwner, .chosenOwner, .object, .thawed, .frozen,
      .owner:
      return makeOwner(result, operands, node)
    default: return makeFlow(result, operands, returned, node)
    }
  }

  /// Collections of what closures return, publishers and streams.
  private func makeFlow(
    _ result: API.Result, _ operands: Operands, _ returned: [API.Operand: OriginsID], _ node: Ref
  ) -> OriginsID {
    switch result {
    case .elementOfReturned: return element(of: returned[.last] ?? OriginTable.unknown)
    case .valuesOfReceiver:
      var values = OriginTable.nothing
      for origin in solver.table.members(operands.receiver) {
        if case .dictionary(let inner) = origin { values = solver.table.union(values, inner) }
      }
      return solver.table[operands.receiver].isOpen ? solver.table.opened(values) : values
    case .grouped:
      if let grouped = operands.value(.labelled("grouping")) {
        return solver.table.one(.dictionary(grouped))
      }
      return OriginTable.unknown
    case .moved(let operand):
      let queue = operands.value(operand) ?? OriginTable.unknown
      return solver.table.one(
        .holder(
          "MovedPublisher", node, solver.table.one(.tuple([operands.receiver, queue], []))))
    case .lazyView(let joins):
      if isTracking { return solver.table.one(.collection(returned[.last] ?? OriginTable.unknown)) }
      let inner = value(.held, operands) ?? OriginTable.unknown
      let made = solver.table.unwrapped(returned[.last] ?? OriginTable.unknown)
      write(joins ? element(of: made) : made, to: .channel("values", node))
      return solver.table.one(.holder(Frameworks.lazyView, node, inner))
    case .sorted:
      let isByClosure = operands.arguments.contains { holdsCode($0.value) }
      return isByClosure ? copied(operands.receiver, at: node) : operands.receiver
    case .copied(let operand):
      return operands.value(operand).map { copied($0, at: node) } ?? OriginTable.unknown
    case .movedOn:
      let queue = moved(operands, 1) ?? OriginTable.unknown
      return solver.table.one(
        .holder(
          "MovedPublisher", node, solver.table.one(.tuple([OriginTable.unknown, queue], []))))
    case .elementOfMoved: return moved(operands, 0).map { element(of: $0) } ?? OriginTable.unknown
    case .stream: return solver.table.one(.holder("AsyncStream", node, OriginTable.nothing))
    case .streamPair:
      let stream = solver.table.one(.holder("AsyncStream", node, OriginTable.nothing))
      return solver.table.one(.tuple([stream, stream], ["stream", "continuation"]))
    case .continuation:
      return solver.table.one(.holder("CheckedContinuation", node, OriginTable.nothing))
    case .sent:
      let sent = read(.channel("values", node))
      // Objects have names in one body alone.
      return isTracking && sent == OriginTable.nothing ? OriginTable.unknown : sent
    case .isOnMain:
      switch key.executor {
      case .main: return solver.table.one(.literal("true"))
      case .pool, .background, .actor: return solver.table.one(.literal("false"))
      case .owner(let owner) where owner.home == .own: return solver.table.one(.literal("false"))
      default: return OriginTable.plain
      }
    default: return makeHanded(result, operands, returned)
    }
  }

  /// What goes on to other code: results, sums and what is posted.
  private func makeHanded(
    _ result: API.Result, _ operands: Operands, _ returned: [API.Operand: OriginsID]
  ) -> OriginsID {
    switch result {
    case .posted: return posted(to: operands)
    case .reduced:
      // `reduce(into:)` has its closure change the first argument.
      let first = operands.value(.argument(0)) ?? OriginTable.unknown
      let changed = argumentsAfter[making.call]?[0] ?? OriginTable.nothing
      let last = changed == OriginTable.nothing ? returned[.last] ?? OriginTable.unknown : changed
      return solver.table.union(first, last)
    case .outcome:
      let made = returned[.last] ?? OriginTable.unknown
      return solver.table.union(
        solver.table.one(.enumCase(Frameworks.success, [made])),
        solver.table.one(.enumCase(Frameworks.failure, [OriginTable.unknown])))
    default: return OriginTable.unknown
    }
  }

  private func holdsCode(_ set: OriginsID) -> Bool {
    solver.table.members(set).contains {
      switch $0 {
      case .closure, .function: true
      default: false
      }
    }
  }

  /// A collection with the elements of a list, which is read for that.
  private func copied(_ set: OriginsID, at node: Ref) -> OriginsID {
    solver.table.mapped(set) { origin in
      guard case .holder(let type, _, let inner) = origin, Frameworks.ownedLists.contains(type)
      else { return solver.table.one(origin) }
      if !isTracking { note(.object, inner, at: node) }
      return solver.table.one(.collection(element(of: solver.table.one(origin))))
    }
  }

  /// Whether the attributes of a queue let it run several closures at once.
  private func namesConcurrent(_ set: OriginsID) -> Bool {
    solver.table.members(set).contains { origin in
      switch origin {
      case .enumCase("concurrent", _): true
      case .collection(let inner): namesConcurrent(inner)
      default: false
      }
    }
  }

  /// A publisher before its values were moved, or the queue that they were moved to.
  private func moved(_ operands: Operands, _ index: Int) -> OriginsID? {
    for case .holder("MovedPublisher", _, let inner) in solver.table.members(operands.receiver) {
      for case .tuple(let parts, _) in solver.table.members(inner) { return parts[index] }
    }
    return nil
  }

  // MARK: Where closures run

  private func executors(
    _ place: API.Place, _ operands: Operands, _ given: OriginsID?, at node: Ref
  ) -> [Executor] {
    switch place {
    case .inPlace, .continuation: return [key.executor]
    case .movedQueue: return moved(operands, 1).map { executors(ofQueue: $0) } ?? [.unknown]
    case .main: return [.main]
    case .background: return [.background]
    case .pool: return [.pool]
    case .task: return [facts.executor(ofTaskAt: node)]
    case .unknown: return [.unknown]
    case .given: return given.map { executors(ofOwner: $0) } ?? [.unknown]
    case .queue(let operand):
      return operands.value(operand).map { executors(ofQueue: $0) } ?? [.unknown]
    case .queueOfSync:
      // What waits for a queue runs its closure on its own thread, unless that is the main queue.
      let isOwn: Bool
      switch key.executor {
      case .main, .owner: isOwn = true
      default: isOwn = false
      }
      return executors(ofQueue: operands.receiver).map {
        isOwn && $0 != .main && $0 != .unknown ? key.executor : $0
      }
    case .queueOr(let operand, let otherwise):
      guard let queue = operands.value(operand), queue != OriginTable.null else {
        return [otherwise]
      }
      return executors(ofQueue: queue)
    case .posting: return executors(ofNotification: operands)
    case .owner(let operand):
      return operands.value(operand).map { executors(ofOwner: $0) } ?? [.unknown]
    case .heldQueue(let otherwise):
      var found: [Executor] = []
      for origin in solver.table.members(operands.receiver) {
        if case .holder(_, _, let inner) = origin, inner != OriginTable.nothing {
          found += executors(ofQueue: inner).map { $0 == .unknown ? otherwise : $0 }
        }
      }
      return found.isEmpty ? [otherwise] : found
    }
  }

  func executors(ofQueue set: OriginsID) -> [Executor] {
    let whole = solver.table[set]
    var found: [Executor] = []
    for number in whole.known {
      switch solver.table[origin: number] {
      case .queue(.main), .enumCase("main", _): found.append(.main)
      case .queue(.global), .enumCase("global", _): found.append(.background)
      case .queue(.operations(let site)):
        let given = facts.givesQueues ? read(.channel("underlying", site)) : OriginTable.nothing
        found += given == OriginTable.nothing ? [.background] : executors(ofQueue: given)
      case .queue(.made(let site)), .queue(.concurrent(let site)):
        found.append(whole.isOne ? .queue(site) : .unknown)
      default: found.append(.unknown)
      }
    }
    if found.isEmpty { found.append(.unknown) }
    return found
  }

  func executors(ofOwner set: OriginsID) -> [Executor] {
    let whole = solver.table[set]
    var found: [Executor] = []
    for number in whole.known {
      switch solver.table[origin: number] {
      case .owner(let owner), .managed(let owner):
        found.append(owner.home == .main ? .main : .owner(whole.isOne ? owner : owner.somewhere))
      case .null: break
      default: found.append(.unknown)
      }
    }
    if whole.isOpen || found.isEmpty { found.append(.unknown) }
    return found
  }
}
