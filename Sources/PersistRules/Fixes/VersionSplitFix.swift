import PersistIndex
import PersistSchema
import PersistSyntax
import PersistVersions

/// Gives the edits of a frozen version a version of their own: what the sources say now gets the
/// next name, the frozen version is written again as it shipped, and a plan leads from one to the
/// other.
struct VersionSplit {
  private let program: Program
  private let version: SchemaVersion
  private let frozen: SchemaShape
  private let declaration: Ref
  private let layout: Layout
  /// The name for what the sources say now.
  private let newName: String
  /// The plan that ends with the version; nil when no plan lists it.
  private let plan: MigrationPlan?
  /// Says of the properties that were renamed what they were called.
  private let formerNames: [Fix.Edit]
  /// What the sources will say then of the newer version.
  private let newShape: SchemaShape

  /// Nothing where the version is not the last one, or has no number to count on from.
  init?(_ version: SchemaVersion, frozen: SchemaShape, in program: Program) {
    guard let declaration = version.place.ref, program.schema.isNewest(version),
      !version.name.contains("."), let newName = version.name.nextVersion,
      program.topLevelTypes(named: Name(version.name)).count == 1,
      program.topLevelTypes(named: Name(newName)).isEmpty
    else { return nil }
    let plans = program.schema.plans.filter { !$0.isTest && $0.chain.contains(version.id) }
    guard plans.count < 2, plans.allSatisfy({ $0.chain.last == version.id }) else { return nil }
    self.program = program
    self.version = version
    self.frozen = frozen
    self.declaration = declaration
    self.newName = newName
    plan = plans.first
    layout = Layout(around: declaration, in: program)
    formerNames = Migration(from: frozen, to: version.shape).likelyRenames
      .filter(\.namesAreAlike).flatMap { rename in
        program.originalNameFix(
          rename,
          at: version.place(of: Subject(rename.entity, rename.come.name))
            ?? version.place, hasShipped: true)?.edits ?? []
      }
    newShape =
      formerNames.isEmpty
      ? version.shape : program.shapes(after: formerNames)[version.name] ?? version.shape
  }

  /// The fix; nothing where it would not give the frozen version back exactly.
  var fix: Fix? {
    guard
      let models = FrozenModelText(
        frozen, now: LiveSchema(version), inside: declaration, in: program),
      let number = identifierEdit, let frozenText = frozenVersion(models),
      let way = planEdits
    else { return nil }
    let edits = [frozenText, number] + renamings + way + formerNames
    guard givesBackFrozen(edits) else { return nil }
    return Fix(
      title: "Restore `\(version.name)` as it shipped, and move the changes to `\(newName)`",
      isSafe: false, edits: edits,
      scope: layout.location(program.byteRange(declaration)))
  }

  // MARK: The two versions

  private func frozenVersion(_ models: FrozenModelText) -> Fix.Edit? {
    guard let number = version.identifier, number.count == 3 else { return nil }
    let start = program.byteRange(declaration).lowerBound
    let nameStart = version.place.range.lowerBound
    let head = layout.file.outline.text[start..<nameStart]
    let access = head.split(separator: " ").contains("public") ? "public " : ""
    let numbers = number.map { String($0) }.joined(separator: ", ")
    let inner =
      [Layout.Line("\(access)static let versionIdentifier = Schema.Version(\(numbers))")]
      + FrozenModelText.list(of: models.names, access: access)
    let lines =
      layout.lines(of: head + "\(version.name): VersionedSchema {", at: start)
      + (inner + models.lines).map(\.indented) + [Layout.Line("}"), Layout.Line("")]
    let place = layout.startWithComments(start)
    let indentation = layout.indentation(at: place)
    let text = layout.text(lines, indentation: indentation)
    guard layout.startsLine(place) else { return nil }
    return layout.insertion(text + layout.lineBreak + indentation, at: place)
  }

  /// The first number of the identifier grows by one, and the others begin anew.
  private var identifierEdit: Fix.Edit? {
    guard let number = version.identifier?.first, let member = version.identifierPlace?.ref,
      member.file == declaration.file
    else { return nil }
    let numbers = program.descendants(member, .argument)
    guard numbers.count == 3, let first = numbers.first, let last = numbers.last,
      numbers.allSatisfy({ Int(program.text($0)) != nil })
    else { return nil }
    let range = program.byteRange(first).lowerBound..<program.byteRange(last).upperBound
    return layout.edit(range, "\(number + 1), 0, 0")
  }

