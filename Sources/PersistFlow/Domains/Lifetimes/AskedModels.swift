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

  /// Steps between a request and what names its entity.
  private static let longestWay = 8

  init(_ values: ValueSources) { self.values = values }

  /// The classes that a request asks for: one for each name that it may be made with.
  func asked(by request: PlacedValue, _ depth: Int = 0) -> [Asked] {
    guard depth < Self.longestWay else { return [] }
    return values.sources(of: request).flatMap { made -> [Asked] in
      if let results = values.results(ofCall: made) {
        return results.flatMap { asked(by: $0, depth + 1) }
      }
      guard let site = made.site else { return [] }
      if site.name == Frameworks.madeRequest {
        return site.receiver < 0 ? [] : named(made.with(site.receiver), 0)
      }
      let name = site.arguments.first { $0.label == Frameworks.entityName }?.value ?? -1
      return name < 0 ? [] : named(made.with(name), 0)
    }
  }

  /// The classes that a name, a type or an entity stands for, each element of a list for itself.
  private func named(_ value: PlacedValue, _ depth: Int) -> [Asked] {
    guard depth < Self.longestWay else { return [] }
    return values.sources(of: value).flatMap { source -> [Asked] in
      func inner(_ values: [PlacedValue]) -> [Asked] { values.flatMap { named($0, depth + 1) } }
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
      case .next, .array, .binary, .get: return inner(source.operands)
      case .parameter: return inner(values.list(behind: source).map { [$0] } ?? [])
      case .call:
        guard let site = source.site else { return [] }
        let given = [site.receiver] + (site.receiver < 0 ? site.arguments.map(\.value) : [])
        return inner(given.filter { $0 >= 0 }.map { source.with($0) })
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
