import PersistIndex

/// What a condition looks at.
enum Look: Hashable {
  /// A variable, member, type or function, by the node that names it.
  case name(Ref)
  /// What a caller hands over, by the parameter.
  case parameter(Ref)
  /// A value that a wrapper keeps in the settings.
  case keptSetting(PropertyID)
  /// A value that is read from the settings, by the call and its key.
  case setting(Ref, key: Ref)
  /// Whether files are there, by the call.
  case file(Ref)
  /// How the process was started: its arguments, its environment.
  case launch(Ref)
  /// Whether a call has failed; `isKept` says that a variable says so.
  case failure(Ref, isKept: Bool)
  /// The error that has been caught.
  case error(Ref)
}

/// What conditions look at, followed through variables, properties and functions to where values
/// come from; what decides which value a variable has is looked at as well.
final class Looks {
  private struct Key: Hashable {
    let body: BodyID
    let value: Value
  }

  private let conditions: Conditions
  private let facts: ProgramFacts
  private let program: Program
  private var found: Set<Look> = []
  private var seen: Set<Key> = []
  private var depth = 0

  init(_ facts: ProgramFacts) {
    self.facts = facts
    program = facts.program
    conditions = program.conditions
  }

  func looks(at condition: Condition) -> Set<Look> {
    found = []
    seen = []
    follow(condition, isKept: false)
    return found
  }

  private func follow(_ condition: Condition, isKept: Bool) {
    guard condition.isFailure else { return follow(condition.value, in: condition.body) }
    let body = facts.bodies[condition.body]
    found.insert(.failure(body.ref(body.steps[Int(condition.value)]), isKept: isKept))
  }

  private func follow(_ value: Value, in id: BodyID) {
    guard value >= 0, seen.insert(Key(body: id, value: value)).inserted else { return }
    let body = facts.bodies[id]
    let step = body.steps[Int(value)]
    let node = body.ref(step)
    switch step.operation {
    case .closure, .keyPath, .selfValue: return
    case .caught: found.insert(.error(node))
    case .parameter:
      if program.kind(node) == .parameter { found.insert(.parameter(node)) }
    case .load:
      let declaration = body.locals[Int(step.index)].declaration
      if declaration != nil { found.insert(.name(node)) }
      if let declaration, facts.bodies.shared.contains(declaration) {
        followStores(to: declaration, from: id)
      } else {
        followStores(in: id, body) { $0.index == step.index }
      }
    case .capture:
      found.insert(.name(node))
      followStores(to: body.captures[Int(step.index)], from: id)
    case .type:
      found.insert(step.name == Frameworks.commandLine ? .launch(node) : .name(node))
    case .implicitMember: found.insert(.name(node))
    case .get:
      found.insert(.name(node))
      if Frameworks.launchMembers.contains(step.name),
        body.steps(behind: value).contains(where: Self.isProcess)
      {
        found.insert(.launch(node))
      }
      if let property = program.property(usedBy: node) { follow(property: property) }
      followOperands(of: step, in: id, body)
    case .call: follow(call: step, in: id, body)
    default: followOperands(of: step, in: id, body)
    }
  }

  private static func isProcess(_ step: Instruction) -> Bool {
    step.operation == .type && Frameworks.launchValues.contains(step.name)
  }

  private func followOperands(of step: Instruction, in id: BodyID, _ body: Body) {
    for operand in body.operands(of: step) { follow(operand, in: id) }
  }

  // MARK: Variables

  /// Follows what is stored in a variable; where that differs from way to way, what decides as well.
  private func followStores(in id: BodyID, _ body: Body, where isWanted: (Instruction) -> Bool) {
    let stores = body.steps.indices.filter {
      body.steps[$0].operation == .store && isWanted(body.steps[$0])
    }
    for index in stores {
      follow(body.operands(of: body.steps[index]).first ?? -1, in: id)
    }
    guard let first = stores.first, stores.count > 1 || body.steps[first].index < 0 else { return }
    let local = Int(body.steps[first].index)
    let isNamed = local < 0 || body.locals[local].declaration != nil
    followWhatDecides(
      stores.map { conditions.ways(to: Value(truncatingIfNeeded: $0), in: id, facts) ?? [] },
      isKept: isNamed)
  }

  /// Follows the conditions that some ways have and others don't.
  private func followWhatDecides(_ ways: [[Conditions.Way]], isKept: Bool) {
    let all = ways.flatMap { $0 }
    guard let first = all.first else { return }
    let common = all.count > 1 ? all.reduce(first) { $0.intersection($1) } : []
    let deciding = Set(all.flatMap { $0 }).subtracting(common)
    for condition in deciding.sorted(by: { $0.order < $1.order }) {
      follow(condition, isKept: isKept)
    }
  }

  /// Follows a variable that several bodies of a unit may set.
  private func followStores(to declaration: Ref, from id: BodyID) {
    let unit = facts.bodies.unit(ofBody: id)
    for (other, body) in facts.bodies.loweredBodies(inFile: Int(declaration.file))
    where facts.bodies.unit(ofBody: other) == unit {
      followStores(in: other, body) { step in
        if step.index >= 0 { return body.locals[Int(step.index)].declaration == declaration }
        let capture = -2 - Int(step.index)
        return body.captures.indices.contains(capture) && body.captures[capture] == declaration
      }
    }
  }

  private func follow(property id: PropertyID) {
    let property = program.properties[id]
    if property.attributes.contains(where: Frameworks.settingWrappers.contains) {
      found.insert(.keptSetting(id))
    }
    if let body = property.isComputed ? facts.getter(of: id) : facts.initialValue(of: id) {
      follow(resultsOf: body)
    }
  }

  // MARK: Calls

  private func follow(call step: Instruction, in id: BodyID, _ body: Body) {
    let call = body.ref(step)
    let site = body.calls[Int(step.index)]
    if Words.defaultsReads.contains(site.name), let key = program.argument(call, "forKey") {
      found.insert(.setting(call, key: key))
      return
    }
    if site.name == Frameworks.fileQuestion {
      found.insert(.file(call))
      return
    }
    found.insert(.name(call))
    followOperands(of: step, in: id, body)
    for function in program.functions(calledBy: call) {
      if let called = facts.body(of: function) { follow(resultsOf: called) }
    }
  }

  /// Follows what a body returns; where that differs from way to way, what decides as well.
  private func follow(resultsOf id: BodyID) {
    guard program.isWithin(depth, .conditionSteps) else { return }
    depth += 1
    defer { depth -= 1 }
    let body = facts.bodies[id]
    let returns = body.blocks.indices.compactMap { block -> (block: Int32, value: Value)? in
      guard case .return(let value) = body.blocks[block].terminator else { return nil }
      return (Int32(truncatingIfNeeded: block), value)
    }
    for (_, value) in returns { follow(value, in: id) }
    guard returns.count > 1 else { return }
    followWhatDecides(
      returns.map { conditions.ways(toBlocks: [$0.block], in: id, facts) ?? [] }, isKept: true)
  }
}
