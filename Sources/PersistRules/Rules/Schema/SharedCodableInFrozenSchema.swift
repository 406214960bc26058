import PersistIndex
import PersistSchema
import PersistVersions

/// Older versions that store today's Codable type: editing the type edits the versions.
struct SharedCodableInFrozenSchema: Rule {
  static let id: RuleID = "shared-codable-in-frozen-schema"

  func check(_ program: Program, into findings: inout Findings) {
    var uses: [SchemaPlace: [Use]] = [:]
    var order: [SchemaPlace] = []
    var judged: Set<Int> = []
    for chain in program.schema.chains {
      for version in chain.older where judged.insert(version.id).inserted {
        for shared in version.sharedValues {
          if uses[shared.declaration] == nil { order.append(shared.declaration) }
          let hasChanged = program.schema.base?.holdsOther(shared, of: version) ?? false
          uses[shared.declaration, default: []].append(
            Use(plan: chain.plan, version: version, value: shared, hasChanged: hasChanged))
        }
      }
    }
    for declaration in order {
      let all = uses[declaration] ?? []
      guard let first = all.first(where: \.value.isDirect) ?? all.first else { continue }
      let hasChanged = all.contains { $0.value.isDirect && $0.hasChanged }
      let versions = all.map(\.version.name)
      let others = all.filter { $0.value.place != first.value.place }
      findings.report(
        .changesWith(
          first.value.name, versions, isDirect: first.value.isDirect, hasChanged: hasChanged),
        at: first.value.place,
        severity: hasChanged ? .error : first.value.isDirect ? .warning : .note,
        related: [.init(declaration, "`\(first.value.name)` is declared outside the versions")]
          + others.prefix(6).map { .init($0.value.place, "`\($0.version.name)` stores it too") },
        cause: CommonCause(first.plan.name, least: 2))
    }
  }

  private struct Use {
    let plan: MigrationPlan
    let version: SchemaVersion
    let value: SharedValue
    let hasChanged: Bool
  }
}

extension SchemaBase {
  /// Whether the type that a version stores had other members when the version shipped.
  fileprivate func holdsOther(_ shared: SharedValue, of version: SchemaVersion) -> Bool {
    guard let shipped = versions[version.key] ?? newest[version.key] else { return false }
    return shipped.changes(to: version.shape).contains { change in
      change.weight == .hard && !change.subject.members.isEmpty
        && version.place(of: Subject(change.subject.entity, change.subject.property))
          == shared.place
    }
  }
}

extension Finding.Message {
  fileprivate static func changesWith(
    _ type: String, _ versions: [String], isDirect: Bool, hasChanged: Bool
  ) -> Self {
    let copy =
      "declare a copy of it inside \(versions.count == 1 ? "`\(versions[0])`" : "each version")"
    if hasChanged {
      return """
        stores of \(versions.listed()) can't be opened any more (134504), because stored members of \
        `\(type)` changed; \(copy)
        """
    }
    return isDirect
      ? """
      stores of \(versions.listed()) can't be opened any more (134504) once a stored member of \
      `\(type)` changes; \(copy)
      """
      : """
      values stored with \(versions.listed()) may fail to decode once `\(type)` changes; \(copy)
      """
  }
}
