import PersistIndex
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
  /// The functions that these calls run.
  let functions: [FunctionID]
  /// The files that it takes; `.unknown` where that can't be told.
  package var files: [StorePath]
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

/// The work on files that a closure does which a constant holds.
private struct FileWorkOfClosure: Query {
  let closure: Ref

  static var provisional: [StoreFileWork] { [] }
  func answer(in program: Program) -> [StoreFileWork] { program.fileWork(in: closure) }
}

/// The work on files that runs when a statement runs, which many others ask that come after it.
private struct FileWorkOfStatement: Query {
  let statement: Ref

  static var provisional: [StoreFileWork] { [] }
  func answer(in program: Program) -> [StoreFileWork] { program.fileWork(in: statement) }
}

// MARK: - Work on store files

extension Program {
  /// The work on files that runs when a statement runs, remembered.
  package func work(ofStatement statement: Ref) -> [StoreFileWork] {
    answer(FileWorkOfStatement(statement: statement))
  }

  /// The work on files that runs when a node runs, in functions of the sources as well.
  package func fileWork(in root: Ref) -> [StoreFileWork] {
    var found: [StoreFileWork] = []
    for node in nodesRun(in: root) where kind(node) == .call {
      if let work = fileWork(by: node) {
        found.append(work)
      } else {
        found += fileWork(runBy: node)
      }
      guard isWithin(found.count, .fileWork) else { return found }
    }
    return found
  }

  /// The work of a function; what comes back to the function itself is left out.
  fileprivate func fileWork(of function: FunctionID) -> [StoreFileWork] {
    guard fileWorkFunctions.all.contains(function), let body = body(of: function) else { return [] }
    return fileWork(in: body).filter { !$0.functions.contains(function) }
  }

  private var fileWorkFunctions: FileWorkFunctions {
    once(evenInQueries: true, FileWorkFunctions.init)
  }

  /// The work of the functions and closures that a call runs, named or handed over.
  private func fileWork(runBy call: Ref) -> [StoreFileWork] {
    let mayWork = fileWorkFunctions.names.contains(calledName(call))
    let own: [NamedCode] =
      closure(calledBy: call).map { [.closure($0)] }
      ?? (mayWork ? functions(calledBy: call).map { .function($0) } : [])
    let called = own.flatMap { code in
      handOver(code, at: call) { file in
        switch code {
        case .function(let id): substitute(file, call, id)
        case .closure(let closure): substitute(file, call, closure: closure)
        }
      }
    }
    return called
      + codeHanded(to: call).flatMap { handed in
        handOver(handed.named, at: call) {
          substitute($0, elementsIn: call, handed.named)
        }
      }
  }

  private func handOver(
    _ code: NamedCode, at call: Ref, _ substitute: (StorePath) -> [StorePath]
  ) -> [StoreFileWork] {
    let (all, run): ([StoreFileWork], [FunctionID]) =
      switch code {
      case .function(let id): (answer(FileWorkOfFunction(function: id)), [id])
      case .closure(let closure): (answer(FileWorkOfClosure(closure: closure)), [])
      }
    return all.compactMap { work in
      guard isWithin(work.calls.count, .fileWorkCalls) else { return nil }
      let given = work.files.flatMap(substitute)
      let held = given == work.files ? [] : storesBelow(given)
      let files = given + held
      // What is given is a name in a folder that the code itself knows.
      let isKnown = !work.files.isEmpty && work.files.allSatisfy(\.isStoreInKnownFolder)
      return StoreFileWork(
        kind: work.kind, calls: [call] + work.calls, functions: run + work.functions, files: files,
        isWhole: work.isWhole || !held.isEmpty,
        origin: files == work.files || isKnown ? .called : .handed)
    }
  }

