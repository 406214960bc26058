#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One name in a folder.
struct FolderEntry {
  enum Kind { case file, folder, link, other, unknown }

  let name: String
  let kind: Kind
}

extension System {
  /// The names in a folder but for `.` and `..`, in no order; a name that isn't UTF-8 comes repaired.
  static func entries(of folder: String) throws(SystemError) -> [FolderEntry] {
    guard let stream = opendir(folder) else { throw .last }
    defer { closedir(stream) }
    var entries: [FolderEntry] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(
          to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)
        ) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      entries.append(FolderEntry(name: name, kind: kind(of: entry.pointee.d_type)))
    }
    return entries
  }

  private static func kind(of type: UInt8) -> FolderEntry.Kind {
    switch Int(type) {
    case Int(DT_REG): .file
    case Int(DT_DIR): .folder
    case Int(DT_LNK): .link
    case Int(DT_UNKNOWN): .unknown
    default: .other
    }
  }
}
