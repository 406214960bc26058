import PersistIndex
import PersistSyntax

/// What holds in the code of a program, found out once and never changed.
package struct Facts: Sendable {
  /// The uses of contexts and their objects, by file and place.
  package let uses: [OwnedUse]
  /// Deletions of objects, in source order.
  package let deletions: [ObjectDeletion]
  /// Objects put into a relationship of an object of another context, in source order.
  package let foreignRelations: [ForeignRelation]
  /// What is used off the queue of its owner, by the bodies that run there, in source order.
  package let offQueue: [OffQueueCause]
  /// What is done with contexts of Core Data, and of SwiftData.
  package let contexts: ContextFacts
  package let modelContexts: ContextFacts
  /// Waits of the main thread that never end, in source order.
  package let mainWaits: [MainWait]
  /// Steps that the solver took.
  package let steps: Int
  /// Whether the solver came to its end; else nothing is said.
  package let isComplete: Bool

  /// Solves a whole program.
  package init(of program: Program) {
    let words = Frameworks.namesOfOwners.union(Frameworks.wrappersOfOwners)
      .union(Frameworks.contextTypes).union([Frameworks.modelMacro, Frameworks.managedObject])
    guard !program.files(usingAny: words).isEmpty else {
      uses = []
      offQueue = []
      deletions = []
      foreignRelations = []
      contexts = ContextFacts(of: .coreData)
      modelContexts = ContextFacts(of: .swiftData)
      mainWaits = []
      steps = 0
      isComplete = true
      return
    }
    let solver = Solver(program, Bodies(of: program))
    program.keep(solver)
    solver.solve()
    let found = OwnedUses(solver)
    uses = solver.isComplete ? found.all : []
    offQueue = solver.isComplete ? found.causes : []
    deletions = solver.isComplete ? found.deletions : []
    foreignRelations = solver.isComplete ? found.relations : []
    contexts = ContextFacts(solver, of: .coreData)
    modelContexts = ContextFacts(solver, of: .swiftData)
    mainWaits = solver.isComplete ? found.waits : []
    steps = solver.steps
    isComplete = solver.isComplete
  }
}

/// A place where a context, or an object of one, is used, with all that is known of its ways there.
package struct OwnedUse: Sendable {
  /// One way to the use: whose object it is there, and where the code runs then. The two are never
  /// mixed with those of another way.
  package struct Case: Sendable, Hashable {
    package let owner: Owner
    package let executor: Executor
    package let isWrite: Bool
    package let transaction: Transaction
    /// Whether the context on whose queue the code runs is made by code that has the object already.
    package var isOnNewQueue = false
  }

  package let node: Ref
  package let kind: Use.Kind
  package let isWrite: Bool
  /// The ways on which owner and executor are known.
  package let cases: [Case]
  /// The calls that lead from the beginning of a wrong way to the use, outermost first.
  package let steps: [Ref]
  /// Where the code itself is that uses it.
  package let places: Set<Ref>

  /// The first way on which an object of a realm changes while no transaction is open, or though it
  /// is frozen.
  package var outsideTransaction: Case? { cases.first(where: \.isChangeOutside) }

  /// The first way on which the use is off the queue of its owner.
  package var wrong: Case? { cases.first { $0.isWrong } }
}

