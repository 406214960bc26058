import PersistFlow
import PersistIndex

/// A main context whose container is released: the first fetch or save crashes the app.
struct ContextOutlivesContainer: Rule {
  static let id: RuleID = "context-outlives-container"

  func check(_ program: Program, into findings: inout Findings) {
    let fates = Dictionary(grouping: program.fates(of: .ownContainers), by: \.origin)
    for (made, fates) in fates.sorted(by: { $0.key < $1.key }) {
      // Whoever else gets hold of the container may keep it.
      guard fates.allSatisfy({ $0.kind != Fate.container || isRead($0.deed) }) else { continue }
      for fate in fates where fate.kind == Fate.context && isKept(fate.deed) {
        findings.report(
          .losesContainer, at: program.whole(fate.place),
          related: [
            .init(program.chain(of: made), "this container is released when the function returns")
          ])
      }
    }
  }

  private func isRead(_ deed: Fate.Deed) -> Bool {
    if case .reads = deed { return true }
    return false
  }

  /// Whether a context outlives the function: it is returned, or kept in a property.
  private func isKept(_ deed: Fate.Deed) -> Bool {
    if case .keeps = deed { return true }
    return deed == .returns
  }
}

extension Finding.Message {
  fileprivate static let losesContainer: Self =
    """
    the app crashes at the first fetch or save, because `mainContext` doesn't keep its container \
    alive and nothing else does; keep the container in a property too
    """
}
