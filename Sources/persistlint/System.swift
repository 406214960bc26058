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

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .folder
    default: kind = .other
    }
    identity = Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      inode: UInt64(truncatingIfNeeded: status.st_ino))
    size = Int(status.st_size)
  }
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

  /// `NAME=VALUE` for each variable.
  static var environmentLines: [String] {
    var lines: [String] = []
    var next = environ
    while let line = next.pointee {
      lines.append(String(cString: line))
      next += 1
    }
    return lines
  }

  /// The file that this process runs.
  static var pathOfProgram: String? {
    #if canImport(Darwin)
      var size: UInt32 = 4096
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
        guard let start = buffer.baseAddress, _NSGetExecutablePath(start, &size) == 0 else {
          return nil
        }
        return String(cString: start)
      }
    #else
      return resolve("/proc/self/exe")
    #endif
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
    return FileStatus(status)
  }

  /// Whether something has this name, be it a link to nowhere.
  static func hasEntry(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Whether the path itself is a symbolic link.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
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

  /// Makes a closed pipe, and a file at its limit, errors of `write` instead of the end of the
  /// process.
  static func ignoreClosedPipes() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Keeps the numbers of closed standard streams from files that are opened later; writing to
  /// such a stream fails.
  static func occupyStandardStreams() {
    for descriptor in [standardInput, standardOutput, standardError]
    where fcntl(descriptor, F_GETFD) == -1 {
      _ = Glue.open("/dev/null", O_RDONLY)
    }
  }
}
