import PersistIndex
import PersistSchema
import PersistVersions

/// A renamed property without an original name: its values are deleted.
struct RenamedWithoutOriginalName: Rule {
  static let id: RuleID = "renamed-without-original-name"
  static let mends = true

  func check(_ program: Program, into findings: inout Findings) {
    let schema = program.schema
    let found = program.findings(
      inSteps: { step, _ in
        // What a frozen version never had was put in by an edit, which is what has to go.
        step.unsaidRenames(in: program).filter { rename in
          !(schema.base?.lacks(rename.gone, of: rename.entity, in: step.old) ?? false)
        }
      }, at: { rename, step in step.place(of: Subject(rename.entity, rename.come.name)) })
    for finding in found {
      let (rename, step) = (finding.item, finding.step)
      let hasShipped = schema.base?.ships(rename.gone, of: rename.entity, in: step.old) ?? false
      findings.report(
        .drops(rename, on: finding.platforms), at: finding.place, severity: rename.severity,
        related: step.related(Subject(rename.entity, rename.gone.name)),
        fix: program.originalNameFix(rename, at: finding.place, hasShipped: hasShipped))
    }
    for step in program.dataModelSteps {
      for rename in step.migration.likelyRenames {
        let subject = Subject(rename.entity, rename.come.name)
        findings.report(
          .dropsAttribute(rename), at: step.place(of: subject), severity: rename.severity,
          related: step.related(Subject(rename.entity, rename.gone.name)))
      }
    }
    for rename in schema.unversionedMigration?.likelyRenames ?? [] {
      let subject = Subject(rename.entity, rename.come.name)
      guard let place = schema.unversionedPlace(of: subject) else { continue }
      findings.report(
        .drops(rename), at: place, severity: rename.severity,
        fix: program.originalNameFix(rename, at: place, hasShipped: true))
    }
  }
}

extension SchemaBase {
  /// Whether a frozen version has this property.
  fileprivate func ships(_ property: Property, of entity: String, in version: SchemaVersion) -> Bool
  {
    let shape = versions[version.key] ?? newest[version.key]
    return shape?.entity(entity)?.property(property.name) == property
  }

  /// Whether a frozen version has the entity, and not this property.
  fileprivate func lacks(_ property: Property, of entity: String, in version: SchemaVersion) -> Bool
  {
    let shape = versions[version.key] ?? newest[version.key]
    return shape?.entity(entity).map { $0.property(property.name) == nil } ?? false
  }
}

extension LikelyRename {
  /// Error when the new property has no value for old rows, for then the store does not open.
  fileprivate var severity: Severity { come.valueForOldRows == nil ? .error : .warning }
}

extension Finding.Message {
  fileprivate static func dropsAttribute(_ rename: LikelyRename) -> Self {
    let old = rename.gone.name
    return """
      all values of `\(rename.entity).\(old)` are deleted when `\(rename.come.name)` replaces it; \
      if this is a rename, set the renaming ID `\(old)` in the model editor
      """
  }

  fileprivate static func drops(_ rename: LikelyRename, on platforms: String = "") -> Self {
    let entity = rename.entity.prefix { $0 != "@" }
    let (old, new) = (rename.gone.name, rename.come.name)
    let macro = rename.come.relationship == nil ? "@Attribute" : "@Relationship"
    let drop =
      rename.come.valueForOldRows == nil
      ? "give `\(new)` a default" : "suppress this finding with a reason"
    let harm =
      rename.come.valueForOldRows == nil
      ? "the store can't be opened (134110) or, with a default, all values of `\(entity).\(old)` are deleted"
      : "all values of `\(entity).\(old)` are deleted"
    return """
      \(platforms)\(harm) when `\(new)` replaces it; if this is a rename, write \
      `\(macro)(originalName: "\(old)") var \(new)`; if not, \(drop)
      """
  }
}
