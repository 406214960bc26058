import PersistReport

/// A file that was found: how to open it and what to call it.
struct FilePath: Sendable, Hashable {
  let absolute: String
  let shown: String
  let kind: InputFile.Kind
}

/// Finds the files of interest under the paths that were given.
struct FileWalk {
  /// Products, checkouts and packages of others.
  private static let foldersNotEntered: Set<String> = [
    "DerivedData", "Pods", "Carthage", "SourcePackages", "node_modules",
  ]

  /// Whether a folder of this name is only entered when it is named: one of those above, or a
  /// hidden one such as `.build`, where tools keep checkouts and templates.
  static func leavesOut(folderNamed name: some StringProtocol) -> Bool {
    name.hasPrefix(".") || foldersNotEntered.contains(String(name))
  }

  /// Whether one of the folders on a relative path to a file is not entered.
  static func leavesOut(fileAt path: some StringProtocol) -> Bool {
    path.split(separator: "/").dropLast().contains { leavesOut(folderNamed: $0) }
  }

  /// Which files are wanted at all.
  struct Filter: Sendable {
    var respectsGitIgnore = true
    /// Nothing for all files.
    var included: PathPatterns?
    var excluded: PathPatterns?
    /// That of the configuration which this one goes on from.
    var bases: [Filter] = []

    func excludesFolder(_ path: String) -> Bool {
      excluded?.verdict(on: path, isFolder: true) == true
        || bases.contains { $0.excludesFolder(path) }
    }

    func wants(_ path: String) -> Bool { !excludes(path) && includes(path) }

    private func excludes(_ path: String) -> Bool {
      (excluded?.coversFile(path) ?? false) || bases.contains { $0.excludes(path) }
    }

    /// Files to include are named anew or taken over.
    private func includes(_ path: String) -> Bool {
      included?.coversFile(path) ?? bases.allSatisfy { $0.includes(path) }
    }
  }

  private struct Folder {
    let path: String
    let identity: FileStatus.Identity
    var ignore: GitIgnore
  }

  private let filter: Filter
  /// The resolved path that shown paths are relative to.
  private let root: String
  private let prefix: String
  private let configuration: Configuration
  /// Where links may lead, below the path that was given.
  private var boundary: ProjectRoot
  private var found: Set<String> = []
  /// Gets each file once, when it is found.
  var take: (FilePath) -> Void = { _ in }
  private var entered: Set<FileStatus.Identity> = []
  /// The files and folders that the configuration excludes or doesn't include, resolved.
  private(set) var excluded: [(path: String, isFolder: Bool)] = []
  private(set) var notices: [Notice] = []

  init(root: String, filter: Filter, _ configuration: Configuration? = nil) {
    self.root = root
    self.configuration = configuration ?? Configuration(folder: root)
    boundary = ProjectRoot(path: root)
    self.filter = filter
    prefix = root == "/" ? root : root + "/"
  }

  /// Adds a file, or all files of a folder, that the user named.
  mutating func add(operand path: String) throws(CommandError) {
    do {
      try add(path)
    } catch {
      let near = suggestion(for: path, in: Command.all.map(\.name), prefix: "persistlint ")
      throw CommandError.refusal("\(path): \(error.reason)\(near)")
    }
  }

  /// Adds a file, or all files of a folder; throws when there is no such thing.
  mutating func add(_ path: String) throws(SystemError) {
    let status = try System.status(of: path)
    guard let absolute = System.resolve(path) else { throw .last }
    switch status.kind {
    case .folder:
      boundary = ProjectRoot(around: absolute, configuration)
      let ignore = filter.respectsGitIgnore ? GitIgnore.above(absolute) : GitIgnore()
      notices += ignore.failures.map { leftOut($0.path, $0.reason) }
      walk(Folder(path: absolute, identity: status.identity, ignore: ignore))
    case .file:
      if !keep(absolute) {
        notices.append(leftOut(absolute, "not a Swift file"))
      }
    case .other:
      notices.append(leftOut(absolute, SystemError.noFile.reason))
    }
  }

