import PersistIndex
import PersistSchema
import PersistSyntax

/// Says what a store keeps for a property of a Swift type.
struct SchemaStorageReader {
  let models: SchemaModelReader
  /// The structs and typealiases around, so that one that holds itself ends.
  var path: [Int] = []

  /// A stored value, or models at the other end of a relationship.
  enum Kind {
    case value(StoredType)
    case model(Int, isToMany: Bool)
  }

  struct Stored {
    var kind: Kind
    var isOptional: Bool
    /// The declared struct or enum that is stored, also in a collection.
    var valueType: Int?
  }

  private var types: SchemaTypes { models.types }

  /// The storage of a property with this type, or with the type of its initial value.
  func storage(type: NodeView?, value: NodeView?, owner: String) -> Stored {
    if let type { return storage(of: TypeName(type), from: type.ref) }
    if let value, let type = inferredType(of: value) {
      return storage(of: type, from: value.ref)
    }
    return Stored(kind: .value(.unknown("= of \(owner)")), isOptional: false)
  }

  private func storage(of type: TypeName, from place: Ref) -> Stored {
    switch type {
    case .optional(let inner):
      var stored = storage(of: inner, from: place)
      stored.isOptional = true
      return stored
    case .array(let element):
      let stored = storage(of: element, from: place)
      switch stored.kind {
      case .model(let model, _) where !stored.isOptional:
        return Stored(kind: .model(model, isToMany: true), isOptional: false)
      case .model: return unknown(type)
      case .value(let inner):
        var list = collection(element, inner, isOptional: stored.isOptional)
        list.valueType = stored.valueType
        return list
      }
    case .dictionary(let key, let value):
      let stored = storage(of: value, from: place)
      guard case .value(let inner) = stored.kind else { return unknown(type) }
      var members: [Member] = []
      if case .composite(let list) = inner { members = list }
      let text = "\(key.text): \(value.text)"
      return Stored(
        kind: .value(.collection(element: text, members: members)), isOptional: false,
        valueType: stored.valueType)
    case .named(let names, let arguments):
      return storage(of: names, arguments, from: place)
    case .other:
      return unknown(type)
    }
  }

  private func collection(_ element: TypeName, _ inner: StoredType, isOptional: Bool) -> Stored {
    let mark = isOptional ? "?" : ""
    let text: String
    var members: [Member] = []
    switch inner {
    case .composite(let list):
      text = (element.simpleName ?? "struct") + mark
      members = list
    case .unknown(let name): text = name + mark
    case .rawEnum, .payloadEnum, .collection: text = element.simpleName ?? element.text
    default: text = inner.spelling + mark
    }
    return Stored(kind: .value(.collection(element: text, members: members)), isOptional: false)
  }

  private func unknown(_ type: TypeName) -> Stored {
    Stored(kind: .value(.unknown(type.text)), isOptional: false)
  }

  private func storage(of names: [String], _ arguments: [TypeName], from place: Ref) -> Stored {
    switch types.lookUp(names, from: place) {
    case .found(let type):
      guard types.isAlias(type) else { return storage(ofNominal: type) }
      guard !types.isGeneric(type), !path.contains(type),
        let target = types.declaration(type).child(.type)
      else { return unknown(.named(names, arguments)) }
      var inner = self
      inner.path.append(type)
      return inner.storage(of: TypeName(target), from: target.ref)
    case .ambiguous: return unknown(.named(names, arguments))
    case .absent: break
    }
    let name = names.joined(separator: ".")
    if arguments.isEmpty, let known = Self.foundation[name] {
      return Stored(kind: .value(known), isOptional: false)
    }
    return unknown(.named(names, arguments))
  }

  private func storage(ofNominal type: Int) -> Stored {
    if models.isModel(type) {
      return Stored(kind: .model(type, isToMany: false), isOptional: false)
    }
    return Stored(
      kind: .value(
        SchemaValueReader(models: models, path: path).storedType(of: type)),
      isOptional: false, valueType: type)
  }

  /// Types of the standard library and Foundation, and what Core Data keeps for them.
  private static let foundation: [String: StoredType] = [
    "String": .string, "Swift.String": .string, "Substring": .string,
    "Int": .integer64, "Int64": .integer64, "Int32": .integer32, "Int16": .integer16,
    "Int8": .integer16, "UInt8": .integer16, "UInt16": .integer32, "UInt32": .integer64,
    "UInt": .integer64, "UInt64": .integer64,
    "Bool": .boolean, "Double": .double, "TimeInterval": .double, "Float": .float,
    "CGFloat": .double, "Float64": .double, "Float32": .float,
    "Date": .date, "Foundation.Date": .date, "Data": .data, "Foundation.Data": .data,
    "UUID": .uuid, "Foundation.UUID": .uuid, "URL": .url, "Foundation.URL": .url,
    "Decimal": .decimal,
  ]

  // MARK: Types of initial values

  private func inferredType(of value: NodeView) -> TypeName? {
    guard let chain = value.steps, let head = chain.first else { return nil }
    if chain.count == 1 { return literalType(head) }
    guard let last = chain.last else { return nil }
    guard var names = NodeView.names(of: chain.dropLast()) else { return arrayCall(chain) }
    if last.kind == .call {
      if names.last == "init" { names.removeLast() }
      guard let name = names.last, name.first?.isUppercase ?? false else { return nil }
      return .named(names, [])
    }
    guard last.kind == .member, names.last?.first?.isUppercase ?? false else { return nil }
    if names == ["Date"], last.name?.text == "now" { return .named(["Date"], []) }
    if names == ["Date"], last.name?.text == "distantPast" || last.name?.text == "distantFuture" {
      return .named(["Date"], [])
    }
    guard let type = types.resolve(names, from: value.ref),
      types.program.types[type].kind == .enumDecl, hasCase(last.name?.text ?? "", type)
    else { return nil }
    return .named(names, [])
  }

  private func hasCase(_ name: String, _ type: Int) -> Bool {
    types.declaration(type).child(.members)?.children(.enumCaseDecl)
      .contains { $0.children(.enumElement).contains { $0.name?.text == name } } ?? false
  }

  /// `[Stop]()`.
  private func arrayCall(_ chain: [NodeView]) -> TypeName? {
    guard chain.count == 2, chain[0].kind == .array, chain[1].kind == .call else { return nil }
    return TypeName(steps: [chain[0]])
  }

  private func literalType(_ head: NodeView) -> TypeName? {
    switch head.kind {
    case .string: return .named(["String"], [])
    case .literal:
      switch head.outline[token: head.tokens.upperBound - 1].kind {
      case .integer: return .named(["Int"], [])
      case .float: return .named(["Double"], [])
      default:
        return [.true, .false].contains(head.firstToken.keyword) ? .named(["Bool"], []) : nil
      }
    case .array:
      let values = head.arguments.compactMap { $0.value?.steps?.first }
      guard let first = values.first, let type = literalType(first),
        values.allSatisfy({ literalType($0) == type })
      else { return nil }
      return .array(type)
    default: return nil
    }
  }
}

extension TypeName {
  /// The last name of a named type.
  var simpleName: String? {
    switch self {
    case .named(let names, _): names.last
    case .optional(let inner): inner.simpleName
    default: nil
    }
  }
}
