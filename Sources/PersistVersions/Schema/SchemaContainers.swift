import PersistFlow
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
    var schema = schema(types.program.knownValue(of: value.ref))
    for argument in rest.prefix(while: { $0.label == nil }) {
      guard case .models(let listed) = schema,
        case .models(let more)? = argument.value.map({
          self.schema(types.program.knownValue(of: $0.ref))
        })
      else { return .unknown }
      schema = .models(listed + more)
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
    let stores = types.program.openedStores(by: call.ref)
    return ContainerUse(
      call: call.ref, place: called.ref, schemaPlace: value.ref, schema: schema,
      plan: plan(arguments),
      isInMemory: types.program.opensInMemory(call.ref),
      isPassing: stores.contains { $0.isReadOnly || $0.file?.isTemporary ?? false },
      isRetry: call.ancestors.contains { $0.kind == .catchClause })
  }

  private func plan(_ arguments: [ArgumentView]) -> ContainerUse.Plan {
    guard let value = arguments.first(where: { $0.label?.text == "migrationPlan" })?.value else {
      return .none
    }
    switch types.program.knownValue(of: value.ref) {
    case .type(let type): return planOf[type].map { .plan($0) } ?? .unknown
    case .none: return .none
    default: return .unknown
    }
  }

  /// What a value stands for, where all that it may be stores one and the same.
  private func schema(_ value: Known) -> ContainerUse.Schema {
    let found = value.choices.filter { $0 != .none }.map(described)
    guard let first = found.first, found.allSatisfy({ $0.isSame(as: first) }) else {
      return .unknown
    }
    return first
  }

  private func described(_ value: Known) -> ContainerUse.Schema {
    switch value {
    case .type(let type): return models.isModel(type) ? .models([type]) : .unknown
    case .list(let elements):
      let ids = elements.compactMap { element -> Int? in
        if case .type(let type) = element, models.isModel(type) { type } else { nil }
      }
      return ids.count == elements.count ? .models(ids) : .unknown
    case .made(let call, let values):
      guard let argument = types.program.arguments(call).first, let first = values.first else {
        return .unknown
      }
      switch types.program.labelText(argument) {
      case "": return schema(first)
      case "versionedSchema":
        guard case .type(let type) = first, let index = versionOf[type] else { return .unknown }
        return .version(index)
      default: return .unknown
      }
    default: return .unknown
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
