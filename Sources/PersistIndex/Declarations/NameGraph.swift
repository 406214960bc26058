import PersistSyntax

/// Which declarations say which names where they say what values they hold or hand out.
///
/// A function says the names in its result, in its generic constraints and in the closures that it
/// takes; a property those in its type, or in its whole declaration where it has none; a case and a
/// typealias all of theirs.
struct NameGraph: Sendable {
  private struct Declaration: Sendable {
    let name: Name
    /// The property whose type is written nowhere; -1 where the names say it all.
    let untyped: Int32
  }

  private var declarations: [Declaration] = []
  /// The indices of the declarations that say a name.
  private var saying: [Name: [Int32]] = [:]

  init(_ all: Declarations) {
    let files = all.conditions.files
    let aliases = Self.closureTypealiases(in: files)
    for function in all.functions where function.kind == .functionDecl {
      let outline = files[Int(function.ref.file)].outline
      add(function.name, Self.said(by: function, all, outline, aliases))
    }
    for (id, property) in all.properties.enumerated() {
      let outline = files[Int(property.ref.file)].outline
      if let type = property.type {
        add(property.name, outline.tokenNames(of: type))
      } else {
        add(property.name, outline.tokenNames(of: property.declaration), untyped: id)
      }
    }
    for file in files {
      let outline = file.outline
      for node in outline.nodes.indices where outline.nodes[node].kind.namesOthers {
        add(outline.name(of: node), outline.tokenNames(of: node))
      }
    }
  }

  private mutating func add(_ name: Name, _ said: [Name], untyped: PropertyID = -1) {
    guard !said.isEmpty else { return }
    let index = Int32(truncatingIfNeeded: declarations.count)
    declarations.append(Declaration(name: name, untyped: Int32(truncatingIfNeeded: untyped)))
    for other in said where other != name { saying[other, default: []].append(index) }
  }

  private static func said(
    by function: FunctionDeclaration, _ all: Declarations, _ outline: Outline, _ aliases: Set<Name>
  ) -> [Name] {
    var said: [Name] = []
    for node in outline.children(of: Int(function.ref.node)) {
      switch outline.nodes[node].kind {
      case .type, .genericParameters, .whereClause: said += outline.tokenNames(of: node)
      default: break
      }
    }
    if let result = function.result, let owner = function.owner, outline.saysSelf(result) {
      said.append(all.types[owner].name)
    }
    for case let type? in function.parameters.map(\.type) {
      let names = outline.tokenNames(of: type)
      if outline.hasArrow(type) || names.contains(where: aliases.contains) { said += names }
    }
    return said
  }

  /// The names of the typealiases that stand for a closure, or for something with one in it.
  private static func closureTypealiases(in files: [SourceFile]) -> Set<Name> {
    var names: Set<Name> = []
    for file in files {
      let outline = file.outline
      for type in file.declared.types
      where type.kind == .typealiasDecl && outline.hasArrow(Int(type.ref.node)) {
        names.insert(type.name)
      }
    }
    return names
  }

  /// Some names, those of the declarations that say one of them, of those that say one of these, and
  /// so on; a property without a written type counts where it is meant.
  func names(ledToBy seeds: Set<Name>, where isMeant: (PropertyID) -> Bool) -> Set<Name> {
    var found = seeds
    var seen = [Bool](repeating: false, count: declarations.count)
    var open = Array(seeds)
    while let name = open.popLast() {
      for index in saying[name] ?? [] where !seen[Int(index)] {
        seen[Int(index)] = true
        let declaration = declarations[Int(index)]
        guard !found.contains(declaration.name),
          declaration.untyped < 0 || isMeant(Int(declaration.untyped))
        else { continue }
        found.insert(declaration.name)
        open.append(declaration.name)
      }
    }
    return found
  }
}

extension Node.Kind {
  /// Whether such a node declares a name for what others hold.
  fileprivate var namesOthers: Bool { self == .enumElement || self == .typealiasDecl }
}

extension Outline {
  /// Whether a type spells a closure.
  fileprivate func hasArrow(_ node: Int) -> Bool {
    (Int(nodes[node].first)..<Int(nodes[node].end)).contains { tokens[$0].kind == .arrow }
  }

  /// Whether a type says `Self`.
  fileprivate func saysSelf(_ node: Int) -> Bool {
    (Int(nodes[node].first)..<Int(nodes[node].end)).contains { tokens[$0].keyword == .selfType }
  }
}
