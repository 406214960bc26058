import PersistIndex
import PersistProject
import PersistRules
import PersistSchema
import PersistSyntax
import Testing

/// Rules that read a Core Data model beside the Swift sources.
@Suite struct CoreDataRuleTests {
  /// What a rule says of Swift code beside a model named `Trips`: `line: message`.
  private func findings(
    _ rule: String, _ code: String, _ entities: String, importing module: String = "CoreData",
    project: ProjectFile? = nil
  ) -> [String] {
    let path = "App/Trips.xcdatamodeld/Trips.xcdatamodel/contents"
    let xml = Array(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      \(entities)
      </model>
      """.utf8)
    let models = DataModel.models(in: [(path: path, bytes: xml)])
    let swift = SourceFile(
      path: "App/App.swift", outline: Outline(SourceText("import \(module)\n" + code)))
    let program = Program(
      [swift]
        + models.compactMap { SourceFile(generatedFrom: $0, beside: [swift], bytes: xml) },
      input: SchemaInput(
        dataModels: models,
        projectFiles: project.map { [$0] } ?? []))
    return Registry.check(program, ids: [RuleID(rule)]).map {
      "\($0.location.path == path ? "model" : "code") \($0.location.start.line): \($0.message)"
    }
  }

  // MARK: Failed fetches

  @Test func aUniqueValueOfTheModelKeepsASecondRowOut() {
    let code = """
      func keep(_ key: String, in context: NSManagedObjectContext) throws {
        let found = try? context.fetch(NSFetchRequest<Trip>(entityName: "Trip")).first
        let trip = found ?? Trip(context: context)
        trip.key = key
        try context.save()
      }
      """
    func count(_ constraints: String) -> Int {
      findings(
        "failed-fetch-taken-for-empty", code,
        """
        <entity name="Trip" representedClassName="Trip" codeGenerationType="class">
          <attribute name="key" optional="YES" attributeType="String"/>
          \(constraints)
        </entity>
        """
      ).count
    }
    #expect(count("") == 1)
    let constraint = "<uniquenessConstraint><constraint value=\"key\"/></uniquenessConstraint>"
    #expect(count("<uniquenessConstraints>\(constraint)</uniquenessConstraints>") == 0)
  }

  // MARK: Migration

  @Test func migrationByCodeThatCannotBeReadExcuses() {
    let trip = Array(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Trip" representedClassName="Trip"/>
      </model>
      """.utf8)
    let models = DataModel.models(
      in: ["Trips", "Trips 2"].map {
        (path: "App/Trips.xcdatamodeld/\($0).xcdatamodel/contents", bytes: trip)
      })
    let opening = """
      import CoreData
      func open() {
        let container = NSPersistentContainer(name: "Trips")
        container.persistentStoreDescriptions[0].shouldMigrateStoreAutomatically = false
        container.loadPersistentStores { _, error in print(error as Any) }
      }
      func migrate(_ url: URL, _ model: NSManagedObjectModel) throws {
        try IterativeMigrator.migrate(url, to: model)
      }
      """
    func count(_ code: String) -> Int {
      let swift = SourceFile(path: "App/App.swift", outline: Outline(SourceText(code)))
      let program = Program([swift], input: SchemaInput(dataModels: models))
      return Registry.check(program, ids: ["core-data-migration-disabled"]).count
    }
    #expect(count(opening) == 0)
    #expect(count(opening.replacing("(url, to: model)", with: "(url)")) == 1)
    #expect(count(opening.replacing("(url, to: model)", with: "(model)")) == 1)
  }

  // MARK: Models that nothing builds

  private let loose = """
    <entity name="Trip" representedClassName="Trip">
    <attribute name="color" optional="YES" attributeType="Transformable"/>
    </entity>
    """

  @Test func onlyAModelThatIsBuiltIsJudged() {
    let rule = "transformable-without-secure-transformer"
    #expect(findings(rule, "", loose).count == 1)
    #expect(findings(rule, "", loose, importing: "SwiftUI").isEmpty)
    for (file, count) in [("Trips.xcdatamodeld", 1), ("App.swift", 0)] {
      #expect(findings(rule, "", loose, project: described(file)).count == count)
      #expect(findings(rule, "", loose, project: ofXcode(file)).count == count)
    }
    let named = described("Trips.xcdatamodeld")
    #expect(findings(rule, "", loose, importing: "SwiftUI", project: named).count == 1)
  }

