import PersistIndex
import PersistSyntax

/// Follows the values of a trail through bodies, and notes what is done with them.
final class ValueFates: LocalDomain {
  static let nothing = CarriedMark.nothing
  static let other = CarriedMark.other

  let program: Program
  let trail: Trail
  private(set) lazy var flow = LocalFlow(program, for: self)
  var out = OutgoingValues()
  private var found: Set<Fate> = []
  /// The calls that lead to what runs, outermost first, with the values that go there.
  private(set) var frames: [(body: Ref, places: [Ref: Ref])] = []
  /// What the initializers that run put into the instances that they make, innermost last.
  var madeFields: [[PropertyID: CarriedMark]] = []

  init(_ program: Program, _ trail: Trail) {
    self.program = program
    self.trail = trail
    flow.runAll(naming: trail.words) { trail.files?.contains($0) ?? true }
    followOut()
  }

  /// What is done outside of exempt code, in source order.
  var all: [Fate] {
    found.filter { !program.isExempt($0.place) }.sorted {
      ($0.place, $0.origin, $0.kind.hash) < ($1.place, $1.origin, $1.kind.hash)
    }
  }

  func joined(_ left: CarriedMark, _ right: CarriedMark) -> CarriedMark {
    switch (left, right) {
    case (.nothing, _), (.other, _): right
    case (_, .nothing), (_, .other): left
    case (.list(let one), .list(let other)): .list(one.union(other))
    case (.tuple(let one, let labels), .tuple(let other, _)) where one.count == other.count:
      .tuple(zip(one, other).map { joined($0, $1) }, labels)
    case (.instances(let one), .instances(let other)):
      .instances(
        one.merging(other) { fields, others in fields.merging(others) { joined($0, $1) } })
    default: left == right ? left : holding(left.own.union(right.own))
    }
  }

  func holding(_ values: Set<Carried>) -> CarriedMark {
    values.isEmpty ? .other : .values(values)
  }

  func take(
    _ step: Instruction, _ value: Value, _ operands: [CarriedMark], in run: LocalRun<ValueFates>
  ) -> CarriedMark {
    switch step.operation {
    case .none: return .nothing
    case .selfValue: return run.receiver
    case .unwrap, .payload: return operands[0]
    case .array, .dictionary:
      let held = operands.reduce(into: Set()) { $0.formUnion($1.own) }
      return held.isEmpty ? .other : .list(held)
    case .next, .getElement:
      if case .list(let values) = operands[0] { return .values(values) }
      return .other
    case .tuple:
      let parts = program.children(run.body.ref(step), .argument)
      return .tuple(operands, parts.map { program.label($0) })
    case .part:
      if case .tuple(let parts, _) = operands[0], parts.indices.contains(Int(step.index)) {
        return parts[Int(step.index)]
      }
      return holding(operands[0].own)
    case .closure: return closure(step, operands, run)
    case .get: return get(step, operands.first ?? .other, run)
    case .set:
      if !step.isWriteBack {
        note(.sets(step.name), operands[0], step, 0, run)
        run.keep(operands.last ?? .other, step)
      }
      if !keepInMade(operands.last ?? .other, by: step, in: run.body) {
        if !step.isWriteBack {
          note(.keeps(in: step.name), operands.last ?? .other, step, 1, run)
        }
        keepOut(operands.last ?? .other, by: step, in: run.body)
      }
      return operands[0]
    case .receiverAfter: return grown(step, run)
    case .setElement:
      if !step.isWriteBack { note(.keeps(in: .none), operands[1], step, 1, run) }
      return operands[0]
    case .binary:
      for (index, operand) in operands.enumerated() {
        note(.computes(step.name, isFirst: index == 0), operand, step, index, run)
      }
      return .other
    case .call: return call(step, run)
    default: return .other
    }
  }

  func missing(_ mark: CarriedMark) -> CarriedMark { .nothing }

  func store(_ mark: CarriedMark, _ step: Instruction, in run: LocalRun<ValueFates>) {
    let declaration = step.index < 0 ? nil : run.body.locals[Int(step.index)].declaration
    // What the lowering needs for itself is nobody's variable.
    guard step.index < 0 || declaration != nil, declaration != run.body.ref(step) else { return }
    note(.assigns, mark, step, 0, run)
  }

  func leave(_ mark: CarriedMark, by value: Value, in run: LocalRun<ValueFates>) {
    note(.returns, mark, at: place(of: value, run), run)
    leaveOut(mark, of: run.body)
  }

  // MARK: Noting

  private func note(
    _ deed: Fate.Deed, _ mark: CarriedMark, _ step: Instruction, _ operand: Int,
    _ run: LocalRun<ValueFates>
  ) {
    let operands = run.body.operands(of: step)
    guard operand < operands.count else { return }
    note(deed, mark, at: place(of: operands[operands.startIndex + operand], run), run)
  }

