import PersistSyntax

@testable import PersistIndex

/// A program of one file that is asked about the names in it.
struct Names {
  let program: Program

  init(
    _ source: String, path: String = "Sources/App/App.swift", input: SchemaInput = SchemaInput()
  ) {
    program = Program([SourceFile(path: path, outline: Outline(SourceText(source)))], input: input)
  }

  /// The last `name` node that spells a text.
  func use(_ text: String) -> Ref? {
    program.descendants(Ref(file: 0, node: 0), .name).last { program.nameText($0) == text }
  }

  /// The type of the last use of a name, as people write it; "?" where it can't be told.
  func type(of name: String) -> String {
    use(name).map { spell(program.type(of: $0)) } ?? "no such name"
  }

  /// The isolation of the code at the last use of a name.
  func isolation(at name: String) -> Isolation? {
    use(name).map { program.isolation(at: $0) }
  }

  private func spell(_ type: SwiftType) -> String {
    switch type {
    case .unknown: "?"
    case .declared(let id, let arguments):
      program.nameText(program.types[id].ref) + spell(arguments: arguments)
    case .external(let name, let arguments):
      (Self.known.first { Name($0) == name } ?? "elsewhere") + spell(arguments: arguments)
    case .optional(let wrapped): "\(spell(wrapped))?"
    case .array(let element): "[\(spell(element))]"
    case .set(let element): "Set<\(spell(element))>"
    case .dictionary(let key, let value): "[\(spell(key)): \(spell(value))]"
    case .tuple(let parts, _): "(\(parts.map(spell).joined(separator: ", ")))"
    case .function(_, let result): "() -> \(spell(result))"
    case .metatype(let type): "\(spell(type)).Type"
    case .parameter, .associated: "open"
    }
  }

  private func spell(arguments: [SwiftType]) -> String {
    arguments.isEmpty ? "" : "<\(arguments.map(spell).joined(separator: ", "))>"
  }

  private static let known = [
    "Int", "String", "Bool", "URL", "ModelContext", "ModelContainer", "NSManagedObjectContext",
    "Error", "PersistentIdentifier",
  ]
}
