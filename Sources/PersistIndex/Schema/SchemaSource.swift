import PersistSyntax

/// One file of Swift in which schemas are looked for.
final class SchemaSource: Sendable {
  let file: SourceFile
  /// The index of the file in the program.
  let number: Int
  let outline: Outline
  /// The same without what keeps it alive.
  let view: OutlineView

  var path: String { file.path }
  /// Whether the file is test code or documentation, which no app ships.
  var isTest: Bool { file.isTest || file.isDocumentation }

  init(_ file: SourceFile, number: Int) {
    self.file = file
    self.number = number
    outline = file.outline
    view = OutlineView(outline)
  }
}

/// A place in a file: the byte range of what is meant.
package struct SchemaPlace: Hashable, Sendable {
  package var path: String
  package var range: Range<Int>
  /// The node of the program; nil in files that are not Swift.
  package var ref: Ref?
  /// From 1; only for files that are not Swift.
  package var line: Int
  package var column: Int

  package init(
    path: String, range: Range<Int>, ref: Ref? = nil, line: Int = 1, column: Int = 1
  ) {
    self.path = path
    self.range = range
    self.ref = ref
    self.line = line
    self.column = column
  }
}

/// A node of a file's outline, with what the resolver asks of it.
struct Part {
  let source: SchemaSource
  let index: Int

  var node: Node { source.view[node: index] }
  var kind: Node.Kind { node.kind }
  var children: [Part] {
    var found: [Part] = []
    forEachChild { found.append($0) }
    return found
  }
  var name: String? { text(ofToken: node.name) }
  var label: String? { text(ofToken: node.label) }

  /// The source text, as it stands there.
  var text: String { source.outline.text[source.outline.byteRange(of: index)] }
  var place: SchemaPlace {
    SchemaPlace(path: source.path, range: source.outline.byteRange(of: index), ref: ref)
  }
  var ref: Ref { Ref(file: source.number, node: index) }

  /// The place of the token that names the node, or of the whole node.
  var namePlace: SchemaPlace {
    guard node.name != Node.noToken else { return place }
    let token = source.outline.tokens[Int(node.name)]
    return SchemaPlace(path: source.path, range: Int(token.offset)..<token.end, ref: ref)
  }

  /// The texts of the tokens, without what stands between them.
  var tokenTexts: [String] {
    (Int(node.first)..<Int(node.end)).map { source.outline.text(ofToken: $0) }
  }

  /// Whether it is `nil` and nothing else.
  var isNil: Bool { onlyKeyword == .nil }

  /// The value of `true` or `false` alone; nil for anything else.
  var booleanLiteral: Bool? {
    switch onlyKeyword {
    case .true: true
    case .false: false
    default: nil
    }
  }

  private var onlyKeyword: Keyword {
    node.end == node.first + 1 ? source.outline.tokens[Int(node.first)].keyword : .none
  }

  /// The type that it spells.
  var typeView: TypeView? { TypeView(NodeView(source.view, index)) }
  /// The generic arguments of a name in an expression.
  var genericArguments: [TypeView] { NodeView(source.view, index).children(TypeView.self) }

  /// The node and all that it holds, in source order.
  var subtree: some Sequence<Part> {
    (index..<source.view.end(ofSubtree: index)).lazy.map { Part(source: source, index: $0) }
  }

  /// The child of the same parent right before the node; nil for the first.
  var siblingBefore: Part? {
    let view = source.view
    let parent = node.parent
    var previous = index - 1
    guard previous > Int(parent) else { return nil }
    while view[node: previous].parent != parent { previous = Int(view[node: previous].parent) }
    return Part(source: source, index: previous)
  }

  /// The first child of one kind.
  func first(_ kind: Node.Kind) -> Part? {
    let view = source.view
    let end = view.end(ofSubtree: index)
    var child = index + 1
    while child < end {
      let node = view[node: child]
      if node.kind == kind { return Part(source: source, index: child) }
      child = Int(node.subtreeEnd)
    }
    return nil
  }

  /// The children of one kind.
  func all(_ kind: Node.Kind) -> [Part] {
    var found: [Part] = []
    forEachChild { if $0.kind == kind { found.append($0) } }
    return found
  }

  private func forEachChild(_ body: (Part) -> Void) {
    let view = source.view
    let end = view.end(ofSubtree: index)
    var child = index + 1
    while child < end {
      body(Part(source: source, index: child))
      child = view.end(ofSubtree: child)
    }
  }

  /// The attributes with this name, also when written with their module.
  func attributes(named name: String) -> [Part] {
    all(.attribute).filter { $0.attributeName == name }
  }

  /// The last name of an attribute, `Model` of `@SwiftData.Model`.
  var attributeName: String {
    var last = ""
    for token in Int(node.first + 1)..<Int(node.end) {
      switch source.outline.tokens[token].kind {
      case .identifier, .keyword: last = source.outline.text(ofToken: token)
      case .period: continue
      default: return last
      }
    }
    return last
  }

  func has(modifier name: String) -> Bool { all(.modifier).contains { $0.name == name } }
  var isStatic: Bool { has(modifier: "static") || has(modifier: "class") }

  private func text(ofToken token: UInt32) -> String? {
    guard token != Node.noToken else { return nil }
    let text = source.outline.text(ofToken: Int(token))
    return text.hasPrefix("`") && text.hasSuffix("`") && text.count > 2
      ? String(text.dropFirst().dropLast()) : text
  }

  /// The single chain that an expression consists of, casts not counted; nil for anything more.
  var onlyChain: Part? {
    if kind == .chain { return self }
    guard kind == .expression else { return nil }
    let parts = children.filter { $0.kind != .cast && $0.kind != .tryMark }
    guard parts.count == 1, parts[0].kind == .chain else { return nil }
    return parts[0]
  }

  /// The literal text of a string without interpolation.
  var stringValue: String? {
    guard let parts = onlyChain?.children, parts.count == 1, parts[0].kind == .string,
      parts[0].children.isEmpty
    else { return nil }
    let text = parts[0].text
    guard text.hasPrefix("\""), text.hasSuffix("\""), text.count >= 2 else { return nil }
    return String(text.dropFirst().dropLast())
  }

  /// The names of `a.b.c`, when the chain is nothing else.
  var dottedNames: [String]? {
    guard let parts = onlyChain?.children, let head = parts.first, head.kind == .name else {
      return nil
    }
    var names: [String] = []
    for part in parts {
      guard part.kind == .name || part.kind == .member, let name = part.name else { return nil }
      names.append(name)
    }
    return names
  }

  /// The names of the type in `A.B.self`.
  var metatypeNames: [String]? {
    guard let names = dottedNames, names.count > 1, names.last == "self" else { return nil }
    return Array(names.dropLast())
  }

  /// The expression of an argument.
  var argumentValue: Part? { children.first { $0.kind == .expression || $0.kind == .closure } }

  /// Calls `body` for each child, also those in active clauses of `#if`.
  func forEachActive(
    _ conditions: SchemaConditions, isConditional: Bool = false,
    _ body: (Part, _ isConditional: Bool) -> Void
  ) {
    forEachChild { child in
      guard child.kind == .ifConfig else {
        body(child, isConditional)
        return
      }
      for clause in conditions.activeClauses(of: child) {
        clause.clause.forEachActive(
          conditions, isConditional: isConditional || !clause.isCertain, body)
      }
    }
  }
}
