import PersistIndex
import PersistSchema
import PersistSyntax
import PersistVersions

/// The step of a migration plan from one version to another, as code.
struct MigrationWay {
  private let old: String
  private let new: String
  private let isLightweight: Bool
  /// Whether a stage with some code in it can go the way.
  let isPossible: Bool
  private let narrowsRows: Bool

  init(from old: String, to new: String, doing migration: Migration) {
    self.old = old
    self.new = new
    let narrowing = migration.judgements.filter { $0.needsFittingRows }
    narrowsRows = !narrowing.isEmpty
    isPossible = !migration.judgements.contains { judgement in
      !judgement.needsFittingRows
        && [.needsCustomStage, .cantOpen].contains(judgement.verdict)
    }
    // What no stage can do is left to be reported.
    isLightweight = !isPossible || (migration.verdict ?? .cantOpen) <= .lightweight
  }

  /// The stage; what can't be inferred has a place for the code that does it.
  private func stage(type: String) -> [Layout.Line] {
    let versions = "fromVersion: \(old).self, toVersion: \(new).self"
    if isLightweight {
      let line = "\(type).lightweight(\(versions))"
      if line.count < 80 { return [Layout.Line(line)] }
      return [
        Layout.Line("\(type).lightweight("), Layout.Line("\(versions))", inset: 1),
      ]
    }
    let (doing, other, remark) =
      narrowsRows
      ? ("willMigrate", "didMigrate", "Change the rows here so that they fit `\(new)`.")
      : ("didMigrate", "willMigrate", "Set the new values of `\(new)` here.")
    let work = [
      Layout.Line("\(doing): { context in", inset: 1), Layout.Line("// \(remark)", inset: 2),
      Layout.Line("try context.save()", inset: 2),
    ]
    let head = [
      Layout.Line("\(type).custom("), Layout.Line("\(versions),", inset: 1),
    ]
    return narrowsRows
      ? head + work + [Layout.Line("},", inset: 1), Layout.Line("\(other): nil)", inset: 1)]
      : head + [Layout.Line("\(other): nil,", inset: 1)] + work + [Layout.Line("})", inset: 1)]
  }

  // MARK: A plan that is there

  /// The edits that lengthen a plan by the newer version and the stage to it; nil where its lists
  /// aren't written out.
  func edits(of plan: MigrationPlan, in program: Program) -> [Fix.Edit]? {
    guard let schemas = plan.schemasPlace?.ref, let stages = plan.stagesPlace?.ref,
      let versions = list(in: schemas, program), let steps = list(in: stages, program)
    else { return nil }
    let version = append([Layout.Line("\(new).self")], to: versions, program)
    // A first stage would make every store of the others need one too.
    if plan.stages?.isEmpty ?? false, plan.chain.count > 1 { return [version] }
    if let last = program.children(steps, .argument).last, program.text(last).hasPrefix("."),
      Layout(around: last, in: program).startsLine(program.byteRange(last).lowerBound)
    {
      return [version, append(stage(type: ""), to: steps, program)]
    }
    guard let declaration = plan.place.ref, let name = memberName(in: declaration, program),
      let member = newMember(name, in: declaration, program)
    else { return nil }
    return [version, append([Layout.Line(name)], to: steps, program), member]
  }

  /// The only list in a member, lists inside of it left out.
  private func list(in member: Ref, _ program: Program) -> Ref? {
    let lists = program.descendants(member, .array)
    guard let list = lists.first, lists.allSatisfy({ program.contains(list, $0) }) else {
      return nil
    }
    return list
  }

  private func append(_ element: [Layout.Line], to list: Ref, _ program: Program) -> Fix.Edit {
    let layout = Layout(around: list, in: program)
    guard let last = program.children(list, .argument).last else {
      let end = program.byteRange(list).upperBound - 1
      return layout.insertion(
        layout.text(element, indentation: layout.indentation(at: end)), at: end)
    }
    let range = program.byteRange(last)
    let indentation = layout.indentation(at: range.lowerBound)
    let space =
      layout.startsLine(range.lowerBound) ? layout.lineBreak + indentation : " "
    return layout.insertion(
      ",\(space)" + layout.text(element, indentation: indentation), at: range.upperBound)
  }

