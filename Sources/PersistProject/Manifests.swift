/// What the manifests that are written in Swift say of their targets.
package struct Manifests: Sendable {
  /// A target with what its settings are made from.
  package struct Entry: Sendable {
    package var target: Target
    /// The settings of each configuration, from the outermost place on.
    package var configurations: [[Source]] = []
    /// The path of the entitlements; nil where none is named.
    package var entitlements: String?

    package init(_ target: Target) { self.target = target }
  }

  /// Where settings stand.
  package enum Source: Sendable {
    case values([String: String])
    /// A configuration file, by its path.
    case file(String)
  }

  package var entries: [Entry] = []
  /// The folders of manifests of which not all targets can be told.
  package var unreadRoots: [String] = []

  package init() {}

  /// The targets, with what the files that they name say.
  func targets(with files: ProjectFiles) -> [Target] {
    entries.map { entry in
      var target = entry.target
      if !entry.configurations.isEmpty {
        let known = target.platforms
        target.take(
          entry.configurations.map { sources in
            sources.reduce(BuildSettings()) { settings, source in
              switch source {
              case .values(let values): settings.overlaid(by: BuildSettings(values))
              case .file(let path):
                settings.overlaid(by: ConfigurationFile.settings(at: path, in: files))
              }
            }
          })
        target.platforms = known ?? target.platforms
      }
      if let path = entry.entitlements {
        target.entitlements = files[path].map { Entitlements($0.bytes()) }
      }
      return target
    }
  }
}
