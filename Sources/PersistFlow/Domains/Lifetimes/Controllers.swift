import PersistIndex

/// The controllers of screens that stay below others and fetch what they show once.
struct Controllers {
  private let values: ValueSources
  private var facts: ProgramFacts { values.facts }

  /// Callers of a deletion that are looked through.
  private static let farthest = 3

  init(_ values: ValueSources) { self.values = values }

  /// Whether a property gets its objects when the screen is loaded, and no others when that is shown
  /// again.
  func loadsOnce(_ property: PropertyID) -> Bool {
    guard let owner = values.program.properties[property].owner else { return false }
    func isSet(by method: Name) -> Bool {
      values.program.methods(method, of: owner).compactMap { facts.body(of: $0) }
        .contains { facts.assignedDeeply(by: $0).contains(property) }
    }
    return isSet(by: Frameworks.loading) && !Frameworks.appearing.contains(where: isSet)
  }

  /// Whether code takes the screens away, or something that leads to it.
  func leavesScreens(_ id: BodyID, _ depth: Int = 0) -> Bool {
    let outer = values.outermost(id)
    let isLeft = facts.withClosures(outer).contains { id in
      values.bodies[id].steps.contains {
        $0.operation == .set && Frameworks.screenChanges.contains($0.name)
      } || values.bodies[id].calls.contains { Frameworks.screenChanges.contains($0.name) }
    }
    guard !isLeft, depth < Self.farthest, let function = values.bodies[outer].function else {
      return isLeft
    }
    return values.program.callers(of: function).contains { call in
      values.callSite(at: call).map { leavesScreens($0.0, depth + 1) } ?? false
    }
  }
}
