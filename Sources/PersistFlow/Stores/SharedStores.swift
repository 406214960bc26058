import PersistIndex
import PersistSyntax

/// The framework's openings of stores in app group containers.
private struct OpeningsInGroup: Query {
  /// The platforms on which the store lies there; nil where any will do.
  let platforms: Set<String>?

  static var provisional: [StoreOpening] { [] }
  func answer(in program: Program) -> [StoreOpening] { program.findOpeningsInGroup(on: platforms) }
}

// MARK: - Stores that several processes open

extension Program {
  /// The framework's openings of stores in app group containers that migrate an older store, in
  /// source order.
  package var groupOpenings: [StoreOpening] {
    openingsInGroup.filter { migratesByItself($0.site) }
  }

  /// The framework's openings of stores in app group containers, in source order.
  var openingsInGroup: [StoreOpening] { openingsInGroup(on: nil) }

  /// Those whose stores lie there on one of some platforms, as `os(…)` names them.
  func openingsInGroup(on platforms: Set<String>?) -> [StoreOpening] {
    answer(OpeningsInGroup(platforms: platforms))
  }

  fileprivate func findOpeningsInGroup(on platforms: Set<String>?) -> [StoreOpening] {
    storeFlow.openings.filter { opening in
      // SQLite itself locks nothing until it is asked for something.
      opening.site == opening.root && !opening.isInMemory && !isExempt(opening.site)
        && calledName(opening.site) != "Connection" && isInGroup(opening.site, on: platforms)
    }
  }

  /// Whether an opening's store lies in an app group container, on one of some platforms.
  func isInGroup(_ call: Ref, on platforms: Set<String>? = nil) -> Bool {
    if let isInAppGroup = project.isInAppGroup { return isInAppGroup }
    let group = Saying.group(on: platforms)
    if children(call, .argument).contains(where: { says(group, $0, depth: 0) }) { return true }
    if calledName(call) == "loadPersistentStores" {
      for container in containerTypes(loadedBy: call) {
        if let place = ownFunctions(container, "defaultDirectoryURL").first,
          let body = functions[place].body
        {
          return says(group, Ref(file: Int(functions[place].ref.file), node: body), depth: 0)
        }
      }
      return outermostBody(call).map { says(group, $0, depth: 0) } ?? false
    }
    return liesInGroupByDefault(call)
  }

  /// The classes of the sources of which the container is whose stores a call loads: its own, or those
  /// of what its property gets.
  private func containerTypes(loadedBy call: Ref) -> [TypeID] {
    if case .declared(let container, _) = receiverType(ofCall: call).unwrapped {
      return [container]
    }
    guard
      let holder = callee(call).last(where: {
        [.name, .member].contains(kind($0)) && name($0) != "loadPersistentStores"
      }), let id = property(usedBy: holder) ?? property(named: holder)
    else { return [] }
    let first = properties[id].initializer.map { Ref(file: Int(properties[id].ref.file), node: $0) }
    let later = uses(of: [properties[id].name]).compactMap { use in
      property(usedBy: use) == id && !isExempt(use)
        ? assignment(toWhatEndsWith: use)?.value : nil
    }
    return ([first].compactMap { $0 } + later).compactMap { value in
      if case .declared(let container, _) = type(of: value).unwrapped { return container }
      return nil
    }
  }

  /// Whether a container is given no place, and the entitlements beside it name an app group: then
  /// SwiftData takes the group's folder.
  private func liesInGroupByDefault(_ call: Ref) -> Bool {
    guard calledName(call) == "ModelContainer",
      projects.entitlements(of: files[Int(call.file)].path).contains(where: \.namesAppGroup)
    else { return false }
    let configurations = children(call, .argument).drop { label($0) != "configurations" }
    return configurations.allSatisfy { argument in
      guard let made = configurationCalls(in: argument, depth: 0), !made.isEmpty else {
        return false
      }
      return made.allSatisfy {
        self.argument($0, "url") == nil
          && self.argument($0, "groupContainer").map { lastName(of: $0) == "automatic" } ?? true
      }
    }
  }

