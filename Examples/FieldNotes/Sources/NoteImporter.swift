import Foundation
import SwiftData

/// Writes notes in the background, in a context of its own.
@ModelActor
actor NoteImporter {
  func importNotes(_ headings: [String]) throws -> [PersistentIdentifier] {
    let notes = headings.map { Note(heading: $0, written: .now) }
    for note in notes { modelContext.insert(note) }
    try modelContext.save()
    return notes.map(\.persistentModelID)
  }

  func rename(_ id: PersistentIdentifier, to heading: String) throws {
    guard let note = self[id, as: Note.self] else { return }
    note.heading = heading
    try modelContext.save()
  }
}
