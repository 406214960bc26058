import PersistIndex
import PersistSyntax

/// Which contexts of a framework may be meant at a place, on all ways to it.
package struct Contexts: Sendable, Equatable {
  package fileprivate(set) var known: Set<Owner> = []
  /// Whether it may be others as well.
  package fileprivate(set) var isOpen = false

  /// The context, where it can be only one.
  package var only: Owner? { isOpen || known.count != 1 ? nil : known.first }

  /// Whether each context has a queue of its own.
  package var arePrivate: Bool {
    !isOpen && !known.isEmpty && known.allSatisfy { $0.home == .own }
  }

  /// Whether they surely are others than a context.
  package func areSurelyOthers(than context: Owner) -> Bool {
    !isOpen && known.allSatisfy { $0.isSurelyOther(than: context) }
  }

  fileprivate mutating func formUnion(_ other: Contexts) {
    known.formUnion(other.known)
    isOpen = isOpen || other.isOpen
  }
}

extension Contexts {
  /// The contexts that a value is, or whose objects it is.
  init(_ value: OriginsID, in solver: Solver, of framework: Owner.Framework) {
    isOpen = solver.table[value].isOpen
    for origin in solver.table.members(value) {
      switch origin {
      case .owner(let owner), .managed(let owner):
        guard owner.framework == framework else { continue }
        known.insert(owner.asMade)
        // What a caller hands over that nobody sees may be any context.
        if owner.isGiven || owner.home == .unknown && framework == .coreData { isOpen = true }
      case .null: continue
      default: isOpen = true
      }
    }
  }
}

/// A context that gets a parent, on one way.
package struct ContextLink: Sendable, Equatable {
  /// The `parent` that is set.
  package let node: Ref
  package let child: Contexts
  package let parent: Contexts
}

