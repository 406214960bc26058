import PersistFlow
import PersistIndex
import PersistSyntax

/// A model class that a stage's code fetches, makes or casts to.
package struct StageUse: Sendable {
  /// The id of the class.
  package let model: Int
  package let name: String
  package let place: SchemaPlace
  /// Whether the code makes an object and inserts none.
  package let isOnlyMade: Bool
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
  func uses(from start: Ref?) -> [StageUse] {
    var uses: [StageUse] = []
    let all = code(from: start)
    let inserts = all.contains { code in
      code.descendants(.call).contains { $0.previousSibling?.name?.text == "insert" }
    }
    for code in all {
      for node in code.subtree {
        guard let (names, place) = names(of: node),
          let type = types.resolve(names, from: node.ref), models.isModel(type)
        else { continue }
        uses.append(
          StageUse(
            model: type, name: types.qualifiedName(type), place: types.place(place),
            isOnlyMade: !inserts && node.kind == .chain && place.kind == .name
              && place.name?.text != "FetchDescriptor"))
      }
    }
    return uses
  }

  /// The properties that the code names by strings.
  func keys(from start: Ref?) -> [StageKey] {
    code(from: start).flatMap { code in
      code.descendants(.argument).compactMap { argument in
        guard argument.label?.text == "forKey", let value = ArgumentView(argument)?.value,
          let name = value.stringValue, let call = argument.parent, call.kind == .call,
          let called = call.previousSibling?.name?.text, called == "setValue" || called == "value"
        else { return nil }
        return StageKey(name: name, place: types.place(value))
      }
    }
  }

  /// The classes of which the code deletes every row: by `delete(model:)` without a condition, or
  /// each of the rows that an unconditional fetch gives.
  func emptied(from start: Ref?) -> [Int] {
    code(from: start).flatMap { code in
      code.descendants(.chain).compactMap { chain -> Int? in
        guard let call = chain.lastChild, call.kind == .call,
          call.previousSibling?.name?.text == "delete", let names = emptiedNames(by: call),
          let type = types.resolve(names, from: chain.ref), models.isModel(type)
        else { return nil }
        return type
      }
    }
  }

  /// The closure of a handler, or the block of the function that it is; nil where it is neither.
  func body(of handler: Known?) -> Ref? {
    switch handler {
    case .closure(let place, _, _): place
    case .function(let id, _): types.program.body(of: id)
    default: nil
    }
  }

  /// What runs: the closure or the named function, and the static functions that it calls.
  private func code(from start: Ref?) -> [NodeView] {
    var found = start.map { [types.program.nodeView($0)] } ?? []
    var seen = Set(found.map(\.ref))
    var next = 0
    while next < found.count, types.program.isWithin(next, .handlerCalls) {
      let code = found[next]
      next += 1
      for call in code.descendants(.call) {
        guard let names = call.calledNames, let block = block(of: names, from: call.ref),
          seen.insert(block.ref).inserted
        else { continue }
        found.append(block)
      }
    }
    return found
  }

  /// The block of a static function.
  private func block(
    of names: [String], from place: Ref
  ) -> NodeView? {
    let isOwn = names.count == 2 && (names[0] == "self" || names[0] == "Self")
    guard let member = types.member(isOwn ? [names[1]] : names, from: place) else { return nil }
    let node = types.node(member)
    if node.kind == .functionDecl { return node.child(.block) }
    guard let steps = node.child(.expression)?.steps, steps.count == 1, steps[0].kind == .closure
    else { return nil }
    return steps[0]
  }

  private func emptiedNames(by call: NodeView) -> [String]? {
    let arguments = call.arguments
    guard arguments.count == 1, let value = arguments[0].value else { return nil }
    if arguments[0].label?.text == "model" { return value.metatypeNames }
    guard let row = value.dottedNames, row.count == 1, let (rows, loop) = loop(over: row[0], call)
    else { return nil }
    let names = rows.kind == .name ? rows.name.map { [$0.text] } : rows.dottedNames
    guard let name = names, name.count == 1 else { return fetchedNames(in: rows) }
    return loop.binding(named: name[0])?.child(.expression).flatMap(fetchedNames)
  }

  /// The rows that a loop, or a closure of `forEach` and the like, goes through one by one with a
  /// call in it that stands under no condition, and the loop or closure itself.
  private func loop(over row: String, _ call: NodeView) -> (rows: NodeView, loop: NodeView)? {
    guard let block = call.ancestors.first(where: { $0.kind == .block || $0.kind == .closure })
    else { return nil }
    if block.kind == .closure {
      guard block.hasParameter(row), let outer = block.ancestors.first(where: { $0.kind == .call }),
        let called = outer.previousSibling, ["forEach", "map"].contains(called.name?.text),
        let rows = called.previousSibling, rows.kind == .name, rows.previousSibling == nil,
        outer.children.contains(where: { $0 == block || $0.child(.closure) == block })
      else { return nil }
      return (rows, outer)
    }
    guard let loop = block.parent, loop.kind == .forStatement, loop.firstChild?.name?.text == row,
      loop.children(.expression).count == 1, let rows = loop.child(.expression)
    else { return nil }
    return (rows, loop)
  }

  /// The class of a fetch without a condition, its descriptor in a constant or at hand.
  private func fetchedNames(in value: NodeView) -> [String]? {
    if let argument = value.descendants(.argument).first.flatMap({ ArgumentView($0)?.value }),
      let name = argument.dottedNames, name.count == 1,
      let made = value.binding(named: name[0]), made.flags.contains(.isLet),
      let descriptor = made.child(.expression)
    {
      return fetchedNames(in: descriptor)
    }
    for chain in value.descendants(.chain) {
      let steps = Array(chain.children)
      guard steps.count == 2, steps[0].name?.text == "FetchDescriptor", steps[1].kind == .call,
        steps[1].firstChild == nil
      else { continue }
      return names(of: chain)?.names
    }
    return nil
  }

  /// The names of the class that a cast or a chain uses, and the node that says them.
  private func names(of node: NodeView) -> (names: [String], place: NodeView)? {
    switch node.kind {
    case .cast:
      guard let type = node.child(.type) else { return nil }
      return TypeName(type).modelNames.map { ($0, type) }
    case .chain:
      let steps = Array(node.children)
      guard let head = steps.first else { return nil }
      if head.name?.text == "FetchDescriptor" {
        guard let first = head.child(TypeView.self) else { return nil }
        return TypeName(first).modelNames.map { ($0, head) }
      }
      guard let call = steps.firstIndex(where: { $0.kind == .call }), call > 0 else { return nil }
      guard head.kind == .name, let names = NodeView.names(of: steps[..<call]),
        names.last?.first?.isUppercase ?? false
      else { return nil }
      return (names, head)
    default: return nil
    }
  }
}

extension NodeView {
  /// The names of what a call calls, `Plan.keep` of `Plan.keep(context)`.
  fileprivate var calledNames: [String]? {
    guard let chain = parent, chain.kind == .chain else { return nil }
    let path = chain.children.prefix { $0.index < index }
    return path.first?.kind == .name ? Self.names(of: path[...]) : nil
  }
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
