/// Reads the targets of an Xcode project from its `project.pbxproj`.
struct XcodeProject {
  private static let maximumDepth = 64

  /// The folder around the project, with `/` at its end.
  let folder: String
  private let objects: PropertyListObjects
  private let files: ProjectFiles
  private let project: PropertyList
  /// The paths of groups and files below the project's folder, by their numbers; nil for those that
  /// lie in no folder of the project.
  private var paths: [String?]

  /// Nothing where the project can't be read.
  init?(_ file: ProjectFile, files: ProjectFiles) {
    guard let list = PropertyListFile.read(file.bytes()), let table = list["objects"] else {
      return nil
    }
    let objects = PropertyListObjects(table)
    guard let project = objects[list["rootObject"]] else { return nil }
    self.objects = objects
    self.files = files
    self.project = project
    let outer = Self.folder(of: file.path)
    folder = Path.joinFolder(outer, project["projectDirPath"]?.text ?? "") ?? outer
    paths = PathsOfObjects(objects, maximumDepth: Self.maximumDepth).all
  }

  /// The folder around the project whose file lies at a path, with `/` at its end; "" for the root.
  static func folder(of path: String) -> String {
    Path.folder(of: Path.folder(of: path).dropLast())
  }

  /// The platforms that the configurations of a project name, whatever targets they are of; nil where
  /// none names one.
  static func platforms(of file: ProjectFile) -> Set<Platform>? {
    let objects = PropertyListObjects(PropertyListFile.read(file.bytes())?["objects"])
    let named = objects.all.filter { $0["isa"]?.isText("XCBuildConfiguration") ?? false }
      .compactMap { BuildSettings($0["buildSettings"]).platforms }
    return named.isEmpty ? nil : named.reduce([]) { $0.union($1) }
  }

  /// The targets of the project.
  func targets() -> [Target] {
    let common = settings(ofList: project["buildConfigurationList"])
    return (project["targets"]?.parts ?? []).compactMap { id in
      guard let object = objects[id], object["isa"]?.isText("PBXNativeTarget") ?? false else {
        return nil
      }
      return target(id, object, common)
    }
  }

