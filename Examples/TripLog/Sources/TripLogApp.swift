import SwiftData
import SwiftUI

@main
struct TripLogApp: App {
  private let store = TripStore()

  var body: some Scene {
    WindowGroup {
      TripList()
    }
    .modelContainer(store.container)
  }
}
