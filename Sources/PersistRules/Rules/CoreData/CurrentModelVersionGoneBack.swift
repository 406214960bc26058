import PersistIndex
import PersistSchema
import PersistVersions

/// A current version older than the stores or the classes: stores don't open, or the app crashes.
struct CurrentModelVersionGoneBack: Rule {
  static let id: RuleID = "current-model-version-gone-back"

  func check(_ program: Program, into findings: inout Findings) {
    for model in program.schema.dataModels {
      guard let choice = model.choice, let current = model.current, model.problems.isEmpty else {
        continue
      }
      let place = SchemaPlace(
        path: model.path + "/.xccurrentversion", range: choice.range, line: choice.number,
        column: choice.column)
      if let shipped = program.schema.base?.currentModels[model.path],
        current.precedes(shipped), model.versions.contains(where: { $0.name == shipped })
      {
        findings.report(.wentBack(current.name, from: shipped), at: place)
      } else if let use = program.newerProperty(of: model, than: current) {
        findings.report(
          .lacks(use.property, of: use.entity, current.name, newer: use.version), at: place,
          related: [.init(SchemaPlace(nameOf: use.declaration, in: program), "it is declared here")]
        )
      }
    }
  }
}

/// A property of a class that only a newer version than the current one has.
private struct NewerProperty {
  let entity: String
  let property: String
  let version: String
  let declaration: Ref
}

extension Program {
  fileprivate func newerProperty(of model: DataModel, than current: DataModel.Version)
    -> NewerProperty?
  {
    for version in model.versions where current.precedes(version.name) {
      for entity in version.shape.entities {
        guard let old = current.shape.entities.first(where: { $0.name == entity.name }),
          let type = onlyManagedClass(named: entity.name)
        else { continue }
        for property in entity.properties
        where !old.properties.contains(where: { $0.name == property.name })
          && !current.inherits(property.name, in: old)
        {
          guard case .property(let id)? = member(Name(property.name), of: type),
            properties[id].attributes.contains("NSManaged")
          else { continue }
          return NewerProperty(
            entity: entity.name, property: property.name, version: version.name,
            declaration: properties[id].ref)
        }
      }
    }
    return nil
  }

  private func onlyManagedClass(named name: String) -> TypeID? {
    let found = topLevelTypes(named: Name(name)).filter { inherits($0, from: "NSManagedObject") }
    return found.count == 1 ? found.first : nil
  }
}

extension DataModel.Version {
  /// Whether this version comes before one of that name, of those that are numbered alike.
  fileprivate func precedes(_ other: String) -> Bool {
    stem(name) == stem(other) && DataModel.naturallyPrecedes(name, other)
  }

  private func stem(_ name: String) -> String {
    var name = name
    while let last = name.last, last.isWholeNumber || " ._-v".contains(last) { name.removeLast() }
    return name
  }

  fileprivate func inherits(_ property: String, in entity: Entity) -> Bool {
    var next = entity.superentity
    var seen: Set<String> = []
    while let name = next, seen.insert(name).inserted {
      guard let parent = shape.entities.first(where: { $0.name == name }) else { return true }
      if parent.properties.contains(where: { $0.name == property }) { return true }
      next = parent.superentity
    }
    return false
  }
}

extension Finding.Message {
  fileprivate static func wentBack(_ current: String, from shipped: String) -> Self {
    "stores of `\(shipped)` don't open, or lose what only that version has, because the current version went back to `\(current)`; make `\(shipped)` current again, or add a newer version"
  }

  fileprivate static func lacks(
    _ property: String, of entity: String, _ current: String, newer: String
  ) -> Self {
    "using `\(entity).\(property)` crashes the app, because only `\(newer)` has this property and the current version is `\(current)`; make `\(newer)` current"
  }
}
