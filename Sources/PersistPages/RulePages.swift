// swift-format-ignore-file
// Made from Rules/*.md by scripts/rule-pages; edit the pages and run it again.

extension RulePage {
  /// The pages of all rules in the order of their names.
  package static let all: [RulePage] = [
    RulePage(
      id: "batch-change-not-merged",
      group: "core-data",
      title: "Batch changes reach the contexts that show the objects",
      impact: "HIGH",
      impactDescription: "views still show deleted objects, and saving them fails",
      severity: .warning,
      tags: ["coredata", "save"],
      since: "0.2.0",
      body: #"""
## Batch changes reach the contexts that show the objects

A batch request changes the store and notifies no context. Objects that a view holds stay as they were: deleted rows are still shown, their faults can't be fulfilled, and saving an object that the batch has changed fails with a conflict. Request the IDs of the changed objects, and merge them into the contexts that are still in use.

**Incorrect (nothing is merged):**

```swift
import CoreData

final class Trip: NSManagedObject { @NSManaged var title: String }

final class Store {
  let container: NSPersistentContainer
  init(container: NSPersistentContainer) { self.container = container }

  @MainActor func all() throws -> [Trip] {
    try container.viewContext.fetch(NSFetchRequest<Trip>(entityName: "Trip"))
  }
  func clear() async throws {
    try await container.performBackgroundTask { context in
      let request = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Trip"))
      try context.execute(request)
//                ^^^^^^^ views still show deleted or old objects, and saving them fails, because a batch request bypasses all contexts; request the object IDs as its result and pass them to `NSManagedObjectContext.mergeChanges(fromRemoteContextSave:into:)`
    }
  }
}
```

**Correct (the IDs are merged into the view context):**

```swift
import CoreData

final class Trip: NSManagedObject { @NSManaged var title: String }

final class Store {
  let container: NSPersistentContainer
  init(container: NSPersistentContainer) { self.container = container }

  @MainActor func all() throws -> [Trip] {
    try container.viewContext.fetch(NSFetchRequest<Trip>(entityName: "Trip"))
  }
  func clear() async throws {
    try await container.performBackgroundTask { [view = container.viewContext] context in
      let request = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Trip"))
      request.resultType = .resultTypeObjectIDs
      let result = try context.execute(request) as? NSBatchDeleteResult
      let ids = result?.result as? [NSManagedObjectID] ?? []
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [view, context])
    }
  }
}
```

**When NOT to use:** the rule is silent if there is no context of the main queue, if the function or its callers refresh or reset contexts or delete the store, and for insertions in projects that merge none of them. It is also silent if code that reads the store's history may merge what it finds there.

Reference: https://developer.apple.com/documentation/coredata/nsbatchdeleterequest

"""#),
    RulePage(
      id: "batch-delete-violates-inverse",
      group: "context",
      title: "A batch deletion leaves no required relationship empty",
      impact: "MEDIUM",
      impactDescription: "the deletion fails, and nothing is deleted",
      severity: .warning,
      tags: ["swiftdata", "coredata", "delete"],
      since: "0.1.0",
      precision: .medium,
      body: #"""
## A batch deletion leaves no required relationship empty

`delete(model:)` works on the store, not on objects. If a relationship of the deleted model has the default rule (nullify) and its inverse is not optional, SwiftData refuses the batch: "mandatory OTO nullify inverse". Nothing is deleted, and the error is easily overlooked. Delete the other objects first, with a cascade rule, or fetch the objects and delete each one.

`NSBatchDeleteRequest` works the same way in Core Data; there the `.xcdatamodel` says what is optional. A loop that deletes the rows of every entity fails if neither side of a relationship is optional.

**Incorrect (the stops of a trip are not optional):**

```swift
import SwiftData

@Model final class Trip {
  var name = ""
  @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
  init() {}
}

@Model final class Stop {
  var place = ""
  var trip: Trip?
  init() {}
}

func clear(_ context: ModelContext) throws {
  try context.delete(model: Stop.self)
//    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: if `Stop.trip` is set in any row, this deletes nothing, because `Trip.stops` is not optional; delete…
}
```

**Correct (the parents first; their rule deletes the stops too):**

```swift
import SwiftData

@Model final class Journey {
  var name = ""
  @Relationship(deleteRule: .cascade, inverse: \Leg.journey) var legs: [Leg] = []
  init() {}
}

@Model final class Leg {
  var place = ""
  var journey: Journey?
  init() {}
}

func clear(_ context: ModelContext) throws {
  try context.delete(model: Journey.self)
  try context.delete(model: Leg.self)
}

func clearOrphans(_ context: ModelContext) throws {
  try context.delete(model: Leg.self, where: #Predicate { $0.journey == nil })
}
```

**When NOT to use:** suppress the finding if the table is known to be empty or unlinked, and give that reason.

Reference: https://developer.apple.com/documentation/swiftdata/modelcontext/delete(model:where:includesubclasses:)

"""#),
    RulePage(
      id: "change-in-will-save",
      group: "lifetime",
      title: "willSave changes only what has to change",
      impact: "HIGH",
      impactDescription: "the first save hangs, or deleting an object crashes the app",
      severity: .warning,
      tags: ["coredata", "models", "lifetime"],
      since: "0.2.0",
      precision: .medium,
      body: #"""
## willSave changes only what has to change

Core Data calls `willSave` again and again until the method no longer changes the object. An assignment without a condition therefore keeps the save going until the system kills the app. `willSave` also runs for deleted objects, and their relationships are gone by then: following one that is not optional crashes the app.

**Incorrect (each call causes the next one):**

```swift
import CoreData

final class Note: NSManagedObject {
  @NSManaged var text: String
  @NSManaged var changed: Date?

  override func willSave() {
    super.willSave()
    changed = Date.now
  //^^^^^^^ warning: the app hangs in the first save until the system kills the process,…
  }
}
```

**Correct (setting the primitive value doesn't call `willSave` again):**

```swift
import CoreData

final class Note: NSManagedObject {
  @NSManaged var text: String
  @NSManaged var changed: Date?

  override func willSave() {
    super.willSave()
    setPrimitiveValue(Date.now, forKey: "changed")
  }
}
```

**Incorrect (a deleted read has no channel):**

```swift
import CoreData

final class Channel: NSManagedObject {
  @NSManaged var name: String
  @NSManaged var reads: Set<Read>
}

final class Read: NSManagedObject {
  @NSManaged var count: Int32
  @NSManaged var channel: Channel

  override func willSave() {
    super.willSave()
    if hasPersistentChangedValues, !channel.hasChanges {
      channel.name = channel.name
    //^^^^^^^^^^^^ warning: deleting an object can crash the app, because `willSave` also runs for…
    }
  }
}
```

**Correct (deleted objects are skipped):**

```swift
import CoreData

final class Channel: NSManagedObject {
  @NSManaged var name: String
  @NSManaged var reads: Set<Read>
}

final class Read: NSManagedObject {
  @NSManaged var count: Int32
  @NSManaged var channel: Channel

  override func willSave() {
    super.willSave()
    guard !isDeleted else { return }
    if hasPersistentChangedValues, !channel.hasChanges {
      channel.name = channel.name
    }
  }
}
```

**When NOT to use:** properties that are not `@NSManaged` belong to the object in memory and don't cause another call. The rule is also silent if the code compares with the old value or checks `changedValues()`.

Reference: https://developer.apple.com/documentation/coredata/nsmanagedobject/willsave()

"""#),
    RulePage(
      id: "child-context-not-saved",
      group: "core-data",
      title: "The parent of a saved child context is saved too",
      impact: "HIGH",
      impactDescription: "the change is lost at the next launch",
      severity: .warning,
      tags: ["coredata", "save"],
      since: "0.2.0",
      body: #"""
## The parent of a saved child context is saved too

Saving a child context only passes its changes to the parent. They reach the disk when the parent is saved, and then the parent's parent. Until then they are shown, but they are lost when the app quits. The same happens to changes in a context whose save waits for changes in another, unrelated context.

**Incorrect (the parent is never saved):**

```swift
import CoreData

final class Trip: NSManagedObject { @NSManaged var title: String }

func add(_ container: NSPersistentContainer) throws {
  let root = container.newBackgroundContext()
  let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  child.parent = root
  try child.performAndWait {
    Trip(context: child).title = "Harbour"
    try child.save()
//            ^^^^ what is saved here is lost at the next launch, because `child` only passes its changes to `root` and nothing saves `root`; save the parent too
  }
}
```

**Correct (the parent is saved afterwards):**

```swift
import CoreData

final class Trip: NSManagedObject { @NSManaged var title: String }

func add(_ container: NSPersistentContainer) throws {
  let root = container.newBackgroundContext()
  let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  child.parent = root
  try child.performAndWait {
    Trip(context: child).title = "Harbour"
    try child.save()
  }
  try root.performAndWait { try root.save() }
}
```

**When NOT to use:** the rule is silent if anything in the project saves the parent, or if the sources don't show which context that is.

Reference: https://developer.apple.com/documentation/coredata/nsmanagedobjectcontext/parent

"""#),
    RulePage(
      id: "cloudkit-incompatible-model",
      group: "context",
      title: "Synced models follow CloudKit's rules",
      impact: "CRITICAL",
      impactDescription: "the store doesn't open, or nothing syncs",
      severity: .error,
      tags: ["swiftdata", "coredata", "models"],
      since: "0.1.0",
      body: #"""
## Synced models follow CloudKit's rules

A store that syncs with CloudKit supports no unique constraints, no attributes without a default value, no required relationships, no relationships without an inverse, and no delete rule `deny`. SwiftData checks this when the container is created: loading fails (134060), for every user, at every launch. The same rules apply to a Core Data model that an `NSPersistentCloudKitContainer` opens.

**Incorrect (a unique constraint, an attribute without a default, a required relationship):**

```swift
import SwiftData

@Model final class Trip {
  @Attribute(.unique) var code: String = ""
  //                      ^^^^ the synced store doesn't open, because CloudKit rejects this model: `Trip.code` is unique, `Trip.title` has no default value and `Trip.stops` is a required relationship; remove the constraint, and look for an existing object before you insert one; make the property optional, or give its declaration a default value; make the relationship optional
  var title: String
  @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
  init(title: String) { self.title = title }
}

@Model final class Stop {
  var trip: Trip?
  init() {}
}

func open() throws -> ModelContainer {
  let configuration = ModelConfiguration(cloudKitDatabase: .private("iCloud.trips"))
  return try ModelContainer(for: Trip.self, configurations: configuration)
}
```

**Correct (everything is optional or has a default):**

```swift
import SwiftData

@Model final class Trip {
  var code: String = ""
  var title: String?
  @Relationship(inverse: \Stop.trip) var stops: [Stop]? = []
  init() {}
}

@Model final class Stop {
  var trip: Trip?
  init() {}
}

let configuration = ModelConfiguration(cloudKitDatabase: .private("iCloud.trips"))
```

**Correct (a store that doesn't sync):**

```swift
import SwiftData

@Model final class Trip {
  @Attribute(.unique) var code: String
  init(code: String) { self.code = code }
}

let configuration = ModelConfiguration(cloudKitDatabase: .none)
```

**When NOT to use:** the finding is an error if `cloudKitDatabase:` is `.automatic` or `.private(…)`. Without `cloudKitDatabase:`, a store syncs as soon as the app's entitlements allow CloudKit and name a container. The finding is then a warning, one for each model; set `cloudKitDatabase: .none`, or `sync` in the configuration.

Reference: https://developer.apple.com/documentation/swiftdata/syncing-model-data-across-a-persons-devices

"""#),
    RulePage(
      id: "container-modifier-cannot-recover",
      group: "store",
      title: "The app creates its container itself",
      impact: "LOW",
      impactDescription: "if the store can't be opened, the app crashes and can't recover",
      severity: .note,
      tags: ["swiftdata", "launch"],
      since: "0.1.0",
      precision: .veryHigh,
      body: #"""
## The app creates its container itself

`.modelContainer(for:)` creates the container and crashes the app if that fails. The modifier takes no migration plan, and there is no place for a backup, a second attempt or a message. Create the `ModelContainer` yourself, handle its error, and pass it to `.modelContainer(_:)`.

**Incorrect (the modifier creates the container):**

```swift
import SwiftData

@main struct TripsApp: App {
  var body: some Scene {
    WindowGroup { TripList() }
      .modelContainer(for: [Trip.self, Stop.self])
//     ^^^^^^^^^^^^^^ note: if the store can't be opened, the app crashes here…
  }
}
```

**Correct (the app creates the container and passes it to the modifier):**

```swift
import SwiftData

@main struct TripsApp: App {
  let launch = Launch()

  var body: some Scene {
    WindowGroup {
      if let container = launch.container {
        TripList().modelContainer(container)
      } else {
        StoreProblem(launch.problem)
      }
    }
  }
}
```

**Correct (a preview):**

```swift
import SwiftData

#Preview {
  TripList().modelContainer(for: Trip.self, inMemory: true)
}
```

**When NOT to use:** the modifier is enough for an app whose data can be fetched again.

Reference: https://developer.apple.com/documentation/swiftui/scene/modelcontainer(for:inmemory:isautosaveenabled:isundoenabled:onsetup:)

"""#),
    RulePage(
      id: "container-not-on-newest-schema",
      group: "schema",
      title: "The container uses the plan's newest version",
      impact: "CRITICAL",
      impactDescription: "no store can be opened, not even a new one",
      severity: .error,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      precision: .veryHigh,
      body: #"""
## The container uses the plan's newest version

A container's schema must be the newest version of its plan. With an older one, an update never reaches the newest version, and a store that has reached it can't be opened. If the container lists models that the newest version doesn't have, its schema matches no version of the plan: error 134504, for new stores too. While `stages` is empty, SwiftData infers the migration and the store opens. The first stage ends that.

**Incorrect (the container still uses the first version):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}

struct Store {
  static func open() throws -> ModelContainer {
    try ModelContainer(
      for: Schema(versionedSchema: SchemaV1.self), migrationPlan: TripPlan.self)
//         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ a store of `SchemaV2` can't be opened here, because the container uses `SchemaV1` and the plan ends with `SchemaV2`; give the container the plan's newest version
  }
}
```

**Correct (the container uses the newest version):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}

struct Store {
  static func open() throws -> ModelContainer {
    try ModelContainer(
      for: Schema(versionedSchema: SchemaV2.self), migrationPlan: TripPlan.self)
  }
}
```

**When NOT to use:** containers in memory, previews and tests are silent.

Reference: [ModelContainer](https://developer.apple.com/documentation/swiftdata/modelcontainer)

"""#),
    RulePage(
      id: "context-captured-in-detached-task",
      group: "concurrency",
      title: "Contexts stay on their actor or queue",
      impact: "CRITICAL",
      impactDescription: "the app crashes at random, or loses what it saves",
      severity: .error,
      tags: ["swiftdata", "coredata", "concurrency"],
      since: "0.1.0",
      body: #"""
## Contexts stay on their actor or queue

A `ModelContext` or `NSManagedObjectContext` belongs to one actor or queue. The context in a view's environment, `mainContext` and `viewContext` belong to the main actor. A detached task or background queue that fetches, inserts or saves through such a context races with the screen: crashes, lost changes, "database is locked". A `ModelContainer` is Sendable, so pass the container and create a context on the other side. A Core Data context has `perform`. A plain `Task { }` keeps the isolation of the code around it; if there is none, the task runs on any thread.

**Incorrect (the view's context on a background queue):**

```swift
import SwiftData
import SwiftUI

struct ImportButton: View {
  @Environment(\.modelContext) private var modelContext
  var body: some View { Button("Import", action: load) }

  func load() {
    DispatchQueue.global().async {
      try? modelContext.delete(model: Row.self)
      //   ^^^^^^^^^^^^ the app can crash or lose edits here, because the context `modelContext` is used on another queue, away from the main actor; create a `ModelContext(container)` here, or do the work on the main actor
    }
  }
}

@Model final class Row { init() {} }
```

**Correct (a separate context, created from the container):**

```swift
import SwiftData
import SwiftUI

struct ImportButton: View {
  @Environment(\.modelContext) private var modelContext
  var body: some View { Button("Import", action: load) }

  func load() {
    let container = modelContext.container
    Task.detached {
      let context = ModelContext(container)
      try context.delete(model: Row.self)
      try context.save()
    }
    Task { try modelContext.save() }
  }
}

@Model final class Row { init() {} }
```

**Incorrect (`viewContext` in a detached task):**

```swift
import CoreData

final class Store {
  let container = NSPersistentContainer(name: "Trips")

  func trim() {
    Task.detached {
      try self.container.viewContext.save()
      //                 ^^^^^^^^^^^ the app can crash or lose edits here, because the context `container.viewContext` is used in code without an actor, away from the main queue; call `perform` on the context and do the work inside
    }
  }
}
```

**Correct (through `perform`, or on a background context):**

```swift
import CoreData

final class Store {
  let container = NSPersistentContainer(name: "Trips")

  func trim() {
    Task.detached {
      try await self.container.viewContext.perform { try self.container.viewContext.save() }
      let context = self.container.newBackgroundContext()
      await context.perform { context.reset() }
    }
    DispatchQueue.global().async { self.refresh(in: self.container.viewContext) }
  }

  private func refresh(in context: NSManagedObjectContext) {
    context.name = "refresh"
    context.performAndWait { context.refreshAllObjects() }
  }
}
```

**Incorrect (a plain task in code without isolation):**

```swift
import SwiftData

final class Importer {
  let context: ModelContext
  init(context: ModelContext) { self.context = context }

  func run() {
    Task {
      try context.save()
      //  ^^^^^^^ the app can crash or lose edits here, because the context `context` is used in code without an actor, away from where its context was created; create a `ModelContext(container)` here, or do the work on the main actor
    }
  }
}
```

**Correct (the class is on the main actor, and so are its tasks):**

```swift
import SwiftData

@MainActor final class Importer {
  let context: ModelContext
  init(context: ModelContext) { self.context = context }

  func run() {
    Task { try context.save() }
    Task.detached { @MainActor in try self.context.save() }
  }
}
```

**When NOT to use:** the rule is silent on `context.container`, on contexts created inside the task, and on a plain `Task { }` if the isolation of the code around it is unknown.

Reference: https://developer.apple.com/documentation/swiftdata/modelcontext

"""#),
    RulePage(
      id: "context-never-merges",
      group: "lifetime",
      title: "The view context merges what other contexts save",
      impact: "MEDIUM",
      impactDescription: "the screen shows old values, and later saves conflict",
      severity: .warning,
      tags: ["coredata", "lifetime"],
      since: "0.2.0",
      precision: .medium,
      body: #"""
## The view context merges what other contexts save

A background context saves into the store, or CloudKit imports into it, but the view context keeps the objects that it has. Without a merge, people see old values and act on them, and their next save runs into a conflict. A fetch doesn't help, because it doesn't refresh objects that are already registered.

**Incorrect (the import doesn't show):**

```swift
import CoreData

final class Note: NSManagedObject {
  @NSManaged var text: String
}

final class Notes {
  let container = NSPersistentContainer(name: "Notes")

  init() {
    container.loadPersistentStores { _, error in
      if let error { print("the notes can't be opened: \(error)") }
    }
    container.viewContext.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    //        ^^^^^^^^^^^ warning: people see old values and their next save conflicts, because other…
  }
  @MainActor func all() throws -> [Note] {
    try container.viewContext.fetch(NSFetchRequest<Note>(entityName: "Note"))
  }
  func add(_ text: String) {
    container.performBackgroundTask { context in
      let note = Note(context: context)
      note.text = text
      do { try context.save() } catch { print("the note is lost: \(error)") }
    }
  }
}
```

**Correct (the context merges automatically):**

```swift
import CoreData

final class Note: NSManagedObject {
  @NSManaged var text: String
}

final class Notes {
  let container = NSPersistentContainer(name: "Notes")

  init() {
    container.loadPersistentStores { _, error in
      if let error { print("the notes can't be opened: \(error)") }
    }
    container.viewContext.automaticallyMergesChangesFromParent = true
  }
  @MainActor func all() throws -> [Note] {
    try container.viewContext.fetch(NSFetchRequest<Note>(entityName: "Note"))
  }
  func add(_ text: String) {
    container.performBackgroundTask { context in
      let note = Note(context: context)
      note.text = text
      do { try context.save() } catch { print("the note is lost: \(error)") }
    }
  }
}
```

**When NOT to use:** the rule is silent in programs that merge notifications or the persistent history, refresh their objects, or write through one context only and sync nothing.

Reference: https://developer.apple.com/documentation/coredata/nsmanagedobjectcontext/automaticallymergeschangesfromparent

"""#),
    RulePage(
      id: "context-outlives-container",
      group: "lifetime",
      title: "The container lives as long as its context",
      impact: "CRITICAL",
      impactDescription: "the app crashes at the first fetch or save",
      severity: .warning,
      tags: ["swiftdata", "store", "lifetime"],
      since: "0.2.0",
      precision: .high,
      body: #"""
## The container lives as long as its context

`mainContext` doesn't keep its container alive. If a function returns only the context, the container is released, and the next fetch, insert or save crashes the app.

**Incorrect (the container is released at the closing brace):**

```swift
import SwiftData

@Model final class Trip {
  var title = ""
  init() {}
}

@MainActor func makeContext() throws -> ModelContext {
  let container = try ModelContainer(for: Trip.self)
  return container.mainContext
  //     ^^^^^^^^^^^^^^^^^^^^^ warning: the app crashes at the first fetch or save, because `mainContext` doesn't keep…
}
```

**Correct (the container is kept too):**

```swift
import SwiftData

@MainActor final class Store {
  let container: ModelContainer
  var context: ModelContext { container.mainContext }
  init(container: ModelContainer) { self.container = container }
}
```

**When NOT to use:** a container that is kept in a property, returned or passed on lives on. A new `ModelContext(container)` keeps its container alive.

Reference: https://developer.apple.com/documentation/swiftdata/modelcontainer/maincontext

"""#),
    RulePage(
      id: "core-data-migration-disabled",
      group: "core-data",
      title: "Core Data is allowed to migrate older stores",
      impact: "CRITICAL",
      impactDescription: "after an update, no old store opens",
      severity: .error,
      tags: ["coredata", "migration", "store"],
      since: "0.2.0",
      body: #"""
## Core Data is allowed to migrate older stores

A store of an older model version opens only after a migration (134100). With `shouldMigrateStoreAutomatically` or `shouldInferMappingModelAutomatically` set to false, Core Data doesn't migrate. If the model has several versions and no code in the project migrates either, everyone who updates is locked out.

**Incorrect (migration is turned off, and the model `Trips` has two versions):**

```swift sketch
import CoreData

final class Stack {
  let container = NSPersistentContainer(name: "Trips")
  init() {
    let description = container.persistentStoreDescriptions[0]
    description.shouldMigrateStoreAutomatically = false
    container.loadPersistentStores { _, error in
      if let error { print(error) }
    }
  }
}
```

**Correct (Core Data migrates, as it does by default):**

```swift
import CoreData

final class Stack {
  let container = NSPersistentContainer(name: "Trips")
  init() {
    container.loadPersistentStores { _, error in
      if let error { print(error) }
    }
  }
}
```

**When NOT to use:** the rule is silent for models with one version, for stores in memory or opened read-only, and in projects with mapping models, an `NSMigrationManager`, a staged migration, or their own check of the store's metadata.

Reference: https://developer.apple.com/documentation/coredata/nspersistentstoredescription/shouldmigratestoreautomatically

"""#),
    RulePage(
      id: "current-model-version-gone-back",
      group: "core-data",
      title: "The current model version never goes back",
      impact: "CRITICAL",
      impactDescription: "newer stores don't open, or the app crashes at the first use of a property",
      severity: .error,
      tags: ["coredata", "migration", "schema"],
      since: "0.2.0",
      body: #"""
## The current model version never goes back

`.xccurrentversion` names the version with which the app creates and opens its stores. If it names an older version than before, stores of the newer version don't open, or they lose what only the newer version has. If a class already declares an `@NSManaged` property of the newer version, the first use crashes the app with "unrecognized selector".

**Incorrect (the class has `note`, only `Trips2` has that attribute, and `Trips` is the current version):**

```swift sketch
import CoreData

final class Trip: NSManagedObject {
  @NSManaged var title: String?
  @NSManaged var note: String?
}
```

```xml
<key>_XCCurrentVersionName</key>
<string>Trips.xcdatamodel</string>
```

**Correct (the newest version that classes use is the current one):**

```xml
<key>_XCCurrentVersionName</key>
<string>Trips2.xcdatamodel</string>
```

**When NOT to use:** the rule is silent on a newer version that no class uses yet.

Reference: https://developer.apple.com/documentation/xcode/configuring-core-data-models

"""#),
    RulePage(
      id: "cursor-row-kept",
      group: "grdb",
      title: "A cursor's row is copied before it is kept",
      impact: "HIGH",
      impactDescription: "every kept row shows the values of the last one",
      severity: .error,
      tags: ["grdb", "data"],
      since: "0.2.0",
      precision: .high,
      body: #"""
## A cursor's row is copied before it is kept

`Row.fetchCursor` reuses one `Row` for every step. A row that is kept in an array, a dictionary or a property changes with the next step, so all kept rows show the last one. Copy the row, read its values out, or use `Row.fetchAll`, which copies.

**Incorrect (the same row is appended every time):**

```swift
import GRDB

func rows(_ db: Database) throws -> [Row] {
  var found: [Row] = []
  let rows = try Row.fetchCursor(db, sql: "SELECT * FROM trip")
  while let row = try rows.next() {
    found.append(row)
    //           ^^^ every kept row shows the values of the…
  }
  return found
}
```

**Correct (each row is copied):**

```swift
import GRDB

func rows(_ db: Database) throws -> [Row] {
  var found: [Row] = []
  let rows = try Row.fetchCursor(db, sql: "SELECT * FROM trip")
  while let row = try rows.next() {
    found.append(row.copy())
  }
  return found
}
```

**When NOT to use:** the rule is silent on cursors of values and records, on rows that are only read, and on `fetchAll`.

Reference: [Row.fetchCursor](https://swiftpackageindex.com/groue/grdb.swift/documentation/grdb/row)

"""#),
    RulePage(
      id: "database-access-inside-access",
      group: "grdb",
      title: "An access uses its own database argument",
      impact: "CRITICAL",
      impactDescription: "the app crashes",
      severity: .error,
      tags: ["grdb", "concurrency"],
      since: "0.2.0",
      precision: .high,
      body: #"""
## An access uses its own database argument

GRDB's `write` and `read` pass a `Database` to their closure and keep other accesses out. GRDB refuses an access to the same database that starts inside, with "Database methods are not reentrant", and the app crashes. The second access often hides in a method that the first one calls. Use the `Database` of the open access, and pass it on. A pool allows reads beside a write.

**Incorrect (a method that writes is called inside a write):**

```swift
import GRDB

final class Store {
  let queue: DatabaseQueue
  init(queue: DatabaseQueue) { self.queue = queue }

  func touch() throws {
    try queue.write { db in try db.execute(sql: "UPDATE trip SET seen = 1") }
  }
  func add() throws {
    try queue.write { db in
      try db.execute(sql: "INSERT INTO trip (name) VALUES ('')")
      try touch()
      //  ^^^^^ the app crashes here (Database methods are not reentrant), because `touch` starts an access while another access of `queue` is open; use the `Database` of the open access, and pass it on
    }
  }
}
```

**Correct (the database is passed on):**

```swift
import GRDB

final class Store {
  let queue: DatabaseQueue
  init(queue: DatabaseQueue) { self.queue = queue }

  func touch(_ db: Database) throws {
    try db.execute(sql: "UPDATE trip SET seen = 1")
  }
  func add() throws {
    try queue.write { db in
      try db.execute(sql: "INSERT INTO trip (name) VALUES ('')")
      try touch(db)
    }
  }
}
```

**When NOT to use:** the rule is silent on other databases, on `unsafeReentrantWrite`, on accesses that start after the first one has ended, and on reads of a pool inside its write.

Reference: [GRDB: concurrency](https://swiftpackageindex.com/groue/grdb.swift/documentation/grdb/concurrency)

"""#),
    RulePage(
      id: "default-shared-by-old-rows",
      group: "schema",
      title: "A default that differs from object to object is set in the migration",
      impact: "HIGH",
      impactDescription: "all old objects have one identifier or one date",
      severity: .warning,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.2.0",
      precision: .medium,
      body: #"""
## A default that differs from object to object is set in the migration

The migration evaluates the default of a new property once and writes that value to every row that exists. For `UUID()` this means that all objects from before the update have the same identifier: lists show one of them again and again, and a search finds the wrong one. For `Date()` they all have the time of the update. New objects are right, so the developer seldom sees it. Set the value of each row in the `didMigrate` of a custom stage.

**Incorrect (all old trips have one code):**

```swift
import SwiftData
import Foundation

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var title = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var title = ""
    var code = UUID()
    //  ^^^^ error: the app takes all objects from before the update for one, because `UUID()` is evaluated once for all rows of `SchemaV1`; set `code` for each of them in the `didMigrate` of a custom stage
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [
      .lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)
    ]
  }
}

typealias Trip = SchemaV2.Trip

@MainActor func open(_ link: UUID, among trips: [Trip]) -> Trip? {
  trips.first { $0.code == link }
}
```

**Correct (a stage gives each old trip its code):**

```swift
import SwiftData
import Foundation

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var title = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var title = ""
    var code = UUID()
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: nil,
        didMigrate: { context in
          for trip in try context.fetch(FetchDescriptor<SchemaV2.Trip>()) { trip.code = UUID() }
          try context.save()
        })
    ]
  }
}

typealias Trip = SchemaV2.Trip

@MainActor func open(_ link: UUID, among trips: [Trip]) -> Trip? {
  trips.first { $0.code == link }
}
```

**Incorrect (all old trips are of the day of the update, and sorted by it):**

```swift
import SwiftData
import Foundation

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var title = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var title = ""
    var createdAt: Date = Date.now
    //  ^^^^^^^^^ warning: all objects from before the update look the same, because `Date.now` is evaluated once for all rows of `SchemaV1`; set `createdAt` for each of them in the `didMigrate` of a custom stage
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [
      .lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)
    ]
  }
}

typealias Trip = SchemaV2.Trip

let newestFirst = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\Trip.createdAt, order: .reverse)])
```

**Incorrect (the lock knows no code):**

```swift shipped
import SwiftData

@Model final class Trip {
  var title = ""
  init() {}
}

let container = Result { try ModelContainer(for: Trip.self) }
```

```swift
import Foundation
import SwiftData

@Model final class Trip {
  var title = ""
  var id: String = UUID().uuidString
//    ^^ error: the app takes all objects from before the update for one, because `UUID().uuidString` is evaluated once for all rows of the version that shipped; set…
  init() {}
}

let container = Result { try ModelContainer(for: Trip.self) }
```

**When NOT to use:** if old objects may share the value. Dates that nothing compares and properties that the app sets later are not reported.

Reference: [SchemaMigrationPlan](https://developer.apple.com/documentation/swiftdata/schemamigrationplan)

"""#),
    RulePage(
      id: "destructive-migration-enabled",
      group: "store",
      title: "No update empties the store",
      impact: "CRITICAL",
      impactDescription: "the first update that changes the schema deletes all data",
      severity: .error,
      tags: ["grdb", "realm", "migration"],
      since: "0.1.0",
      precision: .veryHigh,
      body: #"""
## No update empties the store

GRDB's `eraseDatabaseOnSchemaChange` and Realm's `deleteRealmIfMigrationNeeded` are meant for development: if the schema in the code differs from the one on disk, the data is deleted without a message. In a release that is everything the user has stored. Write a migration, and keep the option for `#if DEBUG`.

**Incorrect (in release builds too):**

```swift
import GRDB

func makeMigrator() -> DatabaseMigrator {
  var migrator = DatabaseMigrator()
  migrator.eraseDatabaseOnSchemaChange = true
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error: the first update that changes the schema deletes everything…
  migrator.registerMigration("trips") { try $0.create(table: "trip") { $0.autoIncrementedPrimaryKey("id") } }
  return migrator
}
```

**Incorrect (Realm, as an argument):**

```swift
import RealmSwift

let configuration = Realm.Configuration(
  schemaVersion: 2, deleteRealmIfMigrationNeeded: true)
//                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error: the first update that changes the schema…
```

**Correct (only during development):**

```swift
import GRDB

func makeMigrator() -> DatabaseMigrator {
  var migrator = DatabaseMigrator()
  #if DEBUG
    migrator.eraseDatabaseOnSchemaChange = true
  #endif
  return migrator
}
```

**When NOT to use:** a store that is only a cache may be emptied. If its name says so, the finding is a warning.

Reference: https://swiftpackageindex.com/groue/grdb.swift/documentation/grdb/migrations

"""#),
    RulePage(
      id: "disk-space-unchecked",
      group: "store",
      title: "Free space is checked before a store is opened",
      impact: "LOW",
      impactDescription: "on a full disk the app fails, and no log says why",
      severity: nil,
      tags: ["swiftdata", "coredata", "grdb"],
      since: "0.1.0",
      precision: .low,
      body: #"""
## Free space is checked before a store is opened

On a full disk a store can't be opened, and a log can't be written either. Check `volumeAvailableCapacityForImportantUsage` first, and ask the user to free some space.

**Incorrect (nothing is checked):**

```swift
import SwiftData

func open() throws -> ModelContainer {
  try ModelContainer(for: Trip.self)
//    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ on a full disk `ModelContainer` fails…
}
```

**Correct (the free space is checked first):**

```swift
import SwiftData

func open() throws -> ModelContainer {
  let values = try URL.documentsDirectory.resourceValues(
    forKeys: [.volumeAvailableCapacityForImportantUsageKey])
  guard let free = values.volumeAvailableCapacityForImportantUsage, free > 10_000_000 else {
    throw StoreProblem.noSpace
  }
  return try ModelContainer(for: Trip.self)
}
```

**When NOT to use:** the rule is off by default.

Reference: a field report on all the ways in which opening a `ModelContainer` fails; https://developer.apple.com/documentation/foundation/checking-volume-storage-capacity

"""#),
    RulePage(
      id: "duplicate-version-identifier",
      group: "schema",
      title: "Versions have unique, growing numbers",
      impact: "LOW",
      impactDescription: "logs and tools confuse two versions",
      severity: .warning,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      precision: .veryHigh,
      body: #"""
## Versions have unique, growing numbers

The identifier is not part of the checksum, so two versions with the same number still work. But in a log, a crash report or the plan, one is mistaken for the other.

**Incorrect (both are 1.0.0):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
//           ^^^^^^^^^^^^^^^^^ logs and tools can't tell `SchemaV2` from `SchemaV1`, because both have the number 1.0.0; give each version its own number
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
```

**Correct (numbers are compared as numbers, so 1.0.10 comes after 1.0.9):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 9)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 10)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
```

**When NOT to use:** versions of different plans may have the same number.

Reference: [Schema.Version](https://developer.apple.com/documentation/swiftdata/schema/version-swift.struct)

"""#),
    RulePage(
      id: "failed-fetch-taken-for-empty",
      group: "context",
      title: "A failed fetch isn't an empty list",
      impact: "CRITICAL",
      impactDescription: "all objects are deleted when a fetch or request fails",
      severity: .error,
      tags: ["swiftdata", "coredata", "grdb", "realm", "errors"],
      since: "0.2.0",
      precision: .medium,
      body: #"""
## A failed fetch isn't an empty list

`(try? context.fetch(…)) ?? []` says "nothing" where it should say "I don't know". Code that then deletes whatever is not in the list deletes everything. That happens to people whose device is locked, whose disk is full, or whose network is gone. Let the error leave the function before anything is deleted. The same holds for code that fetches an object and makes a new one where it finds none: after a failed fetch there are two of them. That is a note, because a fetch seldom fails and the second object can be found and merged later. A list that becomes the new value of a relationship takes out all objects that it lacks. If a value of the class is unique, the new object takes the place of the stored one, and what nobody sets on it is lost.

**Incorrect (if the trips can't be fetched, all photos are deleted):**

```swift
import Foundation
import SwiftData

@Model final class Trip {
  var code = ""
  init() {}
}

@Model final class Photo {
  var tripCode = ""
  var fileName = ""
  init() {}
}

func removeOrphans(in context: ModelContext) throws {
  let trips = (try? context.fetch(FetchDescriptor<Trip>())) ?? []
  let codes = Set(trips.map(\.code))
  for photo in try context.fetch(FetchDescriptor<Photo>()) where !codes.contains(photo.tripCode) {
    context.delete(photo)
    //      ^^^^^^ error: what should stay is deleted here when `fetch` fails, because the failure counts as an empty list; let the error end the cleanup
  }
}
```

**Correct (the error ends the cleanup):**

```swift
import Foundation
import SwiftData

@Model final class Trip {
  var code = ""
  init() {}
}

@Model final class Photo {
  var tripCode = ""
  var fileName = ""
  init() {}
}

func removeOrphans(in context: ModelContext) throws {
  let trips = try context.fetch(FetchDescriptor<Trip>())
  let codes = Set(trips.map(\.code))
  for photo in try context.fetch(FetchDescriptor<Photo>()) where !codes.contains(photo.tripCode) {
    context.delete(photo)
  }
}
```

**Incorrect (if the server can't be reached, all trips are deleted):**

```swift
import Foundation
import SwiftData

@Model final class Trip {
  var code = ""
  init() {}
}

@Model final class Photo {
  var tripCode = ""
  var fileName = ""
  init() {}
}

final class Sync {
  let url: URL
  init(url: URL) { self.url = url }

  private func load() async throws -> [String] {
    try JSONDecoder().decode([String].self, from: try await URLSession.shared.data(from: url).0)
  }

  private func codes() async -> [String] {
    do {
      return try await load()
    } catch {
      print("no codes:", error)
      return []
    }
  }

  @MainActor func run(in context: ModelContext) async throws {
    let codes = await codes()
    let gone = try context.fetch(FetchDescriptor<Trip>()).filter { !codes.contains($0.code) }
    gone.forEach { context.delete($0) }
    //                     ^^^^^^ error: what should stay is deleted here when `load` fails…
  }
}
```

**When NOT to use:** if what is deleted can be had again at once. Lists that are only shown, and code that asks whether the list is empty before it deletes, are not reported; but a list that several requests have filled needn't be empty when one of them has failed. Deleted files are warnings, and so is what is deleted because a list is empty.

Reference: [ModelContext.fetch](https://developer.apple.com/documentation/swiftdata/modelcontext/fetch(_:))

"""#),
    RulePage(
      id: "fallback-to-another-store",
      group: "lifetime",
      title: "A failed store is not silently replaced by another one",
      impact: "CRITICAL",
      impactDescription: "all data seems gone, and later changes go to the wrong file",
      severity: .warning,
      tags: ["swiftdata", "store", "lifetime"],
      since: "0.2.0",
      precision: .high,
      body: #"""
## A failed store is not silently replaced by another one

A store may fail to open only for a while. Opening another file then looks like a recovery, because the app starts. But the other store is empty, and everything entered goes into the wrong file. Once the first store opens again, the new data seems gone in turn. Say what happened before you continue with another store, or move the first one aside.

**Incorrect (the second file silently replaces the first):**

```swift
import Foundation
import SwiftData

enum Opening {
  static let main = URL.documentsDirectory.appending(path: "Trips.store")
  static let spare = URL.documentsDirectory.appending(path: "Spare.store")

  static func open() throws -> ModelContainer {
    do {
      return try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: main))
    } catch {
      print("the trips can't be opened: \(error)")
      return try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: spare))
      //         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: if `ModelContainer` fails once, all data seems gone and new entries…
    }
  }
}
```

**Correct (the screen can show the problem):**

```swift
import Foundation
import SwiftData

@MainActor final class Opening {
  var notice: String?
  let main = URL.documentsDirectory.appending(path: "Trips.store")
  let spare = URL.documentsDirectory.appending(path: "Spare.store")

  func open() throws -> ModelContainer {
    do {
      return try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: main))
    } catch {
      print("the trips can't be opened: \(error)")
      notice = "Your trips can't be opened. What you enter now is kept apart."
      return try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: spare))
    }
  }
}
```

**When NOT to use:** the rule is silent if the same file is opened again, for example without CloudKit, and if the code chooses between two files before anything has failed.

Reference: https://developer.apple.com/documentation/swiftdata/modelconfiguration

"""#),
    RulePage(
      id: "fatal-error-on-save",
      group: "context",
      title: "A save that fails doesn't crash the app",
      impact: "HIGH",
      impactDescription: "what was just entered is lost, and the app seems broken",
      severity: .error,
      tags: ["swiftdata", "coredata", "save"],
      since: "0.1.0",
      body: #"""
## A save that fails doesn't crash the app

A save fails if the disk is full, if two objects have the same unique value, or if a required value is missing. The old Xcode template then crashes the app, and the user loses all unsaved changes. Catch the error, log it, tell the user, and keep the objects or roll back.

**Incorrect (the old template, and `try!`):**

```swift
import CoreData

final class Delegate {
  let container = NSPersistentContainer(name: "Trips")

  func saveContext() {
    let context = container.viewContext
    guard context.hasChanges else { return }
    do {
      try context.save()
    } catch {
      let problem = error as NSError
      fatalError("Unresolved error \(problem), \(problem.userInfo)")
//    ^^^^^^^^^^ error: when `save` fails, for example because of a full disk or a conflict of unique values (133021), `fatalError`…
    }
  }

  func leave() {
    try! container.viewContext.save()
//  ^^^^ error: when `save` fails, for example because of a full disk or a conflict of unique values (133021), `try!`…
  }
}
```

**Incorrect (`try!` on a function that saves, in a model actor):**

```swift
import SwiftData

@ModelActor actor Library {
  func add(_ title: String) throws {
    modelContext.insert(Trip(title: title))
    try modelContext.save()
  }
}

func add(to library: Library) async {
  try! await library.add("new")
//^^^^ error: when `add` fails…
}
```

**Correct (logged, and the user is told):**

```swift
import CoreData

final class Delegate {
  let container = NSPersistentContainer(name: "Trips")
  var problem: Error?

  func saveContext() {
    do {
      try container.viewContext.save()
    } catch {
      logger.error("\(error)")
      problem = error
    }
  }
}
```

**When NOT to use:** the rule is silent in tests and previews.

Reference: https://developer.apple.com/documentation/coredata/nsmanagedobjectcontext/save()

"""#),
    RulePage(
      id: "fatal-error-on-store-open",
      group: "store",
      title: "A store that can't be opened doesn't crash the app",
      impact: "CRITICAL",
      impactDescription: "the app crashes at every launch and the data can't be reached",
      severity: .error,
      tags: ["swiftdata", "coredata", "grdb", "realm", "launch"],
      since: "0.1.0",
      body: #"""
## A store that can't be opened doesn't crash the app

Opening a store can fail on people's devices: a shipped schema was edited (134504), the disk is full, the device is still locked, or another process migrates (134110). With `fatalError` on that path the app crashes before anything is shown, and crashes again at every launch, until the user deletes the app and all its data. Log the error, distinguish the causes, and show an error or recover from a backup. The same is true of what launch does to a store before it opens it: moving its files, migrating it by hand, reading its metadata. A crash is acceptable only as the last resort, after the store has been copied.

**Incorrect (the template's `fatalError`, and `try!`):**

```swift
import SwiftData

@main struct TripsApp: App {
  let container: ModelContainer

  init() {
    do {
      container = try ModelContainer(for: Trip.self)
    } catch {
      fatalError("no container: \(error)")
//    ^^^^^^^^^^ if `ModelContainer` can't open the store, the app crashes here at every launch (134504 or 134110 in the crash report) and its data can't be reached;…
    }
  }
}

let readOnly = try! ModelContainer(for: Trip.self, configurations: .init(allowsSave: false))
//             ^^^^ if `ModelContainer` can't open the store, `try!` crashes the app at every launch…
```

**Incorrect (a throwing helper, a wrapper that catches, and a function of the project that never returns):**

```swift file=Store.swift
import SwiftData

func sharedContainer() -> ModelContainer {
  do {
    return try openContainer()
  } catch {
    crash(reporting: "container: \(error)")
//  ^^^^^ if `openContainer` can't open the store, the app crashes here…
  }
}

private func openContainer() throws -> ModelContainer {
  let schema = Schema(versionedSchema: TripsV2.self)
  return try ModelContainer(for: schema, migrationPlan: TripsPlan.self)
}
```

```swift file=Crash.swift
func crash(reporting message: String) -> Never {
  Backend.send(message)
  fatalError(message)
}
```

**Incorrect (Core Data's completion closure):**

```swift
import CoreData

final class Stack {
  lazy var container: NSPersistentContainer = {
    let container = NSPersistentContainer(name: "Trips")
    container.loadPersistentStores { _, error in
      if let error {
        fatalError("\(error)")
//      ^^^^^^^^^^ if `loadPersistentStores` can't open the store…
      }
    }
    return container
  }()
}
```

**Correct (the error is kept and shown):**

```swift
import SwiftData

@Observable final class Launch {
  private(set) var container: ModelContainer?
  private(set) var problem: Error?

  func open() {
    do {
      container = try ModelContainer(for: Trip.self)
    } catch {
      logger.error("opening: \(error)")
      problem = error
    }
  }
}
```

**Correct (three tiers, the last one after a backup of all three files):**

```swift
import SwiftData

enum Store {
  static func open() -> ModelContainer {
    let schema = Schema(versionedSchema: TripsV3.self)
    let configuration = ModelConfiguration(schema: schema)
    do {
      return try ModelContainer(
        for: schema, migrationPlan: TripsPlan.self, configurations: configuration)
    } catch {
      logger.error("with the plan: \(error)")
    }
    do {
      return try ModelContainer(
        for: schema, migrationPlan: TripsPlan.self, configurations: configuration)
    } catch {
      logger.error("again: \(error)")
    }
    let files = ["", "-wal", "-shm"].map { configuration.url.path + $0 }
    do {
      for file in files where FileManager.default.fileExists(atPath: file) {
        try FileManager.default.copyItem(atPath: file, toPath: file + ".backup")
        try FileManager.default.removeItem(atPath: file)
      }
      return try ModelContainer(
        for: schema, migrationPlan: TripsPlan.self, configurations: configuration)
    } catch {
      fatalError("also with a fresh store: \(error)")
    }
  }
}
```

**When NOT to use:** the rule is silent in tests, previews, sample data and code under `#if DEBUG`. If openers and backups are in packages that are not linted, name them in the configuration (`names`).

Reference: a field report on all the ways in which opening a `ModelContainer` fails, a field report on recovery in tiers: retry, back up, make anew; https://developer.apple.com/documentation/swiftdata/modelcontainer

"""#),
    RulePage(
      id: "frozen-migration-edited",
      group: "grdb",
      title: "A shipped migration stays as it is",
      impact: "CRITICAL",
      impactDescription: "users' databases differ from new ones, and later migrations fail",
      severity: .error,
      tags: ["grdb", "schema", "migration"],
      since: "0.2.0",
      body: #"""
## A shipped migration stays as it is

GRDB runs a registered migration once per database and remembers its name. Users who have run the migration never get an edit of it, so an edit reaches only new installations: the developer has a column that users don't have, a later migration that copies this column fails, and the database can't be opened. The rule compares what the migration does: the SQL, the table builder's calls, constants, and the functions of the project that are called. `persistlint freeze` records that in `persistlint.lock`; `--against` uses a tag or a branch instead.

**Incorrect (the color was added to a migration that users have run):**

```swift shipped
import GRDB

enum Schema {
  static func migrator() -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { db in
      try db.create(table: "trip") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("title", .text).notNull()
      }
    }
    return migrator
  }
}
```

```swift
import GRDB

enum Schema {
  static func migrator() -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { db in
//           ^^^^^^^^^^^^^^^^^ users who have run `v1` won't run it again, so this change reaches only new installations and later migrations meet two different databases; restore `v1` as in `persistlint.lock` and make the change in a new migration at the end
      try db.create(table: "trip") { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("title", .text).notNull()
        t.column("color", .text)
      }
    }
    return migrator
  }
}
```

**Correct (a new migration adds the color; spelling and constants may change):**

```swift
import GRDB

enum Schema {
  static let trips = "trip"

  static func migrator() -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("v1") { database in
      // The table that everything began with.
      try createTrips(database)
    }
    migrator.registerMigration("v2") { db in
      try db.alter(table: trips) { t in t.add(column: "color", .text) }
    }
    return migrator
  }

  private static func createTrips(_ db: Database) throws {
    try db.create(table: trips) { table in
      table.autoIncrementedPrimaryKey("id")
      table.column("title", .text).notNull()
    }
  }
}
```

**When NOT to use:** before the first release, when nobody has run the migrations. Freeze when you ship.

Reference: [GRDB, Good practices for defining migrations](https://swiftpackageindex.com/groue/grdb.swift/documentation/grdb/migrations)

"""#),
    RulePage(
      id: "frozen-schema-edited",
      group: "schema",
      title: "A shipped schema version stays as it is",
      impact: "CRITICAL",
      impactDescription: "users who skipped an update can't open their data",
      severity: .error,
      tags: ["swiftdata", "coredata", "schema", "migration"],
      since: "0.1.0",
      precision: .veryHigh,
      body: #"""
## A shipped schema version stays as it is

A store keeps the checksum of its version. An edit inside that version changes the checksum, and existing stores then match no version of the plan: Cocoa error 134504, "Cannot use staged migration with an unknown model version". The developer doesn't see this, because the store on the developer's device has the newest version. `persistlint freeze` records what ships in `persistlint.lock`; `--against` uses a tag or a branch instead.

**Incorrect (the new property was added to a version that has shipped):**

```swift shipped
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}
```

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
//      ^^^^ users with stores of `SchemaV1` can't open them after an update (134504), because a shipped version was edited: `Trip.note` (`String?`) is new; restore the version as shipped and make the change in a new version
    init() {}
  }
}
```

**Fixed by `--unsafe-fixes` (the version is restored as it shipped, and code that uses today's models uses the new version; classes that can't be restored from the lock and the sources stay):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }

  @Model final class Trip {
    var name: String = ""

    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    init() {}
  }
}

enum AppMigrationPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] {
    [SchemaV1.self, SchemaV2.self]
  }

  static var stages: [MigrationStage] {
    [
      .lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)
    ]
  }
}
```

**Correct (a new version has the new property):**

```swift shipped
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}
```

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
```

**When NOT to use:** for a version that nobody has, freeze again with `persistlint freeze --again`. With `--against`, a change of the newest version is a note: list the version under `released` in the configuration if it has shipped, or compare with `--against-release`. Edits that don't change the checksum, such as methods, comments, a delete rule or an index, are not reported.

Reference: [VersionedSchema](https://developer.apple.com/documentation/swiftdata/versionedschema)

"""#),
    RulePage(
      id: "history-never-trimmed",
      group: "lifetime",
      title: "Tracked history is also deleted",
      impact: "MEDIUM",
      impactDescription: "the store grows with every save, for years",
      severity: .note,
      tags: ["swiftdata", "coredata", "store", "lifetime"],
      since: "0.2.0",
      precision: .high,
      body: #"""
## Tracked history is also deleted

With history tracking, every save also writes its changes into the history, and nothing deletes them automatically. Stores with millions of such rows exist: opening, saving and reading the history get slower, and the file becomes larger than the data. If you turn history on, or read SwiftData's history, delete what all readers have processed.

There is one finding per project, at the first option or the first `fetchHistory`.

**Incorrect (on, and never deleted):**

```swift
import CoreData

func makeContainer() -> NSPersistentContainer {
  let container = NSPersistentContainer(name: "Trips")
  container.persistentStoreDescriptions.first?.setOption(
    true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    //                        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ note: the store grows with every save and opens more slowly over the…
  container.loadPersistentStores { _, error in
    if let error { print("the trips can't be opened: \(error)") }
  }
  return container
}
```

**Correct (deleted after a week):**

```swift
import CoreData

func makeContainer() -> NSPersistentContainer {
  let container = NSPersistentContainer(name: "Trips")
  container.persistentStoreDescriptions.first?.setOption(
    true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
  container.loadPersistentStores { _, error in
    if let error { print("the trips can't be opened: \(error)") }
  }
  return container
}

func trim(_ context: NSManagedObjectContext) async throws {
  let limit = Date.now.addingTimeInterval(-7 * 24 * 3600)
  try await context.perform {
    _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: limit))
  }
}
```

**Incorrect (SwiftData's history is read and never deleted):**

```swift
import SwiftData

func changes(in context: ModelContext) throws -> Int {
  try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count
  //          ^^^^^^^^^^^^ note: the store grows with every save and reading its history gets slower,…
}
```

**Correct (what was read is deleted):**

```swift
import SwiftData

func changes(in context: ModelContext) throws -> Int {
  let all = HistoryDescriptor<DefaultHistoryTransaction>()
  let count = try context.fetchHistory(all).count
  try context.deleteHistory(all)
  return count
}
```

**When NOT to use:** a store that syncs with CloudKit needs its history and is not reported.

Reference: https://developer.apple.com/documentation/coredata/persistent-history

"""#),
    RulePage(
      id: "identical-schema-versions",
      group: "schema",
      title: "Versions of a plan differ in what they store",
      impact: "CRITICAL",
      impactDescription: "the app crashes at every launch and nothing can catch it",
      severity: .error,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      precision: .veryHigh,
      body: #"""
## Versions of a plan differ in what they store

A store recognizes its version by a checksum of what is stored. If two versions of a plan have the same checksum, the framework throws an Objective-C exception, `Duplicate version checksums detected`, and neither `do`/`catch` nor `try?` catches it. Delete rules, default values and indexes are not in the checksum, so a version that changes only those is a duplicate. Two versions that name the same classes are duplicates too.

**Incorrect (a version for a new delete rule):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
  @Model final class Trip {
    @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
    init() {}
  }
  @Model final class Stop {
    var trip: Trip?
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
//   ^^^^^^^^ the app crashes at launch (Duplicate version checksums detected), because `SchemaV2` stores exactly what `SchemaV1` does; a version needs a stored change: remove it from the plan
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
  @Model final class Trip {
    @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
    init() {}
  }
  @Model final class Stop {
    var trip: Trip?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
```

**Correct (the delete rule changes in the newest version, where it acts at once):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }
  @Model final class Trip {
    @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
    init() {}
  }
  @Model final class Stop {
    var trip: Trip?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self] }
  static var stages: [MigrationStage] { [] }
}
```

**When NOT to use:** while `stages` is empty, the versions are not compared yet. The rule warns, because the first stage brings the crash.

Reference: [SchemaMigrationPlan](https://developer.apple.com/documentation/swiftdata/schemamigrationplan)

"""#),
    RulePage(
      id: "identifier-taken-before-save",
      group: "concurrency",
      title: "Identifiers are read after the first save",
      impact: "HIGH",
      impactDescription: "the object can't be found by its identifier",
      severity: .warning,
      tags: ["swiftdata", "coredata", "concurrency"],
      since: "0.1.0",
      precision: .medium,
      body: #"""
## Identifiers are read after the first save

Until its first save, an object has a temporary identifier that is valid only in its own context. If that identifier is passed to an actor, kept in a property or returned, it can't be resolved: the lookup returns nil, or a fault that crashes. Save first, then read the identifier.

**Incorrect (the identifier goes to an actor before the save):**

```swift
import SwiftData

@Model final class Trip { init() {} }

@ModelActor actor Uploader { func upload(_ id: PersistentIdentifier) {} }

@MainActor func add(to context: ModelContext, _ uploader: Uploader) async throws {
  let trip = Trip()
  context.insert(trip)
  await uploader.upload(trip.persistentModelID)
  //                         ^^^^^^^^^^^^^^^^^ `trip` (Trip) can't be found by this identifier later, because the identifier is temporary until the first save; save the context before you read `trip.persistentModelID`
  try context.save()
}
```

**Correct (saved first):**

```swift
import SwiftData

@Model final class Trip { init() {} }

@ModelActor actor Uploader { func upload(_ id: PersistentIdentifier) {} }

@MainActor func add(to context: ModelContext, _ uploader: Uploader) async throws {
  let trip = Trip()
  context.insert(trip)
  try context.save()
  await uploader.upload(trip.persistentModelID)
}
```

**Incorrect (kept in a local variable across the save, and returned):**

```swift
import SwiftData

@Model final class Trip { init() {} }

@ModelActor actor TripStore {
  func add() throws -> PersistentIdentifier {
    let trip = Trip()
    modelContext.insert(trip)
    let id = trip.persistentModelID
    //            ^^^^^^^^^^^^^^^^^ `trip` (Trip) can't be found by this identifier…
    try modelContext.save()
    return id
  }
}
```

**Correct (compared in the same context):**

```swift
import SwiftData

@Model final class Trip { init() {} }

func isFirst(_ all: [Trip], in context: ModelContext) -> Bool {
  let trip = Trip()
  context.insert(trip)
  return all.first?.persistentModelID == trip.persistentModelID
}
```

**Incorrect (a Core Data object is inserted by its initializer):**

```swift
import CoreData

final class Visit: NSManagedObject {}

final class Visits {
  var last: NSManagedObjectID?

  func add(in context: NSManagedObjectContext) {
    let visit = Visit(context: context)
    last = visit.objectID
    //           ^^^^^^^^ `visit` (Visit) can't be found by this identifier…
  }
}
```

**Correct (permanent identifiers are requested):**

```swift
import CoreData

final class Visit: NSManagedObject {}

final class Visits {
  var last: NSManagedObjectID?

  func add(in context: NSManagedObjectContext) throws {
    let visit = Visit(context: context)
    try context.obtainPermanentIDs(for: [visit])
    last = visit.objectID
  }
}
```

**When NOT to use:** the rule is silent if a function called in between saves the context.

Reference: https://developer.apple.com/documentation/coredata/nsmanagedobjectid/istemporaryid

"""#),
    RulePage(
      id: "in-memory-fallback",
      group: "store",
      title: "A store in memory doesn't replace the one on disk",
      impact: "HIGH",
      impactDescription: "all the work of that launch is lost, and nobody says so",
      severity: .error,
      tags: ["swiftdata", "coredata", "grdb", "recovery"],
      since: "0.1.0",
      body: #"""
## A store in memory doesn't replace the one on disk

If the store can't be opened and a store in memory is opened instead, all data seems gone, and everything entered is lost when the app quits. People notice too late. Show the error and offer to try again, or copy the store and open a fresh one on disk.

**Incorrect (silently in memory):**

```swift
import SwiftData

func open() throws -> ModelContainer {
  do {
    return try ModelContainer(for: Trip.self)
  } catch {
    logger.error("\(error)")
    let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
    return try ModelContainer(for: Trip.self, configurations: configuration)
//             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error: if `ModelContainer` can't open the store, the app seems to work and everything entered is lost…
  }
}
```

**Incorrect (the user is told, so a warning):**

```swift
import SwiftData

final class Launch {
  var container: ModelContainer?
  var showsStoreAlert = false

  func open() throws {
    do {
      container = try ModelContainer(for: Trip.self)
    } catch {
      logger.error("\(error)")
      showsStoreAlert = true
      container = try ModelContainer(
//                    ^^^^^^^^^^^^^^^ warning: everything entered until the app quits is lost, even if…
        for: Trip.self, configurations: .init(isStoredInMemoryOnly: true))
    }
  }
}
```

**Correct (in memory only if asked for):**

```swift
import SwiftData

func open(inMemory: Bool) throws -> ModelContainer {
  let configuration = ModelConfiguration(isStoredInMemoryOnly: inMemory)
  return try ModelContainer(for: Trip.self, configurations: configuration)
}
```

**When NOT to use:** the rule is silent in tests and previews. In a widget that only shows what is stored it's a note.

Reference: a field report on recovery in tiers: retry, back up, make anew; https://developer.apple.com/documentation/swiftdata/modelconfiguration/isstoredinmemoryonly

"""#),
    RulePage(
      id: "invalid-suppression",
      group: "suppressions",
      title: "Suppressions name a rule, give a reason, and are needed",
      impact: "LOW",
      impactDescription: "a finding is hidden although nobody decided to hide it",
      severity: .warning,
      tags: ["persistlint"],
      since: "0.1.0",
      precision: .veryHigh,
      body: #"""
## Suppressions name a rule, give a reason, and are needed

`// persistlint:ignore[rule-id] reason` silences one rule on its own line, or on the next line of code if the comment stands alone. `persistlint:ignore-begin[rule-id] reason` silences the rule up to the next `persistlint:ignore-end`, and `persistlint:ignore-file[rule-id] reason` in the whole file. A suppression without a reason can't be reviewed. A misspelled id hides nothing, and a suppression that is no longer needed would hide the next mistake on that line.

**Incorrect (no reason, an unknown id, no id):**

```swift
func open() throws {
  // persistlint:ignore[invalid-suppression]
  // ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the next reader can't tell why this is safe…
  // persistlint:ignore[swallowed-save-eror] the widget saves again
  // ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ there is no rule `swallowed-save-eror`…
  // persistlint:ignore the widget saves again
  // ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ this comment silences nothing; name the rule…
}
```

**Incorrect (a begin without an end, an end without a begin):**

```swift
// persistlint:ignore-end
// ^^^^^^^^^^^^^^^^^^^^^^ there is no `persistlint:ignore-begin` with these rules above; delete the comment
// persistlint:ignore-begin[invalid-suppression] the import saves again
// ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ everything below is silenced too…
func save() {}
```

**Incorrect (a word that persistlint doesn't know):**

```swift
func erase() {
  // persistlint:disable[invalid-suppression] the import saves again
  // ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ this comment silences nothing, because there is no `persistlint:disable`…
  // persistlint:ignore-next[invalid-suppression] the import saves again
  // ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ this comment silences nothing, because there is no `persistlint:ignore-next`…
  // persistlint: ignore[invalid-suppression] the import saves again
  // ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ this comment silences nothing, because there is no `persistlint: ignore`…
}
```

**Correct (the rule by its id, and why):**

```swift sketch
try? context.save()  // persistlint:ignore[swallowed-save-error] the import saves again at its end
```

**When NOT to use:** you can turn the rule off, but then nobody checks the suppressions.

Reference: `persistlint rules` lists the ids; https://github.com/persistlint/persistlint#readme

"""#),
    RulePage(
      id: "inverse-of-another-model",
      group: "lifetime",
      title: "An inverse belongs to the model at the other end",
      impact: "CRITICAL",
      impactDescription: "the store can't be opened, or changes get lost",
      severity: .error,
      tags: ["swiftdata", "models", "lifetime"],
      since: "0.2.0",
      precision: .high,
      body: #"""
## An inverse belongs to the model at the other end

`@Relationship(inverse:)` accepts any key path, so a copied line compiles with the wrong one. An inverse must be a property of the model that the relationship leads to, and must lead back. Otherwise SwiftData crashes the app when it creates the schema, or sets the wrong relationship with each change.

**Incorrect (copied from the line above):**

```swift
import SwiftData

@Model final class Video {
  var title = ""
  @Relationship(inverse: \QueueEntry.video) var queueEntries: [QueueEntry] = []
  @Relationship(inverse: \QueueEntry.video) var watchEntries: [WatchEntry] = []
  //            ^^^^^^^^^^^^^^^^^^^^^^^^^^ error: the store can't be opened, or changes to `Video.watchEntries` get…
  init() {}
}

@Model final class QueueEntry {
  var video: Video?
  init() {}
}

@Model final class WatchEntry {
  var video: Video?
  init() {}
}
```

**Correct (each leads back):**

```swift
import SwiftData

@Model final class Video {
  var title = ""
  @Relationship(inverse: \QueueEntry.video) var queueEntries: [QueueEntry] = []
  @Relationship(inverse: \WatchEntry.video) var watchEntries: [WatchEntry] = []
  init() {}
}

@Model final class QueueEntry {
  var video: Video?
  init() {}
}

@Model final class WatchEntry {
  var video: Video?
  init() {}
}
```

**Incorrect (the inverse leads to a third model):**

```swift
import SwiftData

@Model final class Club {
  var name = ""
  @Relationship(inverse: \Player.trainer) var players: [Player] = []
  //            ^^^^^^^^^^^^^^^^^^^^^^^^ error: the store can't be opened, or changes to `Club.players` get lost, because…
  init() {}
}

@Model final class Player {
  var club: Club?
  var trainer: Trainer?
  init() {}
}

@Model final class Trainer {
  var name = ""
  @Relationship(inverse: \Player.trainer) var trained: [Player] = []
  init() {}
}
```

**Correct (the property that leads back to the club):**

```swift
import SwiftData

@Model final class Club {
  var name = ""
  @Relationship(inverse: \Player.club) var players: [Player] = []
  init() {}
}

@Model final class Player {
  var club: Club?
  var trainer: Trainer?
  init() {}
}

@Model final class Trainer {
  var name = ""
  @Relationship(inverse: \Player.trainer) var trained: [Player] = []
  init() {}
}
```

**When NOT to use:** a model and its superclass count as one. Inverses that can't be resolved are not reported.

Reference: https://developer.apple.com/documentation/swiftdata/relationship(_:deleterule:minimummodelcount:maximummodelcount:originalname:inverse:hashmodifier:)

"""#),
    RulePage(
      id: "lightweight-migration-impossible",
      group: "schema",
      title: "A change that can't be inferred has a custom stage",
      impact: "CRITICAL",
      impactDescription: "everyone who updates can't open their store",
      severity: .error,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      precision: .veryHigh,
      body: #"""
## A change that can't be inferred has a custom stage

A lightweight stage adds, removes and renames. It can't turn a string into a date or a struct into a relationship, and it can't make an optional property required. It also fails at the first duplicate if a property becomes unique. Such a change needs a custom stage, and a change of type also needs a new property beside the old one.

**Incorrect (a unique constraint, but existing rows may hold duplicates):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
//                   ^^^^ users who update from `SchemaV1` can't open their data: `Trip` became unique by `name`, and fails where duplicates exist: merge or delete them in willMigrate; make the stage custom
    @Attribute(.unique) var name: String = ""
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
```

**Incorrect (the same, and neither the shipped models nor today's have a version):**

```swift shipped
import SwiftData

@Model final class Trip {
  var name: String = ""
  init() {}
}

let container = Result { try ModelContainer(for: Trip.self) }
```

```swift
import SwiftData

@Model final class Trip {
//                 ^^^^ users who update from the version that shipped can't open their data: `Trip` became unique by `name`, and…
  @Attribute(.unique) var name: String = ""
  init() {}
}

let container = Result { try ModelContainer(for: Trip.self) }
```

**Fixed by `--unsafe-fixes` (adds the versions, the plan and the stage; you decide what the stage does):**

```swift
import SwiftData

@Model final class Trip {
  @Attribute(.unique) var name: String = ""
  init() {}
}

let container = Result { try ModelContainer(for: Trip.self, migrationPlan: AppMigrationPlan.self) }

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }

  @Model final class Trip {
    var name: String = ""

    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
}

enum AppMigrationPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] {
    [SchemaV1.self, SchemaV2.self]
  }

  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
        willMigrate: { context in
          // Change the rows here so that they fit `SchemaV2`.
          try context.save()
        },
        didMigrate: nil)
    ]
  }
}
```

**Correct (a custom stage removes the duplicates first):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    @Attribute(.unique) var name: String = ""
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
        willMigrate: { context in
          var seen: Set<String> = []
          for trip in try context.fetch(FetchDescriptor<SchemaV1.Trip>())
          where !seen.insert(trip.name).inserted {
            context.delete(trip)
          }
          try context.save()
        }, didMigrate: nil)
    ]
  }
}
```

**When NOT to use:** the rule is silent if a custom stage handles the change. Only a test with an old store proves that the stage works.

Reference: [SchemaMigrationPlan](https://developer.apple.com/documentation/swiftdata/schemamigrationplan)

"""#),
    RulePage(
      id: "main-thread-waits-for-context",
      group: "core-data",
      title: "The main thread doesn't wait for itself",
      impact: "CRITICAL",
      impactDescription: "the app hangs until the system ends it",
      severity: .error,
      tags: ["coredata", "swiftdata", "concurrency"],
      since: "0.2.0",
      precision: .medium,
      body: #"""
## The main thread doesn't wait for itself

`DispatchQueue.main.sync`, a semaphore or a group stops the thread until something else has run. If that needs the main thread and the main thread is the one that waits, nothing ever runs again: the screen freezes, and the system ends the app. `perform` of the view context, `DispatchQueue.main.async` and tasks of the main actor all run on the main thread, after the code that calls them.

**Incorrect (the view context's work comes after the wait for it):**

```swift
import CoreData
import UIKit

final class TripsController: UIViewController {
  let container: NSPersistentContainer
  init(container: NSPersistentContainer) {
    self.container = container
    super.init(nibName: nil, bundle: nil)
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    print(count())
  }

  private func count() -> Int {
    let loaded = DispatchSemaphore(value: 0)
    var count = 0
    container.viewContext.perform {
      count = (try? self.container.viewContext.count(for: NSFetchRequest(entityName: "Trip"))) ?? 0
      loaded.signal()
    }
    loaded.wait()
    //     ^^^^ error: the app hangs here, because the main thread waits for what only runs on the main thread; use a completion or `await` instead of `wait`
    return count
  }
}
```

**Correct (on main the view context is used directly):**

```swift
import CoreData
import UIKit

final class TripsController: UIViewController {
  let container: NSPersistentContainer
  init(container: NSPersistentContainer) {
    self.container = container
    super.init(nibName: nil, bundle: nil)
  }

  override func viewDidLoad() {
    super.viewDidLoad()
    print(count())
  }

  private func count() -> Int {
    (try? container.viewContext.count(for: NSFetchRequest(entityName: "Trip"))) ?? 0
  }
}
```

**Incorrect (the background work waits for main, and main for the background work):**

```swift
import CoreData
import UIKit

final class TripsController: UIViewController {
  let container: NSPersistentContainer
  init(container: NSPersistentContainer) {
    self.container = container
    super.init(nibName: nil, bundle: nil)
  }

  override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    let background = container.newBackgroundContext()
    background.performAndWait {
      let count = (try? background.count(for: NSFetchRequest(entityName: "Trip"))) ?? 0
      DispatchQueue.main.sync { self.title = "\(count) trips" }
      //                 ^^^^ error: the app hangs here, because the main thread waits for this code while `sync` waits for the main thread; use `async`, or don't wait on main
    }
  }
}
```

**Correct (nobody waits for the background work):**

```swift
import CoreData
import UIKit

final class TripsController: UIViewController {
  let container: NSPersistentContainer
  init(container: NSPersistentContainer) {
    self.container = container
    super.init(nibName: nil, bundle: nil)
  }

  override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    let background = container.newBackgroundContext()
    background.perform {
      let count = (try? background.count(for: NSFetchRequest(entityName: "Trip"))) ?? 0
      DispatchQueue.main.sync { self.title = "\(count) trips" }
    }
  }
}
```

**When NOT to use:** there is no reason to turn this rule off. A wait with a time limit, a signal from another queue, and code of which nobody can tell where it runs are not reported.

Reference: [DispatchQueue.sync](https://developer.apple.com/documentation/dispatch/dispatchqueue/sync(execute:)-3segw)

"""#),
    RulePage(
      id: "managed-object-outside-context",
      group: "concurrency",
      title: "Managed objects stay on their context's queue",
      impact: "CRITICAL",
      impactDescription: "the app crashes at random, or loses edits",
      severity: .error,
      tags: ["swiftdata", "coredata", "concurrency"],
      since: "0.1.0",
      precision: .medium,
      body: #"""
## Managed objects stay on their context's queue

A Core Data context and its objects belong to the context's queue, and only `perform` and `performAndWait` lead there. A background context that is fetched from, changed or saved elsewhere races with its own queue: random crashes, lost edits, faults that never fire. The queue also guards what code keeps in the context's `userInfo`. A task that starts inside `perform` runs after `perform` has ended, so it is outside too.

**Incorrect (a background context without `perform`):**

```swift
import CoreData

final class Visit: NSManagedObject { @NSManaged var place: String }

func purge(_ container: NSPersistentContainer) throws {
  let context = container.newBackgroundContext()
  let visits = try context.fetch(NSFetchRequest<Visit>(entityName: "Visit"))
  //               ^^^^^^^ the app can crash or lose edits here, because the context `context` is used outside `perform`, away from its own queue; call `perform` on the context and do the work inside
  for visit in visits { context.delete(visit) }
}
```

**Correct (inside `perform`):**

```swift
import CoreData

final class Visit: NSManagedObject { @NSManaged var place: String }

func purge(_ container: NSPersistentContainer) async throws {
  let context = container.newBackgroundContext()
  context.name = "purge"
  try await context.perform {
    let visits = try context.fetch(NSFetchRequest<Visit>(entityName: "Visit"))
    for visit in visits { context.delete(visit) }
    try context.save()
  }
}
```

**Incorrect (a task that starts inside `perform`):**

```swift
import CoreData

final class Visit: NSManagedObject { @NSManaged var place: String }

final class Sync {
  let context: NSManagedObjectContext
  init(context: NSManagedObjectContext) { self.context = context }

  func push(_ visit: Visit) {
    context.perform {
      Task { await Server.send(visit.place) }
      //                       ^^^^^ the app can crash here or show half-written values, because `visit` (Visit) is used in a task without an actor, away from where its context was created; before the task, write `let place = visit.place` and use that inside
    }
  }
}
```

**Correct (the value is read inside `perform`):**

```swift
import CoreData

final class Visit: NSManagedObject { @NSManaged var place: String }

final class Sync {
  let context: NSManagedObjectContext
  init(context: NSManagedObjectContext) { self.context = context }

  func push(_ visit: Visit) {
    context.perform {
      let place = visit.place
      Task { await Server.send(place) }
    }
  }
}
```

**Incorrect (read on a global actor):**

```swift
import CoreData

final class Account: NSManagedObject { @NSManaged var token: String }

@globalActor actor NetworkActor { static let shared = NetworkActor() }

@NetworkActor enum Network {
  static func login(_ account: Account) async {
    await send(account.token)
    //         ^^^^^^^ the app can crash or lose edits here, because `account` is used on an actor, away from where its context was created; read the values on its queue first, or pass the `objectID` and look the object up here
  }
  static func send(_ token: String) async {}
}
```

**Correct (the value is passed):**

```swift
import CoreData

final class Account: NSManagedObject { @NSManaged var token: String }

@globalActor actor NetworkActor { static let shared = NetworkActor() }

@NetworkActor enum Network {
  static func login(_ token: String) async {}
}

@MainActor func login(_ account: Account) async { await Network.login(account.token) }
```

**When NOT to use:** contexts and objects that are passed as parameters are judged where they come from. The rule is silent on `viewContext` on the main actor and on `objectID`.

Reference: https://developer.apple.com/documentation/coredata/nsmanagedobjectcontext

"""#),
    RulePage(
      id: "merge-policy-missing",
      group: "context",
      title: "Unique constraints need a merge policy",
      impact: "MEDIUM",
      impactDescription: "one conflict makes every later save fail",
      severity: .warning,
      tags: ["coredata", "save"],
      since: "0.1.0",
      precision: .medium,
      body: #"""
## Unique constraints need a merge policy

Core Data's default policy is to fail: two objects with the same unique value make the save throw (133021). Every later save of that context fails as well, because the objects are still there. So do the saves of two contexts, or of an app and its extension, that change the same object (133020). Set a merge policy on the contexts, such as `NSMergeByPropertyObjectTrumpMergePolicy`.

**Incorrect (unique values, and the default policy):**

```swift
import CoreData

func makeModel() -> NSManagedObjectModel {
  let entity = NSEntityDescription()
  entity.name = "Trip"
  entity.uniquenessConstraints = [["code"]]
  let model = NSManagedObjectModel()
  model.entities = [entity]
  return model
}

func load(_ completion: @escaping (Error?) -> Void) {
  let container = NSPersistentContainer(name: "Trips", managedObjectModel: makeModel())
  container.loadPersistentStores { completion($1) }
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: two objects with the same unique value make this and every later save fail (133021),…
}
```

**Correct (a policy is set):**

```swift
import CoreData

func makeModel() -> NSManagedObjectModel {
  let entity = NSEntityDescription()
  entity.name = "Trip"
  entity.uniquenessConstraints = [["code"]]
  let model = NSManagedObjectModel()
  model.entities = [entity]
  return model
}

func load(_ completion: @escaping (Error?) -> Void) {
  let container = NSPersistentContainer(name: "Trips", managedObjectModel: makeModel())
  container.viewContext.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
  container.loadPersistentStores { completion($1) }
}
```

**When NOT to use:** if the code handles conflicts by hand, suppress the finding with that reason.

Reference: https://developer.apple.com/documentation/coredata/nsmergepolicy

"""#),
    RulePage(
      id: "migration-drops-data",
      group: "schema",
      title: "Data is copied before it is removed",
      impact: "HIGH",
      impactDescription: "the update deletes what users entered",
      severity: .warning,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      precision: .medium,
      body: #"""
## Data is copied before it is removed

If a new version no longer has a property or class, the migration deletes all its data. A renamed class is a new, empty class, because entities have no original name.

**Incorrect (all notes are deleted):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    var day: Date?
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
//                   ^^^^ the migration to `SchemaV2` deletes all data of `Trip.note`; copy the data in a custom stage, or suppress this finding with a reason
    var name: String = ""
    var day: Date?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
```

**Correct (the stage reads the notes first):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    var day: Date?
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var day: Date?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
        willMigrate: { context in
          for trip in try context.fetch(FetchDescriptor<SchemaV1.Trip>()) {
            trip.name += trip.note ?? ""
          }
          try context.save()
        }, didMigrate: nil)
    ]
  }
}
```

**When NOT to use:** if the data is meant to go, say so in a suppression.

Reference: [SchemaMigrationPlan](https://developer.apple.com/documentation/swiftdata/schemamigrationplan)

"""#),
    RulePage(
      id: "migration-error-swallowed",
      group: "schema",
      title: "An error in a stage stops the migration",
      impact: "HIGH",
      impactDescription: "data that should be moved is lost",
      severity: .error,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      body: #"""
## An error in a stage stops the migration

When a stage returns, the store counts as migrated and the stage never runs again. If `try?` or an empty `catch` swallows an error, part of the data is lost for good. If the error is thrown, the store stays as it was.

**Incorrect (the save may fail and nobody knows):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
        willMigrate: nil,
        didMigrate: { context in
          for trip in try context.fetch(FetchDescriptor<SchemaV2.Trip>()) { trip.note = trip.name }
          try? context.save()
//        ^^^^ if this fails, the store still counts as migrated and the data that should have moved is lost; propagate the error out of the stage with `try`
        })
    ]
  }
}
```

**Correct (the stage throws the error):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
        willMigrate: nil,
        didMigrate: { context in
          for trip in try context.fetch(FetchDescriptor<SchemaV2.Trip>()) { trip.note = trip.name }
          try context.save()
        })
    ]
  }
}
```

**When NOT to use:** suppress the finding if the stage can do without the value, such as a preview image that can be made again, and give that reason.

Reference: [SchemaMigrationPlan](https://developer.apple.com/documentation/swiftdata/schemamigrationplan)

"""#),
    RulePage(
      id: "migration-plan-unused",
      group: "schema",
      title: "Containers are opened with their migration plan",
      impact: "HIGH",
      impactDescription: "data that custom stages keep is lost",
      severity: .warning,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      precision: .medium,
      body: #"""
## Containers are opened with their migration plan

A container that is opened without `migrationPlan:` infers its migration and skips every custom stage. A rename without an original name then loses its values, and the container that opens the store first decides how the data is migrated.

**Incorrect (there is a plan, and it isn't passed):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] { [toV2] }
  static let toV2 = MigrationStage.custom(
    fromVersion: SchemaV1.self, toVersion: SchemaV2.self, willMigrate: nil,
    didMigrate: { context in
      for trip in try context.fetch(FetchDescriptor<SchemaV2.Trip>()) { trip.note = trip.name }
      try context.save()
    })
}

struct Store {
  static func open() throws -> ModelContainer {
    try ModelContainer(for: SchemaV2.Trip.self)
//      ^^^^^^^^^^^^^^ users lose the data that the custom stages of `TripPlan` keep, because this container is opened without the plan; pass `migrationPlan: TripPlan.self`
  }
}
```

**Correct (the plan is passed):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}

struct Store {
  static func open() throws -> ModelContainer {
    try ModelContainer(
      for: Schema(versionedSchema: SchemaV2.self), migrationPlan: TripPlan.self)
  }
}
```

**When NOT to use:** the rule is silent on containers that can't save, in memory or in a temporary folder. A retry after the opening with the plan has failed is a note.

Reference: [ModelContainer](https://developer.apple.com/documentation/swiftdata/modelcontainer)

"""#),
    RulePage(
      id: "migration-positional-insert",
      group: "grdb",
      title: "A copy between tables names its columns",
      impact: "HIGH",
      impactDescription: "values land in the wrong columns, or the migration fails",
      severity: .warning,
      tags: ["grdb", "migration"],
      since: "0.2.0",
      body: #"""
## A copy between tables names its columns

`INSERT INTO new SELECT * FROM old` pairs columns by order. If the function that defines the table gets a column for a later migration, the older copy fails for everyone whose store hasn't been migrated yet, or puts values into the wrong columns.

**Incorrect (the shared definition may get another column):**

```swift
import GRDB

func defineVisit(_ t: TableDefinition) {
  t.primaryKey("id", .text)
  t.column("place", .text)
}

func register(_ migrator: inout DatabaseMigrator) {
  migrator.registerMigration("visit") { db in
    try db.create(table: "visit") { t in defineVisit(t) }
  }
  migrator.registerMigration("visit.rebuild") { db in
    try db.create(table: "visit_new") { t in defineVisit(t) }
    try db.execute(sql: "INSERT INTO visit_new SELECT * FROM visit")
//                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ this copies into `visit_new` by column order, so one more column in either table breaks `visit.rebuild` for users of older versions or puts values into the wrong columns; name the columns on both sides
    try db.drop(table: "visit")
    try db.rename(table: "visit_new", to: "visit")
  }
}
```

**Correct (the columns are named on both sides):**

```swift
import GRDB

func defineVisit(_ t: TableDefinition) {
  t.primaryKey("id", .text)
  t.column("place", .text)
}

func register(_ migrator: inout DatabaseMigrator) {
  migrator.registerMigration("visit") { db in
    try db.create(table: "visit") { t in defineVisit(t) }
  }
  migrator.registerMigration("visit.rebuild") { db in
    try db.create(table: "visit_new") { t in defineVisit(t) }
    try db.execute(sql: "INSERT INTO visit_new (id, place) SELECT id, place FROM visit")
    try db.drop(table: "visit")
    try db.rename(table: "visit_new", to: "visit")
  }
}
```

**When NOT to use:** the rule is silent if the migration itself writes out both lists of columns in the same order.

Reference: [GRDB, Migrations](https://swiftpackageindex.com/groue/grdb.swift/documentation/grdb/migrations)

"""#),
    RulePage(
      id: "migration-stage-missing",
      group: "schema",
      title: "One stage leads from each version to the next",
      impact: "CRITICAL",
      impactDescription: "users of an older version can't open their data",
      severity: .error,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      precision: .veryHigh,
      body: #"""
## One stage leads from each version to the next

As soon as a plan has one stage, SwiftData follows only the declared stages. A version without a stage to the next one is a dead end. So is a stage that is declared but not listed, and one that leads back, to itself, or past a version.

**Incorrect (nothing leads from the second version to the third):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    init() {}
  }
}

enum SchemaV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    var city: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self, SchemaV3.self] }
  static var stages: [MigrationStage] {
//           ^^^^^^ users who update from `SchemaV2` can't open their data, because no stage leads to `SchemaV3`; add `.lightweight(fromVersion: SchemaV2.self, toVersion: SchemaV3.self)` or a custom stage
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
```

**Incorrect (the stage is declared but not listed):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] { [] }
  static let toV2 = MigrationStage.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)
//                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ users who update from `SchemaV1` can't open their data, because this stage never runs; list `toV2` in `stages`
}
```

**Correct (two stages for three versions):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    init() {}
  }
}

enum SchemaV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    var city: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self, SchemaV3.self] }
  static var stages: [MigrationStage] {
    [
      .lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self),
      .lightweight(fromVersion: SchemaV2.self, toVersion: SchemaV3.self),
    ]
  }
}
```

**When NOT to use:** with an empty `stages`, SwiftData infers every migration. If that works, the rule reports only a note, once per plan.

Reference: [SchemaMigrationPlan](https://developer.apple.com/documentation/swiftdata/schemamigrationplan)

"""#),
    RulePage(
      id: "migration-stage-type-mismatch",
      group: "schema",
      title: "Each side of a stage uses its own version's classes",
      impact: "HIGH",
      impactDescription: "the migration fails and the store can't be opened",
      severity: .error,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      body: #"""
## Each side of a stage uses its own version's classes

Before the migration the store has the older version, and afterwards the newer one. `willMigrate` can fetch only the classes of the older version, and `didMigrate` only those of the newer one. A class of the other version has no entity in that store.

**Incorrect (the store doesn't have this class yet):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
        willMigrate: { context in
          let trips = try context.fetch(FetchDescriptor<SchemaV2.Trip>())
//                                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ the migration fails here, because in `willMigrate` the store is still on `SchemaV1` and that version has no class `SchemaV2.Trip`; use the class of that version
          print(trips.count)
        }, didMigrate: nil)
    ]
  }
}
```

**Correct (each side uses its own class):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
        willMigrate: { context in
          print(try context.fetchCount(FetchDescriptor<SchemaV1.Trip>()))
        },
        didMigrate: { context in
          print(try context.fetchCount(FetchDescriptor<SchemaV2.Trip>()))
        })
    ]
  }
}
```

**When NOT to use:** a class outside the versions is right on the side of the version that lists it.

Reference: [SchemaMigrationPlan](https://developer.apple.com/documentation/swiftdata/schemamigrationplan)

"""#),
    RulePage(
      id: "migration-stage-without-save",
      group: "schema",
      title: "A stage saves what it changes",
      impact: "HIGH",
      impactDescription: "the stage's changes are lost",
      severity: .warning,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      body: #"""
## A stage saves what it changes

A stage gets a separate context, not the main one, and that context doesn't save automatically. Insertions, deletions and new values of properties that are not saved are lost when the stage ends, and a save before the last change doesn't keep it.

**Incorrect (the duplicates are still there afterwards):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
        willMigrate: { context in
          for trip in try context.fetch(FetchDescriptor<SchemaV1.Trip>()) where trip.name.isEmpty {
            context.delete(trip)
//                  ^^^^^^ what `willMigrate` changes here is lost, because its context doesn't save automatically; end with `try context.save()`
          }
        }, didMigrate: nil)
    ]
  }
}
```