  /// `v1ToV2`, from `SchemaV1` to `SchemaV2`.
  private func memberName(in declaration: Ref, _ program: Program) -> String? {
    guard let number = old.lastIndex(of: "V"), let next = new.lastIndex(of: "V") else {
      return nil
    }
    let name = "v\(old[number...].dropFirst())To\(new[next...])"
    return program.uses(Name(name), in: declaration) ? nil : name
  }

  private func newMember(_ name: String, in declaration: Ref, _ program: Program) -> Fix.Edit? {
    guard let members = program.child(declaration, .members) else { return nil }
    let layout = Layout(around: members, in: program)
    let end = program.byteRange(members).upperBound - 1
    guard layout.startsLine(end) else { return nil }
    var lines = stage(type: "MigrationStage")
    lines[0] = Layout.Line("static let \(name) = \(lines[0].text)")
    let indentation = layout.indentation(at: end)
    let text = layout.text(
      [Layout.Line("")] + lines.map(\.indented), indentation: indentation)
    return layout.insertion(
      text.drop { $0 == " " || $0 == "\t" } + layout.lineBreak, at: layout.startOfLine(end))
  }

  // MARK: A plan that isn't there yet

  /// A plan for versions that are in none yet; nil where its name is taken.
  func newPlan(in program: Program) -> NewPlan? {
    let own = old.withoutNumber + "MigrationPlan"
    let name = own == "MigrationPlan" ? "AppMigrationPlan" : own
    guard program.topLevelTypes(named: Name(name)).isEmpty else { return nil }
    let head = [
      Layout.Line("enum \(name): SchemaMigrationPlan {"),
      Layout.Line("static var schemas: [any VersionedSchema.Type] {", inset: 1),
      Layout.Line("[\(old).self, \(new).self]", inset: 2), Layout.Line("}", inset: 1),
      Layout.Line(""), Layout.Line("static var stages: [MigrationStage] {", inset: 1),
      Layout.Line("[", inset: 2),
    ]
    let tail = [Layout.Line("]", inset: 2), Layout.Line("}", inset: 1), Layout.Line("}")]
    return NewPlan(
      name: name, lines: head + stage(type: "").map { $0.indented.indented.indented } + tail)
  }
}

extension MigrationJudgement {
  /// Whether the change can be migrated once the rows of the older version fit the newer one.
  fileprivate var needsFittingRows: Bool {
    verdict == .needsCustomStage && [.unique, .optional].contains(change.aspect)
  }
}

/// A migration plan to be declared.
struct NewPlan {
  let name: String
  let lines: [Layout.Line]

  /// The argument for the plan, behind those that name what is stored.
  func use(in container: ContainerUse, _ program: Program) -> Fix.Edit? {
    guard case .none = container.plan, !container.isInMemory, !program.isExempt(container.call),
      program.calledName(container.call) == "ModelContainer"
    else { return nil }
    let arguments = program.children(container.call, .argument)
    guard let first = arguments.first, program.label(first) == "for" else { return nil }
    let last = arguments.dropFirst().prefix { program.label($0) == .none }.last ?? first
    let layout = Layout(around: container.call, in: program)
    let range = program.byteRange(last)
    let space =
      layout.startsLine(range.lowerBound)
      ? layout.lineBreak + layout.indentation(at: range.lowerBound) : " "
    return layout.insertion(",\(space)migrationPlan: \(name).self", at: range.upperBound)
  }
}

extension String {
  /// `Trip` of `TripSchemaV1`, and of `TripV1`.
  fileprivate var withoutNumber: String {
    var name = self[...]
    while let last = name.last, last.isNumber || last == "_" { name = name.dropLast() }
    for word in ["V", "v", "Version", "Schema"] where name.hasSuffix(word) {
      name = name.dropLast(word.count)
    }
    return String(name)
  }
}
