import PersistIndex
import PersistSyntax

/// An object got by its identifier, of which the row may be gone: reading it ends the process.
struct UncheckedIdentifierLookup: Rule {
  static let id: RuleID = "unchecked-identifier-lookup"

  func check(_ program: Program, into findings: inout Findings) {
    let lookups = IdentifierLookups(program)
    guard !lookups.all.isEmpty else { return }
    let deletions = program.once(ModelDeletions.init)
    for lookup in lookups.all {
      guard let read = lookups.firstRead(of: lookup) else { continue }
      let body = program.enclosingFunction(lookup.call)
      let deletion = deletions.place(of: lookup.model) { place in
        program.enclosingFunction(place) != body || body == nil
      }
      guard let deletion else { continue }
      findings.report(
        .readsGoneRow(program.modelName(lookup.model), method: lookup.method),
        at: program.calledNode(lookup.call) ?? lookup.call,
        related: [
          .init(read, "what it holds is read here"),
          .init(deletion, "such an object is deleted here"),
        ])
    }
  }
}

extension Finding.Message {
  fileprivate static func readsGoneRow(_ model: String, method: Name) -> Self {
    method == "model"
      ? """
      when the `\(model)` was deleted meanwhile, the app ends at the first read: `model(for:)` \
      hands out an object even for a row that is gone; fetch it by its identifier, or ask \
      `registeredModel(for:)`
      """
      : """
      when the `\(model)` was deleted meanwhile, reading it can end the app: `object(with:)` hands \
      out a fault even for a row that is gone; use `existingObject(with:)` and take its failure
      """
  }
}
