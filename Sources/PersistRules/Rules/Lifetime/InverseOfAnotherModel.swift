import PersistIndex
import PersistVersions

/// An inverse of the wrong model: the store can't be opened, or the wrong relationship changes.
struct InverseOfAnotherModel: Rule {
  static let id: RuleID = "inverse-of-another-model"

  func check(_ program: Program, into findings: inout Findings) {
    for model in program.schema.models where !model.isTest {
      guard let place = model.place.ref, let type = program.type(declaredAt: place)
      else { continue }
      for id in program.types[type].properties { check(id, of: type, program, &findings) }
    }
  }

  private func check(
    _ id: PropertyID, of owner: TypeID, _ program: Program, _ findings: inout Findings
  ) {
    guard let destination = program.destination(of: id),
      let inverse = program.writtenInverse(of: id), program.isModel(inverse.root)
    else { return }
    let relationship = program.nameText(program.properties[id].ref)
    if !areRelated(inverse.root, destination, program) {
      findings.report(
        .leadsElsewhere(
          "\(program.modelName(owner)).\(relationship)", to: program.modelName(destination),
          inverse: inverse.text, of: program.modelName(inverse.root)), at: inverse.argument,
        related: [
          .init(program.properties[id].ref, "this relationship leads to another model")
        ])
    } else if case .property(let other)? = program.member(inverse.property, of: inverse.root),
      let back = program.destination(of: other), !areRelated(back, owner, program)
    {
      findings.report(
        .comesFromElsewhere(
          "\(program.modelName(owner)).\(relationship)", inverse: inverse.text,
          to: program.modelName(back), owner: program.modelName(owner)), at: inverse.argument,
        related: [.init(program.properties[other].ref, "this relationship leads to another model")])
    }
  }

  /// Whether two models are one, or one inherits from the other.
  private func areRelated(_ one: TypeID, _ other: TypeID, _ program: Program) -> Bool {
    let (one, other) = (program.resolveAlias(one), program.resolveAlias(other))
    // Classes of one name are one entity in two versions, of which other rules speak.
    if program.modelName(one) == program.modelName(other) { return true }
    return program.lineage(of: one).contains(other) || program.lineage(of: other).contains(one)
  }
}

extension Finding.Message {
  fileprivate static func leadsElsewhere(
    _ relationship: String, to destination: String, inverse: String, of root: String
  ) -> Self {
    """
    the store can't be opened, or changes to `\(relationship)` get lost, because the relationship \
    leads to `\(destination)` and its inverse `\(inverse)` belongs to `\(root)`; name a property \
    of `\(destination)`
    """
  }

  fileprivate static func comesFromElsewhere(
    _ relationship: String, inverse: String, to destination: String, owner: String
  ) -> Self {
    """
    the store can't be opened, or changes to `\(relationship)` get lost, because its inverse \
    `\(inverse)` leads to `\(destination)` and not back to `\(owner)`; name a property that leads \
    back
    """
  }
}
