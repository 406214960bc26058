import PersistStore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A store file that is open for reading, and its log.
struct StoreInput {
  let path: String
  let file: StoreFile
  /// The path of the `-wal` file, when there is one.
  let logPath: String?

  /// Opens a store read only, so that no file is made or changed beside it.
  init(_ path: String) throws(CommandError) {
    guard let bytes = try Self.open(path) else { throw .refusal("\(path): no such file") }
    let log = try Self.open(path + "-wal")
    self.path = path
    logPath = log.map { _ in path + "-wal" }
    do throws(SQLiteFile.Failure) {
      file = try StoreFile(bytes, log: log)
    } catch {
      throw .refusal("\(path): \(error.words)")
    }
  }

  /// Nothing when there is no such file.
  private static func open(_ path: String) throws(CommandError) -> StoreBytes? {
    do throws(SystemError) {
      let handle = try FileHandle(path)
      return StoreBytes(size: handle.size) { handle.read(at: $0, count: $1) }
    } catch {
      if errno == ENOENT { return nil }
      throw .refusal("\(path): \(error.reason)")
    }
  }

  /// An open file, closed when nothing reads it any more.
  private final class FileHandle {
    let size: Int
    private let descriptor: Int32

    init(_ path: String) throws(SystemError) {
      // A pipe must not keep the program waiting.
      let descriptor = systemOpen(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard descriptor >= 0 else { throw .last }
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        close(descriptor)
        throw SystemError(reason: "not a file")
      }
      self.descriptor = descriptor
      size = Int(status.st_size)
    }

    deinit { close(descriptor) }

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
}

private func systemOpen(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }

extension SQLiteFile.Failure {
  /// Why the file can't be read, and what to do.
  fileprivate var words: String {
    switch self {
    case .empty: "the file is empty: nothing was ever written into this store"
    case .notADatabase:
      "no SQLite database; if it is encrypted, decrypt a copy first, and name that"
    case .realm:
      "a Realm file, whose format can't be read here; open it with Realm Studio"
    case .damaged(let what): "damaged: \(what); take the file again from the device"
    }
  }
}
