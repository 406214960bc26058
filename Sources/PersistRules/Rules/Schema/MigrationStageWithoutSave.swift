import PersistIndex
import PersistSchema
import PersistSyntax
import PersistVersions

/// A stage changes data and never saves it.
struct MigrationStageWithoutSave: Rule {
  static let id: RuleID = "migration-stage-without-save"

  func check(_ program: Program, into findings: inout Findings) {
    var judged: Set<Ref> = []
    for plan in program.schema.plans where !plan.isTest {
      for stage in plan.stages ?? [] {
        for handler in stage.handlers(in: program) {
          guard let body = handler.body, judged.insert(body).inserted,
            let change = unsaved(in: body, program)
          else { continue }
          findings.report(
            .isLost(stage, isWill: handler.isWill), at: SchemaPlace(nameOf: change, in: program))
        }
      }
    }
  }

  /// The first change in a stage's code that no save follows.
  private func unsaved(in body: Ref, _ program: Program) -> Ref? {
    let changes = changes(in: body, program)
    guard let first = changes.first, let last = changes.last,
      !program.mentions("transaction", in: body)
    else { return nil }
    guard program.mentions("save", in: body) else { return first }
    // Only saves that stand in the handler itself have a place before or after a change.
    let saves = program.descendants(body, .call).filter { call in
      program.calledName(call) == "save"
        || program.functions(calledBy: call).contains { function in
          program.body(of: function).map { program.mentions("save", in: $0) } ?? true
        }
    }
    let isRepeated = program.ancestors(last).prefix { $0 != body }.contains {
      [.forStatement, .whileStatement, .repeatStatement, .closure, .deferStatement]
        .contains(program.kind($0))
    }
    guard !isRepeated, !saves.isEmpty, saves.allSatisfy({ $0 < last }),
      saves.allSatisfy({ program.enclosingBody($0) == program.enclosingBody(last) })
    else { return nil }
    return last
  }

  /// The insertions, deletions and set properties in a stage's code, in source order.
  private func changes(in body: Ref, _ program: Program) -> [Ref] {
    let calls = program.descendants(body, .call).compactMap { call -> Ref? in
      let name = program.calledName(call)
      guard name == "insert" || name == "delete", let node = program.calledNode(call),
        program.receiverType(ofCall: call).isExternal("ModelContext")
          || program.isContextParameter(call, of: body)
      else { return nil }
      return node
    }
    return (calls + program.modelSets(in: body)).sorted()
  }
}

extension Program {
  /// The properties of models that code sets; those of an object that it makes itself aside.
  fileprivate func modelSets(in body: Ref) -> [Ref] {
    descendants(body, .expression).compactMap { expression in
      guard let target = assignment(expression)?.target ?? compoundTarget(expression),
        let last = children(target).last,
        kind(last) == .member, let id = property(usedBy: last), !properties[id].isComputed,
        let owner = properties[id].owner, isModel(owner),
        let first = children(target).first, kind(first) == .name, !isMadeHere(first)
      else { return nil }
      return last
    }
  }

  /// What `+=` and its like change.
  private func compoundTarget(_ expression: Ref) -> Ref? {
    let parts = children(expression)
    guard parts.count > 2, kind(parts[0]) == .chain, kind(parts[1]) == .binaryOperator,
      ["+=", "-=", "*=", "/="].contains(nameText(parts[1]))
    else { return nil }
    return parts[0]
  }

  private func isMadeHere(_ name: Ref) -> Bool {
    guard let value = fixedValue(of: name) else { return false }
    return descendants(value, .call).contains { call in
      if case .initializer(let type, _) = callTarget(call) { return isModel(type) }
      return false
    }
  }

  /// Whether a call's receiver is the parameter of a stage's code.
  fileprivate func isContextParameter(_ call: Ref, of body: Ref) -> Bool {
    guard let head = callee(call).first, kind(head) == .name else { return false }
    let parameters = child(body, .parameters).map { children($0, .parameter) } ?? []
    return parameters.contains { name($0) == name(head) } || name(head) == "$0"
  }
}

extension Finding.Message {
  fileprivate static func isLost(_ stage: MigrationStage, isWill: Bool) -> Self {
    """
    what `\(isWill ? "willMigrate" : "didMigrate")` changes here is lost, because its context \
    doesn't save automatically; end with `try context.save()`
    """
  }
}
