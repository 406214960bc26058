import PersistSyntax

/// `@unchecked Sendable` on a model, or on the class that all managed objects inherit from.
package struct UncheckedSendable: Sendable {
  /// The type in the inheritance clause.
  package let place: Ref
  package let name: String
  /// The model's declaration; nil where the class is from elsewhere.
  package let declaration: Ref?
  /// On `NSManagedObject` or `NSObject` itself.
  package let isBase: Bool
}

/// A `nonisolated(unsafe)` property that holds a model or a context.
package struct UnsafeProperty: Sendable {
  /// The property's name.
  package let place: Ref
  package let name: String
  /// The model; nil for a context.
  package let model: TypeID?
}

extension Program {
  /// The conformances to `Sendable` of models that the compiler is told not to check.
  package var uncheckedSendables: [UncheckedSendable] {
    var found: [UncheckedSendable] = []
    let files = files(using: "unchecked").filter {
      holdsModelsOrContexts || self.files[$0].words.holds("NSObject")
    }
    for id in types(declaredOrExtendedInAnyOf: files) {
      let type = types[id]
      let isOwn = type.kind != .extensionDecl
      let isBase = !isOwn && Words.objectBases.contains(type.name)
      guard isBase || type.kind == .classDecl && isModel(id) else { continue }
      let parts = isOwn ? [type.ref] + type.extensions : type.extensions
      for part in parts {
        guard let clause = child(part, .inheritance) else { continue }
        for inherited in children(clause, .type) where isUncheckedSendable(inherited) {
          let name = isOwn ? nameText(type.ref) : child(part, .type).map { text($0) } ?? ""
          found.append(
            UncheckedSendable(
              place: inherited, name: name, declaration: isOwn ? type.ref : nil, isBase: isBase))
        }
      }
    }
    return found.sorted { $0.place < $1.place }
  }

  private func types(declaredOrExtendedInAnyOf files: [Int]) -> [TypeID] {
    Set(files.flatMap { declarations.typesWithParts(inFile: $0) }).sorted()
  }

  private func isUncheckedSendable(_ type: Ref) -> Bool {
    let names = outline(type).tokenNames(of: Int(type.node))
    return names.contains("unchecked") && names.last == "Sendable"
  }

  /// The stored and global properties with `nonisolated(unsafe)` that hold models or contexts.
  package var unsafeProperties: [UnsafeProperty] {
    guard holdsModelsOrContexts else { return [] }
    return properties(inFilesUsing: "nonisolated").compactMap { id in
      let property = properties[id]
      let declaration = Ref(file: Int(property.ref.file), node: property.declaration)
      guard property.modifiers.contains("nonisolated"), !property.isComputed,
        children(declaration, .modifier).contains(where: {
          name($0) == "nonisolated" && outline($0).tokenNames(of: Int($0.node)).contains("unsafe")
        })
      else { return nil }
      let type = type(ofProperty: id)
      let model = model(in: type)
      guard model != nil || isContext(type), let name = child(property.ref, .boundName) else {
        return nil
      }
      return UnsafeProperty(place: name, name: nameText(property.ref), model: model)
    }
  }
}
