import PersistIndex
import PersistReport
import PersistSchema
import PersistSyntax
import PersistVersions

/// Makes schemas of the folder, of a commit, or of the lock file.
struct SchemaSources {
  private let options: Options
  private let configuration: Configuration
  private let jobs: Int

  init(_ options: Options, _ configuration: Configuration, jobs: Int) {
    self.options = options
    self.configuration = configuration
    self.jobs = jobs
  }

  /// What the sources are compared with; nothing when nothing tells what has shipped.
  func base(for input: LintInput) throws(CommandError) -> SchemaBase? {
    var base = try anyBase(for: input)
    base?.isWhole =
      configuration.file == nil
      ? options.operands.allSatisfy { $0 == "." } : configuration.isWhole(options.operands)
    return base
  }

  private func anyBase(for input: LintInput) throws(CommandError) -> SchemaBase? {
    let wishes = [options.lock, options.against, options.againstRelease].compactMap { $0 }
    guard wishes.count < 2 else {
      throw .usage("--lock, --against and --against-release can't be combined")
    }
    if let pattern = options.againstRelease {
      let git = try Git(in: input.root)
      let tag = try git.newestTag(matching: pattern)
      return try base(at: tag, git: git, freezesNewest: true)
    }
    if let against = options.against {
      if (try? System.status(of: against))?.kind == .folder {
        let schema = try snapshot(ofFolder: against)
        return schema.base(reference: against, freezesNewest: false)
      }
      return try base(at: against, git: try Git(in: input.root), freezesNewest: false)
    }
    try requireNamedLock()
    return try lock().map { SchemaBase($0, path: lockPath) }
  }

  /// The path of the lock file, whether it is there or not; by default beside the configuration.
  var lockPath: String {
    if let path = options.lock { return path }
    if let path = configuration.lock { return configuration.placed(path) }
    let isNamed = configuration.file != nil || options.project != nil
    let beside = isNamed ? configuration.placed(LockFile.name) : LockFile.name
    return [beside, LockFile.name].first { (try? System.status(of: $0)) != nil } ?? beside
  }

  /// Refuses to go on when the configuration names a lock file that isn't there.
  func requireNamedLock() throws(CommandError) {
    guard options.lock == nil, let path = configuration.lock, !System.hasEntry(lockPath) else {
      return
    }
    throw .refusal(
      "\(configuration.placed(path)) doesn't exist, but the configuration names it as `lock`; "
        + "`persistlint freeze` writes it, and git may have the old one")
  }

  /// The lock file; nothing when none was asked for and none is there.
  func lock() throws(CommandError) -> LockFile? {
    if options.lock == nil, !System.hasEntry(lockPath) { return nil }
    let bytes: [UInt8]
    do {
      bytes = try FileReader.read(lockPath, atMost: FileReader.Limit.record)
    } catch {
      throw .refusal("\(lockPath): \(error.reason)")
    }
    guard isUTF8(bytes) else { throw .refusal("\(lockPath): not UTF-8; restore it from git") }
    do {
      return try LockFile(parsing: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw .refusal("\(lockPath):\(error.line): \(error.message)")
    }
  }

  // MARK: Schemas

  /// The schemas of some state of the sources, and the files they come from.
  struct Snapshot {
    let program: SchemaProgram
    let files: [SourceFile]
    let migrators: [Migrator]
    /// The configurations of realms.
    var realms: [FrozenRealm] = []

    /// The base that they make for other sources.
    func base(reference: String, freezesNewest: Bool) -> SchemaBase {
      SchemaBase(program, files: files, reference: reference, freezesNewest: freezesNewest)
        .holding(realms).holding(migrators, in: files)
    }
  }

  /// The schemas of the current folder, or of some paths; says what can't be read.
  func current(paths: [String] = []) throws(CommandError) -> Snapshot {
    var options = options
    options.operands = paths
    let input = try LintInput.gather(options, configuration, jobs: jobs)
    for notice in input.notices + input.files.dataModels.notices { warn(notice.message) }
    return snapshot(of: input.files)
  }

  /// The schemas of a commit, branch or tag.
  func snapshot(at commit: String) throws(CommandError) -> Snapshot {
    guard let root = System.resolve(".") else {
      throw .refusal("the current folder can't be read: \(SystemError.last.reason)")
    }
    return snapshot(of: try Git(in: root).files(at: commit) { _ in true })
  }

  private func base(
    at commit: String, git: Git, freezesNewest: Bool
  ) throws(CommandError) -> SchemaBase {
    let operands = options.operands.filter { $0 != "-" && $0 != "." }
    let files = try git.files(at: commit) { path in
      operands.isEmpty
        || operands.contains { path == $0 || path.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
    }
    return snapshot(of: files).base(reference: commit, freezesNewest: freezesNewest)
  }

  private func snapshot(ofFolder folder: String) throws(CommandError) -> Snapshot {
    guard let root = System.resolve(folder) else {
      throw .refusal("\(folder): \(SystemError.last.reason)")
    }
    var walk = FileWalk(
      root: root, filter: configuration.filter(respectsGitIgnore: options.respectsGitIgnore),
      configuration)
    let read = try InputFile.read(jobs: jobs, atMost: options.largestFile) {
      take throws(CommandError) in
      walk.take = take
      do throws(SystemError) {
        try walk.add(root)
      } catch {
        throw .refusal("\(folder): \(error.reason)")
      }
    }
    return snapshot(of: read.files)
  }

  func snapshot(of files: [InputFile]) -> Snapshot {
    let swift = files.filter { $0.kind == .swift }
    let sources = parallelMap(swift, jobs: jobs) { file in
      SourceFile(path: file.path, outline: file.outline ?? Outline(file.text))
    }
    let models = files.dataModels
    return onLargeStack {
      let joined = Program(sources)
      return Snapshot(
        program: SchemaProgram(sources, input: SchemaInput(dataModels: models)), files: sources,
        migrators: joined.migrators, realms: joined.realmConfigurations.compactMap(\.frozen))
    }
  }
}

extension [DataModel] {
  /// What is to be said of the Core Data models.
  var notices: [Notice] {
    flatMap(\.problems).map { problem in
      Notice(path: problem.path, message: "\(problem.path):\(problem.line): \(problem.message)")
    }
  }
}

extension [InputFile] {
  /// The Core Data models among the files.
  var dataModels: [DataModel] {
    DataModel.models(
      in: filter { DataModel.wants(path: $0.path) }.map { (path: $0.path, bytes: $0.bytes) })
  }
}
