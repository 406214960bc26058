import PersistFlow
import PersistIndex

/// Which models the program deletes, and where.
final class ModelDeletions {
  /// The places that delete a model, or what takes it along by a cascade.
  private(set) var places: [TypeID: [Ref]] = [:]
  /// Those of them at which nothing else goes first.
  private var placesOfItself: [TypeID: [Ref]] = [:]
  /// The places that delete objects of which the sources don't tell the class, by framework.
  private(set) var anyManaged: [Ref] = []
  /// The batch deletions of an entity that the sources don't tell.
  private var batches: [Ref] = []
  private(set) var anyModel: [Ref] = []
  /// The places that delete what their own function has made.
  private let taken: Set<Ref>
  /// What is known of each deletion whose argument tells no class.
  private let removals: [Ref: [ModelRemoval]]
  private unowned let program: Program

  init(_ program: Program) {
    self.program = program
    taken = Set(
      program.modelRemovals.compactMap { removal in
        if case .own = removal.extent { removal.place } else { nil }
      })
    removals = Dictionary(grouping: program.modelRemovals, by: \.place)
    for call in program.calls(named: "delete") where mayRun(call) { add(delete: call) }
    for (call, method) in program.calls(handing: "delete", to: "forEach") where mayRun(method) {
      guard program.isContext(program.receiverType(ofMember: method)),
        let model = program.model(in: program.receiverType(ofCall: call))
      else { continue }
      places[model, default: []].append(call)
    }
    for call in program.calls(named: "NSBatchDeleteRequest") where mayRun(call) {
      add(batch: call)
    }
    anyManaged += program.calls(named: "destroyPersistentStore").filter { mayRun($0) }
    anyModel += program.modelRemovals.filter { $0.extent == .container }.map(\.place)
      .filter { mayRun($0) }
    placesOfItself = places
    addCascades()
    for (model, calls) in places { places[model] = program.byFunction(calls) }
    anyManaged = program.byFunction(anyManaged) + program.byFunction(batches)
    anyModel = program.byFunction(anyModel)
  }

  /// Whether a place deletes nothing but what its function is given.
  func areHandedOver(at place: Ref) -> Bool {
    program.takesParameter(place) || removals[place]?.contains { $0.isHandedOver } ?? false
  }

  private func mayRun(_ call: Ref) -> Bool { !program.isExempt(call) && program.mayRun(call) }

  /// The first place, by the names of functions, at which a model may be deleted, those that are
  /// told to be left out passed over; nil where nothing deletes it.
  func place(of model: TypeID, where isWanted: (Ref) -> Bool = { _ in true }) -> Ref? {
    for type in program.lineage(of: model) {
      if let found = places[type]?.first(where: isWanted) { return found }
    }
    return (program.isManagedClass(model) ? anyManaged : anyModel).first(where: isWanted)
  }

  /// A place that surely deletes objects of a model, or what takes them along by a cascade.
  func surePlace(of model: TypeID) -> Ref? {
    program.lineage(of: model).lazy.compactMap { self.places[$0]?.first }.first
  }

  /// Whether objects of a model are surely deleted other than by a cascade.
  func deletesByItself(_ model: TypeID) -> Bool {
    program.lineage(of: model).contains { placesOfItself[$0]?.isEmpty == false }
  }

  /// Whether each deletion that takes objects of a model along by a cascade takes those of another
  /// one along too, and nothing else deletes the model.
  func deletes(_ model: TypeID, onlyWith holder: TypeID) -> Bool {
    guard !deletesByItself(model) else { return false }
    let models = Set(program.lineage(of: model))
    let holders = Set(program.lineage(of: holder))
    let taken = placesOfItself.keys.map { takenAlong(by: $0) }.filter {
      !$0.isDisjoint(with: models)
    }
    return !taken.isEmpty && taken.allSatisfy { !$0.isDisjoint(with: holders) }
  }

  /// A model with those that go by its cascades.
  private func takenAlong(by owner: TypeID) -> Set<TypeID> {
    var found: Set<TypeID> = [owner]
    var queue = [owner]
    while let owner = queue.popLast() {
      for id in program.modelProperties(of: owner) where program.cascades(id) {
        guard let child = program.destination(of: id), found.insert(child).inserted else {
          continue
        }
        queue.append(child)
      }
    }
    return found
  }

  private func add(delete call: Ref) {
    if let argument = program.argument(call, "model") {
      if case .metatype(.declared(let type, _)) = program.type(of: argument), program.isModel(type)
      {
        places[program.resolveAlias(type), default: []].append(call)
      } else if program.isContext(program.receiverType(ofCall: call)) {
        anyModel.append(call)
      }
      return
    }
    guard program.arguments(call).count == 1, let argument = program.argument(call, .none) else {
      return
    }
    let type = program.type(of: argument)
    if let model = program.model(in: type) {
      guard deletesObjects(call), !taken.contains(call) else { return }
      places[model, default: []].append(call)
    } else if type == .unknown || type.isExternal("NSManagedObject") {
      if let known = removals[call] {
        for model in known.compactMap(\.model) { places[model, default: []].append(call) }
        return
      }
      let receiver = program.receiverType(ofCall: call)
      if receiver.isExternal("NSManagedObjectContext") { anyManaged.append(call) }
      if receiver.isExternal("ModelContext") { anyModel.append(call) }
    }
  }

  /// Whether a call named `delete` is a context's, or one of which nothing is known.
  private func deletesObjects(_ call: Ref) -> Bool {
    switch program.callTarget(call) {
    case .externalMethod(let receiver, _): program.isContext(receiver)
    case .unknownMethod, .unknown: true
    default: false
    }
  }

  private func add(batch call: Ref) {
    if let request = program.argument(call, "fetchRequest") {
      if case .external("NSFetchRequest", let arguments) = program.type(of: request),
        let type = arguments.first, let model = program.model(in: type)
      {
        places[model, default: []].append(call)
        return
      }
      if let entity = program.entity(askedBy: request),
        let model = program.topLevelTypes(named: Name(entity)).first
      {
        places[model, default: []].append(call)
        return
      }
    }
    batches.append(call)
  }

  private func addCascades() {
    var queue = places.keys.sorted()
    while let owner = queue.popLast() {
      for id in program.modelProperties(of: owner) where program.cascades(id) {
        guard let child = program.destination(of: id), places[child] == nil else { continue }
        places[child] = places[owner]
        queue.append(child)
      }
    }
  }
}

extension Program {
  /// Places in the order of the functions' names around them, which stays when code is moved.
  func byFunction(_ places: [Ref]) -> [Ref] {
    places.map { place in
      (name: enclosingFunction(place).map { functionName($0) } ?? "", place: place)
    }.sorted { ($0.name, $0.place) < ($1.name, $1.place) }.map(\.place)
  }
}
