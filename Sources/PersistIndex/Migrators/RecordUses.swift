import PersistSyntax

// MARK: - Who uses what migrations use

extension Program {
  /// The closures and functions that are nothing but migrations' code.
  package func migrationCode(_ migrators: [Migrator]) -> [Ref] {
    var code: Set<Ref> = []
    for migration in migrators.flatMap(\.migrations) {
      code.insert(migration.call)
      for function in Set(migration.steps.flatMap { $0.path }.flatMap { functions(calledBy: $0) }) {
        code.insert(functions[function].ref)
      }
      if let last = arguments(migration.call).last, let value = children(last).first,
        let function = namedFunction(value)
      {
        code.insert(functions[function].ref)
      }
    }
    return code.sorted()
  }

  /// Whether code that is neither a migration's nor the type's own names a type.
  package func isUsed(_ type: TypeID, outside code: [Ref]) -> Bool {
    let own = [types[type].ref] + types[type].extensions
    let name = types[type].name
    for file in files(using: name) where !files[file].isTest {
      let outline = files[file].outline
      for node in outline.nodes.indices {
        switch outline.nodes[node].kind {
        case .name, .member: guard outline.name(of: node) == name else { continue }
        case .type:
          guard
            (Int(outline.nodes[node].first)..<Int(outline.nodes[node].end)).contains(where: {
              outline.tokens[$0].kind == .identifier && outline.name(ofToken: $0) == name
            })
          else { continue }
        default: continue
        }
        let ref = Ref(file: file, node: node)
        if (own + code).contains(where: { contains($0, ref) }) || isExempt(ref) { continue }
        return true
      }
    }
    return false
  }
}
