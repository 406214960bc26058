import PersistIndex
import PersistSyntax

// MARK: - What calls do with lists that may have failed

extension FailedLists {
  func call(_ step: Instruction, _ run: LocalRun<FailedLists>) -> Completeness {
    let site = run.body.calls[Int(step.index)]
    let node = run.body.ref(step)
    let receiver = run.mark(site.receiver)
    let arguments = run.marks(of: site)
    noteCall(node, run)
    if Frameworks.deletions.contains(site.name) {
      noteDeletion(at: node, [receiver] + arguments, run)
    }
    // `filter { … }` and `#Predicate { … }` pick what the closure holds for.
    if site.name == Frameworks.choosing || isMacro(site, run) {
      for case .lacks(let call, true) in results(ofClosuresOf: site, given: .element, run) {
        return .leftovers(call)
      }
    }
    if let made = made(of: receiver, site, run) { return made }
    if let call = arguments.first?.source, Frameworks.subtracting.contains(site.name) {
      return .leftovers(call)
    }
    if site.name == Frameworks.visiting {
      _ = results(ofClosuresOf: site, given: .element, run)
    }
    return result(of: node, site, [receiver] + arguments, arguments)
  }

  /// What a method makes of a list; nil where the receiver is none.
  private func made(
    of receiver: Completeness, _ site: CallSite, _ run: LocalRun<FailedLists>
  ) -> Completeness? {
    let isSame =
      Frameworks.sameElements.contains(site.name) || Frameworks.partsOfLists.contains(site.name)
    switch receiver {
    case .list(let call), .part(let call):
      if site.name == Frameworks.visiting {
        _ = results(ofClosuresOf: site, given: .held(call), run)
      }
      if isSame { return receiver }
      if site.name == Frameworks.containing { return .lacks(call, false) }
      return Frameworks.searches.contains(site.name) ? .found(call) : .other
    case .present: return isSame ? receiver : .other
    case .leftovers(let call):
      _ = results(ofClosuresOf: site, given: .leftover(call), run)
      if site.name == Frameworks.containing { return .lacks(call, true) }
      return isSame ? receiver : .other
    default: return nil
    }
  }

  /// Whether a macro takes a closure, such as `#Predicate { … }`.
  private func isMacro(_ site: CallSite, _ run: LocalRun<FailedLists>) -> Bool {
    site.callsValue && site.receiver >= 0
      && run.body.steps[Int(site.receiver)].operation == .opaque
  }

  /// What the closures that a call gets give back.
  private func results(
    ofClosuresOf site: CallSite, given: Completeness, _ run: LocalRun<FailedLists>
  ) -> [Completeness] {
    site.arguments.filter { $0.value >= 0 }.compactMap { argument in
      let made = run.body.steps[Int(argument.value)]
      guard made.operation == .closure else { return nil }
      let captured = run.body.operands(of: made).dropFirst().map { run.mark($0) }
      let result = flow.run(made.index, [given], captured)
      run.takeStores(of: made, [given])
      return result
    }
  }

  private func result(
    of call: Ref, _ site: CallSite, _ values: [Completeness], _ arguments: [Completeness]
  ) -> Completeness {
    switch flow.facts.target(call) {
    case .functions(let ids):
      guard let function = ids.first.map({ program.functions[$0] }) else { return .other }
      let type = function.result.map {
        program.type(ofTypeNode: Ref(file: Int(function.ref.file), node: $0))
      }
      let mayLack =
        type.map { isList($0) || $0.isExternal("Bool") && self.fetches(ids[0]) } ?? false
      guard arguments.contains(where: \.matters) || mayLack else { return .other }
      return flow.result(of: call, arguments) ?? .other
    case .externalInitializer:
      // A set, an array or a dictionary of the same elements.
      if let first = arguments.first {
        switch first {
        case .list, .present, .part, .leftovers: return first
        default: break
        }
      }
      return arguments.isEmpty && Frameworks.collections.contains(site.name)
        ? .nothing : element(in: values)
    case .externalMethod:
      for case .leftovers(let call) in arguments where Frameworks.listFetches.contains(site.name) {
        return .leftovers(call)
      }
      return element(in: values)
    default: return .other
    }
  }

  /// Whether a function itself asks a store for objects.
  private func fetches(_ function: FunctionID) -> Bool {
    flow.facts.body(of: function).map { body in
      flow.bodies[body].calls.contains { Frameworks.listFetches.contains($0.name) }
    } ?? false
  }

  /// What a framework makes of an element stands for it, such as the URL of its file.
  private func element(in values: [Completeness]) -> Completeness {
    for value in values {
      switch value {
      case .leftover, .held, .element: return value
      default: continue
      }
    }
    return .other
  }
}
