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

    func excludesFolder(_ path: String) -> Bool {
      excluded?.verdict(on: path, isFolder: true) == true
    }

    func wants(_ path: String) -> Bool {
      !(excluded?.coversFile(path) ?? false) && (included?.coversFile(path) ?? true)
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
  private var found: Set<String> = []
  /// Gets each file once, when it is found.
  var take: (FilePath) -> Void = { _ in }
  private var entered: Set<FileStatus.Identity> = []
  private(set) var notices: [Notice] = []

  init(root: String, filter: Filter) {
    self.root = root
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
      let ignore = filter.respectsGitIgnore ? GitIgnore.above(absolute) : GitIgnore()
      walk(Folder(path: absolute, identity: status.identity, ignore: ignore))
    case .file:
      if !keep(absolute) {
        notices.append(
          UnreadableFile(path: shown(absolute), reason: "not a Swift file").notice)
      }
    case .other:
      notices.append(UnreadableFile(path: shown(absolute), reason: "not a file").notice)
    }
  }

  private mutating func walk(_ start: Folder) {
    var pending = [start]
    while var folder = pending.popLast() {
      guard entered.insert(folder.identity).inserted else { continue }
      let entries: [FolderEntry]
      do {
        entries = try System.entries(of: folder.path)
      } catch {
        notices.append(UnreadableFile(path: shown(folder.path), reason: error.reason).notice)
        continue
      }
      let prefix = folder.path == "/" ? "/" : folder.path + "/"
      if filter.respectsGitIgnore, entries.contains(where: { $0.name == ".gitignore" }) {
        folder.ignore.add(prefix + ".gitignore", in: folder.path)
      }
      for entry in entries {
        if entry.kind != .file, FileWalk.leavesOut(folderNamed: entry.name) { continue }
        if let inner = visit(entry, at: prefix + entry.name, in: folder) { pending.append(inner) }
      }
    }
  }

  /// The folder to enter, when the entry is one.
  private mutating func visit(_ entry: FolderEntry, at path: String, in folder: Folder) -> Folder? {
    if entry.kind == .other { return nil }
    if entry.kind == .file {
      let isOfInterest = InputFile.Kind(path: path) != nil
      if isOfInterest, !folder.ignore.ignores(path, isFolder: false) { keep(path) }
      return nil
    }
    // A link to nowhere is no one's mistake here.
    guard let status = try? System.status(of: path),
      // What lies in a resolved folder is resolved, if it is no link.
      let resolved = entry.kind == .folder ? path : System.resolve(path),
      !folder.ignore.ignores(path, isFolder: status.kind == .folder)
    else { return nil }
    if status.kind == .file { keep(resolved) }
    guard status.kind == .folder, !filter.excludesFolder(resolved) else { return nil }
    if entry.kind == .link, leadsIntoFolderNotEntered(resolved) { return nil }
    return Folder(path: resolved, identity: status.identity, ignore: folder.ignore)
  }

  @discardableResult
  private mutating func keep(_ absolute: String) -> Bool {
    guard let kind = InputFile.Kind(path: absolute) else { return false }
    if filter.wants(absolute), found.insert(absolute).inserted {
      take(FilePath(absolute: absolute, shown: shown(absolute), kind: kind))
    }
    return true
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
