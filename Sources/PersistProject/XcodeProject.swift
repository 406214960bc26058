/// Reads the targets of an Xcode project from its `project.pbxproj`.
struct XcodeProject {
  private static let maximumDepth = 64

  private let objects: [String: PropertyList]
  /// The folder around the project, with `/` at its end.
  private let folder: String
  private let files: [String: ProjectFile]
  /// The group that holds a group or a file.
  private var parents: [String: String] = [:]
  private var project: PropertyList = .table([:])
  /// The settings of the whole project by the names of the configurations.
  private var common: [String: BuildSettings] = [:]

  /// The targets of a project; nil where it can't be read.
  static func targets(of file: ProjectFile, files: [String: ProjectFile]) -> [Target]? {
    XcodeProject(file, files: files)?.targets()
  }

  /// The platforms that the configurations of a project name, whatever targets they are of; nil where
  /// none names one.
  static func platforms(of file: ProjectFile) -> Set<Platform>? {
    let objects = PropertyListReader.read(file.bytes())?["objects"]?.table ?? [:]
    let named = objects.values.filter { $0["isa"]?.text == "XCBuildConfiguration" }.compactMap {
      BuildSettings(
        ($0["buildSettings"]?.table ?? [:]).mapValues { $0.texts.joined(separator: " ") }
      ).platforms
    }
    return named.isEmpty ? nil : named.reduce([]) { $0.union($1) }
  }

  /// The folder around the project whose file lies at a path, with `/` at its end; "" for the root.
  static func folder(of path: String) -> String {
    Path.folder(of: Path.folder(of: path).dropLast())
  }

  private init?(_ file: ProjectFile, files: [String: ProjectFile]) {
    guard let list = PropertyListReader.read(file.bytes()), let objects = list["objects"]?.table,
      let root = list["rootObject"]?.text, let project = objects[root]
    else { return nil }
    self.objects = objects
    self.files = files
    self.project = project
    let outer = Self.folder(of: file.path)
    let inner = project["projectDirPath"]?.text ?? ""
    folder = Path.joinFolder(outer, inner) ?? outer
    for (id, object) in objects.sorted(by: { $0.key < $1.key }) {
      guard ["PBXGroup", "PBXVariantGroup"].contains(object["isa"]?.text) else { continue }
      for child in object["children"]?.texts ?? [] { parents[child] = id }
    }
    common = settings(ofList: project["buildConfigurationList"]?.text)
  }

  private func targets() -> [Target] {
    (project["targets"]?.texts ?? []).compactMap { id in
      guard let object = objects[id], object["isa"]?.text == "PBXNativeTarget" else { return nil }
      return target(id, object)
    }
  }

  private func target(_ id: String, _ object: PropertyList) -> Target {
    let name = object["name"]?.text ?? ""
    var target = Target(name: name, kind: .unknown, root: folder)
    let own = settings(ofList: object["buildConfigurationList"]?.text)
    let configurations = own.sorted { $0.key < $1.key }.map { name, settings in
      BuildSettings([
        "SRCROOT": ".", "PROJECT_DIR": ".", "TARGET_NAME": target.name,
        "PRODUCT_NAME": target.name, "CONFIGURATION": name,
      ]).overlaid(by: common[name] ?? BuildSettings()).overlaid(by: settings)
    }
    target.take(configurations)
    target.kind = kind(object["productType"]?.text ?? "", target.platforms)
    target.members = members(of: id, object)
    target.entitlements = entitlements(configurations)
    target.dependencies = dependencies(of: object)
    return target
  }

  private func kind(_ product: String, _ platforms: Set<Platform>?) -> Target.Kind {
    let type = product.split(separator: ".").dropFirst(3).joined(separator: ".")
    if type.contains("watch") || platforms == [.watchOS] {
      return type.contains("application") || type.contains("watchkit")
        ? .watchApp
        : type.contains("extension") ? .appExtension : .library
    }
    if type.contains("extension") || type == "xpc-service" { return .appExtension }
    if type.hasPrefix("application") { return .app }
    if type == "tool" { return .tool }
    if type.contains("testing") || type.contains("unit-test") { return .test }
    return type.hasPrefix("framework") || type.hasPrefix("library") || type == "bundle"
      ? .library : .unknown
  }

  // MARK: Settings

  private func settings(ofList id: String?) -> [String: BuildSettings] {
    guard let list = id.flatMap({ objects[$0] }) else { return [:] }
    var found: [String: BuildSettings] = [:]
    for id in list["buildConfigurations"]?.texts ?? [] {
      guard let configuration = objects[id], let name = configuration["name"]?.text else {
        continue
      }
      let written = (configuration["buildSettings"]?.table ?? [:]).mapValues {
        $0.texts.joined(separator: " ")
      }
      found[name] = base(of: configuration).overlaid(by: BuildSettings(written))
    }
    return found
  }

