// swift-tools-version: 6.0

import PackageDescription

let package = Package(
  name: "persistlint",
  platforms: [.macOS(.v13)],
  products: [.executable(name: "persistlint", targets: ["persistlint"])],
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