/// What the code does with contexts of a framework, by place.
package struct ContextFacts: Sendable {
  private typealias Places = [Ref: Contexts]
  private let framework: Owner.Framework
  private var places: [Use.Kind: Places] = [:]
  /// The contexts that get parents, in source order.
  package private(set) var links: [ContextLink] = []
  /// The contexts that have one coordinator with another: it was given to both, or read from that.
  package private(set) var sharing: Set<Owner> = []
  /// The contexts that some way surely saves, whatever others save there, with the first place.
  package private(set) var savedAlone: [Owner: Ref] = [:]
  /// Those that were given a coordinator, by the call that makes it.
  private var given: [Ref: Set<Owner>] = [:]
  /// Those that were given one which nothing keeps, and no other context has.
  private var alone: Set<Owner> = []
  /// Whether contexts get parents, or merge policies, that can't be told.
  package private(set) var hasUnreadLinks = false
  package private(set) var hasUnreadPolicies = false
  /// Calls that may save a context and were not looked at.
  package private(set) var hasUnreadSaves = false
  /// The changes that nothing saves, in source order.
  package private(set) var lost: [LostChange] = []
  /// The contexts that properties keep, or objects of them.
  private var kept: Set<Owner> = []
  /// The contexts that code which can't be read gets, or objects of them.
  private var handed: Set<Owner> = []
  /// The contexts that are asked for stored objects.
  private var asked: Set<Owner> = []
  /// The functions and getters that return a context or an object of it.
  private var returned: [Owner: Set<Ref>] = [:]

  /// No contexts at all.
  init(of framework: Owner.Framework) { self.framework = framework }

  init(_ solver: Solver, of framework: Owner.Framework) {
    self.framework = framework
    guard solver.isComplete else { return }
    kept = Set(solver.keptOwners().map(\.asMade))
    let reached = solver.reached().map(\.id)
    for id in reached {
      let instance = solver.instance(id)
      for use in instance.uses { add(use, solver) }
      let body = solver.bodies[instance.key.body]
      guard body.kind == .function || body.kind == .getter else { continue }
      for owner in solver.owners(in: instance.result) {
        returned[owner.asMade, default: []].insert(body.place)
      }
    }
    links.sort { $0.node < $1.node }
    for contexts in given.values where contexts.count > 1 { sharing.formUnion(contexts) }
    let held = given.isEmpty ? [] : solver.keptHolders()
    for (site, contexts) in given where contexts.count == 1 && !held.contains(site) {
      alone.formUnion(contexts.subtracting(kept))
    }
    if framework == .coreData { addUnread(solver) }
    findLost(solver, reached)
  }

  /// Looks for changes that nothing saves, of contexts that no code gets which can't be read.
  private mutating func findLost(_ solver: Solver, _ reached: [InstanceID]) {
    var changes = LostChanges(solver, reached, of: framework)
    lost = changes.all.compactMap { change in
      let context = change.context
      guard mayBeLost(context) else { return nil }
      let isKept = kept.contains(context) || context.site == nil || context.isExecutors
      let places = returned[context] ?? []
      let isLeft = isKept && !hasUnreadSaves && changes.isLeftBehind(change)
      let isLost =
        isKept
        ? isLeft || !hasUnreadSaves && changes.isLeftOut(change)
        : changes.isLost(change, returned: places)
      let isSavedOnOthers =
        !isLost && !isKept && places.isEmpty && changes.isLeftOnSomeWay(change)
      guard isLost || isSavedOnOthers else { return nil }
      let isHandedOut = context.site.map { site in
        places.contains { solver.program.contains($0, site) }
      }
      return LostChange(
        node: change.node, context: context, isKept: isKept, isSavedElsewhere: isLeft,
        isSavedOnOthers: isSavedOnOthers,
        isHandedOut: isHandedOut ?? false, method: changes.method(leadingTo: change))
    }
  }

  /// Whether a context doesn't save by itself, has no parent, forgets nothing, and goes to no code
  /// that can't be read.
  private func mayBeLost(_ context: Owner) -> Bool {
    func isOne(_ kind: Use.Kind) -> Bool {
      (places[kind] ?? [:]).values.contains { $0.isOpen || $0.known.contains(context) }
    }
    // The main context of SwiftData saves by itself.
    let isMade = context.site != nil && !context.isGiven
    return (isMade || framework == .coreData && context.home == .main)
      && !handed.contains(context) && !isOne(.discard) && !isOne(.autosave)
      && !links.contains { $0.child.isOpen || $0.child.known.contains(context) }
  }

  /// The contexts that are used at a place.
  package func used(at node: Ref) -> Contexts { places[.context]?[node] ?? .unknown }

  /// Whether the contexts that are used at a place were made for that with stores of their own, so that
  /// no other context has objects of these.
  package func haveOwnStores(at node: Ref) -> Bool {
    let contexts = used(at: node)
    return !contexts.isOpen && !contexts.known.isEmpty && contexts.known.isSubset(of: alone)
  }

  /// The contexts that are told of changes by a call.
  package func merged(by call: Ref) -> Contexts { places[.merge]?[call] ?? .unknown }

  /// The places where contexts are saved, in source order.
  package var saves: [(node: Ref, contexts: Contexts)] { sorted(.save) }

  /// The places where contexts or their objects are changed, in source order.
  package var changes: [(node: Ref, contexts: Contexts)] { sorted(.change) }

  /// The contexts that get a merge policy.
  package var withPolicy: Contexts {
    var all = Contexts(isOpen: hasUnreadPolicies)
    for (_, contexts) in places[.policy] ?? [:] { all.formUnion(contexts) }
    return all
  }

  /// Whether a context, or an object of it, outlives a function or goes to code that can't be read.
  package func leaves(_ context: Owner, _ function: Ref) -> Bool {
    kept.contains(context) || handed.contains(context)
      || returned[context]?.contains(function) ?? false
  }

  /// Whether some code may insert, change or delete objects of a context.
  package func mayBeChanged(_ context: Owner) -> Bool {
    handed.contains(context)
      || (places[.change] ?? [:]).values.contains { changed in
        changed.known.contains { $0.site == context.site }
      }
  }

  /// Whether some code may ask a context for objects that are stored already.
  package func isAskedForObjects(_ context: Owner) -> Bool {
    asked.contains(context) || handed.contains(context)
  }

  private func sorted(_ kind: Use.Kind) -> [(node: Ref, contexts: Contexts)] {
    (places[kind] ?? [:]).map { ($0, $1) }.sorted { $0.node < $1.node }
  }

  private mutating func add(_ use: Use, _ solver: Solver) {
    switch use.kind {
    case .context, .save, .change, .policy, .merge, .discard, .autosave:
      let found = Contexts(use.value, in: solver, of: framework)
      places[use.kind, default: [:]][use.node, default: Contexts()].formUnion(found)
      if use.kind == .save, let saved = found.only, solver.program.isRun(use.node) {
        savedAlone[saved] = min(savedAlone[saved] ?? use.node, use.node)
      }
      if use.kind == .context, Frameworks.gettingMethods.contains(solver.program.name(use.node)) {
        asked.formUnion(found.known)
      }
    case .parent:
      let link = ContextLink(
        node: use.node, child: Contexts(use.value, in: solver, of: framework),
        parent: Contexts(use.context, in: solver, of: framework))
      if !links.contains(link) { links.append(link) }
    case .coordinator:
      guard let context = Contexts(use.value, in: solver, of: framework).only else { return }
      if use.isHeld { sharing.insert(context) }
      for case .holder(_, let site, _) in solver.table.members(use.context) {
        given[site, default: []].insert(context)
      }
    case .handed: handed.formUnion(solver.owners(in: use.value).map(\.asMade))
    case .object, .deletion, .relation, .opening, .result: break
    }
  }

  /// Looks at what no run has come to.
  private mutating func addUnread(_ solver: Solver) {
    let program = solver.program
    func isUnread(_ name: Name, _ isRead: (Ref) -> Bool) -> Bool {
      program.uses(of: [name]).contains { use in
        program.isAssignmentTarget(use) && !program.isExempt(use) && !isRead(use)
          && solver.facts.isMemberOfContext(use)
      }
    }
    let linked = Set(links.map(\.node))
    hasUnreadLinks = isUnread(Frameworks.parentOfContext) { linked.contains($0) }
    let policies = places[.policy] ?? [:]
    hasUnreadPolicies = isUnread(Frameworks.mergePolicy) { policies[$0] != nil }
    let saved = places[.save] ?? [:]
    hasUnreadSaves = program.calls(named: Frameworks.saving).contains { call in
      guard let called = program.calledNode(call), saved[called] == nil, !program.isExempt(call)
      else { return false }
      if case .functions = program.callTarget(call) { return false }
      return program.kind(called) != .member || solver.facts.isMemberOfContext(called)
    }
  }
}

extension Owner {
  /// The context by the place that makes it, whoever calls that on whatever thread.
  fileprivate var asMade: Owner {
    var owner = whicheverCall
    if case .actor = home { return owner }
    if framework == .swiftData, site != nil { owner.home = .unknown }
    return owner
  }

  /// The background context that a call makes.
  package static func background(madeBy call: Ref) -> Owner {
    Owner(framework: .coreData, home: .own, site: call)
  }
}

extension Contexts {
  /// Contexts of which nothing is known.
  static let unknown = Contexts(isOpen: true)
}
