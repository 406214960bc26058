import PersistIndex
import PersistSchema
import PersistSyntax
import PersistVersions

/// The classes of a frozen version as code: what has not changed is copied from the sources, the
/// rest is written from what is frozen.
struct FrozenModelText {
  private(set) var lines: [Layout.Line] = []
  /// The lines of each class, by its entity.
  private(set) var classes: [String: [Layout.Line]] = [:]
  private let program: Program
  private let shape: SchemaShape
  private let now: LiveSchema
  /// The type that the classes are declared in now; nil at top level.
  private let owner: TypeID?

  /// Nothing where a class can't be written from what is known.
  init?(
    _ shape: SchemaShape, now: LiveSchema, inside declaration: Ref? = nil, in program: Program
  ) {
    self.program = program
    owner = declaration.flatMap { program.type(declaredAt: $0) }
    self.shape = shape
    self.now = now
    guard shape.gaps.isEmpty, !shape.entities.isEmpty else { return nil }
    for value in declaration.map(values) ?? [] {
      let layout = Layout(around: value, in: program)
      lines +=
        [Layout.Line("")]
        + layout.lines(of: program.text(value), at: program.byteRange(value).lowerBound)
    }
    for entity in ordered {
      guard let text = model(entity) else { return nil }
      lines += [Layout.Line("")] + text
      classes[entity.key] = text
    }
  }

  /// The text of single properties; no class is written.
  init(propertiesOf shape: SchemaShape, now: LiveSchema, in program: Program) {
    self.program = program
    self.shape = shape
    self.now = now
    owner = nil
  }

  /// The declaration of a property as it is frozen, and whether an initializer has to set it.
  func declaration(of property: Property, in entity: Entity) -> (text: String, needsValue: Bool)? {
    guard let written = made(property, of: entity), written.lines.count == 1 else { return nil }
    return (written.lines[0].text, written.requiredType != nil)
  }

  /// The structs and enums that a version declares for its classes to store.
  private func values(of declaration: Ref) -> [Ref] {
    guard let members = program.child(declaration, .members) else { return [] }
    return program.children(members).filter {
      [.structDecl, .enumDecl].contains(program.kind($0))
    }
  }

  /// The names of the classes as the version lists them, those that are gone last.
  var names: [String] { ordered.map(\.name) }

  /// The member of a version that lists its classes.
  static func list(of classes: [String], access: String = "") -> [Layout.Line] {
    let names = classes.map { "\($0).self" }
    let list = "[\(names.joined(separator: ", "))]"
    let head = "\(access)static var models: [any PersistentModel.Type] {"
    if head.count + list.count < 95 { return [Layout.Line("\(head) \(list) }")] }
    guard list.count > 90 else {
      return [Layout.Line(head), Layout.Line(list, inset: 1), Layout.Line("}")]
    }
    return [Layout.Line(head), Layout.Line("[", inset: 1)]
      + names.map { Layout.Line("\($0),", inset: 2) }
      + [Layout.Line("]", inset: 1), Layout.Line("}")]
  }

  private var ordered: [Entity] {
    let places = now.keys
    return shape.entities.sorted { left, right in
      (places.firstIndex(of: left.key) ?? .max, left.key)
        < (places.firstIndex(of: right.key) ?? .max, right.key)
    }
  }

  private func model(_ entity: Entity) -> [Layout.Line]? {
    guard entity.twin.isEmpty, !entity.isAbstract, entity.superentity == nil,
      entity.hashModifier == nil, now.model(entity.key)?.hasSuperclass != true
    else { return nil }
    let order = now.model(entity.key)?.propertyNames ?? []
    let properties = entity.properties.sorted { left, right in
      (order.firstIndex(of: left.name) ?? .max, left.name)
        < (order.firstIndex(of: right.name) ?? .max, right.name)
    }
    var body: [Layout.Line] = []
    var required: [(name: String, type: String)] = []
    var unique: [[String]] = entity.uniqueness.filter { $0.count > 1 }
    for property in properties {
      guard let written = copied(property, of: entity) ?? made(property, of: entity) else {
        return nil
      }
      body += written.lines
      if let type = written.requiredType { required.append((property.name, type)) }
      if entity.uniqueness.contains([property.name]), !written.isUnique {
        unique.append([property.name])
      }
    }
    let macros = macro("Unique", unique, entity) + macro("Index", entity.indexes, entity)
    let head = macros.isEmpty ? [] : macros + [Layout.Line("")]
    let inner = head + body + [Layout.Line("")] + initializer(required)
    return [Layout.Line("@Model final class \(entity.name) {")] + inner.map(\.indented)
      + [Layout.Line("}")]
  }

