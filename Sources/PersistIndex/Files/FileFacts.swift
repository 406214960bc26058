import PersistSyntax

/// What one file declares, with indices into its own lists; made for each file by itself.
struct FileFacts: Sendable {
  /// An extension: its node, the path of names it extends, and what it holds.
  struct Extension: Sendable {
    let node: Int
    let path: [Name]
    let functions: [Int]
    let properties: [Int]
    let types: [Int]
    /// The index of the type that encloses the extension; extensions stand at top level.
    let attributes: [Name]
  }

  /// A type and the indices of what it holds.
  struct Members: Sendable {
    var functions: [Int] = []
    var properties: [Int] = []
    var types: [Int] = []
  }

  private(set) var types: [TypeDeclaration] = []
  private(set) var members: [Members] = []
  private(set) var functions: [FunctionDeclaration] = []
  private(set) var properties: [PropertyDeclaration] = []
  private(set) var extensions: [Extension] = []
  /// What stands outside of types.
  private(set) var topLevel = Members()

  private let outline: Outline
  /// The index at which the program has the file.
  let file: Int

  init(_ outline: Outline, file: Int) {
    self.outline = outline
    self.file = file
    var top = Members()
    collect(0, into: &top, isLocal: false)
    topLevel.functions += top.functions
    topLevel.properties += top.properties
    topLevel.types += top.types
  }

  /// Collects the declarations below a node; local types and functions count as top-level ones.
  private mutating func collect(_ parent: Int, into members: inout Members, isLocal: Bool) {
    for node in outline.children(of: parent) {
      switch outline.nodes[node].kind {
      case .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl, .typealiasDecl:
        members.types.append(addType(node))
      case .extensionDecl: addExtension(node)
      case .functionDecl, .initDecl, .deinitDecl, .subscriptDecl:
        members.functions.append(addFunction(node))
        collectLocals(node)
      case .variableDecl:
        for binding in outline.children(of: node) where outline.nodes[binding].kind == .binding {
          if !isLocal { members.properties.append(addProperty(binding, in: node)) }
          collectLocals(binding)
        }
      case .ifConfig, .ifConfigClause: collect(node, into: &members, isLocal: isLocal)
      default: collectLocals(node)
      }
    }
  }

  /// Collects the types and functions that are declared inside a body; no name elsewhere means them.
  private mutating func collectLocals(_ parent: Int) {
    let end = Int(outline.nodes[parent].subtreeEnd)
    var node = parent + 1
    while node < end {
      switch outline.nodes[node].kind {
      case .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl, .typealiasDecl:
        _ = addType(node)
        node = Int(outline.nodes[node].subtreeEnd)
      case .functionDecl:
        _ = addFunction(node)
        node += 1
      default: node += 1
      }
    }
  }

  private mutating func addType(_ node: Int) -> Int {
    let index = types.count
    let modifiers = outline.modifiers(of: node)
    types.append(
      TypeDeclaration(
        ref: Ref(file: file, node: node), kind: outline.nodes[node].kind,
        name: outline.name(of: node), parent: nil, attributes: outline.attributes(of: node),
        isPrivate: modifiers.contains("private") || modifiers.contains("fileprivate")))
    members.append(Members())
    var own = Members()
    for child in outline.children(of: node) where outline.nodes[child].kind == .members {
      collect(child, into: &own, isLocal: false)
    }
    members[index] = own
    return index
  }

  private mutating func addExtension(_ node: Int) {
    var own = Members()
    var path: [Name] = []
    for child in outline.children(of: node) {
      if outline.nodes[child].kind == .type, path.isEmpty { path = outline.path(ofType: child) }
      if outline.nodes[child].kind == .members { collect(child, into: &own, isLocal: false) }
    }
    extensions.append(
      Extension(
        node: node, path: path, functions: own.functions, properties: own.properties,
        types: own.types, attributes: outline.attributes(of: node)))
  }

