import PersistIndex
import PersistSyntax

/// A static or top-level variable or function.
struct SchemaMember {
  /// The binding or the function.
  let ref: Ref
  let isConditional: Bool
}

extension SchemaTypes {
  /// The binding or the function that a member is.
  func node(_ member: SchemaMember) -> NodeView { program.nodeView(member.ref) }

  /// The static member of a type with this name; nil when there is none or several.
  func staticMember(_ name: String, of type: Int) -> SchemaMember? {
    let known = staticMembers[type] ?? findStaticMembers(of: type)
    staticMembers[type] = known
    guard let found = known[name] else { return nil }
    return found.count == 1 ? found[0] : nil
  }

  private func findStaticMembers(of type: Int) -> [String: [SchemaMember]] {
    var found: [String: [SchemaMember]] = [:]
    for list in memberLists(of: type) {
      list.forEachActive(conditions) { part, isConditional in
        guard part.kind == .variableDecl || part.kind == .functionDecl, part.isStatic else {
          return
        }
        for member in part.kind == .functionDecl ? [part] : part.children(.binding) {
          guard let name = member.name?.text else { continue }
          found[name, default: []].append(
            SchemaMember(ref: member.ref, isConditional: isConditional))
        }
      }
    }
    return found
  }

  /// The names of all static variables of a type, with their bindings.
  func staticVariables(of type: Int) -> [SchemaMember] {
    var found: [SchemaMember] = []
    for list in memberLists(of: type) {
      list.forEachActive(conditions) { part, isConditional in
        guard part.kind == .variableDecl, part.isStatic else { return }
        for binding in part.children(.binding) {
          found.append(SchemaMember(ref: binding.ref, isConditional: isConditional))
        }
      }
    }
    return found
  }

  /// The active variables with a name outside of types and functions.
  private func globals(named name: String) -> [Ref] {
    program.globals(named: Name(name)).map { program.properties[$0].ref }.filter(program.isBuilt)
  }

  /// The member that `name` or `A.B.name` stands for at a place.
  func member(_ names: [String], from place: Ref) -> SchemaMember? {
    guard let name = names.last else { return nil }
    if names.count > 1 {
      guard let type = resolve(names.dropLast(), from: place) else { return nil }
      return staticMember(name, of: type)
    }
    for outer in program.ancestors(place) {
      if let type = program.type(declaredAt: outer), let member = staticMember(name, of: type) {
        return member
      }
    }
    let visible = globals(named: name).filter { $0.file == place.file || !isTest($0) }
    let own = visible.filter { $0.file == place.file }
    guard let found = own.count == 1 ? own[0] : visible.first, visible.count == 1 || own.count == 1
    else { return nil }
    return SchemaMember(ref: found, isConditional: false)
  }
}

/// Reads arrays as they are written: literals, sums, helper variables, `append`, `return`, `#if`.
struct ListReader {
  let types: SchemaTypes

  /// The elements of what a member gives; nil when that can't be told.
  func elements(of member: SchemaMember) -> [NodeView]? {
    guard !member.isConditional else { return nil }
    let program = types.program
    return program.answer(ListElements(member: member.ref))?.map(program.nodeView)
  }

  /// The elements as they are read for the first time.
  fileprivate func read(_ node: NodeView) -> [NodeView]? {
    if node.kind == .functionDecl {
      guard let block = node.child(.block), node.parameters.isEmpty else { return nil }
      return elements(ofBlock: block, depth: 0)
    }
    if let value = node.child(.expression) {
      return elements(of: value, locals: [:])
    }
    let getters = node.getters
    guard getters.count == 1, let block = getters[0].child(.block) else { return nil }
    return elements(ofBlock: block, depth: 0)
  }

  private func elements(
    ofBlock block: NodeView, depth: Int
  ) -> [NodeView]? {
    var locals: [String: [NodeView]] = [:]
    var result: [NodeView]?
    var isLost = false
    block.forEachActive(types.conditions) { statement, isConditional in
      guard !isLost, result == nil else { return }
      if isConditional {
        isLost = true
        return
      }
      switch statement.kind {
      case .variableDecl:
        for binding in statement.children(.binding) {
          guard let name = binding.name?.text, let value = binding.child(.expression) else {
            continue
          }
          locals[name] = elements(of: value, locals: locals, depth: depth + 1)
        }
      case .returnStatement:
        result = statement.child(.expression).flatMap {
          elements(of: $0, locals: locals, depth: depth + 1)
        }
        if result == nil { isLost = true }
      case .expression:
        if let grown = grow(statement, locals: locals, depth: depth) {
          locals[grown.name] = grown.elements
        } else if isOnlyStatement(statement, of: block) {
          result = elements(of: statement, locals: locals, depth: depth + 1)
        } else {
          isLost = true
        }
      default: isLost = true
      }
    }
    return isLost ? nil : result
  }

