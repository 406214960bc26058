import PersistIndex
import PersistSchema
import PersistSyntax

/// Reads a `SchemaMigrationPlan`.
struct SchemaPlanReader {
  let types: SchemaTypes
  let lists: ListReader
  /// The index of the version that a type declares.
  let versionOf: [Int: Int]
  let uses: SchemaStageUseReader

  func plan(_ type: Int) -> MigrationPlan {
    let declaration = types.declaration(type)
    let schemas = types.staticMember("schemas", of: type)
    let stages = types.staticMember("stages", of: type)
    var versions: [Int]?
    var unknown: [String] = []
    if let elements = schemas.flatMap({ lists.elements(of: $0) }) {
      let found = elements.map(version)
      unknown = zip(elements, found).filter { $0.1 == nil }.map { name(of: $0.0) }
      versions = unknown.isEmpty ? found.compactMap { $0 } : nil
    }
    let listed = stages.flatMap { lists.elements(of: $0) }
    let read = listed.map { $0.map { stage($0, name: "", depth: 0) } }
    let known = read.flatMap { $0.contains { $0 == nil } ? nil : $0.compactMap { $0 } }
    return MigrationPlan(
      name: types.qualifiedName(type), place: types.namePlace(declaration), schemas: versions,
      schemasPlace: schemas.map { types.namePlace(types.node($0)) }, unknownSchemas: unknown,
      stages: known,
      stagesPlace: stages.map { types.namePlace(types.node($0)) },
      unlistedStages: known.map { unlisted(in: type, besides: $0) } ?? [],
      isTest: types.isTest(declaration.ref), chain: MigrationPlan.chain(of: versions, by: known))
  }

  private func name(of value: NodeView) -> String {
    value.metatypeNames?.joined(separator: ".") ?? value.text
  }

  private func version(_ value: NodeView) -> Int? {
    guard let names = value.metatypeNames,
      let type = types.resolve(names, from: value.ref)
    else { return nil }
    return versionOf[type]
  }

  /// The stage that an expression is, or that the member it names holds.
  private func stage(
    _ value: NodeView, name: String, depth: Int
  ) -> MigrationStage? {
    guard types.program.isWithin(depth, .stageNames), let chain = value.steps,
      let last = chain.last
    else { return nil }
    if last.kind == .call, let made = made(chain, last, at: value, name: name) {
      return made
    }
    let isCall = last.kind == .call && last.firstChild == nil
    guard let (name, member) = member(isCall ? chain.dropLast() : chain[...], from: value),
      let held = types.node(member).onlyValue
    else { return nil }
    return stage(held, name: name, depth: depth + 1)
  }

  /// What some names stand for: a member of the plan, or of an extension of `MigrationStage`.
  private func member(
    _ steps: ArraySlice<NodeView>, from value: NodeView
  ) -> (name: String, member: SchemaMember)? {
    let isImplicit = steps.count == 1 && steps.first?.kind == .implicitMember
    let names = isImplicit ? steps.first?.name.map { ["MigrationStage", $0.text] } : nil
    guard let names = names ?? NodeView.names(of: steps), let last = names.last else { return nil }
    if names.count == 2, names[0] == "MigrationStage",
      let type = types.program.foreignType(named: "MigrationStage")
    {
      return types.staticMember(last, of: type).map { (last, $0) }
    }
    return types.member(names, from: value.ref).map { (last, $0) }
  }

  /// The stage that `.lightweight(…)` or `MigrationStage.custom(…)` makes.
  private func made(
    _ chain: [NodeView], _ call: NodeView, at place: NodeView, name: String
  ) -> MigrationStage? {
    guard chain.count >= 2, let word = chain[chain.count - 2].name?.text,
      let kind = MigrationStage.Kind(rawValue: word)
    else { return nil }
    let arguments = call.arguments
    func value(_ label: String) -> NodeView? {
      arguments.first { $0.label?.text == label }?.value
    }
    guard let from = value("fromVersion"), let to = value("toVersion") else { return nil }
    var did = value("didMigrate")
    var will = value("willMigrate")
    if let trailing = call.child(.closure) {
      // A trailing closure without a label goes to the first of the two that is not given.
      let givesWill = arguments.contains { $0.label?.text == "willMigrate" }
      if givesWill { did = trailing } else { will = trailing }
    }
    return MigrationStage(
      kind: kind, from: version(from), to: version(to),
      fromText: self.name(of: from), toText: self.name(of: to), place: types.place(place),
      name: name,
      willMigrate: will.flatMap { $0.isNil ? nil : $0.ref },
      didMigrate: did.flatMap { $0.isNil ? nil : $0.ref },
      willBody: uses.body(of: will), didBody: uses.body(of: did), willUses: uses.uses(in: will),
      didUses: uses.uses(in: did), willKeys: uses.keys(in: will), didKeys: uses.keys(in: did),
      emptied: uses.emptied(in: will))
  }

  private func unlisted(in type: Int, besides listed: [MigrationStage]) -> [MigrationStage] {
    let names = Set(listed.map(\.name))
    return types.staticVariables(of: type).compactMap { member in
      let binding = types.node(member)
      guard let name = binding.name?.text, !names.contains(name), !member.isConditional,
        let value = binding.onlyValue, let stage = stage(value, name: name, depth: 0)
      else { return nil }
      let isListed = listed.contains { $0.place == stage.place }
      return isListed ? nil : stage
    }
  }
}
