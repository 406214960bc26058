import PersistSyntax

/// A static or top-level variable or function, and the scope it stands in.
struct SchemaMember {
  /// The binding or the function.
  var part: Part
  var scope: LookupScope
  var isConditional: Bool
}

extension SchemaTypeTable {
  /// The static member of a type with this name; nil when there is none or several.
  func staticMember(_ name: String, of type: Int) -> SchemaMember? {
    var found: [SchemaMember] = []
    for list in memberLists[type] ?? [] {
      let scope = scope(of: list, in: type)
      list.forEachActive(conditions) { part, isConditional in
        switch part.kind {
        case .variableDecl where part.isStatic:
          for binding in part.all(.binding) where binding.name == name {
            found.append(
              SchemaMember(part: binding, scope: scope, isConditional: isConditional))
          }
        case .functionDecl where part.isStatic && part.name == name:
          found.append(SchemaMember(part: part, scope: scope, isConditional: isConditional))
        default: break
        }
      }
    }
    return found.count == 1 ? found[0] : nil
  }

  /// The names of all static variables of a type, with their bindings.
  func staticVariables(of type: Int) -> [SchemaMember] {
    var found: [SchemaMember] = []
    for list in memberLists[type] ?? [] {
      let scope = scope(of: list, in: type)
      list.forEachActive(conditions) { part, isConditional in
        guard part.kind == .variableDecl, part.isStatic else { return }
        for binding in part.all(.binding) {
          found.append(SchemaMember(part: binding, scope: scope, isConditional: isConditional))
        }
      }
    }
    return found
  }

  /// The member that `name` or `A.B.name` stands for, from inside a scope.
  func member(_ names: [String], in scope: LookupScope) -> SchemaMember? {
    guard let name = names.last else { return nil }
    if names.count > 1 {
      guard case .found(let type) = resolve(Array(names.dropLast()), in: scope) else { return nil }
      return staticMember(name, of: type)
    }
    for type in scope.types {
      if let member = staticMember(name, of: type) { return member }
    }
    let visible = (topLevelVariables[name] ?? []).filter {
      $0.source === scope.source || !$0.source.isTest
    }
    let own = visible.filter { $0.source === scope.source }
    guard let part = own.count == 1 ? own[0] : visible.first, visible.count == 1 || own.count == 1
    else { return nil }
    return SchemaMember(
      part: part, scope: LookupScope(source: part.source, types: []), isConditional: false)
  }
}

/// An element of an array, and the scope in which its names are looked up.
struct ListElement {
  var part: Part
  var scope: LookupScope
}

/// Reads arrays as they are written: literals, sums, helper variables, `append`, `return`, `#if`.
struct ListReader {
  let table: SchemaTypeTable

  /// The elements of what a member gives; nil when that can't be told.
  func elements(of member: SchemaMember, depth: Int = 0) -> [ListElement]? {
    guard depth < 24, !member.isConditional else { return nil }
    if member.part.kind == .functionDecl {
      guard let block = member.part.first(.block),
        member.part.first(.parameters)?.children.isEmpty ?? true
      else { return nil }
      return elements(ofBlock: block, scope: member.scope, depth: depth + 1)
    }
    if let value = member.part.first(.expression) {
      return elements(of: value, scope: member.scope, locals: [:], depth: depth + 1)
    }
    guard let accessors = member.part.first(.accessors) else { return nil }
    let getters = accessors.all(.accessor).filter { $0.name == nil || $0.name == "get" }
    guard getters.count == 1, let block = getters[0].first(.block) else { return nil }
    return elements(ofBlock: block, scope: member.scope, depth: depth + 1)
  }

  private func elements(
    ofBlock block: Part, scope: LookupScope, depth: Int
  ) -> [ListElement]? {
    var locals: [String: [ListElement]] = [:]
    var result: [ListElement]?
    var isLost = false
    block.forEachActive(table.conditions) { statement, isConditional in
      guard !isLost, result == nil else { return }
      if isConditional {
        isLost = true
        return
      }
      switch statement.kind {
      case .variableDecl:
        for binding in statement.all(.binding) {
          guard let name = binding.name, let value = binding.first(.expression) else { continue }
          locals[name] = elements(of: value, scope: scope, locals: locals, depth: depth + 1)
        }
      case .returnStatement:
        result = statement.first(.expression).flatMap {
          elements(of: $0, scope: scope, locals: locals, depth: depth + 1)
        }
        if result == nil { isLost = true }
      case .expression:
        if let grown = grow(statement, scope: scope, locals: locals, depth: depth) {
          locals[grown.name] = grown.elements
        } else if isOnlyStatement(statement, of: block) {
          result = elements(of: statement, scope: scope, locals: locals, depth: depth + 1)
        } else {
          isLost = true
        }
      default: isLost = true
      }
    }
    return isLost ? nil : result
  }

