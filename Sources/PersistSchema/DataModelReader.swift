/// Reads the XML of Core Data models.
enum DataModelReader {
  struct Contents {
    var shape: SchemaShape
    var lines: [Subject: DataModelLine]
    var cloudConfigurations: [String: Set<String>]
    var generated: [GeneratedClass]
  }

  /// Reads the `contents` of an `.xcdatamodel`.
  static func read(_ bytes: [UInt8], path: String) -> Result<Contents, DataModelProblem> {
    var builder = ModelBuilder()
    let mistake = XMLReader.read(bytes) { event, line in builder.take(event, at: line) }
    if let mistake { return .failure(problem(path, at: mistake)) }
    guard builder.sawModel else {
      return .failure(
        DataModelProblem(
          path: path, message: "not a Core Data model: there is no complete `<model>` in it"))
    }
    let lines = lines(of: bytes)
    return .success(
      Contents(
        shape: builder.shape,
        lines: builder.lines.compactMapValues { $0 <= lines.count ? lines[$0 - 1] : nil },
        cloudConfigurations: builder.cloudConfigurations,
        generated: builder.classes.generated))
  }

  private static func lines(of bytes: [UInt8]) -> [DataModelLine] {
    var offset = 0
    return bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
      .map { index, line in
        let indent = line.prefix { $0 == 0x20 || $0 == 0x09 }.count
        let end = line.last == 0x0D ? line.count - 1 : line.count
        defer { offset += line.count + 1 }
        return DataModelLine(
          number: index + 1, column: indent + 1,
          range: offset + min(indent, end)..<offset + end)
      }
  }

  /// Reads the file name of the current version from an `.xccurrentversion`.
  static func currentVersion(
    _ bytes: [UInt8], path: String
  ) -> Result<String, DataModelProblem> {
    var (name, text, isNext): (String?, String, Bool) = (nil, "", false)
    let mistake = XMLReader.read(bytes) { event, _ in
      switch event {
      case .begin: text = ""
      case .text(let part): text += part
      case .end("key"): isNext = text == "_XCCurrentVersionName"
      case .end("string") where isNext: (name, isNext) = (text, false)
      case .end: break
      }
    }
    if let mistake { return .failure(problem(path, at: mistake)) }
    guard let name, !name.isEmpty else {
      return .failure(
        DataModelProblem(
          path: path, message: "names no current version: choose one in Xcode's file inspector"))
    }
    return .success(name)
  }

  private static func problem(_ path: String, at line: Int) -> DataModelProblem {
    DataModelProblem(path: path, line: line, message: "the XML is not well formed")
  }
}

/// Makes entities of the elements of a model.
private struct ModelBuilder {
  private(set) var sawModel = false
  private(set) var lines: [Subject: Int] = [:]
  private var entities: [Entity] = []
  private var composites: [String: [(member: Member, composite: String?)]] = [:]
  private var open: Entity?
  private var openComposite: String?
  private var compositeOf: [Subject: String] = [:]
  private var list: [String] = []
  private(set) var cloudConfigurations: [String: Set<String>] = [:]
  private var openConfiguration: String?
  private(set) var classes = GeneratedClasses()

  /// The model's shape, with the members of composite attributes filled in.
  var shape: SchemaShape {
    SchemaShape(
      entities: entities.map { entity in
        var entity = entity
        for index in entity.properties.indices {
          let subject = Subject(entity.name, entity.properties[index].name)
          guard let name = compositeOf[subject],
            var attribute = entity.properties[index].attribute
          else { continue }
          attribute.type = .composite(members(of: name, depth: 0))
          entity.properties[index].kind = .attribute(attribute)
        }
        return entity
      })
  }

  private func members(of composite: String, depth: Int) -> [Member] {
    guard depth < 8 else { return [] }
    return (composites[composite] ?? []).map { entry in
      var member = entry.member
      if let name = entry.composite {
        member.type = .composite(members(of: name, depth: depth + 1))
      }
      return member
    }
    .sorted { $0.name < $1.name }
  }

  mutating func take(_ event: XMLEvent, at line: Int) {
    switch event {
    case .begin(let name, let attributes): begin(name, attributes, at: line)
    case .end(let name): end(name, at: line)
    case .text: break
    }
  }

