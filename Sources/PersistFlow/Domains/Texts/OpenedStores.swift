import PersistIndex
import PersistSyntax

/// A store that an opening may open, as far as the code says.
package struct OpenedStore: Hashable, Sendable {
  /// Its file; nil where that can't be told.
  package var file: KnownText?
  /// Whether it is opened for reading alone.
  package var isReadOnly = false
  /// Whether the framework is told not to migrate it.
  package var isNeverMigrated = false
  /// Whether it is in memory, or may be because of a flag that isn't known.
  package var mayBeInMemory = false
}

/// The stores that a call opens.
private struct StoresOpened: Query {
  let call: Ref

  static var provisional: [OpenedStore] { [] }
  func answer(in program: Program) -> [OpenedStore] {
    program.afresh(within: .openingRuns) { $0.stores(openedBy: call) }
  }
}

extension Program {
  /// The stores that an opening may open: what its arguments name, or what the container is given whose
  /// stores it loads.
  package func openedStores(by call: Ref) -> [OpenedStore] { answer(StoresOpened(call: call)) }

  /// The configurations that a container is given, by the calls that make them; nil where one of them
  /// can't be told.
  package func configurations(of container: Ref) -> [Ref]? {
    let given = children(container, .argument).drop { label($0) != "configurations" }
    var found: [Ref] = []
    for value in given.map({ knownValue(of: $0) }).flatMap({ $0.elements ?? [$0] }) {
      guard case .made(let call, _) = value, calledName(call) == Frameworks.modelConfiguration
      else { return nil }
      found.append(call)
    }
    return found
  }
}

extension Program {
  /// Whether a value asks how the process was launched, and nothing else.
  fileprivate func readsLaunchValues(_ value: Ref) -> Bool {
    let chains = outerChains(in: value)
    return !chains.isEmpty
      && chains.allSatisfy { chain in
        children(chain).first.map { Frameworks.launchValues.contains(name($0)) } ?? false
      }
  }

  /// The chains of an expression that stand in no other chain of it.
  private func outerChains(in ref: Ref) -> [Ref] {
    kind(ref) == .chain ? [ref] : children(ref).flatMap { outerChains(in: $0) }
  }
}

// MARK: - What is made is given

extension KnownValues {
  /// Notes what a framework's object gets that knows a store.
  func noteSetting(_ name: Name, of owner: Known, _ value: Known) {
    for case .made(let call, _) in owner.choices {
      let before = question.settings[call]?[name]
      let all = Known(oneOf: [before, value].compactMap { $0 })
      question.settings[call, default: [:]][name] = all
    }
  }

  /// What a framework's object that knows a store has been given; its first description stands for a
  /// container that was given none.
  func setting(named name: Name, of owner: Known) -> Known? {
    guard followsTexts, !namesFiles, case .made(let call, _) = owner else { return nil }
    if let set = question.settings[call]?[name] { return set }
    return name == Frameworks.descriptions ? .list([owner]) : nil
  }

  /// Whether a type's instances know the file of a store.
  func ownsStore(_ type: SwiftType) -> Bool {
    switch type.unwrapped {
    case .external(let name, _): Frameworks.storeOwners.contains(name)
    case .declared(let type, _): Frameworks.containers.contains { program.inherits(type, from: $0) }
    default: false
    }
  }

  // MARK: Openings

  fileprivate func stores(openedBy call: Ref) -> [OpenedStore] {
    let values = openedValues(by: call)
    // What they are given is known when the code around them has run.
    return values.flatMap { stores(describedBy: $0) }
  }

  private func openedValues(by call: Ref) -> [Known] {
    switch program.calledName(call) {
    case Frameworks.loadingStores: return [value(ofReceiver: call)]
    case Frameworks.modelContainer:
      let given = program.arguments(call).drop { program.label($0) != "configurations" }
      let isDefault = given.isEmpty && !program.opensInMemory(call)
      return isDefault ? [Known(program.defaultStore(of: call))] : given.map { value(at: $0) }
    default:
      let places = program.arguments(call).filter {
        program.kind($0) == .argument && Frameworks.labelsOfStores.contains(program.label($0))
      }
      return places.map { value(at: $0) }
    }
  }

  private func stores(describedBy value: Known) -> [OpenedStore] {
    switch value {
    case .either(let choices): return choices.flatMap { stores(describedBy: $0) }
    case .list(let elements): return elements.flatMap { stores(describedBy: $0) }
    case .instance(let type, _): return stores(ofContainer: type, named: .other)
    case .made(let call, let given): return stores(madeBy: call, given)
    default: return [OpenedStore(file: value.knownText)]
    }
  }

  private func stores(madeBy call: Ref, _ given: [Known]) -> [OpenedStore] {
    let settings = question.settings[call] ?? [:]
    let arguments = Array(zip(program.arguments(call), given)).filter {
      program.kind($0.0) == .argument
    }
    func argument(_ label: Name) -> Known? { arguments.first { program.label($0.0) == label }?.1 }
    if let descriptions = settings[Frameworks.descriptions],
      descriptions.choices.contains(where: { $0.elements?.isEmpty == false })
    {
      return stores(describedBy: descriptions)
    }
    var found: [OpenedStore]
    if let url = settings["url"] ?? argument("url") ?? argument("path") ?? argument("fileURL") {
      found = url.choices.map { OpenedStore(file: $0.knownText) }
    } else if program.calledName(call) == Frameworks.modelConfiguration {
      found = [OpenedStore(file: program.store(described: .made(call, given)))]
    } else if let name = argument("name") {
      let type = program.type(of: program.chain(of: call)).unwrapped
      var own: TypeID?
      if case .declared(let id, _) = type { own = id }
      found = stores(ofContainer: own, named: name)
    } else {
      found = [OpenedStore(file: nil)]
    }
    let isReadOnly =
      settings["isReadOnly"]?.choices.contains { $0.flag == true } ?? false
      || argument("allowsSave")?.flag == false
    let memory = arguments.first { program.label($0.0) == "isStoredInMemoryOnly" }
    // People start no app with arguments.
    let isInMemory = memory.map { $1.flag != false && !program.readsLaunchValues($0) } ?? false
    let migrates = settings["shouldMigrateStoreAutomatically"]?.choices ?? []
    for index in found.indices {
      found[index].isReadOnly = isReadOnly
      found[index].mayBeInMemory = isInMemory
      found[index].isNeverMigrated = !migrates.isEmpty && migrates.allSatisfy { $0.flag == false }
    }
    return found
  }

  /// The store of a container that its name tells: in the folder that its class names, or in the
  /// framework's.
  private func stores(ofContainer type: TypeID?, named name: Known) -> [OpenedStore] {
    var folders: [KnownText] = []
    if let type, case .functions(let ids)? = flow.facts.member(Frameworks.defaultFolder, of: type),
      let id = only(ids), let body = flow.facts.body(of: id)
    {
      folders = run(body, own: .type(type)).choices.compactMap(\.knownText)
    }
    if folders.isEmpty { folders = [KnownText("dir:\(Frameworks.storeFolder)")] }
    let text = name.knownText ?? KnownText([.path(.unknown)])
    return folders.map { OpenedStore(file: $0.below(text).appending(".sqlite")) }
  }
}
