/// The part of a project whose findings a run may accept, or take out of its baseline.
struct BaselineScope {
  /// The resolved folder that the baseline speaks of; the paths in it are relative to this one.
  let root: String
  /// The resolved files and folders that were named.
  private let operands: [String]
  /// The operands as they were written, for people.
  let shown: String
  /// What `--exclude` leaves out.
  private let excluded: PathPatterns?
  /// What couldn't be read, by resolved paths: its findings aren't known.
  var unread: [String] = []

  init(_ options: Options, _ configuration: Configuration, baseline path: String) {
    let named = options.operands.isEmpty ? ["."] : options.operands
    let operands = named.compactMap { System.resolve($0) }
    let current = System.resolve(".") ?? "/"
    var folder = configuration.folder
    if configuration.file == nil {
      let slash = path.lastIndex(of: "/")
      let beside = System.resolve(slash.map { String(path[...$0]) } ?? ".") ?? current
      folder = current.lies(in: beside) ? beside : current
    }
    root = folder
    self.operands = operands
    excluded = options.excluded.isEmpty ? nil : PathPatterns(options.excluded, in: current)
    shown =
      options.operands.isEmpty
      ? current.lastPart : options.operands.joined(separator: ", ")
  }

  /// Whether all that the baseline speaks of was named.
  var isWhole: Bool { excluded == nil && operands.contains { root.lies(in: $0) } }

  /// What the run leaves alone, for people.
  var others: String {
    if isWhole { return "files that can't be read" }
    return excluded == nil ? "files outside \(shown)" : "files that --exclude leaves out"
  }

  /// Whether the run may speak of what was found in a file; of one that isn't known only where it
  /// looks at everything.
  func holds(_ path: String?) -> Bool {
    guard let path else { return isWhole }
    let whole = absolute(path)
    guard !(excluded?.coversFile(whole) ?? false) else { return false }
    return operands.contains { whole.lies(in: $0) } && !unread.contains { whole.lies(in: $0) }
  }

  /// A resolved path as the baseline has it.
  func relative(_ path: String) -> String {
    path != root && path.lies(in: root) ? String(path.dropFirst(root.inner("").count)) : path
  }

  private func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : root.inner(path)
  }
}

extension Options {
  /// Where the baseline lies: where it was named, else beside the configuration.
  func baselinePath(_ configuration: Configuration) -> String {
    if let baseline { return baseline }
    guard configuration.file != nil else { return BaselineFile.standardName }
    return configuration.placed(BaselineFile.standardName)
  }

  /// Looks at the whole project where a baseline is to be changed from a part of it, because
  /// findings of the part may need the rest.
  mutating func widen(_ configuration: Configuration) throws(CommandError) {
    guard writesBaseline || prunesBaseline else { return }
    let scope = BaselineScope(self, configuration, baseline: baselinePath(configuration))
    guard !scope.isWhole else { return }
    guard against == nil, againstRelease == nil else {
      let option = writesBaseline ? "--write-baseline" : "--prune-baseline"
      throw .usage("\(option) with --against looks at the whole project: run it in \(scope.root)")
    }
    baselineScope = scope
    operands = (operands.isEmpty ? ["."] : operands) + [scope.root]
  }
}

extension String {
  /// Whether a resolved path is the other, or lies inside of it.
  func lies(in folder: String) -> Bool {
    self == folder || folder == "/" || hasPrefix(folder + "/")
  }
}
