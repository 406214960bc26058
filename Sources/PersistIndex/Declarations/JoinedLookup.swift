import PersistSyntax

/// Looks types up among what has been joined so far.
///
/// What it finds follows from that alone: a typealias that leads back to itself leads nowhere, and the
/// supertypes in which one of a type's members is looked for are found without supertypes of others.
struct JoinedLookup {
  private let joining: ExtensionJoining
  /// Whether a typealias that leads to no type of the sources counts as one itself.
  private let acceptsTypealiases: Bool
  private var targets: [Alias: TypeID?] = [:]
  private var open: Set<Alias> = []
  private var lineages: [TypeID: [TypeID]] = [:]

  private struct Alias: Hashable {
    let type: TypeID
    let bySupertypes: Bool
  }

  init(_ joining: ExtensionJoining, acceptsTypealiases: Bool) {
    self.joining = joining
    self.acceptsTypealiases = acceptsTypealiases
  }

  /// The type that an extension of a path in a file extends; nil where that is still unknown.
  mutating func target(ofExtension path: [Name], file: Int) -> TypeID? {
    guard let first = path.first else { return nil }
    if let head = joining.topLevelType(first, file: file) ?? joining.foreignTypes[first] {
      return follow(path.dropFirst(), in: head, file: file, bySupertypes: true)
    }
    guard path.count > 1, let head = joining.topLevelType(path[1], inModule: first, file: file)
    else { return nil }
    return follow(path.dropFirst(2), in: head, file: file, bySupertypes: true)
  }

  /// The type that names lead to inside of another one, typealiases followed.
  private mutating func follow(
    _ path: ArraySlice<Name>, in head: TypeID, file: Int, bySupertypes: Bool
  ) -> TypeID? {
    guard var type = target(of: head, bySupertypes: bySupertypes) else { return nil }
    for name in path {
      guard
        let next = nestedType(name, in: type, file: file, bySupertypes: bySupertypes),
        let target = target(of: next, bySupertypes: bySupertypes)
      else { return nil }
      type = target
    }
    return type
  }

  /// The type, or what it stands for.
  private mutating func target(of type: TypeID, bySupertypes: Bool) -> TypeID? {
    guard joining.isTypealias(type) else { return type }
    let alias = Alias(type: type, bySupertypes: bySupertypes)
    if let known = targets[alias] { return known }
    guard open.count < Limit.typealiases.count, open.insert(alias).inserted else { return nil }
    let ref = joining.types[type].ref
    let outline = joining.conditions.files[Int(ref.file)].outline
    let written = outline.children(of: Int(ref.node)).first { outline.nodes[$0].kind == .type }
    let found = written.flatMap {
      lookUp(
        outline.nominalPath(ofType: $0)[...], from: Ref(file: Int(ref.file), node: $0), bySupertypes
      )
    }
    open.remove(alias)
    let target = found ?? (acceptsTypealiases ? type : nil)
    targets[alias] = target
    return target
  }

  private mutating func nestedType(
    _ name: Name, in type: TypeID, file: Int, bySupertypes: Bool
  ) -> TypeID? {
    if let own = joining.nestedType(name, directlyIn: type, file: file) { return own }
    guard bySupertypes else { return nil }
    for parent in supertypes(of: type) {
      if let found = joining.nestedType(name, directlyIn: parent, file: file) { return found }
    }
    return nil
  }

  /// The types that a type inherits from, the nearest first.
  private mutating func supertypes(of type: TypeID) -> ArraySlice<TypeID> {
    if let known = lineages[type] { return known.dropFirst() }
    var line = [type]
    var seen: Set<TypeID> = [type]
    var next = 0
    while next < line.count, next < Limit.supertypes.count {
      for ref in joining.declarations(of: line[next]) {
        let outline = joining.conditions.files[Int(ref.file)].outline
        for clause in outline.children(of: Int(ref.node))
        where outline.nodes[clause].kind == .inheritance {
          for node in outline.children(of: clause) {
            let path = outline.nominalPath(ofType: node)
            let place = Ref(file: Int(ref.file), node: node)
            guard let parent = lookUp(path[...], from: place, false) else { continue }
            if seen.insert(parent).inserted { line.append(parent) }
          }
        }
      }
      next += 1
    }
    lineages[type] = line
    return line.dropFirst()
  }

  // MARK: From a place

  /// The type of the sources that a path means at a place, typealiases followed.
  private mutating func lookUp(
    _ path: ArraySlice<Name>, from place: Ref, _ bySupertypes: Bool
  ) -> TypeID? {
    guard let first = path.first else { return nil }
    let file = Int(place.file)
    switch lexicalType(first, from: place, bySupertypes) {
    case .found(let type):
      return follow(path.dropFirst(), in: type, file: file, bySupertypes: bySupertypes)
    case .ambiguous: return nil
    case .absent: break
    }
    if let head = joining.topLevelType(first, file: file) {
      return follow(path.dropFirst(), in: head, file: file, bySupertypes: bySupertypes)
    }
    guard let second = path.dropFirst().first,
      let head = joining.topLevelType(second, inModule: first, file: file)
    else { return nil }
    return follow(path.dropFirst(2), in: head, file: file, bySupertypes: bySupertypes)
  }

  /// The type that a name means by the types around a place; ambiguous where it is a generic
  /// parameter.
  private mutating func lexicalType(
    _ name: Name, from place: Ref, _ bySupertypes: Bool
  ) -> NameChoice<TypeID> {
    let outline = joining.conditions.files[Int(place.file)].outline
    var inner = Int(place.node)
    while inner > 0 {
      let node = Int(outline.nodes[inner].parent)
      let kind = outline.nodes[node].kind
      if outline.declaresGenericParameter(name, node) { return .ambiguous([]) }
      if let type = joining.type(at: Ref(file: Int(place.file), node: node), kind) {
        let isExtension = kind == .extensionDecl
        if name == "Self"
          || joining.types.indices.contains(type) && !isExtension
            && joining.types[type].name == name
        {
          return .found(type)
        }
        // What a type inherits from can't be one of its members.
        if outline.nodes[inner].kind != .inheritance || isExtension,
          let nested = nestedType(
            name, in: type, file: Int(place.file), bySupertypes: bySupertypes)
        {
          return .found(nested)
        }
      }
      inner = node
    }
    return .absent
  }
}

extension Outline {
  /// The names of a type such as `A<B>.C`, generic arguments left out; empty for other types.
  fileprivate func nominalPath(ofType node: Int) -> [Name] {
    TypeView(NodeView(OutlineView(self), node))?.path.map(\.name) ?? []
  }

  /// Whether a name is a generic parameter of a declaration.
  fileprivate func declaresGenericParameter(_ name: Name, _ node: Int) -> Bool {
    guard nodes[node].kind.takesGenericParameters else { return false }
    return children(of: node).contains { list in
      nodes[list].kind == .genericParameters
        && children(of: list).contains {
          nodes[$0].kind == .genericParameter && self.name(of: $0) == name
        }
    }
  }
}
