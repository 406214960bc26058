import PersistProject
import PersistSyntax

/// A project of Tuist whose targets a function of the project's own helpers makes.
struct HelpedProject: Hashable, Sendable {
  /// The folder of its manifest.
  let folder: String
  /// What the manifest spells, in lower case.
  let words: [String]
  /// The folders that the helpers take sources from; nil where they may take all.
  let common: Set<String>?
}

// MARK: - Tuist

extension Program {
  func readTuistProject(_ file: Ref, _ folder: String, into manifests: inout Manifests) {
    let calls = descendants(file, .call)
    let made = calls.first { calledName($0) == "Project" && argument($0, "name") != nil }
    guard let project = made else { return }
    let common = tuistSettings(argument(project, "settings"), folder)
    let targets = calls.filter { argument($0, "product") != nil && argument($0, "name") != nil }
    var isWhole = !targets.isEmpty
    for call in targets {
      guard let name = manifestText(argument(call, "name")),
        let product = argument(call, "product")
      else {
        isWhole = false
        continue
      }
      let given = argument(call, "destinations") ?? argument(call, "platform")
      let platforms = given.map { tuistPlatforms($0) } ?? []
      var target = Target(name: name, kind: tuistKind(text(product), platforms), root: folder)
      if !platforms.isEmpty { target.platforms = platforms }
      target.members = tuistMembers(argument(call, "sources"), folder)
      if target.members.isEmpty { isWhole = false }
      target.dependencies = Set(argument(call, "dependencies").map { manifestTexts($0) } ?? [])
      var entry = Manifests.Entry(target)
      let own = tuistSettings(argument(call, "settings"), folder)
      let names = Set(common.keys).union(own.keys).subtracting([""]).sorted()
      entry.configurations = (names.isEmpty ? [""] : names).map { name in
        (common[name] ?? common[""] ?? []) + (own[name] ?? own[""] ?? [])
      }
      if let entitlements = argument(call, "entitlements") {
        entry.entitlements = manifestTexts(entitlements).first { $0.hasSuffix(".entitlements") }
          .flatMap { Path.join(folder, $0) }
        let own = tuistEntries(entitlements)
        if !own.isEmpty {
          entry.target.entitlements = Entitlements { key in own[key].map { spelledTexts($0) } ?? []
          }
        }
      } else {
        entry.target.entitlements = Entitlements()
      }
      manifests.entries.append(entry)
    }
    if !isWhole { manifests.unreadRoots.append(folder) }
  }

  private func tuistKind(_ product: String, _ platforms: Set<Platform>) -> Target.Kind {
    let name = product.split(separator: ".").last.map(String.init) ?? ""
    if name.hasPrefix("watch") { return .watchApp }
    if name == "app" || name == "appClip" { return platforms == [.watchOS] ? .watchApp : .app }
    if name.lowercased().contains("extension") || name == "xpc" { return .appExtension }
    if name == "commandLineTool" { return .tool }
    if name == "unitTests" || name == "uiTests" { return .test }
    return .library
  }

  private func tuistPlatforms(_ ref: Ref) -> Set<Platform> {
    Set(
      (descendants(ref, .implicitMember) + descendants(ref, .member)).compactMap {
        Platform(named: nameText($0))
      })
  }

  private func tuistMembers(_ sources: Ref?, _ folder: String) -> TargetFiles {
    guard let sources else { return TargetFiles() }
    let excluded = descendants(sources, .argument).filter {
      Words.leftOutLabels.contains(label($0))
    }.flatMap { argument in children(argument).flatMap { manifestTexts($0) } }
      .compactMap { Path.join(folder, $0) }.map { PathPattern($0) }
    let paths = manifestTexts(sources).compactMap { Path.join(folder, $0) }
    return TargetFiles(
      folders: paths.map { path in
        let root = path.split(separator: "*", omittingEmptySubsequences: false)[0]
        return TargetFiles.Folder(
          path: Path.folder(of: root), excludedPatterns: excluded, patterns: [PathPattern(path)])
      })
  }

  // MARK: Settings

