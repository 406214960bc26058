import PersistIndex
import PersistSyntax

/// What gives other code the time to delete objects: code that waits for something outside of the
/// process, or of which nothing is known.
final class Waits {
  private let facts: ProgramFacts
  @exclusivity(unchecked) private var ways: [Way: Bool] = [:]
  /// Whether what callers hand over for a parameter leaves the process.
  @exclusivity(unchecked) private var handed: [Ref: Bool] = [:]
  private var program: Program { facts.program }

  /// A function with whether it is called from an actor.
  private struct Way: Hashable {
    let function: FunctionID
    let isIsolated: Bool
  }

  init(_ facts: ProgramFacts) { self.facts = facts }

  /// Whether a body waits for what leaves the process, or hands a closure to what does.
  func isIn(_ body: Body) -> Bool {
    if delays(body) { return true }
    guard awaits(body) else { return false }
    return body.calls.contains { site in
      site.isAwaited
        && leaves(body.ref(site), site, in: body)
    } || body.steps.contains { $0.operation == .await && wait(of: $0, in: body) != nil }
  }

  /// Whether a body hands a closure to what runs it after a wait.
  func delays(_ body: Body) -> Bool {
    body.calls.contains { Frameworks.delays.contains($0.name) }
  }

  private func awaits(_ body: Body) -> Bool {
    body.calls.contains(where: \.isAwaited) || body.steps.contains { $0.operation == .await }
  }

  /// Whether an awaited call leaves the process.
  func leaves(_ node: Ref, _ site: CallSite, in body: Body) -> Bool {
    let isIsolated = facts.isolation(at: node).isActor
    if Frameworks.taskGroups.contains(site.name) {
      return closures(of: site, in: body).contains { leaves($0, isIsolated) }
    }
    return leaves(node, site, isIsolated)
  }

  /// The place of a wait that no call says: an `async let` is asked for, or the next element of a
  /// sequence.
  func wait(of step: Instruction, in body: Body) -> Ref? {
    let node = body.ref(step)
    if program.kind(node) == .forStatement { return node }
    guard let expression = program.parent(node), program.kind(node) == .awaitMark,
      let chain = program.children(expression, .chain).first(where: { $0 > node }),
      program.descendants(chain, .call).isEmpty, let first = program.children(chain).first,
      case .local(let local)? = program.declared(first), let binding = program.parent(local),
      let value = program.child(binding, .expression)
    else { return nil }
    let isIsolated = facts.isolation(at: node).isActor
    guard let child = facts.bodies.body(at: value) else { return nil }
    let isLong = facts.bodies[child].calls.contains { site in
      let call = Ref(file: Int(node.file), node: Int(site.node))
      return leaves(call, site, isIsolated, isAwaitedLater: true)
    }
    return isLong ? node : nil
  }

  private func closures(of site: CallSite, in body: Body) -> [Body] {
    site.arguments.compactMap { argument in
      guard argument.value >= 0 else { return nil }
      let step = body.steps[Int(argument.value)]
      return step.operation == .closure ? facts.bodies[step.index] : nil
    }
  }

  /// Whether code, or that of a closure in it, waits for what leaves the process.
  private func leaves(_ body: Body, _ isIsolated: Bool) -> Bool {
    body.calls.contains { site in
      leaves(body.ref(site), site, isIsolated)
    }
      || body.steps.contains { step in
        step.operation == .closure && leaves(facts.bodies[step.index], isIsolated)
      }
  }

  /// Whether a call, from an actor or not, waits for something outside of the process.
  private func leaves(
    _ node: Ref, _ site: CallSite, _ isIsolated: Bool, isAwaitedLater: Bool = false
  ) -> Bool {
    guard isAwaitedLater || site.isAwaited else { return false }
    // `.created(at: day)` as an argument makes a value.
    if let named = program.calledNode(node), program.kind(named) == .implicitMember {
      return false
    }
    switch facts.target(node) {
    case .functions(let candidates):
      return candidates.allSatisfy { requirement in
        let found = implementations(of: requirement)
        return (found.isEmpty ? [requirement] : found).contains {
          program.functions[$0].isAsync
            && leadsOut(Way(function: $0, isIsolated: isIsolated))
        }
      }
    case .externalMethod(_, Frameworks.sleeping) where program.isShortDelay(node): return false
    case .externalMethod(.external(let type, _), _) where Frameworks.localMedia.contains(type):
      return false
    case .externalMethod(let receiver, let name):
      return !program.isContext(receiver)
        && (!Frameworks.quickCalls.contains(name) || answersLater(name, receiver))
    case .unknownMethod(let name), .externalFunction(let name):
      return !Frameworks.quickCalls.contains(name)
    case .closure(.local(let local)) where program.kind(local) == .parameter:
      return leaves(handedTo: local, isIsolated)
    default: return false
    }
  }

