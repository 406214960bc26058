import PersistIndex
import PersistRules
import PersistSyntax
import Testing

/// What leads from one end of a finding to the other.
@Suite struct WayTests {
  @Test func callersOfWhatUsesASharedContextAreNamed() {
    let code = """
      import CoreData
      import SwiftUI
      final class Trip: NSManagedObject { @NSManaged var title: String? }
      final class Stack {
        static let shared = Stack()
        let container = NSPersistentContainer(name: "Trips")
        lazy var background = container.newBackgroundContext()
      }
      enum Trips {
        static func clear() {
          for trip in Stack.shared.background.registeredObjects { trip.willChangeValue(forKey: "title") }
        }
      }
      struct Menu: View {
        var body: some View {
          Button("Clear") { Trips.clear() }
        }
      }
      """
    let found = ways("managed-object-outside-context", code)
    #expect(found == [["7 the context is made here", "16 this code is called here"]])
  }

  @Test func thePlaceWhereAnObjectLeavesItsQueueIsNamed() {
    let code = """
      import CoreData
      import SwiftUI
      final class Trip: NSManagedObject { @NSManaged var title: String? }
      struct Trips {
        let container: NSPersistentContainer
        func made() async -> Trip {
          let context = container.newBackgroundContext()
          return await context.perform {
            Trip(context: context)
          }
        }
      }
      @MainActor struct Screen {
        let trips: Trips
        func show() async {
          let trip = await trips.made()
          print(trip.title ?? "")
        }
      }
      """
    let found = ways("managed-object-outside-context", code)
    #expect(found == [["7 the context is made here", "8 the object leaves `perform` here"]])
  }

  @Test func whatOthersReadIsNamedWhereItIsKept() {
    let code = """
      import SwiftData
      @Model final class Video {
        var title = ""
        init() {}
      }
      final class Player {
        let context: ModelContext
        var video: Video? { didSet { print(video?.title ?? "") } }
        init(_ context: ModelContext) { self.context = context }
        func restore(_ id: PersistentIdentifier) {
          let video = context.model(for: id) as? Video
          show(video)
        }
        func show(_ next: Video?) { video = next }
        func remove(_ video: Video) { context.delete(video) }
      }
      """
    let found = ways("unchecked-identifier-lookup", code)
    #expect(
      found == [
        [
          "12 the object is kept here", "8 its values are read here",
          "15 such an object is deleted here",
        ]
      ])
  }

  /// The lines and messages of what is related to each finding.
  private func ways(_ rule: RuleID, _ code: String) -> [[String]] {
    let file = SourceFile(path: "App/App.swift", outline: Outline(SourceText(code)))
    return Registry.check(Program([file]), ids: [rule]).map { finding in
      finding.related.map { "\($0.location.start.line) \($0.message)" }
    }
  }
}
