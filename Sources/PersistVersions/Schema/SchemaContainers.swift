import PersistIndex
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

  /// The containers that some calls make.
  func containers(_ calls: [NodeView]) -> [ContainerUse] { calls.compactMap(container) }

  /// What each `ModelConfiguration` among the calls of a file is given to store: its schema, or that
  /// of the only container that is made beside it.
  func configurations(
    _ calls: [NodeView], _ containers: [ContainerUse]
  ) -> [Ref: ContainerUse.Schema] {
    var found: [Ref: ContainerUse.Schema] = [:]
    for call in calls where call.calledName == "ModelConfiguration" {
      let arguments = call.arguments
      if let first = arguments.firstIndex(where: {
        $0.label?.text == "schema" || $0.label?.text == "for"
      }), let value = arguments[first].value {
        found[call.ref] = schema(value, arguments[(first + 1)...], at: call)
        continue
      }
      let scope = call.ancestors.first {
        [.functionDecl, .initDecl, .accessor, .binding, .closure].contains($0.kind)
      }
      let beside = containers.filter { other in
        other.call.file == call.ref.file
          && scope.map { types.program.contains($0.ref, other.call) } ?? false
      }
      if beside.count == 1 { found[call.ref] = beside[0].schema }
    }
    return found
  }

  /// What a value and the types behind it stand for.
  private func schema(
    _ value: NodeView, _ rest: ArraySlice<ArgumentView>, at call: NodeView
  ) -> ContainerUse.Schema {
    var schema = schema(value, at: call, depth: 0)
    for argument in rest.prefix(while: { $0.label == nil }) {
      guard case .models(let listed) = schema, let names = argument.value?.metatypeNames,
        let type = types.resolve(names, from: call.ref), models.isModel(type)
      else { return .unknown }
      schema = .models(listed + [type])
    }
    return schema
  }

  private func container(_ call: NodeView) -> ContainerUse? {
    guard call.parent?.kind == .chain, let called = call.previousSibling,
      called.kind == .name || called.kind == .member, let name = called.name?.text,
      name == "ModelContainer" || name == "modelContainer"
    else { return nil }
    let arguments = call.arguments
    guard let first = arguments.firstIndex(where: { $0.label?.text == "for" }),
      let value = arguments[first].value
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

  private func plan(_ arguments: [ArgumentView]) -> ContainerUse.Plan {
    guard let value = arguments.first(where: { $0.label?.text == "migrationPlan" })?.value else {
      return .none
    }
    guard let names = value.metatypeNames, let type = types.resolve(names, from: value.ref)
    else { return .unknown }
    return planOf[type].map { .plan($0) } ?? .unknown
  }

  private func schema(
    _ value: NodeView, at place: NodeView, depth: Int
  ) -> ContainerUse.Schema {
    guard types.program.isWithin(depth, .schemaConstants) else { return .unknown }
    if let names = value.metatypeNames {
      guard let type = types.resolve(names, from: value.ref), models.isModel(type) else {
        return .unknown
      }
      return .models([type])
    }
    guard let chain = value.steps, let last = chain.last else { return .unknown }
    if last.kind == .call, chain.count == 2, chain[0].name?.text == "Schema" {
      let arguments = last.arguments
      if let version = arguments.first(where: { $0.label?.text == "versionedSchema" }) {
        guard let names = version.value?.metatypeNames,
          let type = types.resolve(names, from: value.ref), let index = versionOf[type]
        else { return .unknown }
        return .version(index)
      }
      guard let list = arguments.first, list.label == nil, let value = list.value else {
        return .unknown
      }
      return self.list(value)
    }
    if last.kind == .array, chain.count == 1 { return list(value) }
    let path = last.kind == .call ? chain.dropLast() : chain[...]
    guard let names = NodeView.names(of: path), let name = path.last, let word = names.last else {
      return .unknown
    }
    let isOwn = names.count == 2 && (names[0] == "self" || names[0] == "Self")
    if names.count == 1 || isOwn {
      if let binding = place.binding(named: word) {
        guard let inner = binding.onlyValue else { return given(to: name, depth: depth) }
        return schema(inner, at: binding, depth: depth + 1)
      }
      if names.count == 1, place.isHidden(word) { return given(to: name, depth: depth) }
    }
    let member = types.member(isOwn ? [word] : names, from: value.ref).map { types.node($0) }
    guard let holder = member ?? types.declaration(named: name) else { return .unknown }
    guard let inner = holder.onlyValue else { return given(to: name, depth: depth) }
    return schema(inner, at: holder, depth: depth + 1)
  }

  /// What all who make the container hand over, where that is one and the same.
  private func given(to name: NodeView, depth: Int) -> ContainerUse.Schema {
    let found = types.given(to: name)?.map { schema($0, at: $0, depth: depth + 1) } ?? []
    guard let first = found.first, found.allSatisfy({ $0.isSame(as: first) }) else {
      return .unknown
    }
    return first
  }

  private func list(_ value: NodeView) -> ContainerUse.Schema {
    guard let elements = lists.elements(of: value, locals: [:]) else {
      return .unknown
    }
    var ids: [Int] = []
    for element in elements {
      guard let names = element.metatypeNames,
        let type = types.resolve(names, from: element.ref), models.isModel(type)
      else { return .unknown }
      ids.append(type)
    }
    return .models(ids)
  }

  /// All arguments but the schema, and the values of the variables that they name.
  private func settings(_ arguments: [ArgumentView], at call: NodeView) -> [NodeView] {
    arguments.filter { $0.label != nil && $0.label?.text != "for" }.flatMap { argument in
      [argument.node]
        + argument.node.descendants(.name).compactMap { name in
          name.name.flatMap { call.binding(named: $0.text)?.child(.expression) }
        }
    }
  }
}

extension ContainerUse.Schema {
  /// Whether two containers surely store the same.
  fileprivate func isSame(as other: Self) -> Bool {
    switch (self, other) {
    case (.version(let index), .version(let known)): index == known
    case (.models(let ids), .models(let known)): Set(ids) == Set(known)
    default: false
    }
  }
}

extension NodeView {
  /// Whether a setting of a container, or what it holds, keeps the store in memory.
  fileprivate var saysInMemory: Bool {
    subtree.contains { node in
      switch node.kind {
      case .argument:
        ["isStoredInMemoryOnly", "inMemory"].contains(node.label?.text)
          && node.firstChild?.booleanLiteral == true
      case .string: node.text.contains("/dev/null")
      default: false
      }
    }
  }

  /// Whether a setting of a container, or what it holds, keeps the store from being written or puts
  /// it into a temporary folder.
  fileprivate var saysPassing: Bool {
    subtree.contains { node in
      switch node.kind {
      case .argument:
        node.label?.text == "allowsSave" && node.firstChild?.booleanLiteral == false
      case .name, .member, .implicitMember:
        node.name?.text == "NSTemporaryDirectory"
          || node.name?.text.camelWords.suffix(2) == ["temporary", "directory"]
      default: false
      }
    }
  }
}
