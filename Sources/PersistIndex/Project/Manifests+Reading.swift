import PersistProject
import PersistSyntax

// MARK: - Manifests that are written in Swift

extension Program {
  /// What the packages' and Tuist's manifests say of their targets.
  func readManifests() -> Manifests {
    var manifests = Manifests()
    for (file, source) in files.enumerated() {
      let folder = Path.folder(of: source.path)
      switch source.path.dropFirst(folder.count) {
      case "Package.swift":
        readPackage(Ref(file: file, node: 0), folder, into: &manifests)
      case "Project.swift":
        readTuistProject(Ref(file: file, node: 0), folder, into: &manifests)
      default: break
      }
    }
    return manifests
  }

  // MARK: Packages

  private func readPackage(_ file: Ref, _ folder: String, into manifests: inout Manifests) {
    let calls = descendants(file, .call)
    let package = calls.first { calledName($0) == "Package" }
    let common = PackageSettings(self, file: file, package: package)
    let made = calls.filter { Words.packageTargets.contains(calledName($0)) }
      .filter { argument($0, "name") != nil && !isDependency($0) }
    var targets = made.compactMap { call -> Target? in
      guard let name = manifestText(argument(call, "name")) else { return nil }
      var target = Target(name: name, kind: packageKind(call), root: folder)
      target.platforms = package.flatMap { platforms(of: $0) }
      common.give(to: &target, of: call, self)
      let isOnly = made.count { calledName($0) != "testTarget" } == 1
      if let members = packageMembers(call, name, folder, isOnly: isOnly) {
        target.members = members
      } else {
        manifests.unreadRoots.append(folder)
      }
      target.dependencies = Set(
        argument(call, "dependencies").map { manifestTexts($0) } ?? [])
      return target
    }
    if targets.count < made.count { manifests.unreadRoots.append(folder) }
    var offered: Set<String> = []
    for call in calls where ["library", "executable", "iOSApplication"].contains(calledName(call)) {
      guard let name = manifestText(argument(call, "name")), let list = argument(call, "targets")
      else { continue }
      let parts = Set(manifestTexts(list))
      offered.formUnion(parts)
      if calledName(call) == "iOSApplication" {
        for index in targets.indices where parts.contains(targets[index].name) {
          targets[index].kind = .app
          targets[index].platforms = [.iOS]
        }
      } else if !targets.contains(where: { $0.name == name }) {
        var product = Target(name: name, kind: .library, root: folder)
        product.dependencies = parts
        targets.append(product)
      }
    }
    if !offered.isEmpty || targets.contains(where: { $0.kind.isProcess }) {
      for index in targets.indices where made.count > index {
        targets[index].isOffered = offered.contains(targets[index].name)
      }
    }
    manifests.entries += targets.map { Manifests.Entry($0) }
  }

  private func packageKind(_ call: Ref) -> Target.Kind {
    switch calledName(call) {
    case "executableTarget": .tool
    case "testTarget": .test
    default: .library
    }
  }

  /// Whether a call that looks like a target's names one as a dependency.
  private func isDependency(_ call: Ref) -> Bool {
    ancestors(call).contains { kind($0) == .argument && label($0) == "dependencies" }
  }

  private func platforms(of package: Ref) -> Set<Platform>? {
    guard let list = argument(package, "platforms") else { return nil }
    return Set(
      (descendants(list, .implicitMember) + descendants(list, .member)).compactMap {
        Platform(named: nameText($0))
      })
  }

  /// The files of a package's target; nil where its path can't be read.
  private func packageMembers(_ call: Ref, _ name: String, _ folder: String, isOnly: Bool)
    -> TargetFiles?
  {
    var paths: [String] = []
    if let path = argument(call, "path") {
      guard let text = manifestText(path), let joined = Path.joinFolder(folder, text) else {
        return nil
      }
      paths = [joined]
    } else {
      let parents =
        calledName(call) == "testTarget"
        ? ["Tests", "Sources", "Source", "src", "srcs"]
        : ["Sources", "Source", "src", "srcs"]
      paths = parents.map { folder + $0 + "/" + name + "/" }
      if isOnly { paths += parents.map { folder + $0 + "/" } }
      paths = paths.first { path in files.contains { $0.path.hasPrefix(path) } }.map { [$0] } ?? []
    }
    let excluded = argument(call, "exclude").map { manifestTexts($0) } ?? []
    let wanted = argument(call, "sources").map { manifestTexts($0) } ?? []
    return TargetFiles(
      folders: paths.map { path in
        TargetFiles.Folder(
          path: path, excluded: Set(excluded.compactMap { Path.join(path, $0) }),
          patterns: wanted.map { PathPattern(path + $0 + ($0.hasSuffix(".swift") ? "" : "/**")) })
      })
  }

  // MARK: Values

  /// The text of a literal, or of the constant that an expression names; nil for anything else.
  package func manifestText(_ ref: Ref?) -> String? {
    ref.flatMap { ref in
      Reach(from: ref) { self.manifestStep(from: $0).map { [$0] } ?? [] }.first { ref in
        kind(ref) == .string && children(ref).isEmpty ? stringText(ref) : nil
      }
    }
  }

