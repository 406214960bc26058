// swift-format-ignore-file
// Made from Rules/*.md by scripts/rule-pages; edit the pages and run it again.

extension RulePage {
  /// The pages of all rules in the order of their names.
  package static let all: [RulePage] = [
    RulePage(
      id: "context-captured-in-detached-task",
      title: "Contexts stay with their actor or queue",
      impact: "CRITICAL",
      impactDescription: "the app crashes at random, or loses what it saves",
      severity: .error,
      tags: ["swiftdata", "coredata", "concurrency"],
      since: "0.1.0",
      body: #"""
## Contexts stay with their actor or queue

A `ModelContext` or `NSManagedObjectContext` serves one actor or queue. The one in a view's environment, `mainContext` and `viewContext` serve the main actor. A detached task or background queue that fetches, inserts or saves through it races with the screen: crashes, lost changes, "database is locked". A `ModelContainer` is Sendable, so hand that over and make a context on the other side; a Core Data context brings its own door, `perform`. A plain `Task { }` keeps the isolation around it; where there is none, it runs beside everything.

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
      //   ^^^^^^^^^^^^ the app can crash or lose data here, for the context `modelContext` is used on a global queue, away from its own actor or queue; make a `ModelContext(container)` inside, or a model actor
    }
  }
}

@Model final class Row { init() {} }
```

**Correct (a context of its own, from the container):**

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
      //                 ^^^^^^^^^^^ the app can crash or lose data here, for the context `container.viewContext` is used in a detached task, away from its own actor or queue; call `container.viewContext.perform { … }`, or make a background context
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

**Incorrect (a plain task where nothing isolates it):**

```swift
import SwiftData

final class Importer {
  let context: ModelContext
  init(context: ModelContext) { self.context = context }

  func run() {
    Task {
      try context.save()
      //  ^^^^^^^ the app can crash or lose data here, for the context `context` is used in a task without an actor, away from its own actor or queue; make a `ModelContext(container)` inside, or a model actor
    }
  }
}
```

**Correct (the class is on the main actor, so its tasks are):**

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

**When NOT to use:** the rule is silent on `context.container`, on contexts made inside the task, and where the isolation of the code around a plain `Task { }` can't be told.

Reference: https://developer.apple.com/documentation/swiftdata/modelcontext

"""#),
    RulePage(
      id: "frozen-schema-edited",
      title: "A version that has shipped stays as it is",
      impact: "CRITICAL",
      impactDescription: "users who skipped an update can't open their data",
      severity: .error,
      tags: ["swiftdata", "coredata", "schema", "migration"],
      since: "0.1.0",
      body: #"""
## A version that has shipped stays as it is

A store keeps the checksum of the version it was written with. An edit inside that version gives it another checksum, and the store of everyone who has it matches no version of the plan: Cocoa error 134504, "Cannot use staged migration with an unknown model version". Nothing is wrong on the developer's device, for it holds the newest version. `persistlint freeze` writes what ships into `persistlint.lock`; `--against` takes a tag or a branch in its place.

**Incorrect (the new property went into the version that has shipped):**

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
//      ^^^^ users whose store is of `SchemaV1` can't open it after an update (134504): `Trip.note` (`String?`) was not there; put the version back as shipped and make the change in a new version
    init() {}
  }
}
```

**Correct (the new property has a version of its own):**

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

**When NOT to use:** for a version that no one has: freeze again with `persistlint freeze --again`. Edits that don't move the checksum, such as methods, comments, a delete rule or an index, are silent.

