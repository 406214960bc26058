import PersistIndex
import PersistSyntax

/// What holds in the code of a program, found out once and never changed.
package struct Facts: Sendable {
  /// The uses of contexts and their objects, by file and place.
  package let uses: [OwnedUse]
  /// Deletions by another context than that of the object, in source order.
  package let foreignDeletions: [ForeignDeletion]
  /// What is used off the queue of its owner, by the bodies that run there, in source order.
  package let offQueue: [OffQueueCause]
  /// Waits of the main thread that never end, in source order.
  package let mainWaits: [MainWait]
  /// Steps that the solver took.
  package let steps: Int
  /// Whether the solver came to its end; else nothing is said.
  package let isComplete: Bool

  /// Solves a whole program.
  package init(of program: Program) {
    let words = Frameworks.namesOfOwners.union(Frameworks.wrappersOfOwners)
      .union([Frameworks.modelMacro, Frameworks.managedObject])
    guard !program.files(usingAny: words).isEmpty else {
      uses = []
      offQueue = []
      foreignDeletions = []
      mainWaits = []
      steps = 0
      isComplete = true
      return
    }
    let solver = Solver(program, Bodies(of: program))
    solver.solve()
    let found = OwnedUses(solver)
    uses = solver.isComplete ? found.all : []
    offQueue = solver.isComplete ? found.causes : []
    foreignDeletions = solver.isComplete ? found.deletions : []
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
  }

  package let node: Ref
  package let kind: Use.Kind
  package let isWrite: Bool
  /// The ways on which owner and executor are known.
  package let cases: [Case]
  /// The calls that lead from the beginning of a wrong way to the use, outermost first.
  package let steps: [Ref]

  /// The first way on which an object of a realm changes while no transaction is open.
  package var outsideTransaction: Case? {
    cases.first { $0.owner.framework == .realm && $0.isWrite && $0.transaction == .none }
  }

  /// The first way on which the use is off the queue of its owner.
  package var wrong: Case? { cases.first { $0.isWrong } }
}

/// An object that a context deletes although it surely belongs to another one.
package struct ForeignDeletion: Sendable {
  /// The called `delete`.
  package let node: Ref
  package let object: Owner
  package let context: Owner
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
  /// Whether the use stands in the body itself.
  package private(set) var isDirect: Bool
  /// The use itself.
  package private(set) var deepest: Ref
  /// Further uses in the body, and calls that lead to some, in source order.
  package private(set) var others: [Ref]

  /// Whether a closure takes an object along that isn't one of a context with a queue of its own.
  package var isCapturedFromMain: Bool {
    isCaptured && owner.home != .own && !executor.isInPerform
  }

  /// Takes in a later cause that has the same owner.
  package mutating func add(_ other: OffQueueCause) {
    others = (others + [other.place] + other.others).sorted()
  }

  fileprivate mutating func add(_ use: Use, at place: Ref, isDirect: Bool) {
    guard place != self.place, !others.contains(place) else { return }
    let isBefore =
      isDirect == self.isDirect ? place < self.place : isDirect
    if isBefore {
      others.append(self.place)
      self.place = place
      self.isDirect = isDirect
      kind = use.kind
      deepest = use.node
    } else {
      others.append(place)
    }
    others.sort()
  }

  fileprivate init(
    body: Ref, place: Ref, kind: Use.Kind, owner: Owner, executor: Executor, isCaptured: Bool,
    isDirect: Bool, deepest: Ref, others: [Ref]
  ) {
    self.isCaptured = isCaptured
    self.body = body
    self.place = place
    self.kind = kind
    self.owner = owner
    self.executor = executor
    self.isDirect = isDirect
    self.deepest = deepest
    self.others = others
  }
}

extension Owner {
  /// Whether two owners surely are two.
  func isSurelyOther(than other: Owner) -> Bool {
    guard framework == other.framework, !isGiven, !other.isGiven else { return false }
    switch (site, other.site) {
    case (let site?, let place?): return site != place
    // Every main context that a framework hands out may be the same.
    case (nil, nil): return false
    default: return [home, other.home].allSatisfy { $0 != .unknown }
    }
  }
}

extension OwnedUse.Case {
  /// Whether the code surely runs where the owner's objects must not be used.
  package var isWrong: Bool {
    switch (owner.home, executor) {
    case (.unknown, _), (_, .unknown): false
    // Main, and inside `perform`, may be where the object comes from.
    case (.given, .main), (.given, .owner): false
    case (.given, _): true
    case (.main, .main): false
    case (.main, .owner(let other)): other.home == .own
    case (.main, _): true
    case (.own, .owner(let other)):
      other.home == .own && other.site != nil && owner.site != nil && other.site != owner.site
    case (.own, _): true
    case (.queue(let site), .queue(let other)): site != other
    case (.actor(let type), .actor(let other)): type != other
    case (.background, .background), (.background, .pool): false
    case (.queue, _), (.actor, _), (.background, _): true
    }
  }
}

