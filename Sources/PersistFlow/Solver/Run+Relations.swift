import PersistIndex
import PersistSyntax

/// An object that a new one was related to before that came into a context.
struct Relation {
  let node: Ref
  let value: OriginsID
  let isHeld: Bool
}

extension Origin {
  /// Whether it is an object of a context, whose relationships hold objects of that context alone.
  fileprivate var isRelated: Bool {
    if case .managed(let owner) = self { return owner.framework != .realm }
    return false
  }
}

// MARK: - Objects in relationships of others

extension Run {
  /// Notes that an object becomes a part of a relationship, which changes it as well.
  func noteRelated(
    _ given: OriginsID, from step: Value?, of object: OriginsID, at node: Ref
  ) {
    guard !isTracking else { return }
    let value = kept(given, from: step)
    let isHeld = value != given
    let members = solver.table.members(value)
    let isList = members.contains { if case .collection = $0 { true } else { false } }
    let added = isList ? element(of: value) : value
    // Realm copies what an initializer gets.
    guard solver.table.members(added).contains(where: \.isRelated) else { return }
    noteUse(of: added, at: node, isWrite: true)
    if solver.table.members(object).contains(where: \.isManaged) {
      note(.relation, added, at: node, context: object, isHeld: isHeld)
    }
    for id in solver.table[object].known {
      guard case .object = solver.table[origin: id] else { continue }
      related[id, default: []].append(Relation(node: node, value: added, isHeld: isHeld))
    }
  }

  /// Notes that a property of an object changes.
  func noteChange(_ step: Instruction, of object: OriginsID, _ value: OriginsID, at node: Ref) {
    // A part that is put back unchanged is an object; a value that was put back has changed.
    let isChange =
      !step.isWriteBack
      || solver.table.members(value).allSatisfy { $0 == .plain || $0 == .null }
    if isChange { note(.object, object, at: node, isWrite: true) }
    if !isTracking, isChange || hasGrown(step, value) { note(.change, object, at: node) }
    if !step.isWriteBack {
      noteRelated(value, from: body.operands(of: step).last, of: object, at: node)
    }
  }

  /// Notes what new objects are related to that a context takes in.
  func noteRelations(of object: OriginID, in owned: OriginsID) {
    for relation in related[object] ?? [] {
      note(
        .relation, relation.value, at: relation.node, context: owned, isHeld: relation.isHeld)
    }
  }

  /// Whether a list is put back that a method has changed: `trip.stops.removeAll()`.
  private func hasGrown(_ step: Instruction, _ value: OriginsID) -> Bool {
    guard let given = body.operands(of: step).last, given >= 0,
      body.steps[Int(given)].operation == .receiverAfter
    else { return false }
    return solver.table.members(value).contains { if case .collection = $0 { true } else { false } }
  }

  /// A value of which nobody knows where it comes from: what a property of a model's type holds was
  /// there before the function began.
  private func kept(_ value: OriginsID, from step: Value?) -> OriginsID {
    guard solver.table.unwrapped(value) == OriginTable.unknown, let step, step >= 0,
      let property = property(heldBy: step)
    else { return value }
    return belonging(value, program.type(ofProperty: property), .unknown)
  }

  private func property(readBy step: Instruction) -> PropertyID? {
    if let id = program.property(usedBy: body.ref(step)) { return id }
    // `if let guide` names the property of `self` that it binds.
    guard let owner = body.owner, let whole = body.operands(of: step).first,
      body.steps[Int(whole)].operation == .selfValue,
      case .property(let id)? = facts.member(step.name, of: owner)
    else { return nil }
    return id
  }

  /// The stored property whose value a step has, by way of locals that are bound once.
  private func property(heldBy value: Value) -> PropertyID? {
    let givers = body.givers(of: value)
    guard givers.count == 1, case let step = body.steps[Int(givers[0])], step.operation == .get,
      let id = property(readBy: step), !program.properties[id].isComputed,
      facts.isGiven(program.type(ofProperty: id))
    else { return nil }
    return id
  }

  /// Notes what a call adds to a relationship.
  func noteAdded(
    _ operands: Operands, by name: Name, of type: Name, _ site: CallSite, at node: Ref
  ) {
    guard let added = operands.arguments.first?.value, isRelating(name, type, at: node) else {
      return
    }
    let isList = type != Frameworks.managedObject
    noteRelated(
      added, from: site.arguments.first?.value,
      of: isList ? element(of: operands.receiver) : operands.receiver, at: node)
  }

  /// Whether a call adds to a relationship: `trip.stops.append(stop)`, `trip.addToStops(stop)`.
  private func isRelating(_ name: Name, _ type: Name, at node: Ref) -> Bool {
    if type == Frameworks.managedObject {
      return program.nameText(program.calledNode(node) ?? node).hasPrefix(Frameworks.addingPrefix)
    }
    guard Frameworks.addingMethods.contains(name) else { return false }
    let members = program.callee(node).filter { program.kind($0) == .member }
    guard members.count > 1, let id = program.property(usedBy: members[members.count - 2]) else {
      return false
    }
    return program.destination(of: id) != nil
  }
}

extension SwiftType {
  /// Whether a relationship is a list of objects of a framework's type.
  var isList: Bool {
    ["NSSet", "NSOrderedSet", "List", "Results", "LinkingObjects", "MutableSet"].contains {
      isExternal($0)
    }
  }
}
