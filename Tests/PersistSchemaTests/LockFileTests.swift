import PersistSchema
import Testing

@Suite("The lock file")
struct LockFileTests {
  private var shape: SchemaShape {
    SchemaShape(
      entities: [
        Entity(
          name: "Stop", properties: [toOne("trip", "Trip", inverse: .given("stops"))],
          uniqueness: [["id", "trip"]]),
        Entity(
          name: "Trip", superentity: "Base",
          properties: [
            attribute("name", optional: true, default: "\"a\\b\nc\"", original: "title"),
            attribute(
              "place",
              structure(
                Member(
                  name: "inner", type: structure(Member(name: "y", type: .string)),
                  isOptional: true),
                Member(name: "x", type: .double)), external: true),
            attribute(
              "tags", .collection(element: "Tag", members: [Member(name: "t", type: .string)]),
              default: "[]"),
            attribute("kind", .rawEnum(raw: "String", cases: ["a", "b"])),
            attribute("way", .payloadEnum([Member(name: "by", type: .unknown("(Int)"))])),
            attribute("color", .transformable, coding: .transformer("ColorTransformer")),
            toMany("stops", "Stop", ordered: true, minimum: 1, maximum: 9, inverse: .given("trip")),
          ], indexes: [["name", "kind"]]),
        Entity(name: "Trip", twin: "SchemaV2.Trip"),
      ],
      gaps: [Gap(entity: "Stop", property: "extra", reason: "Stop.extra has a generic type")])
  }

  @Test("what is written is read again")
  func roundTrip() throws {
    let lock = LockFile(
      versions: ["App/SchemaV1.Old": shape, "Model 2": trip(attribute("a"))],
      plans: ["TripPlan": true, "OtherPlan": false])
    let read = try LockFile(parsing: lock.text)
    #expect(read == lock)
    #expect(read.text == lock.text)
  }

