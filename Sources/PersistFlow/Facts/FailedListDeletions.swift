import PersistIndex
import PersistSyntax

/// A deletion of what a list lacks, or one that runs because the list is empty, where it is empty
/// when it could not be had.
package struct FailedListDeletion: Sendable {
  /// The call that deletes.
  package let deletion: Ref
  /// The call that fails.
  package let failing: Ref
  /// Whether it runs because the list is empty.
  package let isForEmpty: Bool
}

extension Program {
  /// The deletions of what lists lack that may have failed, and those that run because such a list
  /// is empty, in source order.
  package var failedListDeletions: [FailedListDeletion] {
    let lists = once { FailedLists($0) }
    var found = lists.deletions.map { deletion, failing in
      FailedListDeletion(
        deletion: deletion, failing: maker(ofList: failing), isForEmpty: false)
    }
    for (call, failing) in lists.callsWhenEmpty where lists.deletions[call] == nil {
      let maker = maker(ofList: failing)
      guard deletesObject(call) || deletesAll(likeThoseOf: maker, call) else { continue }
      found.append(FailedListDeletion(deletion: call, failing: maker, isForEmpty: true))
    }
    return found.sorted { $0.deletion < $1.deletion }
  }

  /// Whether a call deletes an object in a context.
  private func deletesObject(_ call: Ref) -> Bool {
    calledName(call) == Frameworks.deletion && isContext(receiverType(ofCall: call).unwrapped)
  }

  /// Whether a call of a function of the sources deletes objects of the class that a list has.
  private func deletesAll(likeThoseOf list: Ref, _ call: Ref) -> Bool {
    guard let model = model(in: resultType(ofCall: list)) else { return false }
    return functions(calledBy: call).contains { function in
      body(of: function).map { nodesRun(in: $0) }?.contains { node in
        kind(node) == .call && deletesObject(node)
          && arguments(node).first.flatMap { self.model(in: type(of: $0)) } == model
      } ?? false
    }
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
