#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes files so that a reader, or whoever comes after a power cut, sees the old one or the new
/// one whole; nothing else in the command opens a file to write.
enum FileWriter {
  /// Puts the bytes in the place of the file; where `old` is given, only if the file still holds
  /// these bytes.
  static func write(
    _ bytes: [UInt8], to path: String, replacing old: [UInt8]? = nil
  ) throws(SystemError) {
    let target = System.resolve(path) ?? path
    var status = stat()
    let isThere = stat(target, &status) == 0
    if isThere, FileStatus(status).kind == .other {
      let descriptor = Glue.open(target, O_WRONLY | O_CLOEXEC | O_NOCTTY)
      guard descriptor >= 0 else { throw .last }
      defer { close(descriptor) }
      return try Glue.write(bytes, to: descriptor)
    }
    if isThere, status.st_nlink > 1 {
      return try writeInPlace(bytes, to: target, replacing: old)
    }
    let draft = try Drafts.make(besides: target)
    do throws(SystemError) {
      defer { close(draft.descriptor) }
      if isThere { try keep(status, on: draft.descriptor) }
      try Glue.write(bytes, to: draft.descriptor)
      guard fsync(draft.descriptor) == 0 else { throw SystemError.last }
    } catch {
      Drafts.remove()
      throw error
    }
    if let old {
      try exchange(draft.path, with: target, holding: old)
    } else {
      try putInPlace(draft.path, target)
    }
  }

  /// Adds to the end of a file.
  static func append(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let descriptor = Glue.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o666)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    try Glue.write(bytes, to: descriptor)
  }

  /// Makes a folder; one that is there already is fine.
  static func makeFolder(_ path: String) throws(SystemError) {
    if mkdir(path, 0o777) != 0, errno != EEXIST { throw .last }
  }

  /// The owner stays, and the mode but for the bits that lend the owner's rights to others.
  private static func keep(_ status: stat, on descriptor: Int32) throws(SystemError) {
    var own = stat()
    guard fstat(descriptor, &own) == 0 else { throw .last }
    if own.st_uid != status.st_uid || own.st_gid != status.st_gid,
      fchown(descriptor, status.st_uid, status.st_gid) != 0
    {
      // Whoever may write to a file isn't always allowed to give one away.
      guard own.st_uid == status.st_uid else {
        throw SystemError(reason: "it belongs to another user, who would lose it")
      }
    }
    guard fchmod(descriptor, status.st_mode & 0o1777) == 0 else { throw .last }
  }

  private static func putInPlace(_ draft: String, _ target: String) throws(SystemError) {
    guard rename(draft, target) == 0 else {
      let error = SystemError.last
      Drafts.remove()
      throw error
    }
    Drafts.forget()
  }

  /// Puts a draft in place unless the file was edited meanwhile; what is written to the old file
  /// while the names change hands is put back.
  private static func exchange(
    _ draft: String, with target: String, holding old: [UInt8]
  ) throws(SystemError) {
    let descriptor = Glue.open(target, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0, let now = contents(of: descriptor), now == old else {
      if descriptor >= 0 { close(descriptor) }
      Drafts.remove()
      throw .edited
    }
    defer { close(descriptor) }
    try putInPlace(draft, target)
    guard let after = contents(of: descriptor), after != old else { return }
    try write(after, to: target)
    throw .edited
  }

  /// All bytes of an open file from its beginning.
  private static func contents(of descriptor: Int32) -> [UInt8]? {
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { return nil }
    return try? FileReader.bytes(behind: descriptor, expecting: 0, atMost: Int.max - 1)
  }

  /// For a file with several names, which a new file would part.
  private static func writeInPlace(
    _ bytes: [UInt8], to path: String, replacing old: [UInt8]?
  ) throws(SystemError) {
    let descriptor = Glue.open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    if let old, contents(of: descriptor) != old { throw .edited }
    guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .last }
    try Glue.write(bytes, to: descriptor)
    guard ftruncate(descriptor, off_t(bytes.count)) == 0, fsync(descriptor) == 0 else {
      throw .last
    }
  }
}

extension SystemError {
  /// Somebody else wrote to the file since it was read.
  static let edited = SystemError(reason: "it was edited meanwhile, and stays as it is")
}

/// Files under a name of their own until they are whole; at most one at a time.
enum Drafts {
  /// The path of the draft that is there, for the handler of signals.
  nonisolated(unsafe) private static let current = {
    let pointer = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: 1)
    pointer.initialize(to: nil)
    return pointer
  }()

  /// A new empty file in the folder of the other; the name is one that no other run takes.
  static func make(besides path: String) throws(SystemError) -> (path: String, descriptor: Int32) {
    let folder = parentFolder(of: path) ?? (path.contains("/") ? "/" : ".")
    for _ in 0..<100 {
      let number = UInt64.random(in: 0...UInt64.max)
      let draft = folder.inner(".persistlint-\(String(number, radix: 36)).tmp")
      current.pointee = strdup(draft)
      let descriptor = Glue.open(
        draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
      if descriptor >= 0 { return (draft, descriptor) }
      let isTaken = errno == EEXIST
      let error = SystemError.last
      forget()
      guard isTaken else { throw error }
    }
    throw SystemError(reason: "no name is free for a draft")
  }

  /// Deletes the draft.
  static func remove() {
    if let path = current.pointee { unlink(path) }
    forget()
  }

  /// The draft has become a file.
  static func forget() {
    let path = current.pointee
    current.pointee = nil
    free(path)
  }

  private static let stops = [SIGINT, SIGTERM, SIGHUP]

  /// Has this thread, and those that it starts, leave it to others to be stopped, and returns the
  /// signals that were blocked before. A handler on another thread than the writer's could come
  /// just before a draft is made, which would stay.
  static func blockStops() -> sigset_t {
    var (before, signals) = (sigset_t(), sigset_t())
    sigemptyset(&signals)
    for stop in stops { sigaddset(&signals, stop) }
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    return before
  }

  /// Blocks these signals on this thread, and no others.
  static func restore(_ mask: sigset_t) {
    var mask = mask
    pthread_sigmask(SIG_SETMASK, &mask, nil)
  }

  /// Leaves no draft behind when the run is stopped from outside.
  static func removeWhenStopped() {
    _ = current
    for stop in stops {
      // Whoever started the run may have it ignore the signal.
      let before = signal(stop, removeDraftAndStop)
      if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        signal(stop, SIG_IGN)
      }
    }
  }

  /// Deletes the draft by calls that a handler of signals may make.
  fileprivate static func removeFromHandler() {
    if let path = current.pointee { unlink(path) }
  }
}

private func removeDraftAndStop(_ stop: Int32) {
  Drafts.removeFromHandler()
  signal(stop, SIG_DFL)
  raise(stop)
}
