import PersistIndex
import PersistSchema
import PersistSyntax

/// Writes a frozen version again as it shipped, where a newer one has come since.
struct VersionRestoration {
  private let program: Program
  private let version: SchemaVersion
  private let frozen: SchemaShape
  private let declaration: Ref

  /// Nothing where the classes of the version are no longer those that are frozen.
  init?(_ version: SchemaVersion, frozen: SchemaShape, in program: Program) {
    guard let declaration = version.place.ref,
      Set(frozen.entities.map(\.key)) == Set(version.shape.entities.map(\.key))
    else { return nil }
    self.program = program
    self.version = version
    self.frozen = frozen
    self.declaration = declaration
  }

  /// The fix; nothing where it would not give the version back exactly, or change another one.
  var fix: Fix? {
    guard
      let models = FrozenModelText(
        frozen, now: LiveSchema(version), inside: declaration, in: program)
    else { return nil }
    var edits: [Fix.Edit] = []
    for entity in frozen.entities {
      let ofEntity = { (fact: Fact) in fact.subject.entity == entity.key }
      guard frozen.facts.filter(ofEntity) != version.shape.facts.filter(ofEntity) else { continue }
      guard let edit = edit(of: entity, models) else { return nil }
      edits.append(edit)
    }
    guard !edits.isEmpty, givesBackFrozen(edits) else { return nil }
    return Fix(
      title: "Write `\(version.name)` back as it shipped", isSafe: false, edits: edits,
      scope: Layout(around: declaration, in: program).location(program.byteRange(declaration)))
  }

  private func edit(of entity: Entity, _ models: FrozenModelText) -> Fix.Edit? {
    guard let use = version.use(entity.key), use.isNested, let lines = models.classes[entity.key],
      let place = use.model.place.ref,
      let type = ([place] + program.ancestors(place)).first(where: {
        program.kind($0) == .classDecl
      }), program.contains(declaration, type), holdsStateAlone(type)
    else { return nil }
    let layout = Layout(around: type, in: program)
    let range = program.byteRange(type)
    let text = layout.text(lines, indentation: layout.indentation(at: range.lowerBound))
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    let tidy = text.split(separator: layout.lineBreak, omittingEmptySubsequences: false)
      .map { $0.allSatisfy(isBlank) ? "" : $0 }.joined(separator: layout.lineBreak)
    return layout.edit(range, String(tidy.drop(while: isBlank)))
  }

  /// Whether a class has nothing but stored properties and initializers.
  private func holdsStateAlone(_ type: Ref) -> Bool {
    guard let members = program.child(type, .members) else { return false }
    return program.children(members).allSatisfy { member in
      switch program.kind(member) {
      case .initDecl: true
      case .variableDecl:
        program.children(member, .binding).allSatisfy { program.child($0, .accessors) == nil }
      default: false
      }
    }
  }

  private func givesBackFrozen(_ edits: [Fix.Edit]) -> Bool {
    let shapes = program.shapes(after: edits)
    return shapes[version.name]?.facts == frozen.facts
      && program.schema.versions.allSatisfy { other in
        other.isTest || other.name == version.name || shapes[other.name]?.facts == other.shape.facts
      }
  }
}
