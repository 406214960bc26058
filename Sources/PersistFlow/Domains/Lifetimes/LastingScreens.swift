import PersistIndex
import PersistSyntax

/// The views that stay while a person works on another one: the roots of the app and its tabs, with
/// what these are made of. A sheet is gone before that; what a link opens stays in its tab.
final class LastingScreens {
  private var views: Set<TypeID> = []
  /// Whether the sources make the views of an app.
  private(set) var isKnown = false
  /// Whether it has several screens at once.
  let hasTabs: Bool
  private let values: ValueSources
  private var program: Program { values.program }
  private var bodies: Bodies { values.bodies }

  init(_ values: ValueSources) {
    self.values = values
    let program = values.program
    let roots = program.types(inheritingFrom: Frameworks.roots).filter {
      [.structDecl, .classDecl].contains(program.types[$0].kind)
        && !program.isExempt(program.types[$0].ref)
    }
    isKnown = !roots.isEmpty
    hasTabs = Frameworks.screensBeside.contains { name in
      program.calls(named: name).contains { !program.isExempt($0) }
    }
    var pending = roots
    while let next = pending.popLast() {
      for view in parts(of: next, withLinks: hasTabs) where views.insert(view).inserted {
        pending.append(view)
      }
    }
  }

  /// Whether a type is the app itself.
  func isRoot(_ type: TypeID) -> Bool {
    Frameworks.roots.contains { program.inherits(type, from: $0) }
  }

  func contains(_ view: TypeID) -> Bool { views.contains(program.resolveAlias(view)) }

  /// The views that a view or app shows as long as it is there itself.
  private func parts(of type: TypeID, withLinks: Bool) -> [TypeID] {
    let declaration = program.types[type]
    let own =
      declaration.functions.compactMap { values.facts.body(of: $0) }
      + declaration.properties.flatMap { id in
        [values.facts.getter(of: id), values.facts.initialValue(of: id)].compactMap { $0 }
      }
    return own.flatMap { values.facts.withClosures($0) }.flatMap { id -> [TypeID] in
      let body = bodies[id]
      return body.steps.indices.compactMap { index in
        let step = body.steps[index]
        guard step.operation == .call,
          case .initializer(let made, _) = values.facts.target(body.ref(step)),
          program.inherits(made, from: Frameworks.view), !isPassing(id, withLinks),
          !body.calls.contains(where: { site in
            isPassing(site, withLinks) && site.arguments.contains { Int($0.value) == index }
          })
        else { return nil }
        return program.resolveAlias(made)
      }
    }
  }

  /// Whether a closure makes what is shown for a while.
  private func isPassing(_ id: BodyID, _ withLinks: Bool) -> Bool {
    isTaken(id) { isPassing($0, withLinks) }
  }

  private func isPassing(_ site: CallSite, _ withLinks: Bool) -> Bool {
    Words.modalPresentations.contains(site.name)
      || !withLinks && Frameworks.links.contains(site.name)
  }

  /// Whether one of some calls takes a closure, or one around it.
  private func isTaken(_ id: BodyID, by isMeant: (CallSite) -> Bool) -> Bool {
    var current = id
    while let maker = values.mentions.maker(ofClosure: current) {
      if bodies[maker].calls.contains(where: {
        isMeant($0) && values.hands(current, to: $0, in: maker)
      }) {
        return true
      }
      current = maker
    }
    return false
  }

  /// Whether code makes what stands over a screen for a while.
  func isOver(_ id: BodyID) -> Bool {
    isTaken(id) { Words.modalPresentations.contains($0.name) }
  }

  /// Whether a closure around code runs when something happens; false where that is what a person
  /// does, nil for other code.
  func isEvent(_ id: BodyID) -> Bool? {
    if isTaken(id, by: { Words.actions.contains($0.name) }) { return false }
    return isTaken(id) { Frameworks.events.contains($0.name) } ? true : nil
  }

  /// Whether a view runs code each time that it is shown anew, rather than when a person acts or
  /// while something stands over it.
  func rendersAgain(_ id: BodyID) -> Bool {
    let outer = bodies[values.outermost(id)]
    let gives = outer.function.map { program.functions[$0].result != nil } ?? true
    return gives && !isOver(id) && isEvent(id) == nil
      && !isTaken(id) { $0.name == Frameworks.taskType }
  }

  /// Whether something lasting holds an object of a type: such a view, another object, or nobody
  /// that can be seen.
  func hold(_ type: TypeID) -> Bool {
    let holders = holdersOfTypes[type] ?? []
    return holders.isEmpty || holders.contains { $0.isLasting || contains($0.owner) }
  }

  private struct Holder {
    let owner: TypeID
    let isLasting: Bool
  }

  /// Who holds objects in stored properties, by their classes.
  private lazy var holdersOfTypes: [TypeID: [Holder]] = {
    var found: [TypeID: [Holder]] = [:]
    for (id, property) in program.properties.enumerated()
    where !property.isComputed && !program.isExempt(property.ref) {
      guard let owner = property.owner,
        case .declared(let held, _) = program.type(ofProperty: id).unwrapped
      else { continue }
      let isView = program.inherits(owner, from: Frameworks.view)
      let isShared = !Frameworks.sharingWrappers.isDisjoint(with: property.attributes)
      found[held, default: []].append(
        Holder(owner: program.resolveAlias(owner), isLasting: !isView || isShared))
    }
    return found
  }()
}
