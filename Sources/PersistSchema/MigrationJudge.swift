/// Judges changes between two versions by what inferred migration can do.
struct MigrationJudge {
  let old: SchemaShape
  let new: SchemaShape

  func judge(_ change: Change) -> MigrationJudgement {
    if change.weight == .open {
      return MigrationJudgement(change, nil, "not judged: the sources don't say enough", .low)
    }
    if change.weight == .soft { return judgeSoft(change) }
    if change.subject.property.isEmpty { return judgeEntity(change) }
    if !change.subject.members.isEmpty { return judgeMember(change) }
    switch change.aspect {
    case .attribute, .relationship: return judgeExistence(change)
    case .optional: return judgeOptional(change)
    case .renamed:
      return MigrationJudgement(change, .lightweight, "renamed, and the values are kept")
    case .many:
      return change.after == nil
        ? MigrationJudgement(change, .losesData, "all related objects beyond one are lost", .medium)
        : MigrationJudgement(change, .lightweight, "each row keeps its related object")
    case .external, .preserved, .modifier, .inverse, .minimum, .maximum:
      return MigrationJudgement(change, .lightweight, "migrated without a stage")
    case .ordered:
      return MigrationJudgement(change, .lightweight, "migrated without a stage", .medium)
    default:
      return MigrationJudgement(
        change, .needsCustomStage, "stored in another form that no inferred migration converts to",
        .low)
    }
  }

  private func judgeSoft(_ change: Change) -> MigrationJudgement {
    let undecodable: Bool
    switch change.aspect {
    case .cases:
      let after = Set((change.after ?? "").split(separator: ","))
      undecodable = (change.before ?? "").split(separator: ",").contains { !after.contains($0) }
      if undecodable {
        return MigrationJudgement(
          change, .losesData, "rows that hold a removed case can't be read", .medium)
      }
    case .element, .member, .optional:
      let isNewOptional = change.before == nil && member(change, in: new)?.isOptional ?? false
      let isLoosened = change.aspect == .optional && change.after != nil
      if !isNewOptional && !isLoosened {
        return MigrationJudgement(
          change, .losesData, "values that were written before may not decode", .medium)
      }
    case .transformer:
      return MigrationJudgement(
        change, .losesData, "values of the old transformer may not decode", .medium)
    case .delete:
      return MigrationJudgement(
        change, .harmless, "acts at once for all users, without a migration")
    case .index:
      return MigrationJudgement(change, .harmless, "old stores never get it")
    default: break
    }
    return MigrationJudgement(change, .harmless, "no migration")
  }

  private func judgeEntity(_ change: Change) -> MigrationJudgement {
    switch change.aspect {
    case .entity:
      return change.before == nil
        ? MigrationJudgement(change, .lightweight, "a new, empty table")
        : MigrationJudgement(change, .losesData, "all its rows are deleted")
    case .renamed: return MigrationJudgement(change, .lightweight, "renamed, and the rows are kept")
    case .unique: return judgeUnique(change)
    case .superentity: return judgeSuperentity(change)
    case .abstract:
      return MigrationJudgement(change, .lightweight, "migrated without a stage", .low)
    default: return MigrationJudgement(change, .lightweight, "migrated without a stage")
    }
  }

  private func judgeUnique(_ change: Change) -> MigrationJudgement {
    guard let keys = change.after else {
      return MigrationJudgement(change, .lightweight, "duplicates are allowed from now on")
    }
    let names = keys.split(separator: ",").map { String($0.prefix { $0 != "." }) }
    let before = names.map { oldProperty(Subject(change.subject.entity, $0))?.name ?? $0 }
    if before != names,
      oldEntity(change.subject.entity)?.uniqueness.contains(before.sorted()) ?? false
    {
      return MigrationJudgement(change, .lightweight, "unique as before, under another name")
    }
    let come = names.compactMap { name in newProperty(Subject(change.subject.entity, name)) }
      .filter { oldProperty(Subject(change.subject.entity, $0.name)) == nil }
    guard come.count == names.count else {
      return MigrationJudgement(
        change, .needsCustomStage,
        "fails where duplicates exist: merge or delete them in willMigrate")
    }
    if come.allSatisfy({ !$0.isOptional }) {
      return MigrationJudgement(
        change, .cantOpen, code: StoreError.migrationFailed,
        "all old rows get the same value, and that fails with two rows")
    }
    return MigrationJudgement(change, .lightweight, "old rows have no value", .medium)
  }

  private func judgeSuperentity(_ change: Change) -> MigrationJudgement {
    if let parent = change.after {
      let siblings = new.entities.filter { $0.superentity == parent }
        .compactMap { old.entity($0.key) }
      let shared = Set(siblings.map { $0.superentity ?? "" })
      if siblings.count > 1, shared.count > 1 || shared == [""] {
        return MigrationJudgement(
          change, .needsCustomStage, code: StoreError.inferenceFailed,
          "entities that get a common parent can't be migrated by inference")
      }
    }
    return MigrationJudgement(change, .lightweight, "migrated without a stage", .low)
  }

  private func judgeExistence(_ change: Change) -> MigrationJudgement {
    guard change.before != nil else { return judgeNew(change) }
    guard change.after != nil else {
      return MigrationJudgement(change, .losesData, "its values are deleted")
    }
    guard let before = oldProperty(change.subject), let after = newProperty(change.subject),
      let oldType = before.attribute?.type, let newType = after.attribute?.type
    else {
      if change.aspect == .relationship, oldProperty(change.subject)?.relationship != nil {
        return MigrationJudgement(
          change, .needsCustomStage, "the related objects are of another entity", .low)
      }
      return MigrationJudgement(
        change, .needsCustomStage, code: StoreError.inferenceFailed,
        "no migration between an attribute and a relationship can be inferred")
    }
    return judgeType(change, from: oldType, to: newType, isRenamed: before.name != after.name)
  }

