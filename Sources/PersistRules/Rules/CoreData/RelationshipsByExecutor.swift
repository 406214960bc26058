import PersistIndex
import PersistSyntax

extension RelationshipAcrossContexts {
  /// Reports the relationships between managed objects of which the executors are surely two
  /// contexts, wherever the objects come from.
  func reportExecutors(_ program: Program, into findings: inout Findings) {
    for file in program.filesTouchingContexts {
      let root = Ref(file: file, node: 0)
      let links =
        program.descendants(root, .expression).compactMap { program.link(setBy: $0) }
        + program.descendants(root, .call).compactMap { program.link(addedBy: $0) }
      for link in links where program.areApart(link.owner, link.other) {
        findings.report(
          .relatesApart(link.relationship, link.model), at: link.value,
          related: program.placesOfExecutors(link.other).map {
            .init($0, "this context is made here")
          })
      }
    }
  }
}

/// A relationship that is set or added to, with the executors of both objects.
private struct ExecutorLink {
  let relationship: String
  let model: String
  let value: Ref
  let owner: ContextExecutors
  let other: ContextExecutors
}

extension Program {
  /// `trip.owner = person`
  fileprivate func link(setBy expression: Ref) -> ExecutorLink? {
    guard let target = children(expression).first, kind(target) == .chain,
      let last = children(target).last, kind(last) == .member, isAssignmentTarget(last),
      mayGiveManaged(target), let values = valueAssigned(to: last), values.count == 1
    else { return nil }
    return link(last, nameText(last), in: target, to: values[0])
  }

  /// `trip.addToStops(stop)`
  fileprivate func link(addedBy call: Ref) -> ExecutorLink? {
    guard let called = calledNode(call), kind(called) == .member, let chain = parent(call),
      nameText(called).hasPrefix("addTo"), mayGiveManaged(chain),
      functions(calledBy: call).allSatisfy({ body(of: $0) == nil }),
      let argument = child(call, .argument), let value = children(argument).first
    else { return nil }
    return link(called, String(nameText(called).dropFirst(5)), in: chain, to: value)
  }

  private func link(_ member: Ref, _ name: String, in chain: Ref, to value: Ref) -> ExecutorLink? {
    guard let model = managedModel(in: type(ofChain: chain, upTo: member)),
      managedModel(in: type(of: value)) != nil
    else { return nil }
    return ExecutorLink(
      relationship: name, model: nameText(types[model].ref), value: value,
      owner: contextExecutors(ofChain: chain, upTo: member), other: contextExecutors(of: value))
  }
}
