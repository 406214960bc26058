import PersistIndex
import PersistSchema
import PersistSyntax

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
    return descendants(body, .string).contains { stringText($0) == entity }
      || descendants(body, .name).contains { nameText($0) == entity }
  }

  // MARK: What a request asks for

  private func rowsDeleted(by call: Ref) -> DeletedRows? {
    guard let argument = argument(call, "fetchRequest") else { return nil }
    if let found = entity(askedBy: argument, depth: 0) { return .of(found) }
    guard let body = enclosingFunctionBody(call),
      descendants(body, .member).contains(where: { asksForEntities($0) })
    else { return nil }
    return .all
  }

  /// Whether a member is the list of a model's entities, all of which the function goes through.
  private func asksForEntities(_ member: Ref) -> Bool {
    guard nameText(member) == "entities" || nameText(member) == "entitiesByName",
      let chain = parent(member), kind(chain) == .chain
    else { return false }
    let next = children(chain).first { $0 > member }.map { nameText($0) } ?? "forEach"
    return ["compactMap", "map", "forEach", "keys"].contains(next)
  }

  /// The entity that a fetch request asks for, where it says so.
  func entity(askedBy value: Ref, depth: Int) -> String? {
    guard isWithin(depth, .fetchConstants), let parts = chainParts(uncast(value)),
      let last = parts.last
    else { return nil }
    guard kind(last) == .call else {
      guard parts.count == 1, kind(last) == .name, case .local(let local)? = declared(last),
        kind(local) == .boundName, let binding = parent(local), kind(binding) == .binding,
        let held = child(binding, .expression)
      else { return nil }
      return entity(askedBy: held, depth: depth + 1)
    }
    if calledText(last) == "fetchRequest" {
      guard case .metatype(.declared(let type, _)) = receiverType(ofCall: last) else { return nil }
      return modelName(type)
    }
    guard calledText(last) == "NSFetchRequest", let name = argument(last, "entityName"),
      let literal = stringLiteral(name)
    else { return nil }
    let entity = stringText(literal)
    return entity.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? entity : nil
  }

  /// A value without the casts behind it.
  private func uncast(_ value: Ref) -> Ref {
    let parts = children(value).filter { ![.tryMark, .cast].contains(kind($0)) }
    return parts.count == 1 && kind(parts[0]) == .chain ? parts[0] : value
  }
}
