import PersistIndex
import PersistSyntax

/// A realm, an object of one, or a collection of objects, as a value of the code.
enum RealmValueKind {
  case realm, object, objects
}

/// Which ways of handing a whole value on count as its use.
enum RealmHanding {
  case none
  /// To functions and closures that use it on the same turn.
  case toFunctions
  /// To these, and to properties that keep it.
  case toProperties
}

/// A use of such a value that comes from outside of a body.
struct RealmUse {
  /// The node that spells the value.
  let place: Ref
  let name: String
  let kind: RealmValueKind
  /// The declaration from which the value comes.
  let source: Ref
}

// MARK: - Values that belong to a thread

extension Program {
  /// What a type is to a realm; nil for all others.
  func realmKind(of type: SwiftType) -> RealmValueKind? {
    switch type {
    case .optional(let inner): return realmKind(of: inner)
    case .external("Realm", _): return .realm
    case .declared(let id, _): return isRealmObject(id) ? .object : nil
    case .array(let element): return realmKind(of: element) == .object ? .objects : nil
    default: return nil
    }
  }

  /// The realms and objects from outside of a body that its code uses, or hands on where that counts,
  /// each once.
  func realmUses(in body: Ref, handing: RealmHanding = .none) -> [RealmUse] {
    var found: [RealmUse] = []
    var seen: Set<String> = []
    let skipped = child(body, .captures).map { subtree($0) } ?? 0..<0
    for name in descendants(body, .name) where !skipped.contains(name.node) {
      guard let use = realmUse(of: name, in: body, handing), !isAway(use.place, from: body),
        seen.insert("\(use.source.file):\(use.source.node):\(use.name)").inserted
      else { continue }
      found.append(use)
    }
    return found
  }

  /// Whether code in a body goes on to another place than the body does.
  func isAway(_ place: Ref, from body: Ref) -> Bool {
    for scope in ancestors(place) {
      if scope == body { return false }
      guard kind(scope) == .closure else { continue }
      if isolation(ofClosure: scope).isActor { return true }
      guard let (call, _) = callTaking(scope) else { return true }
      if !runsInPlace(scope, call) { return true }
    }
    return false
  }

  /// The names of calls that run their closures where they stand.
  private static let placeHolders: Set<Name> = [
    "autoreleasepool", "compactMap", "contains", "filter", "first", "flatMap", "forEach", "map",
    "reduce", "sorted", "write",
  ]

  private func runsInPlace(_ closure: Ref, _ call: Ref) -> Bool {
    Self.placeHolders.contains(calledName(call))
  }

  private func realmUse(
    of name: Ref, in body: Ref, _ handing: RealmHanding
  ) -> RealmUse? {
    guard let chain = parent(name), let declared = declared(name) else { return nil }
    let parts = children(chain)
    var index = 0
    var source: Ref
    switch declared {
    case .local(let local) where isSelf(local, depth: 0): source = name
    case .local(let local):
      guard let outer = outsideLocal(local, body) else { return nil }
      source = outer
    case .property(let id): source = properties[id].ref
    case .selfValue, .type: source = name
    default: return nil
    }
    if case .local(let local) = declared, isLazy(local),
      parts.count > 1 ? isTouched(parts[1]) : isReadWhole(chain)
    {
      return RealmUse(place: name, name: nameText(name), kind: .objects, source: source)
    }
    while true {
      let next = index + 1 < parts.count ? parts[index + 1] : nil
      if index > 0 || kind(parts[0]) == .name,
        let found = realmKind(of: type(ofChain: chain, upTo: next)),
        source != name
      {
        guard isKept(source),
          touches(parts, index, chain, found)
            || handing != .none && isWhole(parts, index)
              && handsOn(chain, keeping: handing == .toProperties)
        else { return nil }
        let place = parts[index]
        return RealmUse(place: place, name: nameText(place), kind: found, source: source)
      }
      index += 1
      guard index < parts.count else { return nil }
      switch kind(parts[index]) {
      case .member:
        guard index + 1 >= parts.count || kind(parts[index + 1]) != .call,
          let id = property(usedBy: parts[index])
        else { return nil }
        source = properties[id].ref
      case .optionalChain, .force: continue
      default: return nil
      }
    }
  }

  /// Whether a local holds a view of results that asks them anew for each use: `map { }` of
  /// `Results` makes no array.
  private func isLazy(_ local: Ref) -> Bool {
    guard kind(local) == .boundName, let binding = parent(local), child(binding, .type) == nil,
      let value = child(binding, .expression), let chain = child(value, .chain),
      let last = children(chain).last, kind(last) == .call,
      ["map", "compactMap", "flatMap", "filter"].contains(calledName(last)),
      arguments(last).contains(where: { kind($0) == .closure })
    else { return false }
    let calls = children(chain, .call)
    guard let found = calls.firstIndex(where: { calledName($0) == "objects" && isRealmFinder($0) })
    else { return false }
    return calls[(found + 1)...].allSatisfy {
      ["map", "compactMap", "flatMap", "filter", "where", "sorted"].contains(calledName($0))
    }
      && !calls[(found + 1)...].contains { call in
        // `sorted { }` makes an array.
        calledName(call) == "sorted" && arguments(call).contains { kind($0) == .closure }
      }
  }

