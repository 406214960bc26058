import PersistIndex
import PersistSyntax

/// The functions of which the code may come to work on files: they name what does it, or a
/// declaration that does.
final class FileWorkFunctions {
  private(set) var all: Set<FunctionID> = []
  /// The names by which such code is called.
  private(set) var names: Set<Name> = []

  init(_ program: Program) {
    var names = Set(Words.fileWork.keys).union(Words.wholeStoreWork.keys).union(["rename"])
    var seen: Set<Name> = []
    while !names.isEmpty {
      seen.formUnion(names)
      let nodes = program.uses(of: names).flatMap { [$0] + program.ancestors($0) }
      names = Set(nodes.flatMap { self.names(ofCodeDeclaredAt: $0, program) }).subtracting(seen)
    }
    self.names = seen
  }

  /// The names by which others run what is declared at a node; none where that is known already.
  private func names(ofCodeDeclaredAt node: Ref, _ program: Program) -> Set<Name> {
    if let property = program.property(declaredAt: node) {
      return [program.properties[property].name]
    }
    guard let function = program.function(declaredAt: node), all.insert(function).inserted else {
      return []
    }
    guard program.kind(node) == .initDecl, let type = program.enclosingType(node) else {
      return [program.functions[function].name]
    }
    let name = program.types[type].name
    return Set(program.types(inheritingFrom: [name]).map { program.types[$0].name })
      .union([name, "init", "Self"])
  }
}