/// Collects the uses of a solved program.
private struct OwnedUses {
  private let solver: Solver
  private let callers: Callers
  private var reached: [(id: InstanceID, from: InstanceID?, call: Ref?)] { callers.reached }
  private(set) var all: [OwnedUse] = []
  private(set) var causes: [OffQueueCause] = []
  private(set) var deletions: [ForeignDeletion] = []
  var waits: [MainWait] { MainWaits(solver, reached.map(\.id)).all }
  private var indicesOfCauses: [CauseKey: Int] = [:]

  private struct CauseKey: Hashable {
    let body: BodyID
    let owner: Owner
  }

  private struct Key: Hashable {
    let node: Ref
    let kind: Use.Kind
  }

  private struct Found {
    var isWrite = false
    var cases: [OwnedUse.Case] = []
    var steps: [Ref] = []
    var hasWrong = false
  }

  init(_ solver: Solver) {
    self.solver = solver
    callers = Callers(solver)
    var found: [Key: Found] = [:]
    for (id, _, _) in reached {
      for use in solver.instance(id).uses {
        if use.kind == .deletion { addDeletion(use) } else { add(use, in: id, to: &found) }
      }
    }
    deletions.sort { $0.node < $1.node }
    all = found.map { key, found in
      OwnedUse(
        node: key.node, kind: key.kind, isWrite: found.isWrite, cases: found.cases,
        steps: found.steps)
    }.sorted { ($0.node, $0.kind.rawValue) < ($1.node, $1.kind.rawValue) }
    causes.sort { $0.place < $1.place }
  }

  private mutating func addDeletion(_ use: Use) {
    guard !deletions.contains(where: { $0.node == use.node }),
      let objects = owners(of: use.value), let contexts = owners(of: use.context)
    else { return }
    let areOther = objects.allSatisfy { object in
      contexts.allSatisfy { object.isSurelyOther(than: $0) }
    }
    guard areOther, let object = objects.first, let context = contexts.first,
      object.framework != .realm
    else { return }
    deletions.append(ForeignDeletion(node: use.node, object: object, context: context))
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

  private mutating func add(_ use: Use, in id: InstanceID, to found: inout [Key: Found]) {
    guard let owners = owners(of: use.value) else { return }
    let executor = solver.instance(id).key.executor
    var cases: [OwnedUse.Case] = []
    for owner in owners {
      let isOutside = executor == .unknown && callers.isOutside(id, of: owner)
      let way = OwnedUse.Case(
        owner: owner, executor: isOutside ? .outside : executor, isWrite: use.isWrite,
        transaction: use.transaction)
      if !cases.contains(way) { cases.append(way) }
    }
    guard !cases.isEmpty else { return }
    // Where one of several possible owners is right, nothing is certain.
    let isWrong = cases.allSatisfy(\.isWrong)
    let place = place(of: use, in: id)
    let key = Key(node: place.node, kind: use.kind)
    var entry = found[key] ?? Found()
    entry.isWrite = entry.isWrite || use.isWrite
    if isWrong { addCause(use, in: id, cases[cases.startIndex]) }
    if isWrong, !entry.hasWrong {
      entry.steps = place.steps
      entry.hasWrong = true
      entry.cases.insert(contentsOf: cases.sorted(by: Self.isBefore), at: 0)
    } else if !isWrong {
      entry.cases += cases.filter { !$0.isWrong }.sorted(by: Self.isBefore)
      if use.isWrite, use.transaction == .none, !entry.hasWrong { entry.steps = place.steps }
    }
    found[key] = entry
  }

  /// Joins uses that one body leads to, which runs off the queue of what is used.
  private mutating func addCause(_ use: Use, in id: InstanceID, _ wrong: OwnedUse.Case) {
    var pending = [Step(id: id, place: use.node, isDirect: true)]
    var seen: Set<InstanceID> = [id]
    while let step = pending.popLast() {
      let above = callers.callersHanding(wrong.owner, to: step.id)
      guard !above.isEmpty else {
        addCause(use, at: step, wrong)
        continue
      }
      // A closure that runs in place is a part of the code around it.
      let isPart = solver.bodies[solver.instance(step.id).key.body].kind == .closure
      for (from, call) in above where seen.insert(from).inserted {
        pending.append(
          isPart
            ? Step(id: from, place: step.place, isDirect: step.isDirect)
            : Step(id: from, place: solver.program.calledNode(call) ?? call, isDirect: false))
      }
    }
  }

  /// A place on the way from the use of an owner to the code that may not use it.
  private struct Step {
    let id: InstanceID
    let place: Ref
    let isDirect: Bool
  }

  private mutating func addCause(_ use: Use, at step: Step, _ wrong: OwnedUse.Case) {
    let body = solver.instance(step.id).key.body
    let key = CauseKey(body: body, owner: wrong.owner)
    guard let known = indicesOfCauses[key] else {
      indicesOfCauses[key] = causes.count
      causes.append(
        OffQueueCause(
          body: solver.bodies[body].place, place: step.place, kind: use.kind, owner: wrong.owner,
          executor: wrong.executor, isCaptured: callers.isCaptured(wrong.owner, by: step.id),
          isDirect: step.isDirect, deepest: use.node, others: []))
      return
    }
    causes[known].add(use, at: step.place, isDirect: step.isDirect)
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
