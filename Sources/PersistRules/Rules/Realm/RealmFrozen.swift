import PersistIndex
import PersistSyntax

// MARK: - Frozen objects

extension Program {
  /// The wrappers that hand out a frozen copy of the object that they hold.
  private static let freezingWrappers: Set<Name> = [
    "ObservedRealmObject", "StateRealmObject", "ObservedResults", "ObservedSectionedResults",
  ]

  /// Whether what a declaration holds is frozen, as its wrapper, its name, the code that thaws it or
  /// what it is set to says.
  func holdsFrozen(_ declaration: Ref) -> Bool { holdsFrozen(declaration, depth: 0) }

  /// Whether code sets a property to what it has just asked a realm for.
  func holdsLive(_ declaration: Ref) -> Bool {
    guard let id = property(declaredAt: declaration) else { return false }
    return assignedValues(of: id).contains { value in
      descendants(value, .call).contains { ["objects", "object"].contains(calledName($0)) }
        && !makesFrozen(value, depth: 0)
    }
  }

  private func holdsFrozen(_ declaration: Ref, depth: Int) -> Bool {
    guard isWithin(depth, .frozenNames) else { return false }
    if nameText(declaration).camelWords.contains("frozen") { return true }
    guard let id = property(declaredAt: declaration) else {
      return isThawed(local: declaration) || isFrozenParameter(declaration, depth: depth)
    }
    if Self.freezingWrappers.contains(where: { properties[id].attributes.contains($0) }) {
      return true
    }
    return isThawed(property: id) || assignedValues(of: id).contains { isFrozen($0, depth: depth) }
  }

  /// Whether an expression is a frozen copy, or the name of what holds one.
  private func isFrozen(_ value: Ref, depth: Int) -> Bool {
    if makesFrozen(value, depth: 0) { return true }
    guard let parts = chainParts(value) ?? (kind(value) == .chain ? children(value) : nil) else {
      return false
    }
    let names = parts.filter { ![.optionalChain, .force].contains(kind($0)) }
    guard let last = names.last else { return false }
    if names.count == 1, case .local(let local)? = declared(last) {
      return realmHolders(from: local).contains { holdsFrozen($0, depth: depth + 1) }
    }
    return property(usedBy: last).map { holdsFrozen(properties[$0].ref, depth: depth + 1) } ?? false
  }

  /// Whether an expression ends in a frozen copy, in the project's functions as well.
  private func makesFrozen(_ value: Ref, depth: Int) -> Bool {
    guard isWithin(depth, .frozenResults) else { return false }
    return descendants(value, .call).contains { call in
      guard chain(around: call).map({ contains(value, $0) }) ?? false, thawCall(after: call) == nil
      else { return false }
      if isFreezing(call) { return true }
      return functions(calledBy: call).contains { id in
        body(of: id).map { results(of: $0).contains { makesFrozen($0, depth: depth + 1) } } ?? false
      }
    }
  }

  private func chain(around call: Ref) -> Ref? {
    parent(call).flatMap { kind($0) == .chain ? $0 : nil }
  }

  /// The `thaw()` that makes a live object of a frozen one again in the same chain.
  private func thawCall(after call: Ref) -> Ref? {
    chain(around: call).flatMap { chain in
      children(chain, .call).first { $0 > call && calledName($0) == "thaw" }
    }
  }

  /// The classes of which some code freezes an object, a list or results.
  var frozenClasses: Set<TypeID> {
    let calls = ["freeze", "freezeIfNeeded", "frozen"].flatMap { self.calls(named: $0) }
    return Set(
      calls.filter { !isExempt($0) }.compactMap { call in
        var type = receiverType(ofCall: call).unwrapped
        if case .external(_, let elements) = type, let element = elements.last { type = element }
        guard case .declared(let id, _) = type else { return nil }
        return resolveAlias(id)
      })
  }

  /// Whether a method freezes what it is called on: `freeze`, `freezeIfNeeded`.
  func isFreezing(_ call: Ref) -> Bool {
    let words = calledText(call).camelWords
    return words.first == "freeze" || words.first == "frozen"
  }

  private func isThawed(property id: PropertyID) -> Bool {
    uses(of: ["thaw"]).contains { use in
      guard kind(use) == .member, !isExempt(use), let holder = holder(before: use) else {
        return false
      }
      return kind(holder) == .member
        ? property(usedBy: holder) == id : declared(holder) == .property(id)
    }
  }

  private func isThawed(local: Ref) -> Bool {
    uses(ofLocal: local).contains { use in
      parent(use).map { chain in
        children(chain).contains { kind($0) == .member && name($0) == "thaw" && $0 > use }
          && holder(before: children(chain).first { name($0) == "thaw" } ?? use) == use
      } ?? false
    }
  }

  /// What stands right before a member.
  private func holder(before member: Ref) -> Ref? {
    guard let chain = parent(member), kind(chain) == .chain else { return nil }
    return children(chain).last {
      $0 < member && ![.optionalChain, .force].contains(kind($0))
    }.flatMap { [.name, .member].contains(kind($0)) ? $0 : nil }
  }

  /// Whether all callers hand a function's parameter a frozen object.
  private func isFrozenParameter(_ parameter: Ref, depth: Int) -> Bool {
    guard kind(parameter) == .parameter, let list = parent(parameter), let owner = parent(list),
      let id = function(declaredAt: owner),
      let index = children(list, .parameter).firstIndex(of: parameter)
    else { return false }
    let given = callers(of: id).filter { !isExempt($0) }.compactMap {
      argument(of: $0, for: index, of: functions[id])
    }
    return !given.isEmpty && given.allSatisfy { isFrozen($0, depth: depth) }
  }
}

extension Program {
  /// What the code of the sources assigns to a property.
  func assignedValues(of id: PropertyID) -> [Ref] {
    uses(of: [properties[id].name]).compactMap { use in
      guard property(usedBy: use) == id, let assignment = assignment(toWhatEndsWith: use) else {
        return nil
      }
      return assignment.value ?? parent(assignment.target)
    }
  }
}
