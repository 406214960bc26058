import PersistIndex
import PersistSyntax

/// The bodies of one unit, and the number that the first has in the table that lowered it.
struct LoweredUnit {
  let first: Int
  let bodies: [Body]
  /// The locals of the unit that several bodies may change.
  let shared: Set<Ref>
}

/// What all tables of bodies of a program have in common: units that one of them has lowered, and the
/// names of functions that change their receiver, or never return.
final class LoweredUnits {
  let mutatingNames: Set<Name>
  let endingNames: Set<Name>
  private let program: Program
  @exclusivity(unchecked) private var known: [Ref: LoweredUnit] = [:]

  init(of program: Program) {
    self.program = program
    let changing = program.functions.filter { $0.modifiers.contains("mutating") }
    mutatingNames = Frameworks.mutatingMethods.union(changing.map(\.name))
    let ending = Dictionary(grouping: program.functions, by: \.name)
      .filter { $0.value.allSatisfy(\.returnsNever) }
    endingNames = Frameworks.endingFunctions.union(ending.keys)
  }

  subscript(unit: Ref) -> LoweredUnit? { known[unit] }

  /// Keeps a unit for other tables, unless what it was lowered by may still change.
  func keep(_ lowered: LoweredUnit, for unit: Ref) {
    if program.isSettled { known[unit] = lowered }
  }
}

extension Body {
  /// The body where the closures in it have other numbers.
  func renumbered(by offset: BodyID) -> Body {
    guard offset != 0, steps.contains(where: { $0.operation == .closure }) else { return self }
    let body = Body(copying: self)
    for index in steps.indices where steps[index].operation == .closure {
      body.steps[index].index += offset
    }
    return body
  }
}
