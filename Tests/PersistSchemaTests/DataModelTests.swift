import PersistSchema
import Testing

@Suite("Core Data models")
struct DataModelTests {
  private func contents(_ entities: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      \(entities)
      </model>
      """.utf8)
  }

  private func current(_ name: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>_XCCurrentVersionName</key><string>\(name)</string>
      </dict></plist>
      """.utf8)
  }

  private let trips = """
    <entity name="Trip" representedClassName="Trip" parentEntity="Base" codeGenerationType="class">
      <attribute name="count" attributeType="Integer 16" defaultValueString="0"/>
      <attribute name="note" optional="YES" attributeType="String" elementID="text"/>
      <attribute name="photo" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      <attribute name="cached" transient="YES" attributeType="Date"/>
      <attribute name="place" attributeType="Composite" compositeName="Place"/>
      <relationship name="stops" toMany="YES" ordered="YES" deletionRule="Cascade"
        destinationEntity="Stop" inverseName="trip" inverseEntity="Stop"/>
      <fetchIndex name="byNote"><fetchIndexElement property="note" type="Binary"/></fetchIndex>
      <uniquenessConstraints><uniquenessConstraint><constraint value="note"/>
      </uniquenessConstraint></uniquenessConstraints>
      <userInfo><entry key="a" value="b"/></userInfo>
    </entity>
    <entity name="Base" isAbstract="YES" versionHashModifier="2"/>
    <composite name="Place"><attribute name="x" attributeType="Double"/></composite>
    """

  @Test("what lies inside of a version is no version and chooses none")
  func nested() throws {
    let note = "<entity name=\"Note\"/>"
    let model = try #require(
      DataModel.models(in: [
        ("M.xcdatamodeld/.xccurrentversion", current("M 2.xcdatamodel")),
        ("M.xcdatamodeld/M.xcdatamodel/contents", contents("")),
        ("M.xcdatamodeld/M 2.xcdatamodel/contents", contents(note)),
        ("M.xcdatamodeld/M 2.xcdatamodel/.xccurrentversion", current("M.xcdatamodel")),
        ("M.xcdatamodeld/M 2.xcdatamodel/M.xcdatamodel/contents", contents(trips)),
      ]).first)
    #expect(model.versions.map(\.name) == ["M", "M 2"])
    #expect(model.current?.shape == SchemaShape(entities: [Entity(name: "Note")]))
    #expect(model.problems == [])
  }

  @Test("everything that a store depends on is read")
  func read() throws {
    let models = DataModel.models(in: [
      ("App/M.xcdatamodeld/M.xcdatamodel/contents", contents(trips))
    ])
    let shape = try #require(models.first?.versions.first?.shape)
    #expect(models.map(\.path) == ["App/M.xcdatamodeld"])
    #expect(models.first?.problems == [])
    let expected = SchemaShape(entities: [
      Entity(name: "Base", isAbstract: true, hashModifier: "2"),
      Entity(
        name: "Trip", superentity: "Base",
        properties: [
          attribute("count", .integer16, default: "0"),
          attribute("note", optional: true, original: "text"),
          attribute("photo", .data, external: true),
          attribute("place", structure(Member(name: "x", type: .double))),
          Property(
            name: "stops",
            kind: .relationship(
              Relationship(
                destination: "Stop", isToMany: true, isOrdered: true, inverse: .given("trip"),
                deleteRule: "cascade"))),
        ], uniqueness: [["note"]], indexes: [["note"]]),
    ])
    #expect(shape == expected)
    #expect(models.first?.versions.first?.lines[Subject("Trip", "count")]?.number == 4)
  }

  @Test("versions follow their numbers, and the current one is the newest")
  func order() {
    let entity = contents("<entity name=\"A\"/>")
    let files = ["M", "M 10", "M 2", "M 9"].map {
      (path: "M.xcdatamodeld/\($0).xcdatamodel/contents", bytes: entity)
    }
    let plain = DataModel.models(in: files)
    #expect(plain.first?.versions.map(\.name) == ["M", "M 2", "M 9", "M 10"])
    let chosen = DataModel.models(
      in: files + [("M.xcdatamodeld/.xccurrentversion", current("M 9.xcdatamodel"))])
    #expect(chosen.first?.current?.name == "M 9")
    #expect(chosen.first?.problems == [])
  }

  @Test("a model without versions is read")
  func single() {
    let models = DataModel.models(in: [
      ("App/Single.xcdatamodel/contents", contents("<entity name=\"A\"/>"))
    ])
    #expect(models.map(\.path) == ["App/Single.xcdatamodel"])
    #expect(models.first?.versions.map(\.name) == ["Single"])
    let unchosen = DataModel.models(in: [
      ("M.xcdatamodeld/M.xcdatamodel/contents", contents("<entity name=\"A\"/>")),
      ("M.xcdatamodeld/.xccurrentversion", Array("<plist><dict/></plist>".utf8)),
    ])
    #expect(unchosen.first?.problems == [])
  }

  @Test("what can't be read is told with its place, and the rest goes on")
  func problems() throws {
    let models = DataModel.models(in: [
      ("M.xcdatamodeld/M.xcdatamodel/contents", Array("<model>\n<entity".utf8)),
      ("M.xcdatamodeld/M 2.xcdatamodel/contents", contents("<entity name=\"A\"/>")),
      ("M.xcdatamodeld/M 1.xcdatamodel/contents", Array("<model><entity></model>".utf8)),
      ("M.xcdatamodeld/M 3.xcdatamodel/elements", [0, 1, 2]),
      ("M.xcdatamodeld/.xccurrentversion", current("M 7.xcdatamodel")),
    ])
    let model = try #require(models.first)
    #expect(model.versions.map(\.name) == ["M 2"])
    let messages = model.problems.map { "\($0.path): \($0.message)" }
    try #require(messages.count == 4)
    #expect(messages[1].contains("M 3.xcdatamodel/elements: a model in Xcode's old binary format"))
    #expect(messages[0].contains("M 1.xcdatamodel/contents: the XML is not well formed"))
    #expect(messages[2].contains("M.xcdatamodel/contents: the XML is not well formed"))
    #expect(messages[3].contains("names `M 7.xcdatamodel`, which is not in the model"))
  }

  @Test("any bytes give a problem, never a crash")
  func noise() {
    for bytes: [UInt8] in [[], [0], [0xff, 0xfe, 0], Array("<a/>".utf8), Array("<!--".utf8)] {
      let models = DataModel.models(in: [
        ("M.xcdatamodel/contents", bytes), ("M.xcdatamodeld/.xccurrentversion", bytes),
      ])
      #expect(models.map(\.problems.count) == [1, 1])
    }
  }
}