  private func note(
    _ deed: Fate.Deed, _ mark: CarriedMark, at place: Ref, _ run: LocalRun<ValueFates>
  ) {
    let isOfMember =
      switch deed {
      case .reads, .sets, .calls: true
      default: false
      }
    for value in isOfMember ? mark.own : mark.all {
      found.insert(
        Fate(
          kind: value.kind, origin: value.origin, deed: deed, place: place, body: run.body.place,
          lateIn: value.lateIn, isAsked: value.isAsked, via: via(value)))
    }
  }

  /// What spells a value where the code that has got it hands it on to what runs now.
  func via(_ value: Carried) -> Ref? {
    frames.reversed().prefix { $0.places[value.origin] != nil }.last?.places[value.origin]
  }

  /// Runs code that gets values at some places, unless that runs already.
  func within(
    _ body: Ref, _ given: [(mark: CarriedMark, place: Ref)], _ part: () -> CarriedMark
  ) -> CarriedMark {
    guard !frames.contains(where: { $0.body == body }) else { return .other }
    var places: [Ref: Ref] = [:]
    for (mark, place) in given {
      for value in mark.all where places[value.origin] == nil { places[value.origin] = place }
    }
    frames.append((body, places))
    defer { frames.removeLast() }
    return part()
  }

  /// What spells a value: of a list with one element that one.
  private func place(of value: Value, _ run: LocalRun<ValueFates>) -> Ref {
    guard value >= 0 else { return run.body.place }
    let step = run.body.steps[Int(value)]
    if step.operation == .array, let only = run.body.operands(of: step).first,
      step.operandCount == 1
    {
      return place(of: only, run)
    }
    return run.body.ref(step)
  }

  private func handedOut(_ mark: CarriedMark, _ name: Name) -> CarriedMark {
    let out = mark.own.compactMap { value in
      trail.handsOut[value.kind]?[name].map {
        Carried(kind: $0, origin: value.origin, lateIn: value.lateIn)
      }
    }
    return holding(Set(out))
  }

  // MARK: Members, closures and calls

  private func get(
    _ step: Instruction, _ receiver: CarriedMark, _ run: LocalRun<ValueFates>
  ) -> CarriedMark {
    if case .tuple(let parts, let labels) = receiver {
      let names = parts.indices.map { Name(String($0)) }
      let index = labels.firstIndex(of: step.name) ?? names.firstIndex(of: step.name)
      return index.map { parts[$0] } ?? .other
    }
    if case .instances(let held) = receiver { return get(step, of: held, run) }
    if trail.looks.contains(step.name), look(step, receiver, run) { return .other }
    let getter = program.property(usedBy: run.body.ref(step)).flatMap { id in
      program.properties[id].isComputed ? flow.facts.getter(of: id) : nil
    }
    guard receiver.all.isEmpty else {
      note(.reads(step.name), receiver, step, 0, run)
      if trail.entersMembers, let getter {
        let place = place(of: run.body.operands(of: step).first ?? -1, run)
        _ = within(flow.bodies[getter].place, [(receiver, place)]) {
          flow.run(getter, of: receiver, isKept: false)
        }
      }
      return handedOut(receiver, step.name)
    }
    if let own = run.own(step) ?? held(step, in: run.body) { return own }
    guard let getter, let id = flow.bodies[getter].property,
      mayBeValue(program.type(ofProperty: id))
    else { return .other }
    return flow.run(getter)
  }

  /// Takes the reading of a member for a look at a value; false where it is none.
  private func look(
    _ step: Instruction, _ receiver: CarriedMark, _ run: LocalRun<ValueFates>
  ) -> Bool {
    let node = run.body.ref(step)
    guard program.property(usedBy: node) == nil,
      program.memberAsked(of: node) == Name.none
    else { return false }
    if let kind = trail.begins(node), receiver.all.allSatisfy({ $0.lateIn == nil }) {
      let begun = CarriedMark.values([Carried(kind: kind, origin: node)])
      let holder = run.body.operands(of: step).first ?? -1
      if receiver.all.isEmpty, let given = run.body.variable(behind: holder) {
        run.change(variableReadBy: given, to: begun)
      }
      return true
    }
    let looked = receiver.all
    run.change { mark in
      mark.mapped { value in
        var value = value
        if looked.contains(value) { value.isAsked = true }
        return value
      }
    }
    return !looked.isEmpty
  }

  private func closure(
    _ step: Instruction, _ operands: [CarriedMark], _ run: LocalRun<ValueFates>
  ) -> CarriedMark {
    let place = flow.bodies[step.index].place
    var captured = Array(operands.dropFirst())
    let holds = operands.contains { !$0.all.isEmpty }
    let time = holds ? program.time(of: place) : .unknown
    if captured.contains(where: { !$0.all.isEmpty }) {
      if time != .atOnce {
        for mark in captured { note(.captures, mark, at: place, run) }
      }
      if time == .later || time == .muchLater {
        captured = captured.map { mark in mark.mapped { $0.late(in: place) } }
      }
    }
    let lent = trail.lends(place).map { CarriedMark.values([Carried(kind: $0, origin: place)]) }
    var receiver = trail.goesOut ? operands.first ?? .other : .other
    if time == .later || time == .muchLater {
      receiver = receiver.mapped { $0.late(in: place) }
    }
    _ = flow.run(
      step.index, lent.isEmpty ? given(toClosure: place) : lent, captured, of: receiver)
    return .other
  }

