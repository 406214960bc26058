import PersistIndex
import PersistSchema
import PersistSyntax

extension Program {
  /// The data models that a program which ships may load: those of its targets, and where the
  /// project isn't known, those beside code that names Core Data.
  package var builtDataModels: [DataModel] {
    guard !schema.dataModels.isEmpty else { return [] }
    let words: [Name] = [
      "CoreData", "NSManagedObject", "NSManagedObjectContext", "NSManagedObjectModel",
      "NSPersistentContainer", "NSPersistentCloudKitContainer",
    ]
    let isNamed =
      files.allSatisfy(\.isGenerated) || files(usingAny: words).contains { !files[$0].isGenerated }
      || files.contains { !$0.isGenerated && $0.imports("CoreData") }
    return schema.dataModels.filter { model in
      // A project names the model, or a folder with the files of its versions.
      let paths = [model.path] + model.versions.map(\.path)
      if paths.allSatisfy(projects.isUnnamed) || projects.isOfTestsOnly(model.path) { return false }
      return isNamed || paths.contains { !projects.targets(of: $0).isEmpty }
    }
  }

  /// Whether a token of the files is a word of Core Data's own ways to map one model to another.
  func findsMappingByHand() -> Bool {
    let words: Set<Name> = [
      "NSEntityMigrationPolicy", "NSMappingModel", "NSEntityMapping", "NSMigrationManager",
      "NSStagedMigrationManager", "NSCustomMigrationStage",
    ]
    return files(usingAny: words).contains { index in
      let file = files[index]
      let tokens = file.outline.tokens
      let start = file.outline.text.start
      return (0..<tokens.count).contains { index in
        let token = tokens[index]
        guard token.kind == .identifier, token.length >= 14, token.length <= 24,
          start[Int(token.offset)] == UInt8(ascii: "N"),
          start[Int(token.offset) + 1] == UInt8(ascii: "S")
        else { return false }
        return words.contains(file.outline.name(ofToken: index))
      }
    }
  }
}

extension Program {
  /// Whether a call that can't be read gets a model together with the file of a store, which it may
  /// migrate.
  package var handsStoresAway: Bool {
    files(using: "NSManagedObjectModel").flatMap { file in
      descendants(Ref(file: file, node: 0), .call)
    }.contains { call in
      switch callTarget(call) {
      case .functions, .initializer, .externalInitializer: return false
      default: break
      }
      let given = arguments(call).map { type(of: $0).unwrapped }
      return given.contains { $0.isExternal("NSManagedObjectModel") }
        && given.contains { $0.isExternal("URL") }
    }
  }

  /// The model of the container or coordinator that the type or function around a place opens; nil
  /// where several could be meant.
  package func dataModel(openedAt site: Ref) -> DataModel? {
    let models = schema.dataModels
    let scopes =
      [enclosingDeclaration(site)]
      + ancestors(site).filter {
        [.classDecl, .structDecl, .enumDecl, .actorDecl].contains(kind($0))
      }
    for scope in scopes {
      let names = descendants(scope, .string).map { stringText($0) }
      let named = models.filter { model in
        names.contains { $0 == model.name || $0 == model.name + ".momd" }
      }
      if named.count == 1 { return named[0] }
      if named.count > 1 { return nil }
    }
    return models.count == 1 ? models[0] : nil
  }
}
