import PersistIndex
import PersistSchema
import PersistSyntax
import PersistVersions

/// Writes the first two versions of models that had none: what has shipped, and what the sources say
/// now, with the plan that leads from one to the other.
struct FirstVersions {
  private let program: Program
  private let frozen: SchemaShape
  private let now: LiveSchema
  private let way: MigrationWay
  private let layout: Layout

  /// Nothing where the versions' names are taken, or no stage can go the way.
  init?(_ migration: Migration, near place: SchemaPlace, in program: Program) {
    guard let ref = place.ref, let now = program.schema.live.last,
      now.shape.facts == migration.new.facts,
      ["SchemaV1", "SchemaV2"].allSatisfy({ program.topLevelTypes(named: Name($0)).isEmpty })
    else { return nil }
    self.program = program
    self.now = now
    frozen = migration.old
    way = MigrationWay(from: "SchemaV1", to: "SchemaV2", doing: migration)
    layout = Layout(around: ref, in: program)
    guard way.isPossible else { return nil }
  }

  /// The fix; nothing where no container takes the plan, or the classes can't be written.
  var fix: Fix? {
    guard let models = FrozenModelText(frozen, now: now, in: program),
      let plan = way.newPlan(in: program)
    else { return nil }
    let containers = program.schema.containers.compactMap { plan.use(in: $0, program) }
    let classes = now.keys.compactMap { now.model($0)?.qualifiedName }
    guard !containers.isEmpty, classes.count == now.keys.count else { return nil }
    let old = version("SchemaV1", 1, models.names) + models.lines.map(\.indented)
    let new = version("SchemaV2", 2, classes)
    let lines =
      old + [Layout.Line("}"), Layout.Line("")] + new + [Layout.Line("}"), Layout.Line("")]
      + plan.lines
    let edits = [layout.insertionAtEnd(lines)] + containers
    let shapes = program.shapes(after: edits)
    guard shapes["SchemaV1"]?.facts == frozen.facts, shapes["SchemaV2"]?.facts == now.shape.facts
    else { return nil }
    let range = layout.file.outline.text.count
    return Fix(
      title: "Declare what has shipped as `SchemaV1`, and today's models as `SchemaV2`",
      isSafe: false, edits: edits, scope: layout.location(range..<range))
  }

  private func version(_ name: String, _ number: Int, _ classes: [String]) -> [Layout.Line] {
    let number = "static let versionIdentifier = Schema.Version(\(number), 0, 0)"
    return [Layout.Line("enum \(name): VersionedSchema {")]
      + ([Layout.Line(number)] + FrozenModelText.list(of: classes)).map(\.indented)
  }
}
