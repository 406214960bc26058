// swift-format-ignore-file
// Made from Rules/*.md by scripts/rule-pages; edit the pages and run it again.

extension RulePage {
  /// The pages of all rules in the order of their names.
  package static let all: [RulePage] = [
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

`// persistlint:ignore[rule-id] reason` silences one rule on its own line, or on the next line of code when it stands alone. A suppression without a reason can't be reviewed. One with a misspelt id hides nothing, and one that is no longer needed would hide the next mistake on that line.

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

**Correct (the rule by its id, and why):**

```swift sketch
try? context.save()  // persistlint:ignore[swallowed-save-error] the import saves again at its end
```

**When NOT to use:** the rule can be switched off, but a suppression is then never checked again.

Reference: `persistlint rules` lists the ids

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
  ]
}
