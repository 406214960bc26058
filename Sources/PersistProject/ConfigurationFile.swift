/// Reads `.xcconfig` files, with those that they include.
struct ConfigurationFile {
  private static let maximumFiles = 32

  private let files: ProjectFiles
  private var values: [String: String] = [:]
  private var opened: Set<String> = []

  /// The settings of a file and of what it includes; none where it isn't there.
  static func settings(at path: String, in files: ProjectFiles) -> BuildSettings {
    files.settings(ofFileAt: path) {
      var reader = ConfigurationFile(files: files)
      reader.read(path)
      return .values(reader.values)
    }
  }

  private init(files: ProjectFiles) { self.files = files }

  private mutating func read(_ path: String) {
    guard let file = files[path], opened.count < Self.maximumFiles,
      opened.insert(path).inserted
    else { return }
    let text = String(decoding: file.bytes(), as: UTF8.self)
    for line in text.split(whereSeparator: \.isNewline) {
      let line = String(line).trimmed
      if line.hasPrefix("#include") {
        include(line, from: path)
      } else if !line.hasPrefix("//"), let equals = line.firstIndex(of: "=") {
        assign(line, at: equals)
      }
    }
  }

  private mutating func include(_ line: String, from path: String) {
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    guard parts.count > 1, let target = Path.join(Path.folder(of: path), parts[1]) else { return }
    read(files[target] == nil && !target.hasSuffix(".xcconfig") ? target + ".xcconfig" : target)
  }

  private mutating func assign(_ line: String, at equals: String.Index) {
    var equals = equals
    // The sign in `KEY[sdk=iphoneos*] = value` belongs to the condition.
    if line[..<equals].contains("["), let close = line.firstIndex(of: "]"),
      let next = line[close...].firstIndex(of: "=")
    {
      equals = next
    }
    let key = String(line[..<equals]).trimmed
    let value = String(line[line.index(after: equals)...].split(separator: "//").first ?? "")
      .trimmed
    // A value under a condition counts like one without.
    let plain = String(key.prefix { $0 != "[" })
    values[plain] = value.contains("inherited") ? value.inheriting(values[plain] ?? "") : value
  }
}

/// The files beside the sources by their paths, with what was read of the configuration files.
final class ProjectFiles {
  private let byPath: [String: ProjectFile]
  private var settings: [String: BuildSettings] = [:]

  init(_ files: [ProjectFile]) {
    byPath = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
  }

  subscript(_ path: String) -> ProjectFile? { byPath[path] }

  /// The settings of a configuration file, read once.
  fileprivate func settings(ofFileAt path: String, read: () -> BuildSettings) -> BuildSettings {
    if let known = settings[path] { return known }
    let made = read()
    settings[path] = made
    return made
  }
}

/// A file that stands beside the sources and says something of the project.
package struct ProjectFile: Sendable {
  /// What a file tells, known from its name.
  package enum Kind: Sendable, Equatable {
    case xcodeProject, configuration, description, entitlements
  }

  package let path: String
  package let kind: Kind
  /// Reads the file's bytes.
  package let bytes: @Sendable () -> [UInt8]

  /// Nothing where the name says that the file tells nothing of the project.
  package init?(path: String, bytes: @escaping @Sendable () -> [UInt8]) {
    guard let kind = Self.kind(ofFileAt: path) else { return nil }
    self.path = path
    self.kind = kind
    self.bytes = bytes
  }

  /// Whether the file has a word, which is in lower case; the file's may be in any.
  package func mentions(_ word: StaticString) -> Bool {
    let length = word.utf8CodeUnitCount
    return bytes().withUnsafeBufferPointer { bytes in
      guard length > 0, bytes.count >= length else { return false }
      let first = word.utf8Start[0]
      for start in 0...bytes.count - length where bytes[start] | 0x20 == first {
        var matched = 1
        while matched < length, bytes[start + matched] | 0x20 == word.utf8Start[matched] {
          matched += 1
        }
        if matched == length { return true }
      }
      return false
    }
  }

  /// What a file tells of the project; nil for all others.
  package static func kind(ofFileAt path: String) -> Kind? {
    if path.hasSuffix(".xcodeproj/project.pbxproj") { return .xcodeProject }
    if path.hasSuffix(".xcconfig") { return .configuration }
    if path.hasSuffix(".entitlements") { return .entitlements }
    let name = path.split(separator: "/").last ?? ""
    return name == "project.yml" || name == "project.yaml" ? .description : nil
  }
}
