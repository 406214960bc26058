extension SchemaShape {
  /// The shape in which each relationship without an inverse has the one that SwiftData infers.
  package func inferringInverses() -> SchemaShape {
    var ends: [Ends: [String]] = [:]
    var answers: [Answer: [String]] = [:]
    for entity in entities {
      for property in entity.properties {
        guard let relationship = property.relationship else { continue }
        if let name = relationship.inverse.name {
          answers[Answer(entity: relationship.destination, property: name), default: []]
            .append(property.name)
        }
      }
    }
    for entity in entities {
      for property in entity.properties {
        guard let relationship = property.relationship, relationship.inverse == .none,
          answers[Answer(entity: entity.key, property: property.name)] == nil
        else { continue }
        ends[Ends(from: entity.key, to: relationship.destination), default: []]
          .append(property.name)
      }
    }
    var shape = self
    for entityIndex in entities.indices {
      for propertyIndex in entities[entityIndex].properties.indices {
        let property = entities[entityIndex].properties[propertyIndex]
        guard var relationship = property.relationship, relationship.inverse == .none else {
          continue
        }
        let key = entities[entityIndex].key
        if let answer = answers[Answer(entity: key, property: property.name)] {
          relationship.inverse = answer.count == 1 ? .inferred(answer[0]) : .ambiguous
        } else {
          relationship.inverse = inverse(from: key, to: relationship.destination, ends: ends)
        }
        shape.entities[entityIndex].properties[propertyIndex].kind = .relationship(relationship)
      }
    }
    return shape
  }

  private func inverse(
    from key: String, to destination: String, ends: [Ends: [String]]
  ) -> Relationship.Inverse {
    guard entity(destination) != nil, isComplete(destination), isComplete(key) else {
      return .ambiguous
    }
    let there = ends[Ends(from: destination, to: key)] ?? []
    let here = ends[Ends(from: key, to: destination)] ?? []
    if destination == key { return here.count > 1 ? .ambiguous : .none }
    if there.isEmpty { return .none }
    return there.count == 1 && here.count == 1 ? .inferred(there[0]) : .ambiguous
  }
}

/// The two entities that a relationship joins.
private struct Ends: Hashable {
  var from: String
  var to: String
}

/// The property that some other end names as its inverse.
private struct Answer: Hashable {
  var entity: String
  var property: String
}
