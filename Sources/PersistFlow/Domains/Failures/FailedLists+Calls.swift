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
    if deletes(node, site) {
      let values = [site.receiver] + site.arguments.map(\.value)
      noteDeletion(at: node, [receiver] + arguments, ofElements: values, run)
    } else if [Frameworks.rowDeletion, Frameworks.batchDeletion].contains(site.name) {
      noteDeletion(at: node, [receiver] + arguments, run)
    }
    // `filter { … }` and `#Predicate { … }` pick what the closure holds for.
    if site.name == Frameworks.choosing || isMacro(site, run) {
      let results = results(ofClosuresOf: site, given: .element, run)
      for case .lacks(let call, true, ofElement: true) in results {
        return .leftovers(call)
      }
    }
    let made = made(of: receiver, node, site, run) ?? request(node, site, arguments, run)
    if let made { return made }
    if let call = arguments.first?.source, Frameworks.subtracting.contains(site.name) {
      return .leftovers(call)
    }
    if site.name == Frameworks.visiting {
      _ = results(ofClosuresOf: site, given: .element, run)
    }
    return result(of: node, site, run)
  }

  /// Whether a call deletes an object, a row or a file; views remove items too.
  private func deletes(_ call: Ref, _ site: CallSite) -> Bool {
    guard Frameworks.deletions.contains(site.name) else { return false }
    guard site.name == Frameworks.fileDeletion,
      case .external(let type, _) = program.receiverType(ofCall: call).unwrapped
    else { return true }
    return type == Frameworks.fileManager
  }

  /// What a method makes of a list; nil where the receiver is none.
  private func made(
    of receiver: Completeness, _ node: Ref, _ site: CallSite, _ run: LocalRun<FailedLists>
  ) -> Completeness? {
    let isSame =
      Frameworks.sameElements.contains(site.name) || Frameworks.partsOfLists.contains(site.name)
    switch receiver {
    case .list(let call), .part(let call):
      if site.name == Frameworks.visiting {
        _ = results(ofClosuresOf: site, given: .held(call), run)
      }
      if isSame || sumsUp(site, run) { return receiver }
      let found = found(in: receiver, site.arguments.map(\.value), run)
      if case .found(_, let isOfElement) = found, site.name == Frameworks.containing {
        return .lacks(call, false, ofElement: isOfElement)
      }
      return Frameworks.searches.contains(site.name) ? found : .other
    case .present: return isSame || sumsUp(site, run) ? receiver : .other
    case .leftovers(let call):
      _ = results(ofClosuresOf: site, given: .leftover(call), run)
      hand(.leftover(call), toCodeNamedBy: node, site, run)
      if site.name == Frameworks.containing { return .lacks(call, true, ofElement: true) }
      return isSame || Frameworks.requestMethods.contains(site.name) ? receiver : .other
    default: return nil
    }
  }

  /// What a request picks that asks for the rows which a list has, or lacks.
  private func request(
    _ node: Ref, _ site: CallSite, _ arguments: [Completeness], _ run: LocalRun<FailedLists>
  ) -> Completeness? {
    if site.name == Frameworks.membership, let call = arguments.first?.source {
      return .lacks(call, false, ofElement: true)
    }
    if Frameworks.rowFilters.contains(site.name) {
      for case .lacks(let call, true, _) in arguments { return .leftovers(call) }
    }
    guard Frameworks.textRequests.contains(site.name), let text = program.arguments(node).first,
      let call = (arguments + interpolated(site, run)).lazy.compactMap(\.source).first
    else { return nil }
    let words = program.descendants(text, .string).first.map {
      program.text(ofString: $0) { _ in "" }.uppercased().split { !$0.isLetter }
    }
    guard let words, words.contains("NOT"), words.contains("IN") else { return nil }
    if words.first == "DELETE" { noteDeletion(at: node, [.leftovers(call)], run) }
    return .leftovers(call)
  }

  /// What the first argument of a call holds that is a string.
  private func interpolated(_ site: CallSite, _ run: LocalRun<FailedLists>) -> [Completeness] {
    guard let value = site.arguments.first?.value, value >= 0,
      case let text = run.body.steps[Int(value)], text.operation == .string
    else { return [] }
    return run.body.operands(of: text).map { run.mark($0) }
  }

  /// Whether a call makes one value of all elements, beginning with an empty one.
  private func sumsUp(_ site: CallSite, _ run: LocalRun<FailedLists>) -> Bool {
    site.name == Frameworks.summing && run.marks(of: site).first == .nothing
  }

  /// Hands an element to a function that is named: `gone.forEach(context.delete)`.
  private func hand(
    _ mark: Completeness, toCodeNamedBy call: Ref, _ site: CallSite, _ run: LocalRun<FailedLists>
  ) {
    for argument in site.arguments where argument.value >= 0 {
      let step = run.body.steps[Int(argument.value)]
      if step.operation == .get, Frameworks.deletions.contains(step.name) {
        noteDeletion(at: run.body.ref(step), [mark], run)
      }
    }
    for code in program.codeHanded(to: call) {
      guard case .function(let id) = code.named else { continue }
      let place = program.descendants(code.argument, .member).last ?? code.argument
      for body in bodies(of: id) { _ = flow.run(body, [mark.handed(at: place)]) }
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
    of call: Ref, _ site: CallSite, _ run: LocalRun<FailedLists>
  ) -> Completeness {
    let arguments = run.marks(of: site)
    let values = [run.mark(site.receiver)] + arguments
    switch flow.facts.target(call) {
    case .functions(let ids):
      guard let function = ids.first.map({ program.functions[$0] }) else { return .other }
      let type = function.result.map {
        program.type(ofTypeNode: Ref(file: Int(function.ref.file), node: $0))
      }
      let mayLack =
        type.map { isList($0) || $0.isExternal("Bool") && asks(ids[0]) } ?? false
      guard values.contains(where: \.matters) || mayLack else { return .other }
      let given = ([site.receiver] + site.arguments.map(\.value)).map {
        self.given($0, at: call, run)
      }
      return result(of: call, ids, given)
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
      // What has to be waited for comes from elsewhere.
      return site.isAwaited ? .other : element(in: values)
    default: return .other
    }
  }

  /// What functions make of what comes in, and do with it.
  private func result(
    of call: Ref, _ ids: [FunctionID], _ values: [Completeness]
  ) -> Completeness {
    let given = Dictionary(
      zip(program.arguments(call), values.dropFirst()), uniquingKeysWith: { first, _ in first })
    let found = ids.flatMap { id in
      let function = program.functions[id]
      let parameters = function.parameters.indices.map { index in
        program.argument(of: call, for: index, of: function).flatMap { given[$0] } ?? .other
      }
      let isKnown = parameters.contains { $0 != .other }
      return bodies(of: id).map {
        flow.run($0, isKnown ? parameters : [], of: values.first ?? .other)
      }
    }
    return found.count == 1 ? found[0] : .other
  }

  /// The body of a function, or those of all that implement a requirement.
  private func bodies(of id: FunctionID) -> [BodyID] {
    (program.witnesses(of: id) ?? [id]).compactMap { flow.facts.body(of: $0) }
  }

  /// Whether a function asks a store for something, by itself or in what it calls.
  private func asks(_ function: FunctionID) -> Bool {
    program.body(of: function).map {
      program.readsStore($0)
    } ?? false
  }

  /// What a framework makes of an element stands for it, such as the URL of its file.
  func element(in values: [Completeness]) -> Completeness {
    for value in values {
      switch value {
      case .leftover, .handed, .held, .element: return value
      default: continue
      }
    }
    return .other
  }
}
