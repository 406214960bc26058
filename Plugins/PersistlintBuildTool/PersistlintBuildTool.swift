import Foundation
import PackagePlugin

/// Lints a target whenever it is built; all settings come from `.persistlint.json`.
@main
struct PersistlintBuildTool: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    guard let target = target as? SwiftSourceModuleTarget else { return [] }
    // The rules look across files, so the package's other targets are looked at too.
    let seen =
      [target]
      + target.recursiveTargetDependencies.compactMap { dependency in
        context.package.targets.contains { $0.id == dependency.id }
          ? dependency as? SwiftSourceModuleTarget : nil
      }
    // A command without an output doesn't run, and anything but source would ship as a resource.
    let stamp = context.pluginWorkDirectoryURL.appending(path: "Linted.swift")
    let configuration = context.package.directoryURL.appending(path: ".persistlint.json")
    let isConfigured = FileManager.default.fileExists(atPath: configuration.path)
    return [
      .buildCommand(
        displayName: "Lint the persistence code of \(target.name)",
        executable: try context.tool(named: "persistlint").url,
        arguments: [
          "--quiet", "--format", "xcode", "--stamp", stamp.path, "--report-under",
          target.directoryURL.path,
        ] + (isConfigured ? ["--config", configuration.path] : [])
          + seen.map(\.directoryURL.path),
        inputFiles: seen.flatMap { $0.sourceFiles(withSuffix: "swift").map(\.url) }
          + (isConfigured ? [configuration] : []),
        outputFiles: [stamp])
    ]
  }
}
