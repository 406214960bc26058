import PersistIndex
import PersistSyntax

/// Where the object of a change comes from.
enum RealmOrigin: Hashable {
  /// A realm, for certain.
  case managed
  /// What a caller hands over.
  case parameter(Ref)
  case unknown
}

/// A place that changes an object of a realm, or what a realm holds.
struct RealmChange {
  /// The node that spells what is changed.
  let place: Ref
  /// As the code writes it.
  let text: String
  let origin: RealmOrigin
}

// MARK: - Changes of objects

extension Program {
  /// The places that change stored properties of realms' objects, or add to realms and delete from
  /// them.
  var realmChanges: [RealmChange] {
    let classes = realmClasses
    var stored: Set<PropertyID> = []
    for property in classes.flatMap(\.properties) {
      if let id = self.property(declaredAt: property.place) { stored.insert(id) }
    }
    let names = Set(stored.map { properties[$0].name })
    let changes = uses(of: names).compactMap { change(of: $0, stored) }
    return (changes + realmContentChanges).sorted { $0.place < $1.place }
  }

  private func change(of use: Ref, _ stored: Set<PropertyID>) -> RealmChange? {
    guard kind(use) == .member, let chain = parent(use), kind(chain) == .chain,
      isAssigned(use, in: chain) || isMutated(use, in: chain) || isListChange(use, in: chain),
      let head = children(chain).first, kind(head) == .name, !isProjection(head),
      let id = property(usedBy: use), stored.contains(id), !isExempt(use)
    else { return nil }
    let parts = children(chain).filter { $0 < use }
    let written = parts.map { text($0) }.joined() + text(use)
    return RealmChange(
      place: parts.last { [.name, .member].contains(kind($0)) } ?? head, text: written,
      origin: realmOrigin(ofChain: chain, before: use))
  }

  /// Whether a name stands for what a property wrapper projects, as `$note` does; `$0` doesn't.
  private func isProjection(_ name: Ref) -> Bool {
    let text = nameText(name)
    return text.hasPrefix("$") && !text.dropFirst().allSatisfy(\.isNumber)
  }

  private func isAssigned(_ use: Ref, in chain: Ref) -> Bool {
    guard children(chain).last == use, let expression = parent(chain),
      kind(expression) == .expression
    else { return false }
    let parts = children(expression)
    return parts.count >= 3 && parts[0] == chain && isAssigningOperator(parts[1])
  }

  /// Whether a method changes a stored value in place.
  private func isMutated(_ use: Ref, in chain: Ref) -> Bool {
    let behind = children(chain).filter { $0 > use }
    guard behind.count == 2, kind(behind[0]) == .member, kind(behind[1]) == .call else {
      return false
    }
    return ["toggle", "negate"].contains(name(behind[0]))
  }

  private func isListChange(_ use: Ref, in chain: Ref) -> Bool {
    let behind = children(chain).filter { $0 > use && kind($0) != .optionalChain }
    guard behind.count >= 2, kind(behind[0]) == .member, kind(behind[1]) == .call,
      Words.realmListChanges.contains(name(behind[0])), let id = property(usedBy: use)
    else { return false }
    let file = Int(properties[id].ref.file)
    let written =
      properties[id].type.map { writtenName(Ref(file: file, node: $0)) }
      ?? properties[id].initializer.map { firstName(of: Ref(file: file, node: $0)) }
    return written.map { ["List", "MutableSet", "Map"].contains($0) } ?? false
  }

  /// The calls that add to a realm and delete from it.
  private var realmContentChanges: [RealmChange] {
    ["add", "delete", "deleteAll", "create"].flatMap { calls(named: $0) }.compactMap { call in
      guard case .externalMethod(let receiver, _) = callTarget(call), receiver.isExternal("Realm"),
        let place = calledNode(call), !isExempt(call)
      else { return nil }
      let written = callee(call).map { text($0) }.joined()
      return RealmChange(place: place, text: written, origin: .managed)
    }
  }

  // MARK: Where an object comes from

  /// Where the value of a chain up to a node comes from.
  func realmOrigin(ofChain chain: Ref, before limit: Ref?, depth: Int = 0) -> RealmOrigin {
    let parts = children(chain).prefix { part in limit.map { part < $0 } ?? true }
    guard isWithin(depth, .originNames), let head = parts.first, kind(head) == .name,
      !parts.contains(where: { RealmManaged.copies.contains(name($0)) || copies($0) })
    else { return .unknown }
    if hasManagedCall(parts) { return .managed }
    if let held = heldObjects(parts) {
      return realmOrigin(ofProperty: held, at: limit ?? chain)
    }
    switch declared(head) {
    case .local(let local): return realmOrigin(ofLocal: local, at: head, depth: depth + 1)
    case .closureArgument(let closure, 0):
      return realmOrigin(ofElementIn: closure, depth: depth + 1)
    case .property(let id): return realmOrigin(ofProperty: id, at: limit ?? chain)
    default: return .unknown
    }
  }

