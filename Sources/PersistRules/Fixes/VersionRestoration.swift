import PersistIndex
import PersistSchema
import PersistSyntax
import PersistVersions

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
    let models = FrozenModelText(
      frozen, now: LiveSchema(version), inside: declaration, in: program)
    var edits: [Fix.Edit] = []
    for entity in frozen.entities {
      let ofEntity = { (fact: Fact) in fact.subject.entity == entity.key }
      guard frozen.facts.filter(ofEntity) != version.shape.facts.filter(ofEntity) else { continue }
      if let edit = models.flatMap({ self.edit(of: entity, $0) }) {
        edits.append(edit)
      } else if let changes = self.edits(ofPropertiesOf: entity) {
        edits += changes
      } else {
        return nil
      }
    }
    guard !edits.isEmpty, givesBackFrozen(edits) else { return nil }
    return Fix(
      title: "Restore `\(version.name)` as it shipped", isSafe: false, edits: edits,
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

  // MARK: A class with more than its state

  /// What gives the stored properties of a class back one by one; nothing where other code of the
  /// version may depend on what changes.
  private func edits(ofPropertiesOf entity: Entity) -> [Fix.Edit]? {
    guard let now = version.shape.entity(entity.key), let use = version.use(entity.key),
      use.isNested
    else { return nil }
    let text = FrozenModelText(propertiesOf: frozen, now: LiveSchema(version), in: program)
    var edits: [Fix.Edit] = []
    for property in now.properties {
      guard let old = entity.property(property.name) else {
        guard let edit = removal(of: property, use.model) else { return nil }
        edits.append(edit)
        continue
      }
      guard old.facts(of: entity.key) != property.facts(of: entity.key) else { continue }
      guard let edit = exchange(of: property, for: old, of: entity, use.model, text) else {
        return nil
      }
      edits.append(edit)
    }
    let gone = entity.properties.filter { now.property($0.name) == nil }
    guard let lines = lines(for: gone, of: entity, text) else { return nil }
    guard !lines.isEmpty else { return edits }
    guard
      let last = now.properties.filter({ entity.property($0.name) != nil })
        .compactMap({ variable(of: $0, use.model) }).max(),
      let addition = Layout(around: last, in: program)
        .edits(adding: lines, .behind, last, in: program)
    else { return nil }
    return edits + addition
  }

  /// The declarations of properties that are gone; nothing where an initializer has to set one.
  private func lines(for properties: [Property], of entity: Entity, _ text: FrozenModelText)
    -> [Layout.Line]?
  {
    var lines: [Layout.Line] = []
    for property in properties {
      guard let written = text.declaration(of: property, in: entity), !written.needsValue else {
        return nil
      }
      lines.append(Layout.Line(written.text))
    }
    return lines
  }

  /// The statement that declares a stored property of the version's own class, and nothing else.
  private func variable(of property: Property, _ model: ModelDeclaration) -> Ref? {
    guard let binding = model.place(of: property.name)?.ref,
      let variable = program.parent(binding), program.kind(variable) == .variableDecl,
      program.contains(declaration, variable),
      program.children(variable, .binding).count == 1, program.child(binding, .accessors) == nil
    else { return nil }
    return variable
  }

  private func removal(of property: Property, _ model: ModelDeclaration) -> Fix.Edit? {
    guard let variable = variable(of: property, model),
      !isUsed(property, besides: variable)
    else { return nil }
    let layout = Layout(around: variable, in: program)
    let range = program.byteRange(variable)
    guard layout.startsLine(range.lowerBound), layout.endsLine(range.upperBound) else { return nil }
    let start = layout.startOfLine(range.lowerBound)
    return start == 0 ? nil : layout.edit(start - 1..<layout.endOfLine(range.upperBound), "")
  }

  private func exchange(
    of property: Property, for old: Property, of entity: Entity, _ model: ModelDeclaration,
    _ text: FrozenModelText
  ) -> Fix.Edit? {
    guard let variable = variable(of: property, model),
      let binding = program.child(variable, .binding),
      let written = text.declaration(of: old, in: entity)
    else { return nil }
    let isSet = program.child(binding, .expression) == nil && !property.isOptional
    guard isSet || !written.needsValue,
      property.hasType(of: old) || !isUsed(property, besides: variable)
    else { return nil }
    return Layout(around: variable, in: program).edit(program.byteRange(variable), written.text)
  }

  /// Whether code of the version names a property elsewhere than in its declaration.
  private func isUsed(_ property: Property, besides variable: Ref) -> Bool {
    let name = Name(property.name)
    return [Node.Kind.name, .member].contains { kind in
      program.descendants(declaration, kind).contains {
        program.name($0) == name && !program.contains(variable, $0)
      }
    }
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

extension Property {
  /// Whether the values of two properties are of one type.
  fileprivate func hasType(of other: Property) -> Bool {
    guard isOptional == other.isOptional else { return false }
    switch (kind, other.kind) {
    case (.attribute(let one), .attribute(let two)):
      return one.type == two.type && one.coding == two.coding
    case (.relationship(let one), .relationship(let two)):
      return one.destinationName == two.destinationName && one.isToMany == two.isToMany
    default: return false
    }
  }
}
