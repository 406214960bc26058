import PersistFlow
import PersistIndex

/// An object from an identifier whose row may be gone: reading it crashes the app.
struct UncheckedIdentifierLookup: Rule {
  static let id: RuleID = "unchecked-identifier-lookup"

  func check(_ program: Program, into findings: inout Findings) {
    let lookups = program.identifierLookups
    guard !lookups.isEmpty else { return }
    let deletions = program.once(ModelDeletions.init)
    for lookup in lookups {
      let body = program.enclosingFunction(lookup.call)
      let deletion = deletions.place(of: lookup.model) { place in
        program.enclosingFunction(place) != body || body == nil
      }
      guard let deletion else { continue }
      findings.report(
        .readsGoneRow(program.modelName(lookup.model), method: lookup.method),
        at: program.calledNode(lookup.call) ?? lookup.call,
        related: (lookup.kept.map { [.init($0, "the object is kept here")] } ?? []) + [
          .init(lookup.read, "its values are read here"),
          .init(deletion, "such an object is deleted here"),
        ])
    }
  }
}

extension Finding.Message {
  fileprivate static func readsGoneRow(_ model: String, method: Name) -> Self {
    method == "model"
      ? """
      if the `\(model)` has been deleted meanwhile, the app crashes at the first read, because \
      `model(for:)` returns an object even for a deleted row; fetch by the identifier, or use \
      `registeredModel(for:)`
      """
      : """
      if the `\(model)` has been deleted meanwhile, reading it can crash the app, because \
      `object(with:)` returns a fault even for a deleted row; use `existingObject(with:)` and \
      handle its error
      """
  }
}