**Correct (the stage saves at the end):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [
      .custom(
        fromVersion: SchemaV1.self, toVersion: SchemaV2.self,
        willMigrate: { context in
          for trip in try context.fetch(FetchDescriptor<SchemaV1.Trip>()) where trip.name.isEmpty {
            context.delete(trip)
          }
          try context.save()
        }, didMigrate: nil)
    ]
  }
}
```

**When NOT to use:** the rule is silent on contexts that are passed to a function of another module.

Reference: [SchemaMigrationPlan](https://developer.apple.com/documentation/swiftdata/schemamigrationplan)

"""#),
    RulePage(
      id: "migration-uses-live-record",
      group: "grdb",
      title: "A migration doesn't use today's record types",
      impact: "HIGH",
      impactDescription: "users who skipped an update can't open their data",
      severity: .warning,
      tags: ["grdb", "migration"],
      since: "0.2.0",
      body: #"""
## A migration doesn't use today's record types

A record type has today's columns. A registered migration runs on the table as it was then: for everyone who hasn't run it yet, `fetchAll` and `insert` use columns that a later migration adds. The migration throws, and the database can't be opened. The same goes for the default of a column that is the value of a stored enum (`Kind.plain.rawValue`): when the enum changes, new installs get another value than old ones have. The finding is an error if a later migration changes the columns, and a warning before that.

**Incorrect (the next migration adds the score, but `Player` already has it):**

```swift
import GRDB

