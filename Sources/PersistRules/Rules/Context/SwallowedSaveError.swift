import PersistIndex
import PersistSyntax

/// A save whose failure nobody hears of: the app goes on as if the data were stored.
struct SwallowedSaveError: Rule {
  static let id: RuleID = "swallowed-save-error"

  func check(_ program: Program, into findings: inout Findings) {
    let flow = program.saveFlow
    var seen: Set<Ref> = []
    for ignored in flow.ignored where seen.insert(ignored.mark).inserted {
      let save = flow.openings[ignored.opening]
      guard let expression = program.parent(ignored.mark) else { continue }
      findings.report(
        .ignores(save.name), at: expression, related: related(save, program))
    }
    for path in flow.paths where path.kind == .catchClause && program.isEmpty(path) {
      guard seen.insert(path.head).inserted else { continue }
      let save = flow.opening(of: path)
      findings.report(
        .catchesNothing(save.name), at: path.head,
        related: [.init(program.chain(of: save.site), "the save that fails")])
    }
  }

  private func related(_ save: StoreOpening, _ program: Program) -> [Findings.Related] {
    guard save.root != save.site else { return [] }
    return [.init(program.chain(of: save.root), "`\(save.name)` saves here")]
  }
}

extension Finding.Message {
  fileprivate static func ignores(_ save: String) -> Self {
    """
    when `\(save)` fails, the person goes on as if the change were stored, and loses it; catch the \
    error, log it and tell the person
    """
  }

  fileprivate static func catchesNothing(_ save: String) -> Self {
    """
    when `\(save)` fails, this `catch` hides it and the change is lost at the next launch; log the \
    error and tell the person, or roll back
    """
  }
}
