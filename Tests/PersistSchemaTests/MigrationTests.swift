import PersistSchema
import Testing

/// One way from a version to the next, and what inferred migration can do about it.
struct Step: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var before: SchemaShape
  var after: SchemaShape
  var verdict: Verdict
  var code: Int?

  init(
    _ name: String, _ before: SchemaShape, _ after: SchemaShape, _ verdict: Verdict,
    code: Int? = nil
  ) {
    testDescription = name
    self.before = before
    self.after = after
    self.verdict = verdict
    self.code = code
  }
}

private let base = trip(attribute("a"))
private let place = structure(Member(name: "x", type: .double))

private let additions: [Step] = [
  Step(
    "new optional property", base, trip(attribute("a"), attribute("b", optional: true)),
    .lightweight),
  Step(
    "new to-many with = []", base, trip(attribute("a"), toMany("stops", "Stop")), .lightweight),
  Step(
    "new optional to-many", base, trip(attribute("a"), toMany("stops", "Stop", optional: true)),
    .lightweight),
  Step(
    "new required attribute with a default", base,
    trip(attribute("a"), attribute("b", default: "\"\"")), .lightweight),
  Step(
    "new required attribute without a default", base, trip(attribute("a"), attribute("b")),
    .cantOpen, code: 134110),
  Step(
    "a default that is not constant", base,
    trip(attribute("a"), attribute("b", .date, default: "Date()")), .lightweight),
  Step(
    "a default that is not constant on a unique property", base,
    trip(attribute("a"), attribute("b", .uuid, default: "UUID()"), unique: [["b"]]), .cantOpen,
    code: 134110),
  Step(
    "new required to-one relationship", base,
    trip(attribute("a"), toOne("owner", "Person", optional: false)), .cantOpen, code: 134110),
  Step("entity added", base, version(Entity(name: "Stop"), base.entities[0]), .lightweight),
  Step(
    "unique on a new property with a constant default", base,
    trip(attribute("a"), attribute("b", default: "\"\""), unique: [["b"]]), .cantOpen,
    code: 134110),
]

private let losses: [Step] = [
  Step(
    "property removed", trip(attribute("a"), attribute("b")), trip(attribute("a")), .losesData),
  Step("entity removed", version(Entity(name: "Stop"), base.entities[0]), base, .losesData),
  Step(
    "rename with originalName", base, trip(attribute("b", original: "a")), .lightweight),
  Step(
    "rename without it, the new one optional", base, trip(attribute("b", optional: true)),
    .losesData),
  Step("rename without it", base, trip(attribute("b")), .cantOpen, code: 134110),
  Step(
    "class renamed", version(Entity(name: "Trip")), version(Entity(name: "Journey")), .losesData),
  Step(
    "entity renamed with a renaming identifier", version(Entity(name: "Trip")),
    version(Entity(name: "Journey", originalName: "Trip")), .lightweight),
  Step(
    "rename and type change together", base, trip(attribute("b", .date, original: "a")),
    .needsCustomStage, code: 134190),
]

private let types: [Step] = [
  Step("T to T?", base, trip(attribute("a", optional: true)), .lightweight),
  Step(
    "T? to T with a default", trip(attribute("a", optional: true)),
    trip(attribute("a", default: "\"\"")), .lightweight),
  Step(
    "T? to T without a default", trip(attribute("a", optional: true)), base, .needsCustomStage,
    code: 134110),
  Step(
    "type changed across families", trip(attribute("a", .string)), trip(attribute("a", .date)),
    .needsCustomStage, code: 134190),
  Step(
    "a number that becomes a struct", trip(attribute("a", .double)), trip(attribute("a", place)),
    .needsCustomStage, code: 134190),
  Step(
    "numeric widening, Int16 to Int64", trip(attribute("a", .integer16)),
    trip(attribute("a", .integer64)), .lightweight),
  Step(
    "numeric widening, Float to Double", trip(attribute("a", .float)),
    trip(attribute("a", .double)), .lightweight),
  Step(
    "numeric narrowing", trip(attribute("a", .integer64)), trip(attribute("a", .integer16)),
    .needsCustomStage, code: 134190),
  Step(
    "Double to Int", trip(attribute("a", .double)), trip(attribute("a", .integer64)),
    .needsCustomStage, code: 134190),
  Step(
    "Codable struct gains an optional member", trip(attribute("a", place)),
    trip(
      attribute(
        "a",
        structure(
          Member(name: "x", type: .double), Member(name: "y", type: .double, isOptional: true)))),
    .lightweight),
  Step(
    "Codable struct gains a required member", trip(attribute("a", place)),
    trip(
      attribute(
        "a", structure(Member(name: "x", type: .double), Member(name: "y", type: .double)))),
    .cantOpen, code: 134110),
  Step(
    "Codable struct loses a member", trip(attribute("a", place)),
    trip(attribute("a", structure())), .losesData),
  Step(
    "a raw value goes", trip(attribute("k", .rawEnum(raw: "String", cases: ["a", "b"]))),
    trip(attribute("k", .rawEnum(raw: "String", cases: ["a"])), attribute("b", optional: true)),
    .losesData),
]

