import PersistIndex
import PersistProject
import PersistRules
import PersistSchema
import PersistSyntax
import Testing

/// Views, which a person begins in an app and the system in an extension.
@Suite struct ExtensionViewTests {
  private let store = """
    import SwiftData
    @Model final class Tag { var name = ""; init() {} }
    enum Store {
      static let shared = Result {
        try ModelContainer(
          for: Tag.self,
          configurations: ModelConfiguration(groupContainer: .identifier("group.tags")))
      }
    }
    final class TagWriter {
      func save(_ context: ModelContext) throws {
        context.insert(Tag())
        try context.save()
      }
    }
    """

  private let view = """
    import SwiftData
    import SwiftUI
    struct TagView: View {
      @Environment(\\.modelContext) private var context
      private let writer = TagWriter()
      var body: some View { Button("Add") { add() } }
      private func add() { try? writer.save(context) }
    }
    """

  /// The findings where a target of such a type shows the view.
  private func findings(in type: String) -> [String] {
    let project = ProjectFile(path: "project.yml") {
      Array(
        """
        targets:
          App: {type: application, platform: iOS, sources: [Shared]}
          Share: {type: \(type), platform: iOS, sources: [Share, Shared]}
        """.utf8)
    }
    let sources = [("Shared/Store.swift", store), ("Share/TagView.swift", view)].map {
      SourceFile(path: $0, outline: Outline(SourceText($1)))
    }
    let program = Program(
      sources, input: SchemaInput(dataModels: [], projectFiles: project.map { [$0] } ?? []))
    return Registry.check(program, ids: ["store-access-without-background-assertion"]).map {
      "\($0.location.path):\($0.location.start.line)"
    }
  }

  @Test func theSystemBeginsTheViewsOfExtensions() {
    #expect(findings(in: "app-extension") == ["Shared/Store.swift:13"])
    #expect(findings(in: "application").isEmpty)
  }
}
