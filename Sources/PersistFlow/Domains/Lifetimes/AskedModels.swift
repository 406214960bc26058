import PersistIndex
import PersistSyntax

/// The classes of Core Data for which requests ask by the names of entities.
struct AskedModels {
  /// A class, with what names it.
  struct Asked {
    let model: TypeID
    let source: PlacedValue
  }

  private let values: ValueSources
  private var program: Program { values.program }

  init(_ values: ValueSources) { self.values = values }

  /// The classes that a request asks for: one for each name that it may be made with.
  func asked(by request: PlacedValue) -> [Asked] {
    Reach(from: request) { [values] made in
      let givers = values.directGivers(of: made)
      return givers.isEmpty ? values.results(ofCall: made) ?? [] : givers
    }.ends.flatMap { made -> [Asked] in
      guard let site = made.site else { return [] }
      let name =
        site.name == Frameworks.madeRequest
        ? site.receiver : site.arguments.first { $0.label == Frameworks.entityName }?.value ?? -1
      return name < 0 ? [] : named(made.with(name))
    }
  }

  /// The classes that a name, a type or an entity stands for, each element of a list for itself.
  private func named(_ value: PlacedValue) -> [Asked] {
    Reach(from: value) { [values] source in
      let givers = values.directGivers(of: source)
      guard givers.isEmpty else { return givers }
      switch source.step.operation {
      case .get where source.step.name == Frameworks.entities: return []
      case .next, .array, .binary, .get: return source.operands
      case .parameter: return values.list(behind: source).map { [$0] } ?? []
      case .call:
        let given = source.site.map { $0.receiver < 0 ? $0.arguments.map(\.value) : [$0.receiver] }
        return (given ?? []).filter { $0 >= 0 }.map { source.with($0) }
      default: return []
      }
    }.flatMap { source -> [Asked] in
      switch source.step.operation {
      case .literal:
        return model(ofEntity: program.stringText(source.node)).map {
          [Asked(model: $0, source: source)]
        } ?? []
      case .type:
        guard
          case .metatype(.declared(let type, _)) = program.type(
            of: program.parent(source.node) ?? source.node), program.isManagedClass(type)
        else { return [] }
        return [Asked(model: program.resolveAlias(type), source: source)]
      case .get where source.step.name == Frameworks.entities:
        return program.types.indices.filter { program.isManagedClass($0) }
          .map { Asked(model: $0, source: source) }
      default: return []
      }
    }
  }

  /// The only class with an entity's name.
  func model(ofEntity entity: String) -> TypeID? {
    let found = program.types.indices.filter {
      program.isManagedClass($0) && program.modelName($0) == entity
    }
    return found.count == 1 ? found[0] : nil
  }
}
