import PersistIndex
import PersistSyntax

/// The calls by which types hear of what others tell, and what they do then to what they keep.
struct Hearing {
  private struct Ear {
    let site: CallSite
    let body: BodyID
    /// The closures that are called then.
    let closures: [BodyID]
  }

  private let values: ValueSources
  private var ears: [TypeID: [Ear]] = [:]
  private var bodies: Bodies { values.bodies }

  init(_ values: ValueSources) {
    self.values = values
    let program = values.program
    for id in values.mentions.bodies(namingAny: Frameworks.hearing) {
      guard let owner = program.enclosingType(bodies[id].place) else { continue }
      for site in bodies[id].calls where Frameworks.hearing.contains(site.name) {
        let ear = Ear(site: site, body: id, closures: closures(of: site, in: bodies[id]))
        ears[program.resolveAlias(owner), default: []].append(ear)
      }
    }
  }

  private func closures(of site: CallSite, in body: Body) -> [BodyID] {
    site.arguments.compactMap { argument in
      guard argument.value >= 0 else { return nil }
      let step = body.steps[Int(argument.value)]
      return step.operation == .closure ? step.index : nil
    }
  }

  /// Whether what a type hears may give its property another value: what can't be seen may.
  func mayRenew(_ property: PropertyID, of owner: TypeID) -> Bool {
    ears(of: owner).contains { ear in
      if ear.closures.isEmpty {
        return ear.site.name != Frameworks.publishing
          || !bodies[ear.body].calls.contains { Frameworks.subscribing.contains($0.name) }
      }
      return assigns(property, ear)
    }
  }

  /// Whether an observer of a notification may give a property another value, or have its owner go:
  /// what can't be seen may, and so may others where nobody in the sources hears of it.
  func mayRenew(_ property: PropertyID, at notification: Name) -> Bool {
    let owner = values.program.properties[property].owner
    let observers = ears.values.joined().filter { mayHear(notification, $0) }
    return observers.isEmpty
      || observers.contains { ear in
        guard let codes = code(of: ear) else { return true }
        return codes.contains { code in
          values.facts.assignedDeeply(by: code).contains {
            $0 == property || values.program.properties[$0].owner != owner
          }
        }
      }
  }

  /// Whether a call waits for a notification, or for one whose name can't be told.
  private func mayHear(_ notification: Name, _ ear: Ear) -> Bool {
    guard
      let given = ear.site.arguments.first(where: { Frameworks.namesHeard.contains($0.label) })
    else { return false }
    let name = bodies[ear.body].name(ofNotification: given.value)
    return name == notification
      || name == nil && bodies[ear.body].steps[Int(given.value)].operation != .keyPath
  }

  /// What runs when an observer hears of something; nil where that can't be seen.
  private func code(of ear: Ear) -> [BodyID]? {
    if !ear.closures.isEmpty { return ear.closures }
    guard ear.site.name == Frameworks.publishing else {
      return ear.site.name == Frameworks.waitingForNotifications ? [ear.body] : nil
    }
    let subscribed = bodies[ear.body].calls.filter { Frameworks.subscribing.contains($0.name) }
    return subscribed.isEmpty ? nil : subscribed.flatMap { closures(of: $0, in: bodies[ear.body]) }
  }

  /// The published properties with which a property is set anew at once.
  func sources(of property: PropertyID, in owner: TypeID) -> Set<PropertyID> {
    Set(
      ears(of: owner).compactMap { ear in
        let sets = ear.closures.contains { isSet(property, by: $0, of: owner) }
        return sets && Frameworks.subscribing.contains(ear.site.name)
          ? source(of: ear.site.receiver, in: ear.body) : nil
      })
  }

  private func ears(of owner: TypeID) -> [Ear] {
    values.program.lineage(of: owner).flatMap { ears[$0] ?? [] }
  }

  /// Whether code of a type sets a property by itself, or in what it calls and doesn't wait for.
  private func isSet(_ property: PropertyID, by id: BodyID, of owner: TypeID) -> Bool {
    Reach(from: id) { [values, bodies] id in
      bodies[id].calls.flatMap { site -> [BodyID] in
        guard !site.isAwaited, case .functions(let ids) = values.facts.target(bodies[id].ref(site))
        else { return [] }
        return ids.map { values.facts.implementation(of: $0, in: owner) ?? $0 }
          .compactMap { values.facts.body(of: $0) }
      }
    }.contains { values.facts.assigned(by: bodies[$0]).contains(property) }
  }

  private func assigns(_ property: PropertyID, _ ear: Ear) -> Bool {
    ear.closures.contains { values.facts.assignedDeeply(by: $0).contains(property) }
  }

  /// The property of which a member is the publisher: `store.$trips`.
  private func published(by node: Ref) -> PropertyID? {
    let program = values.program
    let text = program.nameText(node)
    guard text.hasPrefix("$"), let chain = program.parent(node), program.kind(chain) == .chain
    else { return nil }
    let isOwn = program.kind(node) == .name
    let owner = isOwn ? program.enclosingType(node).map { program.resolveAlias($0) } : nil
    let type = owner.map { .declared($0, []) } ?? program.type(ofChain: chain, upTo: node).unwrapped
    guard case .declared(let id, _) = type,
      case .property(let found)? = values.facts.member(Name(String(text.dropFirst())), of: id)
    else { return nil }
    return found
  }

  /// The property whose publisher a value is, unless a step on the way waits.
  private func source(of value: Value, in id: BodyID) -> PropertyID? {
    var value = value
    while value >= 0 {
      let step = bodies[id].steps[Int(value)]
      switch step.operation {
      case .get: return published(by: bodies[id].ref(step))
      case .call:
        let site = bodies[id].calls[Int(step.index)]
        guard Frameworks.passingAtOnce.contains(site.name) else { return nil }
        value = site.receiver
      default: return nil
      }
    }
    return nil
  }
}

extension Body {
  /// The name of a notification, where a value is a member that stands for one.
  func name(ofNotification value: Value) -> Name? {
    guard value >= 0, case let step = steps[Int(value)],
      [.implicitMember, .get].contains(step.operation)
    else { return nil }
    return step.name
  }
}
