import PersistIndex
import PersistSchema

/// A model that CloudKit does not take: the store that should sync fails to open, or never syncs.
struct CloudkitIncompatibleModel: Rule {
  static let id: RuleID = "cloudkit-incompatible-model"

  func check(_ program: Program, into findings: inout Findings) {
    checkEntitled(program, into: &findings)
    checkDataModels(program, into: &findings)
    var seen: Set<SchemaPlace> = []
    for sync in program.cloudSyncs {
      let syncing = sync.place.map {
        Findings.SchemaRelated(
          SchemaPlace(node: $0, in: program), "this store syncs with CloudKit")
      }
      for (live, keys) in stored(by: sync, program) {
        for entity in live.shape.entities where keys.contains(entity.key) {
          for obstacle in entity.obstacles {
            guard let place = live.place(of: Subject(entity.key, obstacle.property)),
              seen.insert(place).inserted
            else { continue }
            findings.report(
              .blocks(entity.name, obstacle), at: place, related: syncing.map { [$0] } ?? [])
          }
        }
      }
    }
  }

  /// The entities of Core Data models that a container syncs.
  private func checkDataModels(_ program: Program, into findings: inout Findings) {
    var seen: Set<SchemaPlace> = []
    for sync in program.syncingDataModels {
      let container = Findings.SchemaRelated(
        SchemaPlace(node: program.chain(of: sync.place), in: program),
        "this container syncs with CloudKit")
      for entity in sync.version.shape.entities where sync.entities.contains(entity.name) {
        for obstacle in entity.obstacles {
          guard let place = sync.version.place(of: Subject(entity.name, obstacle.property)),
            seen.insert(place).inserted
          else { continue }
          findings.report(.blocks(entity.name, obstacle), at: place, related: [container])
        }
      }
    }
  }

  /// Only the entitlements say that the app syncs: then what the newest models lack is a warning.
  private func checkEntitled(_ program: Program, into findings: inout Findings) {
    guard let opening = program.undecidedSync else { return }
    let related = Findings.SchemaRelated(
      SchemaPlace(node: opening, in: program), "nothing here says that the store does not sync")
    for live in program.schema.live {
      for entity in live.shape.entities {
        guard let obstacle = entity.obstacles.first,
          let place = live.place(of: Subject(entity.key, obstacle.property)),
          program.mayBeEntitledToSync(place.path)
        else { continue }
        findings.report(
          .mayBlock(entity.name, obstacle), at: place, severity: .warning, related: [related])
      }
    }
  }

  /// The schemas that a syncing store holds, and the keys of the entities that it holds of each.
  private func stored(by sync: CloudSync, _ program: Program) -> [(LiveSchema, Set<String>)] {
    let whole = program.schema.versions.filter { sync.versions.contains($0.id) }.map {
      LiveSchema($0)
    }
    let all = whole.map { ($0, Set($0.shape.entities.map(\.key))) }
    guard let models = sync.models else {
      return all + program.schema.live.map { ($0, Set($0.shape.entities.map(\.key))) }
    }
    return all
      + program.schema.live.map { live in
        let named = live.shape.entities.map(\.key).filter { key in
          live.place(of: Subject(key))?.ref.flatMap { program.type(declaredAt: $0) }.map {
            models.contains($0)
          } ?? false
        }
        return (live, live.shape.reached(from: named))
      }
  }
}

/// Why CloudKit does not take an entity.
private struct Obstacle {
  /// The property; "" for the entity as a whole.
  let property: String
  let reason: String
  let advice: String
}

extension SchemaShape {
  /// The entities with these keys, and all that their relationships reach.
  fileprivate func reached(from keys: [String]) -> Set<String> {
    var open = keys
    var found = Set(keys)
    while let key = open.popLast() {
      for property in entity(key)?.properties ?? [] {
        if let next = property.relationship?.destination, found.insert(next).inserted {
          open.append(next)
        }
      }
    }
    return found
  }
}

extension Entity {
  fileprivate var obstacles: [Obstacle] {
    let unique = uniqueness.map { paths in
      Obstacle(
        property: paths.count == 1 ? paths[0] : "", reason: "is unique",
        advice: "drop the constraint, and look for an equal one before you insert")
    }
    return unique + properties.compactMap { $0.obstacle }
  }
}

extension Property {
  fileprivate var obstacle: Obstacle? {
    switch kind {
    case .attribute(let attribute):
      guard !isOptional, attribute.defaultText == nil else { return nil }
      return Obstacle(
        property: name, reason: "has no value by default",
        advice: "make it optional, or give it a default where it is declared")
    case .relationship(let relationship):
      if !isOptional {
        return Obstacle(
          property: name, reason: "is a relationship that is not optional",
          advice: "make it optional")
      }
      if relationship.inverse == .none {
        return Obstacle(
          property: name, reason: "is a relationship without an inverse",
          advice: "give `\(relationship.destinationName)` a property for the way back")
      }
      if relationship.deleteRule == "deny" {
        return Obstacle(
          property: name, reason: "has the delete rule `deny`", advice: "choose another rule")
      }
      guard relationship.isOrdered else { return nil }
      return Obstacle(property: name, reason: "is ordered", advice: "keep the order in a property")
    }
  }
}

extension Finding.Message {
  fileprivate static func mayBlock(_ entity: String, _ obstacle: Obstacle) -> Self {
    let name = obstacle.property.isEmpty ? entity : "\(entity).\(obstacle.property)"
    return
      "the store does not open where the app syncs with CloudKit, as its entitlements let it, for `\(name)` \(obstacle.reason); say `cloudKitDatabase: .none`, or \(obstacle.advice)"
  }

  fileprivate static func blocks(_ entity: String, _ obstacle: Obstacle) -> Self {
    let name = obstacle.property.isEmpty ? entity : "\(entity).\(obstacle.property)"
    return
      "the store that should sync does not open, for `\(name)` \(obstacle.reason), which CloudKit does not take; \(obstacle.advice)"
  }
}