struct Player: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var name: String
  var score: Int
}

func players(_ pool: DatabasePool) throws -> [Player] { try pool.read { try Player.fetchAll($0) } }

func register(_ migrator: inout DatabaseMigrator) {
  migrator.registerMigration("trim") { db in
    for var player in try Player.fetchAll(db) {
//                               ^^^^^^^^ `trim` fails for everyone who hasn't run it yet, and the database can't be opened, because `Player` has today's columns and `score` changes its table later; use SQL, or a copy of the type as it was then
      player.name = player.name.trimmingCharacters(in: .whitespaces)
      try player.update(db)
    }
  }
  migrator.registerMigration("score") { db in
    try db.alter(table: "player") { t in
      t.add(column: "score", .integer).notNull().defaults(to: 0)
    }
  }
}
```

**Correct (the migration uses SQL, or its own type):**

```swift
import GRDB

struct Player: Codable, FetchableRecord, MutablePersistableRecord {
  var id: Int64?
  var name: String
  var score: Int
}

func players(_ pool: DatabasePool) throws -> [Player] { try pool.read { try Player.fetchAll($0) } }

func register(_ migrator: inout DatabaseMigrator) {
  migrator.registerMigration("trim") { db in
    try db.execute(sql: "UPDATE player SET name = trim(name)")
  }
  migrator.registerMigration("score") { db in
    try db.alter(table: "player") { t in
      t.add(column: "score", .integer).notNull().defaults(to: 0)
    }
  }
}
```

**When NOT to use:** if the type will never change.

Reference: [GRDB, Migrations](https://swiftpackageindex.com/groue/grdb.swift/documentation/grdb/migrations)

"""#),
    RulePage(
      id: "model-actor-on-main",
      group: "concurrency",
      title: "Model actors are created off the main actor",
      impact: "MEDIUM",
      impactDescription: "the screen freezes while data is processed",
      severity: .warning,
      tags: ["swiftdata", "coredata", "concurrency"],
      since: "0.1.0",
      precision: .medium,
      body: #"""
## Model actors are created off the main actor

The place where a model actor is created decides its queue. An actor that is created on the main actor, in a view or a `@MainActor` type, can run on the main thread: an import that should run in the background freezes the screen. Create the actor in a detached task or a nonisolated async function.

**Incorrect (a view creates the actor):**

```swift
import SwiftData
import SwiftUI

