import PersistIndex
import PersistSyntax

/// A place where the process ends if a property is nil.
package struct AssumedValue: Sendable {
  package let property: PropertyID
  /// The value with its `!`, or the call behind a question that ends the process.
  package let place: Ref
}

extension Program {
  /// Where code takes for granted that optional properties are set, without a look at them before, in
  /// source order.
  package func assumedValues(of properties: Set<PropertyID>) -> [AssumedValue] {
    let names = Set(properties.map { self.properties[$0].name })
    var units: Set<Ref> = []
    for use in uses(of: names) where property(usedBy: use).map(properties.contains) ?? false {
      units.insert(loweredCode.facts(for: use).bodies.unit(of: use))
    }
    for name in names {
      // `guard let guide` names no value.
      for binding in files(using: name).flatMap({ shorthandBindings(of: name, in: $0) }) {
        units.insert(loweredCode.facts(for: binding).bodies.unit(of: binding))
      }
    }
    var found: [AssumedValue] = []
    for unit in units {
      let facts = loweredCode.facts(for: unit)
      facts.bodies.lower(unit: unit)
      for (id, body) in facts.bodies.loweredBodies(inFile: Int(unit.file))
      where facts.bodies.unit(ofBody: id) == unit {
        found += AssumedValues(body, properties, facts).all
      }
    }
    return found.sorted { $0.place < $1.place }
  }
}

/// Looks through one body.
private struct AssumedValues {
  private let body: Body
  private let properties: Set<PropertyID>
  private let facts: ProgramFacts
  private let program: Program
  /// How many ways lead to each block.
  private let sources: [Int]
  private(set) var all: [AssumedValue] = []

  init(_ body: Body, _ properties: Set<PropertyID>, _ facts: ProgramFacts) {
    self.body = body
    self.properties = properties
    self.facts = facts
    program = facts.program
    sources = body.sources
    for code in body.blocks {
      for value in code.steps { addForced(value) }
      addEnd(behind: code.terminator)
    }
  }

  /// A value that is unwrapped by `!`.
  private mutating func addForced(_ value: Value) {
    let step = body.steps[Int(value)]
    let mark = body.ref(step)
    guard step.operation == .unwrap, program.kind(mark) == .force,
      let held = body.operands(of: step).first, let id = property(held),
      let path = Self.path(of: held, in: body, program)
    else { return }
    let chain = program.whole(mark)
    let isAsked =
      isSet(path, before: chain) || isLookedAt(path, before: mark)
      || isFiltered(id, around: chain) || isQuery(chain)
    guard !isAsked else { return }
    all.append(AssumedValue(property: id, place: chain))
  }

  /// A call that ends the process where the value is nil.
  private mutating func addEnd(behind terminator: Terminator) {
    guard let (held, end) = facts.bodies.end(behind: terminator, of: body, sources),
      let id = property(held)
    else { return }
    all.append(AssumedValue(property: id, place: program.chain(of: end)))
  }

  private func property(_ value: Value) -> PropertyID? {
    guard value >= 0, body.steps[Int(value)].operation == .get else { return nil }
    return program.property(readBy: body.steps[Int(value)], in: body)
      .flatMap { properties.contains($0) ? $0 : nil }
  }

  /// Whether a place stands in a predicate, which is a query and no code that runs.
  private func isQuery(_ place: Ref) -> Bool {
    program.ancestors(place).contains { node in
      guard program.kind(node) == .chain, let first = program.firstChild(node) else { return false }
      return program.kind(first) == .macro && Frameworks.queryMacros.contains(program.name(first))
    }
  }

  // MARK: Looks before

  /// Whether the same value is set before a place.
  private func isSet(_ path: [String], before place: Ref) -> Bool {
    program.loweredCode.places(of: place).contains { around in
      let code = facts.bodies[around.body]
      return code.steps.contains { step in
        guard step.operation == .set, code.ref(step) < place,
          let value = code.operands(of: step).last, value >= 0
        else { return false }
        return code.steps[Int(value)].operation != .none
          && Self.path(ofMember: step, in: code, program) == path
      }
    }
  }

  /// Whether the same value is compared with nil or unwrapped on each way to a place.
  private func isLookedAt(_ path: [String], before place: Ref) -> Bool {
    program.conditions.surely(before: place, else: true) { condition in
      // What a chain with `?` gives is nil where a part of it is.
      let isUnwrapped = condition.step.operation == .isNil
      return condition.steps().contains { step in
        asks(step, path, in: condition.body)
          || isUnwrapped && step.operation == .get
            && Self.path(ofMember: step, in: condition.body, program) == path
      }
    }
  }

