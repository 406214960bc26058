import PersistIndex

/// The constants that begin with a new model which no code gives to a store.
private final class UnstoredModels {
  let properties: Set<PropertyID>

  init(_ program: Program) {
    var made: [Ref: PropertyID] = [:]
    var models: Set<Name> = []
    for (id, property) in program.properties.enumerated() where property.isLet {
      guard let owner = property.owner, !program.isModel(owner), let node = property.initializer,
        let call = program.onlyCall(of: Ref(file: Int(property.ref.file), node: node)),
        case .initializer(let type, _) = program.callTarget(call), program.isModel(type)
      else { continue }
      made[call] = id
      models.insert(program.calledName(call))
    }
    guard !made.isEmpty else {
      properties = []
      return
    }
    let trail = Trail(
      words: models, makes: { made[$0].map { _ in "model" } }, entersMembers: true, goesOut: true)
    let away = ValueFates(program, trail).all.filter { fate in
      switch fate.deed {
      case .hands, .keeps, .returns: fate.place != fate.origin
      default: false
      }
    }
    properties = Set(made.values).subtracting(away.compactMap { made[$0.origin] })
  }
}

extension Program {
  /// Whether a property holds a model that is in no store.
  func holdsUnstoredModel(_ property: PropertyID) -> Bool {
    once(evenInQueries: true) { UnstoredModels($0) }.properties.contains(property)
  }
}
