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

/// Which state of a file was read: another one has another stamp.
struct FileStamp: Equatable {
  private let identity: FileStatus.Identity
  private let size: Int
  /// In nanoseconds since 1970: when its bytes changed, and when anything about it did.
  private let changes: [Int]
  /// Whether nothing about the file had changed for so long that a change since would show.
  let isSettled: Bool

  /// Nothing when there is no such file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let found = FileStatus(status)
    identity = found.identity
    size = found.size
    #if canImport(Darwin)
      let times = [status.st_mtimespec, status.st_ctimespec]
    #else
      let times = [status.st_mtim, status.st_ctim]
    #endif
    changes = times.map { Int($0.tv_sec) &* 1_000_000_000 &+ Int($0.tv_nsec) }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let settled = Int(now.tv_sec) &* 1_000_000_000 &+ Int(now.tv_nsec) - 2_000_000_000
    isSettled = changes.allSatisfy { $0 < settled }
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

  /// Whether the other end of a pipe or socket is closed.
  static func hasNoReader(_ descriptor: Int32) -> Bool {
    var state = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&state, 1, 0) > 0 && Int32(state.revents) & (POLLERR | POLLHUP) != 0
  }

  /// Makes a folder the current one; false where it can't be entered.
  static func enter(_ folder: String) -> Bool { chdir(folder) == 0 }

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
