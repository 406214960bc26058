import PersistIndex
import PersistSyntax

/// What a value is, as far as the failure of a call may have made a list empty.
indirect enum Completeness: Hashable {
  /// `nil`, or an empty list.
  case nothing
  /// The same, because the call has failed.
  case failed(Ref)
  /// A list that is empty, or `nil`, where the call has failed.
  case list(Ref)
  /// The same where it is not `nil`.
  case present(Ref)
  /// What a list was searched for; `nil` where it lacks that.
  case found(Ref)
  /// A condition that holds for what a list lacks, or that doesn't.
  case lacks(Ref, Bool)
  /// Things that a list lacks, and one of them.
  case leftovers(Ref)
  case leftover(Ref)
  /// An element of some list, or something that it has.
  case element
  case tuple([Completeness], [Name])
  case other

  /// Whether a list that may have failed decides something about it.
  var matters: Bool {
    switch self {
    case .list, .leftovers, .leftover, .element: true
    case .tuple(let parts, _): parts.contains(where: \.matters)
    default: false
    }
  }
}

/// Follows lists that are empty where a fetch, read or request has failed, up to the deletion of
/// what they lack.
final class FailedLists: LocalDomain {
  static let nothing = Completeness.nothing
  static let other = Completeness.other

  private let program: Program
  private lazy var flow = LocalFlow(program, for: self)
  /// The failing call of each deletion.
  private(set) var deletions: [Ref: Ref] = [:]
  /// The failing call of each insertion of what a list lacks.
  private(set) var insertions: [Ref: Ref] = [:]
  /// The failing calls whose lists are asked whether they are empty.
  private(set) var asked: Set<Ref> = []
  private var paths: [Ref: BlockPaths] = [:]

  init(_ program: Program) {
    self.program = program
    flow.runAll(naming: Frameworks.deletions)
    flow.runAll(naming: Frameworks.lookUps) { file in
      Frameworks.contextModules.contains { program.files[file].imports($0) }
    }
  }

  func joined(_ left: Completeness, _ right: Completeness) -> Completeness {
    if left == right { return left }
    switch (left, right) {
    // What is empty on the way of success as well isn't empty because of the failure.
    case (.nothing, .failed), (.failed, .nothing): return .nothing
    case (.nothing, .present(let call)), (.present(let call), .nothing): return .list(call)
    case (.nothing, _): return right
    case (_, .nothing): return left
    case (.failed(let call), .other), (.other, .failed(let call)): return .list(call)
    case (.failed, .failed): return right
    case (.failed(let call), .list), (.failed(let call), .present), (.list, .failed(let call)),
      (.present, .failed(let call)):
      return .list(call)
    // `a && b` and `a || b` hold where one of them does.
    case (.lacks, .other): return left
    case (.other, .lacks): return right
    case (.tuple(let one, let labels), .tuple(let other, _)) where one.count == other.count:
      return .tuple(zip(one, other).map { joined($0, $1) }, labels)
    default: return .other
    }
  }

  func failed(_ mark: Completeness, at call: Ref) -> Completeness {
    mark == .nothing ? .failed(call) : mark
  }

  func take(
    _ step: Instruction, _ value: Value, _ operands: [Completeness], in run: LocalRun<FailedLists>
  ) -> Completeness {
    switch step.operation {
    case .none: return run.failure.map { .failed($0) } ?? .nothing
    case .array, .dictionary:
      return operands.isEmpty ? run.failure.map { .failed($0) } ?? .nothing : .other
    case .unwrap:
      if case .list(let call) = operands[0] { return .present(call) }
      if case .found = operands[0] { return .other }
      return operands[0]
    case .isNil:
      if case .found(let call) = operands[0] { return .lacks(call, true) }
      return .other
    case .prefix:
      if case .lacks(let call, let holds) = operands[0] { return .lacks(call, !holds) }
      return .other
    case .next:
      if case .leftovers(let call) = operands[0] { return .leftover(call) }
      return .element
    case .getElement:
      if case .list(let call) = operands[0] { return .found(call) }
      return .other
    case .tuple:
      let parts = program.children(run.body.ref(step), .argument)
      return .tuple(operands, parts.map { program.label($0) })
    case .part:
      guard case .tuple(let parts, _) = operands[0], parts.indices.contains(Int(step.index)) else {
        return .other
      }
      return parts[Int(step.index)]
    case .receiverAfter: return grown(step, run)
    case .closure:
      _ = flow.run(step.index, [], Array(operands.dropFirst()))
      return .other
    case .get: return get(step, operands.first ?? .other, run)
    case .call: return call(step, run)
    default: return .other
    }
  }

  /// What a call leaves of a list: one that grows lacks still what could not be had.
  private func grown(_ step: Instruction, _ run: LocalRun<FailedLists>) -> Completeness {
    guard let call = run.body.operands(of: step).first.map({ run.body.steps[Int($0)] }),
      call.operation == .call
    else { return .other }
    let site = run.body.calls[Int(call.index)]
    guard case .list = run.mark(site.receiver), Frameworks.growingMethods.contains(site.name) else {
      return .other
    }
    return run.mark(site.receiver)
  }