  private func isOnlyStatement(_ statement: Part, of block: Part) -> Bool {
    var count = 0
    block.forEachActive(table.conditions) { _, _ in count += 1 }
    return count == 1
  }

  /// What a local list holds after `list.append(x)`, `list += […]`.
  private func grow(
    _ statement: Part, scope: LookupScope, locals: [String: [ListElement]], depth: Int
  ) -> (name: String, elements: [ListElement]?)? {
    let parts = statement.children
    if parts.count >= 3, parts[1].kind == .binaryOperator, parts[1].text == "+=",
      let name = parts[0].dottedNames?.first, let list = locals[name]
    {
      var more: [ListElement] = []
      for part in parts.dropFirst(2) where part.kind == .chain {
        guard let some = elements(of: part, scope: scope, locals: locals, depth: depth + 1) else {
          return (name, nil)
        }
        more += some
      }
      return (name, list + more)
    }
    guard let chain = statement.onlyChain?.children, chain.count == 3, chain[0].kind == .name,
      let name = chain[0].name, let list = locals[name], chain[1].name == "append",
      chain[2].kind == .call, let argument = chain[2].all(.argument).first,
      let value = argument.argumentValue
    else { return nil }
    if argument.label == "contentsOf" {
      let more = elements(of: value, scope: scope, locals: locals, depth: depth + 1)
      return (name, more.map { list + $0 })
    }
    return (name, list + [ListElement(part: value, scope: scope)])
  }

  /// The elements of an expression: a literal, a name, or a sum of them.
  func elements(
    of expression: Part, scope: LookupScope, locals: [String: [ListElement]], depth: Int = 0
  ) -> [ListElement]? {
    guard depth < 24 else { return nil }
    if expression.kind == .chain {
      return elements(ofChain: expression, scope: scope, locals: locals, depth: depth)
    }
    var result: [ListElement] = []
    for part in expression.children {
      switch part.kind {
      case .chain:
        guard
          let some = elements(ofChain: part, scope: scope, locals: locals, depth: depth)
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
    ofChain chain: Part, scope: LookupScope, locals: [String: [ListElement]], depth: Int
  ) -> [ListElement]? {
    let parts = chain.children
    guard let head = parts.first else { return nil }
    switch head.kind {
    case .array where parts.count == 1:
      return head.all(.argument).compactMap { $0.argumentValue }
        .map { ListElement(part: $0, scope: scope) }
    case .tuple where parts.count == 1:
      let arguments = head.all(.argument)
      guard arguments.count == 1, let value = arguments[0].argumentValue else { return nil }
      return elements(of: value, scope: scope, locals: locals, depth: depth + 1)
    case .closure where parts.count == 2 && parts[1].kind == .call:
      return elements(ofBlock: head, scope: scope, depth: depth + 1)
    case .name:
      if let call = parts.last, call.kind == .call, parts.count > 2,
        parts[parts.count - 2].name == "filter"
      {
        let path = parts.dropLast(2).compactMap(\.name)
        guard path.count == parts.count - 2 else { return nil }
        let list =
          path.count == 1 && locals[path[0]] != nil
          ? locals[path[0]]
          : table.member(path, in: scope).flatMap { elements(of: $0, depth: depth + 1) }
        return list.flatMap { filter($0, by: call, in: scope) }
      }
      let isCall = parts.last?.kind == .call && (parts.last?.children.isEmpty ?? false)
      let path = isCall ? parts.dropLast() : parts[...]
      var names: [String] = []
      for part in path {
        guard part.kind == .name || part.kind == .member, let name = part.name else { return nil }
        names.append(name)
      }
      if names.count == 1, let local = locals[names[0]] { return local }
      return table.member(names, in: scope).flatMap { elements(of: $0, depth: depth + 1) }
    default: return nil
    }
  }
}
