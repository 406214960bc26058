import PersistIndex

/// A model or context is declared Sendable: the compiler no longer reports data races.
struct UncheckedSendableModel: Rule {
  static let id: RuleID = "unchecked-sendable-model"

  func check(_ program: Program, into findings: inout Findings) {
    let conformances = program.uncheckedSendables.filter { !program.isExempt($0.place) }
    for base in conformances where base.isBase {
      findings.report(.base(base.name), at: base.place, severity: .warning)
    }
    let models = Dictionary(grouping: conformances.filter { !$0.isBase }, by: \.place.file)
    for (_, all) in models.sorted(by: { $0.key < $1.key }) { report(all, into: &findings) }
    let unsafe = program.unsafeProperties.filter { !program.isExempt($0.place) }
    let properties = Dictionary(grouping: unsafe, by: \.place.file)
    for (_, all) in properties.sorted(by: { $0.key < $1.key }) {
      report(all, program, into: &findings)
    }
  }

  /// Reports the first model of a file, with the others beside it.
  private func report(_ all: [UncheckedSendable], into findings: inout Findings) {
    let first = all[0]
    let declared = first.declaration.map {
      [Findings.Related($0, "`\(first.name)` is a model")]
    }
    findings.report(
      .model(first.name, hasOthers: all.count > 1), at: first.place,
      related: (declared ?? []) + all.dropFirst().map { .init($0.place, "and `\($0.name)`") })
  }

  private func report(
    _ all: [UnsafeProperty], _ program: Program, into findings: inout Findings
  ) {
    let first = all[0]
    let declared = first.model.map {
      [Findings.Related(program.types[$0].ref, "its model is declared here")]
    }
    findings.report(
      first.model.map { .property(first.name, ModelName($0, in: program)) }
        ?? .context(first.name), at: first.place,
      related: (declared ?? []) + all.dropFirst().map { .init($0.place, "and `\($0.name)`") })
  }
}

extension Finding.Message {
  fileprivate static func model(_ name: String, hasOthers: Bool) -> Self {
    "the app can crash wherever \(name.withArticle)\(hasOthers ? " (or another model of this file)" : "") reaches another actor, and the compiler no longer says where; remove `@unchecked Sendable` and pass the identifier or plain values"
  }

  fileprivate static func base(_ name: String) -> Self {
    "the compiler no longer checks any model of this app for data races, because every model is \(name.withArticle); remove `@unchecked Sendable` and pass identifiers or plain values"
  }

  fileprivate static func context(_ name: String) -> Self {
    "the app can crash when two threads use the context `\(name)` at once, because `nonisolated(unsafe)` hides the data race; isolate the context to an actor, or create one where it is needed"
  }

  fileprivate static func property(_ name: String, _ model: ModelName) -> Self {
    "the app can crash when two threads use `\(name)` (\(model.name)) at once, because `nonisolated(unsafe)` hides the data race; isolate the property to an actor, or keep the `\(model.property)` and look the \(model.name) up where it is used"
  }
}
