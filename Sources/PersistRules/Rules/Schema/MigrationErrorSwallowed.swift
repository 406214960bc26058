import PersistIndex
import PersistSchema

/// A stage goes on after an error: the store counts as migrated with a part of the data.
struct MigrationErrorSwallowed: Rule {
  static let id: RuleID = "migration-error-swallowed"

  func check(_ program: Program, into findings: inout Findings) {
    var judged: Set<Ref> = []
    for plan in program.schema.plans where !plan.isTest {
      for stage in plan.stages ?? [] {
        for handler in stage.handlers(in: program) {
          guard let body = handler.body, judged.insert(body).inserted else { continue }
          for place in StageErrors(in: body, program).places
          where judged.insert(place).inserted {
            findings.report(
              .goesOn,
              at: program.kind(place) == .catchClause
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
        severity: write.losesRows ? .error : .warning)
    }
  }
}

extension Program {
  /// The code of all stages, with what it calls for the data: a lost error there is this rule's.
  var stageBodies: [Ref] {
    schema.plans.filter { !$0.isTest }.flatMap { $0.stages ?? [] }
      .flatMap { $0.handlers(in: self) }.compactMap(\.body)
      .flatMap { StageErrors(in: $0, self).bodies }
  }
}

extension SchemaPlace {
  /// The place of the keyword with which a node begins.
  fileprivate init(keywordOf node: Ref, in program: Program) {
    let outline = program.outline(node)
    let token = outline.tokens[Int(program.node(node).first)]
    self.init(
      path: program.files[Int(node.file)].path, range: Int(token.offset)..<token.end, ref: node)
  }
}

extension Finding.Message {
  fileprivate static let losesRows: Self = """
    when this fails, the rows that it should have kept are dropped with their table, and the migration \
    counts as done for ever; let the error out with `try`, so that GRDB rolls the migration back
    """

  fileprivate static let staysUndone: Self = """
    the migration counts as done for ever although this failed, and later code meets a database \
    without it; let the error out with `try`, so that GRDB rolls the migration back
    """

  fileprivate static let goesOn: Self = """
    the store counts as migrated although this failed, and the data that it should have moved is \
    lost; let the error out of the stage with `try`
    """
}