  /// The `ModelConfiguration(…)` behind an expression; nil when it holds something else.
  package func configurationCalls(in ref: Ref, depth: Int) -> [Ref]? {
    guard isWithin(depth, .configurationLists) else { return nil }
    var found: [Ref] = []
    for chain in outerChains(in: ref) {
      let parts = children(chain)
      if let call = parts.last, kind(call) == .call, calledName(call) == "ModelConfiguration" {
        found.append(call)
      } else if parts.count == 1, kind(parts[0]) == .array {
        guard let inner = configurationCalls(in: parts[0], depth: depth + 1) else { return nil }
        found += inner
      } else if let values = parts.last.flatMap({ heldValues(of: $0) }) {
        for value in values {
          guard let inner = configurationCalls(in: value, depth: depth + 1) else { return nil }
          found += inner
        }
      } else {
        return nil
      }
    }
    return found
  }

  /// The initializer of the constant that ends a chain, or what the getter or function returns that
  /// does.
  private func heldValues(of name: Ref) -> [Ref]? {
    if kind(name) == .call {
      let bodies = functions(calledBy: name).compactMap { body(of: $0) }
      let values = bodies.flatMap { results(of: $0) }
      return bodies.count == 1 && !values.isEmpty ? values : nil
    }
    if let value = constantValue(of: name) { return [value] }
    guard let id = property(usedBy: name), let accessors = properties[id].accessors else {
      return nil
    }
    let values = results(of: Ref(file: Int(properties[id].ref.file), node: accessors))
    return values.isEmpty ? nil : values
  }

  /// The chains of an expression or list that stand in no other chain of it.
  private func outerChains(in ref: Ref) -> [Ref] {
    if kind(ref) == .chain { return [ref] }
    return children(ref).flatMap { outerChains(in: $0) }
  }

  /// The initializer of the constant that ends a chain.
  private func constantValue(of name: Ref) -> Ref? {
    if kind(name) == .name { return fixedValue(of: name) }
    return property(usedBy: name).flatMap { id in
      properties[id].initializer.map { Ref(file: Int(properties[id].ref.file), node: $0) }
    }
  }

  /// Whether an opening migrates an older store, as far as the sources tell.
  private func migratesByItself(_ call: Ref) -> Bool {
    if isNamedOpening(call) { return true }
    switch calledName(call) {
    case "ModelContainer", "init": return true
    case "loadPersistentStores":
      return !isDescribed(call, "shouldMigrateStoreAutomatically", as: false)
    case "addPersistentStore":
      guard let body = enclosingBody(call) else { return false }
      return names("NSMigratePersistentStoresAutomaticallyOption", in: body)
    default: return false
    }
  }

  /// Whether the sources hold a widget, an intent, an extension or a watch app.
  var hasOtherProcesses: Bool {
    hasType(inheritingFrom: Words.otherProcessTypes) { !isExempt(types[$0].ref) }
  }

  /// Whether an opening can't change its store.
  package func isReadOnly(_ opening: StoreOpening) -> Bool {
    children(opening.site, .argument).contains { says(.readOnly, $0, depth: 0) }
      || outermostBody(opening.site).map {
        names("NSReadOnlyPersistentStoreOption", in: $0)
      } ?? false || isDescribed(opening.site, "isReadOnly", as: true)
  }

  /// Whether the description of the stores that a call loads surely gets a setting: in the body
  /// around the call, or in what that calls or reads.
  private func isDescribed(_ call: Ref, _ setting: Name, as value: Bool) -> Bool {
    guard calledName(call) == "loadPersistentStores", let body = outermostBody(call) else {
      return false
    }
    return sets(setting, to: value, in: body, besides: call, depth: 0)
      || isDescribedWhenMade(call, setting, as: value)
  }

