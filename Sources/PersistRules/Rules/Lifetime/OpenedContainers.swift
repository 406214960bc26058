import PersistFlow
import PersistIndex
import PersistSchema
import PersistVersions

/// A SwiftData container of the sources: which models it lists, and which stores it opens.
struct OpenedContainer {
  let use: ContainerUse
  /// The names of the models, those reached by relationships included.
  let models: Set<String>
  /// The models that are listed, in source order; empty where a version lists them.
  let listed: [TypeID]
  /// Nil where one of the stores can't be told.
  let stores: [KnownText]?
}

extension Program {
  /// The containers on disk and in memory whose models are known; nil as soon as the models of one
  /// can't be told.
  var openedContainers: [OpenedContainer?] {
    schema.containers.filter { !isExempt($0.call) }.map { use in
      switch use.schema {
      case .unknown: return nil
      case .version(let index):
        // A list that can't be told is no shorter list.
        guard !schema.versions[index].shape.gaps.contains(where: { $0.entity.isEmpty }) else {
          return nil
        }
        let names = schema.versions[index].uses.map { $0.model.name }
        return OpenedContainer(
          use: use, models: Set(names), listed: [], stores: stores(of: use))
      case .models(let ids):
        let listed = ids.compactMap { id in
          schema.models.first { $0.id == id }?.place.ref.flatMap { type(declaredAt: $0) }
        }
        guard listed.count == ids.count else { return nil }
        return OpenedContainer(
          use: use, models: reachedModels(listed), listed: listed, stores: stores(of: use))
      }
    }
  }

  private func stores(of use: ContainerUse) -> [KnownText]? {
    if use.isInMemory { return [] }
    return stores(ofContainer: use.call)
  }

  /// The names of some models and of those that their relationships reach.
  func reachedModels(_ models: [TypeID]) -> Set<String> {
    var seen = Set(models)
    var queue = models
    while let model = queue.popLast() {
      for id in modelProperties(of: model) {
        guard let other = destination(of: id), seen.insert(other).inserted else { continue }
        queue.append(other)
      }
      for parent in lineage(of: model) where isModel(parent) && seen.insert(parent).inserted {
        queue.append(parent)
      }
    }
    return Set(seen.map { modelName($0) })
  }
}