@ModelActor actor Importer { func run() {} }

struct ImportScreen: View {
  let container: ModelContainer
  var body: some View {
    Text("Importing").task {
      let importer = Importer(modelContainer: container)
      //             ^^^^^^^^ the screen can freeze while `Importer` works, because a model actor that is created on the main actor can run on the main thread; create the actor with `await Task.detached { Importer(…) }.value`, or in a nonisolated async function
      await importer.run()
    }
  }
}
```

**Correct (a detached task creates it):**

```swift
import SwiftData
import SwiftUI

@ModelActor actor Importer { func run() {} }

struct ImportScreen: View {
  let container: ModelContainer
  var body: some View {
    Text("Importing").task {
      await Task.detached {
        let importer = Importer(modelContainer: container)
        await importer.run()
      }.value
    }
  }
}
```

**Incorrect (a main actor class creates it in a task):**

```swift
import SwiftData

@ModelActor actor Importer { func run() {} }

@MainActor final class Screen {
  let container: ModelContainer
  init(container: ModelContainer) { self.container = container }

  func start() {
    Task { await Importer(modelContainer: container).run() }
    //           ^^^^^^^^ the screen can freeze while `Importer` works…
  }
}
```

**Correct (a nonisolated async function or another actor creates it):**

```swift
import SwiftData

@ModelActor actor Importer { func run() {} }

@MainActor final class Screen {
  let container: ModelContainer
  init(container: ModelContainer) { self.container = container }

  func start() { Task { await Self.importer(container).run() } }

  nonisolated static func importer(_ container: ModelContainer) async -> Importer {
    Importer(modelContainer: container)
  }
}

actor Coordinator {
  func start(_ container: ModelContainer) async { await Importer(modelContainer: container).run() }
}
```

**When NOT to use:** the rule is silent on static initializers, because they run where they are first used, and if the isolation of the code is unknown.

Reference: https://developer.apple.com/documentation/swiftdata/modelactor

"""#),
    RulePage(
      id: "model-actor-without-save",
      group: "concurrency",
      title: "Background contexts are saved",
      impact: "HIGH",
      impactDescription: "what the app wrote in the background is lost",
      severity: .warning,
      tags: ["swiftdata", "coredata", "concurrency"],
      since: "0.1.0",
      precision: .medium,
      body: #"""
## Background contexts are saved

A model actor's context, and a context created with `ModelContext(container)`, don't save automatically; only the main context does. Insertions, deletions and changes there are lost when the actor or the app ends, without an error. In a context that a property keeps, changes that no save follows wait until other code saves its own there, and are lost if the app ends before. Save at the end of the method, or in `transaction { }`.

**Incorrect (the change is never saved):**

```swift
import SwiftData

@Model final class Trip {
  var isArchived = false
  init() {}
}

@ModelActor actor TripArchive {
  func archive(_ id: PersistentIdentifier) {
    // ^^^^^^^ what `archive` changes is lost, because the context of `TripArchive` doesn't save automatically; end the method with `try modelContext.save()`
    guard let trip = self[id, as: Trip.self] else { return }
    trip.isArchived = true
  }
}
```

**Correct (the method or its caller in the actor saves):**

```swift
import SwiftData

@Model final class Trip {
  var isArchived = false
  init() {}
}

@ModelActor actor TripArchive {
  func archive(_ ids: [PersistentIdentifier]) throws {
    for id in ids { mark(id) }
    try modelContext.save()
  }

  private func mark(_ id: PersistentIdentifier) {
    guard let trip: Trip = modelContext.registeredModel(for: id) else { return }
    trip.isArchived = true
  }

  func clear() throws {
    try modelContext.transaction { try modelContext.delete(model: Trip.self) }
  }
}
```

**Incorrect (a context that the code creates):**

```swift
import SwiftData

@Model final class Row { init() {} }

func importRows(_ count: Int, into container: ModelContainer) {
  // ^^^^^^^^^^ what `importRows` changes is lost, because a `ModelContext` that the code creates doesn't save automatically; call `save()` at the end
  let context = ModelContext(container)
  for _ in 0..<count { context.insert(Row()) }
}
```

**Correct (saved, or with autosave turned on):**

```swift
import SwiftData

@Model final class Row { init() {} }

func importRows(_ count: Int, into container: ModelContainer) throws {
  let context = ModelContext(container)
  for _ in 0..<count { context.insert(Row()) }
  try context.save()
}

