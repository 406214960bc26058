import PersistSyntax

/// The instance whose property is named.
private enum Instance: Hashable {
  /// `self`, named or not.
  case own
  /// What a local holds.
  case local(Ref)
}

// MARK: - Contexts of two instances

extension Program {
  /// Whether a context's property at a place, or what a method called there touches, belongs to
  /// another instance than the one whose `perform` runs the place: each instance makes a context of
  /// its own.
  func isOfAnotherInstance(_ place: Ref, _ executor: ContextExecutor) -> Bool {
    guard case .kept(let binding) = executor, let id = property(declaredAt: binding),
      !properties[id].isStatic, let owner = properties[id].owner, makesOwn(binding, in: owner),
      let here = instance(before: place, id),
      let call = performing(place), let called = calledNode(call), let chain = parent(call),
      let last = children(chain).last(where: {
        $0 < called && ![.optionalChain, .force].contains(kind($0))
      }),
      property(usedBy: last) == id, let runs = instance(before: last, id)
    else { return false }
    return here != runs && isMadeHere(here, owner) != isMadeHere(runs, owner)
      || here != runs && isMadeHere(here, owner) && isMadeHere(runs, owner)
  }

  /// Whether a touch is one of the context that `self` keeps.
  func isOwnContext(_ touch: ManagedTouch) -> Bool {
    guard touch.isContext, let id = property(usedBy: touch.place), properties[id].owner != nil
    else {
      return false
    }
    return isAskedOfSelf(touch.place)
  }

  /// Whether a member or method is one of `self`.
  func isAskedOfSelf(_ place: Ref) -> Bool {
    guard let chain = parent(place), kind(chain) == .chain else { return false }
    let before = children(chain).filter { $0 < place && kind($0) != .optionalChain }
    return before.isEmpty || before.count == 1 && nameText(before[0]) == "self"
  }

  /// Whether an initializer makes the context that its instance keeps, so that nothing but the
  /// initializer itself can have gone to the context's queue yet.
  func isMade(_ executor: ContextExecutor, by body: Ref) -> Bool {
    guard case .kept(let binding) = executor, kind(body) == .initDecl,
      let id = property(declaredAt: binding), !properties[id].isStatic,
      let owner = properties[id].owner, let initializer = function(declaredAt: body),
      functions[initializer].owner.map({ lineage(of: $0).contains(owner) }) ?? false
    else { return false }
    let makers = makers(of: binding)
    return makers.arePrivate
      && makers.known.allSatisfy {
        if case .made(let node) = $0 { return contains(body, node) || contains(binding, node) }
        return false
      }
  }

  /// Whether what a property keeps is made in the type's own code.
  private func makesOwn(_ binding: Ref, in owner: TypeID) -> Bool {
    let makers = makers(of: binding)
    return makers.arePrivate
      && makers.known.allSatisfy {
        if case .made(let node) = $0 { return contains(types[owner].ref, node) }
        return false
      }
  }

  /// The call of `perform` whose closure runs a place.
  private func performing(_ place: Ref) -> Ref? {
    let scope = ancestors(place).first { scope in
      kind(scope) == .closure && answer(QueueOfClosure(closure: scope)) != .here
    }
    guard let scope, let (call, _) = callTaking(scope),
      Words.performMethods.contains(calledName(call))
    else { return nil }
    return call
  }

  /// The instance of which a member, or the context that a chain names on its way, is asked.
  private func instance(before place: Ref, _ id: PropertyID) -> Instance? {
    guard let chain = parent(place), kind(chain) == .chain else { return nil }
    var parts = children(chain).filter {
      $0 < place && ![.optionalChain, .force].contains(kind($0))
    }
    if let last = parts.last, property(usedBy: last) == id { parts.removeLast() }
    guard let first = parts.first else { return .own }
    guard parts.count == 1, kind(first) == .name else { return nil }
    if nameText(first) == "self" { return .own }
    guard case .local(let local)? = declared(first) else { return nil }
    return .local(local)
  }

  /// Whether an instance is one that the function itself makes.
  private func isMadeHere(_ instance: Instance, _ owner: TypeID) -> Bool {
    guard case .local(let local) = instance, kind(local) == .boundName, let binding = parent(local),
      kind(binding) == .binding, node(binding).flags.contains(.isLet),
      let value = child(binding, .expression), let chain = child(value, .chain),
      let call = children(chain).last, kind(call) == .call,
      case .initializer(let type, _) = callTarget(call)
    else { return false }
    return type == owner || lineage(of: type).contains(owner)
  }
}
