import PersistIndex
import PersistSyntax

/// An object that is made because a fetch has failed, though it may be stored already.
package struct InsertionAfterFailure: Sendable {
  /// The call that fails: the fetch, or that of a function which lets its failure out.
  package let failing: Ref
  package let insertion: Ref
  package let model: TypeID
  /// Whether it stands for all objects that the fetch would have found.
  package let isOneOfMany: Bool
}

extension FailureSpread {
  /// Follows the failures of fetching objects.
  fileprivate convenience init(fetchesOf program: Program) {
    let fetches = program.calls(named: "fetch").filter { call in
      guard case .externalMethod(let receiver, _) = program.callTarget(call) else { return false }
      return program.isContext(receiver.unwrapped)
    }
    self.init(program, throwing: fetches)
  }
}

extension Program {
  /// The objects that are inserted where a fetch of such objects has failed, one for each failing
  /// call, in source order.
  package var insertionsAfterFailure: [InsertionAfterFailure] {
    let lists = once { FailedLists($0) }
    let flow = FailureSpread(fetchesOf: self)
    var found: [Ref: InsertionAfterFailure] = [:]
    for path in flow.paths {
      let fetch = flow.opening(of: path)
      guard found[fetch.site] == nil, !isExempt(fetch.site), kind(fetch.site) == .call,
        let model = model(in: resultType(ofCall: fetch.root)), !hasUniqueValue(model),
        let insertion = path.nodes.lazy.flatMap({ self.nodesRun(in: $0) })
          .first(where: { self.inserts($0, model) })
      else { continue }
      found[fetch.site] = InsertionAfterFailure(
        failing: fetch.site, insertion: insertion, model: model, isOneOfMany: false)
    }
    for (insertion, failing) in lists.insertions.sorted(by: { $0.key < $1.key })
    where found[failing]?.isOneOfMany != true && !lists.asked.contains(failing) {
      let fetch = maker(ofList: failing)
      guard !isExempt(fetch), let model = model(in: resultType(ofCall: fetch)),
        !hasUniqueValue(model), inserts(insertion, model)
      else { continue }
      found[fetch] = InsertionAfterFailure(
        failing: fetch, insertion: insertion, model: model, isOneOfMany: true)
    }
    return found.values.sorted { $0.failing < $1.failing }
  }

  /// Whether a class has a value that is declared unique, so that there is never another object.
  private func hasUniqueValue(_ model: TypeID) -> Bool {
    let declaration = types[model].ref
    return descendants(declaration, .implicitMember).contains { name($0) == "unique" }
      || descendants(declaration, .macro).contains { name($0) == "Unique" }
  }

  /// Whether a call inserts an object of a class, or makes one in a context.
  private func inserts(_ call: Ref, _ model: TypeID) -> Bool {
    guard kind(call) == .call else { return false }
    if calledName(call) == "insert", isContext(receiverType(ofCall: call).unwrapped) {
      return arguments(call).first.flatMap { self.model(in: type(of: $0)) } == model
    }
    guard argument(call, "context") != nil else { return false }
    switch callTarget(call) {
    case .initializer(let type, _): return resolveAlias(type) == model
    default: return false
    }
  }
}