  /// The places where settings stand by the names of the configurations; those of "" hold for all
  /// others.
  private func tuistSettings(_ settings: Ref?, _ folder: String) -> [String: [Manifests.Source]] {
    guard let settings, let call = settingsCall(settings) else { return [:] }
    let base = argument(call, "base").map { tuistValues($0) } ?? [:]
    var found = ["": [Manifests.Source.values(base)]]
    guard let list = argument(call, "configurations") else { return found }
    for configuration in configurationCalls(inList: list) {
      let name = manifestText(argument(configuration, "name")) ?? nameText(configuration)
      var sources = [Manifests.Source.values(base)]
      let file = argument(configuration, "xcconfig").flatMap { manifestText($0) }
      if let path = file.flatMap({ Path.join(folder, $0) }) { sources.insert(.file(path), at: 0) }
      if let own = argument(configuration, "settings") {
        sources.append(.values(tuistValues(own)))
      }
      found[name.isEmpty ? "Configuration" : name] = sources
    }
    return found
  }

  private func configurationCalls(inList list: Ref) -> [Ref] {
    descendants(list, .call).filter {
      ["debug", "release"].contains(calledName($0))
    }
  }

  /// The `.settings(…)` that an expression is, or that the constant it names is.
  private func settingsCall(_ ref: Ref) -> Ref? {
    manifestValues(from: ref).first { ref in
      descendants(ref, .call).first {
        ["settings", "Settings", "init"].contains(calledName($0))
      }
    }
  }

  /// The values in the dictionaries of an expression, and in those of the constants that it names,
  /// before which they count.
  private func tuistEntries(_ ref: Ref) -> [String: Ref] {
    var seen: Set<Ref> = [ref]
    return tuistEntries(ref, &seen)
  }

  private func tuistEntries(_ ref: Ref, _ seen: inout Set<Ref>) -> [String: Ref] {
    var values: [String: Ref] = [:]
    for name in descendants(ref, .name) + descendants(ref, .member) {
      guard let value = manifestValue(of: name), seen.insert(value).inserted else { continue }
      values.merge(tuistEntries(value, &seen)) { _, new in new }
    }
    for dictionary in descendants(ref, .dictionary) {
      let parts = children(dictionary)
      for index in stride(from: 0, to: parts.count - 1, by: 2) {
        guard let key = manifestText(parts[index]) else { continue }
        values[key] = parts[index + 1]
      }
    }
    for call in descendants(ref, .call) where calledName(call) == "swiftVersion" {
      values["SWIFT_VERSION"] = child(call, .argument).flatMap { child($0, .expression) }
    }
    return values
  }

  /// The texts in an expression; an empty one where it names some that can't be read.
  private func spelledTexts(_ ref: Ref) -> [String] {
    let texts = manifestTexts(ref)
    let isSpelled = [.string, .name, .member].contains { !descendants(ref, $0).isEmpty }
    return texts.isEmpty && isSpelled ? [""] : texts
  }

  /// The settings in an expression, and in the constants that it names.
  private func tuistValues(_ ref: Ref) -> [String: String] {
    tuistEntries(ref).mapValues { manifestTexts($0).joined(separator: " ") }
  }

  // MARK: Helpers

  /// The projects that a manifest makes by a function of its helpers, which tells no targets.
  func findHelpedProjects() -> [HelpedProject] {
    let helpers = files.indices.filter { files[$0].path.contains("ProjectDescriptionHelpers/") }
    guard !helpers.isEmpty else { return [] }
    let patterns = helpers.flatMap { descendants(Ref(file: $0, node: 0), .string) }
      .filter { children($0).isEmpty }.map { stringText($0) }.filter { $0.contains("*") }
      .map { $0.split(separator: "/").first.map { $0.lowercased() } ?? "" }
    let common = patterns.contains { $0.contains("*") } ? nil : Set(patterns)
    return files.indices.compactMap { file in
      let folder = Path.folder(of: files[file].path)
      guard files[file].path.dropFirst(folder.count) == "Project.swift" else { return nil }
      let root = Ref(file: file, node: 0)
      let calls = descendants(root, .call)
      let named = calls.filter { argument($0, "name") != nil }
      guard !named.contains(where: { argument($0, "product") != nil }),
        named.contains(where: { !functions(calledBy: $0).isEmpty })
      else { return nil }
      let outline = files[file].outline
      let words = (0..<outline.tokens.count).map { outline.text(ofToken: $0).lowercased() }
      return HelpedProject(folder: folder, words: words, common: common)
    }
  }
}
