/// Judges changes between two versions by what inferred migration can do.
struct MigrationJudge {
  let old: SchemaShape
  let new: SchemaShape

  func judge(_ change: Change) -> Judgement {
    if change.weight == .open {
      return Judgement(change, nil, "not judged: the sources don't tell enough", .low)
    }
    if change.weight == .soft { return judgeSoft(change) }
    if change.subject.property.isEmpty { return judgeEntity(change) }
    if !change.subject.members.isEmpty { return judgeMember(change) }
    switch change.aspect {
    case .attribute, .relationship: return judgeExistence(change)
    case .optional: return judgeOptional(change)
    case .renamed:
      return Judgement(change, .lightweight, "renamed, and the values are kept")
    case .many:
      return change.after == nil
        ? Judgement(change, .losesData, "all related objects beyond one are lost", .medium)
        : Judgement(change, .lightweight, "each row keeps its related object")
    case .external, .preserved, .modifier, .inverse, .minimum, .maximum:
      return Judgement(change, .lightweight, "migrated without a stage")
    case .ordered:
      return Judgement(change, .lightweight, "migrated without a stage", .medium)
    default:
      return Judgement(
        change, .needsCustomStage, "stored in another form, which no inferred migration converts",
        .low)
    }
  }

  private func judgeSoft(_ change: Change) -> Judgement {
    let undecodable: Bool
    switch change.aspect {
    case .cases:
      let after = Set((change.after ?? "").split(separator: ","))
      undecodable = (change.before ?? "").split(separator: ",").contains { !after.contains($0) }
      if undecodable {
        return Judgement(
          change, .losesData, "rows that hold a removed case can't be read", .medium)
      }
    case .element, .member, .optional:
      let isNewOptional = change.before == nil && member(change, in: new)?.isOptional ?? false
      let isLoosened = change.aspect == .optional && change.after != nil
      if !isNewOptional && !isLoosened {
        return Judgement(
          change, .losesData, "values that were written before may not decode", .medium)
      }
    case .transformer:
      return Judgement(
        change, .losesData, "values of the old transformer may not decode", .medium)
    case .delete:
      return Judgement(change, .harmless, "acts at once for all users, without a migration")
    case .index:
      return Judgement(change, .harmless, "old stores never get it")
    default: break
    }
    return Judgement(change, .harmless, "no migration")
  }

  private func judgeEntity(_ change: Change) -> Judgement {
    switch change.aspect {
    case .entity:
      return change.before == nil
        ? Judgement(change, .lightweight, "a new, empty table")
        : Judgement(change, .losesData, "all its rows are deleted")
    case .renamed: return Judgement(change, .lightweight, "renamed, and the rows are kept")
    case .unique: return judgeUnique(change)
    case .superentity: return judgeSuperentity(change)
    case .abstract: return Judgement(change, .lightweight, "migrated without a stage", .low)
    default: return Judgement(change, .lightweight, "migrated without a stage")
    }
  }

  private func judgeUnique(_ change: Change) -> Judgement {
    guard let keys = change.after else {
      return Judgement(change, .lightweight, "duplicates are allowed from now on")
    }
    let names = keys.split(separator: ",").map { String($0.prefix { $0 != "." }) }
    let come = names.compactMap { name in newProperty(Subject(change.subject.entity, name)) }
      .filter { oldProperty(Subject(change.subject.entity, $0.name)) == nil }
    guard come.count == names.count else {
      return Judgement(
        change, .needsCustomStage,
        "fails where duplicates exist: merge or delete them in willMigrate")
    }
    if come.allSatisfy({ !$0.isOptional }) {
      return Judgement(
        change, .cantOpen, code: StoreError.migrationFailed,
        "all old rows get one same value, which fails with two rows")
    }
    return Judgement(change, .lightweight, "old rows have no value", .medium)
  }

  private func judgeSuperentity(_ change: Change) -> Judgement {
    if let parent = change.after {
      let siblings = new.entities.filter { $0.superentity == parent }
        .compactMap { old.entity($0.key) }
      let shared = Set(siblings.map { $0.superentity ?? "" })
      if siblings.count > 1, shared.count > 1 || shared == [""] {
        return Judgement(
          change, .needsCustomStage, code: StoreError.inferenceFailed,
          "entities that get a common parent can't be migrated by inference")
      }
    }
    return Judgement(change, .lightweight, "migrated without a stage", .low)
  }