/// A body that runs off the queue of what it uses, or hands on.
package struct OffQueueCause: Sendable {
  /// The function, closure or accessor.
  package let body: Ref
  /// The first use in it, or the call that leads to one.
  package private(set) var place: Ref
  package private(set) var kind: Use.Kind
  package let owner: Owner
  package let executor: Executor
  /// Whether the body is a closure that has taken along what is used.
  package let isCaptured: Bool
  /// Whether the body is a closure.
  let isClosure: Bool
  /// Whether a property holds the context.
  package let isKept: Bool
  /// Whether the use stands in the body itself.
  package private(set) var isDirect: Bool
  /// The use itself.
  package private(set) var deepest: Ref
  /// The calls between the place and the use, outermost first.
  package private(set) var calls: [Ref]
  /// Further uses in the body, and calls that lead to some, in source order.
  package var others: [Ref]
  /// The calls of the body from code that runs where it does, in source order.
  package fileprivate(set) var callers: [Ref] = []
  /// The bodies that bring the code to where it runs.
  package fileprivate(set) var beginnings: Set<Ref> = []
  /// The call of `perform` by which the objects leave their queue, where there is only one.
  package fileprivate(set) var exit: Ref?

  /// Whether a closure takes an object along, or uses a context, that isn't one of a queue of its own.
  package var isCapturedFromMain: Bool {
    (kind == .context ? isClosure : isCaptured) && owner.home != .own && !executor.isInPerform
  }

  /// The part of the cause that stands at one place.
  package func part(at place: Ref) -> OffQueueCause {
    var part = self
    if place != self.place {
      part.deepest = place
      part.calls = []
    }
    part.place = place
    part.others = []
    return part
  }

  /// Takes in a later cause that has the same owner.
  package mutating func add(_ other: OffQueueCause) {
    others = (others + [other.place] + other.others).sorted()
  }

  fileprivate mutating func add(_ use: Use, at place: Ref, isDirect: Bool, calls: [Ref]) {
    guard place != self.place, !others.contains(place) else { return }
    let isBefore =
      isDirect == self.isDirect ? place < self.place : isDirect
    if isBefore {
      others.append(self.place)
      self.place = place
      self.isDirect = isDirect
      self.calls = calls
      kind = use.kind
      deepest = use.node
    } else {
      others.append(place)
    }
    others.sort()
  }
}

/// Collects the uses of a solved program.
private struct OwnedUses {
  private let solver: Solver
  private let callers: Callers
  private var reached: [Solver.Reached] { callers.reached }
  private(set) var all: [OwnedUse] = []
  private(set) var causes: [OffQueueCause] = []
  private(set) var deletions: [ObjectDeletion] = []
  private(set) var relations: [ForeignRelation] = []
  var waits: [MainWait] { MainWaits(solver, reached.map(\.id)).all }
  private var indicesOfCauses: [CauseKey: Int] = [:]

  private struct CauseKey: Hashable {
    let body: BodyID
    let owner: Owner
    /// Contexts and models of SwiftData have a rule each.
    let isContext: Bool
  }

  private struct Key: Hashable {
    let node: Ref
    let kind: Use.Kind
  }

  private struct Found {
    var isWrite = false
    var cases: [OwnedUse.Case] = []
    var steps: [Ref] = []
    var places: Set<Ref> = []
    var hasWrong = false
  }

  init(_ solver: Solver) {
    self.solver = solver
    callers = Callers(solver)
    var found: [Key: Found] = [:]
    for id in reached.map(\.id) {
      for use in solver.instance(id).uses {
        switch use.kind {
        case .deletion: addDeletion(use, in: id)
        case .relation: addRelation(use, in: id)
        case .result where isDropped(in: id): continue
        case .context, .object, .opening, .result: add(use, in: id, to: &found)
        case .save, .change, .policy, .parent, .coordinator, .merge, .handed, .discard, .autosave:
          continue
        }
      }
    }
    deletions.sort { $0.node < $1.node }
    all = found.map { key, found in
      OwnedUse(
        node: key.node, kind: key.kind, isWrite: found.isWrite, cases: found.cases,
        steps: found.steps, places: found.places)
    }.sorted { ($0.node, $0.kind.rawValue) < ($1.node, $1.kind.rawValue) }
    causes.sort { $0.place < $1.place }
  }

  /// Whether nobody looks at what the code of an instance returns.
  private func isDropped(in id: InstanceID) -> Bool {
    solver.bodies[solver.instance(id).key.body].function.map { DroppedResults(solver).drops($0) }
      ?? false
  }

