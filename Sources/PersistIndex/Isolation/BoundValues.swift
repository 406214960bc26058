import PersistSyntax

private struct PlacesOfBoundValues: Query {
  static var provisional: [Int] { [] }
  func answer(in program: Program) -> [Int] { program.findBoundValues() }
}

// MARK: - Where models and contexts are

extension Program {
  /// The files in which code may use a model, a context or an object of Realm, in their order: those
  /// with a word that leads to some, and those with parts of the same types.
  var filesOfBoundValues: [Int] { answer(PlacesOfBoundValues()) }

  fileprivate func findBoundValues() -> [Int] {
    let bases = Words.realmBases.union([
      "NSManagedObject", "NSManagedObjectContext", "PersistentModel",
    ])
    var words = Words.boundValues
    for type in types(inheritingFrom: bases) + types(inFilesUsing: "Model") {
      if isModel(type) || isRealmObject(type) || isContext(.declared(type))
        || types[type].kind == .typealiasDecl
      {
        words.insert(types[type].name)
      }
    }
    let leading = index.names.names(ledToBy: words) { isBound(type(ofProperty: $0)) }
    return files(sharingTypesWith: files(usingAny: leading))
  }

  private func isBound(_ type: SwiftType) -> Bool {
    if isContext(type) || model(in: type) != nil { return true }
    switch type {
    case .optional(let inner), .array(let inner), .set(let inner): return isBound(inner)
    case .external("Realm", _): return true
    case .declared(let id, _): return isRealmObject(id)
    default: return false
    }
  }
}
