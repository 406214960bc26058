import Foundation
import PackagePlugin

/// `swift package persistlint [OPTION…] [PATH…]`: lints the package, or the paths that are named.
@main
struct PersistlintCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let process = Process()
    process.executableURL = try context.tool(named: "persistlint").url
    process.arguments = arguments
    process.currentDirectoryURL = context.package.directoryURL
    try process.run()
    process.waitUntilExit()
    switch process.terminationStatus {
    case 0: return
    case 1: Diagnostics.error("persistlint found something that has to be mended")
    case let code: Diagnostics.error("persistlint ended with exit code \(code)")
    }
  }
}
