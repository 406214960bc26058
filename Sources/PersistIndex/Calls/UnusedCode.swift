import PersistSyntax

/// Whether no code that ships can be seen to make or name a type.
private struct IsUnusedType: Query {
  let type: TypeID

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findUnused(type: type) }
}

/// Whether no code that ships can be seen to call or name a function.
private struct IsUnusedFunction: Query {
  let function: FunctionID

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findUnused(function: function) }
}

/// Whether the sources hold what begins an app, so that code which nothing leads to doesn't run.
private struct HoldsApp: Query {
  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool {
    program.types.contains { !Words.appAttributes.isDisjoint(with: $0.attributes) }
  }
}

// MARK: - Code that nothing runs

extension Program {
  /// Whether nothing in an app runs the code around a node: no other code that ships names its type
  /// or its function, and no framework can find them.
  package func isUnused(_ node: Ref) -> Bool {
    guard answer(HoldsApp()), !files[Int(node.file)].isTest else { return false }
    return ancestors(node).contains { scope in
      if let function = function(declaredAt: scope), answer(IsUnusedFunction(function: function)) {
        return true
      }
      return type(declaredAt: scope).map { answer(IsUnusedType(type: $0)) } ?? false
    }
  }

  fileprivate func findUnused(type id: TypeID) -> Bool {
    let type = types[id]
    guard [.classDecl, .structDecl, .actorDecl, .enumDecl].contains(type.kind),
      isHidden(type.ref), type.attributes.allSatisfy({ Words.plainAttributes.contains($0) }),
      isKnownToSourcesAlone(id)
    else { return false }
    let own = ([type.ref] + type.extensions).map { (Int($0.file), tokenRange(of: $0)) }
    return !isNamed(type.name, outside: own)
  }

  fileprivate func findUnused(function id: FunctionID) -> Bool {
    let function = functions[id]
    guard function.kind == .functionDecl, isHidden(function.ref),
      // Operators are called by no name.
      let name = nameToken(of: function.ref),
      function.attributes.allSatisfy({ Words.plainAttributes.contains($0) }),
      !function.modifiers.contains("override"),
      !Words.functionsOfProtocols.contains(function.name),
      function.owner.map({ isKnownToSourcesAlone($0) }) ?? true
    else { return false }
    return !isNamed(function.name, outside: [(Int(function.ref.file), name..<name + 1)])
  }

  private func nameToken(of declaration: Ref) -> Int? {
    let token = node(declaration).name
    guard token != Node.noToken, outline(declaration).tokens[Int(token)].kind == .identifier else {
      return nil
    }
    return Int(token)
  }

  /// Whether no other module can name a declaration, by itself or as a member of an extension.
  private func isHidden(_ declaration: Ref) -> Bool {
    let extensions = ancestors(declaration).filter { kind($0) == .extensionDecl }
    return ([declaration] + extensions).allSatisfy { part in
      !children(part, .modifier).contains { ["public", "open", "package"].contains(name($0)) }
    }
  }

  /// Whether no framework makes objects of a type or calls its methods by what it inherits.
  private func isKnownToSourcesAlone(_ id: TypeID) -> Bool {
    types[id].attributes.allSatisfy { Words.plainAttributes.contains($0) }
      && lineage(of: id).flatMap { inherited(by: $0) }.allSatisfy { type in
        switch type {
        case .declared: true
        case .external(let name, _): Words.uncallingProtocols.contains(name)
        default: false
        }
      }
  }

  private func tokenRange(of declaration: Ref) -> Range<Int> {
    Int(node(declaration).first)..<Int(node(declaration).end)
  }

  /// Whether code that ships spells a name outside of some ranges of files.
  private func isNamed(_ name: Name, outside ranges: [(file: Int, tokens: Range<Int>)]) -> Bool {
    files(using: name).contains { file in
      guard !files[file].isTest else { return false }
      let outline = files[file].outline
      let own = ranges.filter { $0.file == file }.map(\.tokens)
      return (0..<outline.tokens.count).contains { token in
        outline.tokens[token].kind == .identifier && outline.name(ofToken: token) == name
          && !own.contains { $0.contains(token) }
      }
    }
  }
}