  /// The settings of the file that a configuration is based on.
  private func base(of configuration: PropertyList) -> BuildSettings {
    var path = configuration["baseConfigurationReference"]?.text.flatMap { self.path(of: $0) }
    if path == nil, let anchor = configuration["baseConfigurationReferenceAnchor"]?.text,
      let inner = configuration["baseConfigurationReferenceRelativePath"]?.text
    {
      path = self.path(of: anchor).flatMap { Path.join($0, inner) }
    }
    return path.map { ConfigurationFile.settings(at: $0, in: files) } ?? BuildSettings()
  }

  private func entitlements(_ configurations: [BuildSettings]) -> Entitlements? {
    let paths = Set(configurations.compactMap { $0["CODE_SIGN_ENTITLEMENTS"] })
    let found = paths.sorted().compactMap { Path.join(folder, $0) }.compactMap { files[$0] }
      .map { Entitlements($0.bytes()) }
    guard let first = found.first else { return paths.isEmpty ? Entitlements() : nil }
    return found.dropFirst().reduce(first) { $0.joined(with: $1) }
  }

  // MARK: Files

  private func members(of id: String, _ target: PropertyList) -> TargetFiles {
    var members = TargetFiles()
    for phase in target["buildPhases"]?.texts ?? [] {
      guard let phase = objects[phase], phase["isa"]?.text == "PBXSourcesBuildPhase" else {
        continue
      }
      for file in phase["files"]?.texts ?? [] {
        let reference = objects[file]?["fileRef"]?.text
        if let path = reference.flatMap({ self.path(of: $0) }) { members.files.insert(path) }
      }
    }
    let own = target["fileSystemSynchronizedGroups"]?.texts ?? []
    for group in own.sorted() {
      guard let path = self.path(of: group) else { continue }
      members.folders.append(
        TargetFiles.Folder(
          path: path.isEmpty ? "" : path + "/", excluded: exceptions(in: group, path, for: id)))
    }
    for (group, object) in objects
    where object["isa"]?.text == "PBXFileSystemSynchronizedRootGroup" && !own.contains(group) {
      guard let path = self.path(of: group) else { continue }
      members.files.formUnion(exceptions(in: group, path, for: id))
    }
    return members
  }

  /// The files of a synchronized folder of which a target holds the opposite of what it holds of the
  /// folder.
  private func exceptions(in group: String, _ path: String, for target: String) -> Set<String> {
    var found: Set<String> = []
    for set in objects[group]?["exceptions"]?.texts ?? [] {
      guard let set = objects[set], set["target"]?.text == target else { continue }
      for file in set["membershipExceptions"]?.texts ?? [] {
        if let joined = Path.join(path, file) { found.insert(joined) }
      }
    }
    return found
  }

  /// The path of a file or group, without `/` at its end; nil for what lies in no folder of the
  /// project.
  private func path(of id: String) -> String? {
    var parts: [String] = []
    var next: String? = id
    var depth = 0
    while let current = next, let object = objects[current] {
      depth += 1
      guard depth < Self.maximumDepth else { return nil }
      if let part = object["path"]?.text, !part.isEmpty { parts.append(part) }
      switch object["sourceTree"]?.text ?? "<group>" {
      case "<group>": next = parents[current]
      case "SOURCE_ROOT": next = nil
      default: return nil
      }
    }
    return Path.join(folder, parts.reversed().joined(separator: "/")).map {
      $0.hasSuffix("/") ? String($0.dropLast()) : $0
    }
  }

  // MARK: What a target links

  private func dependencies(of target: PropertyList) -> Set<String> {
    var names: Set<String> = []
    for id in target["dependencies"]?.texts ?? [] {
      guard let dependency = objects[id] else { continue }
      if let name = dependency["target"]?.text.flatMap({ objects[$0] })?["name"]?.text {
        names.insert(name)
      }
    }
    for id in target["packageProductDependencies"]?.texts ?? [] {
      if let name = objects[id]?["productName"]?.text { names.insert(name) }
    }
    for phase in target["buildPhases"]?.texts ?? [] {
      guard let phase = objects[phase], phase["isa"]?.text == "PBXFrameworksBuildPhase" else {
        continue
      }
      for file in phase["files"]?.texts ?? [] {
        if let name = linked(objects[file]) { names.insert(name) }
      }
    }
    return names
  }

  private func linked(_ file: PropertyList?) -> String? {
    if let name = file?["productRef"]?.text.flatMap({ objects[$0] })?["productName"]?.text {
      return name
    }
    guard let path = file?["fileRef"]?.text.flatMap({ objects[$0] })?["path"]?.text,
      let name = path.split(separator: "/").last
    else { return nil }
    return String(name.prefix { $0 != "." })
  }
}
