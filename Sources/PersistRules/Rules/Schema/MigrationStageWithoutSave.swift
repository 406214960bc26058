import PersistFlow
import PersistIndex
import PersistSchema
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
    let saves = program.calls(in: body).filter { call in
      program.calledName(call) == "save"
        || program.functions(calledBy: call).contains { function in
          program.body(of: function).map { program.mentions("save", in: $0) } ?? true
        }
    }
    guard !saves.isEmpty, saves.allSatisfy({ !program.perhapsRuns(last, before: $0) }) else {
      return nil
    }
    return last
  }

  /// The insertions, deletions and set properties in a stage's code, in source order.
  private func changes(in body: Ref, _ program: Program) -> [Ref] {
    let calls = program.calls(in: body).compactMap { call -> Ref? in
      let name = program.calledName(call)
      guard name == "insert" || name == "delete", let node = program.calledNode(call),
        program.receiverType(ofCall: call).isExternal("ModelContext")
          || program.isOnParameter(call, of: body)
      else { return nil }
      return node
    }
    return (calls + program.modelSets(in: body)).sorted()
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
