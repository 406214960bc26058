import Testing

/// The lock of a project on which several people work.
@Suite struct LockMergeTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  /// A plan with so many versions, each with one property more.
  private func versions(_ prefix: String, _ count: Int) -> String {
    let names = (1...count).map { "\(prefix)V\($0)" }
    let versions = (1...count).map { number in
      let properties = (1...number).map { "var a\($0): Int?; " }.joined()
      return """
        enum \(names[number - 1]): VersionedSchema {
          static let versionIdentifier = Schema.Version(\(number), 0, 0)
          static var models: [any PersistentModel.Type] { [Trip.self] }
          @Model final class Trip { \(properties)init() {} }
        }

        """
    }.joined()
    let stages = zip(names, names.dropFirst()).map {
      ".lightweight(fromVersion: \($0).self, toVersion: \($1).self)"
    }.joined(separator: ", ")
    let schemas = names.map { $0 + ".self" }.joined(separator: ", ")
    return """
      import SwiftData
      \(versions)
      enum \(prefix)Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [\(schemas)] }
        static var stages: [MigrationStage] { [\(stages)] }
      }

      """
  }

  @Test func branchesThatFreezeDifferentVersionsAreMerged() throws {
    try folder.git("init", "-q", "-b", "main")
    try folder.write("App.swift", versions("App", 2))
    try folder.write("Kit.swift", versions("Kit", 2))
    _ = try persistlint("freeze", in: folder)
    try folder.git("add", ".")
    try folder.git("commit", "-q", "-m", "first")
    for name in ["App", "Kit"] {
      try folder.git("checkout", "-q", "-b", name, "main")
      try folder.write("\(name).swift", versions(name, 3))
      #expect(try persistlint("freeze", in: folder).errors.contains("froze \(name)V2"))
      try folder.git("commit", "-q", "-a", "-m", name)
    }
    try folder.git("merge", "-q", "-m", "both", "App")
    let lock = try folder.read("persistlint.lock")
    #expect(lock.contains("\nfrozen AppV1\nfrozen AppV2\nfrozen KitV1\nfrozen KitV2\n"))
    let run = try persistlint(in: folder)
    #expect(run.exitCode == 0 && run.output.isEmpty, "\(run.errors)")
  }

  @Test func aLockOfAnOlderFormatIsReadAndWrittenAnewWhenAVersionIsFrozen() throws {
    try folder.write("App.swift", versions("App", 2))
    _ = try persistlint("freeze", in: folder)
    let lock = try folder.read("persistlint.lock")
    let old = lock.replacing("persistlint lock 3 0.2.0", with: "persistlint lock 2 0.2.0")
    try folder.write("persistlint.lock", old)
    #expect(try persistlint("freeze", in: folder).errors.contains("holds AppV1 already"))
    #expect(try folder.read("persistlint.lock") == old)
    try folder.write("App.swift", versions("App", 3))
    _ = try persistlint("freeze", in: folder)
    #expect(
      try folder.read("persistlint.lock").hasPrefix(
        "persistlint lock 3 0.2.0\nfrozen AppV1\nfrozen AppV2\n"))
  }
}