  private func macro(_ name: String, _ keys: [[String]], _ entity: Entity) -> [Layout.Line] {
    guard !keys.isEmpty else { return [] }
    let lists = keys.map { "[\($0.map { "\\.\($0)" }.joined(separator: ", "))]" }
    return [Layout.Line("#\(name)<\(entity.name)>(\(lists.joined(separator: ", ")))")]
  }

  private func initializer(_ required: [(name: String, type: String)]) -> [Layout.Line] {
    if required.isEmpty { return [Layout.Line("init() {}")] }
    let parameters = required.map { "\($0.name): \($0.type)" }
    let line = "init(\(parameters.joined(separator: ", "))) {"
    let head =
      line.count < 90
      ? [Layout.Line(line)]
      : [Layout.Line("init(")]
        + parameters.enumerated().map { index, parameter in
          Layout.Line(parameter + (index + 1 < parameters.count ? "," : ""), inset: 1)
        } + [Layout.Line(") {")]
    return head
      + required.map { Layout.Line("self.\($0.name) = \($0.name)", inset: 1) }
      + [Layout.Line("}")]
  }

  // MARK: Properties

  private struct Written {
    var lines: [Layout.Line]
    /// The type of a property that the initializer has to set.
    var requiredType: String?
    var isUnique: Bool
  }

  /// The declaration as it stands in the sources, when that still says what is frozen.
  private func copied(_ property: Property, of entity: Entity) -> Written? {
    guard let model = now.model(entity.key),
      let current = now.shape.entity(entity.key)?.property(property.name),
      current.facts(of: entity.key) == property.facts(of: entity.key),
      uniqueness(of: property, entity)
        == uniqueness(of: property, now.shape.entity(entity.key)),
      let binding = model.place(of: property.name)?.ref,
      let declaration = program.parent(binding), program.kind(declaration) == .variableDecl,
      program.children(declaration, .binding).count == 1,
      program.child(declaration, .ifConfig) == nil, program.child(binding, .accessors) == nil,
      program.meansTheSameElsewhere(
        binding, models: Set(shape.entities.map(\.name)), owner: owner)
    else { return nil }
    let layout = Layout(around: declaration, in: program)
    let text = program.text(declaration)
    let type = program.child(binding, .type).map { program.text($0) }
    let hasValue = program.child(binding, .expression) != nil
    guard hasValue || type != nil else { return nil }
    let isOptional = program.child(binding, .type).map { program.isOptional($0) } ?? false
    return Written(
      lines: layout.lines(of: text, at: program.byteRange(declaration).lowerBound),
      requiredType: hasValue || isOptional ? nil : type,
      isUnique: program.children(declaration, .attribute).contains {
        program.firstCase(of: ["unique"], in: $0) != nil
      })
  }

  private func uniqueness(of property: Property, _ entity: Entity?) -> Bool {
    entity?.uniqueness.contains([property.name]) ?? false
  }

  /// A declaration made from what is frozen.
  private func made(_ property: Property, of entity: Entity) -> Written? {
    switch property.kind {
    case .attribute(let attribute):
      return made(property, attribute, isUnique: uniqueness(of: property, entity))
    case .relationship(let relationship): return made(property, relationship)
    }
  }

