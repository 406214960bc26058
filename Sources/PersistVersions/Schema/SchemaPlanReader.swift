import PersistFlow
import PersistIndex
import PersistSchema
import PersistSyntax

/// Reads a `SchemaMigrationPlan`.
struct SchemaPlanReader {
  let types: SchemaTypes
  /// The index of the version that a type declares.
  let versionOf: [Int: Int]
  let uses: SchemaStageUseReader

  func plan(_ type: Int) -> MigrationPlan {
    let declaration = types.declaration(type)
    let schemas = types.known("schemas", of: type)
    let stages = types.known("stages", of: type)
    var versions: [Int]?
    var unknown: [String] = []
    if let elements = schemas?.value.elements, elements.allSatisfy({ types.name(of: $0) != nil }) {
      unknown = elements.filter { version($0) == nil }.compactMap { types.name(of: $0) }
      versions = unknown.isEmpty ? elements.compactMap(version) : nil
    }
    let listed = stages?.value.elements.map { $0.map(stage) }
    let known = listed.flatMap { $0.contains { $0 == nil } ? nil : $0.compactMap { $0 } }
    return MigrationPlan(
      name: types.qualifiedName(type), place: types.namePlace(declaration), schemas: versions,
      schemasPlace: schemas.map { types.namePlace($0.place) }, unknownSchemas: unknown,
      stages: known, stagesPlace: stages.map { types.namePlace($0.place) },
      unlistedStages: known.map { unlisted(in: type, besides: $0) } ?? [],
      isTest: types.isTest(declaration.ref), chain: MigrationPlan.chain(of: versions, by: known))
  }

  private func version(_ value: Known) -> Int? {
    if case .type(let type) = value { versionOf[type] } else { nil }
  }

  /// The stage that `.lightweight(…)` or `MigrationStage.custom(…)` makes.
  private func stage(_ value: Known) -> MigrationStage? {
    let program = types.program
    guard case .made(let call, let values) = value,
      let word = program.calledNode(call).map({ program.nameText($0) }),
      let kind = MigrationStage.Kind(rawValue: word)
    else { return nil }
    let given = StageArguments(types, call, values)
    let node = program.nodeView(call)
    guard let from = given["fromVersion"], let to = given["toVersion"] else { return nil }
    let (will, did) = given.handlers
    let willBody = uses.body(of: will?.value)
    let didBody = uses.body(of: did?.value)
    return MigrationStage(
      kind: kind, from: version(from.value), to: version(to.value), fromText: text(of: from),
      toText: text(of: to), place: types.place(node.parent ?? node),
      name: name(ofMemberAround: call),
      willMigrate: will.flatMap { $0.value == .none ? nil : $0.place },
      didMigrate: did.flatMap { $0.value == .none ? nil : $0.place },
      willBody: willBody, didBody: didBody, willUses: uses.uses(from: willBody),
      didUses: uses.uses(from: didBody), willKeys: uses.keys(from: willBody),
      didKeys: uses.keys(from: didBody), emptied: uses.emptied(from: willBody))
  }

  /// The name of a version as it is written, else that of the type.
  private func text(of version: StageArguments.Argument) -> String {
    let node = types.program.nodeView(version.place)
    return node.metatypeNames?.joined(separator: ".") ?? types.name(of: version.value) ?? node.text
  }

  /// The name of the member that makes a stage; "" for the list itself.
  private func name(ofMemberAround call: Ref) -> String {
    let around = types.program.nodeView(call).ancestors
    let member = around.first { $0.kind == .binding || $0.kind == .functionDecl }
    let name = member?.name?.text ?? ""
    return name == "stages" ? "" : name
  }

  private func unlisted(in type: Int, besides listed: [MigrationStage]) -> [MigrationStage] {
    let names = Set(listed.map(\.name))
    return types.staticVariables(of: type).compactMap { member in
      guard let name = types.node(member).name?.text, !names.contains(name), !member.isConditional,
        let stage = stage(types.program.knownValue(ofMember: member.ref, in: type))
      else { return nil }
      let isListed = listed.contains { $0.place == stage.place }
      return isListed ? nil : stage
    }
  }
}

/// What the call that makes a stage is given.
private struct StageArguments {
  struct Argument {
    let label: String
    /// The value where it is written.
    let place: Ref
    let value: Known
  }

  private let arguments: [Argument]

  init(_ types: SchemaTypes, _ call: Ref, _ values: [Known]) {
    let program = types.program
    arguments = zip(program.arguments(call), values).map { argument, value in
      let isTrailing = program.kind(argument) == .closure
      return Argument(
        label: isTrailing ? "" : program.labelText(argument),
        place: isTrailing ? argument : program.children(argument).first ?? argument, value: value)
    }
  }

  subscript(label: String) -> Argument? { arguments.first { $0.label == label } }

  /// The code before the migration and behind it; a closure that trails without a label is the first
  /// of the two that isn't given.
  var handlers: (will: Argument?, did: Argument?) {
    let trailing = self[""]
    guard let will = self["willMigrate"] else { return (trailing, self["didMigrate"]) }
    return (will, trailing ?? self["didMigrate"])
  }
}
