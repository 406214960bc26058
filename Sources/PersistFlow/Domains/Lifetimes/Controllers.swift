import PersistIndex
import PersistSyntax

/// The controllers of screens that stay below or beside others and don't fetch again what they show.
final class Controllers {
  private let values: ValueSources
  private var facts: ProgramFacts { values.facts }

  init(_ values: ValueSources) { self.values = values }

  /// Whether a property gets its objects when the screen is loaded, or on a tab, and no others when
  /// that is shown again.
  func keeps(_ property: PropertyID) -> Bool {
    guard let owner = values.program.properties[property].owner else { return false }
    func isSet(by method: Name) -> Bool {
      values.program.methods(method, of: owner).compactMap { facts.body(of: $0) }
        .contains { facts.assignedDeeply(by: $0).contains(property) }
    }
    return (isSet(by: Frameworks.loading) || tabs.contains(owner))
      && !Frameworks.appearing.contains(where: isSet)
  }

  /// The classes whose objects are made where a tab bar gets its screens.
  private lazy var tabs: Set<TypeID> = {
    let program = values.program
    let given = program.uses(of: Frameworks.screensOfTabs).flatMap { use -> [Ref] in
      let holder: SwiftType =
        program.kind(use) == .name
        ? program.enclosingType(use).map { .declared($0) } ?? .unknown
        : program.receiverType(ofMember: use).unwrapped
      guard isOfTabs(holder) else { return [] }
      return [program.assignment(toWhatEndsWith: use)?.value, program.sibling(after: use)]
        .compactMap { $0 }
    }
    let named = given.flatMap { program.descendants($0, .name) }
      .compactMap { program.fixedValue(of: $0) }
    return Set(
      (given + named).flatMap { program.descendants($0, .call) }.compactMap { call -> TypeID? in
        guard case .initializer(let type, _) = program.callTarget(call) else { return nil }
        return program.resolveAlias(type)
      })
  }()

  private func isOfTabs(_ type: SwiftType) -> Bool {
    if case .declared(let id, _) = type {
      return values.program.inherits(id, from: Frameworks.tabController)
    }
    return type.isExternal(Frameworks.tabController)
  }

  /// Whether code takes the screens away, or something that leads to it.
  func leavesScreens(_ id: BodyID) -> Bool {
    Reach(from: id) { [values] id in
      guard let function = values.bodies[values.outermost(id)].function else { return [] }
      return values.program.callers(of: function).compactMap { values.callSite(at: $0)?.0 }
    }.contains { id in
      facts.withClosures(values.outermost(id)).contains { id in
        values.bodies[id].steps.contains {
          $0.operation == .set && Frameworks.screenChanges.contains($0.name)
        } || values.bodies[id].calls.contains { Frameworks.screenChanges.contains($0.name) }
      }
    }
  }
}
