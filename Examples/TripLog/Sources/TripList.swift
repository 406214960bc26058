import SwiftData
import SwiftUI

struct TripList: View {
  @Environment(\.modelContext) private var context
  @Query(sort: \Trip.start) private var trips: [Trip]

  var body: some View {
    List(trips) { trip in
      Text(trip.name)
        .swipeActions {
          Button("Export") { export(trip) }
          Button("Archive") { archive(trip) }
          Button("Delete") { delete(trip) }
        }
    }
  }

  /// Reads the trip on another thread than the one it belongs to.
  private func export(_ trip: Trip) {
    Task.detached {
      let text = "\(trip.name)\n\(trip.notes)"
      let file = URL.temporaryDirectory.appending(path: "trip.txt")
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
  }

  /// Saves a context on another thread than the one it belongs to.
  private func archive(_ trip: Trip) {
    trip.notes += "\nArchived."
    DispatchQueue.global(qos: .utility).async {
      try? context.save()
    }
  }

  private func delete(_ trip: Trip) {
    context.delete(trip)
    do {
      try context.save()
    } catch {
      // The list shows the trip as gone although it is still in the store.
    }
  }
}
