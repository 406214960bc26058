import PersistIndex
import PersistSyntax

/// A program of one file.
struct Names {
  let program: Program

  init(_ source: String, input: SchemaInput = SchemaInput()) {
    let file = SourceFile(path: "Sources/App/App.swift", outline: Outline(SourceText(source)))
    program = Program([file], input: input)
  }
}