  private func get(
    _ step: Instruction, _ receiver: Completeness, _ run: LocalRun<FailedLists>
  ) -> Completeness {
    switch receiver {
    case .list(let call):
      if Frameworks.sizes.contains(step.name) { asked.insert(call) }
      return Frameworks.sameElements.contains(step.name) ? receiver : .other
    case .present, .leftovers:
      return Frameworks.sameElements.contains(step.name) ? receiver : .other
    case .tuple(let parts, let labels):
      let names = parts.indices.map { Name(String($0)) }
      let index = labels.firstIndex(of: step.name) ?? names.firstIndex(of: step.name)
      return index.map { parts[$0] } ?? .other
    // What an object has stands for it.
    case .leftover, .element: return receiver
    default:
      guard let id = program.property(usedBy: run.body.ref(step)),
        program.properties[id].isComputed, isList(program.type(ofProperty: id)),
        let getter = flow.facts.getter(of: id)
      else { return .other }
      return flow.run(getter)
    }
  }

  // MARK: Calls

  private func call(_ step: Instruction, _ run: LocalRun<FailedLists>) -> Completeness {
    let site = run.body.calls[Int(step.index)]
    let node = run.body.ref(step)
    let receiver = run.mark(site.receiver)
    let arguments = run.marks(of: site)
    if Frameworks.deletions.contains(site.name) {
      noteDeletion(at: node, [receiver] + arguments, run)
    }
    if Frameworks.inserts(site), let failing = callThatLacks(run) { insertions[node] = failing }
    if site.name == Frameworks.choosing {
      for case .lacks(let call, true) in results(ofClosuresOf: site, given: .element, run) {
        return .leftovers(call)
      }
    }
    switch receiver {
    case .list(let call):
      if Frameworks.sameElements.contains(site.name) { return receiver }
      if site.name == Frameworks.containing { return .lacks(call, false) }
      return Frameworks.searches.contains(site.name) ? .found(call) : .other
    case .present: return Frameworks.sameElements.contains(site.name) ? receiver : .other
    case .leftovers(let call):
      _ = results(ofClosuresOf: site, given: .leftover(call), run)
      return Frameworks.sameElements.contains(site.name) ? receiver : .other
    default: break
    }
    if case .list(let call)? = arguments.first, Frameworks.subtracting.contains(site.name) {
      return .leftovers(call)
    }
    if site.name == Frameworks.visiting {
      _ = results(ofClosuresOf: site, given: .element, run)
    }
    return result(of: node, [receiver] + arguments, arguments)
  }

  /// What the closures that a call gets give back.
  private func results(
    ofClosuresOf site: CallSite, given: Completeness, _ run: LocalRun<FailedLists>
  ) -> [Completeness] {
    site.arguments.filter { $0.value >= 0 }.compactMap { argument in
      let made = run.body.steps[Int(argument.value)]
      guard made.operation == .closure else { return nil }
      let captured = run.body.operands(of: made).dropFirst().map { run.mark($0) }
      return flow.run(made.index, [given], captured)
    }
  }

  private func result(
    of call: Ref, _ values: [Completeness], _ arguments: [Completeness]
  ) -> Completeness {
    switch flow.facts.target(call) {
    case .functions(let ids):
      guard let function = ids.first.map({ program.functions[$0] }) else { return .other }
      let type = function.result.map {
        program.type(ofTypeNode: Ref(file: Int(function.ref.file), node: $0))
      }
      guard arguments.contains(where: \.matters) || type.map(isList) ?? false else { return .other }
      return flow.result(of: call, arguments) ?? .other
    case .externalInitializer:
      // A set, an array or a dictionary of the same elements.
      switch arguments.first {
      case .list, .present, .leftovers: return arguments[0]
      default: return element(in: values)
      }
    case .externalMethod: return element(in: values)
    default: return .other
    }
  }

  /// What a framework makes of an element stands for it, such as the URL of its file.
  private func element(in values: [Completeness]) -> Completeness {
    for value in values {
      switch value {
      case .leftover, .element: return value
      default: continue
      }
    }
    return .other
  }

  private func isList(_ type: SwiftType) -> Bool {
    switch type {
    case .array, .set, .dictionary: true
    case .optional(let inner): isList(inner)
    case .tuple(let parts, _): parts.contains(where: isList)
    default: false
    }
  }

  // MARK: Deletions

  private func noteDeletion(
    at node: Ref, _ values: [Completeness], _ run: LocalRun<FailedLists>
  ) {
    for value in values {
      switch value {
      case .leftover(let call), .leftovers(let call):
        deletions[node] = call
        return
      default: continue
      }
    }
    guard values.contains(.element), let call = callThatLacks(run) else { return }
    deletions[node] = call
  }

  /// The failing call of a list that lacks something wherever the code of a run is reached.
  private func callThatLacks(_ run: LocalRun<FailedLists>) -> Ref? {
    var lacking: Set<Ref> = []
    var having: Set<Ref> = []
    let paths = paths(of: run.body)
    for code in run.body.blocks {
      guard case .branch(let condition, let yes, let no) = code.terminator,
        case .lacks(let call, let holds) = run.mark(condition)
      else { continue }
      let isReached = (
        yes: paths.reaches(run.block, from: yes), no: paths.reaches(run.block, from: no)
      )
      guard isReached.yes != isReached.no else { continue }
      // What the list has is there only where the call hasn't failed.
      if isReached.yes == holds { lacking.insert(call) } else { having.insert(call) }
    }
    return lacking.subtracting(having).min()
  }

  private func paths(of body: Body) -> BlockPaths {
    if let known = paths[body.place] { return known }
    let made = BlockPaths(body)
    paths[body.place] = made
    return made
  }
}