  /// Whether a step compares a value with nil.
  private func asks(_ step: Instruction, _ path: [String], in code: Body) -> Bool {
    let operands = code.operands(of: step)
    switch step.operation {
    case .isNil: return operands.contains { Self.path(of: $0, in: code, program) == path }
    case .binary:
      return operands.contains { $0 >= 0 && code.steps[Int($0)].operation == .none }
        && operands.contains { Self.path(of: $0, in: code, program) == path }
    default: return false
    }
  }

  /// Whether the elements that a closure gets were chosen by the property before.
  private func isFiltered(_ id: PropertyID, around place: Ref) -> Bool {
    program.ancestors(place).contains { scope in
      guard program.kind(scope) == .closure, let (call, _) = program.callTaking(scope),
        let chain = program.parent(call)
      else { return false }
      return program.children(chain, .call).contains { part in
        part < call && ["filter", "where"].contains(program.calledName(part))
          && keepsThose(with: id, part)
      }
    }
  }

  /// Whether a call keeps those elements alone of which a property isn't nil: by a closure, or by the
  /// text of a predicate.
  private func keepsThose(with id: PropertyID, _ call: Ref) -> Bool {
    let name = program.nameText(program.properties[id].ref)
    let asks = program.nilComparisons(in: call).contains { comparison in
      let parts = program.children(comparison.subject)
      guard !comparison.isEqual, program.kind(comparison.subject) == .chain, parts.count == 2,
        program.nameText(parts[1]) == name
      else { return false }
      return switch program.declared(parts[0]) {
      case .closureArgument(let closure, _)?: program.contains(call, closure)
      case .local(let local)?: program.kind(local) == .parameter && program.contains(call, local)
      default: false
      }
    }
    return asks
      || program.holdsString(in: call) { text in
        let words = text.split { $0.isWhitespace || "\"()".contains($0) }
        return words.indices.dropLast(2).contains { index in
          words[index] == name && words[index + 1] == "!=" && words[index + 2] == "nil"
        }
      }
  }

  // MARK: Paths

  /// How a value is reached from a variable, or the instance; nil for what is made on the way.
  private static func path(of value: Value, in code: Body, _ program: Program) -> [String]? {
    guard value >= 0 else { return [] }
    let step = code.steps[Int(value)]
    switch step.operation {
    case .selfValue: return []
    case .load, .capture: return [program.nameText(code.ref(step))]
    case .unwrap, .await, .cast:
      return code.operands(of: step).first.flatMap { path(of: $0, in: code, program) }
    case .get: return path(ofMember: step, in: code, program)
    case .getElement:
      return code.operands(of: step).first.flatMap { path(of: $0, in: code, program) }
        .map { $0 + [program.text(code.ref(step))] }
    case .call:
      let call = code.ref(step)
      return path(of: code.calls[Int(step.index)].receiver, in: code, program)
        .map { $0 + [program.calledText(call) + program.text(call)] }
    default: return ["\(step.node)"]
    }
  }

  /// How a member is reached that a step reads or sets.
  private static func path(
    ofMember step: Instruction, in code: Body, _ program: Program
  ) -> [String]? {
    code.operands(of: step).first.flatMap { path(of: $0, in: code, program) }
      .map { $0 + [program.nameText(code.ref(step))] }
  }
}

// MARK: - Ends where a value is missing

extension Program {
  /// Whether the process ends where the member that is read at a place turns out to be nil.
  func endsProcess(whereNil member: Ref) -> Bool {
    guard let place = loweredCode.places(of: member).last else { return false }
    let bodies = place.facts.bodies
    let body = bodies[place.body]
    let sources = body.sources
    return body.blocks.contains { code in
      guard let (held, _) = bodies.end(behind: code.terminator, of: body, sources) else {
        return false
      }
      return body.ref(body.steps[Int(held)]) == member
    }
  }
}

extension Body {
  /// How many ways lead to each block.
  fileprivate var sources: [Int] {
    var sources = Array(repeating: 0, count: blocks.count)
    for target in blocks.flatMap(\.terminator.targets) { sources[Int(target)] += 1 }
    return sources
  }
}

extension Bodies {
  /// The value that is asked for nil behind a block, and the call that ends the process where it is.
  fileprivate func end(
    behind terminator: Terminator, of body: Body, _ sources: [Int]
  ) -> (held: Value, call: Ref)? {
    guard case .branch(let condition, let missing, _) = terminator, condition >= 0,
      body.steps[Int(condition)].operation == .isNil,
      let held = body.operands(of: body.steps[Int(condition)]).first, held >= 0
    else { return nil }
    var next = missing
    // Where other ways come in as well, the value may be there.
    while sources[Int(next)] == 1 {
      let code = body.blocks[Int(next)]
      for value in code.steps where body.steps[Int(value)].operation == .call {
        let step = body.steps[Int(value)]
        if endsProcess(body.calls[Int(step.index)].name) { return (held, body.ref(step)) }
      }
      guard case .jump(let target) = code.terminator else { return nil }
      next = target
    }
    return nil
  }
}