  private func call(_ step: Instruction, _ run: LocalRun<ValueFates>) -> CarriedMark {
    let site = run.body.calls[Int(step.index)]
    let node = run.body.ref(step)
    if let kind = trail.makes(node) { return .values([Carried(kind: kind, origin: node)]) }
    let receiver = run.mark(site.receiver)
    let arguments = run.marks(of: site)
    if let returned = returned(byClosureIn: site, arguments, run) { return returned }
    let result = result(of: node, site, receiver, arguments, run)
    if result == nil {
      let on = site.receiver < 0 ? Name.none : run.body.steps[Int(site.receiver)].name
      for (argument, mark) in zip(site.arguments, arguments) {
        note(.hands(to: site.name, on: on), mark, at: place(of: argument.value, run), run)
      }
      lendOut(arguments, by: node)
      if let made = instance(madeBy: site, node, arguments) {
        show(made, at: node)
        return made
      }
      if let made = made(by: site, node, receiver, arguments, run) { return made }
    }
    if let result {
      show(result, at: node)
      // What one initializer hands another stays in the same instance.
      if run.body.kind == .initializer, site.receiver >= 0, case .instances = result,
        run.body.steps[Int(site.receiver)].operation == .selfValue
      {
        note(.keeps(in: .none), result, at: node, run)
      }
    }
    guard !receiver.all.isEmpty else { return result ?? .other }
    note(.calls(site.name), receiver, at: place(of: site.receiver, run), run)
    return handedOut(receiver, site.name)
  }

  /// The values that a closure hands out to the body which has made it; nil for none.
  private func returned(
    byClosureIn site: CallSite, _ arguments: [CarriedMark], _ run: LocalRun<ValueFates>
  ) -> CarriedMark? {
    guard site.callsValue, case let givers = run.body.givers(of: site.receiver),
      givers.count == 1, case let closure = run.body.steps[Int(givers[0])],
      closure.operation == .closure
    else { return nil }
    let captured = run.body.operands(of: closure).dropFirst().map { run.mark($0) }
    let made = flow.run(closure.index, arguments, captured)
    return made.all.isEmpty ? nil : made
  }

  /// What a function of the sources makes of its arguments; nil where that can't be told.
  private func result(
    of call: Ref, _ site: CallSite, _ receiver: CarriedMark, _ arguments: [CarriedMark],
    _ run: LocalRun<ValueFates>
  ) -> CarriedMark? {
    let isGiven = arguments.contains { !$0.all.isEmpty }
    if trail.entersMembers, isGiven || !receiver.all.isEmpty {
      return enter(call, site, receiver, arguments, run)
    }
    if let returned = returned(by: call, arguments) { return returned }
    let target = flow.facts.target(call)
    if isGiven, case .initializer(_, let candidates) = target, !candidates.isEmpty {
      return enter(call, site, receiver, arguments, run)
    }
    guard case .functions(let ids) = target, let first = ids.first else { return nil }
    guard isGiven || mayBeValue(program.resultType(first)) else { return .other }
    return flow.result(of: call, arguments)
  }

  /// Follows values into the code that a call runs, of a requirement into all that implements it; nil
  /// where none is in the sources.
  private func enter(
    _ call: Ref, _ site: CallSite, _ receiver: CarriedMark, _ arguments: [CarriedMark],
    _ run: LocalRun<ValueFates>
  ) -> CarriedMark? {
    let named = program.named(by: call)
    guard named.count == 1 else { return nil }
    let called = (program.witnesses(of: named[0]) ?? named).filter {
      flow.facts.body(of: $0) != nil
    }
    let values = [site.receiver] + site.arguments.map(\.value)
    let given = zip([receiver] + arguments, values).map { ($0, place(of: $1, run)) }
    return called.reduce(nil) { known, id in
      guard let body = flow.facts.body(of: id) else { return known }
      let isWhole = arguments.count == program.functions[id].parameters.count
      let made = within(flow.bodies[body].place, given) {
        making(program.functions[id]) {
          flow.run(body, isWhole ? arguments : [], of: receiver, isKept: false)
        }
      }
      return known.map { joined($0, made) } ?? made
    }
  }

  private func mayBeValue(_ type: SwiftType) -> Bool {
    switch type {
    case .optional(let inner), .array(let inner), .set(let inner): mayBeValue(inner)
    case .tuple(let parts, _): parts.contains(where: mayBeValue)
    case .external(let name, _): trail.types.contains(name)
    default: false
    }
  }
}
