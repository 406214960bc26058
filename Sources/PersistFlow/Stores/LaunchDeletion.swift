import PersistIndex
import PersistSyntax

/// A deletion of a store on the way to opening it, which no failure and no wish leads to.
package struct LaunchDeletion: Sendable {
  package let work: StoreFileWork
  package let opening: StoreOpening
  /// Whether it is done at every launch.
  package let isSure: Bool
}

// MARK: - Deletions at launch

extension Program {
  /// The deletions of stores just before they are opened, on no failure path and by nobody's wish.
  package var deletionsBeforeOpening: [LaunchDeletion] {
    let words = Set(Words.fileWork.keys).union(Words.wholeStoreWork.keys)
    guard !files(usingAny: words).isEmpty else { return [] }
    return storeFlow.openings.filter { !$0.isInMemory && kind($0.site) == .call }.flatMap {
      opening in
      guard storeFlow.innermostPath(at: opening.site) == nil else { return [LaunchDeletion]() }
      let before =
        runBefore(opening.site, withDoBlocks: false)
        .flatMap { answer(UnaskedDeletions(node: $0)) }
        + deletionsBeforeCallers(of: opening)
      let within = arguments(opening.site).compactMap { closure(of: $0) }
        .flatMap { answer(UnaskedDeletions(node: $0)) }
      return (before + within).compactMap { deletion($0, before: opening) }
    }
  }

  /// The work on files of the same store before the calls of a function that opens it and deals
  /// with the failure by itself.
  private func deletionsBeforeCallers(of opening: StoreOpening) -> [UnaskedDeletion] {
    guard opening.site == opening.root, let function = enclosingFunction(opening.site),
      !storeFlow.openingFunctions.contains(function)
    else { return [] }
    let opened = openedPaths(of: opening.site)
    return callers(of: function).filter { call in
      !isExempt(call) && enclosingFunction(call) != function
        && storeFlow.innermostPath(at: call) == nil
    }.flatMap { call in
      runBefore(call, withDoBlocks: false)
        .flatMap { answer(UnaskedDeletions(node: $0)) }.filter { deletion in
          let own = deletion.work.files.filter { $0.isStoreFile }
          return !own.isEmpty
            && own.contains { file in opened.allSatisfy { file.maySharesStore(with: $0) } }
        }
    }
  }

  private func deletion(
    _ deletion: UnaskedDeletion, before opening: StoreOpening
  ) -> LaunchDeletion? {
    let work = deletion.work
    if deletion.hangsOnState {
      return LaunchDeletion(work: work, opening: opening, isSure: false)
    }
    // Where another function opens the store, launch has to come here under no condition.
    let isDirect = opening.site == opening.root
    guard isOfSameStore(work, opening),
      launchReaches(
        work.site,
        unless: {
          storeFlow.innermostPath(at: $0) != nil
            || !isDirect && reason(for: $0, of: work) != .nothing
        })
    else { return nil }
    return LaunchDeletion(work: work, opening: opening, isSure: true)
  }

  fileprivate func unaskedDeletion(_ work: StoreFileWork) -> UnaskedDeletion? {
    guard work.kind == .deletion, work.takesStore, !isExempt(work.site),
      storeFlow.innermostPath(at: work.site) == nil, !isRepeated(work.site),
      !isImport(around: work), !deletesLeftover(work), !isReplaced(work)
    else { return nil }
    let reasons = work.calls.map { reason(for: $0, of: work) }
    if reasons.contains(.asked) { return nil }
    if reasons.contains(.state) { return UnaskedDeletion(work: work, hangsOnState: true) }
    guard reasons.allSatisfy({ $0 == .nothing }) else { return nil }
    return UnaskedDeletion(work: work, hangsOnState: false)
  }

  /// Why a deletion is done, as the conditions around it tell.
  private enum Reason {
    /// It is always done, or when the file is there.
    case nothing
    /// Something that no one has chosen holds: a version, a marker, a count, a failure.
    case state
    /// Somebody asked for it, or may have.
    case asked
    case unknown
  }

  /// Whether what is deleted may be the store that is opened then, as far as names tell.
  private func isOfSameStore(_ work: StoreFileWork, _ opening: StoreOpening) -> Bool {
    let own = work.files.filter { $0.isStoreFile }
    let opened = openedPaths(of: opening.root)
    let names = configurations(of: opening.root).compactMap { fileName(madeBy: $0) }
    guard !opened.isEmpty || !names.isEmpty else {
      return own.contains { $0.literalName == "default.store" }
    }
    return own.contains { file in
      if let name = file.literalName, names.contains(name) { return true }
      return opened.contains { other in
        file.base == other.base && file.base != .unknown
          || file.literalName != nil && file.literalName == other.literalName
      }
    }
  }

  /// The files that an opening names, by its own arguments or those of its configurations.
  func openedPaths(of call: Ref) -> [StorePath] {
    let places =
      configurations(of: call).compactMap { argument($0, "url") }
      + ["path", "at", "fileURL"].compactMap { argument(call, $0) }
    return places.flatMap { storePaths($0) }
  }

