import PersistIndex
import PersistSyntax

/// A deletion of what a list lacks, or one that runs because the list is empty, where it is empty
/// when it could not be had; or one of all that the list is then stored in place of.
package struct FailedListDeletion: Sendable {
  /// The call that deletes.
  package let deletion: Ref
  /// The call of another function that hands over what this deletes, or the same call.
  package let place: Ref
  /// The call that fails.
  package let failing: Ref
  /// Whether it looks for nothing that the list lacks.
  package let isOfAll: Bool
  /// Whether it deletes nothing, and takes objects out of a relationship.
  package let isDetachment: Bool

  init(
    deletion: Ref, place: Ref? = nil, failing: Ref, isOfAll: Bool, isDetachment: Bool = false
  ) {
    self.deletion = deletion
    self.place = place ?? deletion
    self.failing = failing
    self.isOfAll = isOfAll
    self.isDetachment = isDetachment
  }
}

extension Program {
  /// The names of the relationships to several objects.
  var toManyNames: Set<Name> {
    Set(
      allTypes().filter { isModel($0) }.flatMap { modelProperties(of: $0) }.filter { isToMany($0) }
        .map { properties[$0].name })
  }

  private func isToMany(_ id: PropertyID) -> Bool {
    type(ofProperty: id).element != .unknown
  }

  /// Whether a member that is set is a relationship to several objects of an object that may have some
  /// already: not of one that the same code makes.
  func replacesObjects(_ member: Ref) -> Bool {
    guard let id = property(usedBy: member), let owner = properties[id].owner, isModel(owner),
      isToMany(id), model(in: type(ofProperty: id)) != nil, let chain = parent(member),
      let first = firstChild(chain), first != member
    else { return false }
    guard case .local(let local)? = declared(first), let binder = parent(local),
      kind(local) == .boundName, let value = value(ofBinding: binder)
    else { return true }
    return !descendants(value, .call).contains { call in
      insertion(givenBy: call) != nil || makesModel(call)
    }
  }

  private func makesModel(_ call: Ref) -> Bool {
    if case .initializer(let type, _) = callTarget(call) { return isModel(type) }
    return false
  }
}

extension Program {
  /// The deletions of what lists lack that may have failed, and those that run because such a list
  /// is empty, in source order.
  package var failedListDeletions: [FailedListDeletion] {
    let lists = once { FailedLists($0) }
    var found = lists.deletions.map { place, removal in
      FailedListDeletion(
        deletion: removal.deletion, place: place, failing: maker(ofList: removal.failing),
        isOfAll: false)
    }
    for (call, failing) in lists.callsWhenEmpty where lists.deletions[call] == nil {
      let maker = maker(ofList: failing)
      let inner = descendants(call, .closure).flatMap { descendants($0, .call) }
      guard
        let deletion = ([call] + inner).first(where: {
          deletesObject($0) || deletesAll(likeThoseOf: maker, $0)
        })
      else { continue }
      found.append(FailedListDeletion(deletion: deletion, failing: maker, isOfAll: true))
    }
    found += lists.detachments.map { node, failing in
      FailedListDeletion(
        deletion: node, place: maker(ofList: failing), failing: maker(ofList: failing),
        isOfAll: true, isDetachment: true)
    }
    return (found + replacements(lists)).sorted {
      ($0.place, $0.deletion) < ($1.place, $1.deletion)
    }
  }

  /// The deletions of all objects of a class in whose place the elements of such a list are inserted.
  private func replacements(_ lists: FailedLists) -> [FailedListDeletion] {
    let inserting = lists.callsForElements.filter { call, _ in
      Frameworks.recordInsertions.contains(calledName(call)) || isGivenContext(call)
    }
    guard !inserting.isEmpty else { return [] }
    return removalsOfAll.compactMap { place, model -> FailedListDeletion? in
      guard lists.deletions[place] == nil else { return nil }
      let deletions = [place] + (enclosingFunction(place).map(callers) ?? [])
      let failing = inserting.filter { inserts($0.key, model) }.flatMap { call, failing in
        failing.filter { failing in
          deletions.contains { deletion in
            deletion < call && enclosingFunction(deletion) == enclosingFunction(call)
              && enclosingFunction(call) != nil
              // What is deleted only where the list has something, or one by one, stays.
              && lists.callsWhenFilled[deletion]?.contains(failing) != true
              && lists.callsForElements[deletion]?.contains(failing) != true
          }
        }
      }
      return failing.min().map {
        FailedListDeletion(deletion: place, failing: maker(ofList: $0), isOfAll: true)
      }
    }
  }

  /// The deletions of all objects of a class, or all rows of a record type.
  private var removalsOfAll: [(place: Ref, model: TypeID)] {
    let objects = modelRemovals.compactMap { removal -> (place: Ref, model: TypeID)? in
      guard case .all(let model) = removal.extent else { return nil }
      return (removal.place, model)
    }
    let rows = calls(named: Frameworks.rowDeletion).compactMap { call in
      (recordEmptied(by: call) ?? recordReplaced(by: call)).map { (place: call, model: $0) }
    }
    let texts = calls(named: Frameworks.execution).flatMap { call in
      recordsEmptied(bySQL: call).map { (place: call, model: $0) }
    }
    return objects + rows + texts
  }

  /// The record type of which a call deletes the rows with a value that new ones are given behind it.
  private func recordReplaced(by call: Ref) -> TypeID? {
    guard let model = record(beginning: call), let chain = parent(call),
      let function = enclosingFunction(call)
    else { return nil }
    let values = locals(namedIn: chain) { $0 < call }
    let isGiven = descendants(functions[function].ref, .call).contains {
      $0 > call && makes(model, $0) && !locals(namedIn: $0).isDisjoint(with: values)
    }
    return isGiven ? model : nil
  }

  private func locals(namedIn root: Ref, where isMeant: (Ref) -> Bool = { _ in true }) -> Set<Ref> {
    Set(
      descendants(root, .name).filter(isMeant).compactMap {
        if case .local(let local)? = declared($0) { local } else { nil }
      })
  }

  /// Whether a call deletes an object in a context.
  private func deletesObject(_ call: Ref) -> Bool {
    calledName(call) == Frameworks.deletion && isContext(receiverType(ofCall: call).unwrapped)
  }

  /// Whether a call of a function of the sources deletes objects of the class that a list has.
  private func deletesAll(likeThoseOf list: Ref, _ call: Ref) -> Bool {
    guard let model = model(in: resultType(ofCall: list)) else { return false }
    return functions(calledBy: call).contains { function in
      body(of: function).map { nodesRun(in: $0) }?.contains { node in
        kind(node) == .call && deletesObject(node)
          && arguments(node).first.flatMap { self.model(in: type(of: $0)) } == model
      } ?? false
    }
  }

  /// The call that gives the list, of a chain that goes on with something of its elements.
  func maker(ofList call: Ref) -> Ref {
    guard Frameworks.sameElements.contains(calledName(call)), let chain = parent(call) else {
      return call
    }
    let before = children(chain, .call).last { $0 < call }
    return before.map { maker(ofList: $0) } ?? call
  }
}
