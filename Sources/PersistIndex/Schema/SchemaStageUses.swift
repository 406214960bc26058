import PersistSyntax

/// A model class that a stage's code fetches, makes or casts to.
package struct StageUse: Sendable {
  /// The id of the class.
  package let model: Int
  package let name: String
  package let place: SchemaPlace
}

/// A property that a stage's code names by a string, as in `setValue(_:forKey:)`.
package struct StageKey: Sendable {
  package let name: String
  package let place: SchemaPlace
}

/// Finds the model classes in the code of stages.
struct SchemaStageUseReader {
  let types: SchemaTypes
  let models: SchemaModelReader

  /// The classes in the order of their places, those in functions behind those in the handler.
  func uses(in handler: Part?) -> [StageUse] {
    var uses: [StageUse] = []
    for code in code(of: handler) {
      let nodes = code.source.outline.nodes
      for index in code.index..<Int(code.node.subtreeEnd) {
        let part = Part(source: code.source, index: index)
        guard let (names, place) = names(of: part, kind: nodes[index].kind),
          let type = types.resolve(names, from: part), models.isModel(type)
        else { continue }
        uses.append(StageUse(model: type, name: types.qualifiedName(type), place: place))
      }
    }
    return uses
  }

  /// The properties that the code names by strings.
  func keys(in handler: Part?) -> [StageKey] {
    code(of: handler).flatMap { code in
      code.descendants(.argument).compactMap { part in
        guard part.label == "forKey", let value = part.argumentValue, let name = value.stringValue,
          let call = part.ancestors.first, call.kind == .call,
          let called = call.ancestors.first?.children.last(where: { $0.index < call.index }),
          called.name == "setValue" || called.name == "value"
        else { return nil }
        return StageKey(name: name, place: value.place)
      }
    }
  }

  /// The classes of which the code deletes every row: by `delete(model:)` without a condition, or
  /// each of the rows that an unconditional fetch gives.
  func emptied(in handler: Part?) -> [Int] {
    code(of: handler).flatMap { code in
      code.descendants(.chain).compactMap { chain -> Int? in
        let steps = chain.children
        guard let call = steps.indices.last, steps[call].kind == .call, call > 0,
          steps[call - 1].name == "delete", let names = emptiedNames(by: steps[call]),
          let type = types.resolve(names, from: chain), models.isModel(type)
        else { return nil }
        return type
      }
    }
  }

  /// The closure of a handler, or the block of the member that it names; nil where it is neither.
  func body(of handler: Part?) -> Ref? { handler.flatMap { start(of: $0)?.ref } }

  private func start(of handler: Part) -> Part? {
    if handler.kind == .closure { return handler }
    if let closure = handler.onlyChain?.first(.closure), handler.onlyChain?.children.count == 1 {
      return closure
    }
    guard let names = handler.dottedNames else { return nil }
    return block(of: names, from: handler)
  }

  /// What runs: the closure or the named function, and the static functions that it calls.
  private func code(of handler: Part?) -> [Part] {
    var found = handler.flatMap(start).map { [$0] } ?? []
    var seen = Set(found.map(\.ref))
    var next = 0
    while next < found.count, types.program.isWithin(next, .handlerCalls) {
      let code = found[next]
      next += 1
      for call in code.descendants(.call) {
        guard let names = call.calledNames, let block = block(of: names, from: call),
          seen.insert(block.ref).inserted
        else { continue }
        found.append(block)
      }
    }
    return found
  }

  /// The block of a static function.
  private func block(
    of names: [String], from place: Part
  ) -> Part? {
    let isOwn = names.count == 2 && (names[0] == "self" || names[0] == "Self")
    guard let member = types.member(isOwn ? [names[1]] : names, from: place) else { return nil }
    if member.part.kind == .functionDecl {
      return member.part.first(.block)
    }
    guard let chain = member.part.first(.expression)?.onlyChain?.children, chain.count == 1,
      chain[0].kind == .closure
    else { return nil }
    return chain[0]
  }

  private func emptiedNames(by call: Part) -> [String]? {
    let arguments = call.all(.argument)
    guard arguments.count == 1, let value = arguments[0].argumentValue else { return nil }
    if arguments[0].label == "model" { return value.metatypeNames }
    guard let row = value.dottedNames, row.count == 1, let block = call.enclosing(.block),
      let loop = block.ancestors.first, loop.kind == .forStatement,
      loop.children.first?.name == row[0], loop.all(.expression).count == 1,
      let rows = loop.first(.expression)
    else { return nil }
    guard let name = rows.dottedNames, name.count == 1 else { return fetchedNames(in: rows) }
    return loop.binding(named: name[0])?.first(.expression).flatMap(fetchedNames)
  }

  /// The class of a fetch without a condition.
  private func fetchedNames(in value: Part) -> [String]? {
    for chain in value.descendants(.chain) {
      let steps = chain.children
      guard steps.count == 2, steps[0].name == "FetchDescriptor", steps[1].kind == .call,
        steps[1].children.isEmpty
      else { continue }
      return names(of: chain, kind: .chain)?.0
    }
    return nil
  }

  private func names(of part: Part, kind: Node.Kind) -> ([String], SchemaPlace)? {
    switch kind {
    case .cast:
      guard let type = part.first(.type) else { return nil }
      return TypeName(type).modelNames.map { ($0, type.place) }
    case .chain:
      let steps = part.children
      if steps.first?.name == "FetchDescriptor", let head = steps.first {
        guard let first = head.genericArguments.first else { return nil }
        return TypeName(first).modelNames.map { ($0, head.place) }
      }
      guard let call = steps.firstIndex(where: { $0.kind == .call }), call > 0 else { return nil }
      let path = steps[..<call]
      guard path.first?.kind == .name,
        path.dropFirst().allSatisfy({ $0.kind == .member }), let head = path.first
      else { return nil }
      let names = path.compactMap(\.name)
      guard names.last?.first?.isUppercase ?? false else { return nil }
      return (names, head.place)
    default: return nil
    }
  }
}

extension Part {
  /// The names of what a call calls, `Plan.keep` of `Plan.keep(context)`.
  fileprivate var calledNames: [String]? {
    guard let chain = ancestors.first, chain.kind == .chain else { return nil }
    let path = chain.children.prefix { $0.index < index }
    guard path.first?.kind == .name, path.dropFirst().allSatisfy({ $0.kind == .member }) else {
      return nil
    }
    return path.compactMap(\.name)
  }

  /// The nodes of a kind inside, in source order.
  fileprivate func descendants(_ kind: Node.Kind) -> [Part] {
    let nodes = source.outline.nodes
    return (index..<Int(node.subtreeEnd)).filter { nodes[$0].kind == kind }
      .map { Part(source: source, index: $0) }
  }

  /// The nearest enclosing node of a kind.
  fileprivate func enclosing(_ kind: Node.Kind) -> Part? { ancestors.first { $0.kind == kind } }
}

extension TypeName {
  /// The names of a type, of its elements for an array or optional.
  fileprivate var modelNames: [String]? {
    switch self {
    case .named(let names, _): names
    case .optional(let inner), .array(let inner): inner.modelNames
    default: nil
    }
  }
}
