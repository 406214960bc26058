import PersistIndex
import PersistSchema
import PersistVersions
import Testing

/// What a model class stores.
@Suite struct SchemaModelTests {
  private func facts(_ body: String, _ more: String = "") -> [String] {
    schemas(versionSource("V1", "Trip.self") + "@Model final class Trip {\n\(body)\n}\n" + more)
      .facts("V1", "Trip").filter { $0 != "= Trip entity" }
  }

  @Test func macrosStandOnTheLineBeforeOnTheSameLineAndUnderConditions() {
    #expect(
      facts(
        """
        @Attribute(.unique, originalName: "key") var id: UUID
        @Attribute(.externalStorage, .spotlight)
        private(set) var photo: Data?
        #if os(iOS)
        @Attribute(.allowsCloudEncryption)
        #endif
        var note = ""
        """) == [
          "= Trip unique id", "= Trip.id attribute UUID", "= Trip.note attribute String",
          "= Trip.photo attribute Data", "= Trip.photo external", "= Trip.photo optional",
          "~ Trip.id original key", "~ Trip.note default \"\"", "~ Trip.note encrypted",
          "~ Trip.photo spotlight",
        ])
  }

  @Test func onlyStoredPropertiesCount() {
    #expect(
      facts(
        """
        var a = 1, b: Double
        let made: Date
        var seen: Bool { didSet { print(seen) } }
        var full: String { "x" }
        var both: Int { get { 1 } set {} }
        static var shared = 1
        @Transient var cache: [Int] = []
        @Attribute(.ephemeral) var now: Int = 0
        lazy var later = 1
        func go() { var inner = 1 }
        """
      ).filter { $0.contains("attribute") } == [
        "= Trip.a attribute Int64", "= Trip.b attribute Double", "= Trip.later attribute Int64",
        "= Trip.made attribute Date", "= Trip.seen attribute Bool",
      ])
  }

  @Test func relationshipsWithTheirOptionsAndInverses() {
    let program = schemas(
      versionSource("V1", "Trip.self") + """
        @Model class Trip {
          @Relationship(deleteRule: .cascade, minimumModelCount: 1, inverse: \\Stop.trip)
          var stops: [Stop]? = []
          var owner: Person
        }
        @Model class Stop { var trip: Trip? }
        @Model class Person { var trips: [Trip] }
        """)
    #expect(
      program.facts("V1", "Trip") == [
        "= Trip entity", "= Trip.owner inverse trips", "= Trip.owner relationship Person",
        "= Trip.stops inverse trip", "= Trip.stops many", "= Trip.stops minimum 1",
        "= Trip.stops optional", "= Trip.stops relationship Stop", "~ Trip.owner delete nullify",
        "~ Trip.stops delete cascade",
      ])
    #expect(program.facts("V1", "Stop").contains("= Stop.trip inverse stops"))
  }

  @Test func uniqueAndIndexMacros() {
    #expect(
      facts(
        """
        #Unique<Trip>([\\.b, \\.a], [\\.place.x])
        #Index<Trip>([\\.a], [\\.a, \\.b])
        var a: Int; var b: Int
        """
      ).filter { $0.contains("unique") || $0.contains("index") } == [
        "= Trip unique a,b", "= Trip unique place.x", "~ Trip index a", "~ Trip index a,b",
      ])
  }

  @Test func spellingsOfOneTypeAreOne() {
    #expect(
      facts(
        """
        var a: TimeInterval; var b: Seconds; var c: Swift.String; var d: Optional<Int>
        var e: Array<String>; var f: Int64; var g: [String: Int]
        """, "typealias Seconds = Double"
      ).filter { $0.contains("attribute") || $0.contains("element") } == [
        "= Trip.a attribute Double", "= Trip.b attribute Double", "= Trip.c attribute String",
        "= Trip.d attribute Int64", "= Trip.e attribute collection", "= Trip.f attribute Int64",
        "= Trip.g attribute collection", "~ Trip.e element String",
        "~ Trip.g element String: Int",
      ])
  }

  @Test func storedStructsAndEnums() {
    #expect(
      facts(
        "var place: Place; var kind: Kind; var way: Way; var list: [Place]; var own: Coded",
        """
        struct Place: Codable {
          var x: Double = 0, inner: Inner?
          static let zero = Place()
          var sum: Double { x }
          struct Inner: Codable { var y: Int }
        }
        enum Kind: String, Codable { case a, b = "B" }
        enum Way: Codable { case foot, train(line: Int) }
        struct Coded: Codable { var z: Int; func encode(to encoder: Encoder) throws {} }
        """) == [
          "= Trip.kind attribute enum String", "= Trip.list attribute collection",
          "= Trip.own attribute ?Coded", "= Trip.place attribute struct",
          "= Trip.place.inner member struct", "= Trip.place.inner optional",
          "= Trip.place.inner.y member Int64", "= Trip.place.x member Double",
          "= Trip.way attribute enum", "= Trip.way.foot member ?()",
          "= Trip.way.train member ?( line : Int )", "~ Trip.kind cases B,a",
          "~ Trip.list element Place", "~ Trip.list.inner member struct",
          "~ Trip.list.inner optional", "~ Trip.list.inner.y member Int64",
          "~ Trip.list.x default 0", "~ Trip.list.x member Double", "~ Trip.place.x default 0",
        ])
  }

  @Test func structsThatHoldThemselvesEnd() {
    #expect(
      facts("var tree: Node", "struct Node: Codable { var next: [Node]; var other: [Node] }")
        .contains("= Trip.tree.next member collection"))
  }

  @Test func typesOfInitialValues() {
    #expect(
      facts(
        """
        var a = 1; var b = 1.5; var c = true; var d = Date.now; var e = UUID(); var f = [String]()
        var g = Kind.one; var h = make(); var i = ["x"]
        """, "enum Kind: Int { case one }"
      ).filter { $0.contains("attribute") } == [
        "= Trip.a attribute Int64", "= Trip.b attribute Double", "= Trip.c attribute Bool",
        "= Trip.d attribute Date", "= Trip.e attribute UUID", "= Trip.f attribute collection",
        "= Trip.g attribute enum Int64", "= Trip.h attribute ?= of Trip.h",
        "= Trip.i attribute collection",
      ])
  }

  @Test func modelsWithoutVersionsAreKnown() {
    let program = schemas("struct App { @Model class Trip { var a: Int } }")
    #expect(program.models.map(\.qualifiedName) == ["App.Trip"])
  }
}

