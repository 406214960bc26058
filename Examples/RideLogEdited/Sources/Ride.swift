import Foundation
import GRDB

/// A ride as the app shows it today.
struct Ride: Codable, Identifiable, FetchableRecord, MutablePersistableRecord {
  static let databaseTableName = "ride"

  var id: Int64?
  var title: String
  var start: Date
  var distance: Double

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}
