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
    enum Heir {
      case type(Int)
      case `extension`(Int)
    }
    let name: Name
    let heir: Heir
  }

  fileprivate(set) var types: [TypeDeclaration] = []
  fileprivate(set) var functions: [FunctionDeclaration] = []
  fileprivate(set) var properties: [PropertyDeclaration] = []
  /// In source order.
  fileprivate(set) var extensions: [Extension] = []
  fileprivate(set) var inherited: [Inherited] = []
  /// What stands outside of types.
  fileprivate(set) var topLevel = Members()

  init(_ outline: Outline) {
    self = outline.withBuffers { buffers in
      var reader = DeclarationReader(outline, buffers)
      reader.read()
      return reader.found
    }
  }

  fileprivate init() {}
}

/// Collects the declarations of one file.
private struct DeclarationReader {
  private(set) var found = FileDeclarations()
  private let outline: Outline
  private let view: OutlineBuffers

  private static let never: Name = "Never"

  typealias Members = FileDeclarations.Members

  init(_ outline: Outline, _ view: OutlineBuffers) {
    self.outline = outline
    self.view = view
  }

  mutating func read() {
    var top = Members()
    collect(0, into: &top)
    found.topLevel = top
  }

  /// Collects the declarations below a node; local types and functions count as top-level ones.
  private mutating func collect(_ parent: Int, into members: inout Members) {
    let end = view.end(ofSubtree: parent)
    var node = parent + 1
    while node < end {
      switch view.nodes[node].kind {
      case .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl, .typealiasDecl:
        members.types.append(addType(node))
      case .extensionDecl: addExtension(node)
      case .functionDecl, .initDecl, .deinitDecl, .subscriptDecl:
        members.functions.append(addFunction(node))
        collectLocals(node)
      case .variableDecl: collectBindings(of: node, into: &members)
      case .ifConfig, .ifConfigClause: collect(node, into: &members)
      default: collectLocals(node)
      }
      node = view.end(ofSubtree: node)
    }
  }

  private mutating func collectBindings(of declaration: Int, into members: inout Members) {
    let marks = Marks(view, declaration)
    let end = view.end(ofSubtree: declaration)
    var node = declaration + 1
    while node < end {
      if case .binding = view.nodes[node].kind {
        members.properties.append(addProperty(node, in: declaration, marks))
        members.properties += addParts(of: node)
        collectLocals(node)
      }
      node = view.end(ofSubtree: node)
    }
  }

  /// Collects the types and functions that are declared inside a body; no name elsewhere means them.
  private mutating func collectLocals(_ parent: Int) {
    let end = view.end(ofSubtree: parent)
    var node = parent + 1
    while node < end {
      switch view.nodes[node].kind {
      case .classDecl, .structDecl, .enumDecl, .actorDecl, .protocolDecl, .typealiasDecl:
        _ = addType(node)
        node = view.end(ofSubtree: node)
      case .functionDecl:
        _ = addFunction(node)
        node += 1
      default: node += 1
      }
    }
  }

  private mutating func addType(_ node: Int) -> Int {
    let index = found.types.count
    let kind = view.nodes[node].kind
    let marks = Marks(view, node)
    found.types.append(
      TypeDeclaration(
        ref: Ref(file: 0, node: node), kind: kind, name: view.name(of: node), parent: nil,
        attributes: marks.attributes, isPrivate: marks.arePrivate))
    var own = Members()
    let end = view.end(ofSubtree: node)
    var child = node + 1
    while child < end {
      switch view.nodes[child].kind {
      case .members: collect(child, into: &own)
      case .inheritance where kind != .typealiasDecl: addInherited(child, by: .type(index))
      case .type where kind == .typealiasDecl: addInherited(child, by: .type(index))
      default: break
      }
      child = view.end(ofSubtree: child)
    }
    for function in own.functions { found.functions[function].owner = index }
    for property in own.properties { found.properties[property].owner = index }
    for type in own.types { found.types[type].parent = index }
    found.types[index].functions = own.functions
    found.types[index].properties = own.properties
    found.types[index].nested = own.types
    return index
  }

  private mutating func addExtension(_ node: Int) {
    let index = found.extensions.count
    found.extensions.append(FileDeclarations.Extension(node: node))
    var own = Members()
    var path: [Name] = []
    let end = view.end(ofSubtree: node)
    var child = node + 1
    while child < end {
      switch view.nodes[child].kind {
      case .type where path.isEmpty: path = outline.path(ofType: child)
      case .inheritance: addInherited(child, by: .extension(index))
      case .members: collect(child, into: &own)
      default: break
      }
      child = view.end(ofSubtree: child)
    }
    found.extensions[index].path = path
    found.extensions[index].members = own
  }

  private mutating func addInherited(_ node: Int, by heir: FileDeclarations.Inherited.Heir) {
    for token in Int(view.nodes[node].first)..<Int(view.nodes[node].end) {
      guard case .identifier = view.tokens[token].kind else { continue }
      found.inherited.append(
        FileDeclarations.Inherited(name: view.name(ofToken: token), heir: heir))
    }
  }

