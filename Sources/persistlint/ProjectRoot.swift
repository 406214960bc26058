/// The folder that a run belongs to: links are followed, and files written that no argument names,
/// only inside of it.
struct ProjectRoot: Sendable {
  /// Resolved.
  let path: String

  init(path: String) { self.path = path }

  /// The folder of the configuration, else of git, else of a package or an Xcode project, else the
  /// one that is given; `folder` is resolved.
  init(around folder: String, _ configuration: Configuration) {
    let own = ProjectRoot(path: configuration.folder)
    if configuration.file != nil, own.holds(folder) || folder == own.path {
      self = own
      return
    }
    let outward = ProjectRoot.outward(from: folder)
    let isRoot: [(String) -> Bool] = [
      { System.hasEntry($0.inner(".git")) },
      { System.hasEntry($0.inner("Package.swift")) || ProjectRoot.hasXcodeProject($0) },
    ]
    for isRoot in isRoot {
      if let root = outward.first(where: isRoot) {
        self.init(path: root)
        return
      }
    }
    self.init(path: folder)
  }

  /// Whether a resolved path lies inside.
  func holds(_ path: String) -> Bool { self.path == "/" || path.hasPrefix(self.path + "/") }

  private static func outward(from folder: String) -> [String] {
    var folders = [folder]
    while let parent = parentFolder(of: folders[folders.count - 1]) { folders.append(parent) }
    return folders
  }

  private static func hasXcodeProject(_ folder: String) -> Bool {
    let entries = (try? System.entries(of: folder)) ?? []
    return entries.contains { $0.kind == .folder && $0.name.hasSuffix(".xcodeproj") }
  }
}

extension String {
  /// The path of what has this name in the folder.
  func inner(_ name: String) -> String { self == "/" ? "/" + name : self + "/" + name }
}
