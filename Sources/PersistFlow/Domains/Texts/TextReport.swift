import PersistIndex
import PersistSyntax

/// Prints the texts and paths that calls are given, a line an argument, and the stores that are opened.
package struct TextReport {
  private let program: Program

  package init(of program: Program) { self.program = program }

  package var text: String {
    let files = program.files.indices.flatMap { file in
      program.descendants(Ref(file: file, node: 0), .argument)
    }
    let arguments = files.map { argument in
      "\(program.place(argument)) \(text(of: program.knownValue(of: argument)))\n"
    }
    let openings = program.storeFlow.openings.filter { $0.site == $0.root }.map { opening in
      let stores = program.openedStores(by: opening.site).map { store in
        (store.file.map { text(of: $0) } ?? "?") + (store.isReadOnly ? " for reading" : "")
          + (store.isInMemory.map { $0 ? ", in memory" : "" } ?? ", perhaps in memory")
      }
      return "\(program.place(opening.site)) opens \(stores.joined(separator: " or "))\n"
    }
    return (arguments + openings).joined()
  }

  private func text(of value: Known) -> String {
    switch value {
    case .either(let choices): choices.map { text(of: $0) }.joined(separator: " or ")
    case .list(let elements): "[" + elements.map { text(of: $0) }.joined(separator: ", ") + "]"
    case .made(_, let given): "made of " + given.map { text(of: $0) }.joined(separator: ", ")
    case .none: "nil"
    case .literal(let text): text
    default: value.knownText.map { text(of: $0) } ?? "?"
    }
  }

  private func text(of text: KnownText) -> String {
    let pieces = text.pieces.map { piece in
      switch piece {
      case .known(let text): text
      case .name(let name): "<\(name)>"
      case .hole(let declaration): "<\(program.nameText(declaration))>"
      case .path, .aside: "<>"
      }
    }
    return "\"" + pieces.joined() + "\""
  }
}
