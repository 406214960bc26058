import PersistSyntax

/// What types, protocols and functions from elsewhere declare, read from Swift declarations.
///
/// Parameters of these signatures belong to no declaration; each use binds them anew.
struct Signatures: Sendable {
  /// A function, or an initializer by the name of its type.
  struct Function: Sendable {
    let name: Name
    let parameters: [Parameter]
    /// The types of the parameters.
    let types: [SwiftType]
    let result: SwiftType
  }

  /// A type or a protocol.
  struct Members: Sendable {
    /// Generic parameters, or associated types.
    var parameters: [Name] = []
    var functions: [Name: [Function]] = [:]
    var statics: [Name: [Function]] = [:]
    var properties: [Name: SwiftType] = [:]
  }

  private(set) var types: [Name: Members] = [:]
  private(set) var protocols: [Name: Members] = [:]
  private(set) var functions: [Name: [Function]] = [:]
  /// The names of the associated types that conforming types leave unsaid.
  private(set) var associated: Set<Name> = []

  init(_ text: String) {
    let outline = Outline(SourceText(text))
    let declared = FileDeclarations(outline)
    let reader = SignatureReader(outline)
    for type in declared.types { add(type, declared, reader) }
    for index in declared.topLevel.functions {
      let function = reader.read(declared.functions[index], [])
      functions[function.name, default: []].append(function)
    }
  }

  private mutating func add(
    _ type: TypeDeclaration, _ declared: FileDeclarations, _ reader: SignatureReader
  ) {
    var members = Members()
    let isProtocol = type.kind == .protocolDecl
    members.parameters = reader.parameters(of: Int(type.ref.node), isProtocol: isProtocol)
    for index in type.functions {
      let function = reader.read(declared.functions[index], members.parameters)
      if declared.functions[index].isStatic {
        members.statics[function.name, default: []].append(function)
      } else {
        members.functions[function.name, default: []].append(function)
      }
    }
    for index in type.properties {
      let property = declared.properties[index]
      members.properties[property.name] =
        property.type.map { reader.read($0, members.parameters) } ?? .unknown
    }
    if isProtocol {
      protocols[type.name] = members
      associated.formUnion(members.parameters)
    } else {
      types[type.name] = members
    }
  }

  // MARK: Asking

  /// The names of the generic parameters of a type from elsewhere.
  func parameters(of type: Name) -> [Name] { types[type]?.parameters ?? [] }

  /// What the generic parameters of a value's type stand for.
  func arguments(of value: SwiftType) -> [(Name, SwiftType)] {
    switch value {
    case .optional(let wrapped): return [("Wrapped", wrapped)]
    case .array(let element), .set(let element): return [("Element", element)]
    case .dictionary(let key, let value):
      return [
        ("Key", key), ("Value", value), ("Element", .tuple([key, value], ["key", "value"])),
      ]
    case .external(let name, let arguments):
      return Array(zip(parameters(of: name), arguments))
    default: return []
    }
  }

  /// The same as bindings.
  func bindings(of value: SwiftType) -> Bindings {
    var found: Bindings = [:]
    for (name, argument) in arguments(of: value) where argument != .unknown {
      found[TypeParameter(owner: nil, name: name)] = argument
    }
    found[TypeParameter(owner: nil, name: "Self")] = value
    return found
  }

  /// The methods with a name that a value has, or a type where the value is a metatype.
  func methods(_ name: Name, of receiver: SwiftType) -> [Function] {
    if case .metatype(let type) = receiver {
      return Self.names(of: type).lazy.compactMap { types[$0]?.statics[name] }.first ?? []
    }
    return Self.names(of: receiver).lazy.compactMap { types[$0]?.functions[name] }.first ?? []
  }

  /// The type of a property with a name; `.unknown` where none is told.
  func property(_ name: Name, of receiver: SwiftType) -> SwiftType {
    for type in Self.names(of: receiver) {
      if let found = types[type]?.properties[name] { return found }
    }
    return .unknown
  }

  private static func names(of type: SwiftType) -> [Name] {
    switch type {
    case .optional: ["Optional"]
    case .array: ["Array", "Sequence"]
    case .set: ["Set", "Sequence"]
    case .dictionary: ["Dictionary", "Sequence"]
    case .external(let name, _): [name]
    default: []
    }
  }
}

/// Reads declarations in which only generic parameters and names from elsewhere stand.
private struct SignatureReader {
  private let outline: Outline

  init(_ outline: Outline) { self.outline = outline }

  func parameters(of node: Int, isProtocol: Bool) -> [Name] {
    var found: [Name] = []
    for child in outline.children(of: node) {
      switch outline.nodes[child].kind {
      case .genericParameters:
        found += outline.children(of: child).filter {
          outline.nodes[$0].kind == .genericParameter
        }.map { outline.name(of: $0) }
      case .members where isProtocol:
        for member in outline.children(of: child)
        where outline.nodes[member].kind == .associatedtypeDecl {
          found.append(outline.name(of: member))
        }
      default: break
      }
    }
    return found
  }

  func read(_ function: FunctionDeclaration, _ outer: [Name]) -> Signatures.Function {
    let scope = outer + parameters(of: Int(function.ref.node), isProtocol: false)
    return Signatures.Function(
      name: function.name, parameters: function.parameters,
      types: function.parameters.map { $0.type.map { read($0, scope) } ?? .unknown },
      result: function.result.map { read($0, scope) } ?? .void)
  }

  func read(_ type: Int, _ scope: [Name]) -> SwiftType {
    guard let view = TypeView(NodeView(OutlineView(outline), type)) else { return .unknown }
    let reader = TypeReader(
      resolve: { path, arguments in
        guard let first = path.first, let last = path.last else { return .unknown }
        if scope.contains(first) || first == "Self" {
          return path.dropFirst().reduce(.parameter(TypeParameter(owner: nil, name: first))) {
            .associated($0, $1)
          }
        }
        return (path.count == 1 ? Program.standardType(first, arguments) : nil)
          ?? .external(last, arguments)
      }, compose: { left, _ in left })
    return reader.read(view)
  }
}
