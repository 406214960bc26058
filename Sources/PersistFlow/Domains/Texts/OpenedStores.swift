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
  /// Whether it is in memory; nil where that depends on what isn't known.
  package var isInMemory: Bool? = false
  /// The flag that says so, where its value isn't known.
  var memoryFlag: Ref?
  /// What has put it into memory since its description was made.
  package var memorySetting: Ref?
  /// Whether a description of the code's own, which has no options for CloudKit, tells of it.
  var isLocal = false
  /// The container that was given what describes it.
  var container: Ref?
}

/// The stores that a call opens.
private struct StoresOpened: Query {
  let call: Ref

  static var provisional: [OpenedStore] { [] }
  func answer(in program: Program) -> [OpenedStore] {
    program.afresh(within: .openingRuns) {
      $0.question.scope.followsContainers = true
      return $0.stores(openedBy: call)
    }
  }
}

/// Whether a call opens a store in memory, or is made on something of one; or whether a property holds
/// such a thing.
private struct IsInMemory: Query {
  enum Subject: Hashable {
    case opened(by: Ref)
    case receiver(of: Ref)
    case property(PropertyID)
  }

  let subject: Subject

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool {
    guard program.mentionsMemory else { return false }
    return program.afresh(within: .openingRuns) { values in
      switch subject {
      case .opened(let call): values.opensInMemory(call)
      case .receiver(let call): program.opensAnyInMemory && values.isCalledInMemory(call)
      case .property(let id): program.opensAnyInMemory && values.holdsMemory(id)
      }
    }
  }
}

/// Whether code that ships may open a store in memory anywhere.
private struct OpensAnyInMemory: Query {
  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool {
    program.frameworkOpenings().contains { opening in
      isRun(opening.call, program) && program.mayOpenInMemory(opening.call)
    }
  }

  /// Whether code that ships may come to an opening, which may stand with its sample data.
  private func isRun(_ opening: Ref, _ program: Program) -> Bool {
    guard program.isExempt(opening) else { return !program.isUnused(opening) }
    if let id = program.enclosingFunction(opening) {
      return program.callers(of: id).contains { !program.isExempt($0) }
    }
    let holder = program.ancestors(opening).lazy.compactMap { program.property(declaredAt: $0) }
    return holder.first.map { id in
      program.uses(ofProperty: id).contains { !program.isExempt($0) }
    } ?? false
  }
}

/// Whether all stores of Core Data that code that ships opens are in memory.
private struct IsCoreDataInMemory: Query {
  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool {
    guard program.opensAnyInMemory else { return false }
    let openings = program.openingsOfCoreData
    return !openings.isEmpty && openings.allSatisfy { program.opensInMemory($0) }
  }
}

/// The calls of frameworks that open a store.
private final class Openings {
  let calls: Set<Ref>

  init(_ program: Program) { calls = Set(program.frameworkOpenings().map(\.call)) }
}

extension Program {
  /// Whether code that ships may open a store in memory anywhere.
  var opensAnyInMemory: Bool { answer(OpensAnyInMemory()) }

  /// The stores that an opening may open: what its arguments name, or what the container is given whose
  /// stores it loads.
  package func openedStores(by call: Ref) -> [OpenedStore] { answer(StoresOpened(call: call)) }

  /// Whether a call surely opens or describes a store that isn't on disk, by itself or in the code that
  /// it runs.
  package func opensInMemory(_ call: Ref) -> Bool {
    answer(IsInMemory(subject: .opened(by: call)))
  }

  /// Whether a framework's opening may open a store in memory for some of its callers.
  func mayOpenInMemory(_ root: Ref) -> Bool {
    guard mentionsMemory, isOpening(root) else { return false }
    // What loads the stores of a container doesn't say what other code has described.
    guard calledType(root).map({ Words.openingTypes[$0] != nil }) ?? false else { return true }
    return openedStores(by: root).contains { $0.isInMemory != false }
  }

  /// Whether Core Data keeps nothing on disk, in any store that code that ships opens.
  package var keepsCoreDataInMemory: Bool { answer(IsCoreDataInMemory()) }

  /// The calls of code that ships that open stores of Core Data.
  fileprivate var openingsOfCoreData: [Ref] {
    frameworkOpenings().map(\.call).filter {
      Frameworks.coreDataOpenings.contains(calledName($0)) && !isExempt($0)
    }
  }

