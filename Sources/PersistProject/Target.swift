/// One target of a project: what it builds, of which files, and with which settings.
package struct Target: Sendable, Equatable {
  /// What a target is built for.
  package enum Kind: Sendable, Equatable {
    case app, watchApp, appExtension, tool, library, test, unknown

    /// Whether the product is a process of its own.
    package var isProcess: Bool {
      switch self {
      case .app, .watchApp, .appExtension, .tool: true
      case .library, .test, .unknown: false
      }
    }
  }

  /// Where code runs that says nothing of it.
  package enum DefaultIsolation: Sendable, Equatable {
    case mainActor, nonisolated
    /// The configurations disagree.
    case unknown
  }

  package var name: String
  package var kind: Kind
  package var members = TargetFiles()
  /// The platforms it is built for; nil where nothing says it.
  package var platforms: Set<Platform>?
  package var isolation = DefaultIsolation.nonisolated
  /// The major version of the Swift language; nil where nothing says it or the configurations
  /// disagree.
  package var languageMode: Int?
  /// Whether an asynchronous function without isolation runs on its caller's actor; nil where the
  /// configurations disagree.
  package var staysWithCaller: Bool? = false
  /// What the target is allowed to do; nil where the project names no file for it.
  package var entitlements: Entitlements?
  /// The names of the targets and products that it links or holds.
  package var dependencies: Set<String> = []
  /// Whether others than the targets beside it may link it; false where a package offers others.
  package var isOffered = true
  /// The folder that the project describes, with `/` at its end; "" for the root.
  package var root = ""

  package init(name: String, kind: Kind, root: String = "") {
    self.name = name
    self.kind = kind
    self.root = root
  }
}

/// A platform that a project is built for.
package enum Platform: String, Sendable, Hashable, CaseIterable, Comparable {
  case iOS, macOS, watchOS, tvOS, visionOS
  /// iOS code in an app for the Mac.
  case macCatalyst

  /// The platform of a name: one of Xcode's SDKs, of a package's or a generator's platforms.
  package init?(named name: some StringProtocol) {
    switch name.lowercased() {
    case "iphoneos", "iphonesimulator", "ios", "iphone", "ipad": self = .iOS
    case "macosx", "macos", "mac", "osx": self = .macOS
    case "watchos", "watchsimulator", "applewatch": self = .watchOS
    case "appletvos", "appletvsimulator", "tvos", "appletv": self = .tvOS
    case "xros", "xrsimulator", "visionos", "applevision": self = .visionOS
    case "maccatalyst": self = .macCatalyst
    default: return nil
    }
  }

  /// What `os(…)` calls the platform.
  package var conditionName: String { self == .macCatalyst ? "iOS" : rawValue }

  package static func < (left: Platform, right: Platform) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// Which files belong to a target.
package struct TargetFiles: Sendable, Equatable {
  /// A folder of which all files belong to the target, but some.
  package struct Folder: Sendable, Equatable {
    /// With `/` at its end; "" for the root.
    package var path: String
    /// Files and folders that don't belong to the target.
    package var excluded: Set<String> = []
    /// Patterns of files that don't.
    package var excludedPatterns: [PathPattern] = []
    /// Patterns of files of which one must hold; empty for all files.
    package var patterns: [PathPattern] = []

    package init(
      path: String, excluded: Set<String> = [], excludedPatterns: [PathPattern] = [],
      patterns: [PathPattern] = []
    ) {
      self.path = path
      self.excluded = excluded
      self.excludedPatterns = excludedPatterns
      self.patterns = patterns
    }
  }

  package var files: Set<String> = []
  package var folders: [Folder] = []

  package init(files: Set<String> = [], folders: [Folder] = []) {
    self.files = files
    self.folders = folders
  }

  package var isEmpty: Bool { files.isEmpty && folders.isEmpty }

  /// Whether a file belongs to the target.
  package func holds(_ path: String) -> Bool {
    files.contains(path) || folders.contains { $0.holds(path) }
  }
}

extension TargetFiles.Folder {
  fileprivate func holds(_ file: String) -> Bool {
    guard file.hasPrefix(path), !excludes(file) else { return false }
    return patterns.isEmpty || patterns.contains { $0.matches(file) }
  }

  private func excludes(_ file: String) -> Bool {
    if !excludedPatterns.isEmpty, excludedPatterns.contains(where: { $0.matches(file) }) {
      return true
    }
    guard !excluded.isEmpty else { return false }
    var part = file[...]
    while part.utf8.count > path.utf8.count {
      if excluded.contains(String(part)) { return true }
      guard let slash = part.lastIndex(of: "/") else { return false }
      part = part[..<slash]
    }
    return false
  }
}