  private func target(
    _ id: PropertyList, _ object: PropertyList, _ common: [String: BuildSettings]
  ) -> Target {
    let name = object["name"]?.text ?? ""
    var target = Target(name: name, kind: .unknown, root: folder)
    let own = settings(ofList: object["buildConfigurationList"])
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

  private func settings(ofList id: PropertyList?) -> [String: BuildSettings] {
    guard let list = objects[id] else { return [:] }
    var found: [String: BuildSettings] = [:]
    for id in list["buildConfigurations"]?.parts ?? [] {
      guard let configuration = objects[id], let name = configuration["name"]?.text else {
        continue
      }
      found[name] = base(of: configuration)
        .overlaid(by: BuildSettings(configuration["buildSettings"]))
    }
    return found
  }

  /// The settings of the file that a configuration is based on.
  private func base(of configuration: PropertyList) -> BuildSettings {
    var path = configuration["baseConfigurationReference"].flatMap { self.path(of: $0) }
    if path == nil, let anchor = configuration["baseConfigurationReferenceAnchor"],
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

  private func members(of id: PropertyList, _ target: PropertyList) -> TargetFiles {
    var members = TargetFiles()
    for phase in target["buildPhases"]?.parts ?? [] {
      guard let phase = objects[phase], phase["isa"]?.isText("PBXSourcesBuildPhase") ?? false
      else { continue }
      for file in phase["files"]?.parts ?? [] {
        let reference = objects[file]?["fileRef"]
        if let path = reference.flatMap({ self.path(of: $0) }) { members.files.insert(path) }
      }
    }
    let number = objects.number(id)
    let own = target["fileSystemSynchronizedGroups"]?.parts ?? []
    let held = Set(own.compactMap { objects.number($0) })
    for group in held.sorted(by: { objects.stands($0, before: $1) }) {
      guard let path = path(of: group) else { continue }
      members.folders.append(
        TargetFiles.Folder(
          path: path.isEmpty ? "" : path + "/", excluded: exceptions(in: group, path, for: number)))
    }
    for (group, object) in objects.all.enumerated()
    where object["isa"]?.isText("PBXFileSystemSynchronizedRootGroup") ?? false
      && !held.contains(group)
    {
      guard let path = path(of: group) else { continue }
      members.files.formUnion(exceptions(in: group, path, for: number))
    }
    return members
  }

  /// The files of a synchronized folder of which a target holds the opposite of what it holds of the
  /// folder.
  private func exceptions(in group: Int, _ path: String, for target: Int?) -> Set<String> {
    var found: Set<String> = []
    for set in objects.all[group]["exceptions"]?.parts ?? [] {
      guard let target, let set = objects[set], objects.number(set["target"]) == target else {
        continue
      }
      for file in set["membershipExceptions"]?.texts ?? [] {
        if let joined = Path.join(path, file) { found.insert(joined) }
      }
    }
    return found
  }

  private func path(of id: PropertyList) -> String? { objects.number(id).flatMap(path) }

  /// The path of a file or group, without `/` at its end; nil for what lies in no folder of the
  /// project.
  private func path(of number: Int) -> String? {
    paths[number].flatMap { Path.join(folder, $0) }.map {
      $0.hasSuffix("/") ? String($0.dropLast()) : $0
    }
  }

  // MARK: What a target links

  private func dependencies(of target: PropertyList) -> Set<String> {
    var names: Set<String> = []
    for id in target["dependencies"]?.parts ?? [] {
      guard let dependency = objects[id] else { continue }
      if let name = objects[dependency["target"]]?["name"]?.text { names.insert(name) }
    }
    for id in target["packageProductDependencies"]?.parts ?? [] {
      if let name = objects[id]?["productName"]?.text { names.insert(name) }
    }
    for phase in target["buildPhases"]?.parts ?? [] {
      guard let phase = objects[phase], phase["isa"]?.isText("PBXFrameworksBuildPhase") ?? false
      else { continue }
      for file in phase["files"]?.parts ?? [] {
        if let name = linked(objects[file]) { names.insert(name) }
      }
    }
    return names
  }

  private func linked(_ file: PropertyList?) -> String? {
    if let name = objects[file?["productRef"]]?["productName"]?.text { return name }
    guard let path = objects[file?["fileRef"]]?["path"]?.text,
      let name = path.split(separator: "/").last
    else { return nil }
    return String(name.prefix { $0 != "." })
  }
}

/// Where the groups and files of a project lie below its folder, found from the outside in.
private struct PathsOfObjects {
  private enum Found {
    case nothing, open
    /// The path, nil where it is in no folder of the project, and how many groups lead there.
    case path(String?, depth: Int)
  }

  private let objects: PropertyListObjects
  private let maximumDepth: Int
  /// The group that holds a group or a file, by their numbers.
  private var parents: [Int?]
  private var found: [Found]

  init(_ objects: PropertyListObjects, maximumDepth: Int) {
    self.objects = objects
    self.maximumDepth = maximumDepth
    parents = Array(repeating: nil, count: objects.all.count)
    found = Array(repeating: .nothing, count: objects.all.count)
    for (group, object) in objects.all.enumerated() {
      guard let kind = object["isa"], kind.isText("PBXGroup") || kind.isText("PBXVariantGroup")
      else { continue }
      for child in object["children"]?.parts ?? [] {
        guard let child = objects.number(child) else { continue }
        if let other = parents[child], objects.stands(group, before: other) { continue }
        parents[child] = group
      }
    }
  }

  /// The paths of all objects that have one.
  var all: [String?] {
    var copy = self
    return objects.all.indices.map { number in
      objects.all[number]["isa"].map { isPlace($0) } ?? false ? copy.path(of: number).path : nil
    }
  }

  /// Whether objects of a kind lie somewhere.
  private func isPlace(_ kind: PropertyList) -> Bool {
    kind.withBytes { bytes in
      // The versions of a data model form a group.
      bytes.elementsEqual(Array("XCVersionGroup".utf8))
        || bytes.count > 3 && bytes.starts(with: Array("PBX".utf8))
          && !bytes.elementsEqual(Array("PBXBuildFile".utf8))
    }
  }

  private mutating func path(of number: Int) -> (path: String?, depth: Int) {
    switch found[number] {
    case .path(let path, let depth): return (path, depth)
    case .open: return (nil, maximumDepth)
    case .nothing: break
    }
    found[number] = .open
    let made = findPath(of: number)
    found[number] = .path(made.path, depth: made.depth)
    return made
  }

  private mutating func findPath(of number: Int) -> (path: String?, depth: Int) {
    let object = objects.all[number]
    let own = object["path"]?.text ?? ""
    let tree = object["sourceTree"]
    guard tree.map({ $0.isText("<group>") }) ?? true else {
      return (tree?.isText("SOURCE_ROOT") ?? false ? own : nil, 1)
    }
    guard let parent = parents[number] else { return (own, 1) }
    let outer = path(of: parent)
    guard outer.depth + 1 < maximumDepth else { return (nil, maximumDepth) }
    guard let path = outer.path else { return (nil, outer.depth + 1) }
    return (path.isEmpty || own.isEmpty ? path + own : path + "/" + own, outer.depth + 1)
  }
}
