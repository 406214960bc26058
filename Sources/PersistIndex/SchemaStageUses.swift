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
  let table: SchemaTypeTable
  let models: SchemaModelReader

  /// The classes in the order of their places; none for code that stands elsewhere.
  func uses(in handler: Part?) -> [StageUse] {
    guard let handler, handler.kind == .closure || handler.onlyChain?.first(.closure) != nil else {
      return []
    }
    let scope = table.scope(at: handler)
    let nodes = handler.source.outline.nodes
    var uses: [StageUse] = []
    for index in handler.index..<Int(handler.node.subtreeEnd) {
      let part = Part(source: handler.source, index: index)
      guard let (names, place) = names(of: part, kind: nodes[index].kind),
        case .found(let type) = table.resolve(names, in: scope), models.isModel(type)
      else { continue }
      uses.append(StageUse(model: type, name: table.qualifiedName(type), place: place))
    }
    return uses
  }

  /// The properties that the code names by strings.
  func keys(in handler: Part?) -> [StageKey] {
    guard let handler, handler.kind == .closure else { return [] }
    let nodes = handler.source.outline.nodes
    var keys: [StageKey] = []
    for index in handler.index..<Int(handler.node.subtreeEnd) where nodes[index].kind == .argument {
      let part = Part(source: handler.source, index: index)
      guard part.label == "forKey", let value = part.argumentValue, let name = value.stringValue,
        let call = part.ancestors.first, call.kind == .call,
        let called = call.ancestors.first?.children.last(where: { $0.index < call.index }),
        called.name == "setValue" || called.name == "value"
      else { continue }
      keys.append(StageKey(name: name, place: value.place))
    }
    return keys
  }

  private func names(of part: Part, kind: Node.Kind) -> ([String], SchemaPlace)? {
    switch kind {
    case .cast:
      guard let type = part.first(.type) else { return nil }
      return TypeName(type).modelNames.map { ($0, type.place) }
    case .chain:
      let steps = part.children
      if steps.first?.name == "FetchDescriptor", let head = steps.first {
        let text = head.tokenTexts.joined()
        guard case .named(_, let arguments) = TypeName(text), let first = arguments.first else {
          return nil
        }
        return first.modelNames.map { ($0, head.place) }
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
