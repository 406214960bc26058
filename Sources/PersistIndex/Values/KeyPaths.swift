import PersistSyntax

extension Program {
  /// A key path with names for its parts.
  package func view(ofKeyPath path: Ref) -> KeyPathView? {
    KeyPathView(nodeView(path))
  }

  /// The names behind the root of a key path, without what unwraps and indexes.
  package func members(ofKeyPath path: Ref) -> [Name] {
    view(ofKeyPath: path)?.members.map { name($0) } ?? []
  }

  /// The names of a key path such as `\Stop.trip.owner`; nil where it unwraps, indexes or names
  /// generic arguments.
  package func names(ofKeyPath path: Ref) -> [Name]? {
    view(ofKeyPath: path)?.names.map { $0.map { name($0) } }
  }

  /// The key paths of the sources that end with a property and begin with its type, which whoever
  /// injects values reads it by.
  func keyPaths(to property: PropertyID) -> [Ref] {
    guard let owner = properties[property].owner else { return [] }
    let members = once { KeyPathMembers(in: $0) }.byName[properties[property].name]
    return (members ?? []).filter { isRead(of: owner, by: $0) }
  }

  /// Whether a member is the only one of a key path that begins with a type.
  private func isRead(of owner: TypeID, by member: Ref) -> Bool {
    guard let path = parent(member), let view = view(ofKeyPath: path), view.members.count == 1,
      let root = view.root, root.path.count == 1
    else { return false }
    let type = lookUpType(name(root.name), from: path).only.map { declaredType($0) }
    guard case .declared(let id, _)? = type else { return false }
    return id == owner || lineage(of: id).contains(owner)
  }
}

/// The members of all key paths of a program by their names.
private final class KeyPathMembers {
  private(set) var byName: [Name: [Ref]] = [:]

  init(in program: Program) {
    for (file, source) in program.files.enumerated() {
      source.outline.withBuffers { view in
        for index in view.nodes.indices where view.nodes[index].kind == .keyPathMember {
          byName[view.name(of: index), default: []].append(Ref(file: file, node: index))
        }
      }
    }
  }
}
