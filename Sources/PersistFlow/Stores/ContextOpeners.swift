import PersistIndex
import PersistSyntax

/// The openings of what a call's receiver comes from; nil where some of that can't be told.
private struct OpeningsBehind: Query {
  let call: Ref

  static var provisional: [Ref]? { nil }
  func answer(in program: Program) -> [Ref]? {
    let behind = ReceiverOpenings(program)
    return behind.follow(receiverOf: call) && !behind.found.isEmpty ? behind.found.sorted() : nil
  }
}

/// The framework's openings on disk, by the values whose methods they are.
private final class OpeningsByReceiver {
  private(set) var sites: Set<Ref> = []
  private(set) var byValue: [Declared: [Ref]] = [:]

  init(_ program: Program) {
    for opening in program.storeFlow.openings {
      guard opening.site == opening.root, !opening.isInMemory, !program.isExempt(opening.site),
        !program.isUnreachable(opening.site)
      else { continue }
      sites.insert(opening.site)
      // The value itself is the last one before the method.
      if let value = program.callee(opening.site).dropLast().last(where: {
        [.name, .member].contains(program.kind($0))
      }).flatMap({ program.valueNamed(by: $0) }) {
        byValue[value, default: []].append(opening.site)
      }
    }
  }
}

extension Program {
  /// The openings of the stores behind the context or database whose method a call is, as far as the
  /// sources tell where that comes from; nil where they don't.
  package func openings(behindReceiverOf call: Ref) -> [Ref]? { answer(OpeningsBehind(call: call)) }

  /// The local or property that a node names.
  fileprivate func valueNamed(by node: Ref) -> Declared? {
    if let id = property(usedBy: node) { return .property(id) }
    guard kind(node) == .name, let value = declared(node) else { return nil }
    switch value {
    case .local, .property, .closureArgument: return value
    default: return nil
    }
  }
}

/// Goes back from a receiver over the values and the code that it is made of.
private final class ReceiverOpenings {
  private(set) var found: Set<Ref> = []
  private let program: Program
  private let openings: OpeningsByReceiver
  private var seen: Set<Ref> = []
  private var values: Set<Declared> = []
  private var pending: [Ref] = []

  init(_ program: Program) {
    self.program = program
    openings = program.once(evenInQueries: true) { OpeningsByReceiver($0) }
  }

  /// Whether all that the receiver is made of could be followed.
  func follow(receiverOf call: Ref) -> Bool {
    for part in program.callee(call).dropLast() where !visit(part) { return false }
    var steps = 0
    while let next = pending.popLast() {
      steps += 1
      guard program.isWithin(steps, .openerSteps) else { return false }
      let nodes = [next] + [.call, .name, .member].flatMap { program.descendants(next, $0) }
      for node in nodes where !visit(node) { return false }
    }
    return true
  }

  private func add(_ node: Ref) {
    if seen.insert(node).inserted { pending.append(node) }
  }

  /// Takes in what a node names or calls; false where it stands for something that isn't known.
  private func visit(_ node: Ref) -> Bool {
    switch program.kind(node) {
    case .call:
      if openings.sites.contains(node) { found.insert(node) }
      for id in program.functions(calledBy: node) {
        if let body = program.body(of: id) { add(body) }
      }
      // A context is made of its container.
      if case .externalInitializer = program.callTarget(node) {
        program.arguments(node).forEach(add)
      }
      return true
    case .name, .member:
      guard let value = program.valueNamed(by: node), values.insert(value).inserted else {
        return true
      }
      found.formUnion(openings.byValue[value] ?? [])
      return visit(value)
    default: return true
    }
  }

  private func visit(_ value: Declared) -> Bool {
    switch value {
    case .property(let id):
      let property = program.properties[id]
      let set = program.uses(of: [property.name]).filter {
        program.property(usedBy: $0) == id && !program.isExempt($0)
      }.flatMap { program.assignment(toWhatEndsWith: $0)?.right ?? [] }
      set.forEach(add)
      add(property.ref)
      return property.initializer != nil || property.accessors != nil || !set.isEmpty
    case .local(let local):
      guard program.kind(local) != .parameter else { return visit(parameter: local) }
      if let outer = program.valueBound(byShorthand: local) {
        return !values.insert(outer).inserted || visit(outer)
      }
      program.uses(ofLocal: local).flatMap { program.assignment(toWhatEndsWith: $0)?.right ?? [] }
        .forEach(add)
      program.parent(local).flatMap { program.parent($0) }.map(add)
      return true
    case .closureArgument(let closure, _): return visit(closure: closure)
    default: return true
    }
  }

  /// Takes in what the call is made of that a closure is handed to, which lends it its arguments.
  private func visit(closure: Ref) -> Bool {
    if let call = program.callTaking(closure)?.call { program.callee(call).forEach(add) }
    return true
  }

  /// Takes in what all callers hand over.
  private func visit(parameter: Ref) -> Bool {
    let closure = program.ancestors(parameter).first {
      program.kind($0) == .closure || program.function(declaredAt: $0) != nil
    }
    if let closure, program.kind(closure) == .closure { return visit(closure: closure) }
    guard let id = program.enclosingFunction(parameter) else { return false }
    let function = program.functions[id]
    guard let index = function.parameters.firstIndex(where: { $0.node == Int(parameter.node) })
    else { return false }
    let calls = program.callers(of: id).filter { !program.isExempt($0) }
    for call in calls {
      guard let argument = program.argument(of: call, for: index, of: function) else { continue }
      add(argument)
    }
    return !calls.isEmpty
  }
}

extension Program {
  /// The calls that ask a context of SwiftData for models, or give it one, with the model.
  package var modelsOfContexts: [(call: Ref, model: TypeID)] {
    Frameworks.callsWithModels.flatMap { calls(named: $0) }.compactMap { call in
      guard let argument = argument(call, .none),
        case .externalMethod(let receiver, _) = callTarget(call),
        receiver.isExternal(Frameworks.modelContext)
      else { return nil }
      switch type(of: argument) {
      case .external("FetchDescriptor", let models):
        return models.first.flatMap { model(in: $0) }.map { (call, $0) }
      case .declared(let id, _) where isModel(id): return (call, resolveAlias(id))
      default: return nil
      }
    }
  }
}
