import PersistSyntax

// MARK: - Cases of enums: made by values, matched by patterns

extension Program {
  /// Whether a value is the failure of a result: `.failure(error)`, `Result<Void, any
  /// Error>.failure(error)`.
  package func isFailure(_ value: Ref) -> Bool {
    guard let chain = kind(value) == .chain ? value : child(value, .chain),
      node(chain).first == node(value).first
    else { return false }
    let parts = children(chain, atMost: Self.partsOfCase)
    return parts.indices.dropFirst().contains { index in
      guard kind(parts[index]) == .call, name(parts[index - 1]) == "failure" else { return false }
      switch kind(parts[index - 1]) {
      case .implicitMember: return index == 1
      case .member: return parts[..<(index - 1)].allSatisfy { namesType($0) }
      default: return false
      }
    }
  }

  /// `Swift.Result.failure(error)` has no more parts.
  private static let partsOfCase = 4

  /// Whether a part of a chain is the name of a type, or of the module that the type is in.
  private func namesType(_ part: Ref) -> Bool {
    switch kind(part) {
    case .name:
      switch declared(part) {
      case .type: true
      case nil: !nameText(part).isEmpty && nameText(part).first?.isUppercase == true
      default: false
      }
    case .member: nameText(part).first?.isUppercase == true
    default: false
    }
  }

  /// The first of some cases that a pattern or value names: `failure` of `.failure(let error)`.
  package func firstCase(of names: Set<Name>, in ref: Ref) -> Name? {
    let view = view(ref)
    for index in Int(ref.node)..<view.end(ofSubtree: Int(ref.node)) {
      let node = view[node: index]
      guard [.implicitMember, .member, .casePattern].contains(node.kind) else { continue }
      let name = view.name(ofToken: node.name)
      if names.contains(name) { return name }
    }
    return nil
  }
}
