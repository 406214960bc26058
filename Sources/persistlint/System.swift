import PersistSyntax

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Why the system refused, in its own words.
struct SystemError: Error {
  let reason: String

  /// Reads `errno`, so it has to be made before any other call.
  static var last: SystemError {
    guard let text = strerror(errno) else { return SystemError(reason: "unknown error") }
    return SystemError(reason: String(cString: text))
  }
}

/// What a path leads to.
struct FileStatus {
  enum Kind { case file, folder, other }

  /// Two paths with the same identity lead to the same thing.
  struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  let kind: Kind
  let identity: Identity
  /// In bytes.
  let size: Int
}

/// The few calls of the operating system that the command needs, the same on all platforms.
enum System {
  static let standardInput: Int32 = 0
  static let standardOutput: Int32 = 1
  static let standardError: Int32 = 2

  /// Nothing when the variable is not set or empty.
  static func environment(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  static var processorCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Seconds since some moment in the past.
  static var clock: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The path with every symbolic link resolved; nothing when there is no such thing.
  static func resolve(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// What the path leads to, through symbolic links.
  static func status(of path: String) throws(SystemError) -> FileStatus {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .last }
    let kind: FileStatus.Kind
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    default: kind = .other
    }
    let identity = FileStatus.Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      inode: UInt64(truncatingIfNeeded: status.st_ino))
    return FileStatus(kind: kind, identity: identity, size: Int(status.st_size))
  }

  /// All bytes of a file, or of the terminal, pipe or device behind a descriptor.
  static func read(_ path: String) throws(SystemError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    var status = stat()
    let size = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    return try read(descriptor, expecting: size)
  }

  /// All bytes of a file, ready to be lexed; throws for what is no file or is larger.
  static func text(of path: String, atMost limit: Int) throws(SystemError) -> SourceText {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last }
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(reason: "not a file") }
    let size = Int(status.st_size)
    guard size <= limit else { throw SystemError(reason: "larger than 2 GiB") }
    var failure: SystemError?
    let text = SourceText(capacity: size) { target in
      var count = 0
      while count < target.count {
        let got = systemRead(descriptor, target.baseAddress?.advanced(by: count), size - count)
        if got < 0, errno == EINTR { continue }
        if got < 0 { failure = .last }
        if got <= 0 { break }
        count += got
      }
      return count
    }
    if let failure { throw failure }
    return text
  }

  /// All bytes up to the end of a descriptor; `expecting` so many saves room and calls.
  static func read(_ descriptor: Int32, expecting size: Int = 0) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var room = max(size, 0) + 1
    var failure: SystemError?
    var isAtEnd = false
    while !isAtEnd, failure == nil {
      bytes += [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        while count < room {
          let got = systemRead(descriptor, buffer.baseAddress?.advanced(by: count), room - count)
          if got < 0, errno == EINTR { continue }
          if got < 0 { failure = .last }
          if got <= 0 {
            isAtEnd = true
            break
          }
          count += got
        }
      }
      room = 1 << 16
    }
    if let failure { throw failure }
    return bytes
  }

  /// Writes all bytes; a reader that went away (a closed pipe) is no error.
  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      if written < 0, errno == EPIPE { return }
      guard written > 0 else { throw .last }
      rest = rest.dropFirst(written)
    }
  }

  static func write(_ text: String, to descriptor: Int32) throws(SystemError) {
    try write(Array(text.utf8), to: descriptor)
  }

  /// Puts a file in the place of another in one step: a reader sees the old or the new one whole.
  static func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    let target = resolve(path) ?? path
    if let status = try? status(of: target), status.kind == .other {
      let descriptor = open(target, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .last }
      defer { close(descriptor) }
      return try write(bytes, to: descriptor)
    }
    let draft = "\(target).\(getpid()).tmp"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .last }
    var replaced = stat()
    if stat(target, &replaced) == 0 { fchmod(descriptor, replaced.st_mode & 0o7777) }
    do {
      defer { close(descriptor) }
      try write(bytes, to: descriptor)
    } catch {
      unlink(draft)
      throw error
    }
    guard rename(draft, target) == 0 else {
      let error = SystemError.last
      unlink(draft)
      throw error
    }
  }

  /// Adds to the end of a file.
  static func append(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    try write(bytes, to: descriptor)
  }

  static func exit(_ code: Int32) -> Never {
    #if canImport(Darwin)
      Darwin.exit(code)
    #elseif canImport(Glibc)
      Glibc.exit(code)
    #elseif canImport(Musl)
      Musl.exit(code)
    #endif
  }

  /// Makes a closed pipe an error of `write` instead of the end of the process.
  static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Ends with exit code 70 and a word about it, should the tool itself trap.
  static func reportDefects() {
    guard environment("SWIFT_BACKTRACE") == nil else { return }
    for trap in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] {
      signal(trap, endWithDefect)
    }
  }
}

/// Calls only what a signal handler may call.
private func endWithDefect(_ signal: Int32) {
  let words: StaticString =
    "persistlint: a defect of persistlint ended the run; set SWIFT_BACKTRACE to see where\n"
  _ = systemWrite(System.standardError, words.utf8Start, words.utf8CodeUnitCount)
  _exit(70)
}

// Inside `System`, the plain names would be its own methods.
private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int
{
  read(descriptor, bytes, count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
