import PersistFlow
import PersistIndex

/// Another store on disk silently replaces one that can't be opened: all data seems gone.
struct FallbackToAnotherStore: Rule {
  static let id: RuleID = "fallback-to-another-store"

  func check(_ program: Program, into findings: inout Findings) {
    let flow = program.storeFlow
    var seen: Set<Ref> = []
    for opening in flow.openings where !opening.isInMemory && opening.site == opening.root {
      guard let path = flow.innermostPath(at: opening.site) ?? flow.fallback(at: opening.site),
        !program.isExempt(opening.site), program.calledName(opening.site) == "ModelContainer",
        let mine = program.stores(ofContainer: opening.site), mine.count == 1
      else { continue }
      let failed = flow.opening(of: path)
      guard !failed.isInMemory, program.calledName(failed.root) == "ModelContainer",
        failed.root != opening.root, let theirs = program.stores(ofContainer: failed.root),
        !theirs.isEmpty, theirs.allSatisfy({ $0.differs(from: mine[0]) }),
        !flow.paths.contains(where: { $0.opening == path.opening && isReported($0, program) }),
        !isReported(path, program), !program.isReadOnly(opening),
        !program.followsBackup(opening.site),
        seen.insert(opening.site).inserted
      else { continue }
      findings.report(
        .splits(failed.name), at: program.chain(of: opening.site),
        related: [.init(program.chain(of: failed.root), "this store could not be opened")])
    }
  }

  /// Whether something that outlives the path is set on it, by which the screen can tell.
  private func isReported(_ path: FailurePath, _ program: Program) -> Bool {
    if program.notifiesUser(on: path) { return true }
    return path.nodes.contains { root in
      program.nodesRun(in: root).contains { node in
        guard let last = program.assignment(node).flatMap({ program.lastPart(ofTarget: $0) }),
          let id = program.property(usedBy: last)
        else { return false }
        return !program.type(ofProperty: id).isExternal("ModelContainer")
      }
    }
  }
}

extension Finding.Message {
  fileprivate static func splits(_ opening: String) -> Self {
    """
    if `\(opening)` fails once, all data seems gone and new entries go to another file; tell the \
    user before you switch to another store, or back the first one up
    """
  }
}