  private mutating func begin(_ element: String, _ attributes: [String: String], at line: Int) {
    switch element {
    case "entity":
      let entity = Entity(xml: attributes)
      lines[Subject(entity.name)] = line
      open = entity
      classes.begin(attributes, at: line)
    case "composite": openComposite = attributes["name"]
    case "attribute":
      if let openComposite {
        composites[openComposite, default: []].append(
          (Member(xml: attributes), attributes["compositeName"]))
      } else {
        classes.add(attribute: attributes, at: line)
        guard !attributes.says("transient") else { return }
        add(Property(attribute: attributes), at: line)
        if let open, let name = attributes["name"], let composite = attributes["compositeName"] {
          compositeOf[Subject(open.name, name)] = composite
        }
        if attributes.says("indexed"), let name = attributes["name"] {
          open?.indexes.append([name])
        }
      }
    case "relationship":
      classes.add(relationship: attributes, at: line)
      guard !attributes.says("transient") else { return }
      add(Property(relationship: attributes), at: line)
    case "uniquenessConstraint", "fetchIndex", "compoundIndex": list = []
    case "constraint", "index":
      if let value = attributes["value"] { list.append(value) }
    case "fetchIndexElement":
      if let name = attributes["property"] { list.append(name) }
    case "configuration":
      openConfiguration = attributes.says("usedWithCloudKit") ? attributes["name"] : nil
      if let openConfiguration { cloudConfigurations[openConfiguration] = [] }
    case "memberEntity":
      if let openConfiguration, let name = attributes["name"] {
        cloudConfigurations[openConfiguration]?.insert(name)
      }
    default: break
    }
  }

  private mutating func end(_ element: String, at line: Int) {
    switch element {
    case "model": sawModel = true
    case "entity":
      guard let done = open else { return }
      classes.end(at: line)
      entities.append(
        Entity(
          name: done.name, isAbstract: done.isAbstract, superentity: done.superentity,
          hashModifier: done.hashModifier, originalName: done.originalName,
          properties: done.properties, uniqueness: done.uniqueness, indexes: done.indexes))
      open = nil
    case "composite": openComposite = nil
    case "uniquenessConstraint":
      if !list.isEmpty { open?.uniqueness.append(list) }
      list = []
    case "fetchIndex", "compoundIndex":
      if !list.isEmpty { open?.indexes.append(list) }
      list = []
    default: break
    }
  }

  private mutating func add(_ property: Property, at line: Int) {
    guard let entity = open else { return }
    lines[Subject(entity.name, property.name)] = line
    open?.properties.append(property)
  }
}

extension [String: String] {
  func says(_ key: String) -> Bool { self[key] == "YES" }
}

extension Entity {
  fileprivate init(xml: [String: String]) {
    self.init(
      name: xml["name"] ?? "", isAbstract: xml.says("isAbstract"), superentity: xml["parentEntity"],
      hashModifier: xml["versionHashModifier"],
      originalName: xml["elementID"] ?? xml["renamingIdentifier"])
  }
}

extension Property {
  fileprivate init(attribute xml: [String: String]) {
    let type = StoredType(coreData: xml["attributeType"] ?? "")
    let coding: Attribute.Coding =
      type == .transformable ? .transformer(xml["valueTransformerName"] ?? "") : .plain
    let attribute = Attribute(
      type: type, defaultText: xml["defaultValueString"] ?? xml["defaultDateTimeInterval"],
      coding: coding, isExternal: xml.says("allowsExternalBinaryDataStorage"),
      isPreservedOnDeletion: xml.says("preservesValueInHistoryOnDeletion"),
      isSpotlightIndexed: xml.says("spotlightIndexingEnabled"),
      isEncrypted: xml.says("allowsCloudEncryption"))
    self.init(xml: xml, kind: .attribute(attribute))
  }

  fileprivate init(relationship xml: [String: String]) {
    let isToMany = xml.says("toMany")
    let maximum = xml["maxCount"].flatMap { Int($0) } ?? 0
    let relationship = Relationship(
      destination: xml["destinationEntity"] ?? "", isToMany: isToMany,
      isOrdered: xml.says("ordered"), minimum: xml["minCount"].flatMap { Int($0) } ?? 0,
      maximum: isToMany ? maximum : 0,
      inverse: xml["inverseName"].map { .given($0) } ?? .none,
      deleteRule: Self.deleteRules[xml["deletionRule"] ?? ""] ?? "nullify")
    self.init(xml: xml, kind: .relationship(relationship))
  }

  private static let deleteRules = [
    "Nullify": "nullify", "Cascade": "cascade", "Deny": "deny", "No Action": "noAction",
  ]

  private init(xml: [String: String], kind: Kind) {
    self.init(
      name: xml["name"] ?? "", isOptional: xml.says("optional"),
      hashModifier: xml["versionHashModifier"],
      originalName: xml["elementID"] ?? xml["renamingIdentifier"], kind: kind)
  }
}

extension Member {
  fileprivate init(xml: [String: String]) {
    self.init(
      name: xml["name"] ?? "", type: StoredType(coreData: xml["attributeType"] ?? ""),
      isOptional: xml.says("optional"),
      defaultText: xml["defaultValueString"] ?? xml["defaultDateTimeInterval"])
  }
}

extension StoredType {
  fileprivate init(coreData name: String) {
    self =
      switch name {
      case "Integer 16": .integer16
      case "Integer 32": .integer32
      case "Integer 64": .integer64
      case "Float": .float
      case "Double": .double
      case "Decimal": .decimal
      case "Boolean": .boolean
      case "String": .string
      case "Date": .date
      case "Binary": .data
      case "UUID": .uuid
      case "URI": .url
      case "Transformable": .transformable
      case "Composite": .composite([])
      case "Object ID": .objectID
      default: .unknown(name)
      }
  }
}