  private mutating func addFunction(_ node: Int) -> Int {
    var parameters: [Parameter] = []
    var result: Int?
    var body: Int?
    let end = view.end(ofSubtree: node)
    var child = node + 1
    while child < end {
      switch view.nodes[child].kind {
      case .parameters: parameters = self.parameters(in: child)
      case .type: result = child
      case .block: body = child
      default: break
      }
      child = view.end(ofSubtree: child)
    }
    let marks = Marks(view, node)
    found.functions.append(
      FunctionDeclaration(
        ref: Ref(file: 0, node: node), kind: view.nodes[node].kind, name: view.name(of: node),
        owner: nil, parameters: parameters, flags: view.nodes[node].flags,
        isStatic: marks.areStatic, isPrivate: marks.arePrivate, attributes: marks.attributes,
        modifiers: marks.modifiers, result: result, body: body,
        returnsNever: result.map { isNever($0) } ?? false))
    return found.functions.count - 1
  }

  private func parameters(in list: Int) -> [Parameter] {
    var parameters: [Parameter] = []
    let end = view.end(ofSubtree: list)
    var node = list + 1
    while node < end {
      if case .parameter = view.nodes[node].kind { parameters.append(view.parameter(node)) }
      node = view.end(ofSubtree: node)
    }
    return parameters
  }

  /// Whether a type is `Never` and nothing more.
  private func isNever(_ type: Int) -> Bool {
    let node = view.nodes[type]
    return node.end == node.first + 1 && view.name(ofToken: Int(node.first)) == Self.never
  }

  /// Adds the names of a tuple as properties of their own, which stand at their names.
  private mutating func addParts(of binding: Int) -> [Int] {
    let pattern = binding + 1
    guard pattern < view.end(ofSubtree: binding), view.nodes[pattern].kind == .expression,
      let whole = found.properties.last, let value = whole.initializer, value != pattern
    else { return [] }
    var parts: [Int] = []
    for node in pattern..<view.end(ofSubtree: pattern) where view.nodes[node].kind == .boundName {
      found.properties.append(
        PropertyDeclaration(
          ref: Ref(file: 0, node: node), declaration: whole.declaration, name: view.name(of: node),
          owner: nil, type: nil, initializer: value, accessors: nil, isComputed: false,
          isStatic: whole.isStatic, isLet: whole.isLet, attributes: whole.attributes,
          modifiers: whole.modifiers))
      parts.append(found.properties.count - 1)
    }
    return parts
  }

  private mutating func addProperty(_ binding: Int, in declaration: Int, _ marks: Marks) -> Int {
    var type: Int?
    var initializer: Int?
    var accessors: Int?
    let end = view.end(ofSubtree: binding)
    var child = binding + 1
    while child < end {
      switch view.nodes[child].kind {
      case .type: type = child
      case .expression: initializer = child
      case .accessors: accessors = child
      default: break
      }
      child = view.end(ofSubtree: child)
    }
    found.properties.append(
      PropertyDeclaration(
        ref: Ref(file: 0, node: binding), declaration: declaration, name: view.name(of: binding),
        owner: nil, type: type, initializer: initializer, accessors: accessors,
        isComputed: accessors.map { outline.hasGetter($0) } ?? false,
        isStatic: marks.areStatic, isLet: view.nodes[binding].flags.contains(.isLet),
        attributes: marks.attributes, modifiers: marks.modifiers))
    return found.properties.count - 1
  }
}

/// The attributes and modifiers before a declaration.
private struct Marks {
  private(set) var attributes: [Name] = []
  private(set) var modifiers: [Name] = []

  init(_ view: OutlineBuffers, _ declaration: Int) {
    let end = view.end(ofSubtree: declaration)
    var child = declaration + 1
    while child < end {
      switch view.nodes[child].kind {
      case .attribute: attributes.append(view.name(of: child))
      case .modifier: modifiers.append(view.name(of: child))
      // They come first.
      default: return
      }
      child = view.end(ofSubtree: child)
    }
  }

  private static let ofTypes: [Name] = ["static", "class"]
  private static let ofFiles: [Name] = ["private", "fileprivate"]

  var areStatic: Bool { modifiers.contains(where: Self.ofTypes.contains) }
  var arePrivate: Bool { modifiers.contains(where: Self.ofFiles.contains) }
}

extension OutlineBuffers {
  private static let wildcard: Name = "_"

  /// Reads a parameter of a function.
  fileprivate func parameter(_ node: Int) -> Parameter {
    var type: Int?
    var hasDefault = false
    let end = self.end(ofSubtree: node)
    var child = node + 1
    while child < end {
      switch nodes[child].kind {
      case .type: type = child
      case .expression: hasDefault = true
      default: break
      }
      child = self.end(ofSubtree: child)
    }
    let label = self.label(of: node)
    return Parameter(
      node: node, label: label == Self.wildcard ? .none : label, name: name(of: node),
      type: type, hasDefault: hasDefault, isVariadic: type != nil && isVariadic(node))
  }

  /// Whether a parameter ends with `...`.
  private func isVariadic(_ parameter: Int) -> Bool {
    let last = Int(nodes[parameter].end) - 1
    guard last >= 0 else { return false }
    if case .period = tokens[last].kind { return false }
    return firstByte(ofToken: last) == UInt8(ascii: ".") && tokens[last].extent == 3
  }
}

extension Outline {
  /// Reads a parameter of a function.
  func parameter(_ node: Int) -> Parameter { withBuffers { $0.parameter(node) } }

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
}