  /// Whether a whole collection is looped over, or copied into one of the standard library.
  private func isReadWhole(_ chain: Ref) -> Bool {
    guard let expression = parent(chain), let outer = parent(expression) else { return false }
    if kind(outer) == .forStatement { return true }
    guard kind(outer) == .argument, let call = parent(outer), kind(call) == .call,
      case .externalInitializer = callTarget(call)
    else { return false }
    return ["Array", "Set"].contains(calledName(call))
  }

  private func isTouched(_ member: Ref) -> Bool {
    kind(member) == .member || kind(member) == .subscriptSuffix
  }

  /// Whether a local is `self` as a closure captures it, or as it was unwrapped there.
  private func isSelf(_ local: Ref, depth: Int) -> Bool {
    guard isWithin(depth, .selfNames) else { return false }
    let value: Ref?
    switch kind(local) {
    case .capture: value = child(local, .expression)
    case .boundName:
      guard let binding = parent(local), [.binding, .optionalBinding].contains(kind(binding)) else {
        return false
      }
      value = child(binding, .expression)
    default: return false
    }
    guard let value else { return name(local) == "self" }
    guard let chain = child(value, .chain), children(chain).count == 1, children(value).count == 1,
      let head = children(chain).first
    else { return false }
    switch declared(head) {
    case .selfValue: return true
    case .local(let outer): return isSelf(outer, depth: depth + 1)
    default: return false
    }
  }

  /// The declaration of a local outside of a body; of a capture's value where it only renames.
  private func outsideLocal(_ local: Ref, _ body: Ref) -> Ref? {
    guard contains(body, local) else { return local }
    guard kind(local) == .capture, let captures = child(body, .captures), contains(captures, local)
    else { return nil }
    if let value = child(local, .expression) {
      guard let chain = child(value, .chain), children(chain).count == 1,
        case .local(let outer)? = children(chain).first.flatMap({ declared($0) })
      else { return nil }
      return outer
    }
    guard case .local(let outer)? = lookUp(self.name(local), from: body) else { return nil }
    return outer
  }

  /// Whether a declaration keeps what it was given, and doesn't open anew for each use.
  private func isKept(_ source: Ref) -> Bool {
    guard let id = property(declaredAt: source) else { return true }
    return !properties[id].isComputed && properties[id].accessors == nil
      && !properties[id].modifiers.contains("lazy")
      && !properties[id].attributes.contains("ThreadSafe")
  }

  private func isWhole(_ parts: [Ref], _ index: Int) -> Bool {
    parts[(index + 1)...].allSatisfy { [.optionalChain, .force].contains(kind($0)) }
  }

  /// What any thread may ask.
  private static let freeMembers: Set<Name> = [
    "configuration", "isFrozen", "isInvalidated", "objectSchema", "invalidate",
  ]

  /// Whether code asks a value something, loops over it, or gives it to a realm.
  func touches(
    _ parts: [Ref], _ index: Int, _ chain: Ref, _ found: RealmValueKind
  ) -> Bool {
    var next = index + 1
    while next < parts.count, [.optionalChain, .force].contains(kind(parts[next])) { next += 1 }
    if next < parts.count {
      guard kind(parts[next]) == .member else { return kind(parts[next]) == .subscriptSuffix }
      return !Self.freeMembers.contains(name(parts[next]))
    }
    guard let expression = parent(chain), let outer = parent(expression) else { return false }
    if kind(outer) == .forStatement { return found == .objects }
    guard kind(outer) == .argument, let call = parent(outer), kind(call) == .call else {
      return false
    }
    return ["add", "delete"].contains(calledName(call)) && isRealmCall(call)
  }
}

// MARK: - Whether a value surely comes out of a realm

extension Program {
  /// Whether an object or collection is known to be managed, and not frozen.
  func isManaged(_ use: RealmUse, in body: Ref) -> Bool {
    if use.kind == .realm { return opensOnOneThread(use.source) }
    if isLazy(use.source) { return true }
    return RealmManaged(program: self, limit: body).isManaged(declaration: use.source)
  }

  /// Whether what opens a realm says no queue or actor for it.
  private func opensOnOneThread(_ source: Ref) -> Bool {
    let assigned = property(declaredAt: source).map { assignedValues(of: $0) } ?? []
    // What a method or a closure opens may be opened on any thread.
    guard assigned.allSatisfy({ enclosingBody($0).map { kind($0) == .initDecl } ?? false }) else {
      return false
    }
    return !([source] + assigned).contains { place in
      descendants(place, .call).contains { call in
        argument(call, "queue") != nil || argument(call, "actor") != nil
      }
    }
  }

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