  /// Everything that speaks of what the sources say now gets the new name; plans speak of versions.
  private var renamings: [Fix.Edit] {
    let name = Name(version.name)
    let plans = Set(program.schema.plans.compactMap(\.place.ref))
    return program.files.indices.flatMap { index -> [Fix.Edit] in
      let outline = program.files[index].outline
      let root = Ref(file: index, node: 0)
      let kept = program.children(root).filter { plans.contains($0) || program.extends($0, plans) }
        .map { program.byteRange($0) }
      let other = Layout(around: root, in: program)
      return (0..<outline.tokens.count).compactMap { index in
        let token = outline.tokens[index]
        let range = Int(token.offset)..<token.end
        guard token.kind == .identifier, outline.name(ofToken: index) == name,
          !kept.contains(where: { $0.overlaps(range) })
        else { return nil }
        return other.edit(range, newName)
      }
    }
  }

  // MARK: The way from one to the other

  private var way: MigrationWay {
    MigrationWay(
      from: version.name, to: newName, doing: Migration(from: frozen, to: newShape))
  }

  private var planEdits: [Fix.Edit]? {
    if let plan { return way.edits(of: plan, in: program) }
    let containers = program.schema.containers.filter { container in
      if case .version(version.id) = container.schema { return true }
      return false
    }
    guard let plan = way.newPlan(in: program) else { return nil }
    let end = program.byteRange(declaration).upperBound
    guard layout.endsLine(end), layout.indentation(at: end).isEmpty else { return nil }
    let text = layout.lineBreak + layout.text([Layout.Line("")] + plan.lines, indentation: "")
    return [layout.insertion(text, at: layout.endOfLine(end))]
      + containers.compactMap { plan.use(in: $0, program) }
  }

  private func givesBackFrozen(_ edits: [Fix.Edit]) -> Bool {
    let shapes = program.shapes(after: edits)
    return shapes[version.name]?.facts == frozen.facts
      && shapes[newName]?.facts == newShape.facts
  }
}

extension Program {
  /// The shapes of all versions by their names once edits are made.
  func shapes(after edits: [Fix.Edit]) -> [String: SchemaShape] {
    let fix = Fix(title: "", isSafe: false, edits: edits)
    let paths = Set(edits.map(\.range.path))
    let files = files.map { file in
      guard paths.contains(file.path) else { return file }
      let bytes = [fix].apply(to: Array(file.outline.text.bytes), path: file.path)
      return SourceFile(path: file.path, outline: Outline(SourceText(bytes)))
    }
    let versions = SchemaProgram(files, input: schemaInput).versions.filter { !$0.isTest }
    return Dictionary(versions.map { ($0.name, $0.shape) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Program {
  /// Whether a declaration is an extension of one of these types.
  fileprivate func extends(_ ref: Ref, _ declarations: Set<Ref>) -> Bool {
    guard kind(ref) == .extensionDecl, let type = type(declaredAt: ref) else { return false }
    return declarations.contains(types[type].ref)
  }
}

extension Layout {
  /// The lines of a text that stands at an offset, each without the indentation of the first one.
  func lines(of text: String, at offset: Int) -> [Line] {
    let indentation = indentation(at: offset)
    return text.split(separator: lineBreak, omittingEmptySubsequences: false).map { line in
      Line(String(line.hasPrefix(indentation) ? line.dropFirst(indentation.count) : line[...]))
    }
  }

  /// Where the comments begin that stand in the lines right above an offset's line.
  func startWithComments(_ offset: Int) -> Int {
    var start = offset
    while true {
      let line = startOfLine(start)
      guard line > 0 else { return start }
      let above = startOfLine(line - 1)
      let text = file.outline.text[above..<line].drop { $0 == " " || $0 == "\t" }
      guard text.hasPrefix("//") else { return start }
      start = above + (file.outline.text[above..<line].utf8.count - text.utf8.count)
    }
  }
}

extension String {
  /// The name with its last number one higher: `SchemaV2` after `SchemaV1`; nil without a number.
  fileprivate var nextVersion: String? {
    let digits = reversed().prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(String(digits.reversed())), number < 10_000 else { return nil }
    return dropLast(digits.count) + String(number + 1)
  }
}
