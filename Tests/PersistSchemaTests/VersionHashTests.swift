import PersistSchema
import Testing

/// One edit in a shipped version, and whether it moves the version hash.
struct Edit: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var before: SchemaShape
  var after: SchemaShape
  /// The weights of the changes that are expected, without repeats.
  var weights: Set<Fact.Weight>

  init(_ name: String, _ before: SchemaShape, _ after: SchemaShape, _ weights: Fact.Weight...) {
    testDescription = name
    self.before = before
    self.after = after
    self.weights = Set(weights)
  }
}

private let point = structure(Member(name: "x", type: .double))

private let propertyEdits: [Edit] = [
  Edit("stored property added", trip(attribute("a")), trip(attribute("a"), attribute("b")), .hard),
  Edit(
    "stored property removed", trip(attribute("a"), attribute("b")), trip(attribute("a")), .hard),
  Edit(
    "stored property renamed", trip(attribute("a")), trip(attribute("b")), .hard),
  Edit(
    "stored property renamed with originalName", trip(attribute("a")),
    trip(attribute("b", original: "a")), .hard, .soft),
  Edit("retyped", trip(attribute("a", .string)), trip(attribute("a", .date)), .hard),
  Edit(
    "T to T?", trip(attribute("a")), trip(attribute("a", optional: true)), .hard),
  Edit(
    "T? to T", trip(attribute("a", optional: true)), trip(attribute("a")), .hard),
  Edit(
    "default value on the declaration", trip(attribute("a")),
    trip(attribute("a", default: "\"\"")), .soft),
  Edit(
    "unique added", trip(attribute("a")), trip(attribute("a"), unique: [["a"]]), .hard),
  Edit(
    "unique removed", trip(attribute("a"), unique: [["a"]]), trip(attribute("a")), .hard),
  Edit(
    "unique with other key paths", trip(attribute("a"), attribute("b"), unique: [["a"]]),
    trip(attribute("a"), attribute("b"), unique: [["a", "b"]]), .hard),
  Edit(
    "unique in another order", trip(attribute("a"), attribute("b"), unique: [["a", "b"], ["a"]]),
    trip(attribute("a"), attribute("b"), unique: [["a"], ["b", "a"]])),
  Edit("index", trip(attribute("a")), trip(attribute("a"), index: [["a"]]), .soft),
  Edit(
    "externalStorage", trip(attribute("a")), trip(attribute("a", external: true)), .hard),
  Edit(
    "preserveValueOnDeletion", trip(attribute("a")), trip(attribute("a", preserved: true)), .hard),
  Edit(
    "hashModifier", trip(attribute("a")), trip(attribute("a", modifier: "2")), .hard),
  Edit("spotlight", trip(attribute("a")), trip(attribute("a", spotlight: true)), .soft),
  Edit(
    "allowsCloudEncryption", trip(attribute("a")), trip(attribute("a", encrypted: true)), .soft),
  Edit(
    "transformable on", trip(attribute("a", .data)),
    trip(attribute("a", .transformable, coding: .transformer("T"))), .hard, .soft),
  Edit(
    "codable on", trip(attribute("a", point)), trip(attribute("a", point, coding: .codable)),
    .hard),
  Edit(
    "another transformer", trip(attribute("a", .transformable, coding: .transformer("T"))),
    trip(attribute("a", .transformable, coding: .transformer("U"))), .soft),
  Edit("originalName alone", trip(attribute("a")), trip(attribute("a", original: "z")), .soft),
]

private let relationshipEdits: [Edit] = [
  Edit(
    "deleteRule", trip(toOne("owner", "Person")), trip(toOne("owner", "Person", delete: "cascade")),
    .soft),
  Edit(
    "inverse", trip(toOne("owner", "Person")),
    trip(toOne("owner", "Person", inverse: .given("trips"))), .hard),
  Edit(
    "writing out the inverse that was inferred",
    trip(toOne("owner", "Person", inverse: .inferred("trips"))),
    trip(toOne("owner", "Person", inverse: .given("trips")))),
  Edit(
    "an inverse that is not resolved", trip(toOne("owner", "Person", inverse: .ambiguous)),
    trip(toOne("owner", "Person", inverse: .given("trips"))), .open),
  Edit(
    "minimum count", trip(toMany("stops", "Stop")), trip(toMany("stops", "Stop", minimum: 1)),
    .hard),
  Edit(
    "maximum count", trip(toMany("stops", "Stop")), trip(toMany("stops", "Stop", maximum: 3)),
    .hard),
  Edit(
    "a minimum count of 0 written out", trip(toMany("stops", "Stop")),
    trip(toMany("stops", "Stop", minimum: 0))),
  Edit(
    "to-one to to-many", trip(toOne("stop", "Stop", optional: false)),
    trip(toMany("stop", "Stop")), .hard),
  Edit(
    "ordered", trip(toMany("stops", "Stop")), trip(toMany("stops", "Stop", ordered: true)), .hard),
  Edit(
    "the destination's name", trip(toOne("owner", "Person")), trip(toOne("owner", "User")), .hard),
]

