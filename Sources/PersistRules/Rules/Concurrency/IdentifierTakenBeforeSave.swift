import PersistIndex

/// An identifier read before the save is temporary: the object can't be found by it later.
struct IdentifierTakenBeforeSave: Rule {
  static let id: RuleID = "identifier-taken-before-save"

  func check(_ program: Program, into findings: inout Findings) {
    for identifier in program.temporaryIdentifiers {
      findings.report(
        .isTemporary(identifier, ModelName(identifier.model, in: program)), at: identifier.place,
        related: [
          .init(identifier.insertion, "`\(identifier.object)` is inserted here"),
          .init(program.types[identifier.model].ref, "its model is declared here"),
        ])
    }
  }
}

extension Finding.Message {
  fileprivate static func isTemporary(_ identifier: TemporaryIdentifier, _ model: ModelName)
    -> Self
  {
    "`\(identifier.object)` (\(model.name)) can't be found by this identifier later, because the identifier is temporary until the first save; save the context before you read `\(identifier.object).\(identifier.identifier)`"
  }
}
