import PersistIndex
import PersistSyntax

// MARK: - Stores that aren't on disk

extension KnownValues {
  /// What a framework's member says of a store: that it is in memory, or its file. A context stands for
  /// its container.
  func storeMember(_ node: Ref, of receiver: Known) -> Known? {
    guard followsTexts, !namesFiles else { return nil }
    let name = program.name(node)
    if Frameworks.storesInMemory.contains(name) {
      return .pieces([.name(program.nameText(node))])
    }
    guard case .made = receiver else { return nil }
    if Frameworks.mainContexts.contains(name) { return receiver }
    return name == "url" ? file(of: receiver) : nil
  }

  /// The file of a store, or one of several, by what describes it; nil where one can't be told.
  func file(of owner: Known) -> Known? {
    let stores = stores(describedBy: owner)
    let files = stores.compactMap(\.file)
    return files.isEmpty || files.count < stores.count ? nil : Known(oneOf: files.map { Known($0) })
  }

  /// The container behind the context that a call makes, or the container or context that it makes.
  func contextMade(_ site: CallSite, _ call: Ref, _ receiver: Known, _ arguments: [Known]) -> Known?
  {
    guard followsTexts, !namesFiles else { return nil }
    if case .made = receiver, site.name == Frameworks.backgroundContext { return receiver }
    let type: Name
    switch flow.facts.target(call) {
    case .externalInitializer(.external(let made, _)): type = made
    // A type inside of another one is a member of that.
    case .externalMethod(.metatype(let owner), Frameworks.configuration)
    where owner.isExternal(Frameworks.realm):
      type = Frameworks.configuration
    default: return nil
    }
    if Words.openingTypes[type] != nil || type == Frameworks.configuration
      || type == Frameworks.managedContext
    {
      return made(by: call, arguments)
    }
    return type == Frameworks.modelContext ? arguments.first : nil
  }

  /// Whether what a call makes keeps its store in memory; nil where that depends on what isn't known.
  func isInMemory(_ call: Ref, _ arguments: [(Ref, Known)]) -> Bool? {
    var signs: [Bool?] = []
    for (place, value) in arguments {
      let label = program.label(place)
      if Words.inMemoryLabels.contains(label) {
        // People start no app with arguments.
        if !program.readsLaunchValues(place) { signs.append(value.isTrue) }
      } else if label == Frameworks.memoryIdentifier {
        signs.append(value != .none)
      } else if Frameworks.labelsOfFiles.contains(label) || Frameworks.labelsOfTypes.contains(label)
        || label == .none
      {
        signs.append(value.isMemory)
      }
    }
    for name in Frameworks.settingsOfMemory {
      guard let given = given(name, to: call) else { continue }
      let isMemory =
        name == Frameworks.memoryIdentifier ? given.value != .none : given.value.isMemory
      signs.append(given.isSure || isMemory == false ? isMemory : nil)
    }
    if case .externalInitializer(.external(let type, _)) = flow.facts.target(call),
      Words.typesInMemoryWithoutPath.contains(type),
      !arguments.contains(where: { type == "Connection" || program.label($0.0) == "path" })
    {
      signs.append(true)
    }
    return signs.contains(true) ? true : signs.contains(nil) ? nil : false
  }

  /// The flag by which an argument says whether a store is in memory.
  func memoryFlag(_ arguments: [(Ref, Known)]) -> Ref? {
    let flag = arguments.first { Words.inMemoryLabels.contains(program.label($0.0)) }?.0
    return flag.flatMap { program.child($0, .expression) }
      .flatMap { program.child($0, .chain) }.flatMap { program.children($0).last }
  }

  // MARK: Questions

  func opensInMemory(_ site: Ref) -> Bool {
    let callsCode = callsCode(site)
    let saysSo = saysInMemory(site)
    guard !callsCode || saysSo || program.opensAnyInMemory else { return false }
    let stores = callsCode ? stores(openedIn: site) : program.openedStores(by: site)
    // Code that can't be decided, and a library's own helper, say so by what they are given; other
    // stores that such code opens on its way don't count.
    if saysSo {
      return stores.isEmpty ? !callsCode : stores.contains { $0.isInMemory != false }
    }
    return !stores.isEmpty
      && stores.allSatisfy { store in
        store.isInMemory
          ?? store.memoryFlag.map { program.runs(site, onlyWhereTrue: $0) } ?? false
      }
  }

