import PersistReport
import PersistSchema

/// What a walk has to say where it found less than was meant.
extension FileWalk {
  /// Why there is no Swift file to look at; nil where there is one, or where a plugin asks for a
  /// target, which may have none.
  func reasonForNoSwift(
    _ configuration: Configuration, _ input: LintInput, _ options: Options
  ) -> String? {
    guard !input.files.contains(where: { $0.kind == .swift || DataModel.wants(path: $0.path) }),
      options.stamp == nil,
      options.reportUnder == nil
    else { return nil }
    let places = options.operands.isEmpty ? "this folder" : options.operands.joined(separator: ", ")
    let swift = excluded.filter { $0.isFolder || $0.path.hasSuffix(".swift") }
    guard !swift.isEmpty else { return "no Swift file in \(places), so nothing was looked at" }
    if !options.excluded.isEmpty, configuration.exclude.isEmpty, configuration.include.isEmpty {
      return "--exclude leaves out every Swift file in \(places), so nothing was looked at"
    }
    let file = configuration.file.map { configuration.placed($0.lastPart) } ?? ""
    guard configuration.include.isEmpty || swift.contains(where: \.isFolder) else {
      return "`include` in \(file) matches no Swift file in \(places), so nothing was looked at"
    }
    return "`exclude` in \(file) leaves out every Swift file in \(places), so nothing was looked at"
  }

  /// The patterns of `--exclude` that match nothing.
  func idlePatterns(ofArguments patterns: [String], _ root: String) -> [Notice] {
    patterns.filter { pattern in
      let own = PathPatterns([pattern], in: root)
      return !pattern.hasPrefix("!")
        && !excluded.contains { path, isFolder in
          own.verdict(on: path, isFolder: isFolder) == true || own.coversFile(path)
        }
    }.map { Notice(path: "", message: "--exclude: '\($0)' matches nothing") }
  }

  /// The patterns of the configuration that match nothing, where the whole project was walked.
  func idlePatterns(_ configuration: Configuration, _ input: LintInput) -> [Notice] {
    guard configuration.file != nil, input.root == configuration.folder else { return [] }
    let folder = configuration.folder
    var notices: [Notice] = []
    func report(_ key: String, _ pattern: String) {
      notices.append(
        Notice(
          path: Configuration.fileName,
          message: "\(configuration.place(key, pattern)): '\(pattern)' in `\(key)` matches nothing")
      )
    }
    let files = input.files.map { input.absolutePath(of: $0.path) }
    for pattern in configuration.exclude where !pattern.hasPrefix("!") {
      let own = PathPatterns([pattern], in: folder)
      let isIdle = !excluded.contains { path, isFolder in
        own.verdict(on: path, isFolder: isFolder) == true || own.coversFile(path)
      }
      if isIdle { report("exclude", pattern) }
    }
    for pattern in configuration.include + configuration.overrides.flatMap(\.patterns)
    where !pattern.hasPrefix("!") {
      let own = PathPatterns([pattern], in: folder)
      guard !files.contains(where: own.coversFile) else { continue }
      report(configuration.include.contains(pattern) ? "include" : "overrides", pattern)
    }
    return notices
  }
}
