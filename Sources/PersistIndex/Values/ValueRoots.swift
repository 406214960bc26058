import PersistSyntax

/// Where a name's value comes from, aliases followed.
struct ValueRoot {
  /// The declaration outside of which the value is not known.
  let source: Ref
  let type: SwiftType
  /// The text of the value where the name is only an alias of it.
  var text: String?
  /// The name is an element of the value.
  var isElement = false
  /// The name is a property of the model that `self` is.
  var isOwnProperty = false
}

// MARK: - Where values come from

extension Program {
  /// The declaration behind a `name`; bindings of a scope such as `if let x = item` are looked
  /// through.
  func root(of name: Ref, in scope: Ref) -> ValueRoot? {
    root(of: name, Trail(scope: scope, depth: 0))
  }

  /// How far aliases are followed: inside a scope, and so many at most.
  struct Trail {
    let scope: Ref
    let depth: Int
    var next: Trail { Trail(scope: scope, depth: depth + 1) }
  }

  func root(of name: Ref, _ trail: Trail) -> ValueRoot? {
    guard isWithin(trail.depth, .aliases) else { return nil }
    guard let declared = declared(name) else { return nil }
    switch declared {
    case .local(let local): return root(ofLocal: local, self.name(name), trail)
    case .closureArgument(let closure, let index):
      return elementRoot(closure, index, type: type(of: name), trail)
    case .selfValue(let type):
      guard let type, !isInStaticMember(name) else { return nil }
      return selfRoot(type, at: name)
    case .property(let id): return root(ofProperty: id, name)
    case .type(let type): return ValueRoot(source: types[type].ref, type: self.type(of: name))
    case .functions: return nil
    }
  }

  private func selfRoot(_ type: TypeID, at place: Ref) -> ValueRoot {
    let owner = ancestors(place).first { self.type(declaredAt: $0) != nil } ?? types[type].ref
    return ValueRoot(
      source: owner,
      type: types[type].kind == .extensionDecl
        ? .external(types[type].name, []) : .declared(type))
  }

  private func root(ofProperty id: PropertyID, _ name: Ref) -> ValueRoot? {
    let property = properties[id]
    if let owner = property.owner, !property.isStatic, isModel(owner) {
      return ValueRoot(
        source: types[owner].ref, type: .declared(owner), isOwnProperty: true)
    }
    return ValueRoot(source: property.ref, type: type(ofProperty: id))
  }

  private func root(ofLocal local: Ref, _ name: Name, _ trail: Trail) -> ValueRoot? {
    let type = type(ofLocal: local)
    guard contains(trail.scope, local) else { return ValueRoot(source: local, type: type) }
    switch kind(local) {
    case .capture:
      guard let value = child(local, .expression),
        let alias = alias(of: value, trail, isCapture: true)
      else {
        return ValueRoot(source: local, type: type)
      }
      return alias
    case .boundName:
      guard let binder = binder(of: local) else { return ValueRoot(source: local, type: type) }
      if name == "self", let owner = enclosingType(local) { return selfRoot(owner, at: local) }
      return aliasRoot(local, binder, type, trail) ?? ValueRoot(source: local, type: type)
    case .parameter:
      if let list = parent(local), let closure = parent(list), kind(closure) == .closure,
        let index = children(list, .parameter).firstIndex(of: local),
        let element = elementRoot(closure, index, type: type, trail)
      {
        return element
      }
      return ValueRoot(source: local, type: type)
    default: return ValueRoot(source: local, type: type)
    }
  }

  private func binder(of local: Ref) -> Ref? {
    guard var binder = parent(local) else { return nil }
    if [.binding, .optionalBinding, .forStatement].contains(kind(binder)) { return binder }
    // `for (index, trip) in trips.enumerated()`
    while [.argument, .tuple, .expression, .chain].contains(kind(binder)), let next = parent(binder)
    {
      binder = next
    }
    return kind(binder) == .forStatement ? binder : nil
  }

