import PersistIndex
import PersistSyntax

/// A child context whose parent is never saved: the change never reaches the disk.
struct ChildContextNotSaved: Rule {
  static let id: RuleID = "child-context-not-saved"

  func check(_ program: Program, into findings: inout Findings) {
    for child in program.savedChildren {
      findings.report(
        .lost(child.name, parent: child.parent), at: child.save,
        related: [.init(child.link, "`\(child.parent)` becomes its parent here")])
    }
  }
}

/// A save of a context whose parent nothing saves.
private struct SavedChild {
  let name: String
  let parent: String
  let link: Ref
  let save: Ref
}

extension Program {
  fileprivate var savedChildren: [SavedChild] {
    let links = uses(of: ["parent", "parentContext"]).compactMap {
      use -> (Ref, ContextHomes, Ref)? in
      guard isAssignmentTarget(use), let chain = parent(use), kind(use) == .member,
        isManagedContext(type(ofChain: chain, upTo: use)),
        let value = valueAssigned(to: use)?.first
      else { return nil }
      return (use, contextHomes(ofChain: chain, upTo: use), value)
    }
    guard !links.isEmpty else { return [] }
    let saves = calls(named: "save").compactMap { call -> (Ref, ContextHomes)? in
      guard let called = calledNode(call), let chain = parent(call) else { return nil }
      guard kind(called) == .member else { return (call, .unknown) }
      guard isManagedContext(type(ofChain: chain, upTo: called)) else { return nil }
      return (call, fromCallers(contextHomes(ofChain: chain, upTo: called)))
    }
    return links.compactMap { use, child, value in
      let parent = contextHomes(of: value)
      guard let home = child.only, home.isPrivate, let above = parent.only,
        above.isPrivate || above == .main,
        let save = saves.first(where: { $0.1.only == home }),
        !saves.contains(where: { $0.1.isOpen || $0.1.known.contains(above) })
      else { return nil }
      let chain = self.parent(use)
      return SavedChild(
        name: chain.flatMap { children($0).first }.map { nameText($0) } ?? "", parent: text(value),
        link: use, save: calledNode(save.0) ?? save.0)
    }
  }
}

extension Finding.Message {
  fileprivate static func lost(_ child: String, parent: String) -> Self {
    "what is saved here is gone at the next launch, because the save of `\(child)` only hands it to `\(parent)`, which nothing saves; save `\(parent)` after it"
  }
}
