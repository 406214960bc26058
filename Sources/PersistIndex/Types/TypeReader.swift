import PersistSyntax

/// Reads a written type into a `SwiftType`; whoever asks says what names mean.
struct TypeReader {
  /// The type that a path of names with the generic arguments of the last one means.
  let resolve: (_ path: [Name], _ arguments: [SwiftType]) -> SwiftType
  let compose: (SwiftType, SwiftType) -> SwiftType

  func read(_ view: TypeView) -> SwiftType {
    switch view.kind {
    case .namedType, .memberType:
      return resolve(path(of: view), view.genericArguments.map { read($0) })
    case .optionalType, .unwrappedType: return .optional(base(view))
    case .metatype: return .metatype(base(view))
    case .arrayType, .inlineArrayType: return .array(base(view))
    case .dictionaryType:
      guard let (key, value) = view.keyAndValue else { return .unknown }
      return .dictionary(read(key), read(value))
    case .tupleType:
      let elements = view.elements
      let parts = elements.map { read($0) }
      return parts.count == 1
        ? parts[0] : .tuple(parts, elements.map { $0.label.map { name(of: $0) } ?? .none })
    case .functionType:
      guard let function = view.function, let result = function.result else { return .unknown }
      return .function(function.parameters.map { read($0) }, read(result))
    case .compositionType:
      let members = view.members.map { read($0) }
      return members.dropFirst().reduce(members.first ?? .unknown, compose)
    case .someType, .anyType, .variadicType, .attributedType, .packExpansionType,
      .packElementType:
      return base(view)
    default: return .unknown
    }
  }

  private func base(_ view: TypeView) -> SwiftType {
    view.base.map { read($0) } ?? .unknown
  }

  private func read(_ element: TypeElementView) -> SwiftType {
    element.type.map { read($0) } ?? .unknown
  }

  private func path(of view: TypeView) -> [Name] { view.path.map { name(of: $0) } }

  private func name(of token: TokenText) -> Name {
    let name = token.name
    return name == "_" ? .none : name
  }
}

/// The type that a type node spells.
struct TypeOfNode: Query {
  let node: Ref

  func _rawHashValue(seed: Int) -> Int { node._rawHashValue(seed: seed) }
  static var provisional: SwiftType { .unknown }
  static func memo(in program: Program) -> Memo<Self> { program.typesOfNodes }
  func answer(in program: Program) -> SwiftType { program.readType(node) }
}

extension Program {
  /// The type that a node spells, as it is written there.
  package func written(_ ref: Ref) -> TypeView? {
    TypeView(nodeView(ref))
  }

  /// The last name of the type that a node spells: `Error` of `any Swift.Error`; `.none` for an
  /// array, a dictionary, a tuple or a function.
  package func writtenName(_ ref: Ref) -> Name {
    name(written(ref)?.lastName)
  }

  /// Whether the type that a node spells is an optional.
  package func isOptional(_ ref: Ref) -> Bool {
    if case .optional = type(ofTypeNode: ref) { return true }
    return written(ref)?.isOptional ?? false
  }

  /// Whether the type that a node spells is `Void`.
  package func isVoid(_ ref: Ref) -> Bool {
    switch type(ofTypeNode: ref) {
    case .tuple(let parts, _): parts.isEmpty
    case .external(let name, _): name == "Void"
    default: false
    }
  }

  /// The type that a type node spells; `.unknown` where it can't be told. A generic parameter is
  /// what it conforms to.
  package func type(ofTypeNode ref: Ref) -> SwiftType { erased(signatureType(ofTypeNode: ref)) }

  /// The type that a type node spells, with generic parameters as they are.
  package func signatureType(ofTypeNode ref: Ref) -> SwiftType { answer(TypeOfNode(node: ref)) }

  fileprivate func readType(_ node: Ref) -> SwiftType {
    written(node).map { read($0, at: node) } ?? .unknown
  }

