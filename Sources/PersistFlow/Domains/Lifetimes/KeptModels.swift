import PersistIndex
import PersistSyntax

/// A stored property that still refers to objects after other code has deleted them.
package struct KeptModel: Sendable {
  package let property: PropertyID
  package let model: TypeID
  package let removal: ModelRemoval
  /// The call of the owner's own that leads to the deletion and waits for it; the deletion itself
  /// where other code begins it.
  package let cause: Ref
  /// The uses of what is kept, in source order.
  package let reads: [Ref]
}

extension KeptModel {
  /// How much of what is kept goes, and how soon it is read: what deletes everything before what
  /// deletes some while the owner waits, and that before what other code does at some time.
  fileprivate var gravity: Int { removal.isOfAll ? 2 : cause == removal.place ? 0 : 1 }
}

/// The properties that keep models, against what deletes these.
final class KeptModels {
  private(set) var all: [KeptModel] = []
  private let values: ValueSources
  private let removals: [ModelRemoval]
  private var paths: [BodyID: BlockPaths] = [:]
  private var callers: [BodyID: [Caller]] = [:]
  private var taken: [TypeID: Set<TypeID>] = [:]
  private var program: Program { values.program }
  private var bodies: Bodies { values.bodies }
  private var facts: ProgramFacts { values.facts }

  private struct Caller {
    let call: Ref
    let body: BodyID
    let isAwaited: Bool
  }

  init(_ values: ValueSources, _ removals: ModelRemovals, mayRun: (Ref) -> Bool) {
    self.values = values
    self.removals = removals.all.filter { mayRun($0.place) }
    guard !self.removals.isEmpty else { return }
    let contexts = removals
    let listeners = types(using: Frameworks.listening)
    for keeper in Keepers(program).all {
      let owner = program.properties[keeper.property].owner
      if let owner, listeners.contains(owner) { continue }
      if let found = check(keeper, contexts) { all.append(found) }
    }
  }

  /// The types whose code uses one of some names.
  private func types(using names: Set<Name>) -> Set<TypeID> {
    Set(
      program.uses(of: names).compactMap { program.enclosingType($0) }
        .map { program.resolveAlias($0) })
  }

  /// The gravest of what may leave a property with deleted objects, the first in the sources of
  /// several alike; nil where code looks whether they still exist.
  private func check(_ keeper: Keeper, _ contexts: ModelRemovals) -> KeptModel? {
    let owner = program.properties[keeper.property].owner
    // What is made for one model goes with it.
    if case .declared = program.type(ofProperty: keeper.property),
      !(owner.map { program.isShared($0) } ?? false), fills.fetches(into: keeper).isEmpty
    {
      return nil
    }
    lazy var hears = owner.map { hearing.mayRenew(keeper.property, of: $0) } ?? false
    lazy var uses = KeeperUses(keeper, values).all
    var gravest: KeptModel?
    for removal in removals
    where isMeant(keeper, by: removal, contexts) && (removal.isOfAll || !hears)
      && program.mayShareProcess(removal.place, program.properties[keeper.property].ref)
    {
      guard let body = facts.body(around: removal.place),
        !keeper.isOfController
          || removal.isOfAll && controllers.keeps(keeper.property)
            && !controllers.leavesScreens(body)
      else { continue }
      guard !uses.contains(where: \.isLook) else { return nil }
      guard
        let cause = removal.isOfAll
          ? isEndangered(keeper, removal, body) ? removal.place : nil
          : waitingCause(keeper, removal, body) ?? otherCause(keeper, removal, body)
      else { continue }
      let isAsked = !runsByItself(removal, body)
      let reads = uses.filter { use in
        !use.isHarmless && !isRenewed(keeper.property, before: use.source)
          && (keeper.view == nil
            ? !isAsked || isShown(use.source.id, keeper, removal)
            : screens.rendersAgain(use.source.id))
      }
      guard !reads.isEmpty else { continue }
      let kept = KeptModel(
        property: keeper.property, model: keeper.model, removal: removal, cause: cause,
        reads: reads.map(\.node).sorted())
      if gravest.map({ kept.gravity > $0.gravity }) ?? true { gravest = kept }
    }
    return gravest
  }

