import PersistIndex
import PersistSchema
import PersistSyntax

/// A batch deletion of a model whose other end must not become nil.
package struct BatchDeletion: Sendable {
  package let call: Ref
  package let model: String
  package let relationship: String
  package let destination: String
  package let inverse: String
}

// MARK: - Deleting many objects at once

extension Program {
  /// The batch deletions that an inverse which is not optional makes fail, in source order.
  package var failingBatchDeletions: [BatchDeletion] {
    guard holdsModelsOrContexts else { return [] }
    return calls(named: "delete", inFilesUsingAny: ["model"]).compactMap { call in
      guard let value = argument(call, "model"), !isExempt(call),
        case .metatype(.declared(let type, _)) = type(of: value), isModel(type),
        let found = mandatoryInverse(of: type, call)
      else { return nil }
      return isSevered(found, before: call) || asksForNil(found.relationship, call) ? nil : found
    }
  }

  private func mandatoryInverse(of type: TypeID, _ call: Ref) -> BatchDeletion? {
    let name = nameText(types[resolveAlias(type)].ref)
    guard let shape = shape(holding: types[resolveAlias(type)].ref, name),
      let entity = shape.entity(name)
    else { return nil }
    for property in entity.properties {
      guard let relationship = property.relationship, relationship.deleteRule == "nullify",
        let inverse = relationship.inverse.name,
        let other = shape.entity(relationship.destination)?.property(inverse), !other.isOptional
      else { continue }
      return BatchDeletion(
        call: call, model: name, relationship: property.name,
        destination: relationship.destinationName, inverse: inverse)
    }
    return nil
  }

  /// The shape of a version that has the class as it is declared at a node, or of the live models.
  private func shape(holding node: Ref, _ name: String) -> SchemaShape? {
    let range = outline(node).byteRange(of: Int(node.node))
    let path = files[Int(node.file)].path
    let version = schema.versions.last { version in
      !version.isTest && version.shape.gaps.isEmpty
        && version.uses.contains { use in
          use.key == name && use.model.place.path == path
            && range.contains(use.model.place.range.lowerBound)
        }
    }
    return (version?.shape ?? schema.unversionedShape)?.inferringInverses()
  }

  /// Whether the other end is deleted or cut off before in the same function.
  private func isSevered(_ deletion: BatchDeletion, before call: Ref) -> Bool {
    runBefore(call, withDoBlocks: true).contains { statement in
      nodesRun(in: statement).contains { node in
        switch kind(node) {
        case .call:
          calledName(node) == "delete"
            && (argument(node, "model").map { firstName(of: $0) == Name(deletion.destination) }
              ?? (loopsOver(deletion.destination, node) || loopsOver(deletion.model, node)))
        case .member:
          name(node) == Name(deletion.inverse) || name(node) == Name(deletion.relationship)
        default: false
        }
      }
    }
  }

  /// Whether a `delete(x)` takes an object of a model.
  private func loopsOver(_ model: String, _ call: Ref) -> Bool {
    guard let value = child(call, .argument),
      case .declared(let type, _) = type(of: value).unwrapped
    else { return false }
    return nameText(types[type].ref) == model
  }

  /// Whether the predicate of a batch deletion asks that a relationship be nil.
  private func asksForNil(_ relationship: String, _ call: Ref) -> Bool {
    guard let condition = argument(call, "where") else { return false }
    let named = descendants(condition, .name).compactMap { fixedValue(of: $0) }
    return ([condition] + named).contains { code in
      nilComparisons(in: code).contains { comparison in
        comparison.isEqual && kind(comparison.subject) == .chain
          && children(comparison.subject).last.map { name($0) } == Name(relationship)
      }
    }
  }
}
