import PersistSyntax

extension MigrationStage {
  /// Whether the stage's code says this name, or is not in the sources.
  package func mayRead(_ name: String, in program: Program) -> Bool {
    guard kind == .custom else { return false }
    return handlers(in: program).contains { handler in
      guard let body = handler.body else { return true }
      return program.says(Name(name), in: body, depth: 0)
    }
  }

  /// One of the two pieces of code that a stage runs.
  package struct Handler {
    /// Runs before the migration, and so on the older version.
    package let isWill: Bool
    /// The closure or the block of the function; nil when it is not in the sources.
    package let body: Ref?
    /// Where it is written in the stage.
    package let place: Ref
  }

  /// The code that the stage runs.
  package func handlers(in program: Program) -> [Handler] {
    [(true, willMigrate), (false, didMigrate)].compactMap { isWill, part in
      guard let part else { return nil }
      return Handler(isWill: isWill, body: body(of: part, in: program), place: part.ref)
    }
  }

  private func body(of part: Part, in program: Program) -> Ref? {
    if part.kind == .closure { return part.ref }
    guard let chain = part.onlyChain?.children else { return nil }
    if chain.count == 1, chain[0].kind == .closure { return chain[0].ref }
    guard let names = part.dottedNames, let name = names.last else { return nil }
    let functions = program.functions(named: Name(name))
    guard functions.count == 1, let body = program.functions[functions[0]].body else { return nil }
    return Ref(file: Int(program.functions[functions[0]].ref.file), node: body)
  }
}

extension Program {
  /// Whether code says a word, or a project function that it calls does.
  package func mentions(_ word: String, in body: Ref) -> Bool {
    says(Name(word), in: body, depth: 0)
  }

  /// Whether code says a name, or a project function that it calls does.
  func says(_ name: Name, in body: Ref, depth: Int) -> Bool {
    let outline = outline(body)
    let node = node(body)
    for token in Int(node.first)..<Int(node.end) {
      switch outline.tokens[token].kind {
      case .identifier, .keyword:
        if outline.name(ofToken: token) == name { return true }
      case .string where outline.text(ofToken: token).dropFirst().dropLast().isWord:
        let text = outline.text(ofToken: token)
        if Name(String(text.dropFirst().dropLast())) == name { return true }
      default: continue
      }
    }
    guard depth < 4 else { return true }
    for call in descendants(body, .call) {
      let called: [FunctionID] =
        switch callTarget(call) {
        case .functions(let ids): ids
        case .initializer(_, let ids): ids
        default: []
        }
      for id in called {
        guard let block = functions[id].body else { continue }
        if says(name, in: Ref(file: Int(functions[id].ref.file), node: block), depth: depth + 1) {
          return true
        }
      }
    }
    return false
  }
}

extension Substring {
  fileprivate var isWord: Bool { allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } }
}