  // MARK: What is deleted

  /// Whether what is kept may be among what is deleted.
  private func isMeant(_ keeper: Keeper, by removal: ModelRemoval, _ contexts: ModelRemovals)
    -> Bool
  {
    switch removal.extent {
    case .all(let model): return holds(keeper, model)
    case .container: return !program.isManagedClass(keeper.model)
    case .context(let ref, let name):
      return program.isManagedClass(keeper.model)
        && fills.fetches(into: keeper).contains { site, body in
          contexts.contextName(of: site, in: body).map { $0 == (ref, name) } ?? false
        }
    case .own, .related: return false
    // Core Data hands out nothing for most values of a single object that is gone.
    case .found(let model):
      return (keeper.isSelection || !program.isManagedClass(model)) && holds(keeper, model)
    case .given(let model):
      return holds(keeper, model) && (keeper.isSelection || fills.isFilled(keeper))
    }
  }

  /// Whether objects of the kept class itself are deleted, not only what they belong to.
  private func isNamed(_ keeper: Keeper, by removal: ModelRemoval) -> Bool {
    removal.model.map { program.lineage(of: keeper.model).contains(program.resolveAlias($0)) }
      ?? true
  }

  private func holds(_ keeper: Keeper, _ model: TypeID) -> Bool {
    let taken = taken(with: program.resolveAlias(model))
    return program.lineage(of: keeper.model).contains { taken.contains($0) }
  }

  /// A class with those whose objects its rules of deletion take along.
  private func taken(with model: TypeID) -> Set<TypeID> {
    if let known = taken[model] { return known }
    var found: Set<TypeID> = [model]
    var pending = [model]
    while let next = pending.popLast() {
      for id in program.modelProperties(of: next) where program.cascades(id) {
        guard let child = program.destination(of: id), fills.mayHoldObjects(id, of: next) else {
          continue
        }
        if found.insert(child).inserted { pending.append(child) }
      }
    }
    taken[model] = found
    return found
  }

  // MARK: Who is there meanwhile

  /// Whether the owner may be there while all is deleted, and nothing lets go of what it keeps.
  private func isEndangered(_ keeper: Keeper, _ removal: ModelRemoval, _ body: BodyID) -> Bool {
    mayLive(keeper, removal, body) && !isCleared(keeper, by: removal, in: body)
  }

  /// Whether the owner may be there when a person, or code by itself, has objects deleted.
  private func mayLive(_ keeper: Keeper, _ removal: ModelRemoval, _ body: BodyID) -> Bool {
    guard let owner = program.properties[keeper.property].owner else { return true }
    if keeper.view == nil {
      return !screens.isKnown || screens.hold(owner) || runsByItself(removal, body)
    }
    return isReached(from: owner, body) || screens.contains(owner)
      || runsByItself(removal, body)
  }

  /// Whether something other than a person's wish has objects deleted, while any screen is open;
  /// what the app begins when it starts is left out for what comes `later`.
  private func runsByItself(_ removal: ModelRemoval, _ body: BodyID, later: Bool = false) -> Bool {
    var seen: Set<BodyID> = []
    return !program.isAskedFor(removal.place) && begins(body, later, &seen)
  }

  /// Whether code runs by itself: when a screen appears, when something happens, or because a
  /// framework calls it.
  private func begins(_ body: BodyID, _ later: Bool, _ seen: inout Set<BodyID>) -> Bool {
    guard seen.insert(body).inserted else { return false }
    let outer = bodies[values.outermost(body)]
    if let isEvent = screens.isEvent(body) {
      return isEvent && !(later && outer.owner.map { screens.isRoot($0) } ?? false)
    }
    guard let function = outer.function else { return outer.kind != .getter }
    if outer.kind == .initializer {
      // What launch does is over before there is a screen.
      return outer.owner.map { !screens.isRoot($0) } ?? true
    }
    let callers = callers(of: body)
    guard callers.isEmpty else {
      return callers.contains { begins($0.body, later, &seen) }
    }
    let isView = outer.owner.map { program.inherits($0, from: Frameworks.view) } ?? false
    return !isView && program.mayBeCalledByOthers(function)
  }

