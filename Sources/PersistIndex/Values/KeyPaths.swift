import PersistSyntax

extension Program {
  /// The names of a key path such as `\Stop.trip.owner`; nil where it unwraps, indexes or names
  /// generic arguments.
  package func names(ofKeyPath path: Ref) -> [Name]? {
    let outline = outline(path)
    let node = node(path)
    var names: [Name] = []
    for index in Int(node.first) + 1..<max(Int(node.end), Int(node.first) + 1) {
      switch outline.tokens[index].kind {
      case .period: continue
      case .identifier, .keyword: names.append(outline.name(ofToken: index))
      default: return nil
      }
    }
    return names
  }
}
