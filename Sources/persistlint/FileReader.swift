import PersistSyntax

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads files whole, each up to a limit; nothing else in the command opens one.
///
/// What is no regular file is refused before it is opened, so that a pipe or a device can neither
/// hold the run up nor fill its memory.
enum FileReader {
  /// The most bytes that a file of a kind may have.
  enum Limit {
    /// Sources and project files; `--max-file-size` says otherwise.
    static let source = 16 << 20
    static let configuration = 1 << 20
    static let ignoreFile = 1 << 20
    /// Lock files, baselines and lists of files.
    static let record = 64 << 20
  }

  /// All bytes of a regular file.
  static func read(_ path: String, atMost limit: Int) throws(SystemError) -> [UInt8] {
    let (descriptor, size) = try open(path, atMost: limit)
    defer { close(descriptor) }
    return try bytes(behind: descriptor, expecting: size, atMost: limit)
  }

  /// All bytes of a regular file, ready to be lexed.
  static func text(of path: String, atMost limit: Int) throws(SystemError) -> SourceText {
    let (descriptor, size) = try open(path, atMost: limit)
    defer { close(descriptor) }
    var failure: SystemError?
    let text = SourceText(capacity: size) { target in
      var count = 0
      while count < target.count {
        let got = Glue.read(descriptor, target.baseAddress?.advanced(by: count), size - count)
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

  /// The first bytes of a regular file, at most so many.
  static func beginning(of path: String, count: Int) throws(SystemError) -> [UInt8] {
    let (descriptor, _) = try open(path, atMost: Int.max)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    let got = bytes.withUnsafeMutableBytes { Glue.read(descriptor, $0.baseAddress, count) }
    guard got >= 0 else { throw .last }
    return Array(bytes.prefix(got))
  }

  /// All bytes of standard input, which may be a pipe or a terminal.
  static func standardInput(atMost limit: Int) throws(SystemError) -> [UInt8] {
    StandardInput.wasRead = true
    return try bytes(behind: System.standardInput, expecting: 0, atMost: limit)
  }

  /// The next bytes of standard input, as soon as there are some; nothing at its end.
  static func nextOfStandardInput() -> [UInt8]? {
    StandardInput.wasRead = true
    let room = 1 << 16
    while true {
      var got = 0
      let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        got = Glue.read(System.standardInput, buffer.baseAddress, room)
        count = max(0, got)
      }
      if got > 0 { return bytes }
      guard got < 0, errno == EINTR else { return nil }
    }
  }

  /// All bytes of what the command line names, which may be a pipe.
  static func argument(_ path: String, atMost limit: Int) throws(SystemError) -> [UInt8] {
    let descriptor = Glue.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    return try bytes(behind: descriptor, expecting: 0, atMost: limit)
  }

  /// All bytes up to the end of a descriptor; `expecting` so many saves room and calls.
  static func bytes(
    behind descriptor: Int32, expecting size: Int, atMost limit: Int
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var room = max(size, 0) + 1
    var failure: SystemError?
    var isAtEnd = false
    while !isAtEnd, failure == nil {
      bytes += [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        while count < room {
          let got = Glue.read(descriptor, buffer.baseAddress?.advanced(by: count), room - count)
          if got < 0, errno == EINTR { continue }
          if got < 0 { failure = .last }
          if got <= 0 {
            isAtEnd = true
            break
          }
          count += got
        }
      }
      guard bytes.count <= limit else { throw tooLarge(limit) }
      room = min(max(1 << 16, bytes.count), limit - bytes.count + 1)
    }
    if let failure { throw failure }
    return bytes
  }

  /// The status is asked first, because to open a device may do something.
  fileprivate static func open(
    _ path: String, atMost limit: Int
  ) throws(SystemError) -> (descriptor: Int32, size: Int) {
    guard try System.status(of: path).kind == .file else { throw SystemError.noFile }
    let descriptor = Glue.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw .last }
    do throws(SystemError) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw SystemError.last }
      guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError.noFile }
      let size = Int(status.st_size)
      guard size <= limit else { throw tooLarge(limit) }
      return (descriptor, size)
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func tooLarge(_ limit: Int) -> SystemError {
    SystemError(reason: "larger than \(limit >> 20) MB")
  }
}

/// A regular file of any size that is read piece by piece, and closed when nothing needs it.
final class FileInPieces {
  /// In bytes.
  let size: Int
  private let descriptor: Int32

  init(_ path: String) throws(SystemError) {
    (descriptor, size) = try FileReader.open(path, atMost: Int.max)
  }

  deinit { close(descriptor) }

  /// The bytes from an offset on, fewer than asked for at the end of the file.
  func read(at offset: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = pread(
          descriptor, buffer.baseAddress?.advanced(by: filled), count - filled,
          off_t(offset + filled))
        if got < 0, errno == EINTR { continue }
        if got <= 0 { break }
        filled += got
      }
    }
  }
}

/// Whether standard input has been read, which can be done only once where it is a pipe.
enum StandardInput {
  nonisolated(unsafe) static var wasRead = false
}

extension SystemError {
  /// What a pipe, a device or a folder is told where a file is needed.
  static let noFile = SystemError(reason: "not a regular file")
}

/// The calls of the system whose names the types that make them use too.
enum Glue {
  static func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
    #if canImport(Darwin)
      Darwin.open(path, flags, mode)
    #elseif canImport(Glibc)
      Glibc.open(path, flags, mode)
    #elseif canImport(Musl)
      Musl.open(path, flags, mode)
    #endif
  }

  static func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
      Darwin.read(descriptor, bytes, count)
    #elseif canImport(Glibc)
      Glibc.read(descriptor, bytes, count)
    #elseif canImport(Musl)
      Musl.read(descriptor, bytes, count)
    #endif
  }

  /// Writes what it can to standard error, as a handler of signals may.
  static func writeFromHandler(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    #if canImport(Darwin)
      _ = Darwin.write(System.standardError, bytes, count)
    #elseif canImport(Glibc)
      _ = Glibc.write(System.standardError, bytes, count)
    #elseif canImport(Musl)
      _ = Musl.write(System.standardError, bytes, count)
    #endif
  }

  /// Writes all bytes; a reader that went away (a closed pipe) is no error.
  static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { bytes in
        #if canImport(Darwin)
          Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Glibc)
          Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
          Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
      }
      if written < 0, errno == EINTR { continue }
      if written < 0, errno == EPIPE { return }
      guard written > 0 else { throw .last }
      rest = rest.dropFirst(written)
    }
  }
}
