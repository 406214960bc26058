import PersistSyntax

/// What one file declares, with indices into its own lists and nodes of file 0, because no file knows
/// the others.
struct FileDeclarations: Sendable {
  /// An extension: its node, the path of names that it extends, and what it holds.
  struct Extension: Sendable {
    let node: Int
    var path: [Name] = []
    var members = Members()
  }

  /// The indices of what a type, an extension or a file holds.
  struct Members: Sendable {
    var functions: [Int] = []
    var properties: [Int] = []
    var types: [Int] = []
  }

  /// A name that stands where a type or extension says what it inherits from, or behind `typealias`.
  struct Inherited: Sendable {
    enum Heir { case type(Int), `extension`(Int) }
    let name: Name
    let heir: Heir
  }

  private(set) var types: [TypeDeclaration] = []
  private(set) var functions: [FunctionDeclaration] = []
  private(set) var properties: [PropertyDeclaration] = []
  /// In source order.
  private(set) var extensions: [Extension] = []
  private(set) var inherited: [Inherited] = []
  /// What stands outside of types.
  private(set) var topLevel = Members()

  private let outline: Outline

  init(_ outline: Outline) {
    self.outline = outline
    var top = Members()
    collect(0, into: &top)
    topLevel = top
  }

  /// Collects the declarations below a node; local types and functions count as top-level ones.
  private mutating func collect(_ parent: Int, into members: inout Members) {
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
          members.properties.append(addProperty(binding, in: node))
          collectLocals(binding)
        }
      case .ifConfig, .ifConfigClause: collect(node, into: &members)
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
    let kind = outline.nodes[node].kind
    let marks = Marks(outline, node)
    types.append(
      TypeDeclaration(
        ref: Ref(file: 0, node: node), kind: kind, name: outline.name(of: node), parent: nil,
        attributes: marks.attributes, isPrivate: marks.arePrivate))
    var own = Members()
    for child in outline.children(of: node) {
      switch outline.nodes[child].kind {
      case .members: collect(child, into: &own)
      case .inheritance where kind != .typealiasDecl: addInherited(child, by: .type(index))
      case .type where kind == .typealiasDecl: addInherited(child, by: .type(index))
      default: break
      }
    }
    for function in own.functions { functions[function].owner = index }
    for property in own.properties { properties[property].owner = index }
    for type in own.types { types[type].parent = index }
    types[index].functions = own.functions
    types[index].properties = own.properties
    types[index].nested = own.types
    return index
  }

  private mutating func addExtension(_ node: Int) {
    let index = extensions.count
    extensions.append(Extension(node: node))
    var own = Members()
    var path: [Name] = []
    for child in outline.children(of: node) {
      switch outline.nodes[child].kind {
      case .type where path.isEmpty: path = outline.path(ofType: child)
      case .inheritance: addInherited(child, by: .extension(index))
      case .members: collect(child, into: &own)
      default: break
      }
    }
    extensions[index].path = path
    extensions[index].members = own
  }

  private mutating func addInherited(_ node: Int, by heir: Inherited.Heir) {
    for name in outline.tokenNames(of: node) {
      inherited.append(Inherited(name: name, heir: heir))
    }
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
    let marks = Marks(outline, node)
    functions.append(
      FunctionDeclaration(
        ref: Ref(file: 0, node: node), kind: outline.nodes[node].kind,
        name: outline.name(of: node), owner: nil, parameters: parameters,
        flags: outline.nodes[node].flags,
        isStatic: marks.areStatic, isPrivate: marks.arePrivate, attributes: marks.attributes,
        modifiers: marks.modifiers, result: result, body: body,
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
    let marks = Marks(outline, declaration)
    properties.append(
      PropertyDeclaration(
        ref: Ref(file: 0, node: binding), declaration: declaration,
        name: outline.name(of: binding), owner: nil, type: type, initializer: initializer,
        accessors: accessors, isComputed: accessors.map { outline.hasGetter($0) } ?? false,
        isStatic: marks.areStatic, isLet: outline.nodes[binding].flags.contains(.isLet),
        attributes: marks.attributes, modifiers: marks.modifiers))
    return properties.count - 1
  }
}

/// The attributes and modifiers before a declaration.
private struct Marks {
  private(set) var attributes: [Name] = []
  private(set) var modifiers: [Name] = []

  init(_ outline: Outline, _ declaration: Int) {
    for child in outline.children(of: declaration) {
      switch outline.nodes[child].kind {
      case .attribute: attributes.append(outline.name(of: child))
      case .modifier: modifiers.append(outline.name(of: child))
      // They come first.
      default: return
      }
    }
  }

  var areStatic: Bool { modifiers.contains("static") || modifiers.contains("class") }
  var arePrivate: Bool { modifiers.contains("private") || modifiers.contains("fileprivate") }
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
