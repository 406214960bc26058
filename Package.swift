// swift-tools-version: 6.0

import PackageDescription

let package = Package(
  name: "persistlint",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "persistlint", targets: ["persistlint"]),
    .plugin(name: "PersistlintCommand", targets: ["PersistlintCommand"]),
    .plugin(name: "PersistlintBuildTool", targets: ["PersistlintBuildTool"]),
  ],
  targets: [
    .target(name: "PersistSyntax"),
    .target(name: "PersistSchema"),
    .target(name: "PersistIndex", dependencies: ["PersistSyntax", "PersistSchema"]),
    .target(
      name: "PersistRules", dependencies: ["PersistSyntax", "PersistSchema", "PersistIndex"]),
    .target(name: "PersistReport", dependencies: ["PersistRules"]),
    .executableTarget(
      name: "persistlint",
      dependencies: [
        "PersistSyntax", "PersistSchema", "PersistIndex", "PersistRules", "PersistReport",
      ]),
    .plugin(
      name: "PersistlintCommand",
      capability: .command(
        intent: .custom(verb: "persistlint", description: "Find persistence bugs in the package")),
      dependencies: ["persistlint"]),
    .plugin(
      name: "PersistlintBuildTool", capability: .buildTool(), dependencies: ["persistlint"]),
    .testTarget(name: "PersistSyntaxTests", dependencies: ["PersistSyntax"]),
    .testTarget(name: "PersistSchemaTests", dependencies: ["PersistSchema"]),
    .testTarget(name: "PersistIndexTests", dependencies: ["PersistIndex", "PersistSyntax"]),
    .testTarget(
      name: "PersistRulesTests",
      dependencies: ["PersistRules", "PersistIndex", "PersistSyntax", "PersistSchema"],
      exclude: ["Cases"]),
    .testTarget(name: "PersistReportTests", dependencies: ["PersistReport", "PersistRules"]),
    .testTarget(name: "CommandTests", dependencies: ["persistlint"]),
    .testTarget(name: "TidyTests"),
  ]
)
