import PersistIndex
import PersistSyntax

// MARK: - What is done with contexts

extension Run {
  /// Notes the use of a list that belongs to its objects' owner.
  func noteList(_ receiver: OriginsID, _ name: Name, at node: Ref) {
    if Frameworks.safeMembers.contains(name) || Frameworks.contextProperties.contains(name) {
      return
    }
    for case .holder(let type, _, let inner) in solver.table.members(receiver)
    where Frameworks.ownedLists.contains(type) {
      note(
        .object, inner, at: place(of: node),
        isWrite: Frameworks.mutatingMethods.contains(name)
          && !Frameworks.orderingMethods.contains(name))
    }
  }

  /// Notes that a context, or an object of one, is used here.
  func noteUse(of set: OriginsID, at node: Ref, isWrite: Bool = false) {
    let place = place(of: node)
    let hasOwner = solver.table.members(set).contains {
      if case .owner = $0 { true } else { false }
    }
    if hasOwner { note(.context, set, at: place, isWrite: isWrite) }
    if let object = managed(in: set) { note(.object, object, at: place, isWrite: isWrite) }
  }

  /// The member that is called or read.
  func place(of node: Ref) -> Ref {
    program.kind(node) == .call ? program.calledNode(node) ?? node : node
  }

  /// The objects that a value is or holds.
  private func managed(in set: OriginsID) -> OriginsID? {
    for origin in solver.table.members(set) {
      switch origin {
      case .managed: return set
      case .collection(let inner): return managed(in: inner)
      case .holder(let type, _, let inner) where Frameworks.ownedLists.contains(type):
        return managed(in: inner)
      default: continue
      }
    }
    return nil
  }

  /// Notes what a row does with contexts besides using them.
  func noteContexts(_ row: API, _ operands: Operands, at node: Ref) {
    let place = place(of: node)
    if row.lifetime == .save {
      note(.save, operands.receiver, at: place)
      noteSave(of: operands.receiver)
    }
    if row.lifetime == .rollback || row.lifetime == .reset {
      note(.discard, operands.receiver, at: place)
    }
    if let changed = row.changes.flatMap({ operands.value($0) }) {
      note(.change, changed, at: place)
    }
    if let told = row.merges.flatMap({ operands.value($0) }) {
      note(.merge, element(of: told), at: node)
    }
  }

  /// Notes that a context gets a parent, a coordinator or a merge policy.
  func noteSetting(_ step: Instruction, of receiver: OriginsID, _ value: OriginsID, at node: Ref) {
    let name = step.name
    guard Frameworks.settingsOfContext.contains(name),
      program.kind(node) == .name || program.kind(node) == .member
    else { return }
    let contexts = solver.table.members(receiver).filter {
      if case .owner = $0 { true } else { false }
    }
    guard !contexts.isEmpty || facts.isMemberOfContext(node) else { return }
    if name == Frameworks.mergePolicy { return note(.policy, receiver, at: node) }
    if name == Frameworks.coordinator {
      let isOthers = body.givers(of: body.operands(of: step).last ?? -1).contains { giver in
        body.steps[Int(giver)].operation == .get && body.steps[Int(giver)].name == name
      }
      return note(.coordinator, receiver, at: node, context: value, isHeld: isOthers)
    }
    if name == Frameworks.autosaving {
      let isOff = solver.table.members(value).elementsEqual([.literal("false")])
      return isOff ? () : note(.autosave, receiver, at: node)
    }
    note(.parent, receiver, at: node, context: value)
    for case .owner(let owner) in contexts {
      if let site = owner.site { write(value, to: .channel(name, site)) }
    }
  }

  /// The contexts that were made the parents of others.
  func parent(of contexts: OriginsID) -> OriginsID {
    solver.table.union(
      OriginTable.null,
      solver.table.mapped(contexts) { origin in
        guard case .owner(let owner) = origin, !owner.isGiven, owner.framework == .coreData else {
          return OriginTable.unknown
        }
        return owner.site.map { self.read(.channel(Frameworks.parentOfContext, $0)) }
          ?? OriginTable.nothing
      })
  }

  /// Notes a context, or an object of one, whose method can't be read; those that a data model
  /// generates only change relationships.
  func noteReceiver(_ value: OriginsID, at node: Ref) {
    let isOwned = solver.table.members(value).contains { origin in
      switch origin {
      case .owner(let owner), .managed(let owner): owner.framework != .realm
      default: false
      }
    }
    guard isOwned, let called = program.calledNode(node) else { return }
    let name = program.nameText(called)
    guard !Frameworks.generatedAccessors.contains(where: { name.hasPrefix($0) }) else { return }
    note(.handed, value, at: node)
  }

  /// Notes contexts and objects that go to code which can't be read; what a closure has captured is
  /// used by its own code alone.
  func noteHanded(_ value: OriginsID, at node: Ref) {
    guard solver.leadsToOwner(value) else { return }
    let handed = solver.table.mapped(value) { origin in
      switch origin {
      case .closure, .function, .method: OriginTable.nothing
      default: self.solver.table.one(origin)
      }
    }
    if solver.leadsToOwner(handed) { note(.handed, handed, at: node) }
  }

  /// The context of a model actor; of Core Data the one that its executor was made with.
  func ownContext(of actor: TypeID) -> OriginsID? {
    let place = program.types[actor].ref
    func own(_ framework: Owner.Framework, _ site: Ref?) -> OriginsID {
      solver.table.one(.owner(Owner(framework: framework, home: .actor(actor), site: site)))
    }
    if program.isModelActor(actor) { return own(.swiftData, place) }
    guard program.isManagedActor(actor) else { return nil }
    let given = solver.table.mapped(read(.channel(Frameworks.actorContext, place))) { origin in
      if case .owner(let owner) = origin { own(.coreData, owner.site) } else { nil }
    }
    return given == OriginTable.nothing ? own(.coreData, place) : given
  }
}
