import PersistIndex
import PersistSchema
import PersistVersions

/// A shipped version that was edited: its stores match no version any more.
struct FrozenSchemaEdited: Rule {
  static let id: RuleID = "frozen-schema-edited"
  static let mends = true
  static let comparesWithShipped = true

  func check(_ program: Program, into findings: inout Findings) {
    let schema = program.schema
    guard let base = schema.base else { return }
    var edits: [Edit] = []
    var gone: [Removal: [String]] = [:]
    for (key, shape) in schema.frozenVersions(of: base, program.project) {
      judge(key, shape, schema, base, &edits, &gone)
    }
    var drafts: [Edit] = []
    var goneDrafts: [Removal: [String]] = [:]
    for (key, shape) in schema.undecidedVersions(of: base, program.project) {
      judge(key, shape, schema, base, &drafts, &goneDrafts)
    }
    for (removal, keys) in goneDrafts where !removal.isGivenUp {
      findings.report(
        .removedDraft(keys, base.origin.text), at: removal.place, severity: .note,
        related: keys.prefix(4).flatMap { related(base, $0, Subject(""), mayBeDraft: true) })
    }
    edits += drafts.map { draft in
      var edit = draft
      edit.mayBeDraft = true
      return edit
    }
    for (removal, keys) in gone {
      findings.report(
        message(of: removal, keys, base), at: removal.place,
        severity: removal.isGivenUp ? .warning : nil,
        related: keys.prefix(4).flatMap { related(base, $0, Subject("")) })
    }
    report(edits, base: base, into: &findings)
  }

  /// Finds what has become of one version.
  private func judge(
    _ key: String, _ shape: SchemaShape, _ schema: SchemaProgram, _ base: SchemaBase,
    _ edits: inout [Edit], _ gone: inout [Removal: [String]]
  ) {
    let isInferred = schema.isInferred(key, since: base)
    switch schema.standing(of: key, shape, base: base) {
    case .version(let version):
      let changes =
        isInferred
        ? impossible(key, from: shape, to: version.shape)
        : changes(key, from: shape, to: version.shape, base: base)
      edits += changes.map { $0.standing(in: version) }
    case .dataModel(let version):
      edits += changes(key, from: shape, to: version.shape, base: base).map { edit in
        edit.standing(in: version)
      }
    case .moved, .unknown: return
    case .gone(let place):
      guard schema.wasPlanned(key, in: base) else { return }
      gone[Removal(place: place, isGivenUp: isInferred), default: []].append(key)
    }
  }

  /// Where versions are missed, and whether their plan is gone with them.
  private struct Removal: Hashable {
    let place: SchemaPlace
    let isGivenUp: Bool
  }

  private func message(
    of removal: Removal, _ keys: [String], _ base: SchemaBase
  ) -> Finding.Message {
    if removal.isGivenUp { return .givenUp(keys, base.origin.text) }
    return keys.allSatisfy { $0.contains(".xcdatamodel") }
      ? .removedModel(keys, base.origin.text) : .removed(keys, base.origin.text)
  }

  /// The changes of a version that no inferred migration can do, which is all that its stores get.
  private func impossible(
    _ key: String, from frozen: SchemaShape, to current: SchemaShape
  ) -> [Edit] {
    let migration = Migration(from: frozen, to: current, needsDistinctVersions: false)
    let changes = migration.judgements.filter { judgement in
      judgement.change.weight == .hard && judgement.sureness != .low
        && (judgement.verdict == .needsCustomStage || judgement.verdict == .cantOpen)
    }
    return Dictionary(grouping: changes, by: \.change.subject.entity)
      .sorted { $0.key < $1.key }.compactMap { _, group in
        guard let first = group.first else { return nil }
        let changes = group.map(\.change)
        return Edit(
          key: key, subject: first.change.subject, isHard: true, text: text(of: changes),
          changes: changes, place: nil, code: first.code ?? StoreError.migrationFailed)
      }
  }