  private func judgeExistence(_ change: Change) -> Judgement {
    guard change.before != nil else { return judgeNew(change) }
    guard change.after != nil else {
      return Judgement(change, .losesData, "its values are deleted")
    }
    guard let before = oldProperty(change.subject), let after = newProperty(change.subject),
      let oldType = before.attribute?.type, let newType = after.attribute?.type
    else {
      if change.aspect == .relationship, oldProperty(change.subject)?.relationship != nil {
        return Judgement(
          change, .needsCustomStage, "the related objects are of another entity", .low)
      }
      return Judgement(
        change, .needsCustomStage, code: StoreError.inferenceFailed,
        "no migration between an attribute and a relationship can be inferred")
    }
    return judgeType(change, from: oldType, to: newType, isRenamed: before.name != after.name)
  }

  private func judgeType(
    _ change: Change, from oldType: StoredType, to newType: StoredType, isRenamed: Bool
  ) -> Judgement {
    if isRenamed {
      return Judgement(
        change, .needsCustomStage, code: StoreError.inferenceFailed,
        "a rename together with another type can't be inferred")
    }
    if oldType.widens(to: newType) {
      return Judgement(change, .lightweight, "every value fits into the wider type", .medium)
    }
    if oldType.family == .number, newType.family == .number {
      return Judgement(
        change, .needsCustomStage, code: StoreError.inferenceFailed,
        "values may not fit into the narrower type", .medium)
    }
    return Judgement(
      change, .needsCustomStage, code: StoreError.inferenceFailed,
      "no migration between these types can be inferred")
  }

  private func judgeNew(_ change: Change) -> Judgement {
    guard let property = newProperty(change.subject) else {
      return Judgement(change, nil, "not judged", .low)
    }
    if let value = property.valueForOldRows {
      let isCall = property.attribute?.defaultIsCall ?? false
      if isCall, !property.isOptional {
        return Judgement(
          change, .lightweight, "all old rows get one same value of \(value)", .medium)
      }
      return Judgement(change, .lightweight, "old rows get \(value)")
    }
    if property.relationship != nil {
      return Judgement(
        change, .cantOpen, code: StoreError.migrationFailed,
        "old rows have no object for the required relationship")
    }
    return Judgement(
      change, .cantOpen, code: StoreError.migrationFailed,
      "old rows have no value for the required attribute")
  }

  private func judgeOptional(_ change: Change) -> Judgement {
    if change.after != nil { return Judgement(change, .lightweight, "every value is kept") }
    guard let property = newProperty(change.subject) else {
      return Judgement(change, nil, "not judged", .low)
    }
    if let value = property.valueForOldRows {
      return Judgement(change, .lightweight, "rows without a value get \(value)", .medium)
    }
    return Judgement(
      change, .needsCustomStage, code: StoreError.migrationFailed,
      "rows without a value must be filled in willMigrate")
  }

  private func judgeMember(_ change: Change) -> Judgement {
    let come = member(change, in: new)
    switch change.aspect {
    case .member where change.before == nil:
      if isPayloadEnum(change.subject) {
        return Judgement(change, .lightweight, "a new case, which no old row holds", .low)
      }
      if come?.isOptional ?? false || come?.defaultText != nil {
        return Judgement(change, .lightweight, "a new column with a value for old rows", .medium)
      }
      return Judgement(
        change, .cantOpen, code: StoreError.migrationFailed,
        "old rows have no value for the required column", .medium)
    case .member where change.after == nil:
      return Judgement(change, .losesData, "the values of its column are deleted")
    case .member:
      return judgeType(
        change, from: StoredType(spelling: change.before ?? ""),
        to: StoredType(spelling: change.after ?? ""), isRenamed: false)
    case .optional where change.after == nil:
      return come?.defaultText == nil
        ? Judgement(
          change, .needsCustomStage, code: StoreError.migrationFailed,
          "rows without a value must be filled in willMigrate", .medium)
        : Judgement(change, .lightweight, "rows without a value get the default", .medium)
    default:
      return Judgement(change, .lightweight, "every value is kept", .medium)
    }
  }

  private func newProperty(_ subject: Subject) -> Property? {
    new.entity(subject.entity)?.property(subject.property)
  }

  /// The property as it was, under its old name when it or its entity was renamed.
  private func oldProperty(_ subject: Subject) -> Property? {
    let newEntity = new.entity(subject.entity)
    guard
      let entity = old.entity(subject.entity)
        ?? newEntity?.originalName.flatMap({ name in
          old.entity(name) ?? old.entities.first { $0.originalName == name }
        })
    else { return nil }
    if let same = entity.property(subject.property) { return same }
    guard let original = newEntity?.property(subject.property)?.originalName else { return nil }
    return entity.property(original) ?? entity.properties.first { $0.originalName == original }
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
