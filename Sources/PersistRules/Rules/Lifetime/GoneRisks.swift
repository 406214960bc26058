import PersistFlow
import PersistIndex

/// The use of a model after a wait, with what may delete it meanwhile.
struct Risk {
  let use: GoneUse
  let model: TypeID
  /// The chain that uses it.
  let place: Ref
  let deletion: Ref
  let body: Ref
}

extension Risk {
  /// From how many functions on what is done alike in all of them is one cause.
  private static let manyAlike = 6

  /// What makes several uses one cause: one object on the paths of one body; objects that one body
  /// uses after one wait; or many functions of one file that wait for one function of the project
  /// and then use one property.
  fileprivate enum Cause: Hashable {
    case object(body: Ref, Int32)
    case wait(body: Ref, Ref)
    case habit(file: Int32, property: PropertyID, awaited: [FunctionID])
  }

  /// Uses with one cause in groups, in source order.
  static func grouped(_ risks: [Risk], _ program: Program) -> [[Risk]] {
    let objects = Dictionary(grouping: risks) { risk in
      Cause.object(body: risk.body, risk.use.object)
    }.values.map { $0.sorted { $0.place < $1.place } }
    let waits = Dictionary(grouping: objects) { Cause.wait(body: $0[0].body, $0[0].use.deletion) }
      .values.map { groups in groups.flatMap { $0 }.sorted { $0.place < $1.place } }
    let habits = Dictionary(grouping: waits) { program.habit(of: $0) }
    let alone = habits.flatMap { key, groups in
      key == nil || groups.count < manyAlike ? groups : [groups.flatMap { $0 }]
    }
    return alone.map { $0.sorted { $0.place < $1.place } }
      .sorted { $0[0].place < $1[0].place }
  }
}

extension Program {
  /// What uses of one object in other functions may do alike.
  fileprivate func habit(of group: [Risk]) -> Risk.Cause? {
    guard group.count == 1, let property = group[0].use.property else { return nil }
    let call = onlyCall(of: expression(markedBy: group[0].use.deletion))
    let awaited = call.map { functions(calledBy: $0).sorted() } ?? []
    return awaited.isEmpty
      ? nil : .habit(file: group[0].body.file, property: property, awaited: awaited)
  }
}

/// The uses of models away from their own actor: the rule of captures says so, and taking the values
/// out mends both.
final class ModelsTakenAway {
  private(set) var uses: Set<Ref> = []

  init(_ program: Program) {
    for cause in program.facts.offQueue where cause.owner.framework == .swiftData {
      uses.formUnion(([cause.place] + cause.others).map { program.chain(of: $0) })
    }
  }
}
