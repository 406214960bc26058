import Foundation
import GRDB
import os

/// Keeps the rides, and shares them with the widget.
final class RideStore: Sendable {
  private static let logger = Logger(subsystem: "RideLog", category: "store")

  let pool: DatabasePool

  /// Opens the database; the caller shows what it throws.
  init(at url: URL) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    do {
      pool = try DatabasePool(path: url.path, configuration: configuration)
      try Self.migrator.migrate(pool)
    } catch {
      Self.logger.error("The rides can't be opened: \(error)")
      throw error
    }
  }

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("rides") { db in
      try db.create(table: Ride.databaseTableName) { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("title", .text).notNull()
        t.column("start", .datetime).notNull()
        t.column("place", .text)
      }
      for title in ["First ride", "Second ride"] {
        var ride = Ride(id: nil, title: title, start: .now, distance: 0)
        try ride.insert(db)
      }
    }
    migrator.registerMigration("rides.rating") { db in
      try db.alter(table: "ride") { t in t.add(column: "rating", .integer).notNull() }
    }
    migrator.registerMigration("rides.distance") { db in
      try? db.alter(table: Ride.databaseTableName) { t in
        t.add(column: "distance", .double).notNull().defaults(to: 0)
      }
    }
    return migrator
  }

  func add(_ ride: Ride) async throws {
    try await pool.write { db in
      var ride = ride
      try ride.insert(db)
    }
  }

  func rides() async throws -> [Ride] {
    try await pool.read { try Ride.order(Column("start").desc).fetchAll($0) }
  }
}
