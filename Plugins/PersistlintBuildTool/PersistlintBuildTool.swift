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
    return [
      try command(
        target.name, executable: try context.tool(named: "persistlint").url,
        workFolder: context.pluginWorkDirectoryURL, projectFolder: context.package.directoryURL,
        report: ["--report-under", target.directoryURL.path],
        paths: seen.map(\.directoryURL.path),
        inputFiles: seen.flatMap { $0.sourceFiles(withSuffix: "swift").map(\.url) })
    ]
  }

  private func command(
    _ name: String, executable: URL, workFolder: URL, projectFolder: URL, report: [String],
    paths: [String], inputFiles: [URL]
  ) throws -> Command {
    // A command without an output doesn't run, and anything but source would ship as a resource.
    let stamp = workFolder.appending(path: "Linted.swift")
    let runs = workFolder.appending(path: "Runs.txt")
    if !FileManager.default.fileExists(atPath: runs.path) { try Data().write(to: runs) }
    return .buildCommand(
      displayName: "Lint the persistence code of \(name)", executable: executable,
      arguments: [
        "--quiet", "--format", "xcode", "--stamp", stamp.path, "--project", projectFolder.path,
        "--runs", runs.path,
      ] + report + paths,
      // A build fails when an input isn't there, and settings come and go. The folder tells when
      // the first one comes; as long as there is one, persistlint writes `Runs.txt` again, so that
      // each build asks it whether anything has changed.
      inputFiles: inputFiles + [projectFolder, runs], outputFiles: [stamp])
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension PersistlintBuildTool: XcodeBuildToolPlugin {
    /// Looks at the whole project, and reports on the files of one of its targets.
    func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
      let sources = target.inputFiles.map(\.url).filter { $0.pathExtension == "swift" }
      guard !sources.isEmpty else { return [] }
      // A target of Xcode has no folder of its own.
      let list = context.pluginWorkDirectoryURL.appending(path: "Sources.txt")
      try sources.map { $0.path + "\n" }.joined().write(to: list, atomically: true, encoding: .utf8)
      return [
        try command(
          target.displayName, executable: try context.tool(named: "persistlint").url,
          workFolder: context.pluginWorkDirectoryURL,
          projectFolder: context.xcodeProject.directoryURL,
          report: ["--files-from", list.path], paths: [context.xcodeProject.directoryURL.path],
          inputFiles: context.xcodeProject.targets.flatMap { other in
            other.inputFiles.map(\.url).filter { $0.pathExtension == "swift" }
          })
      ]
    }
  }
#endif
