import PersistSyntax

/// A declaration of a type or a typealias.
struct SchemaType {
  /// Its index in the table.
  var id: Int
  var name: String
  var part: Part
  /// The type or extension around it; nil at the top level.
  var owner: Owner?
  /// Whether it stands under an `#if` that may be false.
  var isConditional: Bool
  var genericParameters: Set<String>

  enum Owner: Hashable {
    case type(Int)
    case extended(Int)
  }

  var isAlias: Bool { part.kind == .typealiasDecl }
}

/// An extension, and which type it extends when that is known.
struct SchemaExtension {
  var id: Int
  var part: Part
  var names: [String]
  var extended: Int?
  var isConditional: Bool
}

/// Where a name is looked up: the file and the types around, from the inside out.
struct LookupScope {
  var source: SchemaSource
  var types: [Int]
}

/// What a look-up of a type finds.
enum TypeLookup: Equatable {
  case found(Int)
  /// Several declarations, and no way to tell which is meant.
  case ambiguous
  case absent
}

/// All types of the sources, found as Swift finds them.
final class SchemaTypeTable {
  let conditions: SchemaConditions
  private(set) var types: [SchemaType] = []
  private(set) var extensions: [SchemaExtension] = []
  /// The nodes in which members of a type stand: its own and those of its extensions.
  private(set) var memberLists: [Int: [Part]] = [:]
  private var extensionsByType: [Int: [Int]] = [:]
  private var topLevel: [String: [Int]] = [:]
  private var members: [Int: [String: [Int]]] = [:]
  private(set) var topLevelVariables: [String: [Part]] = [:]
  private var names: [Int: String] = [:]
  /// The type that a node declares.
  private(set) var typeAt: [Ref: Int] = [:]
  private var extensionAt: [Ref: Int] = [:]

  init(_ sources: [SchemaSource], conditions: SchemaConditions) {
    self.conditions = conditions
    for source in sources {
      collect(in: Part(source: source, index: 0), owner: nil, isConditional: false)
    }
    linkExtensions()
  }

  private func collect(in list: Part, owner: SchemaType.Owner?, isConditional: Bool) {
    list.forEachActive(conditions, isConditional: isConditional) { part, isConditional in
      switch part.kind {
      case .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl:
        add(part, owner: owner, isConditional: isConditional)
      case .typealiasDecl: add(part, owner: owner, isConditional: isConditional)
      case .extensionDecl: addExtension(part, isConditional: isConditional)
      case .variableDecl where owner == nil:
        for binding in part.all(.binding) {
          guard let name = binding.name else { continue }
          topLevelVariables[name, default: []].append(binding)
        }
      default: break
      }
    }
  }

  private func add(_ part: Part, owner: SchemaType.Owner?, isConditional: Bool) {
    guard let name = part.name else { return }
    let id = types.count
    let parameters = part.first(.genericParameters)?.tokenTexts ?? []
    types.append(
      SchemaType(
        id: id, name: name, part: part, owner: owner, isConditional: isConditional,
        genericParameters: Set(parameters)))
    typeAt[part.ref] = id
    switch owner {
    case nil: topLevel[name, default: []].append(id)
    case .type(let outer): members[outer, default: [:]][name, default: []].append(id)
    case .extended: break
    }
    guard let list = part.first(.members) else { return }
    memberLists[id] = [list]
    collect(in: list, owner: .type(id), isConditional: isConditional)
  }

  private func addExtension(_ part: Part, isConditional: Bool) {
    guard let type = part.first(.type), case .named(let names, _) = TypeName(type) else { return }
    let id = extensions.count
    extensions.append(
      SchemaExtension(
        id: id, part: part, names: names, extended: nil, isConditional: isConditional))
    extensionAt[part.ref] = id
    guard let list = part.first(.members) else { return }
    collect(in: list, owner: .extended(id), isConditional: isConditional)
  }

  /// Finds what each extension extends; one may extend what another declares.
  private func linkExtensions() {
    var open = extensions.indices.map { $0 }
    let owned = Dictionary(
      grouping: types.filter { if case .extended = $0.owner { true } else { false } },
      by: \.owner)
    while true {
      var still: [Int] = []
      for index in open {
        let declaration = extensions[index]
        let scope = LookupScope(source: declaration.part.source, types: [])
        guard case .found(let type) = lookUp(declaration.names, in: scope),
          case .found(let nominal) = nominal(type)
        else {
          still.append(index)
          continue
        }
        extensions[index].extended = nominal
        extensionsByType[nominal, default: []].append(index)
        for member in owned[.extended(index)] ?? [] {
          members[nominal, default: [:]][member.name, default: []].append(member.id)
        }
        if let list = declaration.part.first(.members) {
          memberLists[nominal, default: []].append(list)
        }
      }
      if still.isEmpty || still.count == open.count { return }
      open = still
    }
  }

  /// The type that an extension extends, by the extension's node.
  func extended(at ref: Ref) -> Int? { extensionAt[ref].flatMap { extensions[$0].extended } }

  // MARK: Look-up

  /// The scope of what stands inside a type.
  func scope(inside type: Int) -> LookupScope {
    var scope = scope(around: type)
    scope.types.insert(type, at: 0)
    return scope
  }

