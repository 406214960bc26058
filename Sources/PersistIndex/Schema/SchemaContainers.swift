import PersistSchema
import PersistSyntax

/// A place that makes a `ModelContainer`, and what it is given.
package struct ContainerUse: Sendable {
  /// What the container stores.
  package enum Schema: Sendable {
    case version(Int)
    /// The ids of model classes.
    case models([Int])
    case unknown
  }

  /// How the container migrates.
  package enum Plan: Hashable, Sendable {
    case none
    case plan(Int)
    case unknown
  }

  package let call: Ref
  /// The name that is called.
  package let place: Ref
  /// The value of the argument `for`.
  package let schemaPlace: Ref?
  package let schema: Schema
  package let plan: Plan
  package let isInMemory: Bool
  /// Whether the store can't be written, or lies in a temporary folder.
  package let isPassing: Bool
  /// Whether it stands in a `catch`.
  package let isRetry: Bool
}

/// Finds the places that make containers.
struct SchemaContainerReader {
  let types: SchemaTypes
  let lists: ListReader
  let models: SchemaModelReader
  let versionOf: [Int: Int]
  let planOf: [Int: Int]

  func containers(in source: SchemaSource) -> [ContainerUse] {
    let nodes = source.outline.nodes
    return nodes.indices.compactMap { index in
      guard nodes[index].kind == .call else { return nil }
      return container(Part(source: source, index: index))
    }
  }

  /// What each `ModelConfiguration` of a file is given to store: its schema, or that of the only
  /// container that is made beside it.
  func configurations(
    in source: SchemaSource, _ containers: [ContainerUse]
  ) -> [Ref: ContainerUse.Schema] {
    var found: [Ref: ContainerUse.Schema] = [:]
    let nodes = source.outline.nodes
    for index in nodes.indices where nodes[index].kind == .call {
      let call = Part(source: source, index: index)
      guard call.calledName == "ModelConfiguration" else { continue }
      let arguments = call.all(.argument)
      if let first = arguments.firstIndex(where: { $0.label == "schema" || $0.label == "for" }),
        let value = arguments[first].argumentValue
      {
        found[call.ref] = schema(value, arguments[(first + 1)...], at: call)
        continue
      }
      let scope = call.ancestors.first {
        [.functionDecl, .initDecl, .accessor, .binding, .closure].contains($0.kind)
      }
      let beside = containers.filter { other in
        other.call.file == call.ref.file
          && scope.map { Int($0.index)..<Int($0.node.subtreeEnd) ~= Int(other.call.node) } ?? false
      }
      if beside.count == 1 { found[call.ref] = beside[0].schema }
    }
    return found
  }

  /// What a value and the types behind it stand for.
  private func schema(
    _ value: Part, _ rest: ArraySlice<Part>, at call: Part
  ) -> ContainerUse.Schema {
    var schema = schema(value, at: call, depth: 0)
    for argument in rest.prefix(while: { $0.label == nil }) {
      guard case .models(let listed) = schema, let names = argument.argumentValue?.metatypeNames,
        let type = types.resolve(names, from: call), models.isModel(type)
      else { return .unknown }
      schema = .models(listed + [type])
    }
    return schema
  }

  private func container(_ call: Part) -> ContainerUse? {
    let chain = Part(source: call.source, index: Int(call.node.parent))
    guard chain.kind == .chain, let called = call.siblingBefore,
      called.kind == .name || called.kind == .member, let name = called.name,
      name == "ModelContainer" || name == "modelContainer"
    else { return nil }
    let arguments = call.all(.argument)
    guard let first = arguments.firstIndex(where: { $0.label == "for" }),
      let value = arguments[first].argumentValue
    else { return nil }
    let schema = schema(value, arguments[(first + 1)...], at: call)
    let settings = settings(arguments, at: call)
    return ContainerUse(
      call: call.ref, place: called.ref, schemaPlace: value.ref, schema: schema,
      plan: plan(arguments),
      isInMemory: settings.contains { $0.saysInMemory },
      isPassing: settings.contains { $0.saysPassing },
      isRetry: call.ancestors.contains { $0.kind == .catchClause })
  }

  private func plan(_ arguments: [Part]) -> ContainerUse.Plan {
    guard let value = arguments.first(where: { $0.label == "migrationPlan" })?.argumentValue else {
      return .none
    }
    guard let names = value.metatypeNames, let type = types.resolve(names, from: value)
    else { return .unknown }
    return planOf[type].map { .plan($0) } ?? .unknown
  }

  private func schema(
    _ value: Part, at place: Part, depth: Int
  ) -> ContainerUse.Schema {
    guard types.program.isWithin(depth, .schemaConstants) else { return .unknown }
    if let names = value.metatypeNames {
      guard let type = types.resolve(names, from: value), models.isModel(type) else {
        return .unknown
      }
      return .models([type])
    }
    guard let chain = value.onlyChain?.children, let last = chain.last else { return .unknown }
    if last.kind == .call, chain.count == 2, chain[0].name == "Schema" {
      let arguments = last.all(.argument)
      if let version = arguments.first(where: { $0.label == "versionedSchema" }) {
        guard let names = version.argumentValue?.metatypeNames,
          let type = types.resolve(names, from: value), let index = versionOf[type]
        else { return .unknown }
        return .version(index)
      }
      guard let list = arguments.first, list.label == nil, let value = list.argumentValue else {
        return .unknown
      }
      return self.list(value)
    }
    if last.kind == .array, chain.count == 1 { return list(value) }
    guard let names = value.dottedNames, let name = names.last else { return .unknown }
    let isOwn = names.count == 2 && (names[0] == "self" || names[0] == "Self")
    if names.count == 1 || isOwn {
      if let binding = place.binding(named: name) {
        guard let inner = binding.onlyValue else { return .unknown }
        return schema(inner, at: binding, depth: depth + 1)
      }
      if names.count == 1, place.isHidden(name) { return .unknown }
    }
    guard let member = types.member(isOwn ? [name] : names, from: value),
      let inner = member.part.onlyValue
    else { return .unknown }
    return schema(inner, at: member.part, depth: depth + 1)
  }

