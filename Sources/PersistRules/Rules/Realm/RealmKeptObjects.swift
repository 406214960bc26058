import PersistIndex
import PersistSyntax

/// A stored property of a realm's object that is read or written through a value that was kept.
struct RealmRead {
  /// The node that spells the object.
  let place: Ref
  /// The read property.
  let property: Ref
  let type: TypeID
  /// Where the object was bound first: a local, a parameter or a property.
  let root: Ref
  /// The locals that hold it on the way here, innermost first; ends with the root.
  let holders: [Ref]
  /// The enum's case out of which it was taken.
  let enumCase: Name
}

// MARK: - Reads of objects that locals and properties hold

extension Program {
  /// The reads and writes of stored properties of some classes through names, and the calls of methods
  /// of theirs that read some.
  func realmReads(of types: Set<TypeID>) -> [RealmRead] {
    let readers = RealmReaders(self, types)
    return uses(of: readers.names).compactMap { use in
      guard kind(use) == .member, let chain = parent(use), kind(chain) == .chain,
        let object = holder(of: use, in: chain),
        case .declared(let type, _) = type(ofChain: chain, upTo: use).unwrapped,
        isRealmObject(type),
        types.contains(resolveAlias(type)), readers.reads(use, of: type), !isExempt(use)
      else { return nil }
      return read(of: object, property: use, type: resolveAlias(type))
    }
  }

  /// The name, or the property of `self`, right before a member.
  private func holder(of use: Ref, in chain: Ref) -> Ref? {
    let parts = children(chain).filter { $0 < use && ![.optionalChain, .force].contains(kind($0)) }
    guard let head = parts.first, kind(head) == .name else { return nil }
    if parts.count == 1 { return nameText(head) == "self" ? nil : head }
    return parts.count == 2 && nameText(head) == "self" && kind(parts[1]) == .member
      ? parts[1] : nil
  }

  private func read(of object: Ref, property: Ref, type: TypeID) -> RealmRead? {
    if kind(object) == .member {
      guard let id = self.property(usedBy: object) else { return nil }
      let root = properties[id].ref
      return RealmRead(
        place: object, property: property, type: type, root: root, holders: [root], enumCase: .none)
    }
    switch declared(object) {
    case .local(let local):
      let holders = realmHolders(from: local)
      guard let root = holders.last else { return nil }
      return RealmRead(
        place: object, property: property, type: type, root: root, holders: holders,
        enumCase: enumCase(bindingLocal: root))
    case .property(let id):
      let root = properties[id].ref
      return RealmRead(
        place: object, property: property, type: type, root: root, holders: [root], enumCase: .none)
    default: return nil
    }
  }

  /// What an expression that is a mere name, or a property of `self`, holds, as a read of its own.
  func realmSource(of value: Ref, type id: PropertyID) -> RealmRead? {
    guard let parts = kind(value) == .chain ? children(value) : chainParts(value),
      let last = parts.last(where: { ![.optionalChain, .force].contains(kind($0)) }),
      parts.count < 3, [.name, .member].contains(kind(last)),
      case .declared(let type, _) = type(ofProperty: id).unwrapped
    else { return nil }
    return read(of: last, property: last, type: resolveAlias(type))
  }

  /// The locals through which a value was unwrapped or captured, up to the first that holds it, or
  /// the property.
  func realmHolders(from local: Ref) -> [Ref] {
    var holders = [local]
    while let last = holders.last, property(declaredAt: last) == nil, let next = renamed(last),
      !holders.contains(next), isWithin(holders.count, .aliases)
    {
      holders.append(next)
    }
    return holders
  }

  /// What `if let b = a`, `let b = a` or `[b]` gives another name.
  private func renamed(_ local: Ref) -> Ref? {
    if kind(local) == .capture {
      if let value = child(local, .expression) { return named(value).flatMap { holder($0) } }
      guard let captures = parent(local), let closure = parent(captures),
        let around = parent(closure)
      else { return nil }
      return holder(lookUp(name(local), from: around))
    }
    guard kind(local) == .boundName, let binding = parent(local),
      [.binding, .optionalBinding].contains(kind(binding))
    else { return nil }
    guard let value = child(binding, .expression) else {
      return kind(binding) == .optionalBinding ? holder(lookUp(name(local), from: binding)) : nil
    }
    guard let chain = child(value, .chain), children(value).count == 1 else { return nil }
    let parts = children(chain).filter { ![.optionalChain, .force].contains(kind($0)) }
    guard let head = parts.first, kind(head) == .name else { return nil }
    if parts.count == 1 { return holder(declared(head)) }
    guard parts.count == 2, ["self", "strongSelf"].contains(nameText(head)),
      kind(parts[1]) == .member, let id = property(usedBy: parts[1])
    else { return nil }
    return properties[id].ref
  }

  private func holder(_ declared: Declared?) -> Ref? {
    switch declared {
    case .local(let local): local
    case .property(let id): properties[id].ref
    default: nil
    }
  }

  /// The case of an enum out of whose payload a pattern takes a local; `.none` for others.
  func enumCase(bindingLocal local: Ref) -> Name {
    payload(binding: local).map { name($0.enumCase) } ?? .none
  }

  // MARK: Guards

  /// Whether code in a body asks a held object, before a place, whether it is still there.
  func asksWhetherGone(_ read: RealmRead, in body: Ref) -> Bool {
    descendants(body, .member).contains { member in
      guard Words.realmLifeSigns.contains(name(member)), member < read.place,
        let chain = parent(member), kind(chain) == .chain
      else { return false }
      return holds(chain, before: member, read)
    }
  }

  private func holds(_ chain: Ref, before member: Ref, _ read: RealmRead) -> Bool {
    let parts = children(chain).filter {
      $0 < member && ![.optionalChain, .force].contains(kind($0))
    }
    guard let last = parts.last else { return false }
    if kind(last) == .member {
      return property(usedBy: last).map { properties[$0].ref == read.root } ?? false
    }
    guard kind(last) == .name else { return false }
    switch declared(last) {
    case .local(let local):
      return read.holders.contains(local) || realmHolders(from: local).last == read.root
    case .property(let id): return properties[id].ref == read.root
    default: return false
    }
  }
}
