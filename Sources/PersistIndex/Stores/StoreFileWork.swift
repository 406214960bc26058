import PersistSyntax

/// A deletion, copy or move of files of a store.
package struct StoreFileWork: Hashable, Sendable {
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

/// The work on files that a function does.
private struct FileWorkOfFunction: Query {
  let function: FunctionID

  static var provisional: [StoreFileWork] { [] }
  func answer(in program: Program) -> [StoreFileWork] { program.fileWork(of: function) }
}

// MARK: - Work on store files

extension Program {
  /// The work on files that runs when a node runs, in functions of the sources as well.
  package func fileWork(in root: Ref) -> [StoreFileWork] {
    var found: [StoreFileWork] = []
    for node in nodesRun(in: root) where kind(node) == .call {
      if let work = fileWork(by: node) {
        found.append(work)
      } else {
        for function in functions(calledBy: node) {
          found += answer(FileWorkOfFunction(function: function)).compactMap { work in
            guard isWithin(work.calls.count, .fileWorkCalls) else { return nil }
            return handOver(work, at: node, function)
          }
        }
      }
      guard isWithin(found.count, .fileWork) else { return found }
    }
    return found
  }

  /// The work of a function; what comes back to the function itself is left out.
  fileprivate func fileWork(of function: FunctionID) -> [StoreFileWork] {
    guard let body = body(of: function) else { return [] }
    return fileWork(in: body).filter { work in
      !work.calls.dropFirst().contains { contains(body, $0) }
    }
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
}