  private lazy var fills = KeeperFills(values)
  private lazy var screens = LastingScreens(values)
  private lazy var hearing = Hearing(values)
  private lazy var controllers = Controllers(values)

  private func isReached(from owner: TypeID, _ body: BodyID) -> Bool {
    ways(to: body).contains {
      bodies[values.outermost($0)].owner.map { program.resolveAlias($0) } == owner
    }
  }

  /// A body with those that call the function it stands in.
  private func ways(to body: BodyID) -> Reach<BodyID> {
    Reach(from: body) { self.callers(of: $0).map(\.body) }
  }

  /// The calls of the function that a body stands in.
  private func callers(of body: BodyID) -> [Caller] {
    let outer = values.outermost(body)
    if let known = callers[outer] { return known }
    var found: [Caller] = []
    if let function = bodies[outer].function {
      found = program.callers(of: function).compactMap { call in
        values.callSite(at: call).map { Caller(call: call, body: $0.0, isAwaited: $0.1.isAwaited) }
      }
    }
    callers[outer] = found
    return found
  }

  /// Whether a property gets another value where a deletion stands, or where that is called: all
  /// callers have to see to it where all objects go; of a single one some are told.
  private func isCleared(_ keeper: Keeper, by removal: ModelRemoval, in body: BodyID) -> Bool {
    ways(to: body).surely { isCleared(keeper, in: $0) }
  }

  private func isCleared(_ keeper: Keeper, in body: BodyID) -> Bool {
    let outer = values.outermost(body)
    let others = otherActions(than: body, on: keeper.property)
    let assigned =
      others.isEmpty
      ? facts.assignedDeeply(by: outer) : facts.assignedDeeply(by: outer, besides: others)
    if assigned.contains(keeper.property) || tells(outer, keeper.property) { return true }
    if !values.bindings(to: keeper.property).isDisjoint(with: assigned) { return true }
    return program.properties[keeper.property].owner.map {
      !hearing.sources(of: keeper.property, in: $0).isDisjoint(with: assigned)
    } ?? false
  }

  /// The closures beside the one around a body that a person's other actions run and in which a
  /// property surely gets no other value than an object.
  private func otherActions(than body: BodyID, on property: PropertyID) -> Set<BodyID> {
    var around: Set<BodyID> = [body]
    var next = body
    while let maker = values.mentions.maker(ofClosure: next), around.insert(maker).inserted {
      next = maker
    }
    return Set(
      facts.withClosures(values.outermost(body)).filter { id in
        !around.contains(id) && bodies[id].kind == .closure && screens.isEvent(id) == false
          && !bodies[id].steps.contains { step in
            guard sets(step, in: id, property), step.operation == .set,
              let value = bodies[id].operands(of: step).last, value >= 0
            else { return false }
            return [.none, .array].contains(bodies[id].steps[Int(value)].operation)
          }
      })
  }

  /// Whether code tells others, who may let go of what a property keeps.
  private func tells(_ body: BodyID, _ property: PropertyID) -> Bool {
    facts.withClosures(body).contains { id in
      bodies[id].calls.contains { site in
        guard Frameworks.telling.contains(site.name) else { return false }
        let name = site.arguments.first.flatMap { bodies[id].name(ofNotification: $0.value) }
        guard site.name == Frameworks.posting, let name else { return true }
        return hearing.mayRenew(property, at: name)
      }
    }
  }

  /// Whether code may read what is kept after a person has had objects deleted elsewhere: a single
  /// one is read by the screens that stay, and by what belongs to none.
  private func isShown(_ body: BodyID, _ keeper: Keeper, _ removal: ModelRemoval) -> Bool {
    guard !screens.isOver(body) else { return false }
    guard keeper.isSelection, !removal.isOfAll else { return true }
    return bodies[values.outermost(body)].owner.map { owner in
      screens.contains(owner) || !program.inherits(owner, from: Frameworks.view)
    } ?? false
  }

