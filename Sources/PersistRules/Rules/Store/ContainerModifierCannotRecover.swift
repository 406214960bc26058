import PersistIndex

/// The modifier creates the container: if that fails, the app can't recover.
struct ContainerModifierCannotRecover: Rule {
  static let id: RuleID = "container-modifier-cannot-recover"

  func check(_ program: Program, into findings: inout Findings) {
    for call in program.containerModifiers {
      guard let place = program.calledNode(call) else { continue }
      findings.report(.cannotRecover, at: place)
    }
  }
}

extension Finding.Message {
  fileprivate static let cannotRecover: Self =
    """
    if the store can't be opened, the app crashes here and can neither back up nor migrate the \
    store; create the `ModelContainer` yourself, handle its error, and pass it to \
    `.modelContainer(_:)`
    """
}
