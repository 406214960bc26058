import Foundation

/// Runs git so that nothing of the repository's is run: no monitor, hook, filter, pager, external
/// diff or check of signatures, and nothing is fetched. Only commands that look at commits and the
/// index are asked for, never one that compares with the files, because that runs filters.
struct GitProcess {
  /// Settings that win over those of the repository.
  private static let settings = [
    "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "core.sshCommand=false",
    "core.askPass=true", "diff.external=", "gpg.program=false", "log.showSignature=false",
    "protocol.allow=never", "submodule.recurse=false",
  ]

  private static let surroundings = [
    "GIT_ALLOW_PROTOCOL": "", "GIT_NO_LAZY_FETCH": "1", "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0", "GIT_PAGER": "cat", "GIT_LITERAL_PATHSPECS": "1",
    "GIT_ATTR_NOSYSTEM": "1", "LC_ALL": "C",
  ]

  /// In bytes; so much of what git says of its failure is read.
  private static let mostErrors = 64 << 10

  let status: Int32
  let output: Data
  let errors: String

  init(_ arguments: [String], in folder: String, input: Data?) throws(CommandError) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["git", "--no-pager", "--no-replace-objects"] + GitProcess.settings.flatMap { ["-c", $0] }
      + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = ProcessInfo.processInfo.environment
      .filter { $0.key != "GIT_EXTERNAL_DIFF" && !$0.key.hasPrefix("GIT_TRACE") }
      .merging(GitProcess.surroundings) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    let given = Pipe()
    process.standardInput = given
    do {
      try process.run()
    } catch {
      throw .refusal("git can't be started: \(error.localizedDescription)")
    }
    // Git may print before it has read all, so that one thread would wait for ever.
    Thread.detachNewThread {
      if let input { try? given.fileHandleForWriting.write(contentsOf: input) }
      try? given.fileHandleForWriting.close()
    }
    let said = Said()
    let reader = startThread {
      said.data = errors.fileHandleForReading.readDataToEndOfFile().prefix(GitProcess.mostErrors)
    }
    self.output = output.fileHandleForReading.readDataToEndOfFile()
    if let reader { pthread_join(reader, nil) }
    process.waitUntilExit()
    status = process.terminationStatus
    self.errors = String(decoding: said.data, as: UTF8.self)
  }

  /// Written by one thread, and read when that has ended.
  private final class Said: @unchecked Sendable {
    var data = Data()
  }
}
