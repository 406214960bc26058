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
      add(argument, at: call)
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

  private struct Deletion: Hashable {
    let value: Ref
    let call: Ref
  }

  private mutating func add(_ value: Ref, at call: Ref) {
    let all = Reach(from: Deletion(value: value, call: call)) { [program] deletion in
      // A helper that deletes what it is given: its callers say of which class that is.
      guard program.realmClass(of: deletion.value) == nil,
        let (id, index) = program.parameter(namedIn: deletion.value)
      else { return [] }
      return program.callers(of: id).filter { program.isRun($0) }.compactMap { caller in
        program.argument(of: caller, for: index, of: program.functions[id])
          .map { Deletion(value: $0, call: caller) }
      }
    }
    for deletion in all {
      if let type = program.realmClass(of: deletion.value) {
        places[type, default: []].append(deletion.call)
      } else if deletion.call == call {
        noteAny(call)
      }
    }
  }

  private mutating func noteAny(_ call: Ref) {
    anyPlace = program.byFunction((anyPlace.map { [$0] } ?? []) + [call]).first
  }
}

extension Program {
  /// The class of the object, or of the elements, that an expression is.
  fileprivate func realmClass(of value: Ref) -> TypeID? {
    var type = type(of: value)
    while true {
      switch type {
      case .optional(let inner), .array(let inner), .set(let inner): type = inner
      case .declared(let id, _): return isRealmObject(id) ? resolveAlias(id) : nil
      default: return nil
      }
    }
  }
}
