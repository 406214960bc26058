import PersistFlow
import PersistIndex
import PersistVersions

/// A synced relationship that is assumed to be set: it can arrive later, and the app crashes.
struct SyncedRelationshipUnwrapped: Rule {
  static let id: RuleID = "synced-relationship-unwrapped"

  func check(_ program: Program, into findings: inout Findings) {
    let synced = SyncedModels(program)
    guard !synced.isEmpty else { return }
    let unwrapped = synced.relationships.filter {
      program.isImplicitlyUnwrapped(program.properties[$0])
    }
    for id in unwrapped {
      findings.report(.endsApp(id, program), at: program.properties[id].ref)
    }
    let others = Set(synced.relationships).subtracting(unwrapped)
    for value in program.assumedValues(of: others) {
      let declaration = program.properties[value.property].ref
      findings.report(
        .endsApp(value.property, program), at: value.place,
        related: [.init(declaration, "CloudKit may bring the object before this is set")],
        cause: cause(of: value, program))
    }
  }

  /// What one type assumes of one relationship, or many types do.
  private func cause(of value: AssumedValue, _ program: Program) -> CommonCause {
    let relationship = program.causeID(of: program.properties[value.property].ref)
    return CommonCause(
      "\(program.typeCause(at: value.place).id) \(relationship)", least: 3, habit: relationship)
  }
}

/// The models of stores that surely sync, and their optional relationships to one object.
private struct SyncedModels {
  private(set) var relationships: [PropertyID] = []
  var isEmpty: Bool { relationships.isEmpty }

  init(_ program: Program) {
    var models: Set<TypeID> = []
    for sync in program.cloudSyncs where sync.isCertain {
      if let place = sync.place,
        let configuration = program.call(named: "ModelConfiguration", around: place),
        let schema = program.argument(configuration, "schema")
      {
        models.formUnion(program.listedModels(in: schema))
      } else if let held = sync.models, sync.versions.isEmpty {
        guard sync.place.map({ Self.isAlone($0, program) }) ?? true else { continue }
        models.formUnion(held)
      } else if sync.models == nil {
        models.formUnion(
          program.schema.models.filter { !$0.isTest }.compactMap { model in
            model.place.ref.flatMap { program.type(declaredAt: $0) }
          })
      }
    }
    for sync in program.syncingDataModels {
      models.formUnion(
        sync.entities.sorted().compactMap { entity in
          let named = program.topLevelTypes(named: Name(entity))
          return named.count == 1 && program.isManagedClass(named[0]) ? named[0] : nil
        })
    }
    var queue = models.sorted()
    while let model = queue.popLast() {
      for id in program.modelProperties(of: model) {
        guard let other = program.destination(of: id) else { continue }
        if models.insert(other).inserted { queue.append(other) }
      }
    }
    relationships =
      models.sorted().flatMap { program.types[$0].properties }.filter { id in
        guard program.destination(of: id) != nil, !program.isToMany(id),
          !program.isExempt(program.properties[id].ref),
          case .optional = program.type(ofProperty: id)
        else { return false }
        return true
      } + Self.syncedLinks(program)
    relationships.sort { program.properties[$0].ref < program.properties[$1].ref }
  }

  /// The links of Realm objects that say that they are records of CloudKit.
  private static func syncedLinks(_ program: Program) -> [PropertyID] {
    program.types(inheritingFrom: ["CKRecordConvertible"]).filter {
      program.types[$0].kind == .classDecl && program.inherits($0, from: "Object")
    }.flatMap { program.types[$0].properties }.filter { id in
      guard program.properties[id].attributes.contains("Persisted"),
        !program.isExempt(program.properties[id].ref),
        case .optional(.declared(let other, _)) = program.type(ofProperty: id)
      else { return false }
      return program.inherits(other, from: "Object")
    }
  }
}

extension SyncedModels {
  /// Whether the function or property around a configuration makes no other one.
  private static func isAlone(_ place: Ref, _ program: Program) -> Bool {
    guard let scope = program.memberCode(around: place) else { return true }
    return program.calls(named: "ModelConfiguration", in: scope).count < 2
  }
}

extension Finding.Message {
  fileprivate static func endsApp(_ relationship: PropertyID, _ program: Program) -> Self {
    let property = program.properties[relationship]
    let model = property.owner.map { program.modelName($0) } ?? ""
    return """
      the app crashes here on a second device, because CloudKit can import \(model.withArticle) \
      before its `\(program.nameText(property.ref))` and the relationship is nil until then; unwrap it with `if let` \
      or `??`
      """
  }
}
