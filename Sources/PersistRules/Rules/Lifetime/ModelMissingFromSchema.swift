import PersistFlow
import PersistIndex
import PersistSchema
import PersistVersions

/// A model that no container stores: the first insert or fetch crashes the app.
struct ModelMissingFromSchema: Rule {
  static let id: RuleID = "model-missing-from-schema"

  func check(_ program: Program, into findings: inout Findings) {
    checkConfigurations(program, into: &findings)
    let containers = program.openedContainers
    let known = containers.compactMap { $0 }
    guard !known.isEmpty, known.count == containers.count,
      program.calls(named: "DocumentGroup").isEmpty,
      program.calls(named: "Schema").allSatisfy({ isListed($0, known, program) })
    else { return }
    checkContexts(program, known, into: &findings)
    let stored = known.reduce(into: Set<String>()) { $0.formUnion($1.models) }
    let versioned = Set(program.schema.versions.flatMap { $0.uses.map { $0.model.name } })
    for model in program.schema.models where !model.isTest && !model.hasSuperclass {
      guard !stored.contains(model.name), !versioned.contains(model.name),
        let place = model.place.ref, !program.isExempt(place),
        let type = program.type(declaredAt: place), let use = firstUse(of: type, program)
      else { continue }
      findings.report(
        .unknown(model.name), at: use,
        related: [
          .init(place, "`\(model.name)` is declared here"),
          .init(known[0].use.place, "no container lists it"),
        ])
    }
  }

  /// Whether a schema is one that a known container takes, so that no other container is missed.
  private func isListed(_ call: Ref, _ known: [OpenedContainer], _ program: Program) -> Bool {
    program.isExempt(call)
      || program.metatypes(in: call).allSatisfy { type in
        known.contains { $0.models.contains(program.modelName(type)) }
      }
  }

  /// The first place that inserts, fetches or queries a model.
  private func firstUse(of model: TypeID, _ program: Program) -> Ref? {
    var found: [Ref] = []
    for call in program.calls(named: "insert") where !program.isExempt(call) {
      guard let argument = program.argument(call, .none), program.arguments(call).count == 1,
        case .externalMethod(let receiver, _) = program.callTarget(call),
        receiver.isExternal("ModelContext"), program.type(of: argument) == .declared(model)
      else { continue }
      found.append(program.chain(of: call))
    }
    for call in program.calls(named: "FetchDescriptor") where !program.isExempt(call) {
      guard
        program.type(of: program.chain(of: call))
          == .external("FetchDescriptor", [.declared(model)])
      else { continue }
      found.append(program.chain(of: call))
    }
    for (id, property) in program.properties.enumerated()
    where property.attributes.contains("Query") && !program.isExempt(property.ref)
      && program.model(in: program.type(ofProperty: id)) == model
    {
      found.append(property.ref)
    }
    return found.min()
  }

  // MARK: Contexts

  /// Reports the models that a context gets or is asked for whose own containers all lack them, though
  /// another container has them.
  private func checkContexts(
    _ program: Program, _ known: [OpenedContainer], into findings: inout Findings
  ) {
    guard known.count > 1 else { return }
    let stored = known.reduce(into: Set<String>()) { $0.formUnion($1.models) }
    var places: [Foreign: [Ref]] = [:]
    for (call, model) in program.modelsOfContexts where !program.isExempt(call) {
      let name = program.modelName(model)
      guard stored.contains(name), !program.lineage(of: model).contains(where: { $0 != model }),
        let openings = program.openings(behindReceiverOf: call)
      else { continue }
      let own = openings.map { opening in known.filter { $0.use.call == opening } }
      guard own.allSatisfy({ !$0.isEmpty }),
        own.joined().allSatisfy({ !$0.models.contains(name) }),
        let place = own.joined().map(\.use.place).min()
      else { continue }
      places[Foreign(model: model, container: place), default: []].append(program.chain(of: call))
    }
    for (foreign, uses) in places {
      let sorted = uses.sorted()
      findings.report(
        .isOfAnother(program.modelName(foreign.model)), at: sorted[0],
        related: [.init(foreign.container, "the context's container is made here")]
          + sorted.dropFirst().map { .init($0, "and here") })
    }
  }

  /// A model with the container that lacks it.
  private struct Foreign: Hashable {
    let model: TypeID
    let container: Ref
  }

  // MARK: Configurations

  /// Reports configurations whose own schemas leave out what their container's has.
  private func checkConfigurations(_ program: Program, into findings: inout Findings) {
    for container in program.openedContainers.compactMap({ $0 }) where !container.listed.isEmpty {
      guard let made = program.configurations(of: container.use.call), let first = made.first
      else { continue }
      let schemas = made.map { program.argument($0, "schema") }
      let held = schemas.map { schema in schema.map { program.listedModels(in: $0) } ?? [] }
      guard held.allSatisfy({ !$0.isEmpty }) else { continue }
      let stored = held.reduce(into: Set<String>()) { $0.formUnion(program.reachedModels($1)) }
      let missing = container.models.subtracting(stored).sorted()
      guard !missing.isEmpty else { continue }
      findings.report(
        .hasNoStore(missing), at: program.chain(of: first),
        related: [.init(container.use.place, "the container lists them")])
    }
  }
}

extension Finding.Message {
  fileprivate static func unknown(_ model: String) -> Self {
    """
    the app crashes here, because no container of this app stores `\(model)`; add `\(model).self` \
    to the container's schema
    """
  }

  fileprivate static func isOfAnother(_ model: String) -> Self {
    """
    the app crashes here, because the container of this context doesn't store `\(model)`; use a \
    context of the container that does, or add `\(model).self` to this one's schema
    """
  }

  fileprivate static func hasNoStore(_ missing: [String]) -> Self {
    let names = missing.prefix(3).map { "`\($0)`" }.joined(separator: ", ")
    return """
      the container can't be opened, or can't save \(names), because no configuration has a store \
      for \(missing.count == 1 ? "this model" : "these models"); add \
      \(missing.count == 1 ? "it" : "them") to the `schema` of a configuration
      """
  }
}
