import PersistIndex
import PersistSchema

/// A stage changes data and never saves it.
struct MigrationStageWithoutSave: Rule {
  static let id: RuleID = "migration-stage-without-save"

  func check(_ program: Program, into findings: inout Findings) {
    var judged: Set<Ref> = []
    for plan in program.schema.plans where !plan.isTest {
      for stage in plan.stages ?? [] {
        for handler in stage.handlers(in: program) {
          guard let body = handler.body, judged.insert(body).inserted,
            let change = change(in: body, program),
            !program.mentions("save", in: body), !program.mentions("transaction", in: body)
          else { continue }
          findings.report(
            .isLost(stage, isWill: handler.isWill), at: SchemaPlace(nameOf: change, in: program))
        }
      }
    }
  }

  /// The first insertion or deletion in a stage's code.
  private func change(in body: Ref, _ program: Program) -> Ref? {
    for call in program.descendants(body, .call) {
      let name = program.calledName(call)
      guard name == "insert" || name == "delete", let node = program.calledNode(call),
        program.receiverType(ofCall: call).isExternal("ModelContext")
          || program.isContextParameter(call, of: body)
      else { continue }
      return node
    }
    return nil
  }
}

extension Program {
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
