import Foundation
import PackagePlugin

/// `swift package persistlint [OPTION…] [PATH…]`: lints the package, or the paths that are named.
@main
struct PersistlintCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    try lint(
      context.package.directoryURL, with: try context.tool(named: "persistlint").url,
      withoutTargets(arguments))
  }

  private func lint(_ folder: URL, with tool: URL, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    process.currentDirectoryURL = folder
    try process.run()
    process.waitUntilExit()
    switch process.terminationStatus {
    case 0: return
    case 1: Diagnostics.error("persistlint found something that has to be fixed")
    case let code: Diagnostics.error("persistlint ended with exit code \(code)")
    }
  }

  /// Xcode names the targets that are chosen; the rules look across them.
  private func withoutTargets(_ arguments: [String]) -> [String] {
    guard arguments.contains("--target") else { return arguments }
    var extractor = ArgumentExtractor(arguments)
    _ = extractor.extractOption(named: "target")
    return extractor.remainingArguments
  }
}

#if canImport(XcodeProjectPlugin)
  import XcodeProjectPlugin

  extension PersistlintCommand: XcodeCommandPlugin {
    /// Lints the folder of an Xcode project.
    func performCommand(context: XcodePluginContext, arguments: [String]) throws {
      let arguments = withoutTargets(arguments)
      let hasFormat = arguments.contains { $0.hasPrefix("--format") }
      try lint(
        context.xcodeProject.directoryURL, with: try context.tool(named: "persistlint").url,
        (hasFormat ? [] : ["--format", "xcode"]) + arguments)
    }
  }
#endif
