import PersistFlow
import PersistIndex
import PersistSyntax

// MARK: - Reads of what was looked up

extension IdentifierLookups {
  /// The first place that reads or sets what the object holds; nil where something looks whether it
  /// is still there first, or nobody reads it here.
  func firstRead(of lookup: IdentifierLookup) -> Ref? {
    if let read = directRead(lookup) { return read }
    guard let holder = program.parent(lookup.expression) else { return nil }
    switch program.kind(holder) {
    case .binding, .optionalBinding:
      guard program.property(declaredAt: holder) == nil,
        let local = program.child(holder, .boundName)
      else { return nil }
      return firstRead(ofLocal: local, lookup.model)
    case .returnStatement: return givesOptional(lookup) ? holder : nil
    case .block, .closure, .switchCase:
      if let target = program.assignment(lookup.expression)?.target {
        return firstRead(ofAssigned: target, after: lookup.call, lookup.model)
      }
      return program.children(lookup.expression).first == program.parent(lookup.call)
        && program.children(holder).count == 1
        && givesOptional(lookup) ? lookup.expression : nil
    default: return nil
    }
  }

  /// Whether the look-up is what a function gives as an optional, which promises nil for no row.
  private func givesOptional(_ lookup: IdentifierLookup) -> Bool {
    let cast = program.children(lookup.expression, .cast).first
    guard let cast, program.node(cast).flags.contains(.isOptional), mayCrash(lookup.model),
      let function = program.enclosingFunction(lookup.call),
      program.enclosingBody(lookup.call) == program.functions[function].ref
    else { return false }
    if case .optional = program.resultType(function) { return true }
    return false
  }

  /// Whether an object of the class has a property whose read crashes if the row is gone.
  private func mayCrash(_ model: TypeID) -> Bool {
    guard program.isManagedClass(model) else { return true }
    return program.lineage(of: model).contains { owner in
      program.types[owner].properties.contains { program.isStored($0) && program.needsRow($0) }
    }
  }

  /// `(context.model(for: id) as? Trip)?.title`
  private func directRead(_ lookup: IdentifierLookup) -> Ref? {
    guard let argument = program.parent(lookup.expression), program.kind(argument) == .argument,
      let tuple = program.parent(argument), program.kind(tuple) == .tuple,
      let chain = program.parent(tuple), program.kind(chain) == .chain
    else { return nil }
    let member = program.children(chain).first { program.kind($0) == .member }
    guard let member,
      case .touch = program.lifeUse(ofMember: member, of: lookup.model, counting: .missingRow)
    else { return nil }
    return chain
  }

  /// The first read of a local that holds the object, and of what it is bound to again.
  private func firstRead(
    ofLocal local: Ref, _ model: TypeID, after start: Ref? = nil, depth: Int = 0
  ) -> Ref? {
    guard program.isWithin(depth, .boundNames) else { return nil }
    let places = (program.uses(ofLocal: local) + program.shorthandBindings(ofLocal: local)).filter {
      place in start.map { $0 < place } ?? true
    }.sorted()
    for place in places {
      if let bound = program.localBound(to: place) {
        if let read = firstRead(ofLocal: bound, model, depth: depth + 1) { return read }
        continue
      }
      switch use(place, model) {
      case .look: return nil
      case .touch: return program.parent(place)
      case .mention: continue
      }
    }
    return nil
  }

  /// What a use of a variable with the object in it does.
  private func use(_ use: Ref, _ model: TypeID) -> ModelTouch {
    if program.asksDeleted(use) || program.isSetWhole(use) { return .look }
    if program.isHandedOn(use) { return .touch }
    return program.lifeUse(of: use, model, counting: .missingRow)
  }

  /// The first read of a variable that the look-up is kept in, in the same function.
  private func firstRead(ofAssigned target: Ref, after call: Ref, _ model: TypeID) -> Ref? {
    let parts = program.children(target)
    if parts.count == 1, case .local(let local)? = program.declared(parts[0]) {
      return firstRead(ofLocal: local, model, after: call)
    }
    guard let last = parts.last, let id = program.property(usedBy: last),
      program.properties[id].owner.map({ !program.isModel($0) }) ?? true,
      let function = program.enclosingFunction(call), let body = program.body(of: function)
    else { return nil }
    for use in program.uses(of: [program.properties[id].name])
    where program.contains(body, use) && use > call && program.property(usedBy: use) == id {
      switch self.use(use, model) {
      case .look: return nil
      case .touch: return program.parent(use)
      case .mention: continue
      }
    }
    for binding in program.descendants(body, .optionalBinding) where binding > call {
      guard let bound = program.child(binding, .boundName) else { continue }
      let value = program.child(binding, .expression)
      let isIt =
        value.map { program.named($0) == .property(id) }
        ?? (program.lookUp(program.name(bound), from: binding) == .property(id))
      if isIt { return firstRead(ofLocal: bound, model) }
    }
    return nil
  }
}

extension Name {
  /// Whether a method of this name asks the store.
  var isFetch: Bool {
    ["fetch", "fetchIdentifiers", "existingObject", "registeredModel", "registeredObject"].contains(
      self)
  }
}

extension Program {
  /// Whether a use asks the object whether it is deleted.
  fileprivate func asksDeleted(_ use: Ref) -> Bool {
    guard let chain = parent(use) else { return false }
    return children(chain).contains { $0 > use && nameText($0) == "isDeleted" }
  }

  /// The local that a use of a variable, or an `if let` without a value, binds to the same object.
  fileprivate func localBound(to place: Ref) -> Ref? {
    if kind(place) == .optionalBinding { return child(place, .boundName) }
    guard let chain = parent(place), kind(chain) == .chain, children(chain) == [place],
      let expression = parent(chain), bareParts(expression) == [chain],
      let binding = parent(expression), [.binding, .optionalBinding].contains(kind(binding)),
      property(declaredAt: binding) == nil
    else { return nil }
    return child(binding, .boundName)
  }

  /// Whether a variable gets another value where it stands.
  fileprivate func isSetWhole(_ use: Ref) -> Bool {
    guard let chain = parent(use), kind(chain) == .chain, children(chain) == [use] else {
      return false
    }
    return assignment(toChain: chain) != nil
  }

  /// Whether a SwiftData model is handed on to a function of the sources as a whole.
  fileprivate func isHandedOn(_ use: Ref) -> Bool {
    guard let chain = parent(use), kind(chain) == .chain, children(chain) == [use],
      let expression = parent(chain), bareParts(expression) == [chain],
      let argument = parent(expression), kind(argument) == .argument,
      let call = parent(argument), kind(call) == .call,
      let model = model(in: type(of: chain)), !isManagedClass(model),
      case .functions(let candidates) = callTarget(call)
    else { return false }
    return candidates.allSatisfy { functions[$0].kind == .functionDecl && body(of: $0) != nil }
  }
}