  @Test func noFileOfAStoreInMemoryIsManipulated() {
    let opening = """
      func open(_ model: NSManagedObjectModel) {
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        let container = NSPersistentContainer(name: "Trips", managedObjectModel: model)
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in print(error as Any) }
      }
      """
    let rule = "transformable-without-secure-transformer"
    #expect(findings(rule, opening, loose).isEmpty)
    let onDisk = opening.replacing("NSInMemoryStoreType", with: "NSSQLiteStoreType")
    #expect(findings(rule, onDisk, loose).count == 1)
  }

  private func described(_ file: String) -> ProjectFile? {
    ProjectFile(path: "App/project.yml") {
      Array("targets: {App: {type: application, platform: iOS, sources: [\(file)]}}".utf8)
    }
  }

  /// A project of Xcode with a data model, of which a target builds one file.
  private func ofXcode(_ file: String) -> ProjectFile? {
    let built = file == "App.swift" ? "S" : "V"
    return ProjectFile(path: "App/App.xcodeproj/project.pbxproj") {
      Array(
        """
        { objects = {
          R = { isa = PBXProject; mainGroup = G; targets = ( T ); };
          G = { isa = PBXGroup; children = ( S, V ); sourceTree = "<group>"; };
          S = { isa = PBXFileReference; path = App.swift; sourceTree = "<group>"; };
          V = { isa = XCVersionGroup; children = ( M ); currentVersion = M;
            path = Trips.xcdatamodeld; sourceTree = "<group>"; };
          M = { isa = PBXFileReference; path = Trips.xcdatamodel; sourceTree = "<group>"; };
          T = { isa = PBXNativeTarget; name = App; buildPhases = ( P );
            productType = "com.apple.product-type.application"; };
          P = { isa = PBXSourcesBuildPhase; files = ( B ); };
          B = { isa = PBXBuildFile; fileRef = \(built); };
        }; rootObject = R; }
        """.utf8)
    }
  }

  // MARK: CloudKit

  private let synced = "let container = NSPersistentCloudKitContainer(name: \"Trips\")\n"

  private func entity(_ properties: String) -> String {
    """
    <entity name="Trip" representedClassName="Trip" syncable="YES">
    \(properties)
    </entity>
    <entity name="Stop" representedClassName="Stop" syncable="YES">
    <relationship name="trip" optional="YES" destinationEntity="Trip" inverseName="stops"/>
    </entity>
    """
  }

  @Test(arguments: [
    (
      "<attribute name=\"title\" attributeType=\"String\"/>",
      "model 4: the synced store doesn't open, because CloudKit rejects this model: `Trip.title` has no default value; make the property optional, or give its declaration a default value"
    ),
    (
      "<relationship name=\"stops\" toMany=\"YES\" destinationEntity=\"Stop\" inverseName=\"trip\"/>",
      "model 4: the synced store doesn't open, because CloudKit rejects this model: `Trip.stops` is a required relationship; make the relationship optional"
    ),
    (
      "<relationship name=\"stops\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"Stop\"/>",
      "model 4: the synced store doesn't open, because CloudKit rejects this model: `Trip.stops` has no inverse; add an inverse to `Stop`"
    ),
    (
      "<relationship name=\"stops\" optional=\"YES\" toMany=\"YES\" deletionRule=\"Deny\" destinationEntity=\"Stop\" inverseName=\"trip\"/>",
      "model 4: the synced store doesn't open, because CloudKit rejects this model: `Trip.stops` has the delete rule `deny`; choose another delete rule"
    ),
    (
      "<relationship name=\"stops\" optional=\"YES\" toMany=\"YES\" ordered=\"YES\" destinationEntity=\"Stop\" inverseName=\"trip\"/>",
      "model 4: the synced store doesn't open, because CloudKit rejects this model: `Trip.stops` is ordered; store the order in a property"
    ),
    (
      "<attribute name=\"code\" optional=\"YES\" attributeType=\"String\"/><uniquenessConstraints><uniquenessConstraint><constraint value=\"code\"/></uniquenessConstraint></uniquenessConstraints>",
      "model 4: the synced store doesn't open, because CloudKit rejects this model: `Trip.code` is unique; remove the constraint, and look for an existing object before you insert one"
    ),
  ])
  func whatCloudKitDoesNotTakeIsReportedInTheModel(property: String, message: String) {
    #expect(findings("cloudkit-incompatible-model", synced, entity(property)) == [message])
  }