  /// Whether a label or name among the arguments of a call says that a store is in memory.
  private func saysInMemory(_ call: Ref) -> Bool {
    program.arguments(call).contains { argument in
      Words.inMemoryLabels.contains(program.label(argument))
        ? program.child(argument, .expression).map { program.truth(of: $0) } == .isTrue
        : (program.descendants(argument, .implicitMember) + program.descendants(argument, .member))
          .contains { Frameworks.storesInMemory.contains(program.name($0)) }
    }
  }

  /// Whether a call runs code of the sources.
  private func callsCode(_ call: Ref) -> Bool {
    switch flow.facts.target(call) {
    case .functions(let ids): !ids.isEmpty
    case .initializer(let type, let ids): !ids.isEmpty || !ownsStore(.declared(type, []))
    case .closure: true
    default: false
    }
  }

  /// The stores that the code opens which a call runs.
  private func stores(openedIn site: Ref) -> [OpenedStore] {
    guard let body = flow.facts.body(around: site) else { return [] }
    question.scope.followsContainers = true
    question.site = site
    question.scope.followsOpenings = true
    question.watched = [body]
    let made = flow.bodies[body].steps.lastIndex { $0.operation == .call && $0.node == site.node }
    _ = values(around: flow.bodies[body].place, for: made.map { Value($0) })
    return question.effects.indices.filter { index in
      question.inSite.contains { $0.contains(index) }
    }.flatMap { stores(openedBy: $0) }
  }

  func isCalledInMemory(_ call: Ref) -> Bool {
    guard let head = program.callee(call).first else { return false }
    question.scope.followsContainers = true
    return isOfMemory(value(at: head))
  }

  func holdsMemory(_ property: PropertyID) -> Bool {
    question.scope.followsContainers = true
    return isOfMemory(value(of: property, in: .other))
  }

  private func isOfMemory(_ holder: Known) -> Bool {
    holder.choices.map { stores(describedBy: $0) }.allSatisfy { stores in
      !stores.isEmpty && stores.allSatisfy { $0.isInMemory == true }
    }
  }
}

extension Known {
  /// Whether a path, or the type of a store, is one that keeps nothing on disk; nil where some may be.
  var isMemory: Bool? {
    let signs = Set(
      choices.filter { $0 != .none }.map { choice -> Bool in
        switch choice {
        case .text(let text): Frameworks.pathsInMemory.contains(text)
        case .foreignType(let names): Frameworks.storesInMemory.contains(Name(names.last ?? ""))
        case .pieces(let pieces):
          if case .name(let name)? = pieces.first, pieces.count == 1 {
            Frameworks.storesInMemory.contains(Name(name))
          } else {
            false
          }
        default: false
        }
      })
    return signs.count > 1 ? nil : signs.first ?? false
  }

  /// Whether a flag holds; nil where that isn't known.
  fileprivate var isTrue: Bool? {
    let flags = Set(choices.map(\.flag))
    return flags.count == 1 ? flags.first ?? nil : nil
  }
}

extension Program {
  /// Whether code that ships names what keeps a store in memory.
  var mentionsMemory: Bool { once(evenInQueries: true) { MemoryMention($0) }.isThere }
}

/// Whether code that ships names what keeps a store in memory.
private final class MemoryMention {
  let isThere: Bool

  init(_ program: Program) {
    func ships(_ file: Int) -> Bool {
      !program.files[file].isTest && !program.isOfTestTarget(Int32(file))
    }
    let names = Frameworks.storesInMemory.union(Words.inMemoryLabels)
    isThere =
      program.files(usingAny: names).contains(where: ships)
      || Words.typesInMemoryWithoutPath.contains { type in
        program.calls(named: type).contains { ships(Int($0.file)) }
      }
      || program.files(using: "URL").contains {
        ships($0) && program.files[$0].mentions("/dev/null")
      }
  }
}
