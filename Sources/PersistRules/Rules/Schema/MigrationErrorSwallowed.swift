import PersistIndex
import PersistSchema

/// A stage goes on after an error: the store counts as migrated with a part of the data.
struct MigrationErrorSwallowed: Rule {
  static let id: RuleID = "migration-error-swallowed"

  private static let calls: Set<Name> = [
    "fetch", "save", "delete", "enumerate", "fetchCount", "fetchIdentifiers", "transaction",
  ]

  func check(_ program: Program, into findings: inout Findings) {
    var judged: Set<Ref> = []
    for plan in program.schema.plans where !plan.isTest {
      for stage in plan.stages ?? [] {
        for handler in stage.handlers(in: program) {
          guard let body = handler.body, judged.insert(body).inserted else { continue }
          check(body, program, into: &findings)
        }
      }
    }
  }

  private func check(_ body: Ref, _ program: Program, into findings: inout Findings) {
    for mark in program.descendants(body, .tryMark)
    where program.node(mark).flags.contains(.isOptional) {
      guard let expression = program.parent(mark),
        program.descendants(expression, .call).contains(where: {
          Self.calls.contains(program.calledName($0))
        })
      else { continue }
      findings.report(.goesOn, at: SchemaPlace(node: mark, in: program))
    }
    for clause in program.descendants(body, .catchClause) {
      guard let block = program.child(clause, .block), program.children(block).isEmpty else {
        continue
      }
      findings.report(.goesOn, at: SchemaPlace(keywordOf: clause, in: program))
    }
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
  fileprivate static let goesOn: Self = """
    the store counts as migrated although this failed, and the data that it should have moved is \
    lost; let the error out of the stage with `try`
    """
}
