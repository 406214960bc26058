import PersistProject

/// All files of a project with tables of their words and declarations, which are complete before the
/// first question and never change; any number of threads may ask.
package final class SourceIndex: Sendable {
  package let files: [SourceFile]
  /// What is known of the project besides the Swift files.
  package let input: SchemaInput
  let words: WordTable
  /// As they are compiled for the platform that is meant where nothing names one.
  private let declarations: Declarations
  /// For other platforms, where several declarations of a name may stand in `#if`.
  private let otherDeclarations = Guarded<[String: Declarations]>([:])
  private let projects = Guarded<ProjectMap?>(nil)
  private let results = Guarded<[ObjectIdentifier: Guarded<(any Sendable)?>]>([:])

  package init(_ files: [SourceFile], input: SchemaInput = SchemaInput()) {
    self.files = files
    self.input = input
    words = WordTable(files)
    declarations = Declarations(files, platform: Program.usualPlatform)
  }

  /// What follows from the files alone, worked out once for all threads; a second one waits for it.
  package func once<Value: Sendable>(_ make: () -> Value) -> Value {
    let result = results.whileHeld { results in
      let key = ObjectIdentifier(Value.self)
      if let known = results[key] { return known }
      let new = Guarded<(any Sendable)?>(nil)
      results[key] = new
      return new
    }
    return result.whileHeld { result in
      if let known = result as? Value { return known }
      let made = make()
      result = made
      return made
    }
  }

  /// All declarations as they are compiled for a platform; joined once.
  func declarations(on platform: String) -> Declarations {
    guard platform != Program.usualPlatform else { return declarations }
    return otherDeclarations.whileHeld { others in
      if let known = others[platform] { return known }
      let made = Declarations(files, platform: platform)
      others[platform] = made
      return made
    }
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
