/// Collects the classes that Xcode generates while a model's XML is read.
struct GeneratedClasses {
  /// A property whose type may name another entity.
  private struct Open {
    var name: String
    var type: String
    var destination: String?
    let line: Int
  }

  private struct Entity {
    let name: String
    let parent: String?
    let className: String?
    let generation: String?
    let line: Int
    var properties: [Open] = []
    var end = 0
  }

  private var entities: [Entity] = []

  mutating func begin(_ xml: [String: String], at line: Int) {
    entities.append(
      Entity(
        name: xml["name"] ?? "", parent: xml["parentEntity"],
        className: xml["representedClassName"], generation: xml["codeGenerationType"], line: line))
  }

  mutating func end(at line: Int) {
    guard !entities.isEmpty else { return }
    entities[entities.count - 1].end = line
  }

  mutating func add(attribute xml: [String: String], at line: Int) {
    guard !entities.isEmpty, let name = xml["name"] else { return }
    let isScalar = xml.says("usesScalarValueType")
    let type =
      switch xml["attributeType"] ?? "" {
      case "Integer 16": isScalar ? "Int16" : "NSNumber?"
      case "Integer 32": isScalar ? "Int32" : "NSNumber?"
      case "Integer 64": isScalar ? "Int64" : "NSNumber?"
      case "Double": isScalar ? "Double" : "NSNumber?"
      case "Float": isScalar ? "Float" : "NSNumber?"
      case "Boolean": isScalar ? "Bool" : "NSNumber?"
      case "Decimal": "NSDecimalNumber?"
      case "String": "String?"
      case "Date": "Date?"
      case "Binary": "Data?"
      case "UUID": "UUID?"
      case "URI": "URL?"
      default: "NSObject?"
      }
    entities[entities.count - 1].properties.append(
      Open(name: name, type: type, destination: nil, line: line))
  }

  mutating func add(relationship xml: [String: String], at line: Int) {
    guard !entities.isEmpty, let name = xml["name"] else { return }
    let isToMany = xml.says("toMany")
    entities[entities.count - 1].properties.append(
      Open(
        name: name, type: xml.says("ordered") ? "NSOrderedSet?" : "NSSet?",
        destination: isToMany ? nil : xml["destinationEntity"], line: line))
  }

  /// What Xcode generates and what is left to the sources, in source order.
  var generated: [GeneratedClass] {
    let names = Dictionary(
      entities.map { ($0.name, $0.className.map(simpleName) ?? "NSManagedObject") },
      uniquingKeysWith: { first, _ in first })
    return entities.compactMap { entity in
      guard let name = entity.className, !simpleName(name).isEmpty, entity.end > 0,
        simpleName(name) != "NSManagedObject"
      else { return nil }
      let isManual = entity.generation != "class" && entity.generation != "category"
      return GeneratedClass(
        name: name, isExtension: entity.generation == "category", isManual: isManual,
        superclass: entity.parent.flatMap { names[$0] } ?? "NSManagedObject",
        properties: entity.properties.map { property in
          let type =
            property.destination.map { "\(names[$0] ?? "NSManagedObject")?" } ?? property.type
          return GeneratedClass.Property(name: property.name, type: type, line: property.line)
        }, line: entity.line, end: entity.end)
    }
  }

  private func simpleName(_ name: String) -> String {
    name.split(separator: ".").last.map(String.init) ?? ""
  }
}