  /// Reports each cause once, with all the versions that it changes.
  private func report(_ edits: [Edit], base: SchemaBase, into findings: inout Findings) {
    var causes: [Cause: [Edit]] = [:]
    var order: [Cause] = []
    for edit in edits {
      guard let place = edit.place else { continue }
      let cause = Cause(
        place: place, isHard: edit.isHard, mayBeDraft: edit.mayBeDraft, text: edit.text)
      if causes[cause] == nil { order.append(cause) }
      causes[cause, default: []].append(edit)
    }
    var fixes: [String: Fix?] = [:]
    let program = findings.program
    func fix(_ edit: Edit) -> Fix? {
      if let known = fixes[edit.key] { return known }
      let fix = edit.fix(base, in: program)
      fixes[edit.key] = .some(fix)
      return fix
    }
    for cause in order {
      let edits = causes[cause] ?? []
      let isOwn = cause.isHard && !cause.mayBeDraft && edits.count == 1
      let versions = edits.map(\.key)
      let related = edits.prefix(4).flatMap {
        self.related(base, $0.key, $0.subject, mayBeDraft: cause.mayBeDraft)
      }
      findings.report(
        message(of: cause, versions, code: edits[0].code), at: cause.place,
        severity: cause.mayBeDraft ? .note : cause.isHard ? .error : .warning, related: related,
        fix: isOwn ? fix(edits[0]) : nil)
    }
  }

  private func message(
    of cause: Cause, _ versions: [String], code: Int
  ) -> Finding.Message {
    switch (cause.mayBeDraft, cause.isHard) {
    case (true, true): .editedDraft(cause.text, versions, code: code)
    case (true, false): .editedDraftSoftly(cause.text, versions)
    case (false, true): .edited(cause.text, versions, code: code)
    case (false, false): .editedSoftly(cause.text, versions)
    }
  }

  private func related(
    _ base: SchemaBase, _ key: String, _ subject: Subject, mayBeDraft: Bool = false
  ) -> [Findings.SchemaRelated] {
    let places = base.places[key]
    guard let place = places?[subject] ?? places?[Subject(subject.entity)] ?? places?[Subject("")]
    else { return [] }
    if mayBeDraft { return [.init(place, "`\(key)` as it is in \(base.origin.text)")] }
    let what =
      base.readFromStores.contains(key) ? "`\(key)` as a store has it" : "`\(key)` as it shipped"
    return [.init(place, "\(what), according to \(base.origin.text)")]
  }

  /// The changes of one version, those of one entity together.
  private func changes(
    _ key: String, from frozen: SchemaShape, to current: SchemaShape, base: SchemaBase
  ) -> [Edit] {
    let changes = frozen.changes(to: current).withoutUnmixing
    var edits: [Edit] = []
    for isHard in [true, false] {
      let wanted = changes.filter { isHard ? $0.weight == .hard : $0.mattersInOldVersion }
      for (entity, group) in Dictionary(grouping: wanted, by: \.subject.entity).sorted(by: {
        $0.key < $1.key
      }) {
        edits.append(
          Edit(
            key: key, subject: group.first?.subject ?? Subject(entity), isHard: isHard,
            text: text(of: group), changes: group, place: nil,
            code: StoreError.unknownModelVersion))
      }
    }
    return edits
  }

  private func text(of changes: [Change]) -> String {
    let shown = changes.prefix(3).map(\.sentence).joined(separator: ", ")
    return changes.count > 3 ? shown + " and \(changes.count - 3) more changes" : shown
  }
}

/// What changed in one entity of one frozen version.
private struct Edit {
  var key: String
  var subject: Subject
  var isHard: Bool
  var text: String
  var changes: [Change]
  var place: SchemaPlace?
  var code: Int
  var version: SchemaVersion?
  /// Whether nothing says that the version has shipped.
  var mayBeDraft = false

  /// Makes a version of its own of what was edited.
  func fix(_ base: SchemaBase, in program: Program) -> Fix? {
    guard let version, let frozen = base.versions[key] ?? base.newest[key] else { return nil }
    return program.schema.isNewest(version)
      ? VersionSplit(version, frozen: frozen, in: program)?.fix
      : VersionRestoration(version, frozen: frozen, in: program)?.fix
  }

