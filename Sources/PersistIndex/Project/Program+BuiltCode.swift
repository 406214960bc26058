import PersistProject
import PersistSyntax

// MARK: - Which code is built

extension Program {
  /// Whether a clause of `#if` may be compiled for a platform, by its condition and those before it.
  func isActive(_ clause: Ref, on platform: Platform) -> Bool {
    isActive(clause, named: platform.conditionName, isCatalyst: platform == .macCatalyst)
  }

  /// The same for the platform that `os(…)` has a name for.
  package func isActive(
    _ clause: Ref, named platform: String, isCatalyst: Bool = false
  ) -> Bool {
    outline(clause).isActive(Int(clause.node), on: platform, isCatalyst: isCatalyst)
  }

  /// Whether a clause of `#if` asks for platforms, and the project builds none of those for its file, or
  /// never holds, as with `#if false`.
  func isNeverBuilt(_ clause: Ref) -> Bool { answer(IsNeverBuilt(clause: clause)) }

  fileprivate func findNeverBuilt(_ clause: Ref) -> Bool {
    guard let config = parent(clause) else { return false }
    let clauses = children(config, .ifConfigClause)
    if clauses.contains(where: { names(["true", "false"], in: $0) }),
      !Platform.allCases.contains(where: { isActive(clause, on: $0) })
    {
      return true
    }
    guard clauses.contains(where: { names(["os", "canImport", "targetEnvironment"], in: $0) }),
      let platforms = projects.platforms(of: files[Int(clause.file)].path)
    else { return false }
    return !platforms.contains { isActive(clause, on: $0) }
  }

  /// Whether a release build for one platform surely holds both of two nodes.
  package func areBuiltTogether(_ left: Ref, _ right: Ref) -> Bool {
    let clauses = [left, right].map { ref in
      ancestors(ref).filter { kind($0) == .ifConfigClause }
    }
    if clauses.allSatisfy(\.isEmpty) { return true }
    let known = [left, right].compactMap { projects.platforms(of: files[Int($0.file)].path) }
    return Platform.allCases.contains { platform in
      let isMeant =
        known.isEmpty
        ? platform.rawValue == mainPlatform : known.allSatisfy { $0.contains(platform) }
      return isMeant
        && clauses.joined().allSatisfy { isSurelyBuilt($0, for: platform) }
    }
  }

  /// Whether a clause of `#if` is compiled for a platform, whatever flags a build sets.
  private func isSurelyBuilt(_ clause: Ref, for platform: Platform) -> Bool {
    guard let config = parent(clause) else { return false }
    for other in children(config, .ifConfigClause) {
      let isElse = outline(other).tokens[Int(node(other).first)].kind == .poundElse
      let holds =
        isElse
        ? true
        : SchemaConditions.evaluate(
          nodeView(other), platform: platform.conditionName, isCatalyst: platform == .macCatalyst)
      if other == clause { return holds == true }
      if holds != false { return false }
    }
    return false
  }

  /// Whether the condition of a clause holds one of some words.
  private func names(_ words: [String], in clause: Ref) -> Bool {
    let node = node(clause)
    guard node.label != Node.noToken else { return false }
    let outline = outline(clause)
    return (Int(node.first)..<max(Int(node.label), Int(node.first))).contains {
      words.contains(outline.text(ofToken: $0))
    }
  }

  func findsIsolationInProjects() -> Bool {
    if schemaInput.projectFiles.contains(where: { $0.mentions("isolation") }) { return true }
    return files.contains { file in
      switch file.path.split(separator: "/").last {
      case "Package.swift": file.mentions("isolation")
      // What it says may stand in other files.
      case "Project.swift": true
      default: false
      }
    }
  }

  /// The platforms that the files with models are built for, by the names that `os(…)` has for them;
  /// nil where nothing tells.
  package var builtPlatforms: Set<String>? {
    let using = files.filter { $0.imports("SwiftData") && !$0.isTest }
    var byFolder: [String: Set<Platform>?] = [:]
    let known = using.map { file -> Set<Platform>? in
      if let own = projects.platforms(of: file.path) { return own }
      guard let folder = projects.projectFolder(around: file.path) else { return nil }
      if let known = byFolder[folder] { return known }
      let found = projects.platforms(ofProjectsIn: folder)
      byFolder[folder] = .some(found)
      return found
    }
    guard !known.isEmpty, known.allSatisfy({ $0 != nil }) else { return nil }
    return Set(known.compactMap { $0 }.flatMap { $0 }.map(\.conditionName))
  }

  /// The platform that is meant where nothing names one.
  package static var usualPlatform: String { "iOS" }

  /// The platform by which the sources are read first: iOS, if the project builds it.
  package var mainPlatform: String {
    guard let built = builtPlatforms, !built.contains(Self.usualPlatform) else {
      return Self.usualPlatform
    }
    return built.min() ?? Self.usualPlatform
  }

  /// Whether code runs only on devices on which a declaration isn't all that there is: it is built
  /// for the watch alone, or for another platform than the one that counts, and the declaration for
  /// all.
  package func runsElsewhere(_ code: Ref, than declaration: Ref) -> Bool {
    answer(IsOfOtherDevices(place: code)) && !answer(IsOfOtherDevices(place: declaration))
  }

