import PersistIndex
import PersistSyntax

/// What keeps an object of a realm.
package enum RealmKeeper: Hashable, Sendable {
  case property(PropertyID)
  /// The payload of an enum's case.
  case payload(Name)
}

/// A stored property of a realm's object that is read or written through a value that was kept.
package struct RealmRead {
  /// The node that spells the object.
  package let place: Ref
  /// The read property.
  package let property: Ref
  package let type: TypeID
  package let keeper: RealmKeeper
  /// Where the object is taken out of what keeps it; of a property its declaration.
  package let root: Ref
  fileprivate let object: PlacedValue
}

/// A look whether an object that something keeps is still there.
package struct RealmLook {
  /// The member that looks.
  package let place: Ref
  package let type: TypeID
  package let keeper: RealmKeeper
}

/// What code does with objects of realms that properties and payloads keep.
package final class RealmKeepers {
  private let program: Program
  /// The members of the classes that read or set what is stored.
  private var stored: Set<PropertyID> = []
  private var methods: Set<FunctionID> = []
  /// The properties and functions in which frozen objects are looked for.
  private var open: Set<Ref> = []
  private lazy var thawed: Set<RealmKeeper> = Set(
    program.loweredCode.values(near: [Frameworks.thaw]).compactMap { value in
      guard value.site?.name == Frameworks.thaw, !program.isExempt(value.node) else { return nil }
      return value.whole.flatMap { keeper(of: $0) }?.0
    })
  private var assigned: [PropertyID: [PlacedValue]] = [:]
  /// The looks of all code, in source order, and what they are asked of.
  private var asked: [(member: Ref, keeper: RealmKeeper)] = []
  /// The looks at what properties and payloads keep of some classes, in source order.
  package private(set) var looks: [RealmLook] = []

  package init(_ program: Program, _ types: Set<TypeID>) {
    self.program = program
    for value in program.loweredCode.values(near: Words.realmLifeSigns)
    where Words.realmLifeSigns.contains(value.name) {
      guard [.get, .call].contains(value.step.operation), let object = value.whole,
        let (keeper, _) = keeper(of: object)
      else { continue }
      let member = value.site == nil ? value.node : program.calledNode(value.node) ?? value.node
      asked.append((member, keeper))
      guard Words.realmQuestions.contains(value.name), !program.isExempt(value.node),
        let type = realmClass(of: value), types.contains(type)
      else { continue }
      looks.append(RealmLook(place: value.node, type: type, keeper: keeper))
    }
    looks.sort { $0.place < $1.place }
    let classes = program.realmClasses.filter { types.contains($0.type) }
    stored = Set(
      classes.flatMap(\.properties).compactMap { program.property(declaredAt: $0.place) })
    let owners = Set(types.flatMap { program.lineage(of: $0) }).filter { program.isRealmObject($0) }
    while addReaders(of: owners) {}
  }

  // MARK: What keeps an object

  /// What keeps the object that a value is, and where it is taken out of that; nil where that can't be
  /// told.
  private func keeper(of object: PlacedValue) -> (RealmKeeper, Ref)? {
    let found = object.givers.map { giver -> (RealmKeeper, Ref)? in
      switch giver.step.operation {
      case .capture: return giver.captured.flatMap { keeper(of: $0) }
      case .payload: return (.payload(giver.step.name), giver.node)
      case .get:
        guard giver.whole?.isSelf ?? true,
          let id = program.property(readBy: giver.step, in: giver.body)
        else { return nil }
        return keeper(behind: id, giver.facts)
      default: return nil
      }
    }
    guard let first = found.first, let keeper = first,
      found.allSatisfy({ $0.map { $0.0 == keeper.0 } ?? false })
    else { return nil }
    return keeper
  }

  /// A property, or what its getter hands out.
  private func keeper(behind id: PropertyID, _ facts: ProgramFacts) -> (RealmKeeper, Ref) {
    let place = program.properties[id].ref
    let own = (RealmKeeper.property(id), place)
    guard let getter = facts.getter(of: id), case let results = facts.bodies[getter].results,
      results.count == 1, open.insert(place).inserted
    else { return own }
    defer { open.remove(place) }
    return keeper(of: PlacedValue(facts: facts, id: getter, value: results[0])) ?? own
  }

  private func realmClass(of value: PlacedValue) -> TypeID? {
    let type =
      value.site == nil
      ? program.receiverType(ofMember: value.node) : program.receiverType(ofCall: value.node)
    guard case .declared(let id, _) = type.unwrapped, program.isRealmObject(id) else { return nil }
    return program.resolveAlias(id)
  }

  // MARK: Reads

  /// The reads and writes of stored properties of some classes through what keeps an object, and the
  /// calls of methods of theirs that read some, in source order.
  package func reads(of types: Set<TypeID>) -> [RealmRead] {
    let called = Set(methods.map { program.functions[$0].name })
    let names = called.union(stored.map { program.properties[$0].name })
    let values = program.loweredCode.values(near: names) { use in
      // Names such as `id` are those of many other properties.
      called.contains(program.name(use))
        || program.property(usedBy: use).map(stored.contains) ?? false
    }
    return values.compactMap { value -> RealmRead? in
      guard let member = member(readBy: value), let object = value.whole,
        let (keeper, root) = keeper(of: object), let type = realmClass(of: value),
        types.contains(type), !program.isExempt(value.node)
      else { return nil }
      return RealmRead(
        place: spelling(of: object), property: member, type: type, keeper: keeper, root: root,
        object: object)
    }.sorted { $0.property < $1.property }
  }

  /// The member by which a step reads or sets what is stored.
  private func member(readBy value: PlacedValue) -> Ref? {
    switch value.step.operation {
    case .get, .set:
      guard !value.step.isWriteBack, let id = program.property(usedBy: value.node) else {
        return nil
      }
      return stored.contains(id) ? value.node : nil
    case .call:
      let called = program.functions(calledBy: value.node)
      return !called.isEmpty && called.allSatisfy(methods.contains)
        ? program.calledNode(value.node) : nil
    default: return nil
    }
  }

  /// The node that spells an object.
  private func spelling(of object: PlacedValue) -> Ref {
    var value = object
    while value.step.operation == .unwrap, let inner = value.whole { value = inner }
    return value.node
  }

  /// Takes in the methods and computed properties that read what is known to be read so far; whether
  /// there were some.
  private func addReaders(of owners: Set<TypeID>) -> Bool {
    let before = stored.count + methods.count
    for owner in owners.sorted() {
      for id in program.types[owner].properties
      where program.properties[id].isComputed && !program.properties[id].isStatic {
        let facts = program.loweredCode.facts(for: program.properties[id].ref)
        if !stored.contains(id), let getter = facts.getter(of: id), readsSelf(getter, facts) {
          stored.insert(id)
        }
      }
      for id in program.types[owner].functions
      where program.functions[id].kind == .functionDecl && !program.functions[id].isStatic {
        let facts = program.loweredCode.facts(for: program.functions[id].ref)
        if !methods.contains(id), let body = facts.body(of: id), readsSelf(body, facts) {
          methods.insert(id)
        }
      }
    }
    return before != stored.count + methods.count
  }

  /// Whether code of a class reads what is stored of `self` before it asks whether that is there.
  private func readsSelf(_ id: BodyID, _ facts: ProgramFacts) -> Bool {
    let body = facts.bodies[id]
    for index in body.steps.indices {
      let value = PlacedValue(facts: facts, id: id, value: Value(truncatingIfNeeded: index))
      guard value.whole?.isSelf ?? false else { continue }
      if Words.realmLifeSigns.contains(value.step.name) { return false }
      if member(readBy: value) != nil { return true }
    }
    return false
  }

  // MARK: Looks

  /// Whether code asks a held object, before a place, whether it is still there.
  package func asksWhetherGone(_ keeper: RealmKeeper, before place: Ref, in code: Ref) -> Bool {
    asked.contains { $0.keeper == keeper && $0.member < place && program.contains(code, $0.member) }
  }

  // MARK: What is put into properties

  /// What keeps the objects that code puts into a property, with the values.
  package func sources(of id: PropertyID) -> [(value: Ref, keeper: RealmKeeper)] {
    assignedValues(of: id).compactMap { value in
      keeper(of: value).map { (spelling(of: value), $0.0) }
    }
  }

  private func assignedValues(of id: PropertyID) -> [PlacedValue] {
    if let known = assigned[id] { return known }
    let found = program.loweredCode.values(near: [program.properties[id].name])
      .compactMap { value -> PlacedValue? in
        guard value.step.operation == .set, !value.step.isWriteBack,
          program.property(usedBy: value.node) == id,
          let given = value.body.operands(of: value.step).last, given >= 0
        else { return nil }
        return value.with(given)
      }
    assigned[id] = found
    return found
  }

  /// Whether code sets what keeps an object to what it has just asked a realm for.
  package func holdsLive(_ keeper: RealmKeeper) -> Bool {
    guard case .property(let id) = keeper else { return false }
    return assignedValues(of: id).contains { value in
      !isFrozen(value)
        && value.body.steps(behind: value.value).contains { step in
          step.operation == .call
            && Frameworks.realmQueries.contains(value.body.calls[Int(step.index)].name)
        }
    }
  }

  // MARK: Frozen objects

  /// Whether the object of a read is frozen, as the names on the way to it, its wrapper, the code that
  /// thaws it or what it is set to say.
  package func isFrozen(_ read: RealmRead) -> Bool {
    holdsFrozen(read.keeper) || isNamedFrozen(read.object)
  }

  private func isNamedFrozen(_ value: PlacedValue) -> Bool {
    value.body.steps(behind: value.value).contains { step in
      step.operation == .load || step.operation == .capture
        ? program.nameText(value.body.ref(step)).camelWords.contains("frozen") : false
    }
  }

  private func holdsFrozen(_ keeper: RealmKeeper) -> Bool {
    if thawed.contains(keeper) { return true }
    guard case .property(let id) = keeper else { return false }
    let property = program.properties[id]
    if program.nameText(property.ref).camelWords.contains("frozen")
      || !Frameworks.freezingWrappers.isDisjoint(with: property.attributes)
    {
      return true
    }
    guard open.insert(property.ref).inserted else { return false }
    defer { open.remove(property.ref) }
    return assignedValues(of: id).contains { isFrozen($0) }
  }

  /// Whether a value is a frozen copy, or what holds one.
  private func isFrozen(_ value: PlacedValue) -> Bool {
    if isNamedFrozen(value) || keeper(of: value).map({ holdsFrozen($0.0) }) ?? false { return true }
    return value.givers.contains { giver in
      switch giver.step.operation {
      case .call:
        if giver.site?.name == Frameworks.thaw { return false }
        if program.isFreezing(giver.node) { return true }
        return giver.whole.map { isFrozen($0) } ?? false
          || program.functions(calledBy: giver.node).contains { returnsFrozen($0) }
      case .get, .getElement: return giver.whole.map { isFrozen($0) } ?? false
      case .parameter: return isFrozenParameter(giver)
      default: return false
      }
    }
  }

  private func returnsFrozen(_ function: FunctionID) -> Bool {
    let place = program.functions[function].ref
    let facts = program.loweredCode.facts(for: place)
    guard let id = facts.body(of: function), open.insert(place).inserted else { return false }
    defer { open.remove(place) }
    return facts.bodies[id].results.contains {
      isFrozen(PlacedValue(facts: facts, id: id, value: $0))
    }
  }

  /// Whether all callers hand a function's parameter a frozen object.
  private func isFrozenParameter(_ value: PlacedValue) -> Bool {
    guard value.body.kind == .function, let function = value.body.function,
      open.insert(value.body.place).inserted
    else { return false }
    defer { open.remove(value.body.place) }
    let index = Int(value.step.index)
    let callers = program.callers(of: function).filter { !program.isExempt($0) }
    return !callers.isEmpty
      && callers.allSatisfy { call in
        guard let made = program.loweredCode.value(of: call), let site = made.site,
          site.arguments.indices.contains(index), site.arguments[index].value >= 0
        else { return false }
        return isFrozen(made.with(site.arguments[index].value))
      }
  }
}

extension Program {
  /// The classes of which some code freezes an object, a list or results.
  package var frozenClasses: Set<TypeID> {
    let calls = Frameworks.freezing.flatMap { self.calls(named: $0) }
    return Set(
      calls.filter { !isExempt($0) }.compactMap { call in
        var type = receiverType(ofCall: call).unwrapped
        if case .external(_, let elements) = type, let element = elements.last { type = element }
        guard case .declared(let id, _) = type else { return nil }
        return resolveAlias(id)
      })
  }

  /// Whether a method freezes what it is called on: `freeze`, `freezeIfNeeded`.
  fileprivate func isFreezing(_ call: Ref) -> Bool {
    let words = calledText(call).camelWords
    return words.first == "freeze" || words.first == "frozen"
  }
}
