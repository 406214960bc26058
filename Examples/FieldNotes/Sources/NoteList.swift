import OSLog
import SwiftData
import SwiftUI

struct NoteList: View {
  @Environment(\.modelContext) private var context
  @Query(sort: \Note.written) private var notes: [Note]
  @State private var failure: String?

  var body: some View {
    List(notes) { note in
      Text(note.heading)
        .swipeActions {
          Button("Export") { export(note) }
          Button("Delete", role: .destructive) { delete(note) }
        }
    }
    .alert("The note could not be deleted", isPresented: .constant(failure != nil)) {
      Button("OK") { failure = nil }
    } message: {
      Text(failure ?? "")
    }
  }

  /// Takes the values out before it leaves the main actor.
  private func export(_ note: Note) {
    let heading = note.heading
    let written = note.written
    Task.detached {
      let text = "\(written.formatted()) \(heading)"
      let file = URL.temporaryDirectory.appending(path: "note.txt")
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
  }

  private func delete(_ note: Note) {
    context.delete(note)
    do {
      try context.save()
    } catch {
      context.rollback()
      failure = error.localizedDescription
    }
  }
}
