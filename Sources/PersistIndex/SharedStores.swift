import PersistSyntax

// MARK: - Stores that several processes open

extension Program {
  /// The framework's openings of stores in app group containers, in source order.
  package var groupOpenings: [StoreOpening] {
    storeFlow.openings.filter { opening in
      opening.site == opening.root && !opening.isInMemory && !isSilent(opening.site)
        && migratesByItself(opening.site) && isInAppGroup(opening)
    }
  }

  private func isInAppGroup(_ opening: StoreOpening) -> Bool {
    project.isInAppGroup
      ?? (children(opening.site, .argument).contains { says(.group, $0, depth: 0) }
        || calledName(opening.site) == "loadPersistentStores" && bodySays(.group, opening.site))
  }

  /// Whether an opening migrates an older store, as far as the sources tell.
  private func migratesByItself(_ call: Ref) -> Bool {
    if isNamedOpening(call) { return true }
    switch calledName(call) {
    case "ModelContainer", "loadPersistentStores", "init": return true
    case "addPersistentStore":
      guard let body = enclosingBody(call) else { return false }
      return text(body).contains("NSMigratePersistentStoresAutomaticallyOption")
    default: return false
    }
  }

  /// Whether the sources hold a widget, an intent, an extension or a watch app.
  package var hasOtherProcesses: Bool {
    types.indices.contains { type in
      !isSilent(types[type].ref) && isExtensionType(type)
    }
  }

  /// Whether a type runs in another process than the app.
  private func isExtensionType(_ type: TypeID) -> Bool {
    Words.extensionTypes.contains { inherits(type, from: $0) }
  }

  /// Whether an opening can't change its store.
  package func isReadOnly(_ opening: StoreOpening) -> Bool {
    children(opening.site, .argument).contains { says(.readOnly, $0, depth: 0) }
  }

  private enum Saying { case group, readOnly }

  private func bodySays(_ saying: Saying, _ node: Ref) -> Bool {
    guard let body = enclosingBody(node) else { return false }
    return says(saying, body, depth: 0)
  }

  /// Whether an expression, followed through constants and functions, names an app group container
  /// or a store that is read only.
  private func says(_ saying: Saying, _ ref: Ref, depth: Int) -> Bool {
    guard depth < 5 else { return false }
    let outline = outline(ref)
    for index in subtree(ref) {
      let node = Ref(file: Int(ref.file), node: Int(index))
      switch outline.nodes[Int(index)].kind {
      case .argument:
        if saying == .group, label(node) == "forSecurityApplicationGroupIdentifier" { return true }
        if saying == .group, label(node) == "groupContainer", !text(node).hasSuffix(".none") {
          return true
        }
        if saying == .readOnly, label(node) == "allowsSave", text(node).hasSuffix("false") {
          return true
        }
      case .name:
        if let value = fixedValue(of: node), !contains(value, ref),
          says(saying, value, depth: depth + 1)
        {
          return true
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

  private func propertySays(_ saying: Saying, _ id: PropertyID, depth: Int) -> Bool {
    let property = properties[id]
    guard let node = property.initializer ?? property.accessors else { return false }
    return says(saying, Ref(file: Int(property.ref.file), node: node), depth: depth + 1)
  }

  // MARK: What is on the way

  /// Whether the functions around a node, and those that call them, reach one of some names first.
  package func comesBy(_ words: (Ref) -> Bool, _ node: Ref, depth: Int = 0) -> Bool {
    if let body = outermostBody(node), reaches(words, body, depth: 0) { return true }
    guard depth < 3, let function = enclosingFunction(node) else { return false }
    let calls = callers(of: function).filter { !isSilent($0) && enclosingFunction($0) != function }
    return !calls.isEmpty && calls.allSatisfy { comesBy(words, $0, depth: depth + 1) }
  }

  private func outermostBody(_ node: Ref) -> Ref? {
    if let function = enclosingFunction(node), let body = functions[function].body {
      return Ref(file: Int(node.file), node: body)
    }
    return ancestors(node).last { [.closure, .accessors, .binding].contains(kind($0)) }
  }

  /// Whether a body names something, or calls a function or makes a value of a type that does.
  private func reaches(_ words: (Ref) -> Bool, _ body: Ref, depth: Int) -> Bool {
    guard depth < 4 else { return false }
    let outline = outline(body)
    for index in subtree(body) {
      let node = Ref(file: Int(body.file), node: Int(index))
      switch outline.nodes[Int(index)].kind {
      case .name, .member, .implicitMember:
        if words(node) { return true }
      case .call:
        for function in functions(calledBy: node) {
          guard let inner = functions[function].body else { continue }
          let block = Ref(file: Int(functions[function].ref.file), node: inner)
          if reaches(words, block, depth: depth + 1) { return true }
        }
      default: break
      }
    }
    return false
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

  /// Whether time in the background is asked for on the way to a node.
  private func isAsserted(_ node: Ref) -> Bool {
    comesBy(
      { node in
        let name = nameText(node)
        return Words.backgroundAssertions.contains(Name(name))
          || name.first?.isUppercase == true && name.camelWords.contains("assertion")
          || isNamed(node, in: project.assertions)
      }, node)
  }

  // MARK: Into suspension

  /// The first access to a shared store in each function that an extension, an intent or a
  /// background task runs with no assertion on the way, in source order.
  package var unassertedAccesses: [(access: Ref, entry: Ref)] {
    guard !groupOpenings.isEmpty else { return [] }
    var firsts: [FunctionID: Ref] = [:]
    let accesses = calls(named: "fetch") + calls(named: "save") + groupOpenings.map(\.site)
    for call in accesses.sorted() where !isSilent(call) && accessesStore(call) {
      guard let function = enclosingFunction(call), firsts[function] == nil else { continue }
      firsts[function] = call
    }
    return firsts.sorted { $0.value < $1.value }.compactMap { function, call in
      guard !isForMacOnly(call), let entry = entry(to: function), !isAsserted(call) else {
        return nil
      }
      return (call, functions[entry].ref)
    }
  }

  private func accessesStore(_ call: Ref) -> Bool {
    if calledName(call) == "ModelContainer" || isNamedOpening(call) { return true }
    guard case .externalMethod(let receiver, _) = callTarget(call) else { return false }
    return receiver.isExternal("ModelContext")
  }

  /// The function of an extension or intent that leads to a function, or is it.
  private func entry(to function: FunctionID) -> FunctionID? {
    var seen: Set<FunctionID> = [function]
    var next = [function]
    while let current = next.popLast(), seen.count < 200 {
      if let owner = functions[current].owner, isExtensionType(owner) { return current }
      for call in callers(of: current) where !isSilent(call) {
        if let caller = enclosingFunction(call), seen.insert(caller).inserted {
          next.append(caller)
        }
      }
    }
    return nil
  }

  private func isForMacOnly(_ node: Ref) -> Bool {
    ancestors(node).contains { clause in
      guard kind(clause) == .ifConfigClause else { return false }
      let line = text(clause).prefix { $0 != "\n" }
      return line.hasPrefix("#if os(macOS)")
    }
  }
}