  // MARK: Single objects

  /// The owner's own call that has objects deleted and waits, while the property still holds them:
  /// what shows them reads them before they are fetched again.
  private func waitingCause(_ keeper: Keeper, _ removal: ModelRemoval, _ body: BodyID) -> Ref? {
    // What code is given is the owner's own object where the owner gives it.
    if removal.isOfGiven, fills.fetches(into: keeper).isEmpty { return nil }
    let owner = program.properties[keeper.property].owner
    func isOwn(_ caller: Caller) -> Bool { bodies[values.outermost(caller.body)].owner == owner }
    return Reach(from: body) { code in
      removal.isOfGiven ? [] : self.callers(of: code).filter { !isOwn($0) }.map(\.body)
    }.first { code in
      callers(of: code).first {
        isOwn($0) && $0.isAwaited && keepsMeanwhile(keeper.property, $0)
      }?.call
    }
  }

  /// Whether a property is neither emptied before a call nor set right behind it, with no further
  /// wait.
  private func keepsMeanwhile(_ property: PropertyID, _ caller: Caller) -> Bool {
    guard !facts.assignedDeeply(byCallAt: caller.call).contains(property) else { return false }
    let body = bodies[caller.body]
    let waits = body.calls.filter { $0.isAwaited && $0.node != caller.call.node }
    return !body.steps.contains { step in
      guard sets(step, in: caller.body, property) else { return false }
      return !waits.contains { wait in
        wait.node > caller.call.node && wait.node < step.node
          && (step.operation != .closure || !values.hands(step.index, to: wait, in: caller.body))
      }
    }
  }

  /// Whether a step gives a property another value by itself, by what it calls, or in a closure
  /// that it makes.
  private func sets(_ step: Instruction, in id: BodyID, _ property: PropertyID) -> Bool {
    switch step.operation {
    case .set:
      facts.isChange(step, in: bodies[id]) && values.property(of: step, in: id) == property
    case .closure: facts.assignedDeeply(by: step.index).contains(property)
    case .call:
      !bodies[id].calls[Int(step.index)].isAwaited && assigns(step, in: bodies[id], property)
    default: false
    }
  }

  private func assigns(_ step: Instruction, in body: Body, _ property: PropertyID) -> Bool {
    facts.assignedDeeply(byCallAt: body.ref(step)).contains(property)
  }

  /// Other code that deletes some of a list that was fetched once, or that finds by itself what a
  /// long-lived object keeps.
  private func otherCause(_ keeper: Keeper, _ removal: ModelRemoval, _ body: BodyID) -> Ref? {
    let isSelf = runsByItself(removal, body, later: keeper.view != nil)
    // What a cascade takes along a person sees go with what it belongs to.
    let isDue =
      keeper.isMany
      ? (isSelf || keeper.view == nil && isNamed(keeper, by: removal)) && fills.isFilled(keeper)
      : keeper.isSelection
        && (isSelf && !removal.isOfGiven || isOfOtherTab(keeper, removal)
          || isOutOfSight(keeper, removal))
    guard isDue,
      program.enclosingType(removal.place).map({ program.resolveAlias($0) })
        != program.properties[keeper.property].owner,
      isEndangered(keeper, removal, body)
    else { return nil }
    return removal.place
  }

  /// Whether a person deletes an object on a screen that stays beside others, and that knows nothing
  /// of a selection.
  private func isOfOtherTab(_ keeper: Keeper, _ removal: ModelRemoval) -> Bool {
    guard screens.hasTabs,
      let screen = program.enclosingType(removal.place).map({ program.resolveAlias($0) }),
      screens.contains(screen)
    else { return false }
    return !program.uses(of: [program.properties[keeper.property].name]).contains { use in
      program.enclosingType(use).map { program.resolveAlias($0) } == screen
    }
  }

