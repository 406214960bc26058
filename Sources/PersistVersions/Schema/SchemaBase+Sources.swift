import PersistIndex
import PersistSchema

extension SchemaBase {
  /// The base that other sources make: all their versions but each plan's newest are frozen.
  package init(
    _ program: SchemaProgram, files: [SourceFile], reference: String, freezesNewest: Bool
  ) {
    let all = program.frozenShapes(includingNewest: true)
    let older = program.frozenShapes(includingNewest: false)
    self.init(
      origin: .reference(reference), versions: freezesNewest ? all : older,
      plans: program.planStates,
      newest: freezesNewest ? [:] : all.filter { older[$0.key] == nil },
      places: Self.places(in: program, files: files))
    for model in program.dataModels where model.choice != nil {
      currentModels[model.path] = model.current?.name
    }
    planned = program.plannedKeys
  }

  private static func places(
    in program: SchemaProgram, files: [SourceFile]
  ) -> [String: [Subject: SchemaPlace]] {
    var places: [String: [Subject: SchemaPlace]] = [:]
    func foreign(_ place: SchemaPlace) -> SchemaPlace {
      guard let ref = place.ref else { return place }
      let (line, column) = files[Int(ref.file)].lineAndColumn(of: place.range.lowerBound)
      return SchemaPlace(path: place.path, range: place.range, line: line, column: column)
    }
    for version in program.versions where !version.isTest {
      var known = [Subject(""): foreign(version.place)]
      for use in version.uses {
        known[Subject(use.key)] = foreign(use.model.place)
        for stored in use.model.properties {
          known[Subject(use.key, stored.property.name)] = foreign(stored.place)
        }
      }
      places[version.key] = known
    }
    return places
  }
}
