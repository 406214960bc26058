import Foundation
import SwiftData

enum NotesSchemaV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self] }

  @Model
  final class Note {
    var title: String = ""
    var written: Date = Date.distantPast

    init(title: String, written: Date) {
      self.title = title
      self.written = written
    }
  }
}

enum NotesSchemaV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Note.self] }

  @Model
  final class Note {
    @Attribute(originalName: "title") var heading: String = ""
    var written: Date = Date.distantPast
    var place: String?

    init(heading: String, written: Date) {
      self.heading = heading
      self.written = written
    }
  }
}

typealias Note = NotesSchemaV2.Note

enum NotesMigrationPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [NotesSchemaV1.self, NotesSchemaV2.self] }
  static var stages: [MigrationStage] {
    [.lightweight(fromVersion: NotesSchemaV1.self, toVersion: NotesSchemaV2.self)]
  }
}
