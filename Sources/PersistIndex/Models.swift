import PersistSyntax

// MARK: - Models

extension Program {
  /// Whether a type of the sources is a model: `@Model`, a managed object, a Realm object, or a
  /// subclass of one.
  package func isModel(_ type: TypeID) -> Bool {
    let resolved = resolveAlias(type)
    guard types[resolved].kind == .classDecl else { return false }
    return lineage(of: resolved).contains { parent in
      types[parent].kind == .classDecl
        && (types[parent].attributes.contains("Model")
          || types[parent].inherited.contains { $0.isModelBase })
    }
  }

  /// The model that a value is or holds: itself, its optional, array, set or dictionary.
  package func model(in type: SwiftType) -> TypeID? {
    switch type {
    case .declared(let id): isModel(id) ? resolveAlias(id) : nil
    case .optional(let inner), .array(let inner), .set(let inner): model(in: inner)
    case .dictionary(let key, let value): model(in: value) ?? model(in: key)
    default: nil
    }
  }

  /// Whether a value is a context that belongs to one actor or queue.
  package func isContext(_ type: SwiftType) -> Bool {
    type.isExternal("ModelContext") || type.isExternal("NSManagedObjectContext")
      || inheritsContext(type)
  }

  private func inheritsContext(_ type: SwiftType) -> Bool {
    guard case .declared(let id) = type.unwrapped else { return false }
    return inherits(id, from: "NSManagedObjectContext")
  }
}

extension SwiftType {
  fileprivate var isModelBase: Bool {
    isExternal("NSManagedObject") || isExternal("PersistentModel")
  }
}
