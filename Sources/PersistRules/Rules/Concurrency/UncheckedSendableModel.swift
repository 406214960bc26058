import PersistIndex
import PersistSyntax

/// The compiler is told that a model or context may be shared: nothing stops the race any more.
struct UncheckedSendableModel: Rule {
  static let id: RuleID = "unchecked-sendable-model"

  func check(_ program: Program, into findings: inout Findings) {
    for conformance in program.uncheckedSendables where !program.isSilent(conformance.place) {
      findings.report(
        conformance.isBase ? .base(conformance.name) : .model(conformance.name),
        at: conformance.place, severity: conformance.isBase ? .warning : nil,
        related: conformance.declaration.map {
          [.init($0, "`\(conformance.name)` is a model")]
        } ?? [])
    }
    for property in program.unsafeProperties where !program.isSilent(property.place) {
      findings.report(
        property.model.map { .property(property.name, ModelName($0, in: program)) }
          ?? .context(property.name), at: property.place,
        related: property.model.map {
          [.init(program.types[$0].ref, "its model is declared here")]
        } ?? [])
    }
  }
}

extension Finding.Message {
  fileprivate static func model(_ name: String) -> Self {
    "the app can crash wherever a `\(name)` reaches another actor, and the compiler no longer says where; drop `@unchecked Sendable` and pass its identifier or plain values"
  }

  fileprivate static func base(_ name: String) -> Self {
    "no model of this app is checked for races any more, for all of them are `\(name)`s; drop `@unchecked Sendable` and pass identifiers or plain values"
  }

  fileprivate static func context(_ name: String) -> Self {
    "the app can crash when two threads meet in the context `\(name)`, for `nonisolated(unsafe)` hides the race; give it an actor, or make a context where it is used"
  }

  fileprivate static func property(_ name: String, _ model: ModelName) -> Self {
    "the app can crash when two threads meet in `\(name)` (\(model.name)), for `nonisolated(unsafe)` hides the race; give it an actor, or keep the `\(model.property)` and look the \(model.name) up where it is used"
  }
}
