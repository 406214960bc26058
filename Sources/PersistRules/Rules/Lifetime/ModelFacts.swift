import PersistIndex
import PersistSyntax

// MARK: - What lifetimes need to know of a model

extension Program {
  /// Whether a model is a Core Data class.
  func isManagedClass(_ type: TypeID) -> Bool { inherits(type, from: "NSManagedObject") }

  /// The name of a model as it is declared.
  func modelName(_ type: TypeID) -> String { nameText(types[resolveAlias(type)].ref) }

  /// The property of a model that a name stands for, when it is kept in the store: neither static,
  /// computed nor transient.
  func storedProperty(_ name: Name, of model: TypeID) -> PropertyID? {
    guard case .property(let id)? = member(name, of: model), isStored(id) else { return nil }
    return id
  }

  /// Whether a property of a model is kept in the store.
  func isStored(_ id: PropertyID) -> Bool {
    let property = properties[id]
    guard !property.isStatic, !property.isComputed, let owner = property.owner, isModel(owner)
    else { return false }
    if property.attributes.contains("Transient") { return false }
    return !isManagedClass(owner) || property.attributes.contains("NSManaged")
  }

  /// The model at the other end, when a property of a model is a relationship.
  func destination(of id: PropertyID) -> TypeID? {
    isStored(id) ? model(in: type(ofProperty: id)) : nil
  }

  /// Whether a relationship holds several objects.
  func isToMany(_ id: PropertyID) -> Bool {
    switch type(ofProperty: id).unwrapped {
    case .array, .set, .dictionary: true
    default: false
    }
  }

  /// Whether the objects of a relationship are deleted with their owner.
  func cascades(_ id: PropertyID) -> Bool {
    let property = properties[id]
    let declaration = Ref(file: Int(property.ref.file), node: property.declaration)
    for attribute in children(declaration, .attribute) where name(attribute) == "Relationship" {
      return children(attribute, .argument).contains {
        label($0) == "deleteRule" && lastName(of: $0) == "cascade"
      }
    }
    guard let owner = property.owner else { return false }
    let (entity, name) = (modelName(owner), nameText(property.ref))
    return schema.dataModels.contains { model in
      model.current?.shape.entities.contains { candidate in
        candidate.name == entity
          && candidate.property(name)?.relationship?.deleteRule == "cascade"
      } ?? false
    }
  }

  /// The properties of a model and its superclasses.
  func modelProperties(of model: TypeID) -> [PropertyID] {
    lineage(of: model).filter { isModel($0) }.flatMap { types[$0].properties }
  }

  /// The arguments of the attribute of a name at a property.
  func attribute(_ name: Name, of id: PropertyID) -> Ref? {
    let property = properties[id]
    let declaration = Ref(file: Int(property.ref.file), node: property.declaration)
    return children(declaration, .attribute).first { self.name($0) == name }
  }

  /// The expression behind parentheses, `try` and `await`: its parts without the marks.
  func bareParts(_ expression: Ref) -> [Ref] {
    children(expression).filter { kind($0) != .tryMark && kind($0) != .awaitMark }
  }

  /// The parts of an expression that is nothing but one chain.
  func chainParts(_ expression: Ref) -> [Ref]? {
    var node = expression
    if kind(node) == .argument {
      guard let inner = children(node).first else { return nil }
      node = inner
    }
    if kind(node) == .chain { return children(node) }
    guard kind(node) == .expression else { return nil }
    let parts = bareParts(node)
    guard parts.count == 1, kind(parts[0]) == .chain else { return nil }
    return children(parts[0])
  }

  /// The local or property that an expression only names, `self.` before it or not.
  func named(_ expression: Ref) -> Declared? {
    guard let parts = chainParts(expression) else { return nil }
    let plain = parts.filter { kind($0) != .optionalChain && kind($0) != .force }
    if plain.count == 1, kind(plain[0]) == .name { return declared(plain[0]) }
    guard plain.count == 2, nameText(plain[0]) == "self", kind(plain[1]) == .member else {
      return nil
    }
    return property(usedBy: plain[1]).map { .property($0) }
  }

  /// The line of a node, from 1.
  func line(of ref: Ref) -> Int { location(of: ref).start.line }
}
