import PersistIndex
import PersistSyntax

/// What leaves the bodies that have made it, with what gets it.
struct OutgoingValues {
  /// The functions that return a value which they have found themselves.
  fileprivate var functions: Set<FunctionID> = []
  /// The functions that a call gets such a value from.
  fileprivate var givers: [Ref: [FunctionID]] = [:]
  /// The computed properties whose value is such a one.
  fileprivate var computed: Set<PropertyID> = []
  /// What stored properties may hold.
  fileprivate var held: [PropertyID: CarriedMark] = [:]
  /// What closures are given by the functions that take them.
  fileprivate var lent: [Ref: [CarriedMark]] = [:]
  /// The code that gets values which nothing has followed there yet.
  fileprivate var waiting: Set<Ref> = []
}

// MARK: - Values that leave the code that has found them

extension ValueFates {
  /// Follows values to the callers and readers of what gives them out, until none is new.
  func followOut() {
    while !out.waiting.isEmpty {
      let nodes = out.waiting.sorted()
      out.waiting = []
      flow.afresh { flow.runAll(around: nodes) }
    }
  }

  /// Notes what a body returns that it has found itself, or what a stored property begins with.
  func leaveOut(_ mark: CarriedMark, of body: Body) {
    guard trail.goesOut, mark.all.contains(where: { !$0.isAsked && via($0) == nil }),
      !program.isExempt(body.place)
    else { return }
    if body.kind == .function, let id = body.function, out.functions.insert(id).inserted {
      for call in program.callers(of: id) {
        out.givers[call, default: []].append(id)
        out.waiting.insert(call)
      }
    } else if body.kind == .getter, let id = body.property, out.computed.insert(id).inserted {
      out.waiting.formUnion(reads(of: id))
    } else if body.kind == .initialValue, let id = body.property {
      keepOut(mark, in: id)
    }
  }

  /// Notes what a step puts into a stored property.
  func keepOut(_ mark: CarriedMark, by step: Instruction, in body: Body) {
    guard trail.goesOut, !mark.all.isEmpty, let id = property(setBy: step, in: body) else { return }
    keepOut(mark, in: id)
  }

  /// Notes what is put into a stored property; what a model holds is the store's.
  private func keepOut(_ mark: CarriedMark, in property: PropertyID) {
    let mark = mark.forOthers
    guard !mark.all.isEmpty, mayKeep(property) else { return }
    let known = out.held[property] ?? .nothing
    let all = joined(known, mark)
    guard all != known else { return }
    out.held[property] = all
    out.waiting.formUnion(reads(of: property))
  }

  /// Notes what a function gives to a closure that its callers hand it.
  func lendOut(_ arguments: [CarriedMark], by call: Ref) {
    guard trail.goesOut, arguments.contains(where: { !$0.all.isEmpty }),
      let (id, parameter) = program.parameter(calledBy: call),
      let index = program.functions[id].parameters.firstIndex(where: {
        $0.node == Int(parameter.node)
      })
    else { return }
    let given = arguments.map(\.forOthers)
    for caller in program.callers(of: id) {
      guard let argument = program.argument(of: caller, for: index, of: program.functions[id]),
        let closure = program.closureGiven(by: argument)
      else { continue }
      let known = out.lent[closure] ?? given.map { _ in .nothing }
      let all = zip(known, given).map { joined($0, $1) }
      guard all != known else { continue }
      out.lent[closure] = all
      out.waiting.insert(closure)
    }
  }

  /// What a closure is given by the functions that take it.
  func given(toClosure place: Ref) -> [CarriedMark] { out.lent[place] ?? [] }

  /// What a call gets from functions that have found it themselves; nil where there are none.
  func returned(by call: Ref, _ arguments: [CarriedMark]) -> CarriedMark? {
    guard let givers = out.givers[call] else { return nil }
    return givers.reduce(.nothing) { known, id in
      guard let body = flow.facts.body(of: id) else { return known }
      let isWhole = arguments.count == program.functions[id].parameters.count
      return joined(known, flow.run(body, isWhole ? arguments : []))
    }
  }

  /// What a property may hold that some code has put there, or that it works out.
  func held(_ step: Instruction, in body: Body) -> CarriedMark? {
    guard !out.held.isEmpty || !out.computed.isEmpty,
      let id = program.property(readBy: step, in: body)
    else { return nil }
    if let held = out.held[id] { return asksAround(body) ? .other : held }
    guard out.computed.contains(id), step.operation == .get, let getter = flow.facts.getter(of: id)
    else { return nil }
    let mark = flow.run(getter)
    return asksAround(body) ? .other : mark
  }

  /// Whether the code around a closure looks at some value.
  private func asksAround(_ body: Body) -> Bool {
    var next = body
    while next.kind == .closure, let around = program.parent(next.place),
      let id = flow.facts.body(around: around)
    {
      next = flow.bodies[id]
      let looks = next.steps.contains { $0.operation == .get && trail.looks.contains($0.name) }
      if looks { return true }
    }
    return false
  }

  /// The places that read a property or its binding, or bind what it holds.
  private func reads(of property: PropertyID) -> [Ref] {
    let binding = Name("$" + program.nameText(program.properties[property].ref))
    return program.uses(ofProperty: property) + program.shorthandBindings(ofProperty: property)
      + program.uses(of: [binding]).filter { program.property(usedBy: $0) == property }
  }
}