  /// Whether a person has an object deleted by code that doesn't know the one object of the app which
  /// keeps it.
  private func isOutOfSight(_ keeper: Keeper, _ removal: ModelRemoval) -> Bool {
    guard program.isAskedFor(removal.place) || program.isViewCode(removal.place),
      let owner = program.properties[keeper.property].owner, program.isShared(owner),
      let code = program.enclosingType(removal.place).map({ program.resolveAlias($0) })
    else { return false }
    let names = [program.types[owner].name, program.properties[keeper.property].name]
    return !program.uses(of: Set(names)).contains { use in
      program.enclosingType(use).map { program.resolveAlias($0) } == code
    }
  }

  // MARK: Uses

  /// Whether a property gets another value on every way to a use.
  private func isRenewed(_ property: PropertyID, before use: PlacedValue) -> Bool {
    Reach(from: use) { use in
      if let made = self.making(of: use.id) { return [made] }
      guard let function = use.body.function else { return [] }
      let calls = self.program.callers(of: function).compactMap { self.value(ofCall: $0) }
      let isSeen = self.program.functions[function].isPrivate || self.isLocal(function)
      return isSeen || calls.allSatisfy({ $0.body.kind == .initializer }) ? calls : []
    }.surely { isSet(property, before: $0) || isNew(property, in: $0) }
  }

  /// Whether a property gets another value in the body of a use on every way to it.
  private func isSet(_ property: PropertyID, before use: PlacedValue) -> Bool {
    guard let block = use.block else { return false }
    let body = use.body
    let known = paths[use.id] ?? BlockPaths(body)
    paths[use.id] = known
    return body.steps.indices.contains { index in
      let step = body.steps[index]
      let isSetter =
        step.operation == .set
        ? values.property(of: step, in: use.id) == property && facts.isChange(step, in: body)
        : step.operation == .call && assigns(step, in: body, property)
      let source = use.with(Value(truncatingIfNeeded: index))
      guard index != use.value, isSetter, let place = source.block else { return false }
      return place == block ? index < use.value : known.isBefore(place, block)
    }
  }

  /// Whether a use stands in the initializer of an object that is made with what a property keeps.
  private func isNew(_ property: PropertyID, in use: PlacedValue) -> Bool {
    use.body.kind == .initializer && use.body.owner == program.properties[property].owner
      && program.properties[property].initializer != nil
  }

  /// Where a closure is made.
  private func making(of closure: BodyID) -> PlacedValue? {
    values.mentions.maker(ofClosure: closure).flatMap { maker in
      bodies[maker].steps.firstIndex { $0.operation == .closure && $0.index == closure }
        .map { values.value(Value(truncatingIfNeeded: $0), in: maker) }
    }
  }

  private func value(ofCall call: Ref) -> PlacedValue? {
    guard let (id, site) = values.callSite(at: call),
      let step = bodies[id].steps.firstIndex(where: {
        $0.operation == .call && bodies[id].calls[Int($0.index)].node == site.node
      })
    else { return nil }
    return values.value(Value(truncatingIfNeeded: step), in: id)
  }

  private func isLocal(_ function: FunctionID) -> Bool {
    let place = program.functions[function].ref
    return bodies.unit(of: place) != place
  }
}

extension ModelRemoval {
  /// Whether it deletes what its code is given: who gives that knows of it.
  fileprivate var isOfGiven: Bool {
    if case .given = extent { true } else { false }
  }

  /// Whether it leaves nothing of what it speaks of.
  var isOfAll: Bool {
    switch extent {
    case .all, .context, .container: true
    case .found, .given, .own, .related: false
    }
  }
}

extension Program {
  /// The properties that still refer to deleted objects, in source order.
  package var keptModels: [KeptModel] { removed.kept }

  /// The places that delete objects, in source order.
  package var modelRemovals: [ModelRemoval] { removed.removals }

  private var removed: Removed {
    index.once {
      let values = ValueSources(self)
      let removals = ModelRemovals(values)
      let kept = KeptModels(values, removals) { self.mayRun($0) }
      return Removed(kept: kept.all, removals: removals.all)
    }
  }

  private struct Removed: Sendable {
    let kept: [KeptModel]
    let removals: [ModelRemoval]
  }
}