  private mutating func addDeletion(_ use: Use, in id: InstanceID) {
    let foreign = apart(use, in: id).map { ObjectDeletion.Foreign(object: $0, context: $1) }
    if let known = deletions.firstIndex(where: { $0.node == use.node }) {
      if deletions[known].foreign == nil { deletions[known].foreign = foreign }
      return
    }
    let body = solver.bodies[solver.instance(id).key.body]
    deletions.append(
      ObjectDeletion(
        node: use.node, body: body.place, property: body.property, foreign: foreign))
  }

  private mutating func addRelation(_ use: Use, in id: InstanceID) {
    guard !relations.contains(where: { $0.node == use.node }),
      let (other, object) = apart(use, in: id)
    else { return }
    relations.append(ForeignRelation(node: use.node, object: object, other: other))
  }

  /// The owners of an object and of what takes it, where they surely are two.
  private func apart(_ use: Use, in id: InstanceID) -> (Owner, Owner)? {
    guard let objects = owners(of: use.value), let others = owners(of: use.context),
      let object = objects.first, let other = others.first, object.framework != .realm,
      // A model that a caller hands over may be a new one, of no context.
      object.framework == .coreData || !object.isGiven || use.isHeld
    else { return nil }
    let areOther = objects.allSatisfy { object in
      others.allSatisfy {
        object.isSurelyOther(than: $0) || isNew($0, for: object, in: id)
          || isNew(object, for: $0, in: id)
      }
    }
    return areOther ? (object, other) : nil
  }

  /// The owners of what a value may be; nil where it may be something else as well.
  private func owners(of value: OriginsID) -> [Owner]? {
    guard !solver.table[value].isOpen else { return nil }
    var found: [Owner] = []
    for origin in solver.table.members(value) where origin != .null {
      guard collect(origin, into: &found) else { return nil }
    }
    return found
  }

  /// The realms of what may be used where it may be something else as well: that a plain object does
  /// no harm excuses nothing.
  private func someRealms(of value: OriginsID) -> [Owner] {
    solver.table.members(value).reduce(into: []) { found, origin in
      var owners: [Owner] = []
      if collect(origin, into: &owners) { found += owners.filter { $0.framework == .realm } }
    }
  }

  private mutating func add(_ use: Use, in id: InstanceID, to found: inout [Key: Found]) {
    let all = owners(of: use.value)
    let owners = all ?? someRealms(of: use.value)
    let executor = solver.instance(id).key.executor
    var cases: [OwnedUse.Case] = []
    for owner in owners {
      let isOutside =
        executor == .unknown
        && (callers.isOutside(id, of: owner, at: use.node) || isApart(from: owner, in: id))
      var way = OwnedUse.Case(
        owner: owner, executor: isOutside ? .outside : executor, isWrite: use.isWrite,
        transaction: use.transaction, isOnNewQueue: isNew(executor, of: id, for: owner))
      // A realm belongs to a thread, or to a queue.
      if owner.framework == .realm, case .queue = executor, way.isWrong {
        way = OwnedUse.Case(
          owner: owner, executor: callers.thread(of: id), isWrite: use.isWrite,
          transaction: use.transaction, isOnNewQueue: way.isOnNewQueue)
      }
      if !cases.contains(way) { cases.append(way) }
    }
    // What may be live as well can change.
    if all == nil || !cases.allSatisfy(\.isChangeOutside) {
      cases.removeAll(where: \.isChangeOutside)
    }
    guard !cases.isEmpty else { return }
    // Where one of several possible owners is right, nothing is certain; a frozen copy excuses nothing.
    let owned = cases.filter { $0.owner.home != .frozen }
    let isWrong = !owned.isEmpty && owned.allSatisfy(\.isWrong)
    let place = place(of: use, in: id)
    let key = Key(node: place.node, kind: use.kind)
    var entry = found[key] ?? Found()
    entry.isWrite = entry.isWrite || use.isWrite
    entry.places.insert(use.node)
    if isWrong { addCause(use, in: id, owned[0]) }
    guard callers.counts(id) else { return }
    if isWrong, !entry.hasWrong {
      entry.steps = place.steps
      entry.hasWrong = true
      entry.cases.insert(contentsOf: cases.sorted(by: Self.isBefore), at: 0)
    } else if !isWrong {
      entry.cases += cases.filter { !$0.isWrong }.sorted(by: Self.isBefore)
      if !entry.hasWrong, cases.contains(where: \.isChangeOutside) { entry.steps = place.steps }
    }
    found[key] = entry
  }

