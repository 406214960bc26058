import PersistIndex
import PersistSyntax

/// A deletion of what a list lacks, where the list is empty when it could not be had.
package struct FailedListDeletion: Sendable {
  /// The call that deletes.
  package let deletion: Ref
  /// The call that fails.
  package let failing: Ref
}

extension Program {
  /// The deletions of what a list lacks that may have failed, in source order; those left out where
  /// code asks whether the list is empty.
  package var failedListDeletions: [FailedListDeletion] {
    let lists = once { FailedLists($0) }
    return lists.deletions.compactMap { deletion, failing in
      guard !lists.asked.contains(failing) else { return nil }
      return FailedListDeletion(deletion: deletion, failing: maker(ofList: failing))
    }.sorted { $0.deletion < $1.deletion }
  }

  /// The call that gives the list, of a chain that goes on with something of its elements.
  func maker(ofList call: Ref) -> Ref {
    guard Frameworks.sameElements.contains(calledName(call)), let chain = parent(call) else {
      return call
    }
    let before = children(chain, .call).last { $0 < call }
    return before.map { maker(ofList: $0) } ?? call
  }
}