  /// What has the value of an expression or argument: a literal or another expression.
  private func manifestStep(from ref: Ref) -> Ref? {
    if kind(ref) == .argument { return child(ref, .expression) }
    guard let chain = nodeView(ref).onlyChain?.ref, let last = children(chain).last else {
      return nil
    }
    switch (kind(last), children(chain).count) {
    case (.string, 1): return last
    case (.call, 2) where children(last, .argument).count == 1:
      return child(last, .argument).flatMap { child($0, .expression) }
    default: return manifestValue(of: last)
    }
  }

  /// The initializer of the constant that a name or member stands for.
  func manifestValue(of name: Ref) -> Ref? {
    switch kind(name) {
    case .name: fixedValue(of: name)
    case .member:
      property(usedBy: name).flatMap { id in
        properties[id].initializer.map { Ref(file: Int(properties[id].ref.file), node: $0) }
      }
    default: nil
    }
  }

  /// All texts in an expression and in the constants that it names, in source order.
  func manifestTexts(_ ref: Ref) -> [String] {
    var seen: Set<Ref> = []
    return manifestTexts(ref, &seen)
  }

  private func manifestTexts(_ ref: Ref, _ seen: inout Set<Ref>) -> [String] {
    let outline = outline(ref)
    var found: [String] = []
    var index = Int(ref.node)
    let end = Int(outline.nodes[index].subtreeEnd)
    while index < end {
      let node = Ref(file: Int(ref.file), node: index)
      switch outline.nodes[index].kind {
      case .argument where Words.leftOutLabels.contains(label(node)):
        index = Int(outline.nodes[index].subtreeEnd)
        continue
      case .string where children(node).isEmpty:
        found.append(text(node).filter { $0 != "\"" })
      case .name, .member:
        if let value = manifestValue(of: node), seen.insert(value).inserted {
          found += manifestTexts(value, &seen)
        }
      default: break
      }
      index += 1
    }
    return found
  }

  /// An expression, and those of the constants that it names, directly or in one another.
  func manifestValues(from ref: Ref) -> Reach<Ref> {
    Reach(from: ref) { ref in
      (self.descendants(ref, .name) + self.descendants(ref, .member))
        .compactMap { self.manifestValue(of: $0) }
    }
  }
}

/// What a package's manifest says of how its targets are compiled.
private struct PackageSettings {
  private let mode: Int?
  /// The settings that stand at no target and in no constant.
  private let loose: Said

  /// What some settings say.
  private struct Said {
    var isOnMain: Bool?
    var mode: Int?
    var staysWithCaller = false
  }

  init(_ program: Program, file: Ref, package: Ref?) {
    var mode = Self.toolsVersion(program, file).map { $0 >= 6 ? 6 : 5 }
    for label in ["swiftLanguageModes", "swiftLanguageVersions"] as [Name] {
      guard let list = package.flatMap({ program.argument($0, label) }) else { continue }
      mode = Self.newest(in: list, program) ?? mode
    }
    self.mode = mode
    loose = Self.said(
      program.descendants(file, .call).filter { call in
        !program.ancestors(call).contains {
          program.kind($0) == .call && Words.packageTargets.contains(program.calledName($0))
            || program.kind($0) == .binding && program.property(declaredAt: $0) != nil
        }
      }, program)
  }

  /// Gives a target what it and the whole package say.
  func give(to target: inout Target, of call: Ref, _ program: Program) {
    let own = program.argument(call, "swiftSettings").map {
      Self.said(
        program.manifestValues(from: $0).flatMap { program.descendants($0, .call) }, program)
    }
    target.languageMode = own?.mode ?? loose.mode ?? mode
    target.isolation = own?.isOnMain ?? loose.isOnMain ?? false ? .mainActor : .nonisolated
    target.staysWithCaller = (own?.staysWithCaller ?? false) || loose.staysWithCaller
  }

  private static func said(_ calls: [Ref], _ program: Program) -> Said {
    var said = Said()
    for call in calls {
      switch program.calledName(call) {
      case "defaultIsolation": said.isOnMain = program.names("MainActor", in: call)
      case "unsafeFlags":
        if program.holdsString(in: call, where: { $0.contains("default-isolation") }) {
          said.isOnMain = program.holdsString(in: call) { $0.contains("MainActor") }
        }
      case "enableUpcomingFeature", "enableExperimentalFeature":
        if program.holdsString(in: call, where: { $0.contains("NonisolatedNonsendingByDefault") }) {
          said.staysWithCaller = true
        }
      case "swiftLanguageMode", "swiftLanguageVersion": said.mode = newest(in: call, program)
      default: break
      }
    }
    return said
  }

  /// The newest of the versions in a list such as `[.v5, .v6]`.
  private static func newest(in list: Ref, _ program: Program) -> Int? {
    let numbers = (program.descendants(list, .implicitMember) + program.descendants(list, .member))
      .map { program.nameText($0) }.filter { $0.hasPrefix("v") }
      .compactMap { Int($0.dropFirst().prefix { $0 != "_" }) }
    return numbers.max().map { $0 >= 6 ? 6 : 5 }
  }

  private static func toolsVersion(_ program: Program, _ file: Ref) -> Int? {
    let source = program.files[Int(file.file)].text
    let first =
      source[0..<min(source.count, Limit.toolsVersion.count)]
      .split(whereSeparator: \.isNewline).first ?? ""
    guard let colon = first.lastIndex(of: ":"), first.contains("swift-tools-version") else {
      return nil
    }
    return Int(first[first.index(after: colon)...].drop { $0 == " " }.prefix { $0.isNumber })
  }
}