  /// The configurations that an opening is handed, as far as they are told.
  func configurations(of call: Ref) -> [Ref] {
    children(call, .argument).filter { label($0) == "configurations" }
      .flatMap { configurationCalls(in: $0, depth: 0) ?? [] }
  }

  private func reason(for node: Ref, of work: StoreFileWork) -> Reason {
    var found = Reason.nothing
    var child = node
    for parent in ancestors(node) {
      switch kind(parent) {
      case .ifStatement, .guardStatement:
        let block = self.child(parent, .block)
        guard kind(child) == .block || kind(child) == .ifStatement else { break }
        let conditions = children(parent).filter {
          $0 < (block ?? child) && kind($0) != .block
        }
        found = stronger(found, together(conditions.map { reason(of: $0, work, depth: 0) }))
      case .switchCase: found = stronger(found, .unknown)
      case .expression:
        let before = children(parent).prefix { $0 != child }
        let choice = before.lastIndex {
          kind($0) == .binaryOperator && ["?", "&&", "||", "??"].contains(name($0))
        }
        guard let choice else { break }
        let parts = before[..<choice].filter { [.chain, .operation].contains(kind($0)) }
        found = stronger(found, together(parts.map { reason(ofPart: $0, work, depth: 0) }))
      case .catchClause:
        if let statement = self.parent(parent), let block = self.child(statement, .block),
          readsStore(block)
        {
          found = stronger(found, .state)
        }
      case .forStatement:
        let header = children(parent, .expression).filter { $0 != child }.dropFirst()
        found = stronger(found, together(header.map { reason(of: $0, work, depth: 0) }))
      case .functionDecl, .initDecl, .accessor, .members: return found
      default: break
      }
      if [.block, .closure].contains(kind(parent)) {
        for statement in children(parent)
        where statement < child && kind(statement) == .guardStatement {
          let conditions = children(statement).filter { kind($0) != .block }
          found = stronger(found, together(conditions.map { reason(of: $0, work, depth: 0) }))
        }
      }
      child = parent
    }
    return found
  }

  private func stronger(_ left: Reason, _ right: Reason) -> Reason {
    let order: [Reason] = [.asked, .unknown, .state, .nothing]
    if left == .state, right == .unknown || right == .state { return .state }
    if right == .state, left == .unknown { return .state }
    return order.first { $0 == left || $0 == right } ?? .unknown
  }

  /// Conditions that all must hold.
  private func together(_ reasons: [Reason]) -> Reason {
    reasons.reduce(.nothing) { stronger($0, $1) }
  }

  private func reason(of condition: Ref, _ work: StoreFileWork, depth: Int) -> Reason {
    guard isWithin(depth, .conditionSteps) else { return .unknown }
    if kind(condition) == .optionalBinding {
      guard let value = child(condition, .expression) else { return .nothing }
      let inner = reason(of: value, work, depth: depth + 1)
      return inner == .unknown ? .nothing : inner
    }
    if kind(condition) == .availability { return .unknown }
    let alternatives = alternatives(of: condition).map { parts in
      together(parts.map { reason(ofPart: $0, work, depth: depth) })
    }
    // One that holds by itself is reason enough.
    if alternatives.contains(.state) { return .state }
    return together(alternatives)
  }

  private func reason(ofPart part: Ref, _ work: StoreFileWork, depth: Int) -> Reason {
    var found: Reason?
    let outline = outline(part)
    for index in subtree(part) {
      let node = Ref(file: Int(part.file), node: Int(index))
      switch outline.nodes[Int(index)].kind {
      case .name, .member:
        found = joined(found, reason(ofName: node, work, depth: depth))
      case .call:
        if isStoreRead(node), isCaught(node) { return .state }
        for function in functions(calledBy: node) {
          guard let body = functions[function].body, isWithin(depth, .conditionSteps) else {
            continue
          }
          let block = Ref(file: Int(functions[function].ref.file), node: body)
          found = joined(found, reason(ofPart: block, work, depth: depth + 2))
        }
      default: break
      }
      if found == .asked { return .asked }
    }
    return found ?? (kind(part) == .binaryOperator || kind(part) == .tryMark ? .nothing : .unknown)
  }

  private func joined(_ left: Reason?, _ right: Reason?) -> Reason? {
    guard let left else { return right }
    return right.map { right in
      let order: [Reason] = [.asked, .state, .nothing, .unknown]
      return order.first { $0 == left || $0 == right } ?? .unknown
    } ?? left
  }

