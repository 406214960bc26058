#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

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

  /// As the shell has it: 127 when there is no such program.
  let status: Int32
  let output: [UInt8]
  let errors: String

  init(_ arguments: [String], in folder: String, input: [UInt8]?) throws(CommandError) {
    guard let given = Pipe(), let output = Pipe(), let errors = Pipe() else {
      throw .refusal("git can't be started: \(SystemError.last.reason)")
    }
    let words =
      ["env", "git", "-C", folder, "--no-pager", "--no-replace-objects"]
      + GitProcess.settings.flatMap { ["-c", $0] } + arguments
    let process = try GitProcess.start(words, reading: given, printing: output, errors)
    given.closeReader()
    output.closeWriter()
    errors.closeWriter()
    // Git may print before it has read all, so that one thread would wait for ever.
    let writer = startThread {
      if let input { try? Glue.write(input, to: given.writer) }
      given.closeWriter()
    }
    if writer == nil { given.closeWriter() }
    let said = Said()
    let reader = startThread { said.bytes = errors.readAll(keeping: GitProcess.mostErrors) }
    self.output = output.readAll(keeping: .max)
    for thread in [writer, reader] { if let thread { pthread_join(thread, nil) } }
    errors.closeReader()
    output.closeReader()
    status = GitProcess.wait(for: process)
    self.errors = String(decoding: said.bytes, as: UTF8.self)
  }

  /// The environment without what makes git start or print more.
  private static var environment: [String] {
    let names = Set(surroundings.keys).union(["GIT_EXTERNAL_DIFF"])
    let kept = System.environmentLines.filter { line in
      !names.contains(String(line.prefix { $0 != "=" })) && !line.hasPrefix("GIT_TRACE")
    }
    return kept + surroundings.map { "\($0.key)=\($0.value)" }.sorted()
  }

  private static func start(
    _ words: [String], reading given: Pipe, printing output: Pipe, _ errors: Pipe
  ) throws(CommandError) -> pid_t {
    #if canImport(Darwin)
      var streams: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var streams = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&streams)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&streams)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&streams, given.reader, System.standardInput)
    posix_spawn_file_actions_adddup2(&streams, output.writer, System.standardOutput)
    posix_spawn_file_actions_adddup2(&streams, errors.writer, System.standardError)
    // What persistlint ignores would be ignored by git as well.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var process = pid_t()
    let words = words.map { strdup($0) } + [nil]
    let lines = environment.map { strdup($0) } + [nil]
    defer { for text in words + lines { free(text) } }
    let code = posix_spawn(&process, "/usr/bin/env", &streams, &attributes, words, lines)
    guard code == 0 else {
      throw .refusal("git can't be started: \(String(cString: strerror(code)))")
    }
    return process
  }

  private static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1 {
      guard errno == EINTR else { return -1 }
    }
    // The signal that ended it stands in the lowest seven bits.
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  /// Written by one thread, and read when that has ended.
  private final class Said: @unchecked Sendable {
    var bytes: [UInt8] = []
  }
}

/// Two descriptors that no program inherits.
private struct Pipe: Sendable {
  let reader: Int32
  let writer: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (reader, writer) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  func closeReader() { close(reader) }

  func closeWriter() { close(writer) }

  /// Reads to the end, and keeps the first so many bytes.
  func readAll(keeping most: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = part.withUnsafeMutableBytes { Glue.read(reader, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes += part[..<count].prefix(most - bytes.count)
    }
  }
}
