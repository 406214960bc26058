import PersistFlow
import PersistIndex

/// A change in `willSave` or `didSave` that causes the next save, or that uses a deleted
/// relationship.
struct ChangeInWillSave: Rule {
  static let id: RuleID = "change-in-will-save"

  func check(_ program: Program, into findings: inout Findings) {
    for name: Name in ["willSave", "didSave"] {
      for id in program.functions(named: name) {
        let function = program.functions[id]
        guard let owner = function.owner, program.isManagedClass(owner),
          function.parameters.isEmpty,
          let change = program.ownChanges(by: id).first(where: { !isAsked($0) })
        else { continue }
        let method = program.nameText(function.ref)
        findings.report(
          change.path.isEmpty
            ? .neverEnds(change.property, method)
            : .followsGone(change.path.joined(separator: "."), method), at: change.place)
      }
    }
  }

  /// Whether the conditions of a change ask what has changed, or whether the object is deleted,
  /// on each way to it.
  private func isAsked(_ change: OwnChange) -> Bool {
    change.ways.allSatisfy { asks($0, about: change) }
  }

  private func asks(_ looks: OwnChange.Looks, about change: OwnChange) -> Bool {
    guard change.path.isEmpty else { return !looks.ofSelf.isDisjoint(with: Self.states) }
    // Code that sets several properties when one of them changes compares that one.
    return looks.comparesOwn || looks.names.contains(change.property)
      || looks.names.contains {
        Self.changes.contains($0) || $0.hasPrefix("primitive")
      }
  }

  private static let states: Set<String> = ["isDeleted", "managedObjectContext", "isInserted"]
  private static let changes: Set<String> = [
    "changedValues", "changedValuesForCurrentEvent", "committedValues", "primitiveValue",
  ]
}

extension Finding.Message {
  fileprivate static func neverEnds(_ property: String, _ method: String) -> Self {
    """
    the app hangs in the first save until the system kills the process, because `\(method)` runs \
    again each time it changes `\(property)`; compare with the old value first, or set the \
    primitive value
    """
  }

  fileprivate static func followsGone(_ path: String, _ method: String) -> Self {
    """
    deleting an object can crash the app, because `\(method)` also runs for deleted objects and \
    their `\(path)` is gone by then; return early if `isDeleted`
    """
  }
}
