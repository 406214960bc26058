import Foundation
import OSLog
import SwiftData

/// Opens the store in three steps; nothing is deleted before it is copied.
enum NoteStore {
  enum Opening {
    case opened(ModelContainer)
    /// The old store lies in the folder.
    case startedAnew(ModelContainer, backup: URL)
    case failed(String)
  }

  private static let logger = Logger(subsystem: "example.FieldNotes", category: "store")

  static func open() -> Opening {
    let schema = Schema(versionedSchema: NotesSchemaV2.self)
    let configuration = ModelConfiguration(schema: schema)
    do {
      return .opened(try container(schema, configuration))
    } catch {
      logger.error("opening failed: \(error)")
    }
    // A locked device or a full disk passes; a second try costs nothing.
    do {
      return .opened(try container(schema, configuration))
    } catch {
      logger.error("second try failed: \(error)")
    }
    do {
      let backup = try setAside(configuration.url)
      return .startedAnew(try container(schema, configuration), backup: backup)
    } catch {
      logger.error("starting anew failed: \(error)")
      return .failed(error.localizedDescription)
    }
  }

  private static func container(
    _ schema: Schema, _ configuration: ModelConfiguration
  ) throws -> ModelContainer {
    try ModelContainer(
      for: schema, migrationPlan: NotesMigrationPlan.self, configurations: configuration)
  }

  /// Copies the store with what SQLite keeps beside it, and only then deletes it.
  private static func setAside(_ store: URL) throws -> URL {
    let files = FileManager.default
    let backup = store.deletingLastPathComponent().appending(path: "Backup-\(UUID().uuidString)")
    try files.createDirectory(at: backup, withIntermediateDirectories: true)
    let names = ["", "-wal", "-shm"].map { URL(fileURLWithPath: store.path + $0) }
    for name in names where files.fileExists(atPath: name.path) {
      try files.copyItem(at: name, to: backup.appending(path: name.lastPathComponent))
    }
    for name in names where files.fileExists(atPath: name.path) {
      try files.removeItem(at: name)
    }
    return backup
  }
}
