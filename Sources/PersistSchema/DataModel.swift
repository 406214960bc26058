/// A Core Data model with all its versions, from an `.xcdatamodeld` or a lone `.xcdatamodel`.
package struct DataModel: Sendable {
  /// One version: an `.xcdatamodel`.
  package struct Version: Sendable {
    /// The file's name without its extension.
    package var name: String
    /// The path of its `contents`.
    package var path: String
    package var shape: SchemaShape
    /// The line at which an entity or property is declared.
    package var lines: [Subject: DataModelLine]
    /// The names of the entities in each configuration that is used with CloudKit.
    package var cloudConfigurations: [String: Set<String>] = [:]
    /// The classes of the entities, in source order.
    package var generated: [GeneratedClass] = []

    package init(
      name: String, path: String, shape: SchemaShape, lines: [Subject: DataModelLine]
    ) {
      self.name = name
      self.path = path
      self.shape = shape
      self.lines = lines
    }
  }

  /// The path of the bundle.
  package var path: String
  /// The bundle's name without its extension.
  package var name: String
  /// In the order of their names, `Model 2` before `Model 10`, the current one last.
  package var versions: [Version]
  /// The line of `.xccurrentversion` that names the current version; nil without that file.
  package private(set) var choice: DataModelLine?
  /// What can't be read, each with its path and what to do.
  package var problems: [DataModelProblem]

  /// The version that the app makes stores with.
  package var current: Version? { versions.last }
}

/// A line of a model's XML, without its indentation.
package struct DataModelLine: Hashable, Sendable {
  /// From 1.
  package var number: Int
  /// From 1.
  package var column: Int
  /// In bytes of the file.
  package var range: Range<Int>
}

extension DataModelLine {
  /// Where a text stands for the first time; nil where it doesn't.
  init?(of text: String, in bytes: [UInt8]) {
    let wanted = Array(text.utf8)
    guard let start = bytes.firstRange(of: wanted) else { return nil }
    let before = bytes[..<start.lowerBound]
    let line = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    self.init(
      number: before.count { $0 == 0x0A } + 1, column: start.lowerBound - line + 1, range: start)
  }
}

extension [UInt8] {
  fileprivate func firstRange(of wanted: [UInt8]) -> Range<Int>? {
    guard !wanted.isEmpty, count >= wanted.count else { return nil }
    return (0...count - wanted.count).first { self[$0..<$0 + wanted.count].elementsEqual(wanted) }
      .map { $0..<$0 + wanted.count }
  }
}

/// A part of a model that can't be read.
package struct DataModelProblem: Error, Hashable, Sendable {
  package var path: String
  /// From 1.
  package var line: Int
  package var message: String

  package init(path: String, line: Int = 1, message: String) {
    self.path = path
    self.line = line
    self.message = message
  }

  /// Whether only the choice of the current version is missing, which one version does without.
  var isMissingChoice: Bool { message.hasPrefix("names no current version") }
}

extension DataModel {
  /// Whether a file belongs to a Core Data model and must be handed to `models(in:)`.
  package static func wants(path: String) -> Bool {
    path.hasSuffix(".xcdatamodel/contents") || path.hasSuffix("/.xccurrentversion")
      || path.hasSuffix(".xcdatamodel/elements")
  }

  /// Reads all models among files given as paths with `/` and their bytes; sorted by path.
  package static func models(in files: [(path: String, bytes: [UInt8])]) -> [DataModel] {
    var bundles: [String: [(path: String, bytes: [UInt8])]] = [:]
    for file in files where wants(path: file.path) {
      let bundle = bundlePath(of: file.path)
      // A version inside of another one is left over from a merge, and Xcode doesn't read it.
      let depth = file.path.dropFirst(bundle.count).count { $0 == "/" }
      guard depth < 2 || depth == 2 && !file.path.hasSuffix("/.xccurrentversion") else { continue }
      bundles[bundle, default: []].append(file)
    }
    return bundles.sorted { $0.key < $1.key }.map { DataModel(path: $0.key, files: $0.value) }
  }

