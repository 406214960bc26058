import PersistIndex

extension Fate {
  /// An object of a store.
  static let object: Name = "object"
}

/// What of an object counts as a touch.
enum TouchScope {
  /// All that the store holds of it.
  case all
  /// Only what crashes if the row is gone. Core Data returns an empty value for most properties of
  /// such a row, and setting one does no harm.
  case missingRow
}

extension Program {
  /// Whether a fate of a model is that what the store holds of it is read or set.
  func touches(_ fate: Fate, _ model: TypeID, counting scope: TouchScope) -> Bool {
    let (name, isWrite): (Name, Bool)
    switch fate.deed {
    case .reads(let member): (name, isWrite) = (member, false)
    case .sets(let member): (name, isWrite) = (member, true)
    default: return false
    }
    guard case .property(let id)? = member(name, of: model), isStored(id) else { return false }
    return scope == .all || !isManagedClass(model)
      || !isWrite && (needsRow(id) || isForced(name, of: fate.place) && !isCollection(id))
  }

  /// Whether an object of a class has a property whose read crashes if the row is gone.
  func mayCrash(_ model: TypeID) -> Bool {
    guard isManagedClass(model) else { return true }
    return lineage(of: model).contains { owner in
      types[owner].properties.contains { isStored($0) && needsRow($0) }
    }
  }

  /// Whether the value of a managed object's property can't be nothing: reading it crashes if the
  /// row is gone.
  private func needsRow(_ id: PropertyID) -> Bool {
    switch type(ofProperty: id) {
    // What should be a collection and is nil becomes an empty one.
    case .optional, .array, .set, .dictionary: return false
    case .external(let name, _): return !Frameworks.emptyValues.contains(name)
    default: return true
    }
  }

  /// Whether a property holds a collection, as to-many relationships do.
  private func isCollection(_ id: PropertyID) -> Bool {
    switch type(ofProperty: id).unwrapped {
    case .array, .set, .dictionary: true
    case .external(let name, _): Frameworks.managedCollections.contains(name)
    default: false
    }
  }

  /// Whether code takes a member for there by `!`, of what a node spells.
  private func isForced(_ member: Name, of value: Ref) -> Bool {
    ([value] + ancestors(value).prefix(3)).contains { part in
      var next = sibling(after: part)
      while let suffix = next, [.force, .optionalChain].contains(kind(suffix)) {
        next = sibling(after: suffix)
      }
      guard let next = [next, part].compactMap({ $0 }).first(where: { name($0) == member }) else {
        return false
      }
      return isForced(next)
    }
  }
}

// MARK: - Questions that are asked too early

/// A model that code asks whether it still exists, and reads in a closure that runs later and asks
/// nothing: the answer is old by then.
package struct EarlyQuestion {
  package let model: TypeID
  /// The member that asks.
  package let question: Ref
  /// The call that takes the closure.
  package let call: Ref
  /// The use of the model in the closure.
  package let read: Ref
}

extension Program {
  /// The questions that are asked too early, in source order.
  package var earlyQuestions: [EarlyQuestion] {
    let asked = uses(of: Frameworks.questionsOfModels).filter {
      !isExempt($0) && modelAsked(by: $0) != nil && isQuestion($0)
    }
    guard !asked.isEmpty else { return [] }
    let begins = Set(asked)
    let trail = Trail(
      words: Frameworks.questionsOfModels, looks: Frameworks.questionsOfModels,
      begins: { begins.contains($0) ? Fate.object : nil },
      files: Set(asked.map { Int($0.file) }), entersMembers: true)
    var seen: Set<[Ref]> = []
    return ValueFates(self, trail).all.sorted { $0.seen < $1.seen }.compactMap { fate in
      guard let closure = fate.lateIn, !fate.isAsked, let model = modelAsked(by: fate.origin),
        touches(fate, model, counting: .all), seen.insert([fate.origin, closure]).inserted
      else { return nil }
      return EarlyQuestion(
        model: model, question: fate.origin, call: callTaking(closure)?.call ?? closure,
        read: fate.seen)
    }
  }

  /// Whether a member is asked for an answer; who takes the context may only want to use it.
  private func isQuestion(_ member: Ref) -> Bool {
    name(member) == Frameworks.deletionFlag || nilComparison(of: whole(member)) != nil
  }

  /// The model that a member is asked of, unless it has that member itself.
  private func modelAsked(by member: Ref) -> TypeID? {
    guard case .declared(let type, _) = receiverType(ofMember: member).unwrapped, isModel(type),
      self.member(name(member), of: type) == nil
    else { return nil }
    return resolveAlias(type)
  }
}