  private func isOnlyStatement(_ statement: NodeView, of block: NodeView) -> Bool {
    var count = 0
    block.forEachActive(types.conditions) { _, _ in count += 1 }
    return count == 1
  }

  /// What a local list holds after `list.append(x)`, `list += […]`.
  private func grow(
    _ statement: NodeView, locals: [String: [NodeView]], depth: Int
  ) -> (name: String, elements: [NodeView]?)? {
    let parts = Array(statement.children)
    if parts.count >= 3, parts[1].kind == .binaryOperator, parts[1].text == "+=",
      let name = parts[0].dottedNames?.first, let list = locals[name]
    {
      var more: [NodeView] = []
      for part in parts.dropFirst(2) where part.kind == .chain {
        guard let some = elements(of: part, locals: locals, depth: depth + 1) else {
          return (name, nil)
        }
        more += some
      }
      return (name, list + more)
    }
    guard let chain = statement.steps, chain.count == 3, chain[0].kind == .name,
      let name = chain[0].name?.text, let list = locals[name], chain[1].name?.text == "append",
      chain[2].kind == .call, let argument = chain[2].arguments.first,
      let value = argument.value
    else { return nil }
    if argument.label?.text == "contentsOf" {
      let more = elements(of: value, locals: locals, depth: depth + 1)
      return (name, more.map { list + $0 })
    }
    return (name, list + [value])
  }

  /// The elements of an expression: a literal, a name, or a sum of them.
  func elements(
    of expression: NodeView, locals: [String: [NodeView]], depth: Int = 0
  ) -> [NodeView]? {
    guard types.program.isWithin(depth, .listSteps) else { return nil }
    if expression.kind == .chain {
      return elements(ofChain: expression, locals: locals, depth: depth)
    }
    var result: [NodeView] = []
    for part in expression.children {
      switch part.kind {
      case .chain:
        guard
          let some = elements(ofChain: part, locals: locals, depth: depth)
        else { return nil }
        result += some
      case .binaryOperator where part.text == "+": continue
      case .cast: continue
      default: return nil
      }
    }
    return result
  }

  private func elements(
    ofChain chain: NodeView, locals: [String: [NodeView]], depth: Int
  ) -> [NodeView]? {
    let parts = Array(chain.children)
    guard let head = parts.first else { return nil }
    switch head.kind {
    case .array where parts.count == 1:
      return head.arguments.compactMap(\.value)
    case .tuple where parts.count == 1:
      let arguments = head.arguments
      guard arguments.count == 1, let value = arguments[0].value else { return nil }
      return elements(of: value, locals: locals, depth: depth + 1)
    case .closure where parts.count == 2 && parts[1].kind == .call:
      return elements(ofBlock: head, depth: depth + 1)
    case .name:
      if let call = parts.last, call.kind == .call, parts.count > 2,
        parts[parts.count - 2].name?.text == "filter"
      {
        guard let path = NodeView.names(of: parts.dropLast(2)) else { return nil }
        let list =
          path.count == 1 && locals[path[0]] != nil
          ? locals[path[0]]
          : types.member(path, from: chain.ref).flatMap { elements(of: $0) }
        return list.flatMap { filter($0, by: call) }
      }
      let isCall = parts.last?.kind == .call && parts.last?.firstChild == nil
      guard let names = NodeView.names(of: isCall ? parts.dropLast() : parts[...]) else {
        return nil
      }
      if names.count == 1, let local = locals[names[0]] { return local }
      if let member = types.member(names, from: chain.ref) { return elements(of: member) }
      return parts.last.flatMap { given(to: $0, depth: depth + 1) }
    default: return nil
    }
  }
}

extension ListReader {
  /// The list that all callers hand over for a parameter or property, where it is one and the same.
  private func given(to name: NodeView, depth: Int) -> [NodeView]? {
    guard let values = types.given(to: name) else { return nil }
    let lists = values.compactMap { elements(of: $0, locals: [:], depth: depth) }
    guard let first = lists.first, lists.count == values.count else { return nil }
    let known = lists.map { list in
      list.map { element in
        element.metatypeNames.flatMap { types.resolve($0, from: element.ref) }
      }
    }
    return lists.count == 1 || known.allSatisfy { $0 == known[0] && !$0.contains(nil) }
      ? first : nil
  }
}

/// The elements of the list that a member gives; a list that contains itself has none that can be
/// told.
private struct ListElements: Query {
  let member: Ref

  static var provisional: [Ref]? { nil }
  static var isEmptyInCycles: Bool { true }

  func answer(in program: Program) -> [Ref]? {
    ListReader(types: SchemaTypes(program)).read(program.nodeView(member))?.map(\.ref)
  }
}