func addRow(to container: ModelContainer) {
  let context = ModelContext(container)
  context.autosaveEnabled = true
  context.insert(Row())
}
```

**When NOT to use:** an actor that offers a save method to its callers gets one note. Nothing is reported where a save can still follow the change: in a caller that gets the context, or in code outside the project. If only some ways through the function miss the save, that is reported for a context which the function creates for itself, unless the change itself may decide which way is taken. A context that a property keeps is reported only if the project saves other contexts and never this one.

Reference: https://developer.apple.com/documentation/swiftdata/modelcontext/autosaveenabled

"""#),
    RulePage(
      id: "model-captured-in-detached-task",
      group: "concurrency",
      title: "Models stay on the actor they belong to",
      impact: "CRITICAL",
      impactDescription: "the app crashes at random, or shows and saves half-written values",
      severity: .error,
      tags: ["swiftdata", "coredata", "concurrency"],
      since: "0.1.0",
      body: #"""
## Models stay on the actor they belong to

A model is a live view of a row in its context, and the context belongs to one actor or queue. A detached task, a child task, a background queue or an `async let` runs in parallel with that actor, so reading or changing the model there is a data race. It shows as `EXC_BAD_ACCESS` in unrelated code, mostly on users' devices. Read the values first, or pass the identifier and look the model up in a context on the other side.

**Incorrect (an export reads the model in a detached task):**

```swift
import SwiftData
import SwiftUI

@Model final class Trip {
  var title = ""
  var notes = ""
  init() {}
}

struct TripScreen: View {
  let trip: Trip
  var body: some View { Button("Export", action: export) }

  private func export() {
    Task.detached {
      try Archive.write(title: trip.title, notes: trip.notes)
      //                       ^^^^ the app can crash here or show half-written values, because `trip` (Trip) is used in a detached task, away from the main actor; before the task, write `let title = trip.title`, `let notes = trip.notes` and use these inside
    }
  }
}
```

**Fixed by `--fix` (if the closure only reads properties that are plain values):**

```swift
import SwiftData
import SwiftUI

@Model final class Trip {
  var title = ""
  var notes = ""
  init() {}
}

struct TripScreen: View {
  let trip: Trip
  var body: some View { Button("Export", action: export) }

  private func export() {
    let title = trip.title
    let notes = trip.notes
    Task.detached {
      try Archive.write(title: title, notes: notes)
    }
  }
}
```

**Incorrect (elements of a query, read on a background queue):**

```swift
import SwiftData
import SwiftUI

@Model final class Photo {
  var path = ""
  var isHidden = false
  init() {}
}

struct PhotoList: View {
  @Query private var photos: [Photo]
  var body: some View { Text("Photos") }

  func shrink() {
    DispatchQueue.global(qos: .utility).async {
      for photo in photos where !photo.isHidden {
        //                       ^^^^^ the app can crash here or show half-written values, because `photos` (Photo) is used on a global queue, away from the main actor; before the closure, write `let values = photos.map { ($0.isHidden, $0.path) }` and use that inside
        Shrinker.run(photo.path)
      }
    }
  }
}
```

**Correct (plain values cross, the models stay):**

```swift
import SwiftData
import SwiftUI

@Model final class Photo {
  var path = ""
  var isHidden = false
  init() {}
}

struct PhotoList: View {
  @Query private var photos: [Photo]
  var body: some View { Text("Photos") }

  func shrink() {
    let paths = photos.filter { !$0.isHidden }.map(\.path)
    DispatchQueue.global(qos: .utility).async {
      for path in paths { Shrinker.run(path) }
      DispatchQueue.main.async {
        for photo in photos { photo.isHidden = false }
      }
    }
  }
}
```

**Incorrect (a method of the same type reads the model for the task):**

```swift
import SwiftData

@Model final class Draft {
  var text = ""
  init() {}
}

final class DraftEditor {
  var draft: Draft
  init(draft: Draft) { self.draft = draft }

  func upload() {
    Task.detached { [weak self] in
      self?.send()
      //    ^^^^ the app can crash or lose edits here, because `send` uses a model in code without an actor, away from where its context was created; read the values first, or pass the `persistentModelID` and look the model up here
    }
  }

  func send() { Server.send(draft.text) }
}
```

**Correct (the identifier crosses, and the model is looked up on the other side):**

```swift
import SwiftData

@Model final class Draft {
  var text = ""
  init() {}
}

@MainActor final class DraftEditor {
  var draft: Draft
  let container: ModelContainer
  init(draft: Draft, container: ModelContainer) {
    self.draft = draft
    self.container = container
  }

  func upload() {
    Task.detached { [id = draft.persistentModelID, container] in
      let context = ModelContext(container)
      guard let draft = context.model(for: id) as? Draft else { return }
      Server.send(draft.text)
    }
  }
}
```

**When NOT to use:** the rule is silent if the types don't show that a value is a model, on a plain `Task { }` in isolated code, on `@MainActor` closures that start on the main actor, and on `persistentModelID` and `objectID`. Passing a model through a task to a function of the outer actor is only a note.

Reference: https://developer.apple.com/documentation/swiftdata/modelactor

"""#),
    RulePage(
      id: "model-crosses-actor",
      group: "concurrency",
      title: "Models don't cross an actor's border",
      impact: "CRITICAL",
      impactDescription: "the app crashes where the result of an actor is read",
      severity: .error,
      tags: ["swiftdata", "concurrency"],
      since: "0.1.0",
      body: #"""
## Models don't cross an actor's border

A model actor has its own context, and the models of that context belong to the actor. A method that returns a model gives its caller a row that another thread can change. A method that takes a model works on a row of the caller's context. Pass the model's `PersistentIdentifier`, or a Sendable value made from it.

**Incorrect (models go out and come in):**

```swift
import SwiftData

@Model final class Trip {
  var title = ""
  init() {}
}

@ModelActor actor TripStore {
  func recent() throws -> [Trip] {
    //                    ^^^^^^ the app can crash where the result of `recent` is read, because a `Trip` is safe only inside `TripStore`; return the `persistentModelID` for the caller to look up, or a Sendable value
    try modelContext.fetch(FetchDescriptor<Trip>())
  }

  func archive(_ trip: Trip) throws {
    //                 ^^^^ the app can crash in `archive`, because the `Trip` belongs to the caller's context and not to `TripStore`; take its `persistentModelID` and look it up inside with `self[id, as: Trip.self]`, or take a Sendable value
    modelContext.delete(trip)
    try modelContext.save()
  }
}
```

**Correct (identifiers and values cross, models stay):**

```swift
import SwiftData

@Model final class Trip {
  var title = ""
  init() {}
}

struct TripSummary: Sendable {
  let id: PersistentIdentifier
  let title: String
}

@ModelActor actor TripStore {
  func recent() throws -> [TripSummary] {
    try all().map { TripSummary(id: $0.persistentModelID, title: $0.title) }
  }

  func archive(_ id: PersistentIdentifier) throws {
    guard let trip = modelContext.model(for: id) as? Trip else { return }
    modelContext.delete(trip)
    try modelContext.save()
  }

  private func all() throws -> [Trip] { try modelContext.fetch(FetchDescriptor<Trip>()) }
}
```

**Incorrect (a generic function for all models):**

```swift
import SwiftData

@ModelActor actor Store {
  func first<T: PersistentModel>(_ predicate: Predicate<T>) throws -> T? {
    //                                                                ^^ the app can crash where the result of `first` is read, because a `T` is safe only inside…
    try modelContext.fetch(FetchDescriptor<T>(predicate: predicate)).first
  }
}
```

**Correct (a closure sees the models inside the actor):**

```swift
import SwiftData

@Model final class Trip { init() {} }

@ModelActor actor Store {
  func read<R: Sendable>(_ work: @Sendable ([Trip]) -> R) throws -> R {
    work(try modelContext.fetch(FetchDescriptor<Trip>()))
  }
}
```

**Incorrect (an actor with a context in a property):**

```swift
import SwiftData

@Model final class Note { init() {} }

actor Notes {
  private let context: ModelContext
  init(container: ModelContainer) { context = ModelContext(container) }

  func add(_ notes: [Note]) {
    //              ^^^^^^ the app can crash in `add`, because the `Note` belongs to the caller's context and not to…
    for note in notes { context.insert(note) }
    context.processPendingChanges()
  }
}
```

**When NOT to use:** the rule is silent on private methods, on `sending` parameters and results, on closures that take a model, and on static and `nonisolated` methods. If only the actor itself calls the method, the finding is a note: make the method private.

Reference: https://developer.apple.com/documentation/swiftdata/persistentidentifier

"""#),
    RulePage(
      id: "model-kept-after-wipe",
      group: "lifetime",
      title: "References to deleted objects are cleared",
      impact: "HIGH",
      impactDescription: "the app can crash after a wipe",
      severity: .warning,
      tags: ["swiftdata", "models", "lifetime"],
      since: "0.2.0",
      precision: .medium,
      body: #"""
## References to deleted objects are cleared

`delete(model:)`, a loop that deletes all objects of a class, a batch request, a context's `reset()` and a replaced container all remove objects that other code may still hold. A selection, a cache or a list in a store object or a tab still refers to deleted objects, and the next access can crash the app. `@Query` updates automatically. Set a stored property to nil, or fetch again, where the objects are deleted. A list that was fetched once has the same problem with a single object that other code deletes, and so has a property that is cleared only after an `await` behind the deletion: the screen may read it meanwhile.

**Incorrect (the selection outlives the reset):**

```swift
import Observation
import SwiftData

@Model final class Trip {
  var title = ""
  init() {}
}

@MainActor @Observable final class Library {
  var selected: Trip?
  //  ^^^^^^^^^^^^^^^ warning: after all objects of `Trip` are deleted, the next access to `selected`…
  let context: ModelContext
  init(context: ModelContext) { self.context = context }

  var heading: String { selected?.title ?? "Nothing is selected." }

  func reset() throws {
    try context.delete(model: Trip.self)
    try context.save()
  }
}
```

**Correct (the selection is cleared first):**

```swift
import Observation
import SwiftData

@Model final class Trip {
  var title = ""
  init() {}
}

@MainActor @Observable final class Library {
  var selected: Trip?
  let context: ModelContext
  init(context: ModelContext) { self.context = context }

  var heading: String { selected?.title ?? "Nothing is selected." }

  func reset() throws {
    selected = nil
    try context.delete(model: Trip.self)
    try context.save()
  }
}
```

**Incorrect (the list is fetched again only after the deletion has been waited for):**

```swift
import Observation
import SwiftData

@Model final class Trip {
  var title = ""
  init() {}
}

protocol Trips {
  func all() async throws -> [Trip]
  func delete(_ trip: Trip) async throws
}

@MainActor final class StoredTrips: Trips {
  let context: ModelContext
  init(context: ModelContext) { self.context = context }

  func all() async throws -> [Trip] { try context.fetch(FetchDescriptor<Trip>()) }
  func delete(_ trip: Trip) async throws {
    context.delete(trip)
    try context.save()
  }
}

@Observable final class Home {
  private(set) var hero: Trip?
  //               ^^^^^^^^^^^ warning: `hero` still refers to the deleted `Trip` while the code waits, and a screen…
  var heading: String { hero?.title ?? "" }

  func load(_ trips: any Trips) async throws { hero = try await trips.all().first }

  func delete(_ trip: Trip, _ trips: any Trips) async throws {
    try await trips.delete(trip)
    try await load(trips)
  }
}
```

```diff
@@ silent; the property is cleared before the deletion
-    try await trips.delete(trip)
-    try await load(trips)
+    hero = nil
+    try await trips.delete(trip)
+    try await load(trips)
```

**When NOT to use:** the rule is silent on properties that `@Query` or `@FetchRequest` fills, on properties whose readers check `modelContext` first, on owners that observe saves, and on sheets, which are closed before a person deletes anything elsewhere. It is also silent on deletions with a predicate, on deletions in functions that the app never calls, and on deletions that post a notification if an observer of it may replace the property.

Reference: https://developer.apple.com/documentation/swiftdata/modelcontext/delete(model:where:includesubclasses:)

"""#),
    RulePage(
      id: "model-missing-from-schema",
      group: "lifetime",
      title: "Every model that is used is in the schema",
      impact: "CRITICAL",
      impactDescription: "the app crashes at the first insert or fetch",
      severity: .error,
      tags: ["swiftdata", "models", "store", "lifetime"],
      since: "0.2.0",
      precision: .high,
      body: #"""
## Every model that is used is in the schema

A container stores the models it was created with, and those that their relationships reach. Inserting, fetching or querying another model crashes the app. The same happens if the container lists a model and no configuration's schema has it: that model has no store.

**Incorrect (the tags were forgotten):**

```swift
import SwiftData
import SwiftUI

@Model final class Trip {
  var title = ""
  init() {}
}

@Model final class Tag {
  var name = ""
  init() {}
}

struct Trips: Scene {
  var body: some Scene {
    WindowGroup { TagList() }.modelContainer(for: Trip.self)
  }
}

struct TagList: View {
  @Query private var tags: [Tag]
  //                 ^^^^^^^^^^^ error: the app crashes here, because no container of this app stores `Tag`;…
  var body: some View { List(tags) { Text($0.name) } }
}
```

**Correct (both are listed):**

```swift
import SwiftData
import SwiftUI

@Model final class Trip {
  var title = ""
  init() {}
}

@Model final class Tag {
  var name = ""
  init() {}
}

struct TagList: View {
  @Query private var tags: [Tag]
  var body: some View { List(tags) { Text($0.name) } }
}

struct Preview: PreviewProvider {
  static var previews: some View { TagList().modelContainer(for: [Trip.self, Tag.self]) }
}
```

**Incorrect (the configuration has no store for the tags):**

```swift
import SwiftData

@Model final class Trip {
  var title = ""
  init() {}
}

@Model final class Tag {
  var name = ""
  init() {}
}

func open() throws -> ModelContainer {
  let configuration = ModelConfiguration(schema: Schema([Trip.self]))
  //                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error: the container can't be opened, or can't save `Tag`, because no configuration…
  return try ModelContainer(for: Trip.self, Tag.self, configurations: configuration)
}
```

**Correct (models that relationships reach are stored too):**

```swift
import SwiftData

@Model final class Trip {
  var title = ""
  @Relationship(inverse: \Stop.trip) var stops: [Stop] = []
  init() {}
}

@Model final class Stop {
  var name = ""
  var trip: Trip?
  init() {}
}

func configuration() -> ModelConfiguration {
  ModelConfiguration(schema: Schema([Trip.self]))
}

func all() -> FetchDescriptor<Stop> { FetchDescriptor<Stop>() }
```

**When NOT to use:** the rule is silent if the models of one container are unknown.

Reference: https://developer.apple.com/documentation/swiftdata/modelcontainer

"""#),
    RulePage(
      id: "model-used-after-delete",
      group: "lifetime",
      title: "Deleted objects are not read again",
      impact: "CRITICAL",
      impactDescription: "the app crashes, and nothing catches it",
      severity: .error,
      tags: ["swiftdata", "coredata", "models", "lifetime"],
      since: "0.2.0",
      precision: .high,
      body: #"""
## Deleted objects are not read again

Once a deletion is saved, the object has no row. Reading one of its stored properties can crash the app, and certainly does if the value was not loaded before; no `catch` helps. The same is true for objects deleted by a cascade rule, and for objects of a Core Data context after its `reset()`. Read what you need, for a message or an undo, before the deletion. For most values of a deleted row Core Data returns an empty value, which is wrong but doesn't crash; a `Date`, `UUID` or `URL` that is not optional crashes the app.

**Incorrect (the message reads the title of a deleted trip):**

```swift
import SwiftData

@Model final class Trip {
  var title = ""
  init() {}
}

@MainActor final class Trips {
  let context: ModelContext
  var message = ""
  init(context: ModelContext) { self.context = context }

  func remove(_ trip: Trip) throws {
    context.delete(trip)
    try context.save()
    message = "\(trip.title) was deleted"
    //           ^^^^^^^^^^ error: the app can crash here, because the `Trip` was deleted and saved before…
  }
}
```

**Correct (the title is read before):**

```swift
import SwiftData

@Model final class Trip {
  var title = ""
  init() {}
}

@MainActor final class Trips {
  let context: ModelContext
  var message = ""
  init(context: ModelContext) { self.context = context }

  func remove(_ trip: Trip) throws {
    let title = trip.title
    context.delete(trip)
    try context.save()
    message = "\(title) was deleted"
  }
}
```

**Incorrect (the photos were deleted with their album):**

```swift
import SwiftData

@Model final class Album {
  var name = ""
  @Relationship(deleteRule: .cascade, inverse: \Photo.album) var photos: [Photo] = []
  init() {}
}

@Model final class Photo {
  var path = ""
  var album: Album?
  init() {}
}

func remove(_ album: Album, in context: ModelContext) throws {
  let photos = album.photos
  erase(album, in: context)
  for photo in photos { print(photo.path) }
  //                          ^^^^^^^^^^ error: the app can crash here, because the `Photo` was deleted and saved before…
}

private func erase(_ album: Album, in context: ModelContext) {
  context.delete(album)
  do { try context.save() } catch { print("the album can't be deleted: \(error)") }
}
```

**Correct (their paths are read before):**

```swift
import SwiftData

@Model final class Album {
  var name = ""
  @Relationship(deleteRule: .cascade, inverse: \Photo.album) var photos: [Photo] = []
  init() {}
}

@Model final class Photo {
  var path = ""
  var album: Album?
  init() {}
}

func remove(_ album: Album, in context: ModelContext) throws {
  let paths = album.photos.map { $0.path }
  erase(album, in: context)
  for path in paths { print(path) }
}

private func erase(_ album: Album, in context: ModelContext) {
  context.delete(album)
  do { try context.save() } catch { print("the album can't be deleted: \(error)") }
}
```

**When NOT to use:** between the deletion and the save the values are still there, and `persistentModelID`, `isDeleted` and `modelContext` can be read afterwards too. The rule is silent on a branch that deletes and leaves, and on a variable that gets another object.

Reference: https://developer.apple.com/documentation/swiftdata/modelcontext/delete(_:)

"""#),
    RulePage(
      id: "model-used-after-suspension",
      group: "lifetime",
      title: "A model is checked again after an await",
      impact: "HIGH",
      impactDescription: "the app can crash if the object was deleted meanwhile",
      severity: .warning,
      tags: ["swiftdata", "models", "concurrency", "lifetime"],
      since: "0.2.0",
      precision: .medium,
      body: #"""
## A model is checked again after an await

While a function waits for the network, a transfer or an answer, other code runs: a swipe, a sync or a sign-out can delete the very object that the function holds. Reading or setting one of its properties can then crash the app. After the `await`, look the object up again by its identifier, or check its `modelContext`.

The finding needs two things: other code deletes objects of the class (also by a cascade rule), and the function really waits, outside the process or off the caller's actor. A closure that a timer, a delayed block or a transfer runs counts as such a wait too.

**Incorrect (a swipe deletes the node while the server answers):**

```swift
import Foundation
import SwiftData

@Model final class Node {
  var name = ""
  var address = URL(filePath: "/")
  init() {}
}

@MainActor final class Nodes {
  let context: ModelContext
  init(context: ModelContext) { self.context = context }

  func refresh(_ node: Node) async throws {
    let (data, _) = try await URLSession.shared.data(from: node.address)
    node.name = String(decoding: data, as: UTF8.self)
  //^^^^^^^^^ warning: if `remove` deletes the `Node` during…
  }
  func remove(_ node: Node) throws {
    context.delete(node)
    try context.save()
  }
}
```

**Correct (the task asks whether the node is still there):**

```swift
import Foundation
import SwiftData

@Model final class Node {
  var name = ""
  var address = URL(filePath: "/")
  init() {}
}

@MainActor final class Nodes {
  let context: ModelContext
  init(context: ModelContext) { self.context = context }

  func refresh(_ node: Node) async throws {
    let (data, _) = try await URLSession.shared.data(from: node.address)
    guard node.modelContext != nil else { return }
    node.name = String(decoding: data, as: UTF8.self)
  }
  func remove(_ node: Node) throws {
    context.delete(node)
    try context.save()
  }
}
```

**When NOT to use:** the rule is silent on classes that nothing deletes, and on objects that the function has created and not inserted. Checking `isDeleted` is not enough: it is false again once the deletion is saved.

Reference: https://developer.apple.com/documentation/swiftdata/persistentmodel/modelcontext

"""#),
    RulePage(
      id: "models-without-versioned-schema",
      group: "schema",
      title: "What ships has a version",
      impact: "LOW",
      impactDescription: "the first migration has no version to start from",
      severity: .note,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      precision: .veryHigh,
      body: #"""
## What ships has a version

A plan leads from version to version, and the version that ships first must be one of them. If it is not written down, the next edit destroys it. An exact copy of the models in a `VersionedSchema` is enough; existing stores match it.

**Incorrect (the models are stored, and no version says how):**

```swift
import SwiftData

@Model final class Trip {
//                 ^^^^ the first change that needs a migration has no version to start from; declare a `VersionedSchema` with copies of `Trip` as they ship
  var name: String = ""
  init() {}
}

struct Store {
  static let container = Result { try ModelContainer(for: Trip.self) }
}
```

**Correct (the version is written down):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

struct Store {
  static let container = Result { try ModelContainer(for: SchemaV1.Trip.self) }
}
```

**When NOT to use:** stores in memory keep nothing.

