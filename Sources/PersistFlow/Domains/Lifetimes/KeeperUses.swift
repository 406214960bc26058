import PersistIndex
import PersistSyntax

/// A use of what a property keeps.
struct KeeperUse {
  let source: PlacedValue
  let node: Ref
  /// Whether it asks the object whether it is still there.
  var isLook = false
  /// Whether it asks for nothing that the store holds of the object.
  var isHarmless = true
}

/// What is done with the objects that a property keeps.
struct KeeperUses {
  private let keeper: Keeper
  private let values: ValueSources
  private var program: Program { values.program }
  private var bodies: Bodies { values.bodies }

  init(_ keeper: Keeper, _ values: ValueSources) {
    self.keeper = keeper
    self.values = values
  }

  /// The uses in code that ships.
  var all: [KeeperUse] {
    values.mentions.bodies(ofProperty: keeper.property).flatMap { id -> [KeeperUse] in
      guard !values.facts.isExempt(bodies[id].place) else { return [] }
      return bodies[id].steps.indices.compactMap { index in
        let step = bodies[id].steps[index]
        guard step.operation == .get, values.property(of: step, in: id) == keeper.property else {
          return nil
        }
        let source = values.value(Value(truncatingIfNeeded: index), in: id)
        var use = KeeperUse(source: source, node: bodies[id].ref(step))
        // A value may come back in a loop.
        var seen: Set<PlacedValue> = [source]
        var pending = [source]
        while let next = pending.popLast() {
          pending += follow(next, &use).filter { seen.insert($0).inserted }
        }
        return use
      }
    }
  }

  /// Notes what is done with a value; the values in which it goes on.
  private func follow(_ source: PlacedValue, _ use: inout KeeperUse) -> [PlacedValue] {
    let body = source.body
    if body.blocks.contains(where: { $0.terminator == .return(source.value) }) {
      use.isHarmless = false
    }
    var found: [PlacedValue] = []
    for (index, step) in body.steps.enumerated()
    where body.operands(of: step).contains(source.value)
      || step.operation == .call && body.calls[Int(step.index)].takes(source.value)
    {
      let next = source.with(Value(truncatingIfNeeded: index))
      switch step.operation {
      case .isNil, .receiverAfter, .setElement, .isType, .isCase: continue
      case .store:
        found += values(in: source.id) { $0.operation == .load && $0.index == step.index }
      case .payload where step.name != keeper.payload: continue
      case .unwrap, .cast, .await, .getElement, .next, .payload: found.append(next)
      case .closure:
        guard let place = body.operands(of: step).firstIndex(of: source.value) else { continue }
        let index = place - body.operands(of: step).startIndex - 1
        found += values(in: step.index) { $0.operation == .capture && Int($0.index) == index }
      case .get:
        if Frameworks.looks.contains(step.name) { use.isLook = true }
        if step.name == keeper.part.map({ program.properties[$0].name }) ?? .none
          || Frameworks.endsOfLists.contains(step.name)
        {
          found.append(next)
        } else if !isHarmless(step.name), !isEmptyWhenGone(step.name, at: body.ref(step)) {
          use.isHarmless = false
        }
      case .set where step.isWriteBack || isCopied(source, by: step): continue
      case .call: found += follow(intoCall: body.calls[Int(step.index)], next, source, &use)
      default: use.isHarmless = false
      }
    }
    return found
  }

  /// The values of some steps of a body.
  private func values(in id: BodyID, where isMeant: (Instruction) -> Bool) -> [PlacedValue] {
    bodies[id].steps.indices.filter { isMeant(bodies[id].steps[$0]) }
      .map { values.value(Value(truncatingIfNeeded: $0), in: id) }
  }

  /// Whether a value is put elsewhere as it is, and not into a relationship: who reads it there is
  /// that property's matter.
  private func isCopied(_ source: PlacedValue, by step: Instruction) -> Bool {
    guard source.body.operands(of: step).first != source.value,
      let id = values.property(of: step, in: source.id), let owner = program.properties[id].owner
    else { return false }
    return !program.isModel(owner)
  }

  /// Whether a member asks the store for nothing of an object.
  private func isHarmless(_ name: Name) -> Bool {
    if name == Frameworks.identity {
      guard case .property(let id)? = values.facts.member(name, of: keeper.model) else {
        return true
      }
      return program.properties[id].isComputed
    }
    return Frameworks.looks.contains(name) || Frameworks.safeMembers.contains(name)
      || Frameworks.countingMembers.contains(name)
  }

  /// Whether Core Data has an empty value for what a member of a gone object is made of.
  private func isEmptyWhenGone(_ name: Name, at node: Ref, isInGetter: Bool = false) -> Bool {
    guard program.isManagedClass(keeper.model),
      case .property(let id)? = values.facts.member(name, of: keeper.model)
    else { return false }
    guard program.properties[id].isComputed else {
      return !program.mayCrash(readingGone: id, at: node)
    }
    guard !isInGetter, let made = values.facts.getter(of: id) else { return false }
    let body = bodies[made]
    let isHandedOn = body.calls.contains { site in
      ([site.receiver] + site.arguments.map(\.value)).contains {
        $0 >= 0 && body.steps[Int($0)].operation == .selfValue
      }
    }
    // What a closure in it does isn't looked at.
    let hasClosures = body.steps.contains { $0.operation == .closure }
    return !isHandedOn && !hasClosures
      && body.steps.allSatisfy { step in
        step.operation != .get || !body.isOfSelf(step)
          || isEmptyWhenGone(step.name, at: body.ref(step), isInGetter: true)
      }
  }

  /// Notes what a call does with a value: a method of a list hands it to a closure, one of a view only
  /// compares it.
  private func follow(
    intoCall site: CallSite, _ next: PlacedValue, _ source: PlacedValue, _ use: inout KeeperUse
  ) -> [PlacedValue] {
    guard site.receiver == source.value, !site.callsValue else {
      if !Frameworks.comparing.contains(site.name), !isSelection(source, of: site, at: next.node) {
        use.isHarmless = false
      }
      return []
    }
    if Frameworks.mutatingMethods.contains(site.name) { return [] }
    let isSame =
      Words.sameElementMethods.contains(site.name) || Words.oneElementMethods.contains(site.name)
    guard
      keeper.isMany
        ? isSame || Frameworks.askingMethods.contains(site.name)
          || Words.elementMethods.contains(site.name) && source.body.handsClosures(to: site)
        : Frameworks.mapsOfOptionals.contains(site.name)
    else {
      use.isHarmless = false
      return []
    }
    let closures = site.arguments.filter { $0.value >= 0 }
      .map { source.body.steps[Int($0.value)] }.filter { $0.operation == .closure }
    return closures.flatMap { code in values(in: code.index) { $0.operation == .parameter } }
      + (isSame && keeper.isMany ? [next] : [])
  }

  /// Whether a view of the framework gets a value as what is selected, and so only compares it.
  private func isSelection(_ source: PlacedValue, of site: CallSite, at call: Ref) -> Bool {
    guard case .externalInitializer = values.facts.target(call) else { return false }
    return site.arguments.allSatisfy {
      $0.value != source.value || $0.label == Frameworks.selection
    }
  }
}

extension Body {
  /// Whether all arguments of a call are closures that stand there.
  fileprivate func handsClosures(to site: CallSite) -> Bool {
    site.arguments.allSatisfy { $0.value >= 0 && steps[Int($0.value)].operation == .closure }
  }
}

extension CallSite {
  /// Whether a call is made on a value, or gets it.
  fileprivate func takes(_ value: Value) -> Bool {
    receiver == value || arguments.contains { $0.value == value }
  }
}
