import PersistIndex
import PersistSyntax

// MARK: - Settings of stores

extension Program {
  /// The assignments and arguments that let a changed schema empty the store, in source order.
  package var destructiveMigrations: [Ref] {
    let assigned = uses(of: Words.destructiveSwitches).compactMap { node -> Ref? in
      guard let value = assignment(toWhatEndsWith: node)?.value, let chain = parent(node),
        let expression = parent(chain)
      else { return nil }
      if booleanLiteral(value) != true {
        return parameter(namedBy: value).map { mayBeTrue($0) } ?? false
          ? expression : nil
      }
      return hangsOnUnsetFlag(expression) ? nil : expression
    }
    let handed = calls(
      named: "Configuration", inFilesUsingAny: Words.destructiveSwitches
    ).filter { call in
      !opensInMemory(call)
        && Words.destructiveSwitches.contains { label in
          argument(call, label).map { booleanLiteral($0) == true } ?? false
        }
    }.flatMap { call in
      children(call, .argument).filter { Words.destructiveSwitches.contains(label($0)) }
    }
    let chosen = uses(of: ["fallbackToDestructiveMigration"]).filter { kind($0) != .name }
    let realms = destructiveRealms.filter { !setsUnused($0) }
    return (assigned + handed + chosen + realms).filter { !runsInTestsAlone($0) }.sorted()
  }

  /// Whether a node runs only where a parameter is true that no caller makes true.
  private func hangsOnUnsetFlag(_ node: Ref) -> Bool {
    conditions.surely(before: node) { part in
      part.condition.holds && part.step.operation == .load
        && parameter(namedAt: part.node).map { !mayBeTrue($0, orUnknown: true) } ?? false
    }
  }

  /// The parameter that an expression is nothing but the name of.
  private func parameter(namedBy expression: Ref) -> Ref? {
    let chain = kind(expression) == .chain ? expression : child(expression, .chain)
    guard kind(expression) == .chain || children(expression).count == 1, let chain,
      children(chain).count == 1, byteRange(children(chain)[0]) == byteRange(chain)
    else { return nil }
    return parameter(namedAt: children(chain)[0])
  }

  private func parameter(namedAt name: Ref) -> Ref? {
    guard case .local(let local)? = declared(name), kind(local) == .parameter,
      parent(local).flatMap(parent).flatMap({ function(declaredAt: $0) }) != nil
    else { return nil }
    return local
  }

  /// Whether a caller outside of silent places gives a parameter `true`, also by a parameter of
  /// its own, or perhaps something that can't be read.
  private func mayBeTrue(_ parameter: Ref, orUnknown: Bool = false) -> Bool {
    Reach(from: parameter) { parameter in
      self.values(given: parameter).compactMap { value -> Ref? in self.parameter(namedBy: value) }
    }.contains { parameter in
      child(parameter, .expression).flatMap { booleanLiteral($0) } == true
        || values(given: parameter).contains { value in
          let own: Ref? = self.parameter(namedBy: value)
          return booleanLiteral(value) ?? (orUnknown && own == nil)
        }
    }
  }

  /// What callers outside of silent places give for a parameter.
  private func values(given parameter: Ref) -> [Ref] {
    guard let id = parent(parameter).flatMap(parent).flatMap({ function(declaredAt: $0) }),
      let index = functions[id].parameters.firstIndex(where: { $0.node == Int(parameter.node) })
    else { return [] }
    return shippingCallers(of: id).compactMap { call in
      argument(of: call, for: index, of: functions[id]).flatMap { children($0).first }
    }
  }

  /// The `.modelContainer(for:)` modifiers that open a store on disk, in source order.
  package var containerModifiers: [Ref] {
    calls(named: "modelContainer").filter { call in
      guard argument(call, "for") != nil, let node = calledNode(call),
        kind(node) == .member || kind(node) == .name || kind(node) == .implicitMember
      else { return false }
      if case .functions = callTarget(call) { return false }
      return !opensInMemory(call)
    }
  }

  /// Whether a container keeps its models in a data store of the project, and not in Core Data's
  /// files.
  package func usesOwnDataStore(_ call: Ref) -> Bool {
    let given = children(call, .argument).drop { label($0) != "configurations" }
    let types = given.flatMap { children($0) }.map { type(of: $0) }.map { type in
      type.unwrapped.isCollection ? type.element.unwrapped : type.unwrapped
    }
    return !types.isEmpty
      && types.allSatisfy { type in
        if case .declared(let id, _) = type { return inherits(id, from: "DataStoreConfiguration") }
        return false
      }
  }

  /// Whether the sources set a merge policy.
  package var setsMergePolicy: Bool {
    !uses(of: ["mergePolicy"]).isEmpty
  }

  /// The assignments of unique constraints to entities that are made in code.
  package var codedUniqueConstraints: [Ref] {
    uses(of: ["uniquenessConstraints"]).compactMap { node in
      guard let chain = parent(node), let expression = parent(chain),
        let value = assignment(expression)?.value
      else { return nil }
      let isEmpty = child(value, .array).map { children($0).isEmpty } ?? false
      return isEmpty ? nil : expression
    }
  }

  /// The type of the container or coordinator that opens, also where it calls itself.
  private func container(of call: Ref) -> SwiftType {
    if case .externalMethod(let receiver, _) = callTarget(call),
      calledNode(call).map({ kind($0) }) == .name
    {
      return receiver
    }
    return receiverType(ofCall: call).unwrapped
  }

  /// Whether a container's type is Core Data's, or a direct subclass of the sources.
  private func isCoreDataOwn(_ type: SwiftType) -> Bool {
    let names: [Name] = [
      "NSPersistentContainer", "NSPersistentCloudKitContainer", "NSPersistentStoreCoordinator",
    ]
    if case .declared(let id, _) = type { return names.contains { inherits(id, from: $0) } }
    return names.contains { type.isExternal($0) }
  }

  /// The framework's openings of Core Data stores on disk.
  package var coreDataOpenings: [StoreOpening] {
    storeFlow.openings.filter { opening in
      !opening.isInMemory && opening.site == opening.root
        && ["loadPersistentStores", "addPersistentStore"].contains(calledName(opening.root))
        && isCoreDataOwn(container(of: opening.root)) && !opensPassingFile(opening.root)
        && !isGiven(opening.root)
    }
  }

  /// Whether the container or coordinator comes in as a parameter, so that who made it may have set
  /// its policy, in a library's case outside of the sources.
  private func isGiven(_ call: Ref) -> Bool {
    guard let receiver = callee(call).first, case .local(let local)? = declared(receiver) else {
      return false
    }
    return kind(local) == .parameter
  }

  /// Whether the file that is opened is given beside, and lies among temporary ones or caches.
  private func opensPassingFile(_ call: Ref) -> Bool {
    let body = enclosingBody(call)
    let described = calls(named: "NSPersistentStoreDescription").filter {
      $0.file == call.file && enclosingBody($0) == body
    }
    let files =
      described.compactMap { argument($0, "url") }
      + ["at", "url"].compactMap { argument(call, $0) }
    let paths = files.flatMap { storePaths($0) }
    return !paths.isEmpty && paths.allSatisfy(\.saysOther)
  }
}