  private func judgeType(
    _ change: Change, from oldType: StoredType, to newType: StoredType, isRenamed: Bool
  ) -> MigrationJudgement {
    if isRenamed {
      return MigrationJudgement(
        change, .needsCustomStage, code: StoreError.inferenceFailed,
        "a rename together with another type can't be inferred")
    }
    if oldType.widens(to: newType) {
      return MigrationJudgement(
        change, .lightweight, "every value fits into the wider type", .medium)
    }
    if oldType.family == .number, newType.family == .number {
      return MigrationJudgement(
        change, .needsCustomStage, code: StoreError.inferenceFailed,
        "values may not fit into the narrower type", .medium)
    }
    return MigrationJudgement(
      change, .needsCustomStage, code: StoreError.inferenceFailed,
      "no migration between these types can be inferred")
  }

  private func judgeNew(_ change: Change) -> MigrationJudgement {
    guard let property = newProperty(change.subject) else {
      return MigrationJudgement(change, nil, "not judged", .low)
    }
    if !property.isOptional, case .unknown = property.attribute?.type {
      return MigrationJudgement(change, nil, "not judged: its type is not resolved", .low)
    }
    if let value = property.valueForOldRows {
      let isCall = property.attribute?.defaultIsCall ?? false
      if isCall, !property.isOptional {
        return MigrationJudgement(
          change, .lightweight, "all old rows get the same value \(value)", .medium)
      }
      return MigrationJudgement(change, .lightweight, "old rows get \(value)")
    }
    if property.relationship != nil {
      return MigrationJudgement(
        change, .cantOpen, code: StoreError.migrationFailed,
        "old rows have no object for the required relationship")
    }
    return MigrationJudgement(
      change, .cantOpen, code: StoreError.migrationFailed,
      "old rows have no value for the required attribute")
  }

  private func judgeOptional(_ change: Change) -> MigrationJudgement {
    if change.after != nil {
      return MigrationJudgement(change, .lightweight, "every value is kept")
    }
    guard let property = newProperty(change.subject) else {
      return MigrationJudgement(change, nil, "not judged", .low)
    }
    if let value = property.valueForOldRows {
      return MigrationJudgement(change, .lightweight, "rows without a value get \(value)", .medium)
    }
    return MigrationJudgement(
      change, .needsCustomStage, code: StoreError.migrationFailed,
      "rows without a value must be filled in willMigrate")
  }

  private func judgeMember(_ change: Change) -> MigrationJudgement {
    let come = member(change, in: new)
    switch change.aspect {
    case .member where change.before == nil:
      if isPayloadEnum(change.subject) {
        return MigrationJudgement(change, .lightweight, "a new case that no old row has", .low)
      }
      if come?.isOptional ?? false || come?.defaultText != nil {
        return MigrationJudgement(
          change, .lightweight, "a new column with a value for old rows", .medium)
      }
      return MigrationJudgement(
        change, .cantOpen, code: StoreError.migrationFailed,
        "old rows have no value for the required column", .medium)
    case .member where change.after == nil:
      return MigrationJudgement(change, .losesData, "the values of its column are deleted")
    case .member:
      return judgeType(
        change, from: StoredType(spelling: change.before ?? ""),
        to: StoredType(spelling: change.after ?? ""), isRenamed: false)
    case .optional where change.after == nil:
      return come?.defaultText == nil
        ? MigrationJudgement(
          change, .needsCustomStage, code: StoreError.migrationFailed,
          "rows without a value must be filled in willMigrate", .medium)
        : MigrationJudgement(change, .lightweight, "rows without a value get the default", .medium)
    default:
      return MigrationJudgement(change, .lightweight, "every value is kept", .medium)
    }
  }

  private func newProperty(_ subject: Subject) -> Property? {
    new.entity(subject.entity)?.property(subject.property)
  }

  /// The property as it was, under its old name when it or its entity was renamed.
  private func oldProperty(_ subject: Subject) -> Property? {
    let newEntity = new.entity(subject.entity)
    guard let entity = oldEntity(subject.entity) else { return nil }
    let original = newEntity?.property(subject.property)?.originalName
    let isRenamed =
      original.map { entity.property($0) != nil && newEntity?.property($0) == nil } ?? false
    if !isRenamed, let same = entity.property(subject.property) { return same }
    guard let original else { return nil }
    return entity.property(original) ?? entity.properties.first { $0.originalName == original }
  }

  /// The entity as it was, under its old name when it was renamed.
  private func oldEntity(_ name: String) -> Entity? {
    old.entity(name)
      ?? new.entity(name)?.originalName.flatMap { name in
        old.entity(name) ?? old.entities.first { $0.originalName == name }
      }
  }

  private func member(_ change: Change, in shape: SchemaShape) -> Member? {
    let property = shape.entity(change.subject.entity)?.property(change.subject.property)
    var type = property?.attribute?.type
    var found: Member?
    for name in change.subject.members {
      found = type?.members.first { $0.name == name }
      type = found?.type
    }
    return found
  }

  private func isPayloadEnum(_ subject: Subject) -> Bool {
    let owner = Change(
      Subject(subject.entity, subject.property, members: Array(subject.members.dropLast())),
      .member, before: nil, after: nil, .hard)
    let type = member(owner, in: new)?.type ?? newProperty(subject)?.attribute?.type
    if case .payloadEnum = type { return true }
    return false
  }
}