  @Test(arguments: [
    "let container = NSPersistentContainer(name: \"Trips\")",
    "let container = NSPersistentCloudKitContainer(name: name)",
    "let container = NSPersistentCloudKitContainer(name: \"Other\")",
    "struct A { static let preview = NSPersistentCloudKitContainer(name: \"Trips\") }",
    "#if DEBUG\nlet container = NSPersistentCloudKitContainer(name: \"Trips\")\n#endif",
    """
    let container = NSPersistentCloudKitContainer(name: \"Trips\")
    func open(d: NSPersistentStoreDescription) { d.cloudKitContainerOptions = nil }
    """,
    """
    let container = NSPersistentCloudKitContainer(name: \"Trips\")
    func open(d: NSPersistentStoreDescription) { d.configuration = "Local" }
    """,
    trips(describedWith: ""),
  ])
  func aStoreThatPerhapsDoesNotSyncIsSilent(code: String) {
    let title = entity("<attribute name=\"title\" attributeType=\"String\"/>")
    #expect(findings("cloudkit-incompatible-model", code, title).isEmpty)
  }

  @Test func aDescriptionWithOptionsForCloudKitSyncs() {
    let options =
      "description.cloudKitContainerOptions = .init(containerIdentifier: \"iCloud.trips\")"
    let title = entity("<attribute name=\"title\" attributeType=\"String\"/>")
    let found = findings("cloudkit-incompatible-model", trips(describedWith: options), title)
    #expect(found.count == 1)
  }

  @Test func onlyTheEntitiesOfAConfigurationForCloudKitCount() {
    let model = """
      <entity name="Trip"><attribute name="title" attributeType="String"/></entity>
      <entity name="Local"><attribute name="title" attributeType="String"/></entity>
      <configuration name="Cloud" usedWithCloudKit="YES"><memberEntity name="Trip"/></configuration>
      <configuration name="Local"><memberEntity name="Local"/></configuration>
      """
    let found = findings("cloudkit-incompatible-model", synced, model)
    #expect(found.count == 1)
    #expect(found.first?.contains("`Trip.title`") ?? false)
  }

  // MARK: Batch deletions

  private func linked(_ stops: String, _ trips: String) -> String {
    """
    <entity name="Stop" representedClassName="Stop" codeGenerationType="class">
    <relationship name="trips" \(stops) toMany="YES" deletionRule="Nullify" destinationEntity="Trip" inverseName="stops"/>
    </entity>
    <entity name="Trip" representedClassName="Trip" codeGenerationType="class">
    <relationship name="stops" \(trips) toMany="YES" deletionRule="Nullify" destinationEntity="Stop" inverseName="trips"/>
    </entity>
    """
  }

  private let deletesStops = """
    func clear(_ context: NSManagedObjectContext) throws {
      let request: NSFetchRequest<NSFetchRequestResult> = Stop.fetchRequest()
      try context.execute(NSBatchDeleteRequest(fetchRequest: request))
    }
    """

  private let deletesAll = """
    func clear(_ model: NSManagedObjectModel, _ context: NSManagedObjectContext) throws {
      for name in model.entities.compactMap(\\.name) {
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: name)
        try context.execute(NSBatchDeleteRequest(fetchRequest: request))
      }
    }
    """

