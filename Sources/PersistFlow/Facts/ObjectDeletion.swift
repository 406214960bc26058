import PersistIndex
import PersistSyntax

/// A call by which a context deletes an object, or a realm one of its own.
package struct ObjectDeletion: Sendable {
  /// The owners of an object and of what deletes it, which surely are two.
  package struct Foreign: Sendable {
    package let object: Owner
    package let context: Owner
  }

  /// The called `delete`.
  package let node: Ref
  /// The function, closure or accessor that calls it.
  package let body: Ref
  /// The property whose accessor that is.
  package let property: PropertyID?
  /// Set where an object of another context is deleted.
  package internal(set) var foreign: Foreign?
}

/// An object that is put into a relationship although it surely belongs to another context.
package struct ForeignRelation: Sendable {
  /// The member that is set, the method that adds, or the argument of an initializer.
  package let node: Ref
  package let object: Owner
  package let other: Owner
}

// MARK: - How the code spells a relation

extension Program {
  /// The relationship that is set or added to, with its model where the sources tell it.
  package func text(ofRelation relation: ForeignRelation) -> String {
    let node = relation.node
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
  package func value(ofRelation relation: ForeignRelation) -> Ref {
    let node = relation.node
    if kind(node) == .call {
      return arguments(node).first.flatMap { children($0).first } ?? node
    }
    if kind(node) == .argument { return children(node).first ?? node }
    return valueAssigned(to: node).flatMap { $0.count == 1 ? $0[0] : nil } ?? node
  }
}
