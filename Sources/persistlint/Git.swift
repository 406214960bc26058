import PersistSyntax

/// Asks git about the repository around a folder.
struct Git {
  let folder: String
  /// The resolved folder that git's paths are relative to.
  let root: String

  init(in folder: String) throws(CommandError) {
    self.folder = folder
    guard let top = try Git.run(["rev-parse", "--show-toplevel"], in: folder),
      let root = System.resolve(Git.lines(top).first ?? "")
    else { throw .refusal("\(folder) is not in a git repository") }
    guard folder == root || ProjectRoot(path: root).holds(folder) else {
      throw .refusal("\(folder) belongs to a git repository whose files are elsewhere, in \(root)")
    }
    self.root = root
  }

  /// Those of the files, by resolved paths, that differ from where the branch left the commit; new
  /// ones too.
  func filesChanged(
    since commit: String, among files: [String: SourceText]
  ) throws(CommandError) -> Set<String> {
    try know(commit)
    guard let base = try run("merge-base", commit, "HEAD"), let base = Git.lines(base).first else {
      throw try refusal("'\(commit)' and HEAD have no commit in common")
    }
    let objects = try objects(at: base)
    var changed: Set<String> = []
    for (path, text) in files {
      guard let object = objects[path] else {
        changed.insert(path)
        continue
      }
      // Where names can't be compared, the file may have changed.
      if GitObjectID.names(object, text.bytes) != true { changed.insert(path) }
    }
    return changed
  }

  /// The files whose next commit differs from the last, by resolved paths, with the names of their
  /// blobs.
  func filesStaged() throws(CommandError) -> [String: String] {
    let hasCommit = try run("rev-parse", "--verify", "--quiet", "HEAD^{commit}") != nil
    let last = hasCommit ? try objects(at: "HEAD") : [:]
    guard let output = try run("ls-files", "--stage", "-z") else {
      throw .refusal("git ls-files failed in \(root)")
    }
    return Git.objects(in: output, under: root).filter { last[$0.key] != $0.value }
  }

  /// The bytes of a blob.
  func bytes(of object: String) throws(CommandError) -> [UInt8]? {
    try run("cat-file", "blob", object)
  }

  /// Throws unless it names a commit.
  func know(_ commit: String) throws(CommandError) {
    guard !commit.hasPrefix("-"), !commit.isEmpty,
      try run("rev-parse", "--verify", "--quiet", "\(commit)^{commit}") != nil
    else { throw try refusal("git knows no commit, branch or tag '\(commit)'") }
  }

  /// The names of all blobs of a commit, by resolved paths.
  private func objects(at commit: String) throws(CommandError) -> [String: String] {
    guard let tree = try run("ls-tree", "-r", "-z", commit) else {
      throw try refusal("git ls-tree \(commit) failed in \(root)")
    }
    return Git.objects(in: tree, under: root)
  }

  /// Reads `MODE … OBJECT STAGE<tab>PATH` and `MODE blob OBJECT<tab>PATH`; links and submodules are
  /// no files.
  private static func objects(in lines: [UInt8], under root: String) -> [String: String] {
    var objects: [String: String] = [:]
    for line in lines.split(separator: 0) {
      guard let tab = line.firstIndex(of: 0x09) else { continue }
      let words = String(decoding: line[..<tab], as: UTF8.self).split(separator: " ")
      guard words.count == 3, words[0].hasPrefix("100") else { continue }
      let path = root.inner(String(decoding: line[line.index(after: tab)...], as: UTF8.self))
      objects[path] = String(words[1] == "blob" ? words[2] : words[1])
    }
    return objects
  }

  private func run(_ arguments: String...) throws(CommandError) -> [UInt8]? {
    try Git.run(arguments, in: root)
  }

  /// In a shallow or partial clone what is missing is most likely just not there.
  func refusal(_ reason: String) throws(CommandError) -> CommandError {
    let isShallow = try run("rev-parse", "--is-shallow-repository").map {
      Git.lines($0) == ["true"]
    }
    guard isShallow == true else { return .refusal(reason) }
    return .refusal(
      "\(reason), because this clone is shallow; run git fetch --unshallow, or give actions/checkout "
        + "fetch-depth: 0 (GitLab: GIT_DEPTH: 0)")
  }

  static func lines(_ data: [UInt8]) -> [String] {
    String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
  }

  /// What git printed; nothing when it failed.
  static func run(
    _ arguments: [String], in folder: String, input: [UInt8]? = nil
  ) throws(CommandError) -> [UInt8]? {
    let process = try GitProcess(arguments, in: folder, input: input)
    if process.status == 127 { throw .refusal("git is not installed") }
    if process.status == 0 { return process.output }
    if process.errors.contains("dubious ownership") {
      throw .refusal(
        "git doesn't trust the repository around \(folder), because it belongs to another user; "
          + "if you do, run git config --global --add safe.directory \(folder)")
    }
    return nil
  }
}

extension Git {
  /// Whether git keeps the file; false where there is no repository, or no git.
  static func tracks(_ path: String) -> Bool {
    guard let folder = parentFolder(of: path),
      let listed = try? run(["ls-files", "-z", "--", path.lastPart], in: folder)
    else { return false }
    return !listed.isEmpty
  }
}
