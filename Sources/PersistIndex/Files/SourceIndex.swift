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

  package init(
    _ files: [SourceFile], input: SchemaInput = SchemaInput(), takesShortcuts: Bool = true
  ) {
    self.files = files
    self.input = input
    self.takesShortcuts = takesShortcuts
    words = WordTable(files)
    declarations = DeclarationTable(files)
  }
}