  /// Whether a closure that some caller hands over for a parameter waits for what leaves the process.
  private func leaves(handedTo parameter: Ref, _ isIsolated: Bool) -> Bool {
    if let known = handed[parameter] { return known }
    handed[parameter] = false
    guard let declaration = program.parent(parameter).flatMap({ program.parent($0) }),
      let id = program.function(declaredAt: declaration),
      let index = program.functions[id].parameters.firstIndex(where: {
        $0.node == Int(parameter.node)
      })
    else { return false }
    let found = program.callers(of: id).contains { call in
      guard !facts.isExempt(call),
        let argument = program.argument(of: call, for: index, of: program.functions[id]),
        let closure = program.closure(of: argument), let body = facts.bodies.body(at: closure)
      else { return false }
      return leaves(facts.bodies[body], isIsolated)
    }
    handed[parameter] = found
    return found
  }

  /// Whether a method also calls a closure when another process has answered.
  private func answersLater(_ name: Name, _ receiver: SwiftType) -> Bool {
    APITable.all.row(name, of: receiver)?.closures.contains(where: \.isDelayed) ?? false
  }

  private func implementations(of requirement: FunctionID) -> [FunctionID] {
    guard program.functions[requirement].body == nil else { return [] }
    return (program.witnesses(of: requirement) ?? []).filter {
      program.functions[$0].body != nil && !facts.isExempt(program.functions[$0].ref)
    }
  }

  /// Whether an async function waits for something outside of the process, or does its work away
  /// from the caller's actor.
  private func leadsOut(_ way: Way) -> Bool {
    if let known = ways[way] { return known }
    ways[way] = false
    let found = findsWayOut(way)
    ways[way] = found
    return found
  }

  private func findsWayOut(_ way: Way) -> Bool {
    guard let id = facts.body(of: way.function) else { return true }
    let all = facts.withClosures(id)
    if !all.contains(where: { awaits(facts.bodies[$0]) }) {
      return way.isIsolated && !program.isolation(ofFunction: way.function).isActor
        && !all.contains { worksOnStore(facts.bodies[$0]) }
    }
    return all.contains { id in
      let body = facts.bodies[id]
      return body.calls.contains { site in
        leaves(body.ref(site), site, way.isIsolated)
      }
    }
  }

  /// Whether code asks or changes a store, which takes no time to speak of.
  private func worksOnStore(_ body: Body) -> Bool {
    body.calls.contains { site in
      guard Frameworks.storeCalls.contains(site.name) else { return false }
      let node = body.ref(site)
      if case .externalMethod(let receiver, _) = facts.target(node) {
        return program.isContext(receiver)
      }
      return program.callee(node).contains {
        program.nameText($0).lowercased().hasSuffix("context")
      }
    }
  }
}

extension Program {
  /// The `await` that a call stands under.
  func awaitMark(around call: Ref) -> Ref? {
    for outer in ancestors(call) {
      if let mark = child(outer, .awaitMark) { return mark }
      if [.block, .closure, .members].contains(kind(outer)) { return nil }
    }
    return nil
  }

  /// Whether a delay is written as less than a second, the length of an animation.
  func isShortDelay(_ call: Ref) -> Bool {
    if let given = argument(call, "nanoseconds") {
      let numbers = self.numbers(in: given)
      return !numbers.isEmpty && numbers.allSatisfy { $0 < 1e9 }
    }
    let labels: [Name] = ["deadline", "withTimeInterval", "for"]
    guard let deadline = labels.lazy.compactMap({ self.argument(call, $0) }).first else {
      return false
    }
    let parts = descendants(deadline, .call).compactMap { part in
      Frameworks.partsOfSecond[calledName(part)].map { (part, $0) }
    }
    let numbers = self.numbers(in: deadline)
    guard parts.isEmpty else {
      return parts.allSatisfy { part, size in self.numbers(in: part).allSatisfy { $0 < size } }
    }
    return !numbers.isEmpty && numbers.allSatisfy { $0 < 1 }
  }
}