private let relations: [Step] = [
  Step(
    "to-one to to-many", trip(toOne("s", "Stop", optional: false)), trip(toMany("s", "Stop")),
    .lightweight),
  Step(
    "to-many to to-one", trip(toMany("s", "Stop", optional: true)), trip(toOne("s", "Stop")),
    .losesData),
  Step(
    "inverse added", trip(toOne("s", "Stop")), trip(toOne("s", "Stop", inverse: .given("t"))),
    .lightweight),
  Step(
    "inverse removed", trip(toOne("s", "Stop", inverse: .given("t"))), trip(toOne("s", "Stop")),
    .lightweight),
  Step(
    "two entities get a new common parent", version(Entity(name: "Car"), Entity(name: "Trip")),
    version(
      Entity(name: "Base"), Entity(name: "Car", superentity: "Base"),
      Entity(name: "Trip", superentity: "Base")), .needsCustomStage, code: 134190),
  Step(
    "two entities that share a parent get another",
    version(
      Entity(name: "Old"), Entity(name: "New"), Entity(name: "Car", superentity: "Old"),
      Entity(name: "Trip", superentity: "Old")),
    version(
      Entity(name: "Old"), Entity(name: "New"), Entity(name: "Car", superentity: "New"),
      Entity(name: "Trip", superentity: "New")), .lightweight),
  Step(
    "unique constraint on an existing property", base, trip(attribute("a"), unique: [["a"]]),
    .needsCustomStage),
  Step(
    "unique constraint on another constraint's properties",
    trip(attribute("a"), attribute("b"), unique: [["a"]]),
    trip(attribute("a"), attribute("b"), unique: [["a", "b"]]), .needsCustomStage),
]

private let twins: [Step] = [
  Step(
    "delete rule only", trip(toOne("s", "Stop")), trip(toOne("s", "Stop", delete: "cascade")),
    .cantOpen),
  Step("index only", base, trip(attribute("a"), index: [["a"]]), .cantOpen),
  Step("default only", base, trip(attribute("a", default: "\"\"")), .cantOpen),
]

@Suite("What a migration does to the stores")
struct MigrationTests {
  @Test("a step", arguments: additions + losses + types)
  func step(_ step: Step) { check(step) }

  @Test("a step of entities and relationships", arguments: relations)
  func relation(_ step: Step) { check(step) }

  private func check(_ step: Step) {
    let migration = Migration(from: step.before, to: step.after)
    #expect(migration.verdict == step.verdict, "\(migration.judgements)")
    let worst = migration.judgements.filter { $0.verdict == step.verdict }
    #expect(worst.contains { $0.code == step.code }, "\(migration.judgements)")
    #expect(!migration.isTwin)
  }

  @Test("a version that changed only what does not move the hash crashes", arguments: twins)
  func twin(_ step: Step) {
    let migration = Migration(from: step.before, to: step.after)
    #expect(migration.isTwin)
    #expect(migration.verdict == .cantOpen)
    #expect(migration.judgements.allSatisfy { $0.verdict == .harmless })
  }

  @Test("an unresolved type gives no verdict")
  func unresolved() {
    let migration = Migration(
      from: trip(attribute("a", .unknown("Color"))), to: trip(attribute("a", .string)))
    #expect(migration.verdict == nil)
    #expect(migration.judgements.map(\.verdict) == [nil])
    let new = Migration(from: base, to: trip(attribute("a"), attribute("b", .unknown("Color"))))
    #expect(new.judgements.map(\.verdict) == [nil])
  }

  @Test("a rename to the name of something that goes keeps the renamed one's data")
  func renameToAFreedName() {
    let before = trip(attribute("rules"), toMany("newRules", "Rule"))
    var rules = toMany("rules", "Rule")
    rules.originalName = "newRules"
    let judgements = Migration(from: before, to: trip(rules)).judgements
    #expect(!judgements.contains { $0.verdict == .cantOpen })
    #expect(
      judgements.filter { $0.verdict == .losesData }.map(\.change.subject.property) == ["rules"])
  }

  @Test("an originalName carried on pairs the versions after the rename")
  func carriedOn() {
    let second = trip(attribute("b", original: "a"))
    #expect(second.changes(to: second).isEmpty)
    let third = trip(attribute("c", original: "a"))
    #expect(Migration(from: second, to: third).verdict == .lightweight)
  }
}

@Suite("Properties that look renamed")
struct LikelyRenameTests {
  private func renames(_ before: SchemaShape, _ after: SchemaShape) -> [String] {
    Migration(from: before, to: after).likelyRenames.map {
      "\($0.entity).\($0.gone.name) \($0.come.name)"
    }
  }

  @Test("one gone and one come of one type")
  func single() {
    #expect(
      renames(
        trip(attribute("destination"), attribute("startDate", .date)),
        trip(attribute("name"), attribute("startDate", .date))) == ["Trip.destination name"])
  }

  @Test("an originalName, another type and unrelated names of a frequent type are none")
  func none() {
    #expect(renames(trip(attribute("a")), trip(attribute("b", original: "a"))) == [])
    #expect(renames(trip(attribute("a")), trip(attribute("b", .date))) == [])
    #expect(
      renames(
        trip(attribute("city"), attribute("note"), attribute("title")),
        trip(attribute("url"), attribute("note"), attribute("title"))) == [])
  }

  @Test("names that share a word are a rename even where many share the type")
  func related() {
    #expect(
      renames(
        trip(attribute("startDay"), attribute("note"), attribute("title")),
        trip(attribute("firstDay"), attribute("note"), attribute("title")))
        == ["Trip.startDay firstDay"])
    #expect(renames(trip(attribute("note")), trip(attribute("_note"))) == ["Trip.note _note"])
  }
}
