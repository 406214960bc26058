import PersistSyntax

/// A deletion, copy or move of files of a store.
package struct StoreFileWork: Sendable {
  /// What becomes of the files.
  package enum Kind: Sendable {
    case deletion, copy, move
  }

  package let kind: Kind
  /// The calls from the outer body to the one that does it; that comes last.
  package let calls: [Ref]
  /// The files that it takes; `.unknown` where that can't be told.
  package let files: [StorePath]
  /// It takes a store with all its log files.
  package let isWhole: Bool
  /// Where the outer body gets the files from.
  package let origin: Origin

  /// Who knows which files are taken.
  package enum Origin: Sendable {
    /// It does the work itself.
    case own
    /// It hands the files to a function that does the work.
    case handed
    /// It calls a function that knows the files by itself.
    case called
  }

  /// The call in the outer body.
  package var site: Ref { calls[0] }
  /// The call that does the work.
  package var call: Ref { calls[calls.count - 1] }

  /// Whether it takes a store's main file.
  package var takesStore: Bool {
    isWhole && !files.contains { $0.saysOther }
      || files.contains { $0.isStoreFile && $0.part == .main }
  }
}

// MARK: - Work on store files

extension Program {
  /// The work on files that runs when a node runs, in functions of the sources as well.
  package func fileWork(in root: Ref, depth: Int = 0) -> [StoreFileWork] {
    var found: [StoreFileWork] = []
    for node in nodesRun(in: root) where kind(node) == .call {
      if let work = fileWork(by: node) {
        found.append(work)
      } else if depth < 5 {
        for function in functions(calledBy: node) {
          found += fileWork(of: function, depth: depth + 1).map { handOver($0, at: node, function) }
        }
      }
    }
    return found
  }

  private func fileWork(of function: FunctionID, depth: Int) -> [StoreFileWork] {
    if let known = functionWork[function] { return known }
    functionWork[function] = []
    guard let body = functions[function].body else { return [] }
    let work = fileWork(in: Ref(file: Int(functions[function].ref.file), node: body), depth: depth)
    functionWork[function] = work
    return work
  }

  private func handOver(_ work: StoreFileWork, at call: Ref, _ function: FunctionID)
    -> StoreFileWork
  {
    var reader = StorePathReader(self)
    let files = work.files.flatMap { reader.substitute($0, call, function) }
    return StoreFileWork(
      kind: work.kind, calls: [call] + work.calls, files: files, isWhole: work.isWhole,
      origin: files == work.files ? .called : .handed)
  }

  /// The work that one call does itself.
  package func fileWork(by call: Ref) -> StoreFileWork? {
    let name = calledName(call)
    if let kind = Words.fileWork[name] {
      if case .functions = callTarget(call) { return nil }
      guard let argument = children(call, .argument).first else { return nil }
      let listed = isListed(argument)
      return StoreFileWork(
        kind: kind, calls: [call], files: listed ?? storePaths(argument), isWhole: listed != nil,
        origin: .own)
    }
    guard let kind = Words.wholeStoreWork[name] else { return nil }
    switch callTarget(call) {
    case .externalMethod(let receiver, _):
      let erases = Words.erasableTypes.contains { receiver.isExternal($0) }
      if ["erase", "deleteAllData", "backup"].contains(name), !erases { return nil }
    case .unknownMethod: if ["erase", "deleteAllData", "backup"].contains(name) { return nil }
    default: return nil
    }
    let argument = children(call, .argument).first
    return StoreFileWork(
      kind: kind, calls: [call], files: argument.map { storePaths($0) } ?? [], isWhole: true,
      origin: .own)
  }

  /// The store whose files a loop over a folder picks by the beginning of their names.
  private func isListed(_ argument: Ref) -> [StorePath]? {
    guard let loop = ancestors(argument).first(where: { kind($0) == .forStatement }),
      let block = child(loop, .block), contains(block, argument)
    else { return nil }
    let header = children(loop).filter { kind($0) == .expression && $0 < block }
    guard header.contains(where: { listsFolder($0) }) else { return nil }
    let conditions = [loop] + children(block)
    for node in conditions.flatMap({ descendants($0, .call) }) where node < argument {
      guard ["contains", "hasPrefix", "starts"].contains(calledName(node)),
        let word = child(node, .argument)
      else { continue }
      let paths = storePaths(word)
      if paths.contains(where: { $0.isStoreFile }) { return paths.filter { $0.isStoreFile } }
    }
    return nil
  }

  private func listsFolder(_ expression: Ref) -> Bool {
    let text = text(expression)
    if text.contains("contentsOfDirectory") || text.contains("enumerator(") { return true }
    guard let chain = child(expression, .chain), let first = children(chain).first,
      kind(first) == .name, let value = fixedValue(of: first)
    else { return false }
    return self.text(value).contains("contentsOfDirectory")
  }

