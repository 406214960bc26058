import SwiftData
import SwiftUI

@main
struct FieldNotesApp: App {
  @State private var opening = NoteStore.open()

  var body: some Scene {
    WindowGroup {
      switch opening {
      case .opened(let container), .startedAnew(let container, _):
        NoteList().modelContainer(container)
      case .failed(let reason):
        ContentUnavailableView(
          "Your notes can't be opened", systemImage: "externaldrive.badge.exclamationmark",
          description: Text(reason))
      }
    }
  }
}
