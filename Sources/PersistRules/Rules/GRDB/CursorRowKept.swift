import PersistIndex
import PersistSyntax

/// Rows of a cursor that are kept: all of them show the last row.
struct CursorRowKept: Rule {
  static let id: RuleID = "cursor-row-kept"

  func check(_ program: Program, into findings: inout Findings) {
    guard program.usesGRDB else { return }
    for place in program.keptCursorRows {
      findings.report(.isReused, at: place)
    }
  }
}

extension Program {
  /// The places that keep rows of cursors, in source order.
  fileprivate var keptCursorRows: [Ref] {
    calls(named: "fetchCursor").filter { isRowCursor($0) && !isExempt($0) }
      .flatMap { call -> [Ref] in
        guard let chain = parent(call), let expression = parent(chain) else { return [] }
        if let argument = parent(expression), kind(argument) == .argument,
          let outer = parent(argument), kind(outer) == .call, calledName(outer) == "Array",
          let place = calledNode(outer)
        {
          return [place]
        }
        guard let binding = parent(expression), kind(binding) == .binding,
          let cursor = child(binding, .boundName)
        else { return [] }
        return uses(ofLocal: cursor).flatMap { rowsKept(behind: $0) }
      }.sorted()
  }

  private func isRowCursor(_ call: Ref) -> Bool {
    let parts = callee(call)
    guard let chain = parent(call), children(chain).last == call else { return false }
    return parts.count == 2 && nameText(parts[0]) == "Row" && declared(parts[0]) == nil
  }

  /// Where the rows that a cursor's `next()` gives in a condition are put away.
  private func rowsKept(behind cursor: Ref) -> [Ref] {
    guard let chain = parent(cursor), children(chain).count == 3,
      name(children(chain)[1]) == "next", let expression = parent(chain),
      let bound = parent(expression), kind(bound) == .optionalBinding,
      let row = child(bound, .boundName)
    else { return [] }
    return uses(ofLocal: row).filter { isPutAway($0) }
  }

  private func isPutAway(_ row: Ref) -> Bool {
    guard let chain = parent(row), children(chain) == [row], let expression = parent(chain),
      kind(expression) == .expression
    else { return false }
    let parts = children(expression)
    if assignment(of: chain) != nil { return true }
    guard parts == [chain], let argument = parent(expression), kind(argument) == .argument,
      let call = parent(argument), kind(call) == .call
    else { return false }
    return ["append", "insert"].contains(calledName(call))
  }
}

extension Finding.Message {
  fileprivate static let isReused: Self = """
    every kept row shows the values of the last one, because a cursor reuses one `Row`; keep \
    `row.copy()`, read the values out, or use `Row.fetchAll`
    """
}