  /// Whether a container gets descriptions of the code's own alone, without options for CloudKit.
  package func isLocal(containerMadeBy call: Ref) -> Bool {
    let stores = openingsOfCoreData.flatMap { openedStores(by: $0) }
      .filter { $0.container == call }
    return !stores.isEmpty && stores.allSatisfy(\.isLocal)
  }

  /// Whether the receiver of a call, such as a context that saves, surely belongs to a store in memory.
  package func isCalledInMemory(_ call: Ref) -> Bool {
    if receiverType(ofCall: call).unwrapped.isExternal(Frameworks.managedContext),
      keepsCoreDataInMemory
    {
      return true
    }
    var receiver = callee(call).dropLast()
    if let head = receiver.first, nameText(head) == "self" { receiver.removeFirst() }
    if receiver.count == 1, let id = receiver.first.flatMap({ property(usedBy: $0) }),
      !properties[id].isComputed
    {
      return answer(IsInMemory(subject: .property(id)))
    }
    return answer(IsInMemory(subject: .receiver(of: call)))
  }

  /// Whether a call of a framework opens a store.
  func isOpening(_ call: Ref) -> Bool {
    once(evenInQueries: true) { Openings($0) }.calls.contains(call)
  }

  /// The configurations that a container is given, by the calls that make them; nil where one of them
  /// can't be told.
  package func configurations(of container: Ref) -> [Ref]? {
    let isRealm = calledType(container) == Frameworks.realm
    let given = children(container, .argument).drop {
      label($0) != (isRealm ? "configuration" : "configurations")
    }
    var found: [Ref] = []
    for value in given.map({ knownValue(of: $0) }).flatMap({ $0.elements ?? [$0] }) {
      guard case .made(let call, _) = value,
        isRealm
          ? calledName(call) == Frameworks.configuration
          : calledType(call) == Frameworks.modelConfiguration
      else { return nil }
      found.append(call)
    }
    return found
  }
}

extension Program {
  /// Whether a value asks how the process was launched, and nothing else.
  func readsLaunchValues(_ value: Ref) -> Bool {
    let chains = outerChains(in: value)
    return !chains.isEmpty
      && chains.allSatisfy { chain in
        children(chain).first.map { Frameworks.launchValues.contains(name($0)) } ?? false
          && children(chain).contains { Frameworks.launchMembers.contains(name($0)) }
      }
  }

  /// The chains of an expression that stand in no other chain of it.
  private func outerChains(in ref: Ref) -> [Ref] {
    kind(ref) == .chain ? [ref] : children(ref).flatMap { outerChains(in: $0) }
  }
}

// MARK: - What is made is given