  /// The value that a local only names anew.
  private func aliasRoot(_ local: Ref, _ binder: Ref, _ type: SwiftType, _ trail: Trail)
    -> ValueRoot?
  {
    guard model(in: type) != nil else { return nil }
    guard let value = children(binder, .expression).first(where: { !contains($0, local) }) else {
      guard kind(binder) == .optionalBinding else { return nil }
      return shorthandRoot(local, binder, type, trail)
    }
    if kind(binder) == .forStatement, let zipped = zippedChains(value),
      let tuple = parent(local).flatMap({ ancestors($0).first { kind($0) == .tuple } }),
      let index = children(tuple, .argument).firstIndex(where: { contains($0, local) }),
      index < zipped.count
    {
      return elementRoot(in: zipped[index], upTo: nil, type: type, trail)
    }
    guard var alias = alias(of: value, trail) else { return nil }
    if kind(binder) == .forStatement {
      guard alias.type.unwrapped.isCollection else { return nil }
      alias.isElement = true
    }
    return ValueRoot(
      source: alias.source, type: type, text: alias.text, isElement: alias.isElement)
  }

  /// `if let item`: the `item` outside.
  private func shorthandRoot(_ local: Ref, _ binder: Ref, _ type: SwiftType, _ trail: Trail)
    -> ValueRoot?
  {
    let text = nameText(local)
    switch lookUp(name(local), from: binder) {
    case .local(let outer) where outer != local && isWithin(trail.depth, .aliases):
      guard let root = root(ofLocal: outer, name(local), trail.next) else { return nil }
      return ValueRoot(
        source: root.source, type: type, text: root.text ?? text, isElement: root.isElement)
    case .property(let id):
      return ValueRoot(source: properties[id].ref, type: type, text: text)
    default: return nil
    }
  }

  /// The value that an expression is, when it is nothing but a path to a model.
  private func alias(of expression: Ref, _ trail: Trail, isCapture: Bool = false) -> ValueRoot? {
    let parts = children(expression).filter { kind($0) != .tryMark && kind($0) != .awaitMark }
    guard parts.count == 1, kind(parts[0]) == .chain else { return nil }
    let chain = children(parts[0])
    guard let first = chain.first, kind(first) == .name,
      let root = root(of: first, trail.next), !root.isOwnProperty,
      var (index, type) = firstModel(in: parts[0], from: root.type)
    else { return nil }
    if isCapture { followRelationships(chain, parts[0], &index, &type) }
    let rest = chain[(index + 1)...].filter {
      kind($0) != .optionalChain && kind($0) != .force
    }
    guard rest.isEmpty || type.unwrapped.isCollection && keepsElements(rest) else { return nil }
    return ValueRoot(
      source: declaration(of: chain[index], in: parts[0]) ?? root.source, type: type,
      text: valueText(chain, index, root), isElement: root.isElement || !rest.isEmpty)
  }

  /// Goes on to the model at the end of a chain of relationships, such as `trip.hotel` and
  /// `trip.stops`; stays where it is for any other chain.
  private func followRelationships(
    _ parts: [Ref], _ chain: Ref, _ index: inout Int, _ type: inout SwiftType
  ) {
    let rest = parts[(index + 1)...]
    guard let last = rest.last, kind(last) == .member,
      rest.allSatisfy({ [.member, .optionalChain, .force].contains(kind($0)) }),
      !type.unwrapped.isCollection
    else { return }
    let found = self.type(ofChain: chain, upTo: nil)
    guard model(in: found) != nil else { return }
    index = parts.count - 1
    type = found
  }

  private func keepsElements(_ suffixes: [Ref]) -> Bool {
    suffixes.allSatisfy { suffix in
      switch kind(suffix) {
      case .subscriptSuffix, .call: true
      case .member:
        Words.sameElementMethods.contains(name(suffix))
          || Words.oneElementMethods.contains(name(suffix)) || name(suffix) == "enumerated"
      default: false
      }
    }
  }
}