Reference: [VersionedSchema](https://developer.apple.com/documentation/swiftdata/versionedschema)

"""#),
    RulePage(
      id: "object-deleted-in-other-context",
      group: "lifetime",
      title: "An object is deleted by its own context",
      impact: "CRITICAL",
      impactDescription: "the app crashes at the deletion",
      severity: .error,
      tags: ["swiftdata", "coredata", "models", "lifetime"],
      since: "0.2.0",
      precision: .medium,
      body: #"""
## An object is deleted by its own context

A context only deletes objects of its own. Core Data throws an exception that nothing catches: "An NSManagedObjectContext cannot delete objects in other contexts". SwiftData crashes, or the row stays in the store. Typically, a screen shows an object of the main context, and a background context deletes it. Pass the identifier, and look the object up in the context that deletes it.

**Incorrect (the screen's object, deleted in the background):**

```swift
import CoreData

@objc(Trip) final class Trip: NSManagedObject {
  @NSManaged var title: String?
}

@MainActor final class Trips {
  let container: NSPersistentContainer
  init(container: NSPersistentContainer) { self.container = container }

  func removeFirst() throws {
    let trips = try container.viewContext.fetch(NSFetchRequest<Trip>(entityName: "Trip"))
    let background = container.newBackgroundContext()
    for trip in trips {
      background.delete(trip)
      //         ^^^^^^ error: the app crashes here, because the object belongs to the main context and not to the one that deletes it; delete it in its own context, or get it in this one with `existingObject(with: object.objectID)` first
    }
  }
}
```

**Correct (the background context gets the object by its identifier):**

```swift
import CoreData

@objc(Trip) final class Trip: NSManagedObject {
  @NSManaged var title: String?
}

@MainActor final class Trips {
  let container: NSPersistentContainer
  init(container: NSPersistentContainer) { self.container = container }

  func removeFirst() throws {
    let trips = try container.viewContext.fetch(NSFetchRequest<Trip>(entityName: "Trip"))
    let ids = trips.map(\.objectID)
    container.performBackgroundTask { background in
      for id in ids {
        guard let trip = try? background.existingObject(with: id) else { continue }
        background.delete(trip)
      }
      do { try background.save() } catch { print("the trips stay:", error) }
    }
  }
}
```

**When NOT to use:** there is no reason to turn this rule off. It is silent where the two contexts may be the same one, or where nobody can tell which context an object belongs to.

Reference: https://developer.apple.com/documentation/coredata/nsmanagedobjectcontext/delete(_:)

"""#),
    RulePage(
      id: "realm-embedded-without-migration",
      group: "realm",
      title: "A class that becomes embedded is migrated",
      impact: "HIGH",
      impactDescription: "users with objects of that class can't open their data",
      severity: .warning,
      tags: ["realm", "schema", "migration"],
      since: "0.2.0",
      precision: .high,
      body: #"""
## A class that becomes embedded is migrated

An embedded object has exactly one parent. If an `Object` becomes an `EmbeddedObject`, the migration block must delete or copy every object without a parent or with two. Otherwise the migration fails and the file doesn't open. A device without such objects migrates, so the developer doesn't notice.

**Incorrect (the block doesn't handle the class):**

```swift shipped
import RealmSwift

final class Address: Object { @Persisted var street = "" }
final class Person: Object { @Persisted var address: Address? }

let configuration = Realm.Configuration(schemaVersion: 4)
```

```swift
import RealmSwift

final class Address: EmbeddedObject { @Persisted var street = "" }
//          ^^^^^^^ users who have an `Address` without a parent, or…
final class Person: Object { @Persisted var address: Address? }

let configuration = Realm.Configuration(schemaVersion: 5)
```

**Correct (objects without a parent are deleted):**

```swift shipped
import RealmSwift

final class Address: Object { @Persisted var street = "" }
final class Person: Object { @Persisted var address: Address? }

let configuration = Realm.Configuration(schemaVersion: 4)
```

```swift
import RealmSwift

final class Address: EmbeddedObject { @Persisted var street = "" }
final class Person: Object { @Persisted var address: Address? }

let configuration = Realm.Configuration(
  schemaVersion: 5,
  migrationBlock: { migration, _ in
    migration.enumerateObjects(ofType: "Address") { _, new in
      if let new { migration.delete(new) }
    }
  })
```

**When NOT to use:** the rule is silent on classes that were always embedded.

Reference: [Change an object model](https://www.mongodb.com/docs/atlas/device-sdks/sdk/swift/model-data/change-an-object-model/)

"""#),
    RulePage(
      id: "realm-migration-set-too-late",
      group: "realm",
      title: "The migration is set before a realm is opened",
      impact: "CRITICAL",
      impactDescription: "the data can't be opened after an update",
      severity: .error,
      tags: ["realm", "migration", "launch"],
      since: "0.2.0",
      precision: .medium,
      body: #"""
## The migration is set before a realm is opened

`Realm()` opens the file with the default configuration as it is at that moment. If the app sets the schema version and the migration block later, even in the same launch, the first opening has neither: Realm refuses to open the old file, and a `try!` ends the app. On the developer's device the file is often new already, so that nothing is seen. Properties of the app or of its delegate are made before any code of theirs runs. A block that takes `self` weakly and returns when it is gone migrates nothing either, and the file counts as migrated all the same.

**Incorrect (the store is a property of the delegate, which is made first):**

```swift
import RealmSwift
import UIKit

final class Dog: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var name = ""
}

final class DogStore {
  let realm: Realm?

  init() {
    realm = try? Realm()
    //           ^^^^^ error: users who update can't open their data, because this realm is opened before `Realm.Configuration.defaultConfiguration` gets its schema version and migration; set the configuration before anything opens a realm
  }
}

@main final class AppDelegate: UIResponder, UIApplicationDelegate {
  let store = DogStore()

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    Realm.Configuration.defaultConfiguration = Realm.Configuration(
      schemaVersion: 3,
      migrationBlock: { migration, oldVersion in
        if oldVersion < 3 { migration.renameProperty(onType: "Dog", from: "title", to: "name") }
      })
    return true
  }
}
```

**Correct (the store is made after the configuration is set):**

```swift
import RealmSwift
import UIKit

final class Dog: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var name = ""
}

final class DogStore {
  let realm: Realm?

  init() {
    do {
      realm = try Realm()
    } catch {
      realm = nil
      print("the dogs can't be read:", error)
    }
  }
}

@main final class AppDelegate: UIResponder, UIApplicationDelegate {
  lazy var store = DogStore()

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    Realm.Configuration.defaultConfiguration = Realm.Configuration(
      schemaVersion: 3,
      migrationBlock: { migration, oldVersion in
        if oldVersion < 3 { migration.renameProperty(onType: "Dog", from: "title", to: "name") }
      })
    return true
  }
}
```

**When NOT to use:** there is no reason to turn this rule off. It is silent where the configuration names a file of its own, and where an opening is only possible.

Reference: [Realm.Configuration](https://www.mongodb.com/docs/atlas/device-sdks/sdk/swift/model-data/change-an-object-model/)

"""#),
    RulePage(
      id: "realm-object-crosses-thread",
      group: "realm",
      title: "Realm objects stay on their thread",
      impact: "CRITICAL",
      impactDescription: "the app crashes with an exception that nothing catches",
      severity: .error,
      tags: ["realm", "concurrency"],
      since: "0.2.0",
      precision: .high,
      body: #"""
## Realm objects stay on their thread

A `Realm`, its objects and its collections belong to the thread or queue that opened the realm. On another thread they throw "Realm accessed from incorrect thread", an Objective-C exception that crashes the app. Plain values, primary keys, frozen objects and a `ThreadSafeReference` can cross threads.

**Incorrect (an object is read on another queue):**

```swift
import Foundation
import RealmSwift

final class Message: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var text = ""
}

func show(_ realm: Realm) {
  guard let message = realm.objects(Message.self).first else { return }
  DispatchQueue.global().async {
    print(message.text)
    //    ^^^^^^^ the app crashes here (Realm accessed from incorrect thread), because `message` is used…
  }
}
```

**Correct (only the value crosses):**

```swift
import Foundation
import RealmSwift

final class Message: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var text = ""
}

func show(_ realm: Realm) {
  guard let message = realm.objects(Message.self).first else { return }
  let text = message.text
  DispatchQueue.global().async {
    print(text)
  }
}
```

**When NOT to use:** the rule is silent on unmanaged objects, frozen objects, `@ThreadSafe`, and realms that are opened for the queue.

Reference: [Threading](https://www.mongodb.com/docs/atlas/device-sdks/sdk/swift/crud/threading/)

"""#),
    RulePage(
      id: "realm-object-invalidated",
      group: "realm",
      title: "A kept Realm object is checked before use",
      impact: "HIGH",
      impactDescription: "the app crashes if the object was deleted meanwhile",
      severity: .warning,
      tags: ["realm", "lifetime"],
      since: "0.2.0",
      precision: .medium,
      body: #"""
## A kept Realm object is checked before use

An object that is deleted, by the app or by a sync, becomes invalid everywhere: reading or writing one of its properties throws "Object has been deleted or invalidated" and crashes the app. Code that keeps an object across a delay, a callback, a question to the user or a network request may use it after the deletion. If one place checks `isInvalidated` of a kept object, the other places need the check too.

**Incorrect (an object is kept for a second):**

```swift
import Foundation
import RealmSwift

final class Message: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var hasFailed = false
}

struct Sender {
  let realm: Realm

  func remove(_ message: Message) throws { try realm.write { realm.delete(message) } }

  func sendLast() {
    guard let message = realm.objects(Message.self).last else { return }
    DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
      do { try realm.write { message.hasFailed = true } } catch { print(error) }
      //                     ^^^^^^^ if `remove` deletes the `Message` before this runs, using `hasFailed` crashes the…
    }
  }
}
```

**Correct (the object is checked first):**

```swift
import Foundation
import RealmSwift

final class Message: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var hasFailed = false
}

struct Sender {
  let realm: Realm

  func remove(_ message: Message) throws { try realm.write { realm.delete(message) } }

  func sendLast() {
    guard let message = realm.objects(Message.self).last else { return }
    DispatchQueue.main.asyncAfter(deadline: .now() + 1) {
      guard !message.isInvalidated else { return }
      do { try realm.write { message.hasFailed = true } } catch { print(error) }
    }
  }
}
```

**When NOT to use:** the rule is silent on classes that nothing deletes, on frozen objects, on values that were read before, in SwiftUI views, and in code that checks `isInvalidated` or `realm` first.

Reference: [Delete - Swift SDK](https://www.mongodb.com/docs/atlas/device-sdks/sdk/swift/crud/delete/)

"""#),
    RulePage(
      id: "realm-schema-version",
      group: "realm",
      title: "A changed class raises the schema version",
      impact: "CRITICAL",
      impactDescription: "no user can open the data after the update",
      severity: .error,
      tags: ["realm", "schema", "migration"],
      since: "0.2.0",
      precision: .high,
      body: #"""
## A changed class raises the schema version

A Realm file stores its classes and a version. If a stored class changes and `schemaVersion` stays or goes back, the file can't be opened: "Migration is required", "Provided schema version is less than last set version". A developer who deletes the app between two runs never sees this. `persistlint freeze` records the classes of each configuration in `persistlint.lock`; `--against` uses a tag or a branch instead. A renamed property loses its values without `renameProperty`; that finding is a warning.

**Incorrect (a new property under the same version):**

```swift shipped
import RealmSwift

final class Car: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var name = ""
}

let configuration = Realm.Configuration(schemaVersion: 3)
```

```swift
import RealmSwift

final class Car: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var name = ""
  @Persisted var seats = 4
}

let configuration = Realm.Configuration(schemaVersion: 3)
//                                                     ^ no user can open the realm of `configuration` after the update, because its classes changed but the schema version is still 3: `Car.seats` is new; raise the version, and give existing objects their new values in the migration block
```

**Correct (the version was raised):**

```swift shipped
import RealmSwift

final class Car: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var name = ""
}

let configuration = Realm.Configuration(schemaVersion: 3)
```

```swift
import RealmSwift

final class Car: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var name = ""
  @Persisted var seats = 4
}

let configuration = Realm.Configuration(schemaVersion: 4)
```

**When NOT to use:** new classes, ignored and computed properties, and another order or default need no new version and are not reported.

Reference: [Change an object model](https://www.mongodb.com/docs/atlas/device-sdks/sdk/swift/model-data/change-an-object-model/)

"""#),
    RulePage(
      id: "realm-write-outside-transaction",
      group: "realm",
      title: "Realm objects are changed inside a write",
      impact: "CRITICAL",
      impactDescription: "the app crashes with an exception that nothing catches",
      severity: .error,
      tags: ["realm", "saving"],
      since: "0.2.0",
      precision: .high,
      body: #"""
## Realm objects are changed inside a write

A realm can be changed only while a write is open. Outside a write, setting a property, changing a list, `add` and `delete` throw "Cannot modify managed objects outside of a write transaction", an Objective-C exception that crashes the app. A second write that starts inside the first one of the same realm crashes too. Both are easily missed if the write and the change are in different functions. A frozen copy can't be changed at all, inside a write or outside: one that `freeze()` makes, or what `@ObservedResults` and `@ObservedRealmObject` show in a view.

**Incorrect (an object from the realm is changed without a write):**

```swift
import RealmSwift

final class Message: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var isRead = false
}

func markRead(_ id: String, in realm: Realm) {
  guard let message = realm.object(ofType: Message.self, forPrimaryKey: id) else { return }
  message.isRead = true
//        ^^^^^^
}
```

**Incorrect (a write inside another write):**

```swift
import RealmSwift

final class Message: Object { @Persisted var isRead = false }

func markAll(in realm: Realm) throws {
  try realm.write {
    for message in realm.objects(Message.self) { message.isRead = true }
    try realm.write { realm.deleteAll() }
    //        ^^^^^ the app crashes here (The Realm is already in a write transaction), because…
  }
}
```

**Incorrect (the results that a view observes are frozen, and so is their realm):**

```swift
import RealmSwift
import SwiftUI

final class Message: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var isRead = false
}

struct Inbox: View {
  @ObservedResults(Message.self) var messages
  var body: some View { Button("Delete all", action: clear) }

  func clear() {
    guard let realm = messages.realm else { return }
    do {
      try realm.write { realm.delete(messages) }
      //        ^^^^^ the app crashes here (Can't perform transactions on a frozen Realm), because…
    } catch {
      print(error)
    }
  }
}
```

**Correct (the results are thawed first):**

```swift
import RealmSwift
import SwiftUI

final class Message: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var isRead = false
}

struct Inbox: View {
  @ObservedResults(Message.self) var messages
  var body: some View { Button("Delete all", action: clear) }

  func clear() {
    guard let live = messages.thaw(), let realm = live.realm else { return }
    do {
      try realm.write { realm.delete(live) }
    } catch {
      print(error)
    }
  }
}
```

**Correct (everything happens in one write):**

```swift
import RealmSwift

final class Message: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var isRead = false
}

func markRead(_ id: String, in realm: Realm) throws {
  guard let message = realm.object(ofType: Message.self, forPrimaryKey: id) else { return }
  try realm.write { message.isRead = true }
}
```

**When NOT to use:** the rule is silent on unmanaged objects, in functions that are called only inside writes, in migration blocks, and in code that checks `isInWriteTransaction`.

Reference: [CRUD - Write transactions](https://www.mongodb.com/docs/atlas/device-sdks/sdk/swift/crud/)

"""#),
    RulePage(
      id: "relationship-across-contexts",
      group: "lifetime",
      title: "Related objects belong to one context",
      impact: "CRITICAL",
      impactDescription: "the app crashes at the assignment",
      severity: .error,
      tags: ["swiftdata", "coredata", "models", "lifetime"],
      since: "0.2.0",
      precision: .high,
      body: #"""
## Related objects belong to one context

A relationship between objects of two contexts is refused with an exception that nothing catches: "Illegal attempt to establish a relationship between objects in different contexts". Typically, a form creates its own context and connects a new object to one that the screen has fetched. Pass the identifier, and get the object in the context that needs it.

**Incorrect (the person belongs to the view context):**

```swift
import SwiftData
import SwiftUI

@Model final class Trip {
  var title = ""
  var owner: Person?
  init() {}
}

@Model final class Person {
  var name = ""
  @Relationship(inverse: \Trip.owner) var trips: [Trip] = []
  init() {}
}

struct TripForm: View {
  @Query private var people: [Person]
  let container: ModelContainer
  var body: some View { Text("Trip") }

  func add() throws {
    let own = ModelContext(container)
    let trip = Trip()
    own.insert(trip)
    trip.owner = people.first
    //           ^^^^^^^^^^^^ error: the app crashes here, because `Trip.owner` would connect objects of two…
    try own.save()
  }
}
```

**Correct (the same person, in the form's context):**

```swift
import SwiftData
import SwiftUI

@Model final class Trip {
  var title = ""
  var owner: Person?
  init() {}
}

@Model final class Person {
  var name = ""
  @Relationship(inverse: \Trip.owner) var trips: [Trip] = []
  init() {}
}

struct TripForm: View {
  @Query private var people: [Person]
  let container: ModelContainer
  var body: some View { Text("Trip") }

  func add() throws {
    let own = ModelContext(container)
    let trip = Trip()
    own.insert(trip)
    if let id = people.first?.persistentModelID {
      let wanted = FetchDescriptor<Person>(predicate: #Predicate { $0.persistentModelID == id })
      trip.owner = try own.fetch(wanted).first
    }
    try own.save()
  }
}
```

**Incorrect (a scratch context, and a person of the view's):**

```swift
import CoreData

final class Person: NSManagedObject {
  @NSManaged var name: String
}

final class Trip: NSManagedObject {
  @NSManaged var owner: Person?
}

@MainActor final class Forms {
  let container: NSPersistentContainer
  var current: Person
  init(container: NSPersistentContainer, current: Person) {
    self.container = container
    self.current = current
  }

  func draft() -> Trip {
    let scratch = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    scratch.parent = container.viewContext
    let trip = Trip(context: scratch)
    trip.owner = current
    //           ^^^^^^^ error: the app crashes here, because `Trip.owner` would connect objects of two…
    return trip
  }
}
```

**Correct (the person in the scratch context):**

```swift
import CoreData

final class Person: NSManagedObject {
  @NSManaged var name: String
}

final class Trip: NSManagedObject {
  @NSManaged var owner: Person?
}

@MainActor final class Forms {
  let container: NSPersistentContainer
  var current: Person
  init(container: NSPersistentContainer, current: Person) {
    self.container = container
    self.current = current
  }

  func draft() -> Trip {
    let scratch = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    scratch.parent = container.viewContext
    let trip = Trip(context: scratch)
    trip.owner = scratch.object(with: current.objectID) as? Person
    return trip
  }
}
```

**When NOT to use:** the rule reports only if both contexts are certain: one that the function creates, and an object of another context, of a query or of a stored property.

Reference: https://developer.apple.com/documentation/swiftdata/modelcontext

"""#),
    RulePage(
      id: "relationship-without-inverse",
      group: "context",
      title: "Relationships have an inverse",
      impact: "MEDIUM",
      impactDescription: "reading a deleted object crashes the app",
      severity: .warning,
      tags: ["swiftdata", "models"],
      since: "0.1.0",
      body: #"""
## Relationships have an inverse

Without an inverse, only one side knows the relationship. If the object on the other side is deleted, this side still refers to the deleted row, and reading it crashes the app. SwiftData infers the inverse if exactly one pair of properties matches.

**Incorrect (no inverse):**

```swift
import SwiftData

@Model final class Trip {
  var hotel: Hotel?
  //  ^^^^^ when a `Hotel` is deleted, `Trip.hotel` still refers to the deleted object, and reading the property crashes the app; add an inverse property to `Hotel`, and name it in `@Relationship(inverse:)`
  init() {}
}

@Model final class Hotel {
  var name = ""
  init() {}
}
```

**Correct (the only pair is inferred):**

```swift
import SwiftData

@Model final class Trip {
  var hotel: Hotel?
  init() {}
}

@Model final class Hotel {
  var trips: [Trip] = []
  init() {}
}
```

**Incorrect (a to-many relationship):**

```swift
import SwiftData

@Model final class Album {
  @Relationship(deleteRule: .cascade) var photos: [Photo] = []
  //                                      ^^^^^^ when a `Photo` is deleted, `Album.photos` still refers to the…
  init() {}
}

@Model final class Photo { init() {} }
```

**Correct (the inverse is written out):**

```swift
import SwiftData

@Model final class Album {
  @Relationship(deleteRule: .cascade, inverse: \Photo.album) var photos: [Photo] = []
  var cover: Photo?
  init() {}
}

@Model final class Photo {
  var album: Album?
  @Relationship(inverse: \Album.cover) var coverOf: Album?
  init() {}
}
```

**When NOT to use:** the rule is silent if several pairs match and the sources don't say which one is meant, and on versions of a plan that are not the newest.

Reference: https://developer.apple.com/documentation/swiftdata/relationship(_:deleterule:minimummodelcount:maximummodelcount:originalname:inverse:hashmodifier:)

"""#),
    RulePage(
      id: "renamed-without-original-name",
      group: "schema",
      title: "A renamed property declares its original name",
      impact: "HIGH",
      impactDescription: "the values of the property are deleted by the update",
      severity: .warning,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      precision: .medium,
      body: #"""
## A renamed property declares its original name

For a migration, a property with a new name is a new property, and the old one is removed with all its values. `originalName` says that both are the same. If the new property has no default either, the store can't be opened at all.

**Incorrect (the values of `destination` are deleted):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var destination: String = ""
    var day: Date?
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
//      ^^^^ all values of `Trip.destination` are deleted when `name` replaces it; if this is a rename, write `@Attribute(originalName: "destination") var name`; if not, suppress this finding with a reason
    var day: Date?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
```

**Correct (the values are kept):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var destination: String = ""
    var day: Date?
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    @Attribute(originalName: "destination") var name: String = ""
    var day: Date?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
```

**Incorrect (the lock knows the old name):**

```swift shipped
import SwiftData

@Model final class Trip {
  @Attribute(.unique) var code: String = ""
  var start: Date?
  init() {}
}

let container = Result { try ModelContainer(for: Trip.self) }
```

```swift
import SwiftData

@Model final class Trip {
  @Attribute(.unique) var tripCode: String = ""
//                        ^^^^^^^^ all values of `Trip.code` are deleted when `tripCode` replaces it; if…
  var startDate: Date?
//    ^^^^^^^^^ all values of `Trip.start` are deleted…
  init() {}
}

let container = Result { try ModelContainer(for: Trip.self) }
```

**Fixed by `--fix` (if the shipped version is frozen and the names are alike; otherwise by `--unsafe-fixes`):**

```swift
import SwiftData

@Model final class Trip {
  @Attribute(.unique, originalName: "code") var tripCode: String = ""
  @Attribute(originalName: "start") var startDate: Date?
  init() {}
}

let container = Result { try ModelContainer(for: Trip.self) }
```

**When NOT to use:** if the old values are meant to go. Clearly unrelated names are not reported if many properties have the same type.

Reference: [SchemaMigrationPlan](https://developer.apple.com/documentation/swiftdata/schemamigrationplan)

"""#),
    RulePage(
      id: "required-property-without-default",
      group: "schema",
      title: "A new property has a value for existing rows",
      impact: "CRITICAL",
      impactDescription: "everyone who updates can't open their store",
      severity: .error,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      precision: .veryHigh,
      body: #"""
## A new property has a value for existing rows

A migration must write a value into each existing row. If a new required property has no default on its declaration, there is no such value: error 134110, "missing attribute values on mandatory destination attribute". A default in `init` doesn't count, because no initializer runs. A custom stage doesn't help either, because the attribute is missing before `didMigrate` can fill it.

**Incorrect (the default is in the initializer):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String
//      ^^^^ users who update from `SchemaV1` can't open their data (134110, missing attribute values on mandatory destination attribute), because existing rows have no `Trip.note`; give the declaration a default value (one in `init` doesn't count), or make the property optional
    init(note: String = "") { self.note = note }
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
```

**Correct (the default is on the declaration):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String = ""
    var city: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
```

**When NOT to use:** the rule is silent on properties of new classes and on to-many relationships, because there is nothing to fill.

Reference: [SchemaMigrationPlan](https://developer.apple.com/documentation/swiftdata/schemamigrationplan)

"""#),
    RulePage(
      id: "reserved-property-name",
      group: "lifetime",
      title: "Models don't reuse the framework's names",
      impact: "CRITICAL",
      impactDescription: "the app crashes when it opens the store",
      severity: .error,
      tags: ["swiftdata", "models", "lifetime"],
      since: "0.2.0",
      precision: .high,
      body: #"""
## Models don't reuse the framework's names

A model has members that the framework needs: `isDeleted`, `hasChanges`, `modelContext`, `persistentModelID`, and the members that Core Data adds, such as `description`. A stored property with the same name replaces them. The code compiles, but then the store can't be created, or deletions and saves read the app's value instead of the framework's.

**Incorrect (both names are reserved):**

```swift
import SwiftData

@Model final class Article {
  var title = ""
  var description = ""
  //  ^^^^^^^^^^^^^^^^ error: the app crashes when it first opens the store, because Core Data,…
  var isDeleted = false
  //  ^^^^^^^^^^^^^^^^^ error: saving or deleting `Article` fails or crashes, because `isDeleted` is the…
  init() {}
}
```

**Correct (other names):**

```swift
import SwiftData

@Model final class Article {
  var title = ""
  var summary = ""
  var isInTrash = false
  init() {}
}
```

**Incorrect (a transient property hides the member too):**

```swift
import SwiftData

@Model final class Draft {
  var text = ""
  @Transient var hasChanges = false
  //             ^^^^^^^^^^^^^^^^^^ warning: `Draft.hasChanges` hides the member with which SwiftData reports the object's…
  init() {}
}
```

**Correct (a computed description is what `CustomStringConvertible` needs):**

```swift
import SwiftData

@Model final class Draft: CustomStringConvertible {
  var text = ""
  @Transient var isEdited = false
  var description: String { text }
  init() {}
}
```

**When NOT to use:** similar names such as `isRemoved` are fine. If a version with the name has shipped, rename the property in a new version, with `@Attribute(originalName:)`.

Reference: https://developer.apple.com/documentation/swiftdata/persistentmodel

"""#),
    RulePage(
      id: "schema-version-not-in-plan",
      group: "schema",
      title: "The plan lists every version",
      impact: "HIGH",
      impactDescription: "users of the version can't open their data",
      severity: .warning,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      precision: .veryHigh,
      body: #"""
## The plan lists every version

SwiftData looks a store up among the versions that the plan lists. A version that is declared but not listed doesn't count: its stores have an unknown model version, error 134504. If a stage names such a version, no store can pass that stage.

**Incorrect (the second version is in no plan):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
//   ^^^^^^^^ users with stores of `SchemaV2` can't open them (134504), because no plan lists this version; add it to `schemas` of `TripPlan` with a stage that leads on from it, or delete a version that never shipped
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    init() {}
  }
}

enum SchemaV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    var city: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV3.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV3.self)]
  }
}
```

**Correct (all are listed):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
```

**When NOT to use:** the rule is silent in a project without a plan, and on a version that shares no model with the plan's versions.

Reference: [SchemaMigrationPlan](https://developer.apple.com/documentation/swiftdata/schemamigrationplan)

"""#),
    RulePage(
      id: "schema-version-uses-live-model",
      group: "schema",
      title: "A shipped version has its own classes",
      impact: "CRITICAL",
      impactDescription: "users of an older version can't open their data after an update",
      severity: .error,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      body: #"""
## A shipped version has its own classes

A `VersionedSchema` describes its classes as they are today. If an older version names a class that is still edited, or reaches one through a relationship, a superclass or a typealias, the next new property changes that version too. Stores of the version then match no version of the plan: Cocoa error 134504, "Cannot use staged migration with an unknown model version".

**Incorrect (the first version lists the same class as the newest one):**

```swift
import SwiftData

@Model final class Trip {
  var name: String = ""
  init() {}
}

@Model final class Note {
  var text: String = ""
  init() {}
}

enum SchemaV1: VersionedSchema {
//   ^^^^^^^^ stores of `SchemaV1` can't be opened any more (134504) once `Trip` changes, because the version uses today's class; declare a copy of what shipped inside `SchemaV1`
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self, Note.self] }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
```

**Correct (the first version has a copy of what shipped):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

@Model final class Trip {
  var name: String = ""
  var note: String?
  init() {}
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
```

**When NOT to use:** a typealias to the class of another frozen version is the usual way to say "unchanged" and is not reported, unless the version then holds a class twice. While `stages` is empty, such classes are still harmless, and the rule only warns.

Reference: [VersionedSchema](https://developer.apple.com/documentation/swiftdata/versionedschema)

"""#),
    RulePage(
      id: "shared-codable-in-frozen-schema",
      group: "schema",
      title: "A version has its own copy of stored structs",
      impact: "HIGH",
      impactDescription: "users of an older version can't open their data",
      severity: .warning,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      body: #"""
## A version has its own copy of stored structs

A Codable struct that a model stores becomes columns of its table. A new member of the struct changes every version that stores it, including the shipped ones. Their stores then match no version: error 134504.

**Incorrect (both versions store today's struct):**

```swift
import SwiftData

struct Place: Codable {
  var latitude = 0.0
  var longitude = 0.0
}

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var place: Place?
//      ^^^^^ stores of `SchemaV1` can't be opened any more (134504) once a stored member of `Place` changes; declare a copy of it inside `SchemaV1`
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var place: Place?
    var note: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
```

**Correct (the first version has its own copy):**

```swift
import SwiftData

struct Place: Codable {
  var latitude = 0.0
  var longitude = 0.0
}

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  struct Place: Codable {
    var latitude = 0.0
    var longitude = 0.0
  }
  @Model final class Trip {
    var place: Place?
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var place: Place?
    var note: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
```

**When NOT to use:** the rule is silent on enums with raw values, because the raw values are stored. For structs in arrays only old values may fail to decode; that finding is a note.

Reference: [Schema.CompositeAttribute](https://developer.apple.com/documentation/swiftdata/schema/compositeattribute)

"""#),
    RulePage(
      id: "shared-database-without-busy-mode",
      group: "grdb",
      title: "A shared database waits for its lock",
      impact: "HIGH",
      impactDescription: "what the user did in the app or the extension is lost",
      severity: .warning,
      tags: ["grdb", "appgroup"],
      since: "0.2.0",
      body: #"""
## A shared database waits for its lock

By default, a GRDB connection fails immediately with `SQLITE_BUSY` if another process holds the write lock. If an app and its extension write the same file, this happens sooner or later, and the second write is lost. (The readers of a `DatabasePool` wait ten seconds.)

**Incorrect (the app and the widget write the same file, and neither waits):**

```swift
import Foundation
import GRDB
import WidgetKit

enum Ledger {
  static let group = FileManager.default.containerURL(
    forSecurityApplicationGroupIdentifier: "group.ledger")!

  static let pool = Result {
    try DatabasePool(path: group.appending(path: "ledger.sqlite").path)
//      ^^^^^^^^^^^^ while another process writes to this database, every write fails immediately (SQLITE_BUSY) and the user's change is lost; set `busyMode` to `.timeout(…)` in the configuration of `DatabasePool`
  }
}

struct LedgerWidgets: WidgetBundle {
  var body: some Widget { LedgerWidget() }
}
```

**Correct (both wait for each other):**

```swift
import Foundation
import GRDB
import WidgetKit

enum Ledger {
  static let group = FileManager.default.containerURL(
    forSecurityApplicationGroupIdentifier: "group.ledger")!

  static let pool = Result {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    return try DatabasePool(
      path: group.appending(path: "ledger.sqlite").path, configuration: configuration)
  }
}

struct LedgerWidgets: WidgetBundle {
  var body: some Widget { LedgerWidget() }
}
```

**When NOT to use:** if only one process ever opens the file, although it is in the app group.

Reference: [GRDB, Sharing a database](https://swiftpackageindex.com/groue/grdb.swift/documentation/grdb/databasesharing)

"""#),
    RulePage(
      id: "shared-store-without-lock",
      group: "store",
      title: "One process at a time opens a shared store",
      impact: "HIGH",
      impactDescription: "after an update the app or its widget can't open the store",
      severity: .warning,
      tags: ["swiftdata", "coredata", "widget", "migration"],
      since: "0.1.0",
      precision: .medium,
      body: #"""
## One process at a time opens a shared store

The app and its widget open a store in an app group in separate processes. After an update both may migrate it at the same time, and one of them fails with 134110 or 134100. Hold a file lock in the group's folder around the opening, or open the store with `allowsSave: false` in the extension.

**Incorrect (both open and migrate):**

```swift
import SwiftData
import WidgetKit

struct TripWidget: Widget {
  let trips = Store.shared
  var body: some WidgetConfiguration { EmptyWidgetConfiguration() }
}

enum Store {
  static let shared = Result {
    try ModelContainer(
//      ^^^^^^^^^^^^^^^ warning: after an update the app and `TripWidget` may migrate this store…
      for: Trip.self, migrationPlan: TripsPlan.self,
      configurations: ModelConfiguration(groupContainer: .identifier("group.trips")))
  }
}
```

**Correct (a lock on a file of the group):**

```swift
import SwiftData
import WidgetKit

struct TripWidget: Widget {
  let trips = Store.shared
  var body: some WidgetConfiguration { EmptyWidgetConfiguration() }
}

enum Store {
  static let shared = Result { try open() }

  private static func open() throws -> ModelContainer {
    let time = ProcessInfo.processInfo.beginActivity(options: [], reason: "open the trips")
    defer { ProcessInfo.processInfo.endActivity(time) }
    return try FolderLock.shared.withLock {
      try ModelContainer(
        for: Trip.self, migrationPlan: TripsPlan.self,
        configurations: ModelConfiguration(groupContainer: .identifier("group.trips")))
    }
  }
}
```

**When NOT to use:** the rule reports if a widget, an intent, an extension or a command-line tool reaches an opening of the store; the project says which files belong to which target. If only one of them runs on a device, suppress the finding with that reason. If a lock is in a package that is not linted, name it in the configuration (`names.locks`). `appGroup` says whether the store is in an app group.

Reference: a field report on all the ways in which opening a `ModelContainer` fails; https://developer.apple.com/documentation/foundation/nsfilecoordinator

"""#),
    RulePage(
      id: "staged-migration-introduced",
      group: "schema",
      title: "The first stage is a separate step",
      impact: "MEDIUM",
      impactDescription: "users whose version was edited in place can't open their data",
      severity: .note,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      precision: .veryHigh,
      body: #"""
## The first stage is a separate step

While `stages` is empty, SwiftData infers every migration, and edits in place are harmless. From the first stage on, every store is matched by checksum, and every version that was edited in place fails with error 134504. Before that step, the versions must be exactly as they shipped.

**Incorrect (the plan gets its first stage):**

```swift shipped
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self] }
  static var stages: [MigrationStage] {
    []
  }
}
```

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
//           ^^^^^^ from now on a store fails with 134504 if its version was ever edited in place, because `TripPlan` gets its first stage (in `persistlint.lock` it had none) and stores are now matched by checksum; open stores of every release before you ship
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
```

**Correct (there were stages before):**

```swift shipped
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
```

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var name: String = ""
    var note: String?
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
```

**When NOT to use:** once stores of all releases have been opened with the new plan, freeze again.

Reference: [SchemaMigrationPlan](https://developer.apple.com/documentation/swiftdata/schemamigrationplan)

"""#),
    RulePage(
      id: "store-access-without-background-assertion",
      group: "store",
      title: "A shared store is not locked during suspension",
      impact: "HIGH",
      impactDescription: "the system kills the process with 0xdead10cc",
      severity: .warning,
      tags: ["swiftdata", "widget", "intents", "background"],
      since: "0.1.0",
      precision: .medium,
      body: #"""
## A shared store is not locked during suspension

iOS suspends an extension, an intent or a background task when its time is up. If the process then holds a lock in an app group container, as SQLite does while it opens, fetches or saves, the system kills it: 0xdead10cc. Ask for time before the work, and end that time afterwards.

**Incorrect (an intent that saves many times):**

```swift
import AppIntents
import SwiftData

let container = Result {
  try FolderLock.shared.withLock {
    try ModelContainer(
      for: Trip.self,
      configurations: ModelConfiguration(groupContainer: .identifier("group.trips")))
  }
}

struct AddTrip: AppIntent {
  func perform() async throws -> some IntentResult {
    let context = ModelContext(try container.get())
    for _ in 0..<500 {
      context.insert(Trip())
      try context.save()
//        ^^^^^^^^^^^^^^ warning: the system kills the process (0xdead10cc) if it…
    }
    return .result()
  }
}
```

**Correct (time is requested):**

```swift
import AppIntents
import SwiftData

let container = Result {
  try FolderLock.shared.withLock {
    try ModelContainer(
      for: Trip.self,
      configurations: ModelConfiguration(groupContainer: .identifier("group.trips")))
  }
}

struct AddTrip: AppIntent {
  func perform() async throws -> some IntentResult {
    let context = ModelContext(try container.get())
    context.insert(Trip())
    ProcessInfo.processInfo.performExpiringActivity(withReason: "save a trip") { isExpired in
      if !isExpired { save(context) }
    }
    return .result()
  }
}

func save(_ context: ModelContext) {
  do {
    try context.save()
  } catch {
    logger.error("\(error)")
  }
}
```

**When NOT to use:** macOS doesn't suspend processes, so code for macOS alone is not reported. Work that an intent or extension waits for, such as one save, and work that only fetches are notes: the system lets the process run until it has answered. If a function that requests time is in a package that is not linted, name it in the configuration (`names.assertions`).

Reference: a field report on 0xdead10cc: locks of SQLite held into suspension; https://developer.apple.com/documentation/xcode/understanding-the-exception-types-in-a-crash-report

"""#),
    RulePage(
      id: "store-deleted-without-backup",
      group: "store",
      title: "No store is deleted before it is backed up",
      impact: "CRITICAL",
      impactDescription: "everything the user has stored is gone",
      severity: .error,
      tags: ["swiftdata", "coredata", "grdb", "recovery"],
      since: "0.1.0",
      body: #"""
## No store is deleted before it is backed up

An opening can fail for reasons that pass: the disk is full, the device is still locked, another process holds the store, or a release had a bug. Deleting the store and starting fresh turns each of these into the loss of all data. A copy in the temporary folder, or of another store, is no backup. Copy the store's three files first, with an error that stops the deletion; then delete.

**Incorrect (any error deletes the store):**

```swift
import SwiftData

enum Store {
  static func open() throws -> ModelContainer {
    let configuration = ModelConfiguration("Trips")
    do {
      return try ModelContainer(for: Trip.self, configurations: configuration)
    } catch {
      logger.error("\(error)")
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: configuration.url.path + suffix)
//           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error: if `ModelContainer` fails for any reason…
      }
      return try ModelContainer(for: Trip.self, configurations: configuration)
    }
  }
}
```

**Incorrect (a function deletes the store; the cause was checked, so a warning):**

```swift
import CoreData

final class Stack {
  let container = NSPersistentContainer(name: "Trips")

  func load() {
    container.loadPersistentStores { [container] description, error in
      guard let error = error as NSError? else { return }
      logger.error("\(error)")
      if error.code == 134110, let url = description.url {
        Self.destroy(at: url, of: container)
//      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: when this error occurs, everything the user has stored is deleted for…
      }
    }
  }

  private static func destroy(at url: URL, of container: NSPersistentContainer) {
    try? container.persistentStoreCoordinator.destroyPersistentStore(at: url, type: .sqlite)
  }
}
```

**Correct (copied first; a failed copy stops the deletion):**

```swift
import SwiftData

enum Store {
  static func open() throws -> ModelContainer {
    let configuration = ModelConfiguration("Trips")
    do {
      return try ModelContainer(for: Trip.self, configurations: configuration)
    } catch {
      logger.error("\(error)")
    }
    try replace(configuration.url)
    return try ModelContainer(for: Trip.self, configurations: configuration)
  }

  private static func replace(_ store: URL) throws {
    for suffix in ["", "-wal", "-shm"] {
      let file = URL(fileURLWithPath: store.path + suffix)
      try FileManager.default.copyItem(at: file, to: file.appendingPathExtension("backup"))
      try FileManager.default.removeItem(at: file)
    }
  }
}
```

**When NOT to use:** a deletion that the user asked for, with a button or at sign-out, is not reported.

Reference: a field report on recovery in tiers: retry, back up, make anew; https://www.sqlite.org/backup.html

"""#),
    RulePage(
      id: "store-description-without-url",
      group: "lifetime",
      title: "A store description has a URL",
      impact: "HIGH",
      impactDescription: "all data seems gone after the update",
      severity: .warning,
      tags: ["coredata", "store", "lifetime"],
      since: "0.2.0",
      precision: .high,
      body: #"""
## A store description has a URL

A container has one description by default: the file in Application Support with the container's name. `NSPersistentStoreDescription()` has no URL. If it replaces the default, that file is not opened: the data of earlier versions seems gone, and new entries are missing at the next launch.

**Incorrect (the container's own description is replaced):**

```swift
import CoreData

func makeContainer() -> NSPersistentContainer {
  let container = NSPersistentContainer(name: "Trips")
  let description = NSPersistentStoreDescription()
  //                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: all data seems gone, and new entries are lost at the…
  description.shouldMigrateStoreAutomatically = true
  container.persistentStoreDescriptions = [description]
  container.loadPersistentStores { _, error in
    if let error { print("the trips can't be opened: \(error)") }
  }
  return container
}
```

**Correct (the container's own description is changed):**

```swift
import CoreData

func makeContainer() -> NSPersistentContainer {
  let container = NSPersistentContainer(name: "Trips")
  container.persistentStoreDescriptions.first?.shouldMigrateStoreAutomatically = true
  container.loadPersistentStores { _, error in
    if let error { print("the trips can't be opened: \(error)") }
  }
  return container
}
```

**Correct (a store in memory, and one with a URL set later):**

```swift
import CoreData

func makeMemory(_ container: NSPersistentContainer) {
  let description = NSPersistentStoreDescription()
  description.type = NSInMemoryStoreType
  container.persistentStoreDescriptions = [description]
}

func makePlaced(_ container: NSPersistentContainer, at url: URL) {
  let description = NSPersistentStoreDescription()
  description.url = url
  container.persistentStoreDescriptions = [description]
}
```

**When NOT to use:** the rule is silent if a description is passed to a function that may set its URL.

Reference: https://developer.apple.com/documentation/coredata/nspersistentstoredescription

"""#),
    RulePage(
      id: "store-open-failure-unlogged",
      group: "store",
      title: "A failed opening is logged",
      impact: "LOW",
      impactDescription: "nobody learns why people lost their data",
      severity: .note,
      tags: ["swiftdata", "coredata", "grdb", "realm", "logging"],
      since: "0.1.0",
      body: #"""
## A failed opening is logged

The crash report doesn't show why a store didn't open on somebody's device: SwiftData's error says `loadIssueModelContainer`, and the reason (134504, 134110, a full disk, a locked device) is only in the error and the log. Log the error with `Logger`, keep it for a report, or throw it.

**Incorrect (the error is ignored):**

```swift
import SwiftData

func open() -> ModelContainer? {
  do {
    return try ModelContainer(for: Trip.self)
  } catch {
//  ^^^^^^^ note: when `ModelContainer` fails on people's devices, nothing says why…
    return nil
  }
}
```

**Incorrect (`try?` has no error):**

```swift
import GRDB

func readTitles(_ path: String) -> [String] {
  guard let queue = try? DatabaseQueue(path: path) else { return [] }
//^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ note: when `DatabaseQueue` fails…
  return titles(of: queue)
}
```

**Correct (logged):**

```swift
import SwiftData

func open() -> ModelContainer? {
  do {
    return try ModelContainer(for: Trip.self)
  } catch {
    logger.error("opening the store: \(error)")
    return nil
  }
}
```

**Correct (kept):**

```swift
import SwiftData

final class Launch {
  var container: ModelContainer?
  var problem: Error?

  func open() {
    do {
      container = try ModelContainer(for: Trip.self)
    } catch {
      problem = error
    }
  }
}
```

**When NOT to use:** the rule is silent if the error is thrown on and reported by the caller.

Reference: a field report on all the ways in which opening a `ModelContainer` fails, a field report on recovery in tiers, on logging each failure; https://developer.apple.com/documentation/os/logging

"""#),
    RulePage(
      id: "store-opened-repeatedly",
      group: "store",
      title: "A store is opened once",
      impact: "MEDIUM",
      impactDescription: "views show old objects, and writers lock each other out",
      severity: .warning,
      tags: ["swiftdata", "coredata", "grdb"],
      since: "0.1.0",
      precision: .medium,
      body: #"""
## A store is opened once

Each container has its own contexts and its own cache. If a computed property, a `body` or an intent creates a container at every call, changes in one don't show in another, every call pays for the opening, and two writers wait for each other's lock. Create the container once, as a `static let` or a stored property, and pass it around.

**Incorrect (a computed property):**

```swift
import SwiftData

enum Store {
  static var container: ModelContainer {
    get throws {
      try ModelContainer(for: Trip.self)
//        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: views keep showing old objects and writers lock…
    }
  }
}
```

**Incorrect (a function that `body` calls, and an intent):**

```swift
import AppIntents
import SwiftData

@main struct TripsApp: App {
  var body: some Scene {
    WindowGroup { TripList().modelContainer(makeContainer()) }
  }

  private func makeContainer() -> ModelContainer {
    do {
      return try ModelContainer(for: Trip.self)
//               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: views keep showing old objects and writers lock…
    } catch {
      fatalError("\(error)")
    }
  }
}

struct AddTrip: AppIntent {
  func perform() async throws -> some IntentResult {
    let container = try ModelContainer(for: Trip.self)
//                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: views keep showing old objects…
    let context = ModelContext(container)
    context.insert(Trip())
    try context.save()
    return .result()
  }
}
```

**Correct (the container is kept):**

```swift
import SwiftData

enum Store {
  static let shared = Result { try ModelContainer(for: Trip.self) }
}

final class Library {
  private let container: ModelContainer

  init() throws { container = try Library.makeContainer() }

  private static func makeContainer() throws -> ModelContainer {
    let container = try ModelContainer(for: Trip.self)
    container.mainContext.autosaveEnabled = false
    return container
  }
}
```

**Correct (a getter that keeps the container):**

```swift
import SwiftData

final class Library {
  private var made: ModelContainer?

  var container: ModelContainer {
    get throws {
      if let made { return made }
      let container = try ModelContainer(for: Trip.self)
      made = container
      return container
    }
  }
}
```

**When NOT to use:** Realm keeps its instances itself. Tests and previews may open a store as often as they like.

Reference: https://developer.apple.com/documentation/swiftdata/modelcontainer

"""#),
    RulePage(
      id: "store-opened-with-fewer-models",
      group: "lifetime",
      title: "A store is always opened with all its models",
      impact: "CRITICAL",
      impactDescription: "the data of the other models can be lost",
      severity: .warning,
      tags: ["swiftdata", "store", "lifetime"],
      since: "0.2.0",
      precision: .medium,
      body: #"""
## A store is always opened with all its models

A widget, an intent or a recovery often needs one model, and then it is tempting to list that one alone. But the list is the schema: opening the app's store with it fails, or migrates the store to that list and drops the tables of the other models. List the same models wherever a store is opened, preferably in one shared constant.

**Incorrect (the widget lists only trips):**

```swift file=App/Store.swift
import SwiftData

@Model final class Trip {
  var title = ""
  init() {}
}

@Model final class Tag {
  var name = ""
  init() {}
}

enum Places {
  static let store = URL.documentsDirectory.appending(path: "Trips.store")
}

enum AppStore {
  static func open() throws -> ModelContainer {
    try ModelContainer(
      for: Trip.self, Tag.self, configurations: ModelConfiguration(url: Places.store))
  }
}
```

```swift file=Widget/WidgetStore.swift
import SwiftData

enum WidgetStore {
  static func open() throws -> ModelContainer {
    try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: Places.store))
    //                      ^^^^^^^^^ warning: everything in `Tag` can be lost, because this opens the same store with…
  }
}
```

**Correct (one list for both):**

```swift
import SwiftData

enum Models {
  static let all: [any PersistentModel.Type] = [Trip.self, Tag.self]
}

enum Store {
  static func open(at url: URL) throws -> ModelContainer {
    try ModelContainer(for: Schema(Models.all), configurations: ModelConfiguration(url: url))
  }
}
```

**When NOT to use:** the rule is silent on another file, a store in memory, a store that is opened with `allowsSave: false`, and models that relationships of the listed ones reach.

Reference: https://developer.apple.com/documentation/swiftdata/modelcontainer

"""#),
    RulePage(
      id: "store-sidecars-forgotten",
      group: "store",
      title: "A store's three files stay together",
      impact: "HIGH",
      impactDescription: "the old log breaks a new store, or a backup lacks the newest changes",
      severity: .error,
      tags: ["swiftdata", "coredata", "grdb", "recovery"],
      since: "0.1.0",
      body: #"""
## A store's three files stay together

SQLite keeps a store in `X`, `X-wal` and `X-shm`. The newest changes are often only in the log. If only `X` is deleted, the old log is replayed into the next store: "database disk image is malformed". If only `X` is copied, the backup lacks what is in the log. The names are the store's name with `-wal` and `-shm` appended: a suffix, not a path extension and not a path component. An incomplete copy is a warning, and a forgotten `-shm` alone is a note, because SQLite rebuilds that file.

**Incorrect (only the main file is deleted):**

```swift
import SwiftData

func reset(_ configuration: ModelConfiguration) throws -> ModelContainer {
  try FileManager.default.removeItem(at: configuration.url)
//    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error: the next store is opened with the log of the deleted one…
  return try ModelContainer(for: Trip.self, configurations: configuration)
}
```

**Fixed by `--fix` (deletions only; copies and moves need a person):**

```swift
import SwiftData

func reset(_ configuration: ModelConfiguration) throws -> ModelContainer {
  try FileManager.default.removeItem(at: configuration.url)
  for suffix in ["-wal", "-shm"] {
    let file = configuration.url.path + suffix
    if FileManager.default.fileExists(atPath: file) {
      try FileManager.default.removeItem(atPath: file)
    }
  }
  return try ModelContainer(for: Trip.self, configurations: configuration)
}
```

**Incorrect (the backup forgets the log, but the deletion doesn't):**

```swift
import SwiftData

func startAfresh(with configuration: ModelConfiguration) throws -> ModelContainer {
  let store = configuration.url
  let kept = store.deletingLastPathComponent().appendingPathComponent("kept-\(UUID())")
  try FileManager.default.copyItem(at: store, to: kept)
//    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning: the copy lacks all changes that are still in the store's log…
  try FileManager.default.removeItem(at: store)
  for suffix in ["-wal", "-shm"] {
    try? FileManager.default.removeItem(at: URL(fileURLWithPath: store.path + suffix))
  }
  return try ModelContainer(for: Trip.self, configurations: configuration)
}
```

**Incorrect (a path extension names another file):**

```swift
import SwiftData

func reset(_ configuration: ModelConfiguration) throws -> ModelContainer {
  let files = FileManager.default
  try files.removeItem(at: configuration.url)
  try? files.removeItem(at: configuration.url.appendingPathExtension("wal"))
//     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error: the store's log stays behind, because this path…
  try? files.removeItem(at: configuration.url.appendingPathExtension("shm"))
  return try ModelContainer(for: Trip.self, configurations: configuration)
}
```

**Correct (all three, by their names):**

```swift
import SwiftData

func reset(_ configuration: ModelConfiguration) throws -> ModelContainer {
  for suffix in ["", "-wal", "-shm"] {
    let file = URL(fileURLWithPath: configuration.url.path + suffix)
    if FileManager.default.fileExists(atPath: file.path) {
      try FileManager.default.removeItem(at: file)
    }
  }
  return try ModelContainer(for: Trip.self, configurations: configuration)
}
```

**Correct (the coordinator handles the log files):**

```swift
import CoreData

func drop(_ store: NSPersistentStore, of coordinator: NSPersistentStoreCoordinator) throws {
  guard let url = store.url else { return }
  try coordinator.destroyPersistentStore(at: url, type: .sqlite)
}
```

**When NOT to use:** Realm files, stores with `journal_mode=DELETE`, and copies after `wal_checkpoint(TRUNCATE)` need no log files and are not reported.

Reference: a field report on recovery in tiers, on a store's other files; https://www.sqlite.org/wal.html

"""#),
    RulePage(
      id: "store-without-history-tracking",
      group: "lifetime",
      title: "A store with history is always opened with history",
      impact: "CRITICAL",
      impactDescription: "the store opens read-only and saves fail",
      severity: .error,
      tags: ["swiftdata", "coredata", "store", "lifetime"],
      since: "0.2.0",
      precision: .high,
      body: #"""
## A store with history is always opened with history

SwiftData tracks the history of its stores. Core Data opens a store with history read-only if `NSPersistentHistoryTrackingKey` is not set: nothing fails at first, and then every save does. The same happens if two Core Data stacks open one file and only one of them sets the option.

**Incorrect (Core Data opens SwiftData's file):**

```swift
import CoreData
import SwiftData

@Model final class Word {
  var text = ""
  init() {}
}

enum Files {
  static let words = URL.documentsDirectory.appending(path: "Words.store")
}

let configuration = ModelConfiguration(url: Files.words)

func openAgain() -> NSPersistentContainer {
  let container = NSPersistentContainer(name: "Words")
  container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: Files.words)]
  container.loadPersistentStores { _, error in
  //        ^^^^^^^^^^^^^^^^^^^^ error: nothing that is entered here is saved, because SwiftData keeps a history…
    if let error { print("the words can't be opened: \(error)") }
  }
  return container
}
```

**Correct (with the option):**

```swift
import CoreData
import SwiftData

@Model final class Word {
  var text = ""
  init() {}
}

enum Files {
  static let words = URL.documentsDirectory.appending(path: "Words.store")
}

let configuration = ModelConfiguration(url: Files.words)

func openAgain() -> NSPersistentContainer {
  let container = NSPersistentContainer(name: "Words")
  let description = NSPersistentStoreDescription(url: Files.words)
  description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
  container.persistentStoreDescriptions = [description]
  container.loadPersistentStores { _, error in
    if let error { print("the words can't be opened: \(error)") }
  }
  return container
}

func trim(_ context: NSManagedObjectContext) throws {
  _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date.now))
}
```

**When NOT to use:** the rule is silent on a file that is opened read-only on purpose (`isReadOnly`), and on another file.

Reference: https://developer.apple.com/documentation/coredata/adopting-swiftdata-for-a-core-data-app

"""#),
    RulePage(
      id: "swallowed-save-error",
      group: "context",
      title: "A failed save is handled",
      impact: "HIGH",
      impactDescription: "nobody notices that a change was not saved",
      severity: .warning,
      tags: ["swiftdata", "coredata", "save"],
      since: "0.1.0",
      body: #"""
## A failed save is handled

A save fails if the disk is full, if a unique constraint is violated, or if a required relationship is missing (133021, 1570). With `try?` or an empty `catch` nobody notices: the app continues, later saves of the same context fail too, and at the next launch the changes are gone. The same is true of writes in GRDB and Realm, and of an error that goes to a closure which no caller passes. Catch the error, log it, and tell the user or roll back.

**Incorrect (`try?`):**

```swift
import SwiftData

