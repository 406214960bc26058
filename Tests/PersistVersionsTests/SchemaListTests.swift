import PersistVersions
import Testing

/// The classes that a version lists whose `models` are worked out by some code; nil where that can't
/// be told.
private func classes(_ models: String, _ rest: String = "") -> [String]? {
  let schema = schemas(
    """
    @Model final class Trip { var name = ""; init() {} }
    @Model final class Stop { var name = ""; init() {} }
    @Model final class Leg { var name = ""; init() {} }
    enum Old: VersionedSchema {
      static let versionIdentifier = Schema.Version(1, 0, 0)
      static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
    }
    enum New: VersionedSchema {
      static let versionIdentifier = Schema.Version(2, 0, 0)
      static var models: [any PersistentModel.Type] { \(models) }
    }
    \(rest)
    """)
  let version = schema.version("New")
  return version?.shape.gaps.isEmpty ?? false ? schema.classes("New") : nil
}

@Suite struct SchemaListTests {
  @Test(arguments: [
    "Old.models + [Leg.self]",
    "var all = Old.models; all.append(Leg.self); return all",
    "var all = Old.models; all += [Leg.self] as [any PersistentModel.Type]; return all",
    "var all: [any PersistentModel.Type] = []; for model in Old.models { all.append(model) }; "
      + "return all + [Leg.self]",
    "[Old.models, [Leg.self]].flatMap { $0 }",
    "[[Trip.self], [Stop.self, Leg.self]].joined().map { $0 as any PersistentModel.Type }",
    "Array(Old.models.dropLast()) + [Stop.self, Leg.self]",
    "[Trip.self, Leg.self, Stop.self].filter { $0 != Leg.self } + [Leg.self]",
    "if true { return Old.models + [Leg.self] } else { return [] }",
    "false ? [] : Old.models + [Leg.self]",
    "func add(_ more: any PersistentModel.Type) -> [any PersistentModel.Type] { "
      + "Old.models + [more] }; return add(Leg.self)",
    "{ Old.models + [Leg.self] }()",
    "switch 2 { default: return Old.models + [Leg.self] }",
    "Old.models.indices.map { Old.models[$0] } + [Leg.self]",
    "(0..<2).map { Old.models[$0] } + [Leg.self]",
    "func all(_ models: any PersistentModel.Type...) -> [any PersistentModel.Type] { models }; "
      + "return all(Trip.self, Stop.self, Leg.self)",
    "guard let first = Old.models.first else { return [] }; return [first, Stop.self, Leg.self]",
  ])
  func whatPutsAListTogetherIsRun(_ models: String) {
    #expect(classes(models) == ["Trip", "Stop", "Leg"])
  }

  @Test(arguments: [
    "Outside.models + [Leg.self]",
    "Outside.isNew ? Old.models : [Leg.self]",
    "var all = Old.models; if Outside.isNew { all.append(Leg.self) }; return all",
    "var all = Old.models; Outside.fill(&all); return all",
    "for model in Outside.models { return [model] }; return []",
    "Old.models.filter { Outside.takes($0) }",
    "(0..<Outside.count).map { Old.models[$0] }",
    "Old.models + New.models",
  ])
  func whatCannotBeKnownIsNoList(_ models: String) {
    #expect(classes(models) == nil)
  }

  @Test func helpersAreRunWithWhatTheyAreGiven() {
    #expect(
      classes(
        "Lists.joined(Old.self, with: Leg.self)",
        """
        enum Lists {
          static func joined<V: VersionedSchema>(
            _ version: V.Type, with more: any PersistentModel.Type
          ) -> [any PersistentModel.Type] { V.models + [more] }
        }
        """) == ["Trip", "Stop", "Leg"])
    #expect(
      classes(
        "Lists.joined(Outside.version, with: Leg.self)",
        """
        enum Lists {
          static func joined<V: VersionedSchema>(
            _ version: V.Type, with more: any PersistentModel.Type
          ) -> [any PersistentModel.Type] { V.models + [more] }
        }
        """) == nil)
  }

  @Test func aProtocolOfTheProjectMayGiveTheList() {
    let schema = schemas(
      """
      protocol AppSchema: VersionedSchema {
        static var added: [any PersistentModel.Type] { get }
      }
      extension AppSchema {
        static var versionIdentifier: Schema.Version { .init(added.count, 0, 0) }
        static var models: [any PersistentModel.Type] { [Trip.self] + added }
      }
      @Model final class Trip { var name = ""; init() {} }
      enum V2: AppSchema {
        static var added: [any PersistentModel.Type] { [Stop.self, Leg.self] }
        @Model final class Stop { var name = ""; init() {} }
        @Model final class Leg { var name = ""; init() {} }
      }
      """)
    #expect(schema.classes("V2") == ["Trip", "V2.Stop", "V2.Leg"])
    #expect(schema.version("V2")?.identifier == [2, 0, 0])
  }

  @Test func stagesMayComeFromFunctions() {
    let schema = schemas(
      versionSource("V1", "") + versionSource("V2", "") + versionSource("V3", "") + """
        enum Plan: SchemaMigrationPlan {
          static let steps: [(any VersionedSchema.Type, any VersionedSchema.Type)] = [
            (V1.self, V2.self), (V2.self, V3.self),
          ]
          static var schemas: [any VersionedSchema.Type] {
            [V1.self] + steps.map { $0.1 }
          }
          static var stages: [MigrationStage] {
            steps.map { from, to in .lightweight(fromVersion: from, toVersion: to) }
          }
        }
        """)
    #expect(schema.plans.first?.schemas == [0, 1, 2])
    #expect(schema.plans.first?.stages?.map(\.from) == [0, 1])
    #expect(schema.plans.first?.stages?.map(\.to) == [1, 2])
  }
}
