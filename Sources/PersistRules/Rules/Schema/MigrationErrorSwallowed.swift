import PersistFlow
import PersistIndex
import PersistSchema
import PersistVersions

/// A stage that continues after an error: the store counts as migrated without all of its data.
struct MigrationErrorSwallowed: Rule {
  static let id: RuleID = "migration-error-swallowed"

  func check(_ program: Program, into findings: inout Findings) {
    var judged: Set<Ref> = []
    for plan in program.schema.plans where !plan.isTest {
      for stage in plan.stages ?? [] {
        for handler in stage.handlers(in: program) {
          guard let body = handler.body, judged.insert(body).inserted else { continue }
          for place in DroppedDataErrors(in: body, program).places
          where judged.insert(place).inserted {
            findings.report(
              .goesOn,
              at: program.isCatchClause(place)
                ? SchemaPlace(keywordOf: place, in: program)
                : SchemaPlace(node: place, in: program))
          }
        }
      }
    }
    for write in program.swallowedWrites {
      findings.report(
        write.losesRows ? .losesRows : .staysUndone,
        at: SchemaPlace(keywordOf: write.place, in: program),
        severity: write.losesRows ? .error : .warning, cause: program.typeCause(at: write.place))
    }
  }
}

extension Program {
  /// The code of all stages, with what it calls for the data: a lost error there is this rule's.
  var stageBodies: [Ref] {
    schema.plans.filter { !$0.isTest }.flatMap { $0.stages ?? [] }
      .flatMap { $0.handlers(in: self) }.compactMap(\.body)
      .flatMap { DroppedDataErrors(in: $0, self).code }
  }
}

extension Finding.Message {
  fileprivate static let losesRows: Self = """
    if this fails, the rows that should be kept are dropped with their table and the migration \
    still counts as done; propagate the error with `try`, so that GRDB rolls the migration back
    """

  fileprivate static let staysUndone: Self = """
    if this fails, the migration still counts as done and later code meets a database without the \
    change; propagate the error with `try`, so that GRDB rolls the migration back
    """

  fileprivate static let goesOn: Self = """
    if this fails, the store still counts as migrated and the data that should have moved is lost; \
    propagate the error out of the stage with `try`
    """
}
