import Foundation
import SwiftData

@Model
final class Trip {
  var name: String
  var start: Date
  var notes: String
  @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []

  init(name: String, start: Date, notes: String = "") {
    self.name = name
    self.start = start
    self.notes = notes
  }
}

@Model
final class Stop {
  var place: String
  var trip: Trip?

  init(place: String) {
    self.place = place
  }
}

extension Trip: @unchecked Sendable {}