  @Test("one fact a line, sorted, hard and soft told apart")
  func text() {
    let lock = LockFile(
      versions: [
        "SchemaV1": trip(
          attribute("name", default: "\"\""), attribute("day", .date, optional: true))
      ], plans: ["TripPlan": true])
    let lines = lock.text.split(separator: "\n").map(String.init)
    #expect(
      lines.filter { !$0.contains(" # ") } == [
        "persistlint lock 3 0.2.0",
        "frozen SchemaV1",
        "plan TripPlan staged",
        "SchemaV1 = Trip entity",
        "SchemaV1 = Trip.day attribute Date",
        "SchemaV1 = Trip.day optional",
        "SchemaV1 = Trip.name attribute String",
        "SchemaV1 ~ Trip.name default \"\"",
      ])
  }

  @Test("migrations keep their order, and any text as an id")
  func migrations() throws {
    var lock = LockFile(versions: ["V1": trip(attribute("a"))])
    lock.migrators = [
      FrozenMigrator(
        name: "Store.migrator",
        migrations: [
          .init(id: "v2 [new]", fingerprint: "00ff"), .init(id: "", fingerprint: "01"),
          .init(id: "a%b\nc", fingerprint: "02"),
        ]),
      FrozenMigrator(name: "make()", migrations: [.init(id: "v1", fingerprint: "03")]),
    ]
    lock.migrators[1].migrations[0].definitions = "0a"
    lock.migrators[1].migrations[0].liveTables = ["old trip", "stop"]
    let read = try LockFile(parsing: lock.text)
    #expect(read == lock)
    #expect(read.migrators == lock.migrators)
    let lines = lock.text.split(separator: "\n").filter { !$0.contains("Store.migrator %25") }
    let cut = lines.filter { !$0.contains("a%25b") }.joined(separator: "\n")
    #expect(throws: LockError.self) { try LockFile(parsing: cut) }
  }

  @Test("a file of format 1 is read, and written in that format until it is frozen again")
  func olderFormat() throws {
    var lock = LockFile(versions: ["V1": trip(attribute("a"))])
    lock.format = 1
    var read = try LockFile(parsing: lock.text)
    #expect(read == lock)
    read.migrators = [
      FrozenMigrator(name: "m", migrations: [.init(id: "v1", fingerprint: "0")])
    ]
    #expect(read.text == lock.text)
  }

  @Test("each frozen version has a line of its own, and the one line of older formats is read")
  func namesOfVersions() throws {
    var lock = LockFile(
      versions: ["V1": trip(attribute("a")), "Kit/V 2": trip(attribute("b"))])
    #expect(lock.text.contains("\nfrozen Kit/V%202\nfrozen V1\n"))
    #expect(try LockFile(parsing: lock.text) == lock)
    lock.format = 2
    #expect(lock.text.hasPrefix("persistlint lock 2 0.2.0\nfrozen Kit/V%202 V1\n"))
    #expect(try LockFile(parsing: lock.text) == lock)
  }

  @Test("Windows line ends are read")
  func carriageReturns() throws {
    let lock = LockFile(versions: ["V1": trip(attribute("a"))])
    let text = lock.text.split(separator: "\n").joined(separator: "\r\n")
    #expect(try LockFile(parsing: text) == lock)
  }

  @Test(
    "a file that is none says so with its line",
    arguments: [
      ("", "line 1: not a lock file"),
      ("hello\n", "line 1: not a lock file"),
      ("persistlint lock 9\n", "line 1: format 9 is unknown"),
      (
        "persistlint lock 4 0.7.0\n",
        "line 1: format 4 is unknown, this persistlint reads formats 1 to 3: persistlint 0.7.0"
      ),
      ("persistlint lock 2 0.2.0\nfrozen\n[future] 0\n", "line 3: the section `future` is unknown"),
      ("persistlint lock 2 0.2.0\nfrozen\n[migrations] 0\n", "line 3: the lines of `migrations`"),
      ("persistlint lock 1\n", "line 2: `frozen`"),
      ("persistlint lock 3 0.2.0\nV1 = Trip entity\n", "line 2: `V1` is not among the frozen"),
      ("persistlint lock 3 0.2.0\nfrozen V1\nfrozen V2\n", "line 2: the lines of `V1` are"),
      ("persistlint lock 1\nV1 = Trip entity\n", "line 2: `frozen`"),
      ("persistlint lock 1\nfrozen V1\n", "line 2: the lines of `V1` are missing"),
      ("persistlint lock 1\nfrozen\nV1 = Trip entity\n", "line 3: `V1` is not among"),
      ("persistlint lock 1\nfrozen V1\nV1 = Trip nonsense\n", "line 3: no fact"),
      ("persistlint lock 1\nfrozen V1\nV1 = Trip..a attribute Int64\n", "line 3: no fact"),
      ("persistlint lock 1\nfrozen V1\n<<<<<<< HEAD\n", "line 3: a merge conflict"),
      ("persistlint lock 1\nfrozen V1\nplan A\n", "line 3: `plan NAME staged`"),
    ])
  func damaged(_ text: String, _ message: String) {
    let error = #expect(throws: LockError.self) { try LockFile(parsing: text) }
    #expect(error.map { "\($0)".hasPrefix(message) } ?? false, "\(String(describing: error))")
  }

  @Test("a line that was taken out is noticed")
  func missingLine() {
    let lock = LockFile(versions: ["V1": trip(attribute("a"), attribute("b"))])
    let text = lock.text.split(separator: "\n").filter { !$0.contains("Trip.b") }
    let error = #expect(throws: LockError.self) {
      try LockFile(parsing: text.joined(separator: "\n"))
    }
    #expect(error?.message.contains("`V1` don't match their fingerprint") ?? false)
  }
}

@Suite("Large schemas")
struct LargeSchemaTests {
  @Test("two versions of 500 entities each are compared property by property")
  func difference() {
    func shape(_ last: String) -> SchemaShape {
      SchemaShape(
        entities: (0..<500).map { number in
          Entity(
            name: "Entity\(number)",
            properties: (0..<12).map { attribute("property\($0)") } + [attribute(last)])
        })
    }
    #expect(Migration(from: shape("before"), to: shape("after")).judgements.count == 1000)
  }
}
