import PersistIndex
import PersistSchema
import PersistSyntax

/// Reads `@Model` classes.
final class SchemaModelReader {
  let types: SchemaTypes
  private var known: [Int: ModelDeclaration?] = [:]

  init(_ types: SchemaTypes) { self.types = types }

  /// Whether a type is a model class: it has `@Model`, or a class it inherits from has.
  func isModel(_ type: Int) -> Bool {
    var type = type
    var steps = 0
    while types.program.isWithin(steps, .superclasses) {
      let declaration = types.declaration(type)
      guard declaration.kind == .classDecl else { return false }
      if declaration.children(.attribute).contains(where: { $0.attributeName == "Model" }) {
        return types.maySpeakOfSwiftData(declaration.ref)
      }
      guard let superclass = superclass(of: type) else { return false }
      type = superclass
      steps += 1
    }
    return false
  }

  /// The class that a class inherits from, when its declaration is known.
  private func superclass(of type: Int) -> Int? {
    guard let first = types.declaration(type).child(.inheritance)?.child(.type),
      case .named(let names, _) = TypeName(first),
      let other = types.resolve(names, from: first.ref),
      other != type, types.program.types[other].kind == .classDecl
    else { return nil }
    return other
  }

  /// The model that a type declares; nil when it is none.
  func model(_ type: Int) -> ModelDeclaration? {
    if let model = known[type] { return model }
    let model = isModel(type) ? read(type) : nil
    known[type] = model
    return model
  }

  private func read(_ type: Int) -> ModelDeclaration {
    let declaration = types.declaration(type)
    var reader = ModelMemberReader(models: self, type: type)
    if let list = declaration.child(.members) { reader.read(list) }
    if types.isGeneric(type) { reader.addGap("is generic") }
    let superclass = superclass(of: type).flatMap { isModel($0) ? $0 : nil }
    return ModelDeclaration(
      id: type, name: types.name(type), qualifiedName: types.qualifiedName(type),
      place: types.namePlace(declaration), superclass: superclass, properties: reader.properties,
      transients: reader.transients, uniqueness: reader.uniqueness, indexes: reader.indexes,
      gaps: reader.gaps, isTest: types.isTest(declaration.ref))
  }
}

/// Collects the stored properties of one model class.
private struct ModelMemberReader {
  let models: SchemaModelReader
  let type: Int
  var properties: [ModelDeclaration.StoredProperty] = []
  var transients: [String] = []
  var uniqueness: [[String]] = []
  var indexes: [[String]] = []
  var gaps: [Gap] = []

  private var types: SchemaTypes { models.types }
  private var name: String { types.name(type) }

  init(models: SchemaModelReader, type: Int) {
    self.models = models
    self.type = type
  }

  mutating func addGap(_ reason: String, property: String = "") {
    gaps.append(
      Gap(
        entity: name, property: property,
        reason: "\(types.qualifiedName(type))\(property.isEmpty ? "" : "." + property) \(reason)"))
  }

  mutating func read(_ list: NodeView) {
    var pending: [NodeView] = []
    var pendingIsOpen = false
    var found: [(part: NodeView, isConditional: Bool)] = []
    list.forEachActive(types.conditions) { found.append(($0, $1)) }
    for (part, isConditional) in found {
      switch part.kind {
      case .attribute:
        pending.append(part)
        pendingIsOpen = pendingIsOpen || isConditional
      case .variableDecl:
        readVariable(part, extra: pending, isOpen: isConditional || pendingIsOpen)
        pending = []
        pendingIsOpen = false
      case .expression:
        readMacro(part, isConditional: isConditional)
      default:
        pending = []
        pendingIsOpen = false
      }
    }
  }

  private mutating func readMacro(_ part: NodeView, isConditional: Bool) {
    guard let chain = part.steps, chain.count == 2, chain[0].kind == .macro,
      let macro = chain[0].name?.text, macro == "Unique" || macro == "Index"
    else { return }
    if isConditional { return addGap("has `#\(macro)` under an `#if` that is not decided") }
    for argument in chain[1].arguments {
      guard let value = argument.value, let keys = keyPaths(in: value) else {
        addGap("has `#\(macro)` with key paths that are not written out")
        continue
      }
      if macro == "Unique" { uniqueness.append(keys) } else { indexes.append(keys) }
    }
  }