  /// Adds a file that only an editor or agent has so far.
  mutating func add(newFile absolute: String) {
    guard absolute.hasPrefix(prefix) else { return }
    keep(absolute)
  }

  private mutating func walk(_ start: Folder) {
    var pending = [start]
    while var folder = pending.popLast() {
      guard entered.insert(folder.identity).inserted else { continue }
      let entries: [FolderEntry]
      do {
        entries = try System.entries(of: folder.path)
      } catch {
        notices.append(leftOut(folder.path, error.reason))
        continue
      }
      let prefix = folder.path == "/" ? "/" : folder.path + "/"
      if filter.respectsGitIgnore, entries.contains(where: { $0.name == ".gitignore" }) {
        let known = folder.ignore.failures.count
        folder.ignore.add(prefix + ".gitignore", in: folder.path)
        notices += folder.ignore.failures.dropFirst(known).map { leftOut($0.path, $0.reason) }
      }
      for entry in entries {
        if entry.kind != .file, FileWalk.leavesOut(folderNamed: entry.name) { continue }
        if let inner = visit(entry, at: prefix + entry.name, in: folder) { pending.append(inner) }
      }
    }
  }

  /// The folder to enter, when the entry is one.
  private mutating func visit(_ entry: FolderEntry, at path: String, in folder: Folder) -> Folder? {
    let isOfInterest = InputFile.Kind(path: path) != nil
    if entry.kind == .other {
      if isOfInterest { notices.append(leftOut(path, SystemError.noFile.reason)) }
      return nil
    }
    if entry.kind == .file {
      if isOfInterest, !folder.ignore.ignores(path, isFolder: false) { keep(path) }
      return nil
    }
    let status: FileStatus
    do {
      status = try System.status(of: path)
    } catch {
      // A link to nowhere is no one's mistake here.
      if entry.kind != .link { notices.append(leftOut(path, error.reason)) }
      return nil
    }
    // What lies in a resolved folder is resolved, if it is no link.
    guard let resolved = entry.kind == .folder ? path : System.resolve(path),
      !folder.ignore.ignores(path, isFolder: status.kind == .folder)
    else { return nil }
    if entry.kind != .folder, !boundary.holds(resolved), resolved != boundary.path {
      if status.kind == .folder || isOfInterest || InputFile.Kind(path: resolved) != nil {
        notices.append(leftOut(path, "a link that leads out of \(boundary.path); name it too"))
      }
      return nil
    }
    if status.kind == .file { keep(resolved) }
    if status.kind == .other, isOfInterest || InputFile.Kind(path: resolved) != nil {
      notices.append(leftOut(path, SystemError.noFile.reason))
    }
    guard status.kind == .folder else { return nil }
    if filter.excludesFolder(resolved) {
      excluded.append((resolved, true))
      return nil
    }
    if entry.kind == .link, leadsIntoFolderNotEntered(resolved) { return nil }
    return Folder(path: resolved, identity: status.identity, ignore: folder.ignore)
  }

  @discardableResult
  private mutating func keep(_ absolute: String) -> Bool {
    guard let kind = InputFile.Kind(path: absolute) else { return false }
    guard filter.wants(absolute) else {
      excluded.append((absolute, false))
      return true
    }
    if found.insert(absolute).inserted {
      take(FilePath(absolute: absolute, shown: shown(absolute), kind: kind))
    }
    return true
  }

  private func leftOut(_ absolute: String, _ reason: String) -> Notice {
    UnreadableFile(path: shown(absolute), reason: reason).notice
  }

  private func leadsIntoFolderNotEntered(_ absolute: String) -> Bool {
    guard absolute.hasPrefix(prefix) else { return false }
    return FileWalk.leavesOut(fileAt: absolute.dropFirst(prefix.count) + "/-")
  }

  private func shown(_ absolute: String) -> String {
    if absolute == root { return "." }
    return absolute.hasPrefix(prefix) ? String(absolute.dropFirst(prefix.count)) : absolute
  }
}