  /// The scope in which a type is declared.
  func scope(around type: Int) -> LookupScope {
    let declaration = types[type]
    switch declaration.owner {
    case .type(let outer): return scope(inside: outer, from: declaration.part.source)
    case .extended(let id):
      let extended = extensions[id].extended
      return LookupScope(source: declaration.part.source, types: extended.map { [$0] } ?? [])
    case nil: return LookupScope(source: declaration.part.source, types: [])
    }
  }

  private func scope(inside type: Int, from source: SchemaSource) -> LookupScope {
    var scope = scope(inside: type)
    scope.source = source
    return scope
  }

  /// The scope of a member that stands in one of the member lists of a type.
  func scope(of list: Part, in type: Int) -> LookupScope {
    let isOwn =
      types[type].part.first(.members)?.index == list.index
      && types[type].part.source === list.source
    return isOwn
      ? scope(inside: type) : LookupScope(source: list.source, types: [type])
  }

  /// Looks up `A.B.C` from a scope; the last name may be an alias, which is not followed.
  func lookUp(_ names: [String], in scope: LookupScope) -> TypeLookup {
    guard let first = names.first else { return .absent }
    for type in scope.types {
      if types[type].genericParameters.contains(first) { return .absent }
      if first == "Self" { return walk(names.dropFirst(), from: type, source: scope.source) }
      if types[type].name == first, members[type]?[first] == nil {
        return walk(names.dropFirst(), from: type, source: scope.source)
      }
      guard let candidates = members[type]?[first] else { continue }
      return choose(candidates, rest: names.dropFirst(), source: scope.source)
    }
    if let candidates = topLevel[first] {
      return choose(candidates, rest: names.dropFirst(), source: scope.source)
    }
    guard names.count > 1 else { return .absent }
    let module = Name(first)
    let candidates = (topLevel[names[1]] ?? []).filter {
      scope.source.file.isModule(module, of: types[$0].part.source.file)
    }
    return choose(candidates, rest: names.dropFirst(2), source: scope.source)
  }

  private func choose(
    _ candidates: [Int], rest: ArraySlice<String>, source: SchemaSource
  ) -> TypeLookup {
    switch nearest(candidates, to: source) {
    case .found(let type): walk(rest, from: type, source: source)
    case let other: other
    }
  }

  private func walk(
    _ names: ArraySlice<String>, from type: Int, source: SchemaSource
  ) -> TypeLookup {
    guard let name = names.first else { return .found(type) }
    guard case .found(let owner) = nominal(type) else { return .absent }
    guard let candidates = members[owner]?[name] else { return .absent }
    return choose(candidates, rest: names.dropFirst(), source: source)
  }

  /// The declaration that a name means in a file.
  private func nearest(_ candidates: [Int], to source: SchemaSource) -> TypeLookup {
    let choice = source.file.choice(among: candidates.map { types[$0].part.source.file }) {
      let part = types[candidates[$0]].part
      return types[candidates[$0]].owner == nil
        && (part.has(modifier: "private") || part.has(modifier: "fileprivate"))
    }
    return switch choice {
    case .found(let index): .found(candidates[index])
    case .ambiguous: .ambiguous
    case .absent: .absent
    }
  }

  /// Follows aliases to the class, struct, enum, actor or protocol behind them.
  func nominal(_ type: Int) -> TypeLookup {
    var type = type
    for _ in 0..<40 {
      guard types[type].isAlias else { return .found(type) }
      guard case .named(let names, _)? = types[type].part.first(.type).map({ TypeName($0) })
      else { return .absent }
      switch lookUp(names, in: scope(around: type)) {
      case .found(let next) where next != type: type = next
      case .found: return .absent
      case let other: return other
      }
    }
    return .absent
  }

  /// Looks up a type and follows aliases.
  func resolve(_ names: [String], in scope: LookupScope) -> TypeLookup {
    switch lookUp(names, in: scope) {
    case .found(let type): nominal(type)
    case let other: other
    }
  }

  // MARK: Names and inheritance

  /// The names of the types around and of the type itself, with points between.
  func qualifiedName(_ type: Int) -> String {
    if let name = names[type] { return name }
    let declaration = types[type]
    let outer: String? =
      switch declaration.owner {
      case .type(let outer): qualifiedName(outer)
      case .extended(let id):
        extensions[id].extended.map { qualifiedName($0) }
          ?? extensions[id].names.joined(separator: ".")
      case nil: nil
      }
    let name = (outer.map { $0 + "." } ?? "") + declaration.name
    names[type] = name
    return name
  }

  /// What a type inherits from and conforms to, also by its extensions.
  func inheritance(of type: Int) -> [TypeName] {
    var types = own(self.types[type].part)
    for id in extensionsByType[type] ?? [] { types += own(extensions[id].part) }
    return types
  }

  /// Whether a file that declares or extends a type has a word.
  func mayInherit(_ type: Int, from name: Name) -> Bool {
    types[type].part.source.file.words.mayHold(name)
      || (extensionsByType[type] ?? []).contains {
        extensions[$0].part.source.file.words.mayHold(name)
      }
  }

  private func own(_ part: Part) -> [TypeName] {
    part.first(.inheritance)?.all(.type).map { TypeName($0) } ?? []
  }
}