@Suite("Inferred inverses")
struct InverseTests {
  private func inverses(_ shape: SchemaShape) -> [String] {
    shape.inferringInverses().entities.flatMap { entity in
      entity.properties.compactMap { property in
        property.relationship.map { "\(entity.name).\(property.name) \($0.inverse)" }
      }
    }
  }

  @Test("the only pair is inferred, a named end is the other's inverse, two candidates are open")
  func inference() {
    #expect(
      inverses(
        version(
          Entity(name: "Stop", properties: [toOne("trip", "Trip")]),
          Entity(name: "Trip", properties: [toMany("stops", "Stop")])))
        == ["Stop.trip inferred(\"stops\")", "Trip.stops inferred(\"trip\")"])
    #expect(
      inverses(
        version(
          Entity(name: "Stop", properties: [toOne("trip", "Trip", inverse: .given("all"))]),
          Entity(name: "Trip", properties: [toMany("all", "Stop"), toMany("best", "Stop")])))
        == ["Stop.trip given(\"all\")", "Trip.all inferred(\"trip\")", "Trip.best none"])
    #expect(
      inverses(
        version(
          Entity(name: "Stop", properties: [toOne("trip", "Trip")]),
          Entity(name: "Trip", properties: [toMany("all", "Stop"), toMany("best", "Stop")])))
        == ["Stop.trip ambiguous", "Trip.all ambiguous", "Trip.best ambiguous"])
  }
}
