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
    let declaration = types.part(ofType: type)
    let unknown = StoredType.unknown(types.qualifiedName(type))
    guard types.program.isWithin(path.count, .storedStructs), !path.contains(type),
      !types.isGeneric(type)
    else {
      return unknown
    }
    switch declaration.kind {
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
      list.all(.functionDecl).contains { $0.name == "encode" }
        || list.all(.initDecl).contains { part in
          let parameters = part.first(.parameters)?.all(.parameter) ?? []
          return parameters.count == 1 && parameters[0].label == "from"
            && parameters[0].first(.type)?.typeView?.lastName?.text == "Decoder"
        }
    }
  }

  private func structure(_ type: Int) -> StoredType? {
    guard let list = types.part(ofType: type).first(.members) else { return .composite([]) }
    var members: [Member] = []
    var isLost = false
    list.forEachActive(types.conditions) { part, isConditional in
      guard part.kind == .variableDecl, !part.isStatic else { return }
      if isConditional || !part.all(.attribute).isEmpty { isLost = true }
      for binding in part.all(.binding) {
        guard let name = binding.name, !isComputed(binding) else { continue }
        let stored = SchemaStorageReader(models: models, path: path + [type]).storage(
          type: binding.first(.type), value: binding.first(.expression),
          owner: "\(types.qualifiedName(type)).\(name)")
        guard case .value(let inner) = stored.kind else {
          isLost = true
          continue
        }
        members.append(
          Member(
            name: name, type: inner, isOptional: stored.isOptional,
            defaultText: binding.first(.expression)?.text))
      }
    }
    return isLost ? nil : .composite(members.sorted { $0.name < $1.name })
  }

  private func enumeration(_ type: Int) -> StoredType? {
    var elements: [Part] = []
    var isLost = false
    types.part(ofType: type).first(.members)?.forEachActive(types.conditions) {
      part, isConditional in
      guard part.kind == .enumCaseDecl else { return }
      if isConditional { isLost = true }
      elements += part.all(.enumElement)
    }
    if isLost { return nil }
    if elements.contains(where: { $0.first(.parameters) != nil }) {
      let cases = elements.map { element in
        Member(
          name: element.name ?? "",
          type: .unknown(
            element.first(.parameters)?.tokenTexts.joined(separator: " ") ?? "()"))
      }
      return .payloadEnum(cases.sorted { $0.name < $1.name })
    }
    let raw = types.inheritance(of: type).lazy.compactMap { Self.rawTypes[$0.text] }.first ?? "?"
    let values = elements.map { element in
      element.first(.expression)?.stringValue ?? element.first(.expression)?.text
        ?? element.name ?? ""
    }
    let isPlain = values.allSatisfy { !$0.contains(",") }
    return .rawEnum(raw: raw, cases: isPlain ? values.sorted() : [])
  }

  private static let rawTypes = [
    "String": "String", "Int": "Int64", "Int64": "Int64", "Int32": "Int32", "Int16": "Int16",
    "Int8": "Int16", "UInt": "Int64", "UInt8": "Int16", "UInt16": "Int32", "UInt32": "Int64",
    "UInt64": "Int64", "Double": "Double", "Float": "Float", "Character": "String",
  ]
}
