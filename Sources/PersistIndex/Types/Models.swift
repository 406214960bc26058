import PersistSyntax

/// Whether a type that is no typealias is a model.
struct IsModel: Query {
  let type: TypeID

  func _rawHashValue(seed: Int) -> Int { UInt64(truncatingIfNeeded: type).scattered(seed) }
  static func memo(in program: Program) -> Memo<Self> { program.models }
  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findModel(type) }
}

// MARK: - Models

extension Program {
  /// Whether a type of the sources is a model: `@Model`, a managed object, a Realm object, or a
  /// subclass of one.
  package func isModel(_ type: TypeID) -> Bool {
    answer(IsModel(type: resolveAlias(type)))
  }

  fileprivate func findModel(_ resolved: TypeID) -> Bool {
    types[resolved].kind == .classDecl
      && lineage(of: resolved).contains { parent in
        types[parent].kind == .classDecl
          && (types[parent].attributes.contains("Model") && seesSwiftData(types[parent].ref)
            || inherited(by: parent).contains { $0.isModelBase })
      }
  }

  /// Whether `@Model` can be SwiftData's in a file; other libraries have a macro of that name.
  private func seesSwiftData(_ ref: Ref) -> Bool {
    imports("SwiftData", Int(ref.file)) || exportsSwiftData
  }

  private func imports(_ module: Name, _ file: Int) -> Bool {
    files[file].imports(module)
  }

  /// Whether a file imports SwiftData for all files of its module.
  func findSwiftDataExport() -> Bool {
    files.contains { file in
      file.imports("SwiftData")
        && file.imports.contains { $0.name == "SwiftData" && $0.hasAttribute }
    }
  }

  /// Whether a word of the files can lead to a model or a context.
  func findsModelsOrContexts() -> Bool {
    if files.contains(where: { $0.imports("SwiftData") }) { return true }
    let words: Set<Name> = [
      "ModelContainer", "ModelContext", "NSManagedObject",
      "NSManagedObjectContext", "NSPersistentCloudKitContainer", "NSPersistentContainer",
      "PersistentModel", "managedObjectContext", "modelContext",
    ]
    return words.contains { word in files.contains { $0.words.holds(word) } }
  }

  /// The model that a value is or holds: itself, its optional, array, set or dictionary.
  package func model(in type: SwiftType) -> TypeID? {
    switch type {
    case .declared(let id, _): isModel(id) ? resolveAlias(id) : nil
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
    guard case .declared(let id, _) = type.unwrapped else { return false }
    return inherits(id, from: "NSManagedObjectContext")
  }
}

extension SwiftType {
  /// Whether the value holds several others.
  package var isCollection: Bool {
    switch self {
    case .array, .set, .dictionary: true
    default: false
    }
  }

  /// Whether it is what all models of a framework are, such as a generic parameter that stands for one.
  package var isModelBase: Bool {
    isExternal("NSManagedObject") || isExternal("PersistentModel")
  }
}