/// Plans and their stages.
@Suite struct SchemaPlanTests {
  private let versions =
    versionSource("V1", "T.self", "@Model class T { var a: Int }")
    + versionSource("V2", "T.self", "@Model class T { var a: Int?; var b: Int? }")
    + versionSource("V3", "T.self", "@Model class T { var c: Int? }")

  private func plan(_ body: String, _ more: String = "") -> (MigrationPlan?, SchemaProgram) {
    let program = schemas(versions + "enum Plan: SchemaMigrationPlan {\n\(body)\n}\n" + more)
    return (program.plans.first, program)
  }

  private func stages(_ plan: MigrationPlan?) -> [String] {
    (plan?.stages ?? []).map { stage in
      "\(stage.kind) \(stage.fromText) \(stage.toText)"
        + (stage.hasWill ? " will" : "") + (stage.hasDid ? " did" : "")
    }
  }

  @Test func stagesAreInlineMembersOrMembersOfOtherTypes() {
    let (plan, _) = plan(
      """
      static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
      static var stages: [MigrationStage] {
        [.lightweight(fromVersion: V1.self, toVersion: V2.self), Other.stage]
      }
      """,
      """
      enum Other {
        static let stage = MigrationStage.custom(
          fromVersion: V2.self, toVersion: V3.self, willMigrate: nil, didMigrate: { _ in })
      }
      """)
    #expect(stages(plan) == ["lightweight V1 V2", "custom V2 V3 did"])
    #expect(plan?.unlistedStages.isEmpty == true)
  }

  @Test func theStagesDefineTheChain() {
    let (plan, program) = plan(
      """
      static let schemas: [any VersionedSchema.Type] = [V3.self, V1.self, V2.self]
      static let stages: [MigrationStage] = [one, two]
      static let two = MigrationStage.lightweight(fromVersion: V2.self, toVersion: V3.self)
      static let one = MigrationStage.custom(
        fromVersion: V1.self, toVersion: V2.self, willMigrate: before, didMigrate: nil)
      static let lost = MigrationStage.lightweight(fromVersion: V1.self, toVersion: V3.self)
      """)
    #expect(plan?.chain.map { program.versions[$0].name } == ["V1", "V2", "V3"])
    #expect(stages(plan) == ["custom V1 V2 will", "lightweight V2 V3"])
    #expect(plan?.unlistedStages.map(\.name) == ["lost"])
  }

  @Test func typesThatAreNoVersionsAreNamed() {
    let (plan, _) = plan(
      """
      static var schemas: [any VersionedSchema.Type] { [V1.self, Missing.self] }
      static var stages: [MigrationStage] { [] }
      """)
    #expect(plan?.unknownSchemas == ["Missing"])
    #expect(plan?.schemas == nil)
    #expect(plan?.isStaged == false)
  }
}