  /// Whether each initializer of the type around a call gives the description of the container that
  /// the type keeps a setting.
  private func isDescribedWhenMade(_ call: Ref, _ setting: Name, as value: Bool) -> Bool {
    guard let type = enclosingType(call),
      let holder = callee(call).last(where: {
        [.name, .member].contains(kind($0)) && name($0) != "loadPersistentStores"
      }), let id = property(usedBy: holder) ?? property(named: holder), properties[id].owner == type
    else { return false }
    let made = types[type].functions.filter {
      functions[$0].kind == .initDecl && !functions[$0].modifiers.contains("convenience")
    }
    return !made.isEmpty
      && made.allSatisfy { function in
        body(of: function).map {
          !contains($0, call) && sets(setting, to: value, in: $0, besides: call, depth: 0)
        } ?? false
      }
  }

  private func property(named name: Ref) -> PropertyID? {
    if case .property(let id)? = declared(name) { return id }
    return nil
  }

  private func sets(
    _ setting: Name, to value: Bool, in body: Ref, besides call: Ref, depth: Int
  ) -> Bool {
    guard isWithin(depth, .settingCalls) else { return false }
    let outline = outline(body)
    return subtree(body).contains { index in
      let node = Ref(file: Int(body.file), node: Int(index))
      switch outline.nodes[Int(index)].kind {
      case .member where name(node) == setting && isAssignmentTarget(node):
        guard let given = valueAssigned(to: node), given.count == 1,
          booleanLiteral(given[0]) == value
        else { return false }
        return conditions.runs(node, whenever: contains(body, call) ? call : nil) {
          $0.condition.isFailure || $0.isBinding
        }
      case .call:
        return functions(calledBy: node).contains { id in
          self.body(of: id).map {
            !contains($0, body) && sets(setting, to: value, in: $0, besides: call, depth: depth + 1)
          } ?? false
        }
      case .name, .member:
        guard let id = property(usedBy: node), isDescription(type(ofProperty: id)),
          let made = properties[id].initializer ?? properties[id].accessors
        else { return false }
        let place = Ref(file: Int(properties[id].ref.file), node: made)
        return !contains(place, body)
          && sets(setting, to: value, in: place, besides: call, depth: depth + 1)
      default: return false
      }
    }
  }

  private func isDescription(_ type: SwiftType) -> Bool {
    let whole = type.unwrapped
    return (whole.isCollection ? whole.element.unwrapped : whole)
      .isExternal("NSPersistentStoreDescription")
  }

  private enum Saying: Equatable {
    /// On one of some platforms; nil where any will do.
    case group(on: Set<String>?)
    case readOnly
  }

  /// Whether an expression, followed through constants and functions, names an app group container
  /// or a store that is read only.
  private func says(_ saying: Saying, _ ref: Ref, depth: Int) -> Bool {
    guard isWithin(depth, .storeWords) else { return false }
    let outline = outline(ref)
    for index in subtree(ref) {
      let node = Ref(file: Int(ref.file), node: Int(index))
      switch outline.nodes[Int(index)].kind {
      case .argument:
        if case .group(let platforms) = saying, namesGroup(node), isBuilt(node, on: platforms) {
          return true
        }
        if saying == .readOnly, label(node) == "allowsSave", lastName(of: node) == "false" {
          return true
        }
      case .name:
        if case .property(let id)? = declared(node), properties[id].initializer == nil,
          propertySays(saying, id, depth: depth)
        {
          return true
        }
        for value in values(of: node) where !contains(value, ref) {
          if says(saying, value, depth: depth + 1) { return true }
        }
      case .member:
        if let id = property(usedBy: node), propertySays(saying, id, depth: depth) { return true }
      case .call:
        for function in functions(calledBy: node) {
          guard let body = functions[function].body else { continue }
          let block = Ref(file: Int(functions[function].ref.file), node: body)
          if !contains(block, ref), says(saying, block, depth: depth + 2) { return true }
        }
      default: break
      }
    }
    return false
  }