  /// The type that a part of a type spells, with the node from which names are looked up.
  package func read(_ view: TypeView, at place: Ref) -> SwiftType {
    let reader = TypeReader(
      resolve: { self.signatureType($0, arguments: $1, from: place) },
      compose: { self.composition($0, $1) })
    return reader.read(view).bounded(in: self)
  }

  /// The types in the angle brackets behind a name in an expression.
  package func genericArguments(_ ref: Ref) -> [SwiftType] {
    nodeView(ref).children(TypeView.self).map { erased(read($0, at: ref)) }
  }

  /// The type that a path of names means at a place.
  package func resolve(_ path: [Name], arguments: [SwiftType], from place: Ref) -> SwiftType {
    erased(signatureType(path, arguments: arguments, from: place))
  }

  /// The type that a path of names means at a place, with generic parameters as they are.
  private func signatureType(_ path: [Name], arguments: [SwiftType], from place: Ref) -> SwiftType {
    guard let first = path.first, let last = path.last else { return .unknown }
    if path.count == 1, let standard = Self.standardType(first, arguments) { return standard }
    if let parameter = typeParameter(first, at: place) {
      if path.count == 1 || first != "Self" || isAbstract(parameter) {
        return path.dropFirst().reduce(.parameter(parameter)) { .associated($0, $1) }
      }
    }
    let file = Int(place.file)
    switch lookUpHead(of: path, from: place) {
    case .found(let head):
      guard let type = lookUp(head.rest, in: head.type, file: file).only else { return .unknown }
      return resolved(type, arguments: arguments)
    case .ambiguous: return path.count > 1 ? .unknown : .external(last, arguments)
    case .absent:
      if path.count > 1, let foreign = foreignType(named: first),
        let type = lookUp(path.dropFirst(), in: foreign, file: file).only
      {
        return resolved(type, arguments: arguments)
      }
      if path.count == 1, let found = associatedType(last, broughtAlongAt: place) { return found }
      return .external(last, arguments)
    }
  }

  /// Whether a parameter is the `Self` of a protocol, whose members others bring along.
  private func isAbstract(_ parameter: TypeParameter) -> Bool {
    parameter.owner.flatMap { type(declaredAt: $0) }.map { isProtocol($0) } ?? false
  }

  func isProtocol(_ type: TypeID) -> Bool { types[type].kind == .protocolDecl }

  /// The type itself, or what a typealias stands for.
  private func resolved(_ type: TypeID, arguments: [SwiftType]) -> SwiftType {
    guard types[type].kind == .typealiasDecl else {
      return declaredType(type, arguments: arguments)
    }
    let target = aliasTarget(type)
    if case .external(let name, let own) = target, own.isEmpty {
      return .external(name, arguments)
    }
    return arguments.isEmpty ? target : substitute(target, bindings(of: type, to: arguments))
  }

  static func standardType(_ name: Name, _ arguments: [SwiftType]) -> SwiftType? {
    guard let form = standardForms[name] else { return nil }
    switch (form, arguments.count) {
    case (.void, 0): return .void
    case (.optional, 1): return .optional(arguments[0])
    case (.array, 1): return .array(arguments[0])
    case (.set, 1): return .set(arguments[0])
    case (.dictionary, 2): return .dictionary(arguments[0], arguments[1])
    case (.wrapper, 1): return arguments[0]
    default: return nil
    }
  }

  private enum StandardForm { case void, optional, array, set, dictionary, wrapper }

  private static let standardForms: [Name: StandardForm] = {
    let names: [(StandardForm, [Name])] = [
      (.void, ["Void"]), (.optional, ["Optional"]),
      (
        .array,
        [
          "Array", "FetchedResults", "Results", "List", "ContiguousArray", "ArraySlice",
          "Collection", "Sequence", "RandomAccessCollection", "BidirectionalCollection",
          "MutableCollection",
        ]
      ),
      (.set, ["Set", "OrderedSet"]), (.dictionary, ["Dictionary"]),
      (.wrapper, ["Binding", "Bindable", "Published"]),
    ]
    return Dictionary(
      names.flatMap { form, names in names.map { ($0, form) } }, uniquingKeysWith: { $1 })
  }()
}