  /// The work that one call does itself.
  package func fileWork(by call: Ref) -> StoreFileWork? {
    let name = calledName(call)
    if let kind = Words.fileWork[name] ?? (isCheckedRename(call) ? .move : nil) {
      if case .functions = callTarget(call) { return nil }
      guard let argument = children(call, .argument).first else { return nil }
      let listed = isListed(argument)
      var files = listed ?? storePaths(argument)
      if listed == nil, isStoreByUse(argument, files, call) {
        let key = key(ofValue: argument)
        files = Set(files.map(\.logEnding)).sorted().map { ending in
          StorePath(
            base: .store(key), text: StorePath.ownName + ending, saysStore: true, saysOther: false)
        }
      }
      let held = listed == nil ? storesBelow(files) : []
      return StoreFileWork(
        kind: kind, calls: [call], functions: [], files: files + held,
        isWhole: listed != nil || !held.isEmpty, origin: .own)
    }
    guard let kind = Words.wholeStoreWork[name] else { return nil }
    switch callTarget(call) {
    case .externalMethod(let receiver, _):
      let erases = Words.erasableTypes.contains { receiver.isExternal($0) }
      if ["erase", "deleteAllData", "backup"].contains(name), !erases { return nil }
      if name == "deleteFiles", !isOfRealmItself(call) { return nil }
    case .unknownMethod:
      if ["erase", "deleteAllData", "backup"].contains(name) { return nil }
      if name == "deleteFiles", !isOfRealmItself(call) { return nil }
    default: return nil
    }
    let list = children(call, .argument)
    let source = list.first { label($0) == "withPersistentStoreFrom" } ?? list.first
    let files =
      name == "backup"
      ? storePaths(openedForReceiverOf: call) : source.map { storePaths($0) } ?? []
    return StoreFileWork(
      kind: kind, calls: [call], functions: [], files: files, isWhole: true, origin: .own)
  }

  /// Whether a call is C's `rename`, of which somebody looks at the result.
  private func isCheckedRename(_ call: Ref) -> Bool {
    guard calledName(call) == "rename", callee(call).count == 1,
      children(call, .argument).count == 2, let chain = parent(call),
      let expression = parent(chain)
    else { return false }
    return kind(expression) != .expression || children(expression).first != chain
      || children(expression).count > 1 || kind(parent(expression) ?? expression) == .ifStatement
  }

  /// Whether a file of any name is a store by what else is done with it: a migration writes it, or
  /// it is made from a store's name and brought to that store's place.
  private func isStoreByUse(_ argument: Ref, _ files: [StorePath], _ call: Ref) -> Bool {
    guard !files.isEmpty, !files.contains(where: { $0.isStoreFile || $0.saysOther || $0.isPassing })
    else { return false }
    if let local = localNamed(by: argument), answer(IsTransferTarget(local: local)) { return true }
    guard Words.fileWork[calledName(call)] == .move else { return false }
    let places = targets(of: call)
    return files.contains { file in
      file.base != .unknown && file.text.contains(StorePath.ownName)
        && places.contains { $0.isStoreFile && $0.part == .main && $0.base == file.base }
    }
  }

  fileprivate func isTransferTarget(_ local: Ref) -> Bool {
    uses(ofLocal: local).contains { use in
      ancestors(use).first { kind($0) == .argument }.map { label($0) == "toDestinationURL" }
        ?? false
    }
  }

  /// Whether a call is `Realm.deleteFiles(for:)`.
  private func isOfRealmItself(_ call: Ref) -> Bool {
    let parts = callee(call)
    return parts.count == 2 && nameText(parts[0]) == "Realm" && declared(parts[0]) == nil
  }

  /// Whether work deletes what a migration in the same body writes: what an attempt of before has
  /// left there.
  package func deletesLeftover(_ work: StoreFileWork) -> Bool {
    work.kind == .deletion && takesMigrated(work)
  }

  /// Whether work takes what a migration in the same body writes.
  func takesMigrated(_ work: StoreFileWork) -> Bool {
    guard let argument = children(work.call, .argument).first,
      let local = localNamed(by: argument)
    else { return false }
    return answer(IsTransferTarget(local: local))
  }

  /// The local that an argument names, and nothing more.
  private func localNamed(by argument: Ref) -> Ref? {
    let names = descendants(argument, .name)
    guard names.count == 1, case .local(let local)? = declared(names[0]) else { return nil }
    return local
  }

  private func key(ofValue argument: Ref) -> String {
    localNamed(by: argument).map { "\($0.file):\($0.node)" } ?? text(argument)
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
}

/// Whether a migration writes what a local names.
private struct IsTransferTarget: Query {
  let local: Ref

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.isTransferTarget(local) }
}

// MARK: - What work takes and where it brings it

extension Program {
  /// Whether work is done on one of some files.
  package func takes(_ work: StoreFileWork, _ files: [StorePath]) -> Bool {
    work.files.contains { own in
      !own.isUnknown
        && files.contains {
          $0.base == own.base && $0.text == own.text && $0.mayLie(beside: own)
        }
    }
  }

  /// The files that a copy or move makes.
  package func targets(of call: Ref) -> [StorePath] {
    let list = children(call, .argument)
    if Words.replacements.contains(calledName(call)) {
      return list.first.map { storePaths($0) } ?? []
    }
    let target =
      list.first { ["to", "toPath", "toDestinationURL"].contains(label($0)) }
      ?? list.dropFirst().first
    return target.map { storePaths($0) } ?? []
  }
}
