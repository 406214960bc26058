import PersistIndex
import PersistSyntax

/// What code does with a model.
package enum ValueAction: Hashable, Sendable {
  /// A property is read, a property is set, a method is called.
  case reads(String)
  case sets(String)
  case calls(String)
  /// The whole value is an argument of a call.
  case passes(call: Ref)
  /// The value is only named: bound, returned, compared, captured, or asked what any thread may
  /// ask.
  case mentions
}

/// A use of a model, or of a collection of models.
package struct ValueUse: Hashable, Sendable {
  /// The node that spells the value.
  package let place: Ref
  /// The value as written, `self` left out where it can be: `trip`, `viewModel.trip`, `self`.
  package let value: String
  package let type: SwiftType
  /// The declaration from which the value comes.
  package let source: Ref
  package let action: ValueAction
  /// Whether a model is one element of the value.
  package let isElement: Bool
}

/// The uses of one value from outside of a closure.
package struct Capture: Sendable {
  /// The closure, or the value of an `async let`.
  package let body: Ref
  package let value: String
  package let type: SwiftType
  package let source: Ref
  /// All uses of models from outside in the closure.
  package let neighbors: [ValueUse]

  /// The uses of the value.
  package var uses: [ValueUse] {
    neighbors.filter { $0.source == source && $0.value == value }
  }
}

/// How code spells the models that come into it, and what it does with them, by its lowered bodies.
package final class CapturedValues {
  let program: Program
  private let bodies: Bodies
  private var known: [Ref: [ValueUse]] = [:]

  package init(in program: Program) {
    self.program = program
    bodies = Bodies(of: program)
  }

  /// The value from outside of a body that it uses at a place, with all uses of it there; nil where
  /// there is none.
  package func capture(by body: Ref, usedAt place: Ref) -> Capture? {
    let uses = uses(in: body)
    let used = uses.last { use in
      if case .passes(let call) = use.action, program.calledNode(call) == place { return true }
      return use.place <= place && chain(around: use.place) == chain(around: place)
    }
    guard let used else { return nil }
    return Capture(
      body: body, value: used.value, type: used.type, source: used.source, neighbors: uses)
  }

  private func chain(around part: Ref) -> Ref? {
    program.parent(part).flatMap { program.kind($0) == .chain ? $0 : nil }
  }

  /// The uses in a body, in source order, of models that come from outside of it or are handed in.
  func uses(in place: Ref) -> [ValueUse] {
    if let known = known[place] { return known }
    guard let root = bodies.body(at: place) else { return [] }
    let sources = CapturedSources(program, bodies, in: root)
    // `trip.visits += 1` reads and sets; that it sets is what counts.
    var found: [Ref: ValueUse] = [:]
    for id in sources.scope {
      for step in bodies[id].steps.indices {
        guard let use = use(of: Value(truncatingIfNeeded: step), in: id, sources) else { continue }
        if case .sets? = found[use.place]?.action { continue }
        found[use.place] = use
      }
    }
    let uses = found.values.sorted { $0.place < $1.place }
    known[place] = uses
    return uses
  }

  // MARK: Uses

  private func use(of value: Value, in id: BodyID, _ sources: CapturedSources) -> ValueUse? {
    let body = bodies[id]
    let step = body.steps[Int(value)]
    let node = body.ref(step)
    guard [.load, .capture, .parameter, .selfValue, .get].contains(step.operation),
      let chain = chain(around: node), let type = sources.type(of: value, in: id),
      program.model(in: type) != nil,
      step.operation != .get || !sources.isPartOfModel(value, in: id),
      let source = sources.source(of: value, in: id)
    else { return nil }
    var isElement = source.isElement
    guard let action = action(on: value, type, in: id, sources, &isElement) else { return nil }
    // A property of the instance is spelled without it.
    if step.operation == .selfValue, program.nameText(node) != "self" {
      switch action {
      case .reads, .sets: break
      default: return nil
      }
    }
    guard program.children(chain).first.map({ program.kind($0) == .name }) == true else {
      return nil
    }
    return ValueUse(
      place: node, value: source.text, type: type, source: source.declaration, action: action,
      isElement: isElement)
  }

  /// What is done with a value; nil where nothing of it is written, as with what a closure takes
  /// along.
  private func action(
    on value: Value, _ type: SwiftType, in id: BodyID, _ sources: CapturedSources,
    _ isElement: inout Bool
  ) -> ValueAction? {
    let body = bodies[id]
    var (value, type) = (value, type)
    while true {
      let consumers = sources.consumers(of: value, in: id).filter {
        let step = body.steps[Int($0)]
        return step.operation != .isNil && !step.isWriteBack
      }
      guard let first = consumers.first else { return .mentions }
      if consumers.allSatisfy({ body.steps[Int($0)].operation == .closure }) { return nil }
      let consumer = consumers.first { body.steps[Int($0)].operation == .set } ?? first
      let step = body.steps[Int(consumer)]
      switch step.operation {
      case .unwrap, .cast, .await:
        (value, type) = (consumer, type.unwrapped)
      case .getElement where type.unwrapped.isCollection:
        isElement = true
        (value, type) = (consumer, sources.type(of: consumer, in: id) ?? .unknown)
      case .get where type.unwrapped.isCollection:
        isElement = true
        (value, type) = (consumer, sources.type(of: consumer, in: id) ?? .unknown)
      case .get: return isFree(step.name, of: type) ? .mentions : .reads(text(step, body))
      case .set where body.operands(of: step).first == value:
        return isFree(step.name, of: type) ? .mentions : .sets(text(step, body))
      case .call:
        let site = body.calls[Int(step.index)]
        guard site.receiver == value, !site.callsValue else {
          return passing(value, to: site, in: body)
        }
        guard type.unwrapped.isCollection else {
          return isFree(site.name, of: type) ? .mentions : .calls(text(of: site, body))
        }
        isElement = true
        let path = site.arguments.map(\.value).first {
          body.steps[Int($0)].operation == .keyPath
        }
        if let path { return reading(path, of: type, in: body) }
        (value, type) = (consumer, sources.type(of: consumer, in: id) ?? .unknown)
      default: return .mentions
      }
      if program.model(in: type) == nil { return .mentions }
    }
  }

  private func passing(_ value: Value, to site: CallSite, in body: Body) -> ValueAction {
    guard site.arguments.contains(where: { $0.value == value }) else { return .mentions }
    if site.name == "Dictionary", site.arguments.first?.label == "grouping",
      let path = site.arguments.last?.value, body.steps[Int(path)].operation == .keyPath
    {
      return reading(path, of: .unknown, in: body)
    }
    return .passes(call: body.ref(site))
  }

  private func reading(_ path: Value, of type: SwiftType, in body: Body) -> ValueAction {
    let node = body.ref(body.steps[Int(path)])
    return isFree(program.name(node), of: type) ? .mentions : .reads(program.nameText(node))
  }

  private func text(_ step: Instruction, _ body: Body) -> String {
    program.nameText(body.ref(step))
  }

  private func text(of site: CallSite, _ body: Body) -> String {
    let call = body.ref(site)
    return program.calledNode(call).map { program.nameText($0) } ?? ""
  }

  /// Whether any thread may ask an object for a member. The `id` that a class doesn't declare is the
  /// identifier that its framework gives it.
  private func isFree(_ member: Name, of type: SwiftType) -> Bool {
    if Words.threadSafeMembers.contains(member) { return true }
    guard member == "id", let model = program.model(in: type) else { return false }
    return program.member("id", of: model) == nil
  }
}