  /// `[\.a, \.b.c]`, also inside `.binary(…)`.
  private func keyPaths(in value: NodeView) -> [String]? {
    guard let chain = value.steps, let head = chain.first else { return nil }
    if head.kind == .implicitMember, chain.count == 2,
      let inner = chain[1].arguments.first?.value
    {
      return keyPaths(in: inner)
    }
    guard chain.count == 1, head.kind == .array else { return nil }
    let keys = head.arguments.map { argument -> String? in
      guard let parts = argument.value?.steps, parts.count == 1,
        parts[0].kind == .keyPath
      else { return nil }
      return keyPathNames(parts[0]).joined(separator: ".")
    }
    return keys.contains(nil) ? nil : keys.compactMap { $0 }
  }

  private mutating func readVariable(_ part: NodeView, extra: [NodeView], isOpen: Bool) {
    guard !part.isStatic else { return }
    let attributes = part.children(.attribute) + extra
    let isTransient = attributes.contains { $0.attributeName == "Transient" }
    let bindings = part.children(.binding)
    for (index, binding) in bindings.enumerated() {
      guard let name = binding.name?.text, !isComputed(binding) else { continue }
      var options = PropertyOptions(attributes)
      if isTransient || options.isEphemeral {
        transients.append(name)
        continue
      }
      // In `var x, y: Double` the type stands at the last name.
      let typePart =
        binding.child(.type)
        ?? (binding.child(.expression) == nil
          ? bindings[index...].lazy.compactMap { $0.child(.type) }.first : nil)
      if isOpen { addGap("stands under an `#if` that is not decided", property: name) }
      if let problem = options.problem { addGap(problem, property: name) }
      if options.isUnique { uniqueness.append([name]) }
      options.defaultText = binding.child(.expression)?.text
      let stored = SchemaStorageReader(models: models)
        .storage(
          type: typePart, value: binding.child(.expression),
          owner: "\(types.qualifiedName(type)).\(name)")
      properties.append(
        property(name, stored, options: options, place: types.namePlace(binding)))
    }
  }

  private func property(
    _ name: String, _ stored: SchemaStorageReader.Stored, options: PropertyOptions,
    place: SchemaPlace
  ) -> ModelDeclaration.StoredProperty {
    let kind: Property.Kind
    switch stored.kind {
    case .model(let model, let isToMany):
      kind = .relationship(
        Relationship(
          destination: types.name(model), isToMany: isToMany,
          isOrdered: options.isOrdered, minimum: options.minimum, maximum: options.maximum,
          inverse: options.inverse.map { .given($0) } ?? .none, deleteRule: options.deleteRule))
      return ModelDeclaration.StoredProperty(
        property: Property(
          name: name, isOptional: stored.isOptional, hashModifier: options.hashModifier,
          originalName: options.originalName, kind: kind), model: model, place: place)
    case .value(let type):
      let isTransformed = if case .transformer = options.coding { true } else { false }
      kind = .attribute(
        Attribute(
          type: isTransformed ? .transformable : type, defaultText: options.defaultText,
          coding: options.coding, isExternal: options.isExternal,
          isPreservedOnDeletion: options.isPreserved, isSpotlightIndexed: options.isSpotlight,
          isEncrypted: options.isEncrypted))
      return ModelDeclaration.StoredProperty(
        property: Property(
          name: name, isOptional: stored.isOptional, hashModifier: options.hashModifier,
          originalName: options.originalName, kind: kind), model: nil, place: place,
        valueType: stored.valueType)
    }
  }
}

/// Whether a binding has a getter, so that nothing is stored.
func isComputed(_ binding: NodeView) -> Bool {
  guard let accessors = binding.child(.accessors) else { return false }
  return !accessors.children(.accessor).allSatisfy {
    ["willSet", "didSet"].contains($0.name?.text)
  }
}

/// The names of a key path behind its root: `a.b` of `\.a.b` and of `\Trip.a.b`.
func keyPathNames(_ keyPath: NodeView) -> [String] {
  KeyPathView(keyPath)?.members.map(\.text) ?? []
}
