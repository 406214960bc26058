import Foundation

/// Asks git about the repository around a folder.
struct Git {
  let folder: String
  /// The resolved folder that git's paths are relative to.
  let root: String

  init(in folder: String) throws(CommandError) {
    self.folder = folder
    guard let top = try Git.run(["rev-parse", "--show-toplevel"], in: folder),
      let root = System.resolve(Git.lines(top).first ?? "")
    else { throw .refusal("\(folder) lies in no git repository") }
    self.root = root
  }

  /// The files that differ from where the branch left the commit, as resolved paths; new ones too.
  func filesChanged(since commit: String) throws(CommandError) -> Set<String> {
    guard !commit.hasPrefix("-"),
      try run("rev-parse", "--verify", "--quiet", "\(commit)^{commit}") != nil
    else { throw try refusal("git knows no commit '\(commit)'") }
    guard let base = try run("merge-base", commit, "HEAD"), let base = Git.lines(base).first else {
      throw try refusal("'\(commit)' and HEAD have no commit in common")
    }
    let changed = try paths("diff", "--name-only", "-z", "--diff-filter=ACMRT", base, "--")
    return changed.union(try paths("ls-files", "-z", "--others", "--exclude-standard"))
  }

  /// The files whose next commit differs from the last, as resolved paths.
  func filesStaged() throws(CommandError) -> Set<String> {
    try paths("diff", "--cached", "--name-only", "-z", "--diff-filter=ACMRT", "--")
  }

  /// The files that were edited after they were staged, as resolved paths.
  func filesEditedSinceStaging() throws(CommandError) -> Set<String> {
    try paths("diff", "--name-only", "-z", "--")
  }

  /// The bytes of a file as they will be committed.
  func stagedBytes(of path: String) throws(CommandError) -> [UInt8]? {
    try run("cat-file", "blob", ":\(path.dropFirst(root.count + 1))").map { Array($0) }
  }

  private func paths(_ arguments: String...) throws(CommandError) -> Set<String> {
    guard let output = try Git.run(arguments, in: root) else {
      throw .refusal("git \(arguments.joined(separator: " ")) failed in \(root)")
    }
    let names = output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    return Set(names.map { "\(root)/\($0)" }.map { System.resolve($0) ?? $0 })
  }

  private func run(_ arguments: String...) throws(CommandError) -> Data? {
    try Git.run(arguments, in: root)
  }

  /// In a shallow clone the missing commits are most likely just not there.
  func refusal(_ reason: String) throws(CommandError) -> CommandError {
    let isShallow = try run("rev-parse", "--is-shallow-repository").map {
      Git.lines($0) == ["true"]
    }
    guard isShallow == true else { return .refusal(reason) }
    return .refusal(
      "\(reason), for this clone is shallow; run git fetch --unshallow, or give actions/checkout "
        + "fetch-depth: 0 (GitLab: GIT_DEPTH: 0)")
  }

  static func lines(_ data: Data) -> [String] {
    String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
  }

  /// What git printed; nothing when it failed.
  static func run(
    _ arguments: [String], in folder: String, input: Data? = nil
  ) throws(CommandError) -> Data? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git"] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    let given = input.map { _ in Pipe() }
    if let given { process.standardInput = given }
    do {
      try process.run()
    } catch {
      throw .refusal("git can't be started: \(error.localizedDescription)")
    }
    if let given, let input {
      // Git may print before it has read all, so that one thread would wait for ever.
      Thread.detachNewThread {
        try? given.fileHandleForWriting.write(contentsOf: input)
        try? given.fileHandleForWriting.close()
      }
    }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    if process.terminationStatus == 127 { throw .refusal("git is not installed") }
    return process.terminationStatus == 0 ? data : nil
  }
}

extension Git {
  /// Whether git keeps the file; false where there is no repository, or no git.
  static func tracks(_ path: String) -> Bool {
    guard let folder = parentFolder(of: path) else { return false }
    let name = ":(literal)\(path.lastPart)"
    guard let listed = try? run(["ls-files", "-z", "--", name], in: folder) else { return false }
    return !listed.isEmpty
  }
}