  /// Whether a body begins the code on a queue of the system that opens a realm, so that the body
  /// itself runs on another thread.
  private func isApart(from owner: Owner, in id: InstanceID) -> Bool {
    guard owner.framework == .realm, [.background, .turn].contains(owner.home),
      let site = owner.site
    else { return false }
    let body = solver.bodies[solver.instance(id).key.body]
    return solver.program.enclosingBody(site) != body.place
      && solver.program.contains(body.place, site)
  }

  /// Whether code runs on the queue of a context that is made after an object was handed over.
  private func isNew(_ executor: Executor, of id: InstanceID, for owner: Owner) -> Bool {
    guard case .owner(let other) = executor, other.home == .own else { return false }
    return isNew(other, for: owner, in: id) && !callers.isWaitedFor(id)
  }

  /// Whether a context is made by code that has an object already.
  private func isNew(_ other: Owner, for owner: Owner, in id: InstanceID) -> Bool {
    let place: Ref?
    switch owner.home {
    case .given(let given): place = given
    case .unknown: place = owner.isGiven ? owner.site : nil
    case .main: place = owner.isGiven ? solver.bodies[solver.instance(id).key.body].place : nil
    default: place = nil
    }
    guard let place, let site = other.site, !other.isGiven else { return false }
    let program = solver.program
    let isBody = solver.bodies.loweredBody(at: place) != nil
    let scope = isBody ? place : program.enclosingDeclaration(place)
    if program.contains(scope, site) { return true }
    // A function that makes one for each call.
    guard !callers.isKept(other), let maker = program.enclosingFunction(site) else { return false }
    return program.callers(of: maker).contains { program.contains(scope, $0) }
  }

  /// Joins uses that one body leads to, which runs off the queue of what is used.
  private mutating func addCause(_ use: Use, in id: InstanceID, _ wrong: OwnedUse.Case) {
    var pending = [Step(way: [id], place: use.node, isDirect: true, calls: [])]
    var seen: Set<InstanceID> = [id]
    while let step = pending.popLast() {
      let all =
        use.kind == .opening
        ? callers.callersGiving(use.context, to: step.id)
        : callers.callersHanding(wrong.owner, to: step.id)
      // Code that calls itself begins somewhere.
      let above = all.filter { !step.way.contains($0.from) }
      guard !above.isEmpty else {
        let senders = use.kind == .object ? callers.callersSending(wrong.owner, to: step.id) : []
        for (from, call, isWrong) in senders where isWrong && seen.insert(from).inserted {
          addCause(use, at: step.above(from, solver.program.calledNode(call) ?? call), wrong)
        }
        if !senders.allSatisfy(\.isWrong) || senders.isEmpty { addCause(use, at: step, wrong) }
        continue
      }
      let code = solver.bodies[solver.instance(step.id).key.body]
      for (from, call) in above where seen.insert(from).inserted {
        // A closure that runs in place is a part of the code around it.
        let isPart = code.kind == .closure && !isLeak(wrong.owner, from, to: step.id)
        let place = isPart ? nil : solver.program.calledNode(call) ?? call
        pending.append(step.above(from, place))
      }
    }
  }

