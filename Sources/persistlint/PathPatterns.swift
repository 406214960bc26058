/// Patterns for paths in the manner of a `.gitignore`: the last one that fits decides.
struct PathPatterns: Sendable {
  private struct Line: Sendable {
    let glob: Glob
    let isException: Bool
    let isForFolders: Bool
    /// What a last name must begin and end with, so that most lines need no closer look.
    let first: UInt8?
    let last: UInt8?

    init(glob: Glob, isException: Bool, isForFolders: Bool) {
      self.glob = glob
      self.isException = isException
      self.isForFolders = isForFolders
      (first, last) = glob.outerBytes
    }

    func mayFit(_ name: ArraySlice<UInt8>) -> Bool {
      (first == nil || first == name.first) && (last == nil || last == name.last)
    }
  }

  /// The path of the folder that the patterns are relative to, with a slash at the end.
  private let base: String
  private let baseBytes: [UInt8]
  private let lines: [Line]

  init(_ patterns: [String], in folder: String) {
    base = folder.hasSuffix("/") ? folder : folder + "/"
    baseBytes = Array(base.utf8)
    lines = patterns.compactMap { PathPatterns.line($0[...]) }
  }

  /// Whether the path is meant, or excepted by `!`; nil when no pattern fits.
  func verdict(on path: String, isFolder: Bool) -> Bool? {
    let bytes = Array(path.utf8)
    guard bytes.starts(with: baseBytes) else { return nil }
    let slash = bytes.lastIndex(of: UInt8(ascii: "/")) ?? -1
    let lastName = bytes[max(slash + 1, baseBytes.count)...]
    if lastName.isEmpty { return nil }
    var names: [Glob.Name]?
    for index in lines.indices.reversed()
    where (isFolder || !lines[index].isForFolders) && lines[index].mayFit(lastName) {
      let line = lines[index]
      let isMatch: Bool
      if line.glob.isForLastName {
        isMatch = line.glob.matches(lastName: lastName)
      } else {
        let known = names ?? Glob.names(of: path.dropFirst(base.count))
        names = known
        isMatch = line.glob.matches(known)
      }
      if isMatch { return !line.isException }
    }
    return nil
  }

  /// Whether the file is meant, or a folder in which it lies.
  func coversFile(_ path: String) -> Bool {
    guard path.hasPrefix(base) else { return false }
    let names = path.dropFirst(base.count).split(separator: "/")
    for count in names.indices {
      let outer = base + names[...count].joined(separator: "/")
      if verdict(on: outer, isFolder: count < names.count - 1) == true { return true }
    }
    return false
  }

  private static func line(_ text: Substring) -> Line? {
    var text = text
    while text.last == " " || text.last == "\t" {
      if text.dropLast().last == "\\" { break }
      text.removeLast()
    }
    guard let first = text.first, first != "#" else { return nil }
    let isException = first == "!"
    if isException { text.removeFirst() }
    let isForFolders = text.last == "/"
    if isForFolders { text.removeLast() }
    guard !text.isEmpty else { return nil }
    // A slash before the end ties the pattern to the folder; without one any depth will do.
    let pattern = text.contains("/") ? String(text) : "**/\(text)"
    return Line(glob: Glob(pattern), isException: isException, isForFolders: isForFolders)
  }
}

/// The ignore files of git that hold in a folder, the outermost first.
struct GitIgnore: Sendable {
  private var files: [PathPatterns] = []
  /// The files that are there and can't be read, and why.
  private(set) var failures: [UnreadableFile] = []

  /// Those that hold because of the repository around the folder, without the folder's own.
  static func above(_ folder: String) -> GitIgnore {
    var outward: [String] = []
    var current = folder
    while (try? System.status(of: current + "/.git")) == nil {
      guard let parent = parentFolder(of: current) else { return GitIgnore() }
      outward.append(parent)
      current = parent
    }
    var ignore = GitIgnore()
    ignore.add(current + "/.git/info/exclude", in: current)
    for folder in outward.reversed() { ignore.add(folder + "/.gitignore", in: folder) }
    return ignore
  }

  /// Adds the patterns of a file, if there is one.
  mutating func add(_ file: String, in folder: String) {
    guard System.hasEntry(file) else { return }
    let bytes: [UInt8]
    do {
      bytes = try FileReader.read(file, atMost: FileReader.Limit.ignoreFile)
    } catch {
      return failures.append(UnreadableFile(path: file, reason: error.reason))
    }
    let text = String(decoding: bytes, as: UTF8.self)
    files.append(PathPatterns(text.split(whereSeparator: \.isNewline).map(String.init), in: folder))
  }

  /// Whether the innermost file that has a say ignores the path.
  func ignores(_ path: String, isFolder: Bool) -> Bool {
    for file in files.reversed() {
      if let verdict = file.verdict(on: path, isFolder: isFolder) { return verdict }
    }
    return false
  }
}

/// The folder in which a resolved path lies; nothing for the root of all.
func parentFolder(of path: String) -> String? {
  guard path != "/", let slash = path.lastIndex(of: "/") else { return nil }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}
