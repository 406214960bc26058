import PersistIndex
import PersistSyntax

/// The members of classes of realms that read or set what is stored: asking a deleted object for one
/// of them ends the app.
struct RealmReaders {
  /// The names of all of them.
  private(set) var names: Set<Name> = []
  private var stored: Set<PropertyID> = []
  private var methods: Set<FunctionID> = []
  private let program: Program

  init(_ program: Program, _ types: Set<TypeID>) {
    self.program = program
    for stored in program.realmClasses.filter({ types.contains($0.type) }).flatMap(\.properties) {
      guard let id = program.property(declaredAt: stored.place) else { continue }
      add(id)
    }
    let owners = types.flatMap { program.lineage(of: $0) }.filter { program.isRealmObject($0) }
    let sorted = Set(owners).sorted()
    var round = 0
    while program.isWithin(round, .readerRounds), addReaders(of: sorted) { round += 1 }
  }

  /// Whether a use of a member of a class reads or sets what is stored.
  func reads(_ use: Ref, of type: TypeID) -> Bool {
    if let id = program.property(usedBy: use) { return stored.contains(id) }
    guard case .functions(let candidates)? = program.member(program.name(use), of: type) else {
      return false
    }
    return !candidates.isEmpty && candidates.allSatisfy { methods.contains($0) }
  }

  private mutating func add(_ id: PropertyID) {
    stored.insert(id)
    names.insert(program.properties[id].name)
  }

  /// Takes in the methods and computed properties that read what is known to be read so far; whether
  /// there were some.
  private mutating func addReaders(of owners: [TypeID]) -> Bool {
    let before = (stored.count, methods.count)
    for owner in owners {
      for id in program.types[owner].properties
      where program.properties[id].isComputed && !program.properties[id].isStatic
        && !stored.contains(id)
      {
        guard let accessors = program.properties[id].accessors else { continue }
        let body = Ref(file: Int(program.properties[id].ref.file), node: accessors)
        if readsSelf(in: body) { add(id) }
      }
      for id in program.types[owner].functions
      where program.functions[id].kind == .functionDecl && !program.functions[id].isStatic
        && !methods.contains(id)
      {
        guard let body = program.body(of: id), readsSelf(in: body) else { continue }
        methods.insert(id)
        names.insert(program.functions[id].name)
      }
    }
    return before != (stored.count, methods.count)
  }

  /// Whether code of a class reads what is stored of `self` before it asks whether that is there.
  private func readsSelf(in body: Ref) -> Bool {
    for node in program.nodesRun(in: body) where program.kind(node) == .name {
      guard let chain = program.parent(node), program.kind(chain) == .chain,
        program.children(chain).first == node
      else { continue }
      var member = node
      if program.nameText(node) == "self" {
        guard program.children(chain).count > 1 else { continue }
        member = program.children(chain)[1]
      }
      if Words.realmLifeSigns.contains(program.name(member)) { return false }
      if let id = program.property(usedBy: member) {
        if stored.contains(id) { return true }
      } else if case .functions(let candidates)? = program.declared(node),
        !candidates.isEmpty, candidates.allSatisfy({ methods.contains($0) })
      {
        return true
      }
    }
    return false
  }
}
