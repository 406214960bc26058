import PersistFlow
import PersistIndex
import PersistSchema

/// A batch request of Core Data that a relationship which must not become nil makes fail.
struct FailingBatchRequest {
  /// The call that makes the request.
  let request: Ref
  /// The entity whose rows are deleted.
  let entity: String
  /// Its relationship, with the other end that is not optional.
  let relationship: String
  let destination: String
  let inverse: String
  /// Where the model declares that end, and the relationship itself.
  let place: SchemaPlace?
  let own: SchemaPlace?
  /// Whether the rows of all entities are deleted.
  let isOfAll: Bool
}

/// Which rows a batch request deletes.
private enum DeletedRows: Hashable {
  case of(String)
  /// Those of each entity of the model, in an order of the model's own.
  case all
}

extension Program {
  /// The batch requests that fail as soon as a row is linked, in source order.
  var failingBatchRequests: [FailingBatchRequest] {
    guard schema.dataModels.contains(where: { $0.problems.isEmpty }) else { return [] }
    return calls(named: "NSBatchDeleteRequest").flatMap { call -> [FailingBatchRequest] in
      guard !isExempt(call), let rows = rowsDeleted(by: call) else { return [] }
      return schema.dataModels.compactMap { model in
        guard model.problems.isEmpty, let version = model.current else { return nil }
        return failure(of: rows, in: version, call)
      }
    }
  }

  private func failure(of rows: DeletedRows, in version: DataModel.Version, _ call: Ref)
    -> FailingBatchRequest?
  {
    for entity in version.shape.entities {
      if case .of(let name) = rows, entity.name != name { continue }
      for property in entity.properties {
        guard let relationship = property.relationship, relationship.deleteRule == "nullify",
          let name = relationship.inverse.name,
          let other = version.shape.entity(relationship.destination)?.property(name),
          !other.isOptional
        else { continue }
        switch rows {
        // One of both ends goes first, whichever it is, and leaves the other open.
        case .all:
          guard !property.isOptional, other.relationship?.deleteRule == "nullify" else { continue }
        case .of: if mentions(relationship.destinationName, besides: call) { continue }
        }
        return FailingBatchRequest(
          request: call, entity: entity.name, relationship: property.name,
          destination: relationship.destinationName, inverse: name,
          place: version.place(of: Subject(relationship.destination, name)),
          own: version.place(of: Subject(entity.key, property.name)), isOfAll: rows == .all)
      }
    }
    return nil
  }

  /// Whether the function around a request names the entity at the other end, whose rows may go
  /// first.
  private func mentions(_ entity: String, besides call: Ref) -> Bool {
    guard let body = enclosingFunctionBody(call) else { return true }
    return names(Name(entity), in: body)
      || holdsString(in: body) { $0 == "\"\(entity)\"" }
  }

  // MARK: What a request asks for

  private func rowsDeleted(by call: Ref) -> DeletedRows? {
    guard let argument = argument(call, "fetchRequest") else { return nil }
    if let found = entity(askedBy: argument) { return .of(found) }
    guard let body = enclosingFunctionBody(call),
      uses(of: ["entities", "entitiesByName"]).contains(where: {
        contains(body, $0) && goesThrough($0)
      })
    else { return nil }
    return .all
  }

  /// Whether code goes through all entities of a model.
  private func goesThrough(_ entities: Ref) -> Bool {
    memberAsked(of: entities).map {
      ["compactMap", "map", "forEach", "keys", .none].contains($0)
    } ?? false
  }
}
