import PersistFlow
import PersistIndex
import PersistSyntax

/// A relationship between objects of two contexts: the assignment crashes the app.
struct RelationshipAcrossContexts: Rule {
  static let id: RuleID = "relationship-across-contexts"
  static let analysis = Analysis.owners

  func check(_ program: Program, into findings: inout Findings) {
    for relation in program.facts.foreignRelations {
      let related = [relation.object, relation.other].compactMap { owner in
        owner.isGiven ? nil : owner.site
      }
      findings.report(
        .relatesApart(program.relationshipText(relation.node)),
        at: program.relatedValue(relation.node),
        related: related.map { .init($0, "this context is made here") })
    }
  }
}

extension Program {
  /// The relationship that is set or added to, with its model where the sources tell it.
  fileprivate func relationshipText(_ node: Ref) -> String {
    switch kind(node) {
    case .member, .name:
      guard let id = property(usedBy: node) else { return nameText(node) }
      return name(ofRelationship: id)
    case .call:
      let members = callee(node).filter { kind($0) == .member || kind($0) == .name }
      guard let called = members.last else { return "" }
      let text = nameText(called)
      if text.hasPrefix("addTo") { return String(text.dropFirst(5)) }
      guard members.count > 1, let id = property(usedBy: members[members.count - 2]) else {
        return text
      }
      return name(ofRelationship: id)
    default: return labelText(node)
    }
  }

  private func name(ofRelationship id: PropertyID) -> String {
    let owner = properties[id].owner.map { modelName($0) + "." } ?? ""
    return owner + nameText(properties[id].ref)
  }

  private func labelText(_ argument: Ref) -> String {
    let token = node(argument).label
    return token == Node.noToken ? "" : outline(argument).text(ofToken: Int(token))
  }

  /// The expression of the object that is put into a relationship.
  fileprivate func relatedValue(_ node: Ref) -> Ref {
    if kind(node) == .call {
      return arguments(node).first.flatMap { children($0).first } ?? node
    }
    if kind(node) == .argument { return children(node).first ?? node }
    return valueAssigned(to: node).flatMap { $0.count == 1 ? $0[0] : nil } ?? node
  }
}

extension Finding.Message {
  fileprivate static func relatesApart(_ relationship: String) -> Self {
    """
    the app crashes here, because `\(relationship)` would connect objects of two contexts; first \
    get the other object by its identifier in the same context
    """
  }
}