  /// The edit at the first of its properties that is still declared, else at the class.
  func standing(in version: SchemaVersion) -> Edit {
    var edit = self
    edit.version = version
    for change in changes where !change.subject.property.isEmpty {
      if let place = version.use(change.subject.entity)?.model.place(of: change.subject.property) {
        edit.place = place
        return edit
      }
    }
    edit.place = version.use(subject.entity)?.model.place ?? version.place
    return edit
  }

  func standing(in version: DataModel.Version) -> Edit {
    var edit = self
    edit.code = StoreError.missingSourceModel
    edit.place =
      changes.lazy.compactMap { version.place(of: $0.subject) }.first
      ?? version.place(of: Subject(subject.entity)) ?? SchemaPlace(path: version.path, range: 0..<0)
    return edit
  }
}

extension [Change] {
  /// The changes without the departure of a second class of an entity, and without what follows
  /// from it: which of the two a store holds can't be told.
  fileprivate var withoutUnmixing: [Change] {
    let isTwin = { (change: Change) in
      change.aspect == .entity && change.subject.entity.contains("@")
    }
    let come = contains { isTwin($0) && $0.before == nil }
    let gone = contains { isTwin($0) && $0.after == nil }
    return filter { change in
      if isTwin(change), change.after == nil { return false }
      return !(gone && !come && (change.aspect == .inverse || change.aspect == .relationship))
    }
  }
}

private struct Cause: Hashable {
  var place: SchemaPlace
  var isHard: Bool
  var mayBeDraft: Bool
  var text: String
}

extension Finding.Message {
  fileprivate static func edited(_ text: String, _ versions: [String], code: Int) -> Self {
    """
    users with stores of \(versions.listed()) can't open them after an update (\(code)), because a \
    shipped version was edited: \(text); restore \
    \(versions.count == 1 ? "the version" : "the versions") as shipped and make the change in a \
    new version
    """
  }

  fileprivate static func editedDraft(_ text: String, _ versions: [String], code: Int) -> Self {
    """
    if \(versions.listed()) has shipped, its users can't open their store after an update \
    (\(code)): \(text); in that case make the change in a new version, and \(sayWhatHasShipped)
    """
  }

  fileprivate static func editedDraftSoftly(_ text: String, _ versions: [String]) -> Self {
    """
    if \(versions.listed()) has shipped, its stores still open but migrate differently: \(text); \
    in that case \(sayWhatHasShipped)
    """
  }

  fileprivate static func removedDraft(_ versions: [String], _ origin: String) -> Self {
    """
    if \(versions.listed()) has shipped, its users can't open their store after an update, because \
    the sources no longer have the version; in that case restore it from \(origin), and \
    \(sayWhatHasShipped)
    """
  }

  private static let sayWhatHasShipped =
    """
    list the version under `released` in the configuration, or use \
    --against-release with a tag
    """

  fileprivate static func editedSoftly(_ text: String, _ versions: [String]) -> Self {
    "stores of \(versions.listed()) still open but migrate differently, because a shipped version was edited: \(text)"
  }

  fileprivate static func removed(_ versions: [String], _ origin: String) -> Self {
    """
    users with stores of \(versions.listed()) can't open them after an update (134504), because no \
    plan lists \(versions.count == 1 ? "the version" : "the versions") any more; restore \
    \(versions.count == 1 ? "it" : "them") from \(origin)
    """
  }

  fileprivate static func removedModel(_ versions: [String], _ origin: String) -> Self {
    """
    users with stores of \(versions.listed()) can't open them after an update (134130), because \
    the model \(versions.count == 1 ? "version was" : "versions were") removed; restore \
    \(versions.count == 1 ? "it" : "them") from \(origin)
    """
  }

  fileprivate static func givenUp(_ versions: [String], _ origin: String) -> Self {
    """
    what the custom stages kept is lost, because the plan was removed and stores of \
    \(versions.listed()) are now migrated by inference alone; restore the plan from \(origin), or \
    check that every change can be inferred
    """
  }
}
