import PersistIndex
import PersistSchema
import PersistVersions

/// A relationship without an inverse: it still refers to objects that have been deleted.
struct RelationshipWithoutInverse: Rule {
  static let id: RuleID = "relationship-without-inverse"

  func check(_ program: Program, into findings: inout Findings) {
    for model in program.builtDataModels {
      guard model.problems.isEmpty, let version = model.current else { continue }
      for entity in version.shape.entities {
        for property in entity.properties {
          guard let relationship = property.relationship, relationship.inverse == .none,
            let place = version.place(of: Subject(entity.key, property.name))
          else { continue }
          findings.report(
            .danglesInModel(entity.name, property.name, relationship.destinationName), at: place,
            severity: .note)
        }
      }
    }
    for live in program.schema.live {
      for entity in live.shape.entities where live.shape.isComplete(entity.key) {
        for property in entity.properties {
          guard let relationship = property.relationship,
            let destination = live.shape.entity(relationship.destination),
            let place = live.place(of: Subject(entity.key, property.name))
          else { continue }
          let model = live.model(relationship.destination)?.place.ref
            .flatMap { program.type(declaredAt: $0) }
          let deletions = program.once(ModelDeletions.init)
          let deletion = model.flatMap { deletions.surePlace(of: $0) }
          // What the owner takes along by its cascade goes with the owner.
          let goesAlone =
            deletion != nil
            && (relationship.deleteRule != "cascade"
              || model.map { deletions.deletesByItself($0) } ?? true)
          let goesWithOwner = program.deletes(model, onlyWith: live.model(entity.key)?.place.ref)
          if relationship.inverse == .none {
            findings.report(
              .dangles(entity.name, property.name, relationship.destinationName), at: place,
              // Models whose store is opened elsewhere may be deleted there.
              severity: !goesWithOwner && (goesAlone || program.schema.containers.isEmpty)
                ? .warning : .note,
              related: live.place(of: Subject(relationship.destination)).map {
                [.init($0, "`\(relationship.destinationName)` is declared here")]
              } ?? [])
          } else if let deletion, !relationship.isToMany, let back = relationship.inverse.name,
            destination.property(back)?.relationship?.deleteRule == "noAction"
          {
            findings.report(
              .isLeft(entity.name, property.name, destination.name, back), at: place,
              severity: .warning,
              related: [.init(SchemaPlace(node: deletion, in: program), "deleted here")]
                + (live.place(of: Subject(destination.key, back)).map {
                  [.init($0, "its delete rule is `.noAction`")]
                } ?? []))
          }
        }
      }
    }
  }
}

extension Program {
  /// Whether deletions of a model all take along those who refer to it, so that nobody is left.
  fileprivate func deletes(_ model: TypeID?, onlyWith owner: Ref?) -> Bool {
    guard let model, let owner = owner.flatMap({ type(declaredAt: $0) }) else { return false }
    return once(ModelDeletions.init).deletes(model, onlyWith: owner)
  }
}

extension Finding.Message {
  fileprivate static func danglesInModel(
    _ entity: String, _ property: String, _ destination: String
  ) -> Self {
    """
    when \(destination.withArticle) is deleted, `\(entity).\(property)` still refers to the \
    deleted object, because the relationship has no inverse; give `\(destination)` a relationship \
    to `\(entity)` and set it as the inverse
    """
  }

  fileprivate static func dangles(_ entity: String, _ property: String, _ destination: String)
    -> Self
  {
    "when \(destination.withArticle) is deleted, `\(entity).\(property)` still refers to the deleted object, and reading the property crashes the app; add an inverse property to `\(destination)`, and name it in `@Relationship(inverse:)`"
  }

  fileprivate static func isLeft(
    _ entity: String, _ property: String, _ destination: String, _ back: String
  ) -> Self {
    """
    when \(destination.withArticle) is deleted, `\(entity).\(property)` still refers to the \
    deleted object, and reading the property crashes the app, because the delete rule of \
    `\(destination).\(back)` is `.noAction`; make it `.nullify`
    """
  }
}
