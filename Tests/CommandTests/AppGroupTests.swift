import Foundation
import Testing

/// What entitlements files tell of app groups, and which way led to a shared store.
@Suite struct AppGroupTests {
  let folder: Folder

  init() throws {
    folder = try Folder()
    try folder.write(
      "App/Store.swift",
      """
      import AppIntents
      import SwiftData
      struct AddTrip: AppIntent {
        func perform() async throws -> some IntentResult {
          try store(Trip())
          return .result()
        }
      }
      let container = Result { try ModelContainer(for: Trip.self) }
      func store(_ trip: Trip) throws {
        let context = ModelContext(try container.get())
        context.insert(trip)
        try context.save()
      }
      """)
  }

  private func write(_ key: String, to path: String) throws {
    try folder.write(
      path,
      "<plist><dict><key>\(key)</key><array><string>group.trips</string></array></dict></plist>")
  }

  @Test func anEntitlementPutsTheStoreInTheGroup() throws {
    try write("com.apple.security.application-groups", to: "App/App.entitlements")
    let run = try persistlint("--explain-flow", in: folder)
    #expect(
      run.output.contains("App/Store.swift:9:30: warning: after an update the app and `AddTrip`"))
    #expect(run.output.contains("App/Store.swift:13:7: note: the system kills the process"))
    #expect(run.output.contains("the system runs this intent in the background"))
    #expect(run.output.contains("App/Store.swift:5:9: note: "))
  }

  @Test func otherEntitlementsAndThoseOfOtherTargetsDoNot() throws {
    try write("keychain-access-groups", to: "App/App.entitlements")
    try write("com.apple.security.application-groups", to: "Widget/Widget.entitlements")
    let run = try persistlint(in: folder)
    #expect(!run.output.contains("0xdead10cc") && !run.output.contains("134110"))
  }
}
