import Foundation
import OSLog
import SwiftData

/// Opens the store of the app, and shows most ways to lose it.
struct TripStore {
  let container: ModelContainer

  init() {
    do {
      container = try Self.open()
    } catch {
      crash("The trips can't be opened: \(error)")
    }
  }

  private static func open() throws -> ModelContainer {
    let schema = Schema([Trip.self, Stop.self])
    return try ModelContainer(for: schema, configurations: ModelConfiguration(schema: schema))
  }

  /// Used by the share extension.
  static func openForSharing() -> ModelContainer {
    let configuration = ModelConfiguration("Shared")
    do {
      return try ModelContainer(for: Trip.self, configurations: configuration)
    } catch {
      Logger().error("opening failed: \(error)")
      try? FileManager.default.removeItem(at: configuration.url)
    }
    do {
      return try ModelContainer(for: Trip.self, configurations: configuration)
    } catch {
      let memory = ModelConfiguration(isStoredInMemoryOnly: true)
      return try! ModelContainer(for: Trip.self, configurations: memory)
    }
  }
}

/// Logs, then ends the process.
func crash(_ message: String) -> Never {
  Logger().critical("\(message)")
  fatalError(message)
}
