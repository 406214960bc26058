import PersistIndex
import PersistProject
import PersistRules
import PersistSchema
import PersistSyntax
import Testing

/// What one process does to objects that code of another one keeps.
@Suite struct ProcessTests {
  private let kit = """
    import SwiftData
    @Model final class Badge {
      var name: String = ""
      init() {}
    }
    final class Desk {
      static let shared = Desk()
      var container: ModelContainer?
    }
    """

  private let app = """
    import SwiftData
    import SwiftUI
    @main struct DeskApp: App {
      init() { Desk.shared.container = try? ModelContainer(for: Badge.self) }
      var body: some Scene { WindowGroup { Board() } }
    }
    struct Board: View {
      @State private var badges: [Badge] = []
      var body: some View {
        List(badges) { Text($0.name) }.onAppear {
          guard let container = Desk.shared.container else { return }
          badges = (try? container.mainContext.fetch(FetchDescriptor<Badge>())) ?? []
        }
      }
    }
    """

  private let share = """
    import SwiftData
    import UIKit
    class ShareController: UIViewController {
      override func viewDidLoad() {
        super.viewDidLoad()
        Desk.shared.container = try? ModelContainer(for: Badge.self)
      }
    }
    """

  /// The lines of the app's file with a finding, where the app has some folders.
  private func lines(whereTheAppHas folders: String) -> [Int] {
    let project = ProjectFile(path: "project.yml") {
      Array(
        """
        targets:
          Desk: {type: application, platform: iOS, sources: [\(folders)]}
          Share: {type: app-extension, platform: iOS, sources: [Share, Kit]}
        """.utf8)
    }
    let files = [("Kit/Kit.swift", kit), ("App/App.swift", app), ("Share/Share.swift", share)]
    let sources = files.map { SourceFile(path: $0, outline: Outline(SourceText($1))) }
    let program = Program(
      sources, input: SchemaInput(dataModels: [], projectFiles: project.map { [$0] } ?? []))
    return Registry.check(program, ids: ["model-kept-after-wipe"]).map(\.location.start.line)
  }

  @Test func theContainerOfAnotherProcessReplacesNone() {
    #expect(lines(whereTheAppHas: "App, Kit").isEmpty)
    #expect(lines(whereTheAppHas: "App, Kit, Share") == [8])
  }
}

/// Two targets that each have a class of one name.
@Suite struct NamesakeTests {
  private let shelf = """
    import CoreData
    class Shelf {
      let container: NSPersistentContainer
      init(container: NSPersistentContainer) { self.container = container }
      func names() {
        DispatchQueue.global().async { [self] in
          print((try? container.viewContext.count(for: NSFetchRequest(entityName: "Book"))) ?? 0)
        }
      }
      var context: NSManagedObjectContext { container.viewContext }
    }
    """

  private let reader = """
    import CoreData
    final class Reader {
      private let shelf: Shelf
      init(shelf: Shelf) { self.shelf = shelf }
      func read() {
        let context = shelf.context
        DispatchQueue.global().async { context.refreshAllObjects() }
      }
    }
    """

  /// The files with findings, where a target of the watch has some folders.
  private func files(whereTheWatchHas folders: String?) -> [String] {
    let project = folders.flatMap { folders in
      ProjectFile(path: "project.yml") {
        Array(
          """
          targets:
            Books: {type: application, platform: iOS, sources: [App, Kit]}
            Watch: {type: application, platform: watchOS, sources: [\(folders)]}
          """.utf8)
      }
    }
    let files = [
      ("Kit/Shelf.swift", shelf), ("App/Reader.swift", reader),
      ("Watch/Shelf.swift", "class Shelf { var context: Int { 1 } }"),
    ]
    let sources = files.map { SourceFile(path: $0, outline: Outline(SourceText($1))) }
    let program = Program(
      sources, input: SchemaInput(dataModels: [], projectFiles: project.map { [$0] } ?? []))
    return Registry.check(program, ids: ["context-captured-in-detached-task"]).map(\.location.path)
  }

  @Test func aNameMeansTheTypeThatIsBuiltWithTheFile() {
    #expect(files(whereTheWatchHas: "Watch") == ["App/Reader.swift", "Kit/Shelf.swift"])
    #expect(files(whereTheWatchHas: "Watch, App") == ["Kit/Shelf.swift"])
    #expect(files(whereTheWatchHas: nil) == ["Kit/Shelf.swift"])
  }
}