  fileprivate func findOtherDevices(_ place: Ref) -> Bool {
    !isBuilt(place) || !projects.isEmpty && runsOnWatchOnly(place)
  }

  /// Whether a file lies beside a project and in no target of it, so that nothing launches its code.
  package func isLeftOut(_ file: Int32) -> Bool { answer(IsLeftOut(file: Int(file))) }

  /// Whether a file lies in no target and no package, and in no folder that others import.
  func isBuiltWithNothing(_ file: Int) -> Bool {
    !projects.isEmpty && files[file].target == nil && projects.isInNoTarget(files[file].path)
      && !isInImportedFolder(files[file].path, byTests: true)
  }

  /// Whether a file is never compiled: it lies in no target, and declares a type that a file of a
  /// target of the same project declares as well.
  func isReplaced(_ file: Int32) -> Bool {
    !projects.isEmpty && answer(IsReplaced(file: Int(file)))
  }

  /// Whether only tests link a file's code.
  package func isOfTestTarget(_ file: Int32) -> Bool {
    !projects.isEmpty && answer(IsOfTestTarget(file: Int(file)))
  }

  fileprivate func findReplaced(_ file: Int) -> Bool {
    let path = files[file].path
    guard projects.isUnnamed(path), !isInImportedFolder(path, byTests: false) else { return false }
    let own = declarations.part(ofFile: file).types.lazy.filter { self.types[$0].parent == nil }
    return Set(own.map { self.types[$0].name }).contains { name in
      let all = topLevelTypes(named: name).filter { types[$0].kind != .typealiasDecl }
      guard all.contains(where: { Int(types[$0].ref.file) == file && !types[$0].isPrivate }) else {
        return false
      }
      return all.contains { type in
        let other = Int(types[type].ref.file)
        return other != file && !types[type].isPrivate
          && projects.isBuilt(files[other].path, beside: path)
      }
    }
  }

  /// Whether a file lies in no target, and in no folder of a name that other files import as a
  /// module, which something else than the project builds.
  fileprivate func findLeftOut(_ file: Int) -> Bool {
    let path = files[file].path
    if projects.isOutsideOfTargets(path) || liesInUnnamedFolder(path),
      !isInImportedFolder(path, byTests: true)
    {
      return true
    }
    return isReplaced(Int32(file))
  }

  /// Whether a file lies in a folder beside a manifest of Tuist that neither this nor its helpers
  /// name.
  private func liesInUnnamedFolder(_ path: String) -> Bool {
    let around = answer(HelpedProjects()).filter { path.hasPrefix($0.folder) }
    guard let project = around.max(by: { $0.folder.count < $1.folder.count }),
      let common = project.common
    else { return false }
    let parts = path.dropFirst(project.folder.count).split(separator: "/")
    guard parts.count > 1 else { return false }
    let folder = parts[0].lowercased()
    return !common.contains(folder) && !project.words.contains { $0.contains(folder) }
  }

  private func isInImportedFolder(_ path: String, byTests: Bool) -> Bool {
    path.split(separator: "/").dropLast().contains { folder in
      answer(IsImported(module: Name(String(folder)), byTests: byTests))
    }
  }

  fileprivate func findImported(_ module: Name, byTests: Bool) -> Bool {
    files(using: module).contains { file in
      files[file].imports(module) && !targetsOfFiles[file].isEmpty
        && (byTests || !projects.isOfTestsOnly(files[file].path))
    }
  }
}

/// The projects of Tuist that the project's own helpers make.
private struct HelpedProjects: Query {
  static var provisional: [HelpedProject] { [] }
  func answer(in program: Program) -> [HelpedProject] { program.findHelpedProjects() }
}

/// Whether code is built for the watch alone, or not for the platform that counts.
private struct IsOfOtherDevices: Query {
  let place: Ref

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findOtherDevices(place) }
}

/// Whether a clause of `#if` is compiled for none of the platforms of its file.
private struct IsNeverBuilt: Query {
  let clause: Ref

  static let provisional = false
  func answer(in program: Program) -> Bool { program.findNeverBuilt(clause) }
}

/// Whether a file belongs to no target of the project around it.
private struct IsLeftOut: Query {
  let file: Int

  static let provisional = false
  func answer(in program: Program) -> Bool {
    program.findLeftOut(file)
  }
}

/// Whether a file that no target names declares what one of a target declares.
private struct IsReplaced: Query {
  let file: Int

  static let provisional = false
  func answer(in program: Program) -> Bool { program.findReplaced(file) }
}

/// Whether a file belongs to libraries that only tests link.
private struct IsOfTestTarget: Query {
  let file: Int

  static let provisional = false
  func answer(in program: Program) -> Bool {
    program.projects.isOfTestSupport(program.files[file].path)
  }
}

/// Whether a file of a target imports a module.
private struct IsImported: Query {
  let module: Name
  /// Whether the imports of tests count.
  let byTests: Bool

  static let provisional = false
  func answer(in program: Program) -> Bool { program.findImported(module, byTests: byTests) }
}
