import PersistIndex
import PersistSyntax

extension Program {
  /// The entity that a fetch request asks for, where it says so.
  package func entity(askedBy value: Ref) -> String? {
    Reach(from: value) { value in
      let held = self.onlyName(of: self.uncast(value)).flatMap {
        self.initialValue(ofLocalNamed: $0)
      }
      return held.map { [$0] } ?? []
    }.first { onlyCall(of: uncast($0)) }.flatMap { entity(askedByCall: $0) }
  }

  /// The entity of a request that a call makes.
  private func entity(askedByCall call: Ref) -> String? {
    switch calledName(call) {
    case "fetchRequest":
      guard case .metatype(.declared(let type, _)) = receiverType(ofCall: call) else { return nil }
      return modelName(type)
    case "NSFetchRequest":
      let given: Ref? = argument(call, "entityName")
      guard let literal = given.flatMap({ stringLiteral($0) }) else { return nil }
      let entity = stringText(literal)
      return entity.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? entity : nil
    default: return nil
    }
  }

  /// A value without the casts behind it.
  private func uncast(_ value: Ref) -> Ref {
    let parts = children(value).filter { ![.tryMark, .cast].contains(kind($0)) }
    return parts.count == 1 && kind(parts[0]) == .chain ? parts[0] : value
  }
}

/// The entities of Core Data whose objects views may hold while other code changes the store: the
/// main queue's context returns them, or a property holds them.
package final class ShownEntities {
  private var names: Set<String>
  /// The entities that have a class, so that types tell where their objects are.
  private let classes: Set<String>

  package init(_ program: Program) {
    let all = program.types.indices.filter { program.isModel($0) }
    classes = Set(all.map(program.modelName))
    var types: Set<TypeID> = []
    for use in program.facts.uses {
      guard
        use.cases.contains(where: { $0.owner.framework == .coreData && $0.owner.home == .main }),
        let chain = program.parent(use.node), program.kind(chain) == .chain
      else { continue }
      // A fetch gives objects in the midst of a chain.
      for place in program.children(chain).dropFirst().map(Optional.some) + [nil] {
        if let model = program.model(in: program.type(ofChain: chain, upTo: place)) {
          types.insert(model)
        }
      }
    }
    for id in program.properties.indices {
      guard let owner = program.properties[id].owner, !program.isModel(owner) else { continue }
      var held = [program.type(ofProperty: id)]
      if case .external(_, let arguments) = held[0].unwrapped { held += arguments }
      types.formUnion(held.compactMap { program.model(in: $0) })
    }
    names = Set(types.map(program.modelName))
    for request in program.calls(named: "NSFetchRequest") {
      guard let chain = program.parent(request),
        program.type(ofChain: chain, upTo: nil).holdsPlainObjects,
        let name = program.argument(request, "entityName"),
        let literal = program.stringLiteral(name)
      else { continue }
      names.insert(program.stringText(literal))
    }
  }

  /// Whether views may hold objects of an entity; one without a class counts, because types don't
  /// tell its objects.
  package func contains(_ entity: String) -> Bool {
    !classes.contains(entity) || names.contains(entity)
  }
}

extension Program {
  /// Whether the function around a place, or what it calls, gives each property that holds objects of
  /// an entity another value.
  package func renewsHolders(of entity: String, around place: Ref) -> Bool {
    let facts = loweredCode.facts(for: place)
    guard let code = facts.body(around: place, inClosures: false) else { return false }
    let holders = properties.indices.filter { id in
      let whole = type(ofProperty: id)
      var held = [whole]
      if case .external(_, let arguments) = whole.unwrapped { held += arguments }
      return !properties[id].isComputed && !isExempt(properties[id].ref)
        && held.contains { model(in: $0).map { modelName($0) == entity } ?? false }
    }
    return !holders.isEmpty && facts.assignedDeeply(by: code).isSuperset(of: holders)
  }
}

extension SwiftType {
  /// Whether it is a request for objects of no class of their own.
  fileprivate var holdsPlainObjects: Bool {
    guard case .external(_, let arguments) = unwrapped else { return false }
    return arguments.contains { $0.isExternal("NSManagedObject") }
  }
}
