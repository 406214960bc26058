import PersistIndex
import PersistSchema
import PersistVersions

/// Swift code that makes one object of an entity, every value by its type.
struct SampleObject {
  /// The variable that holds it.
  let variable: String
  /// Makes it and sets what can be set.
  let lines: [String]
  /// What the plain attributes hold, by their names.
  let values: [String: String]

  /// Nothing when no initializer can be called with known values; `made` holds the variables of the
  /// objects that stand there already, by entity.
  init?(
    of use: ModelUse, in shape: SchemaShape, files: [SourceFile], made: [String: String]
  ) {
    guard let entity = shape.entity(use.key), !entity.isAbstract else { return nil }
    let sample = Sample(properties: shape.allProperties(of: entity), entity: entity, made: made)
    let calls = use.model.initializers(in: files).compactMap { initializer in
      sample.arguments(of: initializer).map { (initializer, $0) }
    }
    guard let (initializer, arguments) = calls.first else { return nil }
    let variable = entity.name.prefix(1).lowercased() + entity.name.dropFirst()
    self.variable = Self.keywords.contains(variable) ? "\(variable)Object" : variable
    let mark = initializer.isThrowing ? "try " : ""
    var lines = [
      "let \(self.variable) = \(mark)\(use.model.qualifiedName)(\(arguments.joined(separator: ", ")))"
    ]
    values = sample.plainValues
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      lines.append("\(self.variable).\(name) = \(value)")
    }
    for (name, value) in sample.requiredRelationships {
      lines.append("\(self.variable).\(name) = \(value)")
    }
    self.lines = lines
  }

  private static let keywords: Set<String> = [
    "case", "class", "default", "enum", "extension", "func", "import", "in", "is", "operator",
    "protocol", "repeat", "return", "self", "static", "struct", "switch", "throw", "where", "while",
  ]
}

/// The values for the properties of one entity.
private struct Sample {
  let properties: [Property]
  let entity: Entity
  let made: [String: String]

  /// What attributes of a plain type are set to, those with an inverse or structure left out.
  var plainValues: [String: String] {
    var values: [String: String] = [:]
    for property in properties {
      guard let type = property.attribute?.type, let value = value(of: type, property.name) else {
        continue
      }
      values[property.name] = value
    }
    return values
  }

  /// To-one relationships that must not be nil.
  var requiredRelationships: [(String, String)] {
    properties.compactMap { property in
      guard let relationship = property.relationship, !relationship.isToMany, !property.isOptional,
        let other = made[relationship.destination]
      else { return nil }
      return (property.name, other)
    }
  }

  /// The arguments of a call; nil when one has no known value.
  func arguments(of initializer: ModelInitializer) -> [String]? {
    var arguments: [String] = []
    for parameter in initializer.parameters where !parameter.hasDefault {
      guard let value = value(of: parameter) else { return nil }
      arguments.append(parameter.label.map { "\($0): \(value)" } ?? value)
    }
    return arguments
  }

  private func value(of parameter: ModelInitializer.Parameter) -> String? {
    if parameter.type.hasSuffix("?") { return "nil" }
    let named = properties.first { $0.name == parameter.name || $0.name == parameter.label }
    if let property = named {
      if let type = property.attribute?.type {
        if case .rawEnum(_, let cases) = type { return cases.first.map { ".\($0)" } }
        if case .collection = type, parameter.type.hasPrefix("[") {
          return parameter.type.contains(":") ? "[:]" : "[]"
        }
        return self.value(of: type, property.name)
      }
      if let relationship = property.relationship {
        return relationship.isToMany ? "[]" : made[relationship.destination]
      }
    }
    let words: [String: StoredType] = [
      "String": .string, "Int": .integer64, "Double": .double, "Bool": .boolean, "Date": .date,
      "UUID": .uuid, "URL": .url, "Data": .data, "Float": .float, "Decimal": .decimal,
    ]
    if parameter.type.hasPrefix("["), parameter.type.hasSuffix("]") {
      return parameter.type.contains(":") ? "[:]" : "[]"
    }
    return words[parameter.type].flatMap { self.value(of: $0, parameter.name) }
  }

  /// A literal of a plain type; nil for structures and what else has no literal.
  private func value(of type: StoredType, _ name: String) -> String? {
    switch type {
    case .string: "\"\(entity.name).\(name)\""
    case .integer16, .integer32, .integer64: "7"
    case .float, .double, .decimal: "1.5"
    case .boolean: "true"
    case .date: "Date(timeIntervalSinceReferenceDate: 700_000_000)"
    case .data: "Data([1, 2, 3])"
    case .uuid: "ShippedStores.identifier"
    case .url: "URL(fileURLWithPath: \"/\(entity.name)/\(name)\")"
    default: nil
    }
  }
}

extension SchemaShape {
  /// The properties of an entity, those of its superentities included.
  fileprivate func allProperties(of entity: Entity) -> [Property] {
    var properties = entity.properties
    var seen: Set<String> = [entity.key]
    var next = entity.superentity
    while let key = next, seen.insert(key).inserted, let parent = self.entity(key) {
      properties += parent.properties
      next = parent.superentity
    }
    return properties
  }
}