  private init(path: String, files: [(path: String, bytes: [UInt8])]) {
    self.path = path
    name = Self.stem(of: path)
    versions = []
    problems = []
    var chosen: String?
    let contents = Set(files.lazy.map(\.path).filter { $0.hasSuffix("/contents") })
    for file in files.sorted(by: { $0.path < $1.path }) {
      if file.path.hasSuffix("/.xccurrentversion") {
        chosen = readCurrent(file)
      } else if file.path.hasSuffix("/elements") {
        let folder = file.path.dropLast("elements".count)
        guard !contents.contains(folder + "contents") else { continue }
        problems.append(
          DataModelProblem(
            path: file.path,
            message: "a model in Xcode's old binary format is not read: open it in Xcode and save"))
      } else {
        read(file)
      }
    }
    versions.sort { Self.naturallyPrecedes($0.name, $1.name) }
    if versions.count + problems.count == 2, versions.count == 1, chosen == nil {
      problems.removeAll { $0.isMissingChoice }
    }
    guard let chosen else { return }
    guard let index = versions.firstIndex(where: { $0.name == Self.stem(of: chosen) }) else {
      if !problems.contains(where: { Self.stem(of: $0.path.dropLastPart) == Self.stem(of: chosen) })
      {
        problems.append(
          DataModelProblem(
            path: path + "/.xccurrentversion",
            message: "names `\(chosen)`, which is not in the model: choose a version in Xcode"))
      }
      return
    }
    versions.append(versions.remove(at: index))
  }

  private mutating func read(_ file: (path: String, bytes: [UInt8])) {
    switch DataModelReader.read(file.bytes, path: file.path) {
    case .success(let contents):
      var version = Version(
        name: Self.stem(of: file.path.dropLastPart), path: file.path, shape: contents.shape,
        lines: contents.lines)
      version.cloudConfigurations = contents.cloudConfigurations
      version.generated = contents.generated
      versions.append(version)
    case .failure(let problem): problems.append(problem)
    }
  }

  private mutating func readCurrent(_ file: (path: String, bytes: [UInt8])) -> String? {
    switch DataModelReader.currentVersion(file.bytes, path: file.path) {
    case .success(let name):
      choice = DataModelLine(of: name, in: file.bytes)
      return name
    case .failure(let problem):
      problems.append(problem)
      return nil
    }
  }

  private static func bundlePath(of path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    if let index = parts.lastIndex(where: { $0.hasSuffix(".xcdatamodeld") }) {
      return parts[...index].joined(separator: "/")
    }
    return path.dropLastPart
  }

  /// The last part of a path without its extension.
  static func stem(of path: String) -> String {
    let last = path.split(separator: "/").last ?? ""
    guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return String(last) }
    return String(last[..<dot])
  }

  /// The names as people order them: `V2` before `V10`.
  package static func sorted(_ names: some Sequence<String>) -> [String] {
    names.sorted { naturallyPrecedes($0, $1) }
  }

  /// Compares names as people do: runs of digits as numbers.
  package static func naturallyPrecedes(_ left: String, _ right: String) -> Bool {
    var first = Substring(left)
    var second = Substring(right)
    while let one = first.first, let other = second.first {
      if one.isWholeNumber, other.isWholeNumber {
        let number = first.prefix { $0.isWholeNumber }
        let otherNumber = second.prefix { $0.isWholeNumber }
        let value = Int(number) ?? 0
        let otherValue = Int(otherNumber) ?? 0
        if value != otherValue { return value < otherValue }
        first = first.dropFirst(number.count)
        second = second.dropFirst(otherNumber.count)
      } else if one != other {
        return one < other
      } else {
        first = first.dropFirst()
        second = second.dropFirst()
      }
    }
    return first.isEmpty && !second.isEmpty
  }
}

extension String {
  /// The path without its last part.
  fileprivate var dropLastPart: String {
    split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
  }
}