  private func reason(ofName name: Ref, _ work: StoreFileWork, depth: Int) -> Reason? {
    let word = self.name(name)
    if word == "CommandLine" || word == "ProcessInfo" { return .asked }
    if Words.defaultsReads.contains(word), let call = callOf(name),
      let key = argument(call, "forKey")
    {
      return reason(ofKey: key, name, work)
    }
    if word == "fileExists", let call = callOf(name) {
      let asked = children(call, .argument).first.map { storePaths($0) } ?? []
      return asked.contains { $0.isStoreFile } ? .nothing : .state
    }
    switch declared(name) {
    case .local(let local):
      if kind(local) == .parameter {
        return type(of: name).isExternal("Bool") ? .asked : nil
      }
      if collectsFailures(local) { return .state }
      if let value = fixedValue(of: name), !contains(value, name),
        isWithin(depth + 1, .conditionSteps),
        let inner = Optional(reason(ofPart: value, work, depth: depth + 1)), inner != .unknown
      {
        return inner
      }
    case .property(let id):
      if properties[id].attributes.contains("AppStorage") { return .asked }
      let value = (properties[id].initializer ?? properties[id].accessors).map {
        Ref(file: Int(properties[id].ref.file), node: $0)
      }
      if let value, !contains(value, name), isWithin(depth + 1, .conditionSteps),
        let inner = Optional(reason(ofPart: value, work, depth: depth + 1)), inner != .unknown
      {
        return inner
      }
    default: break
    }
    return nameText(name).camelWords.contains { Words.outdatedWords.contains($0) } ? .state : nil
  }

  /// The call of a name or member.
  private func callOf(_ name: Ref) -> Ref? {
    guard let chain = parent(name), kind(chain) == .chain else { return nil }
    return children(chain).first { $0 > name }.flatMap { kind($0) == .call ? $0 : nil }
  }

  /// Whether a local is set where something failed.
  private func collectsFailures(_ local: Ref) -> Bool {
    guard kind(local) == .boundName else { return false }
    return uses(ofLocalOrInner: local).contains { use in
      ancestors(use).contains { kind($0) == .catchClause }
    }
  }

  /// The uses of a local in its body, functions in it included.
  private func uses(ofLocalOrInner local: Ref) -> [Ref] {
    guard let body = outermostBody(local) else { return [] }
    return descendants(body, .name).filter {
      name($0) == name(local) && declared($0) == .local(local)
    }
  }

  // MARK: Settings

  /// Why the value of a key of the settings is what it is: a person's wish when something that a
  /// person does writes it.
  private func reason(ofKey key: Ref, _ read: Ref, _ work: StoreFileWork) -> Reason {
    let wanted = keyText(key)
    if wanted.camelWords.contains(where: { Words.askedWords.contains($0) }) { return .asked }
    let writers = ["set", "setValue"].flatMap { (name: Name) in calls(named: name) }.filter {
      call in
      argument(call, "forKey").map { keyText($0) } == wanted
    }
    // Launch arguments and the settings of the system write what nothing here does.
    if writers.isEmpty, self.name(read) == "bool" { return .asked }
    let stored = files.indices.contains { file in
      files[file].spells("AppStorage")
        && descendants(Ref(file: file, node: 0), .attribute).contains {
          name($0) == "AppStorage"
            && children($0, .argument).first.map { keyText($0) == wanted } ?? false
        }
    }
    // What the same body writes, it writes because it has done the work.
    let isWished = writers.contains { call in
      !isExempt(call) && enclosingBody(call) != enclosingBody(read)
        && (callPath(to: call, from: [.action]) != nil || isViewCode(call))
    }
    return stored || isWished ? .asked : .state
  }

  /// The text of a key, behind the constant that names it.
  private func keyText(_ key: Ref) -> String {
    if let text = manifestText(key) { return text }
    return text(key)
  }

  // MARK: What is no wipe

  /// Whether a call starts the function anew that holds it.
  func isRepeated(_ call: Ref) -> Bool {
    enclosingFunction(call).map { functions(calledBy: call).contains($0) } ?? false
  }

  /// Whether the body that deletes a file brings another one to its place.
  private func isReplaced(_ work: StoreFileWork) -> Bool {
    guard let own = fileWork(by: work.call), let body = enclosingBody(work.call) else {
      return false
    }
    return self.work(ofStatement: child(body, .block) ?? body).contains { other in
      other.kind == .move && other.call > work.call && takes(own, targets(of: other.call))
    }
  }

  /// What stands between the `||` of a condition, each as its parts.
  private func alternatives(of condition: Ref) -> [[Ref]] {
    guard kind(condition) == .expression else { return [[condition]] }
    return children(condition).split { kind($0) == .binaryOperator && name($0) == "||" }
      .map(Array.init)
  }

  /// Whether the body around a deletion brings another store in its place; a copy of the deleted
  /// store itself goes the other way.
  private func isImport(around work: StoreFileWork) -> Bool {
    guard let body = enclosingBody(work.site) else { return false }
    return self.work(ofStatement: body).contains { other in
      guard other.kind != .deletion, !takes(work, other.files) else { return false }
      let places = targets(of: other.call)
      return places.isEmpty || !places.allSatisfy(\.saysOther)
    }
  }
}

/// The deletion of a store, on no failure path, that nobody asked for.
private struct UnaskedDeletion: Equatable {
  let work: StoreFileWork
  /// Whether it is done where something holds that no one has chosen; always done otherwise.
  let hangsOnState: Bool
}

/// The deletions of stores in a node that nobody asked for.
private struct UnaskedDeletions: Query {
  let node: Ref

  static var provisional: [UnaskedDeletion] { [] }
  func answer(in program: Program) -> [UnaskedDeletion] {
    program.work(ofStatement: node).compactMap { program.unaskedDeletion($0) }
  }
}
