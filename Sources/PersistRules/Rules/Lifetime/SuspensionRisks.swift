import PersistFlow
import PersistIndex
import PersistSyntax

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
    case object(body: Ref, holder: Ref)
    case wait(body: Ref, Ref)
    case habit(file: Int32, property: PropertyID, awaited: [FunctionID])
  }

  /// Uses with one cause in groups, in source order.
  static func grouped(_ risks: [Risk], _ program: Program) -> [[Risk]] {
    let objects = Dictionary(grouping: risks) { risk in
      Cause.object(body: risk.body, holder: program.holder(of: risk) ?? risk.place)
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
  /// The local, parameter or property through which a use reaches its object.
  fileprivate func holder(of risk: Risk) -> Ref? {
    let names = children(risk.place).filter { [.name, .member].contains(kind($0)) }
    guard let first = names.first else { return nil }
    switch declared(first) {
    case .local(let local): return local
    case .property(let id): return properties[id].ref
    default: break
    }
    guard nameText(first) == "self", names.count > 1 else { return nil }
    return property(usedBy: names[1]).map { properties[$0].ref }
  }

  /// What uses of one object in other functions may do alike.
  fileprivate func habit(of group: [Risk]) -> Risk.Cause? {
    guard group.count == 1, let property = group[0].use.property else { return nil }
    let awaited = functionsAwaited(at: group[0].use.deletion)
    return awaited.isEmpty
      ? nil : .habit(file: group[0].body.file, property: property, awaited: awaited)
  }

  /// The functions of the project that an `await` waits for.
  fileprivate func functionsAwaited(at mark: Ref) -> [FunctionID] {
    guard kind(mark) == .awaitMark, let expression = parent(mark),
      let chain = child(expression, .chain),
      let call = children(chain, .call).last
    else { return [] }
    return functions(calledBy: call).sorted()
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
