import PersistIndex
import PersistSchema
import PersistVersions

/// A model that CloudKit can't sync: the store doesn't open, or never syncs.
struct CloudkitIncompatibleModel: Rule {
  static let id: RuleID = "cloudkit-incompatible-model"

  func check(_ program: Program, into findings: inout Findings) {
    checkEntitled(program, into: &findings)
    checkDataModels(program, into: &findings)
    var seen: Set<SchemaPlace> = []
    for sync in program.cloudSyncs.sorted(by: { $0.isCertain && !$1.isCertain }) {
      let syncing = sync.place.map {
        Findings.SchemaRelated(
          SchemaPlace(node: $0, in: program),
          sync.isCertain ? "this store syncs with CloudKit" : "this store may sync with CloudKit")
      }
      for (live, keys) in stored(by: sync, program) {
        for entity in live.shape.entities where keys.contains(entity.key) {
          let found = Obstacles(entity) { live.place(of: Subject(entity.key, $0)) }
          guard let place = found.place, seen.insert(place).inserted else { continue }
          findings.report(
            .blocks(entity.name, found.all), at: place, severity: sync.isCertain ? nil : .warning,
            related: found.related(entity.name) + (syncing.map { [$0] } ?? []))
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
        let found = Obstacles(entity) { sync.version.place(of: Subject(entity.name, $0)) }
        guard let place = found.place, seen.insert(place).inserted else { continue }
        findings.report(
          .blocks(entity.name, found.all), at: place,
          related: found.related(entity.name) + [container])
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
        let found = Obstacles(entity) { live.place(of: Subject(entity.key, $0)) }
        guard let place = found.place, program.mayBeEntitledToSync(place.path) else { continue }
        findings.report(
          .mayBlock(entity.name, found.all), at: place, severity: .warning,
          related: found.related(entity.name) + [related])
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

/// All that CloudKit does not take of an entity, in the order in which it is declared.
private struct Obstacles {
  private let placed: [(obstacle: Obstacle, place: SchemaPlace)]

  init(_ entity: Entity, place: (String) -> SchemaPlace?) {
    placed = entity.obstacles.compactMap { obstacle in
      place(obstacle.property).map { (obstacle, $0) }
    }
    .sorted { left, right in
      (left.place.path, left.place.line, left.place.range.lowerBound)
        < (right.place.path, right.place.line, right.place.range.lowerBound)
    }
  }

  /// Where the first one is declared.
  var place: SchemaPlace? { placed.first?.place }
  var all: [Obstacle] { placed.map(\.obstacle) }

  /// The places of the others.
  func related(_ entity: String) -> [Findings.SchemaRelated] {
    placed.dropFirst().map { .init($0.place, "\($0.obstacle.sentence(of: entity))") }
  }
}

/// Why CloudKit does not take an entity.
private struct Obstacle {
  /// The property; "" for the entity as a whole.
  let property: String
  let reason: String
  let advice: String

  /// The obstacle as a part of a sentence: `Trip.code` is unique.
  func sentence(of entity: String) -> String {
    "`\(property.isEmpty ? entity : "\(entity).\(property)")` \(reason)"
  }
}

extension [Obstacle] {
  /// The obstacles as a part of a sentence, a few of them in full.
  fileprivate func sentence(of entity: String) -> String {
    let shown = prefix(3).map { $0.sentence(of: entity) }
    if count > 3 { return shown.joined(separator: ", ") + " and \(count - 3) more" }
    return shown.dropLast().joined(separator: ", ") + (count > 1 ? " and " : "")
      + (shown.last ?? "")
  }

  /// How to fix them, each way once.
  fileprivate var advice: String {
    var ways: [String] = []
    for obstacle in self where !ways.contains(where: { $0.hasPrefix(obstacle.advice) }) {
      ways.removeAll { obstacle.advice.hasPrefix($0) }
      ways.append(obstacle.advice)
    }
    return ways.joined(separator: "; ")
  }
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
        advice: "remove the constraint, and look for an existing object before you insert one")
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
        property: name, reason: "has no default value",
        advice: "make the property optional, or give its declaration a default value")
    case .relationship(let relationship):
      if !isOptional {
        return Obstacle(
          property: name, reason: "is a required relationship",
          advice: "make the relationship optional")
      }
      if relationship.inverse == .none {
        return Obstacle(
          property: name, reason: "has no inverse",
          advice: "add an inverse to `\(relationship.destinationName)`")
      }
      if relationship.deleteRule == "deny" {
        return Obstacle(
          property: name, reason: "has the delete rule `deny`", advice: "choose another delete rule"
        )
      }
      guard relationship.isOrdered else { return nil }
      return Obstacle(property: name, reason: "is ordered", advice: "store the order in a property")
    }
  }
}

extension Finding.Message {
  fileprivate static func mayBlock(_ entity: String, _ obstacles: [Obstacle]) -> Self {
    """
    the store doesn't open if the app syncs with CloudKit, as its entitlements allow, because \
    \(obstacles.sentence(of: entity)); set `cloudKitDatabase: .none`, or \(obstacles.advice)
    """
  }

  fileprivate static func blocks(_ entity: String, _ obstacles: [Obstacle]) -> Self {
    """
    the synced store doesn't open, because CloudKit rejects this model: \
    \(obstacles.sentence(of: entity)); \(obstacles.advice)
    """
  }
}
