import PersistIndex
import PersistSchema
import PersistSyntax

/// Reads structs and enums that are stored in attributes.
struct SchemaValueReader {
  let models: SchemaModelReader
  /// The structs around, so that one that holds itself ends.
  var path: [Int] = []

  private var types: SchemaTypes { models.types }

  /// What a store keeps for a value of a declared type that is no model.
  func storedType(of type: Int) -> StoredType {
    let unknown = StoredType.unknown(types.qualifiedName(type))
    guard types.program.isWithin(path.count, .storedStructs), !path.contains(type),
      !types.isGeneric(type)
    else {
      return unknown
    }
    switch types.program.types[type].kind {
    case .structDecl:
      guard !codesItself(type) else { return unknown }
      return structure(type) ?? unknown
    case .enumDecl:
      guard !codesItself(type) else { return unknown }
      return enumeration(type) ?? unknown
    default: return unknown
    }
  }

  /// Whether a type says itself how it is encoded, or as what it is represented.
  private func codesItself(_ type: Int) -> Bool {
    if types.inheritance(of: type).contains(where: { $0.simpleName == "RawRepresentable" }) {
      return true
    }
    return types.memberLists(of: type).contains { list in
      list.children(.functionDecl).contains { $0.name?.text == "encode" }
        || list.children(.initDecl).contains { initializer in
          let parameters = initializer.parameters
          return parameters.count == 1 && parameters[0].node.label?.text == "from"
            && parameters[0].type?.lastName?.text == "Decoder"
        }
    }
  }

  private func structure(_ type: Int) -> StoredType? {
    guard let list = types.declaration(type).child(.members) else { return .composite([]) }
    var members: [Member] = []
    var isLost = false
    list.forEachActive(types.conditions) { part, isConditional in
      guard part.kind == .variableDecl, !part.isStatic else { return }
      if isConditional || part.child(.attribute) != nil { isLost = true }
      for binding in part.children(.binding) {
        guard let name = binding.name?.text, !isComputed(binding) else { continue }
        let stored = SchemaStorageReader(models: models, path: path + [type]).storage(
          type: binding.child(.type), value: binding.child(.expression),
          owner: "\(types.qualifiedName(type)).\(name)")
        guard case .value(let inner) = stored.kind else {
          isLost = true
          continue
        }
        members.append(
          Member(
            name: name, type: inner, isOptional: stored.isOptional,
            defaultText: binding.child(.expression)?.text))
      }
    }
    return isLost ? nil : .composite(members.sorted { $0.name < $1.name })
  }

  private func enumeration(_ type: Int) -> StoredType? {
    var elements: [NodeView] = []
    var isLost = false
    types.declaration(type).child(.members)?.forEachActive(types.conditions) {
      part, isConditional in
      guard part.kind == .enumCaseDecl else { return }
      if isConditional { isLost = true }
      elements += part.children(.enumElement)
    }
    if isLost { return nil }
    if elements.contains(where: { $0.child(.parameters) != nil }) {
      let cases = elements.map { element in
        Member(
          name: element.name?.text ?? "",
          type: .unknown(element.child(.parameters).map(Self.words) ?? "()"))
      }
      return .payloadEnum(cases.sorted { $0.name < $1.name })
    }
    let raw = types.inheritance(of: type).lazy.compactMap { Self.rawTypes[$0.text] }.first ?? "?"
    let values = elements.map { element in
      element.child(.expression)?.stringValue ?? element.child(.expression)?.text
        ?? element.name?.text ?? ""
    }
    let isPlain = values.allSatisfy { !$0.contains(",") }
    return .rawEnum(raw: raw, cases: isPlain ? values.sorted() : [])
  }

  /// The tokens of a node with spaces between them.
  private static func words(_ node: NodeView) -> String {
    node.tokens.map { node.outline.text(ofToken: $0) }.joined(separator: " ")
  }

  private static let rawTypes = [
    "String": "String", "Int": "Int64", "Int64": "Int64", "Int32": "Int32", "Int16": "Int16",
    "Int8": "Int16", "UInt": "Int64", "UInt8": "Int16", "UInt16": "Int32", "UInt32": "Int64",
    "UInt64": "Int64", "Double": "Double", "Float": "Float", "Character": "String",
  ]
}
