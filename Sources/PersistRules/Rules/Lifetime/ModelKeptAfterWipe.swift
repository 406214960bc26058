import PersistIndex
import PersistSyntax

/// A model that something keeps while all objects of its class are deleted: the next look at it
/// ends the process.
struct ModelKeptAfterWipe: Rule {
  static let id: RuleID = "model-kept-after-wipe"

  func check(_ program: Program, into findings: inout Findings) {
    let wipes = program.calls(named: "delete").compactMap { call -> (call: Ref, model: TypeID)? in
      guard !program.isSilent(call), let argument = program.argument(call, "model"),
        program.argument(call, "where") == nil,
        case .metatype(.declared(let type)) = program.type(of: argument), program.isModel(type)
      else { return nil }
      return (call, program.resolveAlias(type))
    }
    for model in Set(wipes.map(\.model)).sorted() {
      let places = wipes.filter { $0.model == model }.map(\.call)
      for id in keepers(of: model, program) where !isLookedAt(id, program) {
        let owner = program.properties[id].owner
        let wipe = places.first { place in
          program.enclosingType(place).map { program.resolveAlias($0) } == owner
            && !isCleared(id, around: place, program, depth: 0)
        }
        guard let wipe else { continue }
        findings.report(
          .keepsGone(program.nameText(program.properties[id].ref), program.modelName(model)),
          at: program.properties[id].ref,
          related: [.init(program.chain(of: wipe), "all are deleted here")])
      }
    }
  }

  /// The properties of long-lived objects and views that keep a model, in source order.
  private func keepers(of model: TypeID, _ program: Program) -> [PropertyID] {
    program.files(using: program.types[model].name).flatMap { file in
      program.descendants(Ref(file: file, node: 0), .binding).compactMap { node -> PropertyID? in
        guard let id = program.property(declaredAt: node), !program.isSilent(node) else {
          return nil
        }
        let property = program.properties[id]
        guard !property.isComputed, !property.isLet, let owner = property.owner,
          !program.isModel(owner), program.model(in: program.type(ofProperty: id)) == model,
          property.attributes.contains("State") || property.attributes.contains("Published")
            || program.types[owner].attributes.contains("Observable") || isShared(owner, program)
        else { return nil }
        return id
      }
    }
  }

  /// Whether a type has one object that everybody uses.
  private func isShared(_ type: TypeID, _ program: Program) -> Bool {
    program.types[type].kind == .classDecl
      && program.types[type].properties.contains { id in
        program.properties[id].isStatic && program.type(ofProperty: id) == .declared(type)
      }
  }

  /// Whether something asks a kept object whether it still exists.
  private func isLookedAt(_ id: PropertyID, _ program: Program) -> Bool {
    let asks: Set<String> = ["modelContext", "managedObjectContext", "isDeleted"]
    return program.uses(ofProperty: id).contains { use in
      guard let chain = program.parent(use) else { return false }
      return program.children(chain).contains { $0 > use && asks.contains(program.nameText($0)) }
    }
  }

  /// Whether the property gets another value where the wipe stands, or where that is called.
  private func isCleared(_ id: PropertyID, around place: Ref, _ program: Program, depth: Int)
    -> Bool
  {
    guard depth < 3 else { return true }
    let body = program.lifeBody(around: place)
    if sets(id, in: body, program) || setsFurtherOn(id, in: body, program, depth: 0) { return true }
    guard let function = program.enclosingFunction(place) else { return false }
    let callers = program.callers(of: function).filter { !program.isSilent($0) }
    return !callers.isEmpty
      && callers.contains { isCleared(id, around: $0, program, depth: depth + 1) }
  }

  private func setsFurtherOn(_ id: PropertyID, in body: Ref, _ program: Program, depth: Int) -> Bool
  {
    guard depth < 3 else { return true }
    return program.descendants(body, .call).contains { call in
      program.functions(calledBy: call).contains { function in
        guard let inner = program.body(of: function) else { return false }
        return sets(id, in: inner, program)
          || program.functions[function].owner == program.properties[id].owner
            && setsFurtherOn(id, in: inner, program, depth: depth + 1)
      }
    }
  }

  private func sets(_ id: PropertyID, in body: Ref, _ program: Program) -> Bool {
    program.descendants(body, .expression).contains { expression in
      let parts = program.children(expression)
      guard parts.count > 2, program.nameText(parts[1]) == "=", program.kind(parts[0]) == .chain,
        let last = program.children(parts[0]).last
      else { return false }
      return program.property(usedBy: last) == id
    }
      || program.descendants(body, .call).contains { call in
        program.calledText(call) == "removeAll"
          && program.callee(call).contains { program.property(usedBy: $0) == id }
      }
  }
}

extension Finding.Message {
  fileprivate static func keepsGone(_ property: String, _ model: String) -> Self {
    """
    after all objects of `\(model)` are deleted, the next look at `\(property)` ends the app; set \
    it to nil, or fetch it again, where they are deleted
    """
  }
}
