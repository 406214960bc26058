import PersistFlow
import PersistIndex

/// Which classes of realms' objects the program deletes, and where.
struct RealmDeletions {
  /// The places that delete objects of each class, by the names of functions.
  private var places: [TypeID: [Ref]] = [:]
  /// The first place, by the names of functions, that deletes all objects, or some of which the sources
  /// don't tell the class.
  private var anyPlace: Ref?
  private let program: Program

  init(_ program: Program) {
    self.program = program
    for call in program.calls(named: "delete") where program.isRun(call) {
      guard case .externalMethod(let receiver, _) = program.callTarget(call),
        receiver.isExternal("Realm"), let argument = program.argument(call, .none)
      else { continue }
      add(argument, at: call, depth: 0)
    }
    let all = program.calls(named: "deleteAll").filter { call in
      program.isRun(call) && program.receiverType(ofCall: call).unwrapped.isExternal("Realm")
    }
    for call in all { noteAny(call) }
    places = places.mapValues { program.byFunction($0) }
  }

  /// The first place that deletes objects of a class, those that are told to be left out passed over;
  /// nil where nothing does.
  func place(of type: TypeID, where isWanted: (Ref) -> Bool = { _ in true }) -> Ref? {
    for type in program.lineage(of: type) {
      if let found = places[type]?.first(where: isWanted) { return found }
    }
    return anyPlace.flatMap { isWanted($0) ? $0 : nil }
  }

  /// The class of the object, or of the elements, that an expression is.
  private func realmClass(_ type: SwiftType) -> TypeID? {
    switch type {
    case .optional(let inner), .array(let inner), .set(let inner): realmClass(inner)
    case .declared(let id, _) where program.isRealmObject(id): program.resolveAlias(id)
    default: nil
    }
  }

  private mutating func add(_ value: Ref, at call: Ref, depth: Int) {
    if let type = realmClass(program.type(of: value)) {
      places[type, default: []].append(call)
      return
    }
    if depth == 0 { noteAny(call) }
    // A helper that deletes what it is given: its callers say of which class that is.
    guard let (id, index) = program.parameter(namedIn: value),
      program.isWithin(depth, .deletingCallers)
    else { return }
    for caller in program.callers(of: id) where program.isRun(caller) {
      guard let given = program.argument(of: caller, for: index, of: program.functions[id]) else {
        continue
      }
      add(given, at: caller, depth: depth + 1)
    }
  }

  private mutating func noteAny(_ call: Ref) {
    anyPlace = program.byFunction((anyPlace.map { [$0] } ?? []) + [call]).first
  }
}
