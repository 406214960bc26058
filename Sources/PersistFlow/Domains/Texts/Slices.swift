import PersistIndex
import PersistSyntax

/// The parts of the code from which what is asked for may follow: slices of bodies, for questions that
/// ask for openings or for others.
struct Slices {
  /// The code that counts whatever is asked for.
  let code: StoreCode
  /// Whether each value of a body is in the slice for its callers.
  var values: [ObjectIdentifier: [Bool]] = [:]
  /// Whether a closure, or one in it, may do something to what knows a store.
  var closures: [BodyID: Bool] = [:]
  /// The values of bodies that count whatever is asked for; nil where all do.
  fileprivate var roots: [Start: Roots?] = [:]

  /// A body, with the closure in it that leads to what is asked for.
  fileprivate struct Start: Hashable {
    let body: ObjectIdentifier
    let closure: BodyID?
  }

  fileprivate struct Roots {
    var all: [Value] { leading + deciding }
    var leading: [Value] = []
    /// Those for which it counts whether they run.
    var deciding: [Value] = []
  }
}

extension KnownValues {
  /// Whether what is asked for may follow from a value of a body; otherwise the code behind it
  /// needn't run.
  func isNeeded(_ value: Value, in body: Body) -> Bool {
    guard followsTexts, noting == nil else { return true }
    let id = ObjectIdentifier(body)
    if let wanted = question.wanted.last(where: { $0.slices[id] != nil }) {
      return wanted.slices[id]?[Int(value)] ?? true
    }
    if let known = slices[followsOpenings]?.values[id] { return known[Int(value)] }
    let made = slice(of: body, for: nil)
    slices[followsOpenings]?.values[id] = made
    return made[Int(value)]
  }

  private var followsOpenings: Bool { question.scope.followsOpenings }

  private var code: StoreCode {
    if let known = slices[followsOpenings] { return known.code }
    let code = StoreCode(program, ownsStore: ownsStore, opens: followsOpenings)
    slices[followsOpenings] = Slices(code: code)
    return code
  }

  /// Whether a call has to run because of a closure or function that it is given.
  func handsOverStoreCode(_ arguments: [Known]) -> Bool {
    arguments.contains { argument in
      switch argument {
      case .closure(let place, _, _):
        flow.bodies.body(at: place).map { id in
          touchesStores(id) || question.wanted.contains { $0.closures.contains(id) }
        } ?? false
      case .function(let id, _): code.contains(id)
      default: false
      }
    }
  }

  /// The slices of the bodies that lead to a value in the last of them; of all values where none is named.
  func slices(of bodies: [BodyID], for value: Value?) -> [ObjectIdentifier: [Bool]] {
    var found: [ObjectIdentifier: [Bool]] = [:]
    for (index, id) in bodies.enumerated() {
      let body = flow.bodies[id]
      let isLast = index == bodies.count - 1
      let inner = isLast ? nil : bodies[index + 1]
      found[ObjectIdentifier(body)] =
        isLast && value == nil
        ? body.steps.map { _ in true }
        : slice(of: body, for: isLast ? value : -1, closure: inner)
    }
    return found
  }

  /// The values from which some follow, what becomes of stores, and what decides which of these.
  private func slice(of body: Body, for asked: Value?, closure: BodyID? = nil) -> [Bool] {
    guard let roots = roots(of: body, closure) else { return body.steps.map { _ in true } }
    var found = body.steps.map { _ in false }
    let flow = body.flow
    var pending = roots.all + (asked.map { [$0] } ?? body.results)
    var deciding = flow.branches
    // What is done on some ways only, and what is given back on several.
    var blocks = Set(roots.deciding.map { flow.blocks[Int($0)] })
    if asked == nil, flow.returns.count > 1 { blocks.formUnion(flow.returns) }
    repeat {
      while let next = pending.popLast() {
        guard next >= 0, !found[Int(next)] else { continue }
        found[Int(next)] = true
        let step = body.steps[Int(next)]
        if step.operation == .load {
          let stores = flow.stores[step.index] ?? []
          if stores.count > 1 { blocks.formUnion(stores.map { flow.blocks[Int($0)] }) }
          pending += stores
        }
        pending += sources(of: step, in: body)
      }
      pending += deciding.filter { !$0.blocks.isDisjoint(with: blocks) }.map(\.condition)
      deciding.removeAll { !$0.blocks.isDisjoint(with: blocks) }
    } while !pending.isEmpty
    return found
  }

