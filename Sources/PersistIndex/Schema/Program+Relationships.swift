import PersistSyntax

// MARK: - The stored properties and relationships of models

extension Program {
  /// Whether a model is a Core Data class.
  package func isManagedClass(_ type: TypeID) -> Bool { inherits(type, from: "NSManagedObject") }

  /// The name of a model as it is declared.
  package func modelName(_ type: TypeID) -> String { nameText(types[resolveAlias(type)].ref) }

  /// The property of a model that a name stands for, when it is kept in the store: neither static,
  /// computed nor transient.
  package func storedProperty(_ name: Name, of model: TypeID) -> PropertyID? {
    guard case .property(let id)? = member(name, of: model), isStored(id) else { return nil }
    return id
  }

  /// Whether a property of a model is kept in the store.
  package func isStored(_ id: PropertyID) -> Bool {
    let property = properties[id]
    guard !property.isStatic, !property.isComputed, let owner = property.owner, isModel(owner)
    else { return false }
    if property.attributes.contains("Transient") { return false }
    return !isManagedClass(owner) || property.attributes.contains("NSManaged")
  }

  /// The model at the other end, when a property of a model is a relationship.
  package func destination(of id: PropertyID) -> TypeID? {
    isStored(id) ? model(in: type(ofProperty: id)) : nil
  }

  /// Whether a relationship holds several objects.
  package func isToMany(_ id: PropertyID) -> Bool {
    switch type(ofProperty: id).unwrapped {
    case .array, .set, .dictionary: true
    default: false
    }
  }

  /// Whether the objects of a relationship are deleted with their owner.
  package func cascades(_ id: PropertyID) -> Bool {
    if let attribute = attribute("Relationship", of: id) {
      return children(attribute, .argument).contains {
        label($0) == "deleteRule" && lastName(of: $0) == "cascade"
      }
    }
    let property = properties[id]
    guard let owner = property.owner else { return false }
    let (entity, name) = (modelName(owner), nameText(property.ref))
    return schemaInput.dataModels.contains { model in
      model.current?.shape.entities.contains { candidate in
        candidate.name == entity
          && candidate.property(name)?.relationship?.deleteRule == "cascade"
      } ?? false
    }
  }

  /// The properties of a model and its superclasses.
  package func modelProperties(of model: TypeID) -> [PropertyID] {
    lineage(of: model).filter { isModel($0) }.flatMap { types[$0].properties }
  }

  /// An attribute at a property, by its name.
  private func attribute(_ name: Name, of id: PropertyID) -> Ref? {
    let property = properties[id]
    let declaration = Ref(file: Int(property.ref.file), node: property.declaration)
    return children(declaration, .attribute).first { self.name($0) == name }
  }

  /// The inverse that the declaration of a relationship names.
  package func writtenInverse(of id: PropertyID) -> WrittenInverse? {
    guard let attribute = attribute("Relationship", of: id),
      let argument = children(attribute, .argument).first(where: { label($0) == "inverse" }),
      let path = descendants(argument, .keyPath).first,
      let names = names(ofKeyPath: path), names.count >= 2, let property = names.last,
      case .declared(let root, _) = resolve(Array(names.dropLast()), arguments: [], from: path)
    else { return nil }
    return WrittenInverse(root: root, property: property, text: text(path), argument: argument)
  }
}

/// The model and the property that the declaration of a relationship names as its inverse.
package struct WrittenInverse: Sendable {
  package let root: TypeID
  package let property: Name
  /// The key path as it is written.
  package let text: String
  package let argument: Ref
}