  /// Whether an async function hands objects out of `perform` to a closure that comes from elsewhere.
  private func isLeak(_ owner: Owner, _ caller: InstanceID, to id: InstanceID) -> Bool {
    let function = solver.bodies[
      solver.relevance.outermost(solver.instance(caller).key.body)]
    return owner.home == .own && function.isAsync
      && !solver.program.contains(
        function.place, solver.bodies[solver.instance(id).key.body].place)
      && callers.isArgument(owner, of: id)
  }

  /// A place on the way from the use of an owner to the code that may not use it.
  private struct Step {
    /// The code from the use on.
    let way: [InstanceID]
    let place: Ref
    let isDirect: Bool
    /// The calls from the place on.
    let calls: [Ref]

    var id: InstanceID { way[way.count - 1] }

    /// The step of what calls the code, or of what it is a part of.
    func above(_ caller: InstanceID, _ call: Ref?) -> Step {
      let way = way + [caller]
      guard let call else {
        return Step(way: way, place: place, isDirect: isDirect, calls: calls)
      }
      return Step(
        way: way, place: call, isDirect: false, calls: isDirect ? [] : [place] + calls)
    }
  }

  private mutating func addCause(_ use: Use, at step: Step, _ wrong: OwnedUse.Case) {
    guard callers.counts(step.id) else { return }
    let body = solver.instance(step.id).key.body
    let key = CauseKey(
      body: body, owner: wrong.owner,
      isContext: wrong.owner.framework == .swiftData && use.kind == .context)
    let index = indicesOfCauses[key] ?? causes.count
    if index == causes.count {
      indicesOfCauses[key] = index
      causes.append(
        OffQueueCause(
          body: solver.bodies[body].place, place: step.place, kind: use.kind, owner: wrong.owner,
          executor: wrong.executor, isCaptured: callers.isCaptured(wrong.owner, by: step.id),
          isClosure: solver.bodies[body].kind == .closure, isKept: callers.isKept(wrong.owner),
          isDirect: step.isDirect, deepest: use.node, calls: step.calls, others: []))
      if isOfObject(use) { causes[index].exit = callers.exit(of: wrong.owner) }
    } else {
      causes[index].add(use, at: step.place, isDirect: step.isDirect, calls: step.calls)
    }
    causes[index].beginnings.formUnion(callers.beginnings(of: step.id))
    let known = causes[index].callers
    causes[index].callers = Set(known + callers.callers(of: step.id, handing: wrong.owner)).sorted()
  }

  /// Whether an object is used, or its context is asked of it.
  private func isOfObject(_ use: Use) -> Bool {
    use.kind == .object
      || solver.program.nameBefore(member: use.node).map {
        Frameworks.contextProperties.contains(solver.program.name($0))
      } ?? false
  }

  private static func isBefore(_ left: OwnedUse.Case, _ right: OwnedUse.Case) -> Bool {
    (left.owner.site ?? Ref(file: -1, node: 0)) < (right.owner.site ?? Ref(file: -1, node: 0))
  }

  /// Takes the owners of what may be used; false where it may be something else.
  private func collect(_ origin: Origin, into owners: inout [Owner]) -> Bool {
    switch origin {
    case .owner(let owner), .managed(let owner):
      owners.append(owner)
      return true
    case .collection(let inner):
      guard !solver.table[inner].isOpen else { return false }
      return solver.table.members(inner).allSatisfy { $0 == .null || collect($0, into: &owners) }
    default: return false
    }
  }

  /// Where a use is said to be: a method of the object itself uses it where the method is called.
  private func place(of use: Use, in id: InstanceID) -> (node: Ref, steps: [Ref]) {
    var node = use.node
    var current = id
    var steps: [Ref] = []
    while let (from, call) = callers.caller(of: current) {
      let (inner, outer) = (solver.instance(current).key, solver.instance(from).key)
      let isOwn =
        inner.receiver == use.value && inner.executor == outer.executor && steps.isEmpty
      if isOwn {
        node = solver.program.calledNode(call) ?? call
      } else {
        steps.append(call)
      }
      current = from
    }
    return (node, steps.reversed())
  }
}