  private func made(_ property: Property, _ attribute: Attribute, isUnique: Bool) -> Written? {
    guard let type = attribute.type.swiftName, attribute.coding == .plain else { return nil }
    var options = isUnique ? [".unique"] : []
    if attribute.isExternal { options.append(".externalStorage") }
    if attribute.isPreservedOnDeletion { options.append(".preserveValueOnDeletion") }
    if attribute.isSpotlightIndexed { options.append(".spotlight") }
    if attribute.isEncrypted { options.append(".allowsCloudEncryption") }
    options += names(of: property)
    let mark = options.isEmpty ? "" : "@Attribute(\(options.joined(separator: ", "))) "
    let value = attribute.defaultText.map { " = \($0)" } ?? ""
    guard !value.contains("\n"), !value.contains("\r") else { return nil }
    let suffix = property.isOptional ? "?" : ""
    return Written(
      lines: [Layout.Line("\(mark)var \(property.name): \(type)\(suffix)\(value)")],
      requiredType: value.isEmpty && !property.isOptional ? type : nil, isUnique: isUnique)
  }

  private func made(_ property: Property, _ relationship: Relationship) -> Written? {
    var options = relationship.isOrdered ? [".ordered"] : []
    if relationship.deleteRule != "nullify" {
      options.append("deleteRule: .\(relationship.deleteRule)")
    }
    if relationship.minimum > 0 { options.append("minimumModelCount: \(relationship.minimum)") }
    if relationship.maximum > 1 || relationship.isToMany && relationship.maximum > 0 {
      options.append("maximumModelCount: \(relationship.maximum)")
    }
    options += names(of: property)
    let mark = options.isEmpty ? "" : "@Relationship(\(options.joined(separator: ", "))) "
    let name = relationship.destinationName
    let type = relationship.isToMany ? "[\(name)]" : name
    let suffix = property.isOptional ? "?" : relationship.isToMany ? " = []" : ""
    return Written(
      lines: [Layout.Line("\(mark)var \(property.name): \(type)\(suffix)")],
      requiredType: suffix.isEmpty ? type : nil, isUnique: false)
  }

  private func names(of property: Property) -> [String] {
    (property.originalName.map { ["originalName: \"\($0)\""] } ?? [])
      + (property.hashModifier.map { ["hashModifier: \"\($0)\""] } ?? [])
  }
}

extension Layout.Line {
  /// The line one step further in; an empty one stays empty.
  var indented: Layout.Line { text.isEmpty ? self : Layout.Line(text, inset: inset + 1) }
}

extension StoredType {
  /// The type in Swift, where only one is stored so.
  fileprivate var swiftName: String? {
    switch self {
    case .integer64: "Int"
    case .integer16, .integer32, .float, .double, .decimal, .boolean, .string, .date, .data, .uuid,
      .url:
      spelling
    default: nil
    }
  }
}

extension Program {
  /// Whether a declaration that is copied into another type means what it means where it stands.
  fileprivate func meansTheSameElsewhere(
    _ binding: Ref, models: Set<String>, owner: TypeID?
  ) -> Bool {
    guard let id = property(declaredAt: binding) else { return false }
    let uses = descendants(binding, .name).allSatisfy { name in
      switch declared(name) {
      case .property(let id): properties[id].owner == nil
      case .functions(let all): all.allSatisfy { functions[$0].owner == nil }
      case .type(let type): types[type].parent == nil || types[type].parent == owner
      case .selfValue, .local, .closureArgument: false
      case nil: true
      }
    }
    return uses && isThere(type(ofProperty: id), models, owner)
  }

  /// Whether a type is at top level, or will be in the version as well.
  private func isThere(_ type: SwiftType, _ models: Set<String>, _ owner: TypeID?) -> Bool {
    switch type {
    case .declared(let id, _):
      return types[id].parent == nil || types[id].parent == owner
        || models.contains(nameText(types[id].ref))
    case .optional(let inner), .array(let inner), .set(let inner):
      return isThere(inner, models, owner)
    case .dictionary(let key, let value):
      return isThere(key, models, owner)
        && isThere(value, models, owner)
    case .external(_, let arguments):
      return arguments.allSatisfy { isThere($0, models, owner) }
    case .unknown: return true
    default: return false
    }
  }
}