  // MARK: What comes before

  /// The statements and conditions that run before a node in its body, nearest first.
  package func runBefore(_ node: Ref, withDoBlocks: Bool) -> [Ref] {
    var found: [Ref] = []
    var child = node
    while let parent = parent(child) {
      switch kind(parent) {
      case .block, .switchCase, .ifConfigClause, .closure:
        found += children(parent).filter { $0 < child && kind($0) != .caseItem }.reversed()
      case .doStatement where kind(child) == .catchClause && withDoBlocks:
        found += self.child(parent, .block).map { [$0] } ?? []
      case .ifStatement, .guardStatement:
        found += children(parent).filter {
          $0 < child && ![.block, .ifStatement].contains(kind($0))
        }
      case .functionDecl, .initDecl, .accessor, .members, .file: return found
      default: break
      }
      child = parent
    }
    return found
  }

  /// Whether a store is backed up before a node runs, by its own body.
  package func isBackedUp(before node: Ref, store: [StorePath], withDoBlocks: Bool) -> Bool {
    runBefore(node, withDoBlocks: withDoBlocks).contains { statement in
      holdsBackup(statement, of: store)
    }
  }

  /// Whether a node stands in a closure that a function of the sources runs as its last resort: one
  /// that moves or copies a store.
  package func isHandedToBackup(_ node: Ref) -> Bool {
    ancestors(node).contains { closure in
      guard kind(closure) == .closure, let (call, _) = callTaking(closure) else { return false }
      return functions(calledBy: call).contains { function in
        guard let body = functions[function].body else { return false }
        return fileWork(in: Ref(file: Int(functions[function].ref.file), node: body)).contains {
          $0.kind != .deletion && !$0.calls.contains { isIgnored($0) }
        }
      }
    }
  }

  private func holdsBackup(_ statement: Ref, of store: [StorePath]) -> Bool {
    for work in fileWork(in: statement)
    where work.kind != .deletion && !work.calls.contains(where: { isIgnored($0) })
      && !relocates(work)
    {
      let same = work.files.filter { file in store.allSatisfy { $0.maySharesStore(with: file) } }
      if work.isWhole, work.files.isEmpty || !same.isEmpty { return true }
      if same.contains(where: { $0.isStoreFile && $0.part == .main }) { return true }
      if same.contains(where: { $0 == .unknown || isParameter($0) }), saysBackup(work) {
        return true
      }
    }
    return nodesRun(in: statement).contains { node in
      guard kind(node) == .call, !isIgnored(node) else { return false }
      if calls(node, oneOf: project.backups) { return true }
      return functions(calledBy: node).isEmpty
        && calledText(node).camelWords.contains { ["backup", "backups"].contains($0) }
    }
  }

  /// Whether files go to where the store is opened, under their own name.
  private func relocates(_ work: StoreFileWork) -> Bool {
    guard !work.isWhole else { return false }
    let names = Set(work.files.compactMap { $0.saysOther ? nil : $0.literalName })
    return targets(of: work.call).contains { target in
      !target.saysOther && target.literalName.map { names.contains($0) } ?? false
    }
  }

  private func isParameter(_ path: StorePath) -> Bool {
    if case .parameter = path.base { return true }
    return false
  }

  private func saysBackup(_ work: StoreFileWork) -> Bool {
    work.calls.contains { call in
      let words = text(call).camelWords + calledText(call).camelWords
      return words.contains {
        $0.hasPrefix("backup") || ["quarantine", "corrupt", "aside"].contains($0)
      }
    }
  }

  /// Whether the failure of a call is thrown away by `try?`, or by an empty `catch` around it.
  package func isIgnored(_ call: Ref) -> Bool {
    var inner = call
    while let outer = parent(inner) {
      switch kind(outer) {
      case .expression:
        if children(outer, .tryMark).contains(where: {
          $0 < inner && node($0).flags.contains(.isOptional)
        }) {
          return !isChecked(outer)
        }
      case .doStatement where kind(inner) == .block:
        let clauses = children(outer, .catchClause)
        if !clauses.isEmpty,
          clauses.allSatisfy({ child($0, .block).map { children($0).isEmpty } ?? false })
        {
          return true
        }
      case .closure, .functionDecl, .initDecl, .accessor, .members: return false
      default: break
      }
      inner = outer
    }
    return false
  }

  /// Whether the value of a `try?` is looked at.
  private func isChecked(_ expression: Ref) -> Bool {
    guard let holder = parent(expression) else { return false }
    return ![.block, .closure, .switchCase, .ifConfigClause].contains(kind(holder))
      && !text(expression).hasPrefix("_ =")
  }
}