  /// The values that go into a step.
  private func sources(of step: Instruction, in body: Body) -> [Value] {
    switch step.operation {
    case .call:
      let site = body.calls[Int(step.index)]
      return [site.receiver] + site.arguments.map(\.value)
    case .receiverAfter, .argumentAfter:
      guard let value = body.operands(of: step).first, value >= 0 else { return [] }
      let call = body.steps[Int(value)]
      // What code of the sources makes of these isn't followed, a framework's is.
      switch flow.facts.target(body.ref(call)) {
      case .functions, .closure:
        return step.operation == .receiverAfter ? [body.calls[Int(call.index)].receiver] : []
      default: return [value]
      }
    default: return Array(body.operands(of: step))
    }
  }

  /// The values of a body that count whatever is asked for; nil where all do.
  private func roots(of body: Body, _ wanted: BodyID?) -> Slices.Roots? {
    let start = Slices.Start(body: ObjectIdentifier(body), closure: wanted)
    if let known = slices[followsOpenings]?.roots[start] { return known }
    let found = findRoots(of: body, wanted)
    slices[followsOpenings]?.roots[start] = .some(found)
    return found
  }

  private func findRoots(of body: Body, _ wanted: BodyID?) -> Slices.Roots? {
    var roots = Slices.Roots()
    var closures: Set<Value> = []
    for (index, step) in body.steps.enumerated() {
      let value = Value(index)
      switch step.operation {
      case .closure where step.index == wanted || touchesStores(step.index):
        closures.insert(value)
        roots.leading.append(value)
      case .call:
        let site = body.calls[Int(step.index)]
        let given = closures.intersection(site.arguments.map(\.value) + [site.receiver])
        closures.subtract(given)
        if site.callsValue && code.isInClosures || touchesStores(step, body)
          || body.goesOn(with: site)
        {
          roots.deciding.append(value)
        } else if !given.isEmpty || site.callsValue && comesIn(site.receiver, body) {
          roots.leading.append(value)
        }
      case .set:
        if touchesStores(step, body) || body.kind == .initializer && setsField(step, body) {
          roots.deciding.append(value)
        }
      case .get where touchesStores(step, body): roots.deciding.append(value)
      default: break
      }
    }
    // What is kept in a variable may be run by any call.
    return closures.isEmpty ? roots : nil
  }

  /// Whether a value is what callers hand over.
  private func comesIn(_ value: Value, _ body: Body) -> Bool {
    body.givers(of: value).contains {
      [.parameter, .capture].contains(body.steps[Int($0)].operation)
    }
  }

  private func touchesStores(_ step: Instruction, _ body: Body) -> Bool {
    code.contains(step, in: body) { call in
      switch flow.facts.target(call) {
      case .functions(let ids), .initializer(_, let ids): ids + program.functions(calledBy: call)
      default: program.functions(calledBy: call)
      }
    }
  }

  private func touchesStores(_ closure: BodyID) -> Bool {
    if let known = slices[followsOpenings]?.closures[closure] { return known }
    slices[followsOpenings]?.closures[closure] = true
    let body = flow.bodies[closure]
    let touches = body.steps.contains { step in
      step.operation == .closure ? touchesStores(step.index) : touchesStores(step, body)
    }
    slices[followsOpenings]?.closures[closure] = touches
    return touches
  }

  /// Whether a step sets a property that keeps what an initializer gives it.
  private func setsField(_ step: Instruction, _ body: Body) -> Bool {
    let id = step.index >= 0 ? PropertyID(step.index) : program.property(usedBy: body.ref(step))
    return id.map { isFixed($0) || ownsStore(program.type(ofProperty: $0)) } ?? true
  }
}