Reference: [VersionedSchema](https://developer.apple.com/documentation/swiftdata/versionedschema)

"""#),
    RulePage(
      id: "identical-schema-versions",
      title: "Each version of a plan stores something else",
      impact: "CRITICAL",
      impactDescription: "the app crashes at every launch and nothing can catch it",
      severity: .error,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      body: #"""
## Each version of a plan stores something else

A store knows the version it was written with by a checksum over what is stored. Two versions of one plan with the same checksum make the framework throw an Objective-C exception, `Duplicate version checksums detected`, which neither `do`/`catch` nor `try?` catches. A delete rule, a default value or an index is not in the checksum, so a version of its own for one of them is such a twin. So are two versions that name the same classes.

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
//   ^^^^^^^^ the app crashes at launch (Duplicate version checksums detected), for `SchemaV2` stores exactly what `SchemaV1` does; a version needs a stored change of its own: take it out of the plan
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

**When NOT to use:** in a plan whose `stages` is empty the versions are not told apart yet; the rule warns there, for the first stage brings the crash.

Reference: [SchemaMigrationPlan](https://developer.apple.com/documentation/swiftdata/schemamigrationplan)

"""#),
    RulePage(
      id: "invalid-suppression",
      title: "Suppressions name a rule, give a reason, and are needed",
      impact: "LOW",
      impactDescription: "a finding stays hidden that nobody decided to hide",
      severity: .warning,
      tags: ["persistlint"],
      since: "0.1.0",
      body: #"""
## Suppressions name a rule, give a reason, and are needed

`// persistlint:ignore[rule-id] reason` silences one rule on its own line, or on the next line of code when it stands alone. `persistlint:ignore-begin[rule-id] reason` silences it up to the next `persistlint:ignore-end`, `persistlint:ignore-file[rule-id] reason` in the whole file. A suppression without a reason can't be reviewed. One with a misspelt id hides nothing, and one that is no longer needed would hide the next mistake on that line.

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
// ^^^^^^^^^^^^^^^^^^^^^^ no `persistlint:ignore-begin` with these rules stands before; delete the comment
// persistlint:ignore-begin[invalid-suppression] the import saves again
// ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ everything below is silenced too…
func save() {}
```

**Correct (the rule by its id, and why):**

```swift sketch
try? context.save()  // persistlint:ignore[swallowed-save-error] the import saves again at its end
```

**When NOT to use:** the rule can be switched off, but a suppression is then never checked again.

Reference: `persistlint rules` lists the ids

"""#),
    RulePage(
      id: "lightweight-migration-impossible",
      title: "A change that can't be inferred has a custom stage",
      impact: "CRITICAL",
      impactDescription: "the store of everyone who updates can't be opened",
      severity: .error,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      body: #"""
## A change that can't be inferred has a custom stage

A lightweight stage adds, removes and renames. It can't turn a text into a date, a struct into a relationship, or make an optional property required, and it stops at the first duplicate when a property becomes unique. Such a change takes a custom stage, and for another type also a new property beside the old one.

**Incorrect (a unique constraint comes to rows that may hold duplicates):**

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
//                   ^^^^ users who come from `SchemaV1` can't open their data: `Trip` was not unique by `name`, and fails where duplicates exist: merge or delete them in willMigrate; make the stage a custom one
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

**Correct (a custom stage takes the duplicates out first):**

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

**When NOT to use:** where a custom stage handles the change the rule is silent; only a test with an old store proves that it does.

Reference: [SchemaMigrationPlan](https://developer.apple.com/documentation/swiftdata/schemamigrationplan)

"""#),
    RulePage(
      id: "migration-drops-data",
      title: "Data that goes is copied first",
      impact: "HIGH",
      impactDescription: "what users entered is deleted by the update",
      severity: .warning,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      body: #"""
## Data that goes is copied first

A property or class that a version no longer has is deleted with everything in it as soon as the store is migrated. A renamed class is a new, empty one, for an entity has no original name.

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
//                   ^^^^ the migration to `SchemaV2` deletes all data of `Trip.note`; copy it in a custom stage while both are there, or suppress this finding with the reason
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

**Correct (the stage reads them first):**

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

**When NOT to use:** when the data is meant to go; say so in a suppression.

Reference: [SchemaMigrationPlan](https://developer.apple.com/documentation/swiftdata/schemamigrationplan)

"""#),
    RulePage(
      id: "model-captured-in-detached-task",
      title: "Models stay with the actor they belong to",
      impact: "CRITICAL",
      impactDescription: "the app crashes at random, or shows and saves half-written values",
      severity: .error,
      tags: ["swiftdata", "coredata", "concurrency"],
      since: "0.1.0",
      body: #"""
## Models stay with the actor they belong to

A model is a live view of a row in its context, and its context belongs to one actor or queue. A detached task, a child task, a background queue or an `async let` runs beside that actor: reading or changing the model there is a data race. It shows as `EXC_BAD_ACCESS` in code that has nothing to do with it, mostly on users' devices. Take the values out first, or hand the identifier over and look the model up in a context of the other side.

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
      //                       ^^^^ the app can crash here or show half-written values, for `trip` (Trip) is used in a detached task, away from its own context; before the task write `let title = trip.title`, `let notes = trip.notes` and use these in it
    }
  }
}
```

**Correct (the values are taken out first):**

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
        //                       ^^^^^ the app can crash here or show half-written values, for `photos` (Photo) is used on a global queue, away from its own context; before the closure write `let values = photos.map { ($0.isHidden, $0.path) }` and use these in it
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
      //    ^^^^ the app can crash here or show half-written values, for `send` uses `draft` (Draft) away from its own context; take the values out before, and give them to `send`
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

**When NOT to use:** the rule is silent where the types don't tell that a value is a model, on a plain `Task { }` in isolated code, on closures marked `@MainActor` that start on the main actor, and on `persistentModelID` and `objectID`. Handing a model through a task to a function of the actor outside is only a note.

Reference: https://developer.apple.com/documentation/swiftdata/modelactor

"""#),
    RulePage(
      id: "renamed-without-original-name",
      title: "A renamed property says what it was called",
      impact: "HIGH",
      impactDescription: "the values of the property are gone after the update",
      severity: .warning,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      body: #"""
## A renamed property says what it was called

To a migration a property with a new name is a new property, and the one with the old name is gone with all its values. `originalName` says that they are one. Where the new one has no default either, the store can't be opened at all.

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
//      ^^^^ all values of `Trip.destination` are deleted when `name` takes its place; if it was renamed, write `@Attribute(originalName: "destination") var name`; if it was dropped on purpose, suppress this finding with the reason
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

**When NOT to use:** when the old values are really meant to go. Names that are plainly unrelated are silent where many properties share the type.

Reference: [SchemaMigrationPlan](https://developer.apple.com/documentation/swiftdata/schemamigrationplan)

"""#),
    RulePage(
      id: "required-property-without-default",
      title: "A new property has a value for the rows that exist",
      impact: "CRITICAL",
      impactDescription: "the store of everyone who updates can't be opened",
      severity: .error,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      body: #"""
## A new property has a value for the rows that exist

A migration must write something into each row that exists. A new required property with no default on its declaration gives it nothing to write: error 134110, "missing attribute values on mandatory destination attribute". A default in `init` does not count, for no initializer runs, and neither does a custom stage, for the attribute is missing before `didMigrate` can fill it.

**Incorrect (the default stands in the initializer):**

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
//      ^^^^ users who come from `SchemaV1` can't open their data (134110, missing attribute values on mandatory destination attribute): rows that exist have no `Trip.note`; give it a default on its declaration, for one in `init` does not count, or make it optional
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

**Correct (the default stands on the declaration):**

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

**When NOT to use:** properties of new classes and to-many relationships are silent; they have nothing to fill.

Reference: [SchemaMigrationPlan](https://developer.apple.com/documentation/swiftdata/schemamigrationplan)

"""#),
    RulePage(
      id: "schema-version-uses-live-model",
      title: "A version that has shipped holds its own classes",
      impact: "CRITICAL",
      impactDescription: "users of an older version can't open their data after an update",
      severity: .error,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      body: #"""
## A version that has shipped holds its own classes

A `VersionedSchema` says what the classes it names say today. When an older version names a class that is still edited, or reaches one through a relationship, a superclass or a typealias, the next new property changes that version too. Stores that were written with it then match no version of the plan: Cocoa error 134504, "Cannot use staged migration with an unknown model version".

**Incorrect (the first version lists the class that the newest one lists):**

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
//   ^^^^^^^^ stores of `SchemaV1` can't be opened any more (134504) once `Trip` changes, for the version means the class of today; declare a copy of what shipped inside `SchemaV1`
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

**When NOT to use:** a typealias to the class of another frozen version is the usual way to say "unchanged" and is silent, as long as it leads to no class that this version holds a second time. While `stages` is empty, live classes do no harm yet, and the rule warns.

Reference: [VersionedSchema](https://developer.apple.com/documentation/swiftdata/versionedschema)

"""#),
    RulePage(
      id: "unchecked-sendable-model",
      title: "Models are not declared Sendable",
      impact: "HIGH",
      impactDescription: "the compiler no longer says where models race, and users' devices do",
      severity: .error,
      tags: ["swiftdata", "coredata", "concurrency"],
      since: "0.1.0",
      body: #"""
## Models are not declared Sendable

`@unchecked Sendable` on a model, and `nonisolated(unsafe)` on a property that holds a model or a context, change nothing at run time. They only switch off the compiler's warning that a live row is about to cross to another actor. The race stays, and shows as a crash far from its cause.

**Incorrect (the conformance on the class):**

```swift
import SwiftData

@Model final class Trip: @unchecked Sendable {
//                       ^^^^^^^^^^^^^^^^^^^ the app can crash wherever a `Trip` reaches another actor, and the compiler no longer says where; drop `@unchecked Sendable` and pass its identifier or plain values
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

**Incorrect (stored and static properties without a check):**

```swift
import SwiftData

@Model final class Trip {
  init() {}
}

final class Cache {
  nonisolated(unsafe) static var current: Trip?
  //                             ^^^^^^^ the app can crash when two threads meet in `current`, for `nonisolated(unsafe)` hides the race; give it an actor, or keep the identifier
  nonisolated(unsafe) var context: ModelContext
  //                      ^^^^^^^ the app can crash when two threads meet in the context `context`, for `nonisolated(unsafe)` hides the race; give it an actor, or make a context where it is used
  init(context: ModelContext) { self.context = context }
}
```

**Correct (an actor of their own):**

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

**When NOT to use:** locals are judged where they are captured. On `NSManagedObject` or `NSObject` itself the finding is a warning.

Reference: https://developer.apple.com/documentation/swiftdata/persistentmodel

"""#),
    RulePage(
      id: "unknown-original-name",
      title: "An original name is one of the version before",
      impact: "HIGH",
      impactDescription: "the values of the property are gone after the update",
      severity: .warning,
      tags: ["swiftdata", "schema", "migration"],
      since: "0.1.0",
      body: #"""
## An original name is one of the version before

`originalName` names the property of the version before whose values are carried over. A name that this version does not have carries nothing over, and says nothing about it. Two properties that claim one name can't both get its values.

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
//                                             ^^^^ no value is carried over, for `Trip` of `SchemaV1` has no `destinaton`; name the property as that version has it
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

**When NOT to use:** an `originalName` that is carried on unchanged in later versions is silent.

Reference: [SchemaMigrationPlan](https://developer.apple.com/documentation/swiftdata/schemamigrationplan)

"""#),
  ]
}
