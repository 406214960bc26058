import PersistSyntax

/// The words that lead to values of some types: the names of the types, and of what gives, hands out
/// or holds such values.
///
/// Code without any of them has no such value but in a local, and that comes from such a word as well.
struct LeadingWords {
  private(set) var words: Set<Name>
  /// The files that hold one of the words.
  private(set) var files: Set<Int> = []
  private let program: Program
  private let isWanted: (SwiftType) -> Bool
  private let aliases: Set<Name>
  private let filesUsingAlias: Set<Int>
  private var undecided: [Declaration] = []

  /// What a declaration is called, and the names in what it says of the values that it hands out.
  private struct Declaration {
    let name: Name
    let said: [Name]
    /// The property whose type tells whether it is meant; nil where what is said of it does.
    var property: PropertyID?
  }

  init(_ program: Program, from words: Set<Name>, isWanted: @escaping (SwiftType) -> Bool) {
    self.program = program
    self.words = words
    self.isWanted = isWanted
    aliases = program.closureAliases
    filesUsingAlias = Set(program.files(usingAny: aliases))
  }

  /// Takes in the declarations of all files that hold one of the words, until there are no others.
  mutating func followEverywhere() {
    while true {
      let more = Set(program.files(usingAny: words)).subtracting(files)
      guard !more.isEmpty else { return }
      follow(inside: more.sorted())
    }
  }

  /// Takes in the declarations of some files.
  mutating func follow(inside more: [Int]) {
    program.load(more)
    files.formUnion(more)
    for file in more { takeDeclarations(of: file) }
    while decide() {}
  }

  /// Whether a declaration led to a new word.
  private mutating func decide() -> Bool {
    let count = words.count
    var rest: [Declaration] = []
    for declaration in undecided where !words.contains(declaration.name) {
      if declaration.said.contains(where: words.contains) {
        if isMeant(declaration) { words.insert(declaration.name) }
      } else {
        rest.append(declaration)
      }
    }
    undecided = rest
    return words.count > count
  }

  private mutating func takeDeclarations(of file: Int) {
    let outline = program.files[file].outline
    let usesAlias = filesUsingAlias.contains(file)
    let closureTakers = Set(program.files[file].words.closureTakers)
    for id in program.firsts[file].functions {
      let function = program.functions[id]
      guard function.kind == .functionDecl, !words.contains(function.name) else { continue }
      var said = function.result.map { outline.tokenNames(of: $0) } ?? []
      if usesAlias || closureTakers.contains(function.name) {
        for case let type? in function.parameters.map(\.type) {
          let names = outline.tokenNames(of: type)
          let takesClosure = outline.hasArrow(type) || names.contains(where: aliases.contains)
          if takesClosure { said += names }
        }
      }
      take(Declaration(name: function.name, said: said))
    }
    for id in program.firsts[file].properties {
      let property = program.properties[id]
      guard !words.contains(property.name) else { continue }
      if let type = property.type {
        take(Declaration(name: property.name, said: outline.tokenNames(of: type)))
      } else {
        let said = outline.tokenNames(of: property.declaration)
        take(Declaration(name: property.name, said: said, property: id))
      }
    }
    let view = program.views[file]
    for node in 0..<view.count where view[node: node].kind.namesOthers {
      take(Declaration(name: outline.name(of: node), said: outline.tokenNames(of: node)))
    }
  }

  private mutating func take(_ declaration: Declaration) {
    if !declaration.said.contains(where: words.contains) {
      if !declaration.said.isEmpty { undecided.append(declaration) }
    } else if isMeant(declaration) {
      words.insert(declaration.name)
    }
  }

  private func isMeant(_ declaration: Declaration) -> Bool {
    declaration.property.map { isWanted(program.type(ofProperty: $0)) } ?? true
  }
}

extension Node.Kind {
  /// Whether such a node declares a name for what others hold.
  fileprivate var namesOthers: Bool { self == .enumElement || self == .typealiasDecl }
}

extension Outline {
  /// Whether a type spells a closure.
  fileprivate func hasArrow(_ type: Int) -> Bool {
    (Int(nodes[type].first)..<Int(nodes[type].end)).contains { tokens[$0].kind == .arrow }
  }
}

// MARK: - Where models and contexts are

/// Where values may be that belong to one actor, queue or thread.
struct BoundValues: Equatable {
  /// The files that may name one, and those with parts of the same types.
  var files: Set<Int> = []
}

private struct PlacesOfBoundValues: Query {
  static var provisional: BoundValues { BoundValues() }
  func answer(in program: Program) -> BoundValues { program.findBoundValues() }
}

extension Program {
  /// The files in which code may use a model, a context or an object of Realm.
  var filesOfBoundValues: Set<Int> { answer(PlacesOfBoundValues()).files }

  fileprivate func findBoundValues() -> BoundValues {
    guard takesShortcuts else { return BoundValues(files: Set(files.indices)) }
    let bases = Words.realmBases.union([
      "NSManagedObject", "NSManagedObjectContext", "PersistentModel",
    ])
    var words = Words.boundValues
    for type in types(inheritingFrom: bases) + types(inFilesUsing: "Model") {
      if isModel(type) || isRealmObject(type) || isContext(.declared(type))
        || types[type].kind == .typealiasDecl
      {
        words.insert(types[type].name)
      }
    }
    var leading = LeadingWords(self, from: words) { self.isBound($0) }
    leading.followEverywhere()
    let named = leading.files
    let parts = Set(named.flatMap { namesOfTypes(in: $0) })
    return BoundValues(
      files: named.union(
        files.indices.filter { file in
          files[file].words.hasLooseBraces || namesOfTypes(in: file).contains(where: parts.contains)
        }))
  }

  private func isBound(_ type: SwiftType) -> Bool {
    if isContext(type) || model(in: type) != nil { return true }
    switch type {
    case .optional(let inner), .array(let inner), .set(let inner): return isBound(inner)
    case .external("Realm", _): return true
    case .declared(let id): return isRealmObject(id)
    default: return false
    }
  }

  /// The types that a file declares or extends outside of braces.
  private func namesOfTypes(in file: Int) -> [Name] {
    files[file].words.declared.filter { $0.kind == .type || $0.kind == .extended }.map(\.name)
  }
}