  private func realmOrigin(ofProperty id: PropertyID, at place: Ref) -> RealmOrigin {
    guard !isReplaced(id, before: place) else { return .unknown }
    return RealmManaged(program: self).isManaged(declaration: properties[id].ref)
      ? .managed : .unknown
  }

  /// Whether the code before a place sets a property of `self` to an object that is no realm's, and
  /// gives it to none.
  private func isReplaced(_ id: PropertyID, before place: Ref) -> Bool {
    let manager = RealmManaged(program: self)
    for statement in runBefore(place, withDoBlocks: true) {
      if let assignment = assignment(statement), let value = assignment.value,
        named(assignment.target) == .property(id)
      {
        return !manager.isManaged(value)
      }
      let isAdded = descendants(statement, .call).contains { call in
        calledName(call) == "add" && isRealmCall(call)
          && arguments(call).first.map { named($0) == .property(id) } ?? false
      }
      if isAdded { return false }
    }
    return false
  }

  /// The property, behind something that is no object itself, that holds objects: `model.notes`.
  private func heldObjects(_ parts: ArraySlice<Ref>) -> PropertyID? {
    guard let head = parts.first, realmKind(of: type(of: head)) == nil else { return nil }
    for part in parts.dropFirst() where kind(part) == .member {
      guard let id = property(usedBy: part) else { return nil }
      if realmKind(of: type(ofProperty: id)) != nil { return id }
    }
    return nil
  }

  private func hasManagedCall(_ parts: ArraySlice<Ref>) -> Bool {
    let manager = RealmManaged(program: self)
    return parts.dropFirst().contains { part in
      guard kind(part) == .call else { return false }
      if isRealmFinder(part) { return true }
      let called = functions(calledBy: part).compactMap { body(of: $0) }
      return called.contains { body in
        let results = results(of: body).filter { !isNil($0) }
        return !results.isEmpty && results.allSatisfy { manager.isManaged($0) }
      }
    }
  }

  /// What the chain that a closure's call stands in goes over.
  private func realmOrigin(ofElementIn closure: Ref, depth: Int) -> RealmOrigin {
    guard let (call, _) = callTaking(closure), let chain = parent(call), kind(chain) == .chain,
      ["forEach", "map", "compactMap", "filter", "flatMap"].contains(calledName(call))
    else { return .unknown }
    return realmOrigin(ofChain: chain, before: call, depth: depth)
  }

  private func realmOrigin(ofLocal local: Ref, at use: Ref, depth: Int) -> RealmOrigin {
    if isAdded(local, before: use) { return .managed }
    switch kind(local) {
    case .parameter:
      guard let list = parent(local), let owner = parent(list) else { return .unknown }
      if kind(owner) == .closure {
        return children(list, .parameter).first == local
          ? realmOrigin(ofElementIn: owner, depth: depth) : .unknown
      }
      return function(declaredAt: owner) == nil ? .unknown : .parameter(local)
    case .boundName: return realmOrigin(ofBound: local, depth: depth)
    default: return .unknown
    }
  }

  private func realmOrigin(ofBound local: Ref, depth: Int) -> RealmOrigin {
    for scope in ancestors(local) {
      switch kind(scope) {
      case .binding, .optionalBinding:
        // What a variable gets later may be an object that no realm has taken in.
        if assignments(toLocal: local).contains(where: {
          realmOrigin(of: $0, depth: depth + 1) != .managed
        }) {
          return .unknown
        }
        if let value = child(scope, .expression) { return realmOrigin(of: value, depth: depth) }
        switch lookUp(name(local), from: scope) {
        case .local(let outer)? where outer != local:
          return realmOrigin(ofLocal: outer, at: scope, depth: depth + 1)
        case .property(let id)?:
          return RealmManaged(program: self).isManaged(declaration: properties[id].ref)
            ? .managed : .unknown
        default: return .unknown
        }
      case .forStatement:
        return children(scope, .expression).first.map { realmOrigin(of: $0, depth: depth) }
          ?? .unknown
      case .block, .closure: return .unknown
      default: continue
      }
    }
    return .unknown
  }

  /// Where the value of an expression comes from.
  func realmOrigin(of value: Ref, depth: Int = 0) -> RealmOrigin {
    switch kind(value) {
    case .chain: return realmOrigin(ofChain: value, before: nil, depth: depth)
    case .expression, .argument:
      let parts = children(value).filter { [.chain, .expression].contains(kind($0)) }
      return parts.count == 1 ? realmOrigin(of: parts[0], depth: depth) : .unknown
    default: return .unknown
    }
  }

  /// Whether a realm takes an object in before a place.
  private func isAdded(_ local: Ref, before place: Ref) -> Bool {
    guard kind(local) == .boundName else { return false }
    return uses(ofLocal: local).contains { use in
      guard use < place, let chain = parent(use), children(chain) == [use],
        let expression = parent(chain), let argument = parent(expression),
        kind(argument) == .argument, let call = parent(argument), kind(call) == .call
      else { return false }
      return calledName(call) == "add" && isRealmCall(call)
    }
  }
}
