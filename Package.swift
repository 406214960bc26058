// swift-tools-version: 6.0

import Foundation
import PackageDescription

// A tool of a plugin is compiled for the plugin once more, though a hook of pre-commit runs no
// plugin. Before it builds, pre-commit makes this folder in its clone.
let isHook = FileManager.default.fileExists(
  atPath: Context.packageDirectory + "/swift_env-default")

let package = Package(
  name: "persistlint",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "persistlint", targets: ["persistlint"])
  ]
    + (isHook
      ? []
      : [
        .plugin(name: "PersistlintCommand", targets: ["PersistlintCommand"]),
        .plugin(name: "PersistlintBuildTool", targets: ["PersistlintBuildTool"]),
      ]),
  targets: [
    .target(name: "PersistSyntax"),
    .target(name: "PersistSchema"),
    .target(name: "PersistStore", dependencies: ["PersistSchema"]),
    .target(name: "PersistProject"),
    .target(name: "PersistPages"),
    .target(
      name: "PersistIndex", dependencies: ["PersistSyntax", "PersistSchema", "PersistProject"]),
    .target(
      name: "PersistFlow", dependencies: ["PersistSyntax", "PersistIndex"], exclude: ["Plan.md"]),
    .target(
      name: "PersistVersions",
      dependencies: ["PersistSyntax", "PersistSchema", "PersistIndex", "PersistFlow"]),
    .target(
      name: "PersistRules",
      dependencies: [
        "PersistSyntax", "PersistSchema", "PersistProject", "PersistPages", "PersistIndex",
        "PersistFlow", "PersistVersions",
      ]),
    .target(name: "PersistReport", dependencies: ["PersistRules", "PersistPages"]),
    .target(
      name: "PersistServer", dependencies: ["PersistRules", "PersistReport", "PersistPages"]),
    .executableTarget(
      name: "persistlint",
      dependencies: [
        "PersistSyntax", "PersistSchema", "PersistStore", "PersistProject", "PersistPages",
        "PersistIndex", "PersistFlow", "PersistVersions", "PersistRules", "PersistReport",
        "PersistServer",
      ]),
    .testTarget(name: "PersistSyntaxTests", dependencies: ["PersistSyntax"]),
    .testTarget(name: "PersistSchemaTests", dependencies: ["PersistSchema"]),
    .testTarget(name: "PersistStoreTests", dependencies: ["PersistStore", "PersistSchema"]),
    .testTarget(name: "PersistProjectTests", dependencies: ["PersistProject"]),
    .testTarget(
      name: "PersistIndexTests",
      dependencies: ["PersistIndex", "PersistSyntax", "PersistProject"], exclude: ["Types"]),
    .testTarget(
      name: "PersistFlowTests",
      dependencies: ["PersistFlow", "PersistIndex", "PersistSyntax", "PersistProject"],
      exclude: ["Facts"]),
    .testTarget(
      name: "PersistVersionsTests",
      dependencies: [
        "PersistVersions", "PersistIndex", "PersistSyntax", "PersistSchema", "PersistProject",
      ]),
    .testTarget(
      name: "PersistRulesTests",
      dependencies: [
        "PersistRules", "PersistPages", "PersistVersions", "PersistIndex", "PersistSyntax",
        "PersistSchema",
      ],
      exclude: ["Cases"]),
    .testTarget(
      name: "PersistReportTests", dependencies: ["PersistReport", "PersistRules", "PersistPages"]),
    .testTarget(
      name: "PersistServerTests",
      dependencies: ["PersistServer", "PersistReport", "PersistRules", "PersistPages"]),
    .testTarget(name: "CommandTests", dependencies: ["persistlint"]),
    .testTarget(name: "TidyTests"),
  ]
    + (isHook
      ? []
      : [
        .plugin(
          name: "PersistlintCommand",
          capability: .command(
            intent: .custom(
              verb: "persistlint", description: "Find persistence bugs in the package")),
          dependencies: ["persistlint"]),
        .plugin(
          name: "PersistlintBuildTool", capability: .buildTool(), dependencies: ["persistlint"]),
      ])
)
