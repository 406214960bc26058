import PersistProject

/// All files of a project with tables of their words and of the names that they declare, which are
/// complete before the first question and never change; any number of threads may ask.
package final class SourceIndex: Sendable {
  package let files: [SourceFile]
  /// What is known of the project besides the Swift files.
  package let input: SchemaInput
  /// False to look at every file, whether it matters or not; the answers are the same.
  let takesShortcuts: Bool
  let words: WordTable
  let declarations: DeclarationTable
  /// By the platforms whose code declares them.
  private let schemas = Guarded<[String: SchemaProgram]>([:])
  private let projects = Guarded<ProjectMap?>(nil)

  package init(
    _ files: [SourceFile], input: SchemaInput = SchemaInput(), takesShortcuts: Bool = true
  ) {
    self.files = files
    self.input = input
    self.takesShortcuts = takesShortcuts
    words = WordTable(files)
    declarations = DeclarationTable(files)
  }

  /// The schemas as the code of one platform declares them; made once.
  func schema(on platform: String) -> SchemaProgram {
    schemas.whileHeld { schemas in
      if let known = schemas[platform] { return known }
      let made = SchemaProgram(Program(self, platform: platform))
      schemas[platform] = made
      return made
    }
  }

  /// What cut the reading of the schemas short that were asked for.
  package var limitsHit: Set<Limit> {
    schemas.whileHeld { $0.values.reduce(into: []) { $0.formUnion($1.limitsHit) } }
  }

  /// The targets of the projects that the sources belong to; made once, with what the manifests say
  /// that are written in Swift.
  func projects(_ manifests: () -> Manifests) -> ProjectMap {
    projects.whileHeld { projects in
      if let projects { return projects }
      let made = ProjectMap(input.projectFiles, manifests: manifests())
      projects = made
      return made
    }
  }
}
