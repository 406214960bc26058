import PersistSyntax

/// The declarations of all files in one list each, before and after extensions are attached.
struct Gathered {
  private(set) var types: [TypeDeclaration] = []
  private(set) var functions: [FunctionDeclaration] = []
  private(set) var properties: [PropertyDeclaration] = []
  private(set) var functionsByName: [Name: [FunctionID]] = [:]
  private(set) var freeFunctions: [Name: [FunctionID]] = [:]
  private(set) var globals: [Name: [PropertyID]] = [:]
  private(set) var topLevelTypes: [Name: [TypeID]] = [:]
  private(set) var heirs: [Name: [TypeID]] = [:]
  private(set) var parts: [Declarations.Part] = []
  /// In source order.
  private(set) var extensions: [Extension] = []
  /// What extensions inherit, by their indices.
  private var inheritedByExtensions: [(name: Name, index: Int)] = []

  /// An extension with what it holds, by indices of the program.
  struct Extension {
    let ref: Ref
    let path: [Name]
    let members: FileDeclarations.Members
  }

  init(_ files: [SourceFile]) {
    types.reserveCapacity(files.reduce(0) { $0 + $1.declared.types.count })
    functions.reserveCapacity(files.reduce(0) { $0 + $1.declared.functions.count })
    properties.reserveCapacity(files.reduce(0) { $0 + $1.declared.properties.count })
    for (file, source) in files.enumerated() { add(source.declared, file: file) }
    for id in functions.indices { functionsByName[functions[id].name, default: []].append(id) }
  }

  private mutating func add(_ declared: FileDeclarations, file: Int) {
    let first = (types: types.count, functions: functions.count, properties: properties.count)
    for var type in declared.types {
      type.ref = Ref(file: file, node: Int(type.ref.node))
      type.parent = type.parent.map { $0 + first.types }
      type.functions.shift(by: first.functions)
      type.properties.shift(by: first.properties)
      type.nested.shift(by: first.types)
      types.append(type)
    }
    for var function in declared.functions {
      function.ref = Ref(file: file, node: Int(function.ref.node))
      function.owner = function.owner.map { $0 + first.types }
      functions.append(function)
    }
    for var property in declared.properties {
      property.ref = Ref(file: file, node: Int(property.ref.node))
      property.owner = property.owner.map { $0 + first.types }
      properties.append(property)
    }
    parts.append(
      Declarations.Part(
        types: first.types..<types.count, functions: first.functions..<functions.count,
        properties: first.properties..<properties.count,
        extensions: declared.extensions.map { Ref(file: file, node: $0.node) }))
    for index in declared.topLevel.types {
      topLevelTypes[declared.types[index].name, default: []].append(first.types + index)
    }
    for index in declared.topLevel.properties {
      globals[declared.properties[index].name, default: []].append(first.properties + index)
    }
    for index in declared.topLevel.functions {
      freeFunctions[declared.functions[index].name, default: []].append(first.functions + index)
    }
    for inherited in declared.inherited {
      switch inherited.heir {
      case .type(let index): heirs[inherited.name, default: []].append(first.types + index)
      case .extension(let index):
        inheritedByExtensions.append((inherited.name, extensions.count + index))
      }
    }
    for part in declared.extensions {
      var members = part.members
      members.functions.shift(by: first.functions)
      members.properties.shift(by: first.properties)
      members.types.shift(by: first.types)
      extensions.append(
        Extension(ref: Ref(file: file, node: part.node), path: part.path, members: members))
    }
  }

  /// Gives what extensions hold to the types that they extend, in source order; what extends an
  /// unknown type stays without owner.
  mutating func attach(_ joining: ExtensionJoining) {
    types += joining.standIns
    var withoutOwner: Set<Name> = []
    for (index, part) in extensions.enumerated() {
      guard let type = joining.type(extendedBy: index) else {
        for id in part.members.functions {
          freeFunctions[functions[id].name, default: []].append(id)
          withoutOwner.insert(functions[id].name)
        }
        continue
      }
      types[type].extensions.append(part.ref)
      types[type].functions += part.members.functions
      types[type].properties += part.members.properties
      types[type].nested += part.members.types
      for id in part.members.functions { functions[id].owner = type }
      for id in part.members.properties { properties[id].owner = type }
      for id in part.members.types { types[id].parent = type }
    }
    for name in withoutOwner { freeFunctions[name]?.sort() }
    for (name, index) in inheritedByExtensions {
      guard let type = joining.type(extendedBy: index), types[type].kind != .extensionDecl else {
        continue
      }
      heirs[name, default: []].append(type)
    }
  }
}

extension [Int] {
  fileprivate mutating func shift(by offset: Int) {
    guard offset > 0, !isEmpty else { return }
    for index in indices { self[index] += offset }
  }
}
