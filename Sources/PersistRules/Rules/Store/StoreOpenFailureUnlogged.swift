import PersistIndex
import PersistSyntax

/// A failed opening that leaves no trace: nobody will learn why people lost their data.
struct StoreOpenFailureUnlogged: Rule {
  static let id: RuleID = "store-open-failure-unlogged"

  func check(_ program: Program, into findings: inout Findings) {
    let flow = program.storeFlow
    var seen: Set<Ref> = []
    var logged: Set<Ref> = []
    for path in flow.paths where program.keepsFailure(path) {
      logged.insert(flow.opening(of: path).site)
    }
    for path in flow.paths where path.kind != .rest {
      let opening = flow.opening(of: path)
      guard !opening.isInMemory, !program.keepsFailure(path), !program.isSilent(path.head),
        !(opening.steps + [opening.site]).contains(where: { logged.contains($0) }),
        seen.insert(path.head).inserted
      else { continue }
      findings.report(
        .unlogged(opening.name), at: path.head, related: [program.opener(opening)])
    }
    for ignored in flow.ignored where seen.insert(ignored.mark).inserted {
      let opening = flow.openings[ignored.opening]
      guard !opening.isInMemory,
        !(opening.steps + [opening.site]).contains(where: { logged.contains($0) })
      else { continue }
      findings.report(
        .unlogged(opening.name), at: ignored.mark, related: [program.opener(opening)])
    }
  }
}

extension Finding.Message {
  fileprivate static func unlogged(_ opening: String) -> Self {
    """
    when `\(opening)` fails on people's devices, nothing tells why (134504, a full disk, a locked \
    device); log the error with `Logger`, or keep it for a report
    """
  }
}
