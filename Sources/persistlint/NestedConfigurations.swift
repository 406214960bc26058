import PersistReport
import PersistRules

/// Configurations of folders further in, and those that go on from another one.
extension Configuration {
  /// The nearest one above a file, where that isn't this one; `path` is resolved.
  func nestedHolder(of path: String) -> Configuration? {
    nested.filter { path.hasPrefix($0.folder + "/") }.max { $0.folder.count < $1.folder.count }
  }

  /// What a run is about: the last of the files that lie further out and are gone on from.
  var outermost: Configuration {
    guard let base = bases.first, base.file?.lastPart == Configuration.fileName,
      (folder + "/").hasPrefix(base.folder + "/")
    else { return self }
    return base.outermost
  }

  /// Finds the configurations of the folders between this one and the files; resolved paths.
  mutating func findNested(for files: [String], _ options: Options) throws(CommandError) {
    guard options.configuration == nil else { return }
    var seen: Set<String> = [folder]
    var found: [Configuration] = []
    for file in files {
      var next = parentFolder(of: file)
      while let current = next, current.hasPrefix(folder.inner("")), seen.insert(current).inserted {
        let path = current.inner(Configuration.fileName)
        if System.hasEntry(path) {
          let name = Configuration(folder: current).placed(Configuration.fileName)
          found.append(try Configuration.read(path, shownAs: name))
        }
        next = parentFolder(of: current)
      }
    }
    for index in found.indices { found[index].choose(options) }
    nested = found.sorted { $0.folder < $1.folder }
  }

  /// What a nested configuration says that only the whole run can take.
  var passedOver: [Notice] {
    nested.compactMap { inner in
      let keys = ["baseline", "lock", "released", "sync", "appGroup", "names", "formats", "failOn"]
        .filter(inner.keys.contains)
      guard !keys.isEmpty else { return nil }
      let path = inner.placed(Configuration.fileName)
      let root = file.map { placed($0.lastPart) } ?? "the folder above"
      return Notice(
        path: path,
        message: "\(path): \(keys.map { "`\($0)`" }.joined(separator: ", ")) "
          + "\(keys.count == 1 ? "is" : "are") ignored here, because a run of the whole project "
          + "uses \(keys.count == 1 ? "the one" : "those") of \(root)")
    }
  }

  /// Takes over what the file doesn't say itself from the one that it goes on from.
  mutating func goOn(for readers: [String]) throws(CommandError) {
    guard let extended, let file else { return }
    let base = try readBase(extended, for: readers + [file])
    bases = [base]
    rules = base.rules.merging(rules) { $1 }
    if !keys.contains("select") { selected = base.selected }
    if !keys.contains("ignore") { ignored = base.ignored }
    overrides = base.overrides + overrides
    if !keys.contains("requireReason") { requiresReason = base.requiresReason }
    failOn = failOn ?? base.failOn
    project.released = project.released ?? base.project.released
    project.syncs = project.syncs ?? base.project.syncs
    project.isInAppGroup = project.isInAppGroup ?? base.project.isInAppGroup
    guard !keys.contains("names") else { return }
    project.openers = base.project.openers
    project.backups = base.project.backups
    project.locks = base.project.locks
    project.assertions = base.project.assertions
  }

  private func readBase(
    _ extended: String, for readers: [String]
  ) throws(CommandError) -> Configuration {
    let place = place("extends", extended)
    let path = extended.hasPrefix("/") ? extended : folder.inner(extended)
    guard let target = System.resolve(path) else {
      throw .refusal("\(place): \(extended): \(SystemError.last.reason)")
    }
    guard !readers.contains(target) else {
      throw .refusal("\(place): \(extended) extends this file again, so there is a cycle")
    }
    let root = ProjectRoot(around: folder, Configuration(folder: folder))
    guard root.holds(target) || !System.hasEntry(root.path.inner(".git")) else {
      throw .refusal("\(place): \(extended) leads out of \(root.path)")
    }
    let base = parentFolder(of: target) ?? "/"
    return try Configuration.read(
      target, shownAs: Configuration(folder: base).placed(target.lastPart), for: readers)
  }
}
