/// Reads the targets of an XcodeGen project from its `project.yml`.
struct GeneratedProject {
  private static let maximumDepth = 8

  private let content: PlainYAML
  private let folder: String
  private let files: ProjectFiles

  /// The targets of a project; nil where others that stand elsewhere belong to it.
  static func targets(of file: ProjectFile, files: ProjectFiles) -> [Target]? {
    let content = PlainYAMLReader.read(file.bytes())
    guard content["include"] == nil else { return nil }
    let reader = GeneratedProject(
      content: content, folder: Path.folder(of: file.path), files: files)
    return (content["targets"]?.table ?? [:]).sorted { $0.key < $1.key }
      .flatMap { reader.targets(named: $0.key, $0.value) }
  }

  /// A target, or one for each platform that it is given.
  private func targets(named name: String, _ written: PlainYAML) -> [Target] {
    let content = withTemplates(written, depth: 0)
    let type = content["type"]?.text ?? ""
    let given = (content["platform"]?.texts ?? []) + (content["supportedDestinations"]?.texts ?? [])
    let platforms = Set(given.compactMap { Platform(named: $0) })
    var target = Target(name: name, kind: kind(type, platforms), root: folder)
    target.take(configurations(of: content))
    if !platforms.isEmpty { target.platforms = platforms.union(target.platforms ?? []) }
    // A project of the generator says 5 where nothing is said.
    target.languageMode = target.languageMode ?? 5
    for source in content["sources"]?.items ?? [] { add(source, to: &target.members) }
    target.entitlements = entitlements(content)
    for dependency in content["dependencies"]?.items ?? [] {
      for key in ["target", "package", "product", "framework"] {
        if let name = dependency[key]?.text {
          target.dependencies.insert(String(name.split(separator: "/").last ?? ""))
        }
      }
      for product in dependency["products"]?.texts ?? [] { target.dependencies.insert(product) }
    }
    return [target]
  }

  private func withTemplates(_ target: PlainYAML, depth: Int) -> PlainYAML {
    guard depth < Self.maximumDepth else { return target }
    var table = target.table
    for name in target["templates"]?.texts ?? [] {
      guard let template = content["targetTemplates"]?[name] else { continue }
      table.merge(withTemplates(template, depth: depth + 1).table) { own, given in
        if case .list(let items) = own { return .list(given.items + items) }
        guard case .table(let items) = own else { return own }
        return .table(given.table.merging(items) { _, own in own })
      }
    }
    return .table(table)
  }

  private func kind(_ type: String, _ platforms: Set<Platform>) -> Target.Kind {
    if type.contains("watch") || type.hasPrefix("application") && platforms == [.watchOS] {
      return .watchApp
    }
    if type.contains("extension") || type == "xpc-service" { return .appExtension }
    if type.hasPrefix("application") { return .app }
    if type == "tool" { return .tool }
    if type.hasPrefix("bundle.") { return .test }
    return type.isEmpty ? .unknown : .library
  }

  // MARK: Settings

  private func configurations(of target: PlainYAML) -> [BuildSettings] {
    let given = content["configs"]?.table ?? [:]
    let names = given.isEmpty ? ["Debug", "Release"] : given.keys.sorted()
    return names.map { name in
      let common = file(content["configFiles"], name).overlaid(
        by: settings(content["settings"], name, depth: 0))
      let own = file(target["configFiles"], name).overlaid(
        by: settings(target["settings"], name, depth: 0))
      return common.overlaid(by: own)
    }
  }

  private func file(_ files: PlainYAML?, _ name: String) -> BuildSettings {
    let path = files?.text ?? files?[name]?.text
    return path.flatMap { Path.join(folder, $0) }
      .map { ConfigurationFile.settings(at: $0, in: self.files) } ?? BuildSettings()
  }

  /// Settings, those of the groups that they name below them.
  private func settings(_ written: PlainYAML?, _ name: String, depth: Int) -> BuildSettings {
    guard let table = written?.table, depth < Self.maximumDepth else { return BuildSettings() }
    let isDivided = ["base", "configs", "groups", "presets"].contains { table[$0] != nil }
    guard isDivided else { return plain(table) }
    var result = BuildSettings()
    for group in table["groups"]?.texts ?? [] {
      let inner = settings(content["settingGroups"]?[group], name, depth: depth + 1)
      result = result.overlaid(by: inner)
    }
    result = result.overlaid(by: plain(table["base"]?.table ?? [:]))
    let configs = table["configs"]?.table ?? [:]
    let own = configs.first { $0.key.lowercased() == name.lowercased() }?.value
    return result.overlaid(by: plain(own?.table ?? [:]))
  }

  private func plain(_ table: [String: PlainYAML]) -> BuildSettings {
    BuildSettings(
      table.compactMapValues { value in
        let text = value.texts.joined(separator: " ")
        switch text {
        case "true", "yes": return "YES"
        case "false", "no": return "NO"
        default: return text.isEmpty ? nil : text
        }
      })
  }

  // MARK: Files

  private func add(_ source: PlainYAML, to members: inout TargetFiles) {
    guard let written = source.text ?? source["path"]?.text,
      let path = Path.join(folder, written)
    else { return }
    if path.hasSuffix(".swift") {
      members.files.insert(path)
      return
    }
    guard source["buildPhase"]?.text.map({ $0 == "sources" }) ?? true else { return }
    let root = path.isEmpty || path.hasSuffix("/") ? path : path + "/"
    members.folders.append(
      TargetFiles.Folder(
        path: root,
        excludedPatterns: (source["excludes"]?.texts ?? []).map { PathPattern(root + $0) },
        patterns: (source["includes"]?.texts ?? []).map { PathPattern(root + $0) }))
  }

  private func entitlements(_ target: PlainYAML) -> Entitlements? {
    let written = target["entitlements"]
    let named =
      written?.text ?? written?["path"]?.text
      ?? configurations(of: target).lazy.compactMap { $0["CODE_SIGN_ENTITLEMENTS"] }.first
    let file = named.flatMap { Path.join(folder, $0) }.flatMap { files[$0] }
      .map { Entitlements($0.bytes()) }
    guard let properties = written?["properties"] else {
      return file ?? (named == nil ? Entitlements() : nil)
    }
    let own = Entitlements { properties[$0]?.texts ?? [] }
    return file.map { $0.joined(with: own) } ?? own
  }
}