func add(_ trip: Trip, to context: ModelContext) {
  context.insert(trip)
  try? context.save()
//^^^^^^^^^^^^^^^^^^^ warning: when `save` fails, nobody notices and the change is lost; catch the error,…
}
```

**Incorrect (a `catch` that holds only a comment):**

```swift
import SwiftData

func rename(_ trip: Trip, to name: String, in context: ModelContext) {
  trip.name = name
  do {
    try context.save()
  } catch {
//  ^^^^^^^ when `save` fails, this `catch` hides the…
    // the next save will do
  }
}
```

**Incorrect (`try?` on a function that saves):**

```swift
import CoreData

final class Stack {
  let container = NSPersistentContainer(name: "Trips")

  func saveChanges() throws {
    guard container.viewContext.hasChanges else { return }
    try container.viewContext.save()
  }

  func leave() {
    try? saveChanges()
//  ^^^^^^^^^^^^^^^^^^ when…
  }
}
```

**Correct (logged, and the user is told):**

```swift
import SwiftData

@Observable final class Editor {
  var problem: Error?

  func keep(_ trip: Trip, in context: ModelContext) {
    context.insert(trip)
    do {
      try context.save()
    } catch {
      logger.error("saving \(trip.name): \(error)")
      problem = error
    }
  }
}
```

**Correct (thrown to a caller that handles the error):**

```swift
import SwiftData

