import PersistFlow
import PersistIndex

/// Rows of a cursor that are kept: all of them show the last row.
struct CursorRowKept: Rule {
  static let id: RuleID = "cursor-row-kept"

  func check(_ program: Program, into findings: inout Findings) {
    guard program.usesGRDB else { return }
    for fate in program.fates(of: .cursorRows) {
      switch (fate.kind, fate.deed) {
      case (Fate.row, .keeps), (Fate.row, .assigns), (Fate.row, .hands("append", _)),
        (Fate.row, .hands("insert", _)):
        findings.report(.isReused, at: fate.place)
      case (Fate.cursor, .hands("Array", _)):
        findings.report(
          .isReused,
          at: program.call(takingValueAt: fate.place).flatMap { program.calledNode($0) }
            ?? fate.place)
      default: continue
      }
    }
  }
}

extension Finding.Message {
  fileprivate static let isReused: Self = """
    every kept row shows the values of the last one, because a cursor reuses one `Row`; keep \
    `row.copy()`, read the values out, or use `Row.fetchAll`
    """
}
