import Foundation
import Testing

/// A container that can't be opened is opened in three tiers.
@Suite struct ContainerFactoryTests {
  private func file(_ name: String, _ code: String) -> Page.File {
    Page.File(path: "Sources/App/\(name).swift", code: code, isShipped: false)
  }

  private func mended(_ files: Page.File...) -> Mending {
    Mending(files, rule: "fatal-error-on-store-open", isSafe: false)
  }

  private func opening(_ call: String, before: String = "") -> Page.File {
    file(
      "Store",
      """
      import Foundation
      import SwiftData

      enum Store {
        static func open() -> ModelContainer {
          \(before)
          do {
            return try \(call)
          } catch {
            fatalError("\\(error)")
          }
        }
      }
      """)
  }

  @Test func storeIsThatOfTheConfiguration() {
    let mending = mended(
      opening(
        "ModelContainer(for: schema, migrationPlan: Plan.self, configurations: [storage])",
        before: "let storage = ModelConfiguration(schema: schema)"))
    #expect(
      mending.code.contains(
        """
              return try openStore(at: storage.url) {
                try ModelContainer(for: schema, migrationPlan: Plan.self, configurations: [storage])
              } inMemory: {
                try ModelContainer(
                  for: schema,
                  configurations: ModelConfiguration(isStoredInMemoryOnly: true, cloudKitDatabase: .none))
              }
            } catch {
        """), "\(mending.code)")
    #expect(mending.code.contains("import Foundation\nimport os\nimport SwiftData\n"))
    #expect(mending.rounds == 1 && mending.left.isEmpty && parses(mending.code))
  }

  @Test func functionIsMadeOnceInAModule() {
    let second = """
      import SwiftData
      struct Other {
        static let container: ModelContainer = {
          do { return try ModelContainer(for: Trip.self, Stop.self) } catch { fatalError() }
        }()
      }
      """
    let mending = mended(opening("ModelContainer(for: Trip.self)"), file("Other", second))
    let declarations = mending.files.map {
      $0.code.components(separatedBy: "func openStore(").count
    }
    #expect(declarations.sorted() == [1, 2], "\(mending.files.map(\.code))")
    #expect(mending.rounds == 2 && mending.left.isEmpty)
    #expect(
      mending.files.allSatisfy { $0.code.contains("openStore(at: ModelConfiguration().url) {") })
  }

  @Test func lineBreaksAndTabsAreThoseOfTheFile() {
    let file = opening("ModelContainer(for: Trip.self)")
    let code = file.code.replacing("  ", with: "\t").replacing("\n", with: "\r\n")
    let mending = mended(Page.File(path: file.path, code: code, isShipped: false))
    #expect(
      mending.code.contains("\r\n\t\t\t\ttry ModelContainer(for: Trip.self)\r\n\t\t\t} inMemory: {")
    )
    #expect(mending.code.contains("\r\n\tdo {\r\n\t\tlet container = try open()"))
    #expect(!mending.code.replacing("\r\n", with: "").contains("\n"))
  }

  @Test(arguments: [
    "ModelContainer(for: schema, configurations: first, second)",
    "ModelContainer(for: schema, configurations: [first, second])",
    "ModelContainer(for: schema, configurations: configurations)",
    "ModelContainer(for: schema, configurations: makeConfiguration())",
  ])
  func whatIsNotOneStoreIsLeft(call: String) {
    let mending = mended(opening(call))
    #expect(mending.rounds == 0 && !mending.left.isEmpty, "\(mending.code)")
  }

  @Test func selfThatIsBeingMadeIsNotCaptured() {
    let code = """
      import SwiftData
      final class Store {
        let schema = Schema([Trip.self])
        let container: ModelContainer
        init() {
          do { container = try ModelContainer(for: schema) } catch { fatalError() }
        }
      }
      """
    let mending = mended(file("Store", code))
    #expect(mending.rounds == 0 && !mending.left.isEmpty, "\(mending.code)")
  }

  @Test func conditionsAndForcedOpeningsAreLeft() {
    let code = """
      import SwiftData
      func open() -> ModelContainer {
        guard let container = try? ModelContainer(for: Trip.self) else { fatalError() }
        return container
      }
      let other = try! ModelContainer(for: Trip.self)
      """
    let mending = mended(file("Store", code))
    #expect(mending.rounds == 0 && mending.left.count == 2, "\(mending.code)")
  }
}
