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
    migrator.registerMigration("rides", migrate: createRides)
    migrator.registerMigration("rides.distance") { db in
      // What has shipped is spelled out, so that no rename of today reaches it.
      try db.alter(table: "ride") { t in
        t.add(column: "distance", .double).notNull().defaults(to: 0)
      }
    }
    migrator.registerMigration("rides.place") { db in
      try db.alter(table: "ride") { t in t.add(column: "place", .text) }
    }
    return migrator
  }

  private static func createRides(_ db: Database) throws {
    try db.create(table: "ride") { table in
      table.autoIncrementedPrimaryKey("id")
      table.column("title", .text).notNull()
      table.column("start", .datetime).notNull()
    }
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