extension KnownValues {
  /// What a framework's object that knows a store has been given; its first description stands for a
  /// container that was given none.
  func setting(named name: Name, of owner: Known) -> Known? {
    guard followsTexts, !namesFiles, let object = storeObject(owner) else { return nil }
    if let set = given(name, to: object) {
      return name == "url" && set.isKept ? file(of: owner) ?? .other : set.value
    }
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

  func stores(openedBy call: Ref) -> [OpenedStore] {
    question.scope.followsOpenings = program.calledName(call) == Frameworks.loadingStores
    let made = value(at: call)
    if case .made(call, _) = made { return stores(describedBy: made) }
    guard program.calledName(call) == Frameworks.loadingStores else {
      return opened(by: call, nil) { index in value(at: program.arguments(call)[index]) }
        .flatMap { stores(describedBy: $0) }
    }
    let container = value(ofReceiver: call)
    let runs = question.effects.indices.filter { index in
      guard case .opening(call, let values) = question.effects[index].kind else { return false }
      return values != [.other]
    }
    // What it is given is known when the code around it has run.
    return runs.isEmpty
      ? stores(describedBy: container) : runs.flatMap { stores(openedBy: $0) }.uniqued
  }

  /// What describes the stores that a call opens: its arguments, or the container that it is called on.
  func opened(
    by call: Ref, _ receiver: Known?, _ argument: (Int) -> Known
  ) -> [Known] {
    guard program.calledName(call) != Frameworks.loadingStores else {
      return [receiver ?? value(ofReceiver: call)]
    }
    let arguments = program.arguments(call)
    func given(_ labels: Set<Name>) -> [Known] {
      arguments.indices.filter {
        program.kind(arguments[$0]) == .argument && labels.contains(program.label(arguments[$0]))
      }.map(argument)
    }
    let types = given(Frameworks.labelsOfTypes)
    return types.first?.isMemory == true ? types : given(Frameworks.labelsOfStores)
  }

  func stores(describedBy value: Known) -> [OpenedStore] {
    switch value {
    case .either(let choices): return choices.flatMap { stores(describedBy: $0) }
    case .list(let elements): return elements.flatMap { stores(describedBy: $0) }
    case .instance(let type, let fields):
      if let object = storeObject(value) {
        return describedStores(of: object) ?? stores(ofContainer: type, named: .other)
      }
      let held = fields.sorted { $0.key < $1.key }.map(\.value).filter(isContainer)
      return held.flatMap { stores(describedBy: $0) }
    case .made(let call, let given): return stores(madeBy: call, given)
    case .other: return [OpenedStore(file: nil, isInMemory: nil)]
    default: return [OpenedStore(file: value.knownText, isInMemory: value.isMemory)]
    }
  }

  /// The stores that a container is given descriptions of; nil where it is given none.
  private func describedStores(of container: Ref) -> [OpenedStore]? {
    guard let given = given(Frameworks.descriptions, to: container),
      given.value.choices.contains(where: { $0.elements?.isEmpty == false })
    else { return nil }
    return stores(describedBy: given.value).map { store in
      var store = store
      store.container = container
      store.isLocal = store.isLocal && given.isSure
      if !given.isSure, store.isInMemory == true { store.isInMemory = nil }
      return store
    }
  }

  private func isContainer(_ value: Known) -> Bool {
    guard case .made(let call, _) = value else { return false }
    let type = program.type(of: program.chain(of: call)).unwrapped
    return type.isExternal(Frameworks.modelContainer) || ownsStore(type)
  }

  private func stores(madeBy call: Ref, _ values: [Known]) -> [OpenedStore] {
    let arguments = Array(zip(program.arguments(call), values)).filter {
      program.kind($0.0) == .argument
    }
    func argument(_ label: Name) -> Known? { arguments.first { program.label($0.0) == label }?.1 }
    let type = program.calledType(call)
    if type == Frameworks.modelContainer {
      let given = arguments.drop { program.label($0.0) != "configurations" }.map(\.1)
      guard given.isEmpty else { return given.flatMap { stores(describedBy: $0) } }
      return [OpenedStore(file: program.defaultStore(of: call))]
    }
    if type == Frameworks.realm, let given = argument("configuration") ?? argument(.none),
      case .made = given
    {
      return stores(describedBy: given)
    }
    if type == Frameworks.managedContext {
      return given(Frameworks.parentOfContext, to: call).map { stores(describedBy: $0.value) }
        ?? [OpenedStore(file: nil, isInMemory: nil)]
    }
    if let described = describedStores(of: call) { return described }
    let set = given("url", to: call) ?? given("fileURL", to: call)
    let url = set?.value ?? argument("url") ?? argument("path") ?? argument("fileURL")
    let isKept = set?.isKept == true && argument("name") != nil
    let chosen = url?.choices.map { OpenedStore(file: $0.knownText) } ?? []
    var found: [OpenedStore] = []
    if url != nil, !isKept {
      found = []
    } else if type == Frameworks.modelConfiguration {
      found = [OpenedStore(file: program.store(described: .made(call, values)))]
    } else if let name = argument("name") {
      var own: TypeID?
      if case .initializer(let id, _) = flow.facts.target(call) { own = program.resolveAlias(id) }
      found = stores(ofContainer: own, named: name)
    } else {
      found = [OpenedStore(file: nil)]
    }
    found += chosen
    let isReadOnly =
      given("isReadOnly", to: call)?.value.choices.contains { $0.flag == true } ?? false
      || argument("allowsSave")?.flag == false
    let isInMemory = isInMemory(call, arguments)
    let memorySetting = Frameworks.settingsOfMemory.lazy.compactMap { self.given($0, to: call) }
      .first { $0.value.isMemory != false }?.places.first
    let isLocal =
      type == Frameworks.description
      && given(Frameworks.cloudOptions, to: call)?.value.choices.allSatisfy { $0 == .none } ?? true
    let migrates = given("shouldMigrateStoreAutomatically", to: call)?.value.choices ?? []
    for index in found.indices {
      found[index].isReadOnly = isReadOnly
      found[index].isInMemory = isInMemory
      found[index].memoryFlag = isInMemory == nil ? memoryFlag(arguments) : nil
      found[index].memorySetting = memorySetting
      found[index].isLocal = isLocal
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

extension [OpenedStore] {
  /// Each store once.
  fileprivate var uniqued: Self {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

extension Program {
  /// The framework's type that a call makes an instance of.
  func calledType(_ call: Ref) -> Name? {
    guard case .externalInitializer(.external(let type, _)) = callTarget(call) else { return nil }
    return type
  }
}
