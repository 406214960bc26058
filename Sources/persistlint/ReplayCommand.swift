import PersistIndex
import PersistPages
import PersistReport
import PersistRules
import PersistSchema
import PersistSyntax
import PersistVersions

/// Lints each commit of the first-parent history against its parent by the rules about schemas.
@Sendable func runReplay(_ options: Options) throws(CommandError) -> ExitCode {
  guard let root = System.resolve(".") else {
    throw .refusal("the current folder can't be read: \(SystemError.last.reason)")
  }
  let git = try Git(in: root)
  var replay = Replay(jobs: options.jobs ?? System.processorCount)
  let start = System.clock
  for commit in try git.history(of: options.operands.first ?? "HEAD") {
    let remarks = try replay.apply(commit, git: git)
    if !remarks.isEmpty { _ = try show(remarks) }
  }
  let seconds = System.clock - start
  _ = try show(
    "\(replay.commits) commits, \(replay.judged) of them judged, \(replay.found) findings, in "
      + "\(seconds.rounded(toPlaces: 1)) s\n")
  return .clean
}

extension Double {
  fileprivate func rounded(toPlaces places: Int) -> String {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    return String((self * scale).rounded() / scale)
  }
}

/// The files of a commit, and what was said of its parent.
private struct Replay {
  let jobs: Int
  var commits = 0
  var judged = 0
  var found = 0
  private var swift: [String: SourceFile] = [:]
  private var models: [String: [UInt8]] = [:]
  private var parent: SchemaSources.Snapshot?
  private var known: Set<String> = []
  private let rules = Set(RulePage.all.filter { $0.tags.contains("schema") }.map(\.id))

  init(jobs: Int) { self.jobs = jobs }

  /// Judges a commit; gives what is new in it.
  mutating func apply(_ commit: Git.Commit, git: Git) throws(CommandError) -> String {
    commits += 1
    let changed = commit.changes
    guard !changed.isEmpty else { return "" }
    let start = System.clock
    let bytes = try git.blobs(changed.compactMap(\.object))
    let parsed = parallelMap(changed, jobs: jobs) { change -> SourceFile? in
      guard change.path.hasSuffix(".swift"), let object = change.object, let text = bytes[object]
      else { return nil }
      return SourceFile(path: change.path, outline: Outline(SourceText(text)))
    }
    for (change, file) in zip(changed, parsed) {
      swift[change.path] = file
      let isModel = DataModel.wants(path: change.path)
      models[change.path] = isModel ? change.object.flatMap { bytes[$0] } : nil
    }
    let files = swift.values.sorted { $0.path < $1.path }
    let dataModels = DataModel.models(in: models.map { (path: $0.key, bytes: $0.value) })
    judged += 1
    let remarks = judge(commit, files, dataModels)
    let milliseconds = Int((System.clock - start) * 1000)
    if remarks.isEmpty { return "" }
    return "\(commit.id) \(milliseconds) ms\n" + remarks
  }

  private mutating func judge(
    _ commit: Git.Commit, _ files: [SourceFile], _ dataModels: [DataModel]
  ) -> String {
    let base = parent?.base(reference: commit.id + "^", freezesNewest: false)
    let input = SchemaInput(dataModels: dataModels, base: base)
    let rules = rules
    let judged = onLargeStack { () -> (snapshot: SchemaSources.Snapshot, findings: [Finding]) in
      let program = Program(files, input: input)
      let findings = program.judge(Registry.check(program, ids: rules)).findings
      let snapshot = SchemaSources.Snapshot(
        program: program.schema, files: files, migrators: program.migrators,
        realms: program.realmConfigurations.compactMap(\.frozen))
      return (snapshot, findings)
    }
    let isFirst = parent == nil
    parent = judged.snapshot
    var remarks = ""
    var seen: Set<String> = []
    for finding in judged.findings {
      let text = "\(finding.severity): \(finding.message) [\(finding.rule)]"
      seen.insert(text)
      guard !known.contains(text), !isFirst || finding.rule != "frozen-schema-edited" else {
        continue
      }
      found += 1
      remarks += "  \(finding.location.path):\(finding.location.start.line): \(text)\n"
    }
    known = seen
    return remarks
  }
}

extension Git {
  /// A commit and the files of interest that differ from its first parent.
  struct Commit: Sendable {
    struct Change: Sendable {
      let path: String
      /// Nil when the file is gone.
      let object: String?
    }

    let id: String
    let changes: [Change]
  }

  /// The first-parent history up to a commit, the oldest first.
  func history(of commit: String) throws(CommandError) -> [Commit] {
    try know(commit)
    let arguments = [
      "log", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--first-parent",
      "--diff-merges=first-parent", "--reverse", "--raw", "-z",
      "--no-abbrev", "--no-renames", "--root", "--format=commit %H", commit, "--",
    ]
    guard let output = try Git.run(arguments, in: root) else {
      throw try refusal("git knows no commit '\(commit)'")
    }
    var commits: [Commit] = []
    var id = ""
    var changes: [Commit.Change] = []
    var object: String?
    func finish() {
      if !id.isEmpty { commits.append(Commit(id: id, changes: changes)) }
      changes = []
    }
    for part in output.split(separator: 0) {
      let text = String(decoding: part, as: UTF8.self).drop { $0 == "\n" }
      if text.hasPrefix("commit "), text.utf8.count < 80 {
        finish()
        id = String(text.dropFirst(7).prefix(40))
      } else if text.hasPrefix(":") {
        let words = text.split(separator: " ")
        guard words.count == 5 else { continue }
        let isFile = words[1].hasPrefix("100")
        object = isFile ? String(words[3]) : nil
      } else if InputFile.Kind(path: String(text)) != nil, !FileWalk.leavesOut(fileAt: text) {
        changes.append(Commit.Change(path: String(text), object: object))
      }
    }
    finish()
    return commits
  }

  /// The bytes of objects by their ids.
  func blobs(_ objects: [String]) throws(CommandError) -> [String: [UInt8]] {
    guard !objects.isEmpty else { return [:] }
    let names = objects.map { $0 + "\n" }.joined()
    guard
      let output = try Git.run(
        ["cat-file", "--batch"], in: root, input: Array(names.utf8))
    else { throw .refusal("git cat-file failed in \(root)") }
    let bytes = output
    var blobs: [String: [UInt8]] = [:]
    var at = 0
    for object in objects {
      guard let end = bytes[at...].firstIndex(of: 0x0A) else { break }
      let words = bytes[at..<end].split(separator: 0x20)
      at = end + 1
      guard words.count == 3, let size = Int(String(decoding: words[2], as: UTF8.self)),
        at + size <= bytes.count
      else { continue }
      blobs[object] = Array(bytes[at..<at + size])
      at += size + 1
    }
    return blobs
  }
}
