import PersistSyntax

extension Program {
  /// A key path with names for its parts.
  func view(ofKeyPath path: Ref) -> KeyPathView? {
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
}
