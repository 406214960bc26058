import PersistSyntax

// MARK: - Expressions of one literal, and names in code

extension Program {
  /// Whether an expression is `nil` and nothing else.
  package func isNil(_ ref: Ref) -> Bool { onlyToken(of: ref)?.keyword == .nil }

  /// What an expression is that is `true` or `false`; nil for any other.
  package func booleanLiteral(_ ref: Ref) -> Bool? {
    switch onlyToken(of: ref)?.keyword {
    case .true: true
    case .false: false
    default: nil
    }
  }

  /// Whether a name stands anywhere in the code of a node, as a word of its own.
  package func names(_ name: Name, in ref: Ref) -> Bool {
    let outline = outline(ref)
    let node = node(ref)
    return (Int(node.first)..<Int(node.end)).contains { outline.name(ofToken: $0) == name }
  }

  /// The name with which the code of a node begins; `.none` where it begins with none.
  package func firstName(of ref: Ref) -> Name { outline(ref).name(ofToken: Int(node(ref).first)) }

  /// The name with which the code of a node ends, as `automatic` of `.automatic`.
  package func lastName(of ref: Ref) -> Name { outline(ref).name(ofToken: Int(node(ref).end) - 1) }

  /// The text between the quotes of a string on one line.
  package func stringText(_ string: Ref) -> String {
    let text = text(string)
    return text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
      ? String(text.dropFirst().dropLast()) : text
  }

  /// The token of which a node consists; nil where it has several.
  private func onlyToken(of ref: Ref) -> Token? {
    let node = node(ref)
    return node.end == node.first + 1 ? outline(ref).tokens[Int(node.first)] : nil
  }
}