private let entityEdits: [Edit] = [
  Edit(
    "class name", version(Entity(name: "Trip")), version(Entity(name: "Journey")), .hard),
  Edit(
    "superclass added", version(Entity(name: "Base"), Entity(name: "Trip")),
    version(Entity(name: "Base"), Entity(name: "Trip", superentity: "Base")), .hard),
  Edit(
    "superclass edited",
    version(Entity(name: "Base"), Entity(name: "Trip", superentity: "Base")),
    version(
      Entity(name: "Base", properties: [attribute("a")]),
      Entity(name: "Trip", superentity: "Base")), .hard),
  Edit(
    "made abstract", version(Entity(name: "Trip")),
    version(Entity(name: "Trip", isAbstract: true)), .hard),
  Edit(
    "a model added to the version", version(Entity(name: "Trip")),
    version(Entity(name: "Stop"), Entity(name: "Trip")), .hard),
  Edit(
    "a model removed from the version", version(Entity(name: "Stop"), Entity(name: "Trip")),
    version(Entity(name: "Trip")), .hard),
  Edit(
    "the order of properties", trip(attribute("a"), attribute("b")),
    trip(attribute("b"), attribute("a"))),
  Edit(
    "a second class of one name edited",
    version(Entity(name: "Trip"), Entity(name: "Trip", twin: "V2.Trip")),
    version(
      Entity(name: "Trip"), Entity(name: "Trip", twin: "V2.Trip", properties: [attribute("a")])),
    .hard),
]

private let typeEdits: [Edit] = [
  Edit(
    "Codable struct: a stored member added", trip(attribute("p", point)),
    trip(
      attribute(
        "p", structure(Member(name: "x", type: .double), Member(name: "y", type: .double)))),
    .hard),
  Edit(
    "Codable struct: a stored member retyped", trip(attribute("p", point)),
    trip(attribute("p", structure(Member(name: "x", type: .string)))), .hard),
  Edit(
    "Codable struct inside a Codable struct",
    trip(attribute("p", structure(Member(name: "inner", type: point)))),
    trip(attribute("p", structure(Member(name: "inner", type: structure())))), .hard),
  Edit(
    "members of structs inside an array",
    trip(attribute("p", .collection(element: "P", members: [Member(name: "x", type: .double)]))),
    trip(attribute("p", .collection(element: "P", members: []))), .soft),
  Edit(
    "raw-value enum: cases", trip(attribute("k", .rawEnum(raw: "String", cases: ["a", "b"]))),
    trip(attribute("k", .rawEnum(raw: "String", cases: ["a"]))), .soft),
  Edit(
    "raw-value enum: its raw type", trip(attribute("k", .rawEnum(raw: "String", cases: ["a"]))),
    trip(attribute("k", .rawEnum(raw: "Int64", cases: ["a"]))), .hard),
  Edit(
    "enum with payloads: cases", trip(attribute("k", .payloadEnum([]))),
    trip(attribute("k", .payloadEnum([Member(name: "c", type: .unknown("Int"))]))), .hard),
  Edit(
    "enum with payloads: payload types",
    trip(attribute("k", .payloadEnum([Member(name: "c", type: .integer64)]))),
    trip(attribute("k", .payloadEnum([Member(name: "c", type: .string)]))), .hard),
  Edit(
    "a type that is not resolved", trip(attribute("k", .unknown("Color"))),
    trip(attribute("k", .string, optional: true)), .open),
  Edit(
    "a String that becomes an enum of Strings", trip(attribute("k", .string)),
    trip(attribute("k", .rawEnum(raw: "String", cases: ["a"]))), .open),
]

@Suite("What moves the version hash")
struct VersionHashTests {
  @Test("an edit in a shipped version", arguments: propertyEdits + relationshipEdits)
  func property(_ edit: Edit) { check(edit) }

  @Test("an edit of entities and types in a shipped version", arguments: entityEdits + typeEdits)
  func entity(_ edit: Edit) { check(edit) }

  private func check(_ edit: Edit) {
    let changes = edit.before.changes(to: edit.after)
    #expect(Set(changes.map(\.weight)) == edit.weights, "\(changes)")
    let moves = edit.weights.contains(.hard)
    let differs = edit.before.hardFingerprint != edit.after.hardFingerprint
    if !edit.weights.contains(.open) { #expect(differs == moves) }
    #expect(edit.before.isTwin(of: edit.after) == edit.weights.isSubset(of: [.soft]))
    #expect(edit.before.changes(to: edit.before).isEmpty)
  }

  @Test("what is not resolved is never a difference")
  func gaps() {
    let whole = version(Entity(name: "Stop"), Entity(name: "Trip", properties: [attribute("a")]))
    let listUnknown = SchemaShape(
      entities: [Entity(name: "Trip", properties: [attribute("a")])],
      gaps: [Gap(reason: "`models` is not an array")])
    #expect(whole.changes(to: listUnknown).map(\.weight) == [.open])
    let classUnknown = SchemaShape(
      entities: [Entity(name: "Stop"), Entity(name: "Trip")],
      gaps: [Gap(entity: "Trip", reason: "V1.Trip inherits from a class that is not there")])
    #expect(whole.changes(to: classUnknown).map(\.weight) == [.open])
    #expect(!whole.isTwin(of: classUnknown))
    #expect(classUnknown.isTwin(of: classUnknown))
  }

  @Test("names of what changed read as a person writes them")
  func names() {
    let before = trip(attribute("p", structure(Member(name: "x", type: .double))))
    let after = trip(attribute("p", structure(Member(name: "x", type: .double, isOptional: true))))
    #expect(before.changes(to: after).map(\.subject.name) == ["Trip.p.x"])
  }
}