  private func namesGroup(_ argument: Ref) -> Bool {
    switch label(argument) {
    case "forSecurityApplicationGroupIdentifier": true
    case "groupContainer": !["none", "automatic"].contains(lastName(of: argument))
    default: false
    }
  }

  /// What a name may stand for: the value of a constant, those that a local is given later, the
  /// arguments for a parameter, the getter of a property.
  private func values(of name: Ref) -> [Ref] {
    if let value = fixedValue(of: name) { return [value] }
    switch declared(name) {
    case .property(let id):
      return properties[id].accessors.map { [Ref(file: Int(properties[id].ref.file), node: $0)] }
        ?? []
    case .local(let local) where kind(local) == .parameter:
      guard let list = parent(local), let owner = parent(list),
        let function = function(declaredAt: owner),
        let index = functions[function].parameters.firstIndex(where: {
          $0.node == Int(local.node)
        })
      else { return [] }
      let all = callers(of: function)
      return first(.askedCallers, of: all).filter { !isExempt($0) }.compactMap {
        argument(of: $0, for: index, of: functions[function])
      }
    case .local(let local): return assignedValues(of: local) ?? []
    default: return []
    }
  }

  private func propertySays(_ saying: Saying, _ id: PropertyID, depth: Int) -> Bool {
    let property = properties[id]
    if let node = property.initializer ?? property.accessors {
      return says(saying, Ref(file: Int(property.ref.file), node: node), depth: depth + 1)
    }
    let given = givenValues(of: id) ?? []
    return !given.isEmpty && given.allSatisfy { says(saying, $0, depth: depth + 1) }
  }

  // MARK: What is on the way

  /// Whether the functions around a node, and those that call them, reach one of some names first.
  package func comesBy(_ words: (Ref) -> Bool, _ node: Ref, depth: Int = 0) -> Bool {
    if let body = outermostBody(node), reaches(words, body) { return true }
    guard isWithin(depth, .callersBefore), let function = enclosingFunction(node) else {
      return false
    }
    let calls = callers(of: function).filter { !isExempt($0) && enclosingFunction($0) != function }
    return !calls.isEmpty && calls.allSatisfy { comesBy(words, $0, depth: depth + 1) }
  }

  /// Whether a body names something, or calls a function or makes a value of a type that does.
  func reaches(_ words: (Ref) -> Bool, _ body: Ref) -> Bool {
    reaches(body) { names(words, in: $0) }
  }

  func outermostBody(_ node: Ref) -> Ref? {
    if let function = enclosingFunction(node), let body = functions[function].body {
      return Ref(file: Int(node.file), node: body)
    }
    return ancestors(node).last {
      kind($0) == .closure || kind($0) == .accessors
        || kind($0) == .binding && property(declaredAt: $0) != nil
    }
  }

  /// Whether a node holds a name of some kind.
  func names(_ words: (Ref) -> Bool, in body: Ref) -> Bool {
    let outline = outline(body)
    return subtree(body).contains { index in
      switch outline.nodes[Int(index)].kind {
      case .name, .member, .implicitMember: words(Ref(file: Int(body.file), node: Int(index)))
      default: false
      }
    }
  }

  /// Whether a lock between processes is held around a node, as far as is known.
  package func isLocked(_ node: Ref) -> Bool {
    comesBy(
      { node in
        let name = nameText(node)
        return ["flock", "lockf", "NSFileCoordinator"].contains(name)
          || name.first?.isUppercase == true && name.camelWords.contains("lock")
          || isNamed(node, in: project.locks)
      }, node)
  }

  /// Whether somebody looks at the free space of the volume on the way to a node.
  package func checksSpace(_ node: Ref) -> Bool {
    comesBy({ nameText($0).hasPrefix("volumeAvailableCapacity") }, node)
  }
}