  private mutating func addFunction(_ node: Int) -> Int {
    var parameters: [Parameter] = []
    var result: Int?
    var body: Int?
    for child in outline.children(of: node) {
      switch outline.nodes[child].kind {
      case .parameters:
        for parameter in outline.children(of: child)
        where outline.nodes[parameter].kind == .parameter {
          parameters.append(outline.parameter(parameter))
        }
      case .type: result = child
      case .block: body = child
      default: break
      }
    }
    let modifiers = outline.modifiers(of: node)
    functions.append(
      FunctionDeclaration(
        ref: Ref(file: file, node: node), kind: outline.nodes[node].kind,
        name: outline.name(of: node), owner: nil, parameters: parameters,
        flags: outline.nodes[node].flags,
        isStatic: modifiers.contains("static") || modifiers.contains("class"),
        isPrivate: modifiers.contains("private") || modifiers.contains("fileprivate"),
        attributes: outline.attributes(of: node), modifiers: modifiers, result: result, body: body,
        returnsNever: result.map { outline.path(ofType: $0) == ["Never"] } ?? false))
    return functions.count - 1
  }

  private mutating func addProperty(_ binding: Int, in declaration: Int) -> Int {
    var type: Int?
    var initializer: Int?
    var accessors: Int?
    for child in outline.children(of: binding) {
      switch outline.nodes[child].kind {
      case .type: type = child
      case .expression: initializer = child
      case .accessors: accessors = child
      default: break
      }
    }
    let modifiers = outline.modifiers(of: declaration)
    properties.append(
      PropertyDeclaration(
        ref: Ref(file: file, node: binding), declaration: declaration,
        name: outline.name(of: binding), owner: nil, type: type, initializer: initializer,
        accessors: accessors, isComputed: accessors.map { outline.hasGetter($0) } ?? false,
        isStatic: modifiers.contains("static") || modifiers.contains("class"),
        isLet: outline.nodes[binding].flags.contains(.isLet),
        attributes: outline.attributes(of: declaration), modifiers: modifiers))
    return properties.count - 1
  }
}

extension Outline {
  /// The names of the attributes of a declaration, the last part of each path.
  package func attributes(of node: Int) -> [Name] {
    children(of: node).filter { nodes[$0].kind == .attribute }.map { name(of: $0) }
  }

  /// The names of the modifiers of a declaration.
  package func modifiers(of node: Int) -> [Name] {
    children(of: node).filter { nodes[$0].kind == .modifier }.map { name(of: $0) }
  }

  /// The names of a type such as `A.B<C>`, generic arguments left out; empty for other types.
  package func path(ofType node: Int) -> [Name] {
    var path: [Name] = []
    var token = Int(nodes[node].first)
    let end = Int(nodes[node].end)
    while token < end {
      guard tokens[token].kind == .identifier || tokens[token].keyword == .selfType else {
        return []
      }
      path.append(name(ofToken: token))
      token += 1
      guard token < end else { break }
      guard tokens[token].kind == .period else {
        return text.start[Int(tokens[token].offset)] == UInt8(ascii: "<") ? path : []
      }
      token += 1
    }
    return path
  }

  /// Whether accessors compute a value, instead of observing one.
  func hasGetter(_ accessors: Int) -> Bool {
    children(of: accessors).contains { accessor in
      let name = name(of: accessor)
      return nodes[accessor].kind == .accessor
        && (name == .none || name == "get" || name == "_read" || name == "read"
          || name == "unsafeAddress")
    }
  }

  /// Reads a parameter of a function.
  func parameter(_ node: Int) -> Parameter {
    var type: Int?
    var hasDefault = false
    for child in children(of: node) {
      if nodes[child].kind == .type { type = child }
      if nodes[child].kind == .expression { hasDefault = true }
    }
    let label = label(of: node)
    let last = Int(nodes[node].end) - 1
    return Parameter(
      node: node, label: label == "_" ? .none : label, name: name(of: node), type: type,
      hasDefault: hasDefault,
      isVariadic: type != nil && tokens[last].kind != .period
        && text.start[Int(tokens[last].offset)] == UInt8(ascii: ".")
        && tokens[last].length == 3)
  }
}