  @Test func aBatchRequestThatLeavesAMandatoryEndOpenFails() {
    let found = findings(
      "batch-delete-violates-inverse", deletesStops, linked("optional=\"YES\"", ""))
    #expect(
      found == [
        "code 4: if `Stop.trips` is set in any row, this request fails and deletes nothing, because `Trip.stops` is not optional; make that relationship optional in the model, delete `Trip` first, or fetch the objects and delete each one"
      ])
    let byName = deletesStops.replacing(
      "Stop.fetchRequest()", with: "NSFetchRequest(entityName: \"Stop\")")
    #expect(
      findings("batch-delete-violates-inverse", byName, linked("optional=\"YES\"", "")).count == 1)
  }

  @Test func aBatchRequestOfEachEntityFailsWhereNeitherEndMayBeOpen() {
    let rule = "batch-delete-violates-inverse"
    let found = findings(rule, deletesAll, linked("", ""))
    #expect(found.count == 1)
    #expect(
      found.first?.hasPrefix("code 5: if `Stop.trips` is set in any row, the rows") ?? false)
    #expect(findings(rule, deletesAll, linked("optional=\"YES\"", "")).isEmpty)
    #expect(findings(rule, deletesAll, linked("", "optional=\"YES\"")).isEmpty)
  }

  @Test func aBatchRequestIsSilentWhereTheOtherEndGoesFirstOrMayBeOpen() {
    let rule = "batch-delete-violates-inverse"
    #expect(findings(rule, deletesStops, linked("", "optional=\"YES\"")).isEmpty)
    let before = "let trips = NSFetchRequest<NSFetchRequestResult>(entityName: \"Trip\")\n"
    let both = deletesStops.replacing(
      "  try context",
      with: before
        + "  try context.execute(NSBatchDeleteRequest(fetchRequest: trips))\n  try context")
    #expect(
      !findings(rule, both, linked("optional=\"YES\"", "")).contains { $0.contains("`Stop`") })
    let unknown = deletesStops.replacing("Stop.fetchRequest()", with: "requests.stops")
    #expect(findings(rule, unknown, linked("", "")).isEmpty)
  }

  // MARK: Generated classes

  private let generated = """
    <entity name="Trip" representedClassName="Trip" syncable="YES" codeGenerationType="class">
        <attribute name="title" optional="YES" attributeType="String"/>
        <relationship name="hotel" optional="YES" destinationEntity="Hotel"/>
    </entity>
    <entity name="Hotel" representedClassName=".HotelObject" syncable="YES" codeGenerationType="category">
        <attribute name="stars" attributeType="Integer 16" usesScalarValueType="YES"/>
    </entity>
    """

  @Test(arguments: [
    "func show(trip: Trip) { Task.detached { print(trip.title ?? \"\") } }",
    "func show(trip: Trip) { Task.detached { print(trip.hotel?.stars ?? 0) } }",
    "extension Trip { func show() { Task.detached { print(self.title ?? \"\") } } }",
    "func show(trip: Trip) { if let hotel = trip.hotel { Task.detached { print(hotel.stars) } } }",
    """
    func show(c: NSManagedObjectContext) throws {
      let trips = try c.fetch(Trip.fetchRequest())
      DispatchQueue.global().async { trips.forEach { print($0.title ?? "") } }
    }
    """,
  ])
  func aClassThatXcodeGeneratesIsAModel(code: String) {
    let code = "class HotelObject: NSManagedObject {}\n" + code
    #expect(findings("model-captured-in-detached-task", code, generated).count == 1)
  }

  private let manual = """
    <entity name="Trip" representedClassName="CDTrip" syncable="YES">
        <attribute name="title" optional="YES" attributeType="String"/>
    </entity>
    <entity name="Hotel" representedClassName="NSManagedObject" syncable="YES">
        <attribute name="stars" attributeType="Integer 16" usesScalarValueType="YES"/>
    </entity>
    """

  @Test(arguments: [
    ("func show(trip: CDTrip) { Task.detached { print(trip.title ?? \"\") } }", 1),
    ("final class CDTrip {}\nfunc show(trip: CDTrip) { Task.detached { print(trip) } }", 0),
    ("func show(trip: CDStop) { Task.detached { print(trip) } }", 0),
  ])
  func aClassThatObjectiveCImplementsIsAModel(code: String, count: Int) {
    #expect(findings("model-captured-in-detached-task", code, manual).count == count)
  }

  @Test func theRelatedPlaceIsTheEntityInTheModel() {
    let path = "App/Trips.xcdatamodeld/Trips.xcdatamodel/contents"
    let xml = Array("<?xml version=\"1.0\"?>\n<model>\n\(generated)\n</model>".utf8)
    let models = DataModel.models(in: [(path: path, bytes: xml)])
    let code = "func show(trip: Trip) { Task.detached { print(trip.title ?? \"\") } }"
    let program = Program(
      [SourceFile(path: "App/App.swift", outline: Outline(SourceText(code)))]
        + models.compactMap { SourceFile(generatedFrom: $0, beside: [], bytes: xml) })
    let found = Registry.check(program, ids: ["model-captured-in-detached-task"])
    let related = found.first?.related.first { $0.location.path == path }
    #expect(related?.location.start.line == 3)
    #expect(related?.location.start.column == 37)
  }
}

/// A container that gets a description of the code's own, with or without options for CloudKit.
private func trips(describedWith options: String) -> String {
  """
  func open(url: URL) -> NSPersistentContainer {
    let container = NSPersistentCloudKitContainer(name: "Trips")
    let description = NSPersistentStoreDescription(url: url)
    \(options)
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { _, error in print(error as Any) }
    return container
  }
  """
}
