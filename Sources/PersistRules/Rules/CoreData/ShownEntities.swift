import PersistFlow
import PersistIndex
import PersistSyntax

/// The entities of Core Data whose objects views may hold while other code changes the store: the
/// main queue's context returns them, or a property holds them.
final class ShownEntities {
  private var names: Set<String>
  /// The entities that have a class, so that types tell where their objects are.
  private let classes: Set<String>

  init(_ program: Program) {
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
  func contains(_ entity: String) -> Bool { !classes.contains(entity) || names.contains(entity) }
}

extension SwiftType {
  /// Whether it is a request for objects of no class of their own.
  fileprivate var holdsPlainObjects: Bool {
    guard case .external(_, let arguments) = unwrapped else { return false }
    return arguments.contains { $0.isExternal("NSManagedObject") }
  }
}