  private func list(_ value: Part) -> ContainerUse.Schema {
    guard let elements = lists.elements(of: value, locals: [:]) else {
      return .unknown
    }
    var ids: [Int] = []
    for element in elements {
      guard let names = element.metatypeNames,
        let type = types.resolve(names, from: element), models.isModel(type)
      else { return .unknown }
      ids.append(type)
    }
    return .models(ids)
  }

  /// All arguments but the schema, and the values of the variables that they name.
  private func settings(_ arguments: [Part], at call: Part) -> [Part] {
    arguments.filter { $0.label != "for" && $0.label != nil }.flatMap { argument in
      [argument]
        + argument.subtree.filter { $0.kind == .name }.compactMap { name in
          name.name.flatMap { call.binding(named: $0)?.first(.expression) }
        }
    }
  }
}

extension Part {
  /// Whether a setting of a container, or what it holds, keeps the store in memory.
  fileprivate var saysInMemory: Bool {
    subtree.contains { part in
      switch part.kind {
      case .argument:
        (part.label == "isStoredInMemoryOnly" || part.label == "inMemory")
          && part.argumentValue?.booleanLiteral == true
      case .string: part.text.contains("/dev/null")
      default: false
      }
    }
  }

  /// Whether a setting of a container, or what it holds, keeps the store from being written or puts
  /// it into a temporary folder.
  fileprivate var saysPassing: Bool {
    subtree.contains { part in
      switch part.kind {
      case .argument: part.label == "allowsSave" && part.argumentValue?.booleanLiteral == false
      case .name, .member, .implicitMember:
        part.name == "NSTemporaryDirectory"
          || part.name?.camelWords.suffix(2) == ["temporary", "directory"]
      default: false
      }
    }
  }

  /// The enclosing nodes, nearest first.
  var ancestors: [Part] {
    var result: [Part] = []
    var at = self
    while at.index != 0 {
      at = Part(source: source, index: Int(at.node.parent))
      result.append(at)
    }
    return result
  }

  /// The name that a call calls.
  var calledName: String? {
    let chain = Part(source: source, index: Int(node.parent))
    guard chain.kind == .chain else { return nil }
    return siblingBefore?.name
  }

  /// Whether a parameter, or another name that a statement binds, has this name around a place.
  func isHidden(_ name: String) -> Bool {
    ancestors.contains { scope in
      switch scope.kind {
      case .functionDecl, .initDecl, .closure:
        scope.first(.parameters)?.all(.parameter).contains { $0.name == name } ?? false
      case .block, .ifStatement: scope.unwraps(name)
      default: false
      }
    }
  }

  /// What a constant holds, or what a computed property or a function without parameters gives.
  var onlyValue: Part? {
    if kind == .binding, let value = first(.expression) {
      guard let chain = value.onlyChain?.children, chain.count == 2, chain[0].kind == .closure,
        chain[1].kind == .call
      else { return value }
      return chain[0].onlyResult
    }
    let block =
      first(.block)
      ?? first(.accessors)?.all(.accessor).first { $0.name == nil || $0.name == "get" }?
      .first(.block)
    return block?.onlyResult
  }

  /// What a block gives that ends with its only `return`, or is one expression.
  private var onlyResult: Part? {
    let statements = children.filter { $0.kind == .expression || $0.kind == .returnStatement }
    guard let last = statements.last, last.index == children.last?.index else { return nil }
    if last.kind == .returnStatement { return last.first(.expression) }
    return statements.count == 1 ? last : nil
  }

  /// The nearest variable of this name around a place; nil also when a parameter hides it.
  func binding(named name: String) -> Part? {
    for scope in ancestors {
      switch scope.kind {
      case .functionDecl, .initDecl, .closure:
        let parameters = scope.first(.parameters)?.all(.parameter) ?? []
        if parameters.contains(where: { $0.name == name }) { return nil }
        if scope.kind == .closure { fallthrough }
      case .block, .members, .file, .ifConfigClause:
        if scope.unwraps(name) { return nil }
        for variable in scope.all(.variableDecl) {
          if let binding = variable.all(.binding).first(where: { $0.name == name }) {
            return binding
          }
        }
      case .ifStatement:
        if scope.unwraps(name) { return nil }
      default: continue
      }
    }
    return nil
  }

  /// Whether an `if let`, or a `guard let` of a block, binds a name.
  private func unwraps(_ name: String) -> Bool {
    let statements = kind == .ifStatement ? [self] : all(.guardStatement)
    return statements.contains { statement in
      statement.all(.optionalBinding).contains { $0.first(.boundName)?.name == name }
    }
  }
}
