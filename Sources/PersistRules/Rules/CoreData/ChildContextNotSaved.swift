import PersistFlow
import PersistIndex

/// A child context whose parent is never saved: the change never reaches the disk.
struct ChildContextNotSaved: Rule {
  static let id: RuleID = "child-context-not-saved"
  static let analysis = Analysis.owners

  func check(_ program: Program, into findings: inout Findings) {
    for child in program.savedChildren {
      findings.report(
        .lost(child.name, parent: child.parent), at: child.save,
        related: [.init(child.link, "`\(child.parent)` becomes its parent here")])
    }
    for behind in program.savesBehindConditions {
      findings.report(
        .waits(behind), at: behind.save,
        related: [
          .init(behind.condition, "the save waits for changes in `\(behind.other)`"),
          .init(behind.change, "this changes `\(behind.context)` and then calls the save"),
        ])
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
    let contexts = facts.contexts
    guard !contexts.links.isEmpty, !contexts.hasUnreadSaves else { return [] }
    let saves = contexts.saves
    var told: Set<Ref> = []
    return contexts.links.compactMap { link in
      guard let child = link.child.only, child.site != nil, let parent = link.parent.only,
        child != parent, !isExempt(link.node),
        let save = saves.first(where: { $0.contexts.only == child }),
        saves.allSatisfy({ $0.node == save.node || isElsewhere($0.contexts, parent, child) }),
        told.insert(link.node).inserted
      else { return nil }
      return SavedChild(
        name: headText(of: link.node), parent: textAssigned(to: link.node) ?? "its parent",
        link: link.node, save: save.node)
    }
  }

  /// Whether a save is surely none of a parent.
  private func isElsewhere(_ saved: Contexts, _ parent: Owner, _ child: Owner) -> Bool {
    !saved.isOpen && saved.known.allSatisfy { $0 == child || $0.isSurelyOther(than: parent) }
  }
}

extension Finding.Message {
  fileprivate static func waits(_ behind: SaveBehindCondition) -> Self {
    "changes in `\(behind.context)` alone are lost at the next launch, because the save waits for changes in `\(behind.other)`; move this save out of the condition"
  }

  fileprivate static func lost(_ child: String, parent: String) -> Self {
    "what is saved here is lost at the next launch, because `\(child)` only passes its changes to `\(parent)` and nothing saves `\(parent)`; save the parent too"
  }
}