func keep(_ trip: Trip, in context: ModelContext) throws {
  context.insert(trip)
  try context.save()
}
```

**When NOT to use:** if the data can be fetched again at any time, suppress the finding with that reason.

Reference: https://developer.apple.com/documentation/swiftdata/modelcontext/save()

"""#),
    RulePage(
      id: "synced-relationship-unwrapped",
      group: "lifetime",
      title: "Synced relationships can be nil for a while",
      impact: "HIGH",
      impactDescription: "the app crashes on the second device",
      severity: .warning,
      tags: ["swiftdata", "coredata", "cloudkit", "lifetime"],
      since: "0.2.0",
      precision: .medium,
      body: #"""
## Synced relationships can be nil for a while

CloudKit delivers objects in any order. Until the related object has arrived, the relationship is nil; that is why relationships of a synced store must be optional. Code that assumes a value works on the device where the data was entered, and crashes the app on the second one, often at launch.

**Incorrect (the habit is there on this device):**

```swift
import SwiftData

@Model final class Habit {
  var name = ""
  @Relationship(deleteRule: .cascade, inverse: \Mark.habit) var marks: [Mark]? = []
  init() {}
}

@Model final class Mark {
  var day = 0
  var habit: Habit?
  init() {}
}

let synced = ModelConfiguration(cloudKitDatabase: .private("iCloud.org.habits"))

func title(_ mark: Mark) -> String {
  mark.habit!.name
//^^^^^^^^^^^^^^^^ warning: the app crashes here on a second device, because CloudKit can import…
}
```

**Correct (a mark without a habit has no title yet):**

```swift
import SwiftData

@Model final class Habit {
  var name = ""
  @Relationship(deleteRule: .cascade, inverse: \Mark.habit) var marks: [Mark]? = []
  init() {}
}

@Model final class Mark {
  var day = 0
  var habit: Habit?
  init() {}
}

let synced = ModelConfiguration(cloudKitDatabase: .private("iCloud.org.habits"))

func title(_ mark: Mark) -> String {
  mark.habit?.name ?? ""
}
```

**When NOT to use:** the rule reports only on stores that certainly sync. It is silent after a check for nil, right after the relationship was set, and on to-many relationships, because they are empty until then.

Reference: https://developer.apple.com/documentation/swiftdata/syncing-model-data-across-a-persons-devices

"""#),
    RulePage(
      id: "transformable-without-secure-transformer",
      group: "core-data",
      title: "Transformable attributes use secure coding",
      impact: "MEDIUM",
      impactDescription: "a manipulated file can make the app create objects of any class",
      severity: .warning,
      tags: ["coredata", "schema"],
      since: "0.2.0",
      body: #"""
## Transformable attributes use secure coding

A transformable attribute without a transformer, or with `NSKeyedUnarchiveFromData`, is read with an unarchiver that creates any class that the data names. A store from elsewhere (a backup, a shared file) can exploit that, and Core Data warns at every launch that such attributes will stop working.

**Incorrect (no transformer):**

```xml
<attribute name="color" optional="YES" attributeType="Transformable"/>
```

**Correct (a transformer with secure coding):**

```xml
<attribute name="color" optional="YES" attributeType="Transformable" valueTransformerName="NSSecureUnarchiveFromData"/>
```

**When NOT to use:** the rule is silent on transformers of the project, because they choose their own coding.

Reference: https://developer.apple.com/documentation/foundation/nssecureunarchivefromdatatransformer

"""#),
    RulePage(
      id: "unchecked-identifier-lookup",
      group: "lifetime",
      title: "Objects from an identifier are checked before use",
      impact: "HIGH",
      impactDescription: "the app crashes if the row is gone",
      severity: .warning,
      tags: ["swiftdata", "coredata", "lifetime"],
      since: "0.2.0",
      precision: .medium,
      body: #"""
## Objects from an identifier are checked before use

`model(for:)` and `object(with:)` never fail: they return an object for any identifier, even for a row that has been deleted. The first read of a stored property then crashes the app, and nothing catches that. For most values of a deleted row Core Data returns an empty value, and setting one does no harm, but reading a `Date`, `UUID`, `URL` or object that is not optional crashes the app. So an identifier that was kept, passed on or taken from another context needs a lookup that can fail: a fetch, `registeredModel(for:)`, or `existingObject(with:)`.

The rule reports if other code in the program deletes objects of that class, or objects of an unknown class.

**Incorrect (the cast doesn't fail if the trip is gone):**

```swift
import SwiftData

@Model final class Trip {
  var title = ""
  init() {}
}

@MainActor final class Trips {
  let context: ModelContext
  init(context: ModelContext) { self.context = context }

  func rename(_ id: PersistentIdentifier, to title: String) throws {
    guard let trip = context.model(for: id) as? Trip else { return }
    //                       ^^^^^ warning: if the `Trip` has been deleted meanwhile, the app crashes at the…
    trip.title = title
    try context.save()
  }
  func remove(_ trip: Trip) throws {
    context.delete(trip)
    try context.save()
  }
}
```

**Correct (a fetch returns nothing then):**

```swift
import SwiftData

@Model final class Trip {
  var title = ""
  init() {}
}

@MainActor final class Trips {
  let context: ModelContext
  init(context: ModelContext) { self.context = context }

  func rename(_ id: PersistentIdentifier, to title: String) throws {
    let wanted = FetchDescriptor<Trip>(predicate: #Predicate { $0.persistentModelID == id })
    guard let trip = try context.fetch(wanted).first else { return }
    trip.title = title
    try context.save()
  }
  func remove(_ trip: Trip) throws {
    context.delete(trip)
    try context.save()
  }
}
```

**Incorrect (a fault for a row that may be gone):**

```swift
import CoreData

final class Note: NSManagedObject {
  @NSManaged var day: Date
}

@MainActor final class NoteScreen {
  let view: NSManagedObjectContext
  let id: NSManagedObjectID
  init(view: NSManagedObjectContext, id: NSManagedObjectID) {
    self.view = view
    self.id = id
  }

  func day() -> Date {
    let note = view.object(with: id) as! Note
    //              ^^^^^^ warning: if the `Note` has been deleted meanwhile, reading it can crash the…
    return note.day
  }
  func remove(_ note: Note) throws {
    view.delete(note)
    try view.save()
  }
}
```

**Correct (`existingObject` throws then):**

```swift
import CoreData

final class Note: NSManagedObject {
  @NSManaged var day: Date
}

@MainActor final class NoteScreen {
  let view: NSManagedObjectContext
  let id: NSManagedObjectID
  init(view: NSManagedObjectContext, id: NSManagedObjectID) {
    self.view = view
    self.id = id
  }

  func day() throws -> Date? {
    try (view.existingObject(with: id) as? Note)?.day
  }
  func remove(_ note: Note) throws {
    view.delete(note)
    try view.save()
  }
}
```

**When NOT to use:** the rule is silent if the identifier was read from a living object just before, in the same function and without an `await` in between. It is also silent if nothing deletes objects of the class, and if `modelContext` or `managedObjectContext` is checked before the read.

Reference: https://developer.apple.com/documentation/swiftdata/modelcontext/model(for:)

"""#),
    RulePage(
      id: "unchecked-sendable-model",
      group: "concurrency",
      title: "Models are not declared Sendable",
      impact: "HIGH",
      impactDescription: "the compiler no longer reports data races of models, and users get the crashes",
      severity: .error,
      tags: ["swiftdata", "coredata", "concurrency"],
      since: "0.1.0",
      body: #"""
## Models are not declared Sendable

`@unchecked Sendable` on a model, and `nonisolated(unsafe)` on a property that holds a model or a context, change nothing at run time. They only turn off the compiler's warning that a live row crosses to another actor. The data race stays, and shows as a crash far from its cause.

**Incorrect (the conformance on the class):**

```swift
import SwiftData

@Model final class Trip: @unchecked Sendable {
//                       ^^^^^^^^^^^^^^^^^^^ the app can crash wherever a `Trip` reaches another actor, and the compiler no longer says where; remove `@unchecked Sendable` and pass the identifier or plain values
  var title = ""
  init() {}
}
```

**Incorrect (the conformance in an extension):**

```swift
import CoreData

final class Visit: NSManagedObject {
  @NSManaged var place: String
}

extension Visit: @unchecked Sendable {}
//               ^^^^^^^^^^^^^^^^^^^ the app can crash wherever a `Visit` reaches another actor…
```

**Correct (the identifier and plain values are Sendable already):**

```swift
import SwiftData

@Model final class Trip {
  var title = ""
  init() {}
}

struct TripSummary: Sendable {
  let id: PersistentIdentifier
  let title: String
}
```

**Incorrect (stored and static properties that are not checked):**

```swift
import SwiftData

@Model final class Trip {
  init() {}
}

final class Cache {
  nonisolated(unsafe) static var current: Trip?
  //                             ^^^^^^^ the app can crash when two threads use `current` (Trip) at once, because `nonisolated(unsafe)` hides the data race; isolate the property to an actor, or keep the `persistentModelID` and look the Trip up where it is used
  nonisolated(unsafe) var context: ModelContext
  init(context: ModelContext) { self.context = context }
}
```

**Correct (a separate actor):**

```swift
import SwiftData

@Model final class Trip {
  init() {}
}

@MainActor final class Cache {
  static var current: Trip?
  let context: ModelContext
  init(context: ModelContext) { self.context = context }
}
```

**Correct (containers and actors are Sendable):**

```swift
import SwiftData

@ModelActor actor Importer {}

enum Shared {
  nonisolated(unsafe) static var container: ModelContainer?
  nonisolated(unsafe) static var importer: Importer?
}

final class Box: @unchecked Sendable {
  var count = 0
}
```

**When NOT to use:** local variables are judged where they are captured. On `NSManagedObject` or `NSObject` itself the finding is a warning.

Reference: https://developer.apple.com/documentation/swiftdata/persistentmodel

"""#),
    RulePage(
      id: "unknown-original-name",
      group: "schema",
      title: "An original name exists in the previous version",
      impact: "HIGH",
      impactDescription: "the values of the property are deleted by the update",
      severity: .warning,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      precision: .veryHigh,
      body: #"""
## An original name exists in the previous version

`originalName` names the property of the previous version whose values are carried over. If that version doesn't have the name, nothing is carried over, and there is no error. If two properties claim the same name, only one can get the values.

**Incorrect (the property was called `destination`):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var destination: String = ""
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    @Attribute(originalName: "destinaton") var city: String?
//                                             ^^^^ no value is carried over, because `Trip` in `SchemaV1` has no `destinaton`; use the name from that version
    var destination: String = ""
    var name: String = ""
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
```

**Correct (the name is right):**

```swift
import SwiftData

enum SchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    var destination: String = ""
    var name: String = ""
    init() {}
  }
}

enum SchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self] }
  @Model final class Trip {
    @Attribute(originalName: "destination") var city: String = ""
    var name: String = ""
    init() {}
  }
}

enum TripPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
  }
}
```

**When NOT to use:** the rule is silent on an `originalName` that stays unchanged in later versions.

Reference: [SchemaMigrationPlan](https://developer.apple.com/documentation/swiftdata/schemamigrationplan)

"""#),
    RulePage(
      id: "unordered-relationship-read-by-position",
      group: "context",
      title: "A relationship is sorted before a position is read",
      impact: "HIGH",
      impactDescription: "another object is shown, changed or deleted at each launch",
      severity: .warning,
      tags: ["swiftdata", "models", "relationships"],
      since: "0.2.0",
      precision: .medium,
      body: #"""
## A relationship is sorted before a position is read

SwiftData stores a to-many relationship as a set. Its array keeps the order of insertion only as long as the objects are in memory; after the next launch `first`, `last` and indexes give other objects. While the code is tried out all looks right, because the objects were just added. Sort by a property, such as a date or a position of its own.

**Incorrect (the last stop is any stop after the next launch):**

```swift
import Foundation
import SwiftData

@Model final class Trip {
  var title = ""
  @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
  init() {}
}

@Model final class Stop {
  var name = ""
  var position = 0
  var trip: Trip?
  init() {}
}

func destination(of trip: Trip) -> String {
  trip.stops.last?.name ?? "somewhere"
  //         ^^^^ warning: users can get another object here at each launch, because SwiftData keeps no order in `Trip.stops`; sort by a property of its objects first
}
```

**Correct (the stops are sorted by their position):**

```swift
import Foundation
import SwiftData

@Model final class Trip {
  var title = ""
  @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
  init() {}
}

@Model final class Stop {
  var name = ""
  var position = 0
  var trip: Trip?
  init() {}
}

func destination(of trip: Trip) -> String {
  trip.stops.sorted { $0.position < $1.position }.last?.name ?? "somewhere"
}
```

**Incorrect (the stop that is deleted may be any of them):**

```swift
import Foundation
import SwiftData

@Model final class Trip {
  var title = ""
  @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
  init() {}
}

@Model final class Stop {
  var name = ""
  var position = 0
  var trip: Trip?
  init() {}
}

func removeLast(of trip: Trip, in context: ModelContext) {
  guard let stop = trip.stops.last else { return }
  //                          ^^^^ error: the app can delete another object than the one that is meant, because SwiftData keeps no order in `Trip.stops`; sort by a property of its objects first
  context.delete(stop)
}
```

**Correct (the stop with the highest position is deleted):**

```swift
import Foundation
import SwiftData

@Model final class Trip {
  var title = ""
  @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
  init() {}
}

@Model final class Stop {
  var name = ""
  var position = 0
  var trip: Trip?
  init() {}
}

func removeLast(of trip: Trip, in context: ModelContext) {
  guard let stop = trip.stops.max(by: { $0.position < $1.position }) else { return }
  context.delete(stop)
}
```

**When NOT to use:** if any object will do, or the relationship never holds more than one. Looks at whether there is something, lookups by a condition, and objects that the same code has just added are not reported. One list that a file reads at several places is reported once.

Reference: [Relationship](https://developer.apple.com/documentation/swiftdata/relationship(_:deleterule:minimummodelcount:maximummodelcount:originalname:inverse:hashmodifier:))

"""#),
    RulePage(
      id: "unsupported-predicate",
      group: "context",
      title: "Predicates use only what the store has",
      impact: "HIGH",
      impactDescription: "the fetch fails at run time",
      severity: .warning,
      tags: ["swiftdata", "models"],
      since: "0.1.0",
      precision: .medium,
      body: #"""
## Predicates use only what the store has

A `#Predicate` becomes a query of the store. The store doesn't know computed properties, `@Transient` properties or enum cases. The code compiles anyway, and the fetch throws or crashes at run time. `NSPredicate(format:)` reads `%@` as an object, so a number there, or too few arguments, crash the app.

**Incorrect (a computed property):**

```swift
import SwiftData

@Model final class Trip {
  var title = ""
  var isUntitled: Bool { title.isEmpty }
  init() {}
}

func untitled() -> FetchDescriptor<Trip> {
  FetchDescriptor<Trip>(predicate: #Predicate { $0.isUntitled })
  //                                               ^^^^^^^^^^ the fetch fails at run time, because `Trip.isUntitled` is computed and not in the store; use the stored properties behind it, or filter the fetched objects
}
```

**Correct (the stored property behind it):**

```swift
import SwiftData

@Model final class Trip {
  var title = ""
  var isUntitled: Bool { title.isEmpty }
  init() {}
}

func untitled() -> FetchDescriptor<Trip> {
  FetchDescriptor<Trip>(predicate: #Predicate { $0.title.isEmpty })
}
```

**Incorrect (an enum case):**

```swift
import SwiftData

enum Status: String, Codable { case open, done }

@Model final class Job {
  var status = Status.open
  init() {}
}

let finished = #Predicate<Job> { job in job.status == .done }
//                                                     ^^^^ the fetch fails at run time, because `Job.status` is compared with an enum case and the store knows only raw values; store the raw value and compare that
```

**Correct (the raw value is stored):**

```swift
import SwiftData

enum Status: String, Codable { case open, done }

@Model final class Job {
  var statusName = Status.open.rawValue
  init() {}
}

func finished() -> Predicate<Job> {
  let name = Status.done.rawValue
  return #Predicate<Job> { $0.statusName == name }
}
```

**Incorrect (a number for an object):**

```swift
import CoreData

func named(_ name: String, after year: Int) -> NSPredicate {
  NSPredicate(format: "name = %@ AND year > %@", name, year)
  //                                                   ^^^^ error: the app crashes here, because `%@` reads an object and `year` is a plain number or `Bool`; pass `NSNumber(value: year)`
}
```

**Correct (each argument fits its place):**

```swift
import CoreData

func named(_ name: String, after year: Int) -> NSPredicate {
  NSPredicate(format: "name = %@ AND year > %@", name, NSNumber(value: year))
}
```

**When NOT to use:** the rule judges only `#Predicate` over models of the sources, and `NSPredicate(format:)` with a literal format. Predicates over plain values are not reported.

Reference: https://developer.apple.com/documentation/foundation/predicate

"""#),
  ]
}
