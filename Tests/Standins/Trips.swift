// An app with three versions, of which the tests that `persistlint freeze --tests` writes are
// type-checked.

import Foundation
import SwiftData

enum TripsV1: VersionedSchema {
  static let versionIdentifier = Schema.Version(1, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }

  @Model final class Trip {
    var name: String
    var rating: Int?
    @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
    init(name: String) { self.name = name }
  }

  @Model final class Stop {
    var day: Date
    var trip: Trip
    init(day: Date, trip: Trip) {
      self.day = day
      self.trip = trip
    }
  }
}

enum TripsV2: VersionedSchema {
  static let versionIdentifier = Schema.Version(2, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self, Stop.self, Ticket.self] }

  @Model final class Trip {
    var name: String
    var rating: Int?
    var note: String?
    @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
    init(name: String, rating: Int?, note: String? = nil) {
      self.name = name
      self.rating = rating
      self.note = note
    }
  }

  @Model final class Stop {
    var day: Date
    var trip: Trip
    init(day: Date, trip: Trip) {
      self.day = day
      self.trip = trip
    }
  }

  @Model final class Ticket {
    enum Kind: String, Codable { case bus, train }
    var kind: Kind
    var code: UUID
    init(_ kind: Kind, code: UUID) {
      self.kind = kind
      self.code = code
    }
  }
}

enum TripsV3: VersionedSchema {
  static let versionIdentifier = Schema.Version(3, 0, 0)
  static var models: [any PersistentModel.Type] { [Trip.self, Stop.self, Ticket.self] }

  @Model final class Trip {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
    init(name: String) { self.name = name }
  }

  @Model final class Stop {
    var day: Date
    var trip: Trip
    init(day: Date, trip: Trip) {
      self.day = day
      self.trip = trip
    }
  }

  @Model final class Ticket {
    enum Kind: String, Codable { case bus, train }
    var kind: Kind
    var code: UUID
    init(_ kind: Kind, code: UUID) {
      self.kind = kind
      self.code = code
    }
  }
}

enum TripsPlan: SchemaMigrationPlan {
  static var schemas: [any VersionedSchema.Type] { [TripsV1.self, TripsV2.self, TripsV3.self] }
  static var stages: [MigrationStage] {
    [
      .lightweight(fromVersion: TripsV1.self, toVersion: TripsV2.self),
      .lightweight(fromVersion: TripsV2.self, toVersion: TripsV3.self),
    ]
  }
}
