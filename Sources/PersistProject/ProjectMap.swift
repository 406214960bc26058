/// The targets of all projects, and which files belong to which.
package struct ProjectMap: Sendable {
  package let targets: [Target]
  /// The folders with projects of which all targets are known, and those with others.
  private let roots: [String]
  private let unreadRoots: [String]
  /// The targets that name a file, by the file's path.
  private let targetsByFile: [String: [Int]]
  private let targetsByFolder: [Int]
  /// The folders of the files that targets name.
  private let namedFolders: Set<String>
  /// The entitlements of files that no target names, by their folders.
  private let looseEntitlements: [(folder: String, entitlements: Entitlements)]
  private let processesOfTarget: [Set<Int>]
  private let testTargets: Set<Int>
  /// The projects of Xcode, and the folders around them.
  private let projects: [(folder: String, file: ProjectFile)]

  /// Reads the projects that some files describe, and takes what was read of manifests.
  package init(_ files: [ProjectFile] = [], manifests: Manifests = Manifests()) {
    let byPath = ProjectFiles(files)
    var targets: [Target] = []
    var unread = Set(manifests.unreadRoots)
    for file in files where file.kind == .xcodeProject {
      if let found = XcodeProject(file, files: byPath)?.targets() {
        targets += found
      } else {
        unread.insert(XcodeProject.folder(of: file.path))
      }
    }
    let written = Set(targets.map { $0.root + "\n" + $0.name })
    for file in files where file.kind == .description {
      let found = GeneratedProject.targets(of: file, files: byPath)
      if found == nil { unread.insert(Path.folder(of: file.path)) }
      // What a generator has written says the same once more.
      targets += (found ?? []).filter { !written.contains($0.root + "\n" + $0.name) }
    }
    targets += manifests.targets(with: byPath).filter {
      !written.contains($0.root + "\n" + $0.name)
    }
    self.targets = targets
    var byFile: [String: [Int]] = [:]
    for (index, target) in targets.enumerated() {
      for file in target.members.files { byFile[file.lowercased(), default: []].append(index) }
    }
    targetsByFile = byFile
    namedFolders = Set(targets.flatMap { $0.members.files.map { Path.folder(of: $0) } })
    targetsByFolder = targets.indices.filter { !targets[$0].members.folders.isEmpty }
    roots = Set(targets.filter { !$0.members.isEmpty }.map(\.root)).subtracting(unread).sorted()
    unreadRoots = unread.sorted()
    looseEntitlements = files.filter { $0.kind == .entitlements }.sorted { $0.path < $1.path }
      .map { (Path.folder(of: $0.path), Entitlements($0.bytes())) }
    processesOfTarget = Self.processes(of: targets)
    testTargets = Self.linkedByTestsOnly(targets)
    projects = files.filter { $0.kind == .xcodeProject }
      .map { (XcodeProject.folder(of: $0.path), $0) }
  }

  package var isEmpty: Bool { targets.isEmpty }

  /// Whether there is a file with entitlements.
  package var knowsEntitlements: Bool {
    !looseEntitlements.isEmpty || targets.contains { $0.entitlements != nil }
  }

  /// Whether some entitlements name an app group.
  package var namesAppGroup: Bool {
    looseEntitlements.contains(where: \.entitlements.namesAppGroup)
      || targets.contains { $0.entitlements?.namesAppGroup ?? false }
  }

  /// The targets that a file belongs to, in the order of the projects.
  package func targets(of path: String) -> [Int] {
    let named = targetsByFile[path.lowercased()] ?? []
    let held = targetsByFolder.filter { index in
      !named.contains(index) && targets[index].members.holds(path)
    }
    return (named + held).sorted()
  }

  /// Whether a file lies in the folder of a project but in no target of it, and not beside files that
  /// a target names: it may have been forgotten there.
  package func isOutsideOfTargets(_ path: String) -> Bool {
    !namedFolders.contains(Path.folder(of: path)) && isUnnamed(path)
  }

  /// Whether a file lies in the folder of a project, of which all targets are known, but in none.
  package func isUnnamed(_ path: String) -> Bool {
    roots.contains { path.hasPrefix($0) } && !unreadRoots.contains { path.hasPrefix($0) }
      && targets(of: path).isEmpty
  }

  /// Whether a file is in no target, as far as the projects around it are known.
  package func isInNoTarget(_ path: String) -> Bool {
    !unreadRoots.contains { path.hasPrefix($0) } && targets(of: path).isEmpty
  }

  /// Whether a file belongs to a target that ships, of the project of Xcode nearest to another file.
  package func isBuilt(_ path: String, beside other: String) -> Bool {
    guard let project = nearestProject(to: other) else { return false }
    return targets(of: path).contains { targets[$0].kind != .test && targets[$0].root == project }
  }

  /// Whether a file belongs to targets of tests alone.
  package func isOfTestsOnly(_ path: String) -> Bool {
    let own = targets(of: path)
    return !own.isEmpty && own.allSatisfy { targets[$0].kind == .test }
  }

  /// Whether a file belongs to libraries that only tests link; a target of tests alone says
  /// nothing, because the target of the app beside it may not be known.
  package func isOfTestSupport(_ path: String) -> Bool {
    guard !testTargets.isEmpty, !unreadRoots.contains(where: path.hasPrefix) else { return false }
    let own = targets(of: path)
    return own.contains { targets[$0].kind == .library } && own.allSatisfy(testTargets.contains)
  }

  /// The targets with a process of their own that run the code of a target: itself, or those that
  /// link it.
  package func processes(of target: Int) -> Set<Int> {
    targets.indices.contains(target) ? processesOfTarget[target] : []
  }

  // MARK: Settings

  /// Where the code of a file runs that says nothing of it; nil for a file in no target.
  package func isolation(of path: String) -> Target.DefaultIsolation? {
    let found = targets(of: path).map { targets[$0].isolation }
    guard let first = found.first else {
      let isNear = targets.contains {
        path.hasPrefix($0.root) && $0.isolation != .nonisolated
      }
      return isNear ? .unknown : nil
    }
    return found.allSatisfy { $0 == first } ? first : .unknown
  }

  /// The version of the language for a file; nil where nothing says it or its targets disagree.
  package func languageMode(of path: String) -> Int? {
    let found = Set(targets(of: path).map { targets[$0].languageMode })
    return found.count == 1 ? found.first ?? nil : nil
  }

  /// Whether an asynchronous function without isolation runs on its caller's actor; nil where the
  /// targets of the file disagree.
  package func staysWithCaller(_ path: String) -> Bool? {
    let found = Set(targets(of: path).map { targets[$0].staysWithCaller })
    guard let first = found.first else { return false }
    return found.count == 1 ? first : nil
  }

  /// The platforms that a file is built for; nil where nothing says it.
  package func platforms(of path: String) -> Set<Platform>? {
    let known = targets(of: path).filter { targets[$0].kind != .test }.map { index in
      targets[index].platforms ?? platformsOfProcesses(of: index)
    }
    guard !known.isEmpty, known.allSatisfy({ $0 != nil }) else { return nil }
    return known.compactMap { $0 }.reduce([]) { $0.union($1) }
  }

  /// The folder of the nearest project of Xcode around a file that no target holds.
  package func projectFolder(around path: String) -> String? {
    targets(of: path).isEmpty ? nearestProject(to: path) : nil
  }

  private func nearestProject(to path: String) -> String? {
    projects.map(\.folder).filter { path.hasPrefix($0) }.max { $0.utf8.count < $1.utf8.count }
  }

  /// The platforms that the projects of Xcode in a folder are built for, whatever targets they have;
  /// nil where nothing says it.
  package func platforms(ofProjectsIn folder: String) -> Set<Platform>? {
    let found = projects.filter { $0.folder == folder }
      .compactMap { XcodeProject.platforms(of: $0.file) }
    return found.isEmpty ? nil : found.reduce([]) { $0.union($1) }
  }

  private func platformsOfProcesses(of target: Int) -> Set<Platform>? {
    let all = processesOfTarget[target].map { targets[$0].platforms }
    guard !all.isEmpty, all.allSatisfy({ $0 != nil }) else { return nil }
    return all.compactMap { $0 }.reduce([]) { $0.union($1) }
  }

  // MARK: Entitlements

  /// What the processes that run a file's code may do, each one's for itself.
  package func entitlements(of path: String) -> [Entitlements] {
    let own = targets(of: path).filter { targets[$0].kind != .test }
    let processes = Set(own.flatMap { processesOfTarget[$0] }).sorted()
    let known = processes.compactMap { targets[$0].entitlements }
    if !processes.isEmpty, known.count == processes.count { return known }
    return known + nearestEntitlements(to: path)
  }

  /// Whether a process that runs a file's code may sync with CloudKit; where its target names no
  /// entitlements, those of the same project count, and those of no project.
  package func mayLetSync(_ path: String) -> Bool {
    let own = targets(of: path).filter { targets[$0].kind != .test }
    let processes = Set(own.flatMap { processesOfTarget[$0] })
    let known = processes.compactMap { targets[$0].entitlements }
    if !processes.isEmpty, known.count == processes.count {
      return known.contains(where: \.letsSyncWithCloudKit)
    }
    let home = nearestProject(to: path)
    return looseEntitlements.contains { loose in
      loose.entitlements.letsSyncWithCloudKit
        && (home == nil || nearestProject(to: loose.folder).map { $0 == home } ?? true)
    }
  }

  /// The entitlements in the nearest folder above a file that has some.
  private func nearestEntitlements(to path: String) -> [Entitlements] {
    let path = path.hasPrefix("/") ? path.dropFirst() : path[...]
    let above = looseEntitlements.filter { path.hasPrefix($0.folder) }
    guard let nearest = above.map(\.folder).max(by: { $0.utf8.count < $1.utf8.count }) else {
      return []
    }
    return above.filter { $0.folder == nearest }.map(\.entitlements)
  }

  // MARK: Processes

  /// The targets of tests, and the libraries that nothing else links and no package offers.
  private static func linkedByTestsOnly(_ targets: [Target]) -> Set<Int> {
    var users: [String: [Int]] = [:]
    for (index, target) in targets.enumerated() {
      for name in target.dependencies { users[name, default: []].append(index) }
    }
    var found = Set(targets.indices.filter { targets[$0].kind == .test })
    var count = 0
    while count < found.count {
      count = found.count
      for (index, target) in targets.enumerated() where target.kind == .library {
        guard !target.isOffered, let users = users[target.name] else { continue }
        if users.allSatisfy(found.contains) { found.insert(index) }
      }
    }
    return found
  }

  private static func processes(of targets: [Target]) -> [Set<Int>] {
    var byName: [String: [Int]] = [:]
    for (index, target) in targets.enumerated() { byName[target.name, default: []].append(index) }
    var found = Array(repeating: Set<Int>(), count: targets.count)
    for index in targets.indices where targets[index].kind.isProcess {
      var seen: Set<Int> = [index]
      var pending = [index]
      while let next = pending.popLast() {
        found[next].insert(index)
        for name in targets[next].dependencies.sorted() {
          for linked in byName[name] ?? []
          where !targets[linked].kind.isProcess && seen.insert(linked).inserted {
            pending.append(linked)
          }
        }
      }
    }
    return found
  }
}
