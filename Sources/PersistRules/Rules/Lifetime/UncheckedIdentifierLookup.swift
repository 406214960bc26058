import PersistIndex
import PersistSyntax

/// An object got by its identifier, of which the row may be gone: reading it ends the process.
struct UncheckedIdentifierLookup: Rule {
  static let id: RuleID = "unchecked-identifier-lookup"

  func check(_ program: Program, into findings: inout Findings) {
    let lookups = IdentifierLookups(program)
    guard !lookups.all.isEmpty else { return }
    let deletions = ModelDeletions(program)
    for lookup in lookups.all {
      guard let read = lookups.firstRead(of: lookup) else { continue }
      let body = program.enclosingFunction(lookup.call)
      let deletion = deletions.place(of: lookup.model) { place in
        program.enclosingFunction(place) != body || body == nil
      }
      guard let deletion else { continue }
      findings.report(
        .readsGoneRow(program.modelName(lookup.model), method: program.calledText(lookup.call)),
        at: program.calledNode(lookup.call) ?? lookup.call,
        related: [
          .init(read, "what it holds is read here"),
          .init(deletion, "such an object is deleted here"),
        ])
    }
  }
}

/// A call of `model(for:)` or `object(with:)` with an identifier from elsewhere.
struct IdentifierLookup {
  let call: Ref
  /// The expression that casts the object.
  let expression: Ref
  let model: TypeID
}

/// The look-ups of a program whose identifier may be older than a deletion.
private struct IdentifierLookups {
  private(set) var all: [IdentifierLookup] = []
  private let program: Program

  init(_ program: Program) {
    self.program = program
    let calls =
      program.calls(named: "model").filter { program.argument($0, "for") != nil }
      + program.calls(named: "object").filter { program.argument($0, "with") != nil }
    for call in calls.sorted() where !program.isSilent(call) {
      guard program.arguments(call).count == 1, isContexts(call),
        let found = cast(call), comesFromElsewhere(call)
      else { continue }
      all.append(found)
    }
  }

  private func isContexts(_ call: Ref) -> Bool {
    switch program.callTarget(call) {
    case .externalMethod(let receiver, _): return program.isContext(receiver)
    case .unknownMethod:
      guard
        let receiver = program.callee(call).dropLast().last(where: {
          ![.optionalChain, .force].contains(program.kind($0))
        })
      else { return false }
      let name = program.nameText(receiver).lowercased()
      return name.hasSuffix("context") || name == "moc"
    default: return false
    }
  }

  /// The cast of the object that a call gives, through `perform` and the like left out.
  private func cast(_ call: Ref) -> IdentifierLookup? {
    guard let chain = program.parent(call), program.children(chain).last == call,
      let expression = program.parent(chain), program.kind(expression) == .expression
    else { return nil }
    let parts = program.children(expression)
    if let place = parts.firstIndex(of: chain), place + 1 < parts.count,
      program.kind(parts[place + 1]) == .cast, let type = program.child(parts[place + 1], .type),
      let model = program.model(in: program.type(ofTypeNode: type))
    {
      return IdentifierLookup(call: call, expression: expression, model: model)
    }
    guard let binder = program.parent(expression),
      [.binding, .optionalBinding].contains(program.kind(binder)),
      let type = program.child(binder, .type),
      let model = program.model(in: program.type(ofTypeNode: type))
    else { return nil }
    return IdentifierLookup(call: call, expression: expression, model: model)
  }

  // MARK: Where the identifier comes from

  /// Whether the identifier may be older than a deletion: not taken, here and now, from an object.
  private func comesFromElsewhere(_ call: Ref) -> Bool {
    guard let argument = program.arguments(call).first, let parts = program.chainParts(argument)
    else { return false }
    return !isFresh(parts, at: call, depth: 0)
  }

  /// Whether an identifier is taken from an object in the same body, with nothing waited for since.
  private func isFresh(_ parts: [Ref], at place: Ref, depth: Int) -> Bool {
    guard depth < 4, let first = parts.first else { return true }
    if parts.count > 1, let last = parts.last,
      ["persistentModelID", "objectID", "id", "persistentModelIDs"].contains(
        program.nameText(last))
    {
      return isHere(first, place)
    }
    guard parts.count == 1, program.kind(first) == .name else {
      // What is decoded was written before.
      return parts.contains { program.kind($0) == .call }
        && !parts.contains { Self.decoders.contains(program.nameText($0)) }
    }
    switch program.declared(first) {
    case .local(let local):
      guard program.kind(local) == .boundName, let binder = program.parent(local),
        isHere(local, place), let value = program.child(binder, .expression)
      else { return false }
      if program.kind(binder) == .forStatement {
        // Elements of what was just fetched.
        return program.descendants(value, .call).contains {
          program.calledName($0).isFetch
        }
          || program.descendants(value, .name).contains { name in
            program.fixedValue(of: name).map { fetches($0) } ?? false
          }
      }
      if fetches(value) { return true }
      guard let inner = program.chainParts(value) else { return false }
      return isFresh(inner, at: place, depth: depth + 1)
    default: return false
    }
  }

  private static let decoders: Set<String> = [
    "decode", "unarchivedObject", "managedObjectID", "persistentIdentifier",
  ]

  private func fetches(_ value: Ref) -> Bool {
    program.descendants(value, .call).contains { program.calledName($0).isFetch }
  }

  /// Whether what begins at a node belongs to the body of a place, with no `await` between.
  private func isHere(_ node: Ref, _ place: Ref) -> Bool {
    guard let body = program.enclosingBody(place) else { return false }
    var source = node
    if program.kind(node) == .name {
      switch program.declared(node) {
      case .local(let local): source = local
      case .closureArgument(let closure, _): source = closure
      default: return true
      }
    }
    guard runsAtOnce(from: program.enclosingBody(source) ?? source, to: body) else { return false }
    return !program.descendants(program.enclosingFunctionBody(place) ?? body, .awaitMark).contains {
      $0 > source && $0 < place
    }
  }

  /// Whether a body is another, or a closure in it that runs at once.
  private func runsAtOnce(from outer: Ref, to inner: Ref) -> Bool {
    var body: Ref? = inner
    while let current = body, current != outer, !program.contains(current, outer) {
      guard program.kind(current) == .closure, program.runsInPlace(current) else { return false }
      body = program.enclosingBody(current)
    }
    return true
  }

  // MARK: Reads

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
      let parts = program.children(lookup.expression)
      if parts.count > 2, program.nameText(parts[1]) == "=" {
        return firstRead(ofAssigned: parts[0], after: lookup.call, lookup.model)
      }
      return parts.first == program.parent(lookup.call) && program.children(holder).count == 1
        && givesOptional(lookup) ? lookup.expression : nil
    default: return nil
    }
  }

  /// Whether the look-up is what a function gives as an optional, which promises nil for no row.
  private func givesOptional(_ lookup: IdentifierLookup) -> Bool {
    let cast = program.children(lookup.expression, .cast).first
    guard let cast, program.node(cast).flags.contains(.isOptional),
      let function = program.enclosingFunction(lookup.call),
      program.enclosingBody(lookup.call) == program.functions[function].ref
    else { return false }
    if case .optional = program.resultType(function) { return true }
    return false
  }

  /// `(context.model(for: id) as? Trip)?.title`
  private func directRead(_ lookup: IdentifierLookup) -> Ref? {
    guard let argument = program.parent(lookup.expression), program.kind(argument) == .argument,
      let tuple = program.parent(argument), program.kind(tuple) == .tuple,
      let chain = program.parent(tuple), program.kind(chain) == .chain
    else { return nil }
    let member = program.children(chain).first { program.kind($0) == .member }
    guard let member, program.storedProperty(program.name(member), of: lookup.model) != nil else {
      return nil
    }
    return chain
  }

  private func firstRead(ofLocal local: Ref, _ model: TypeID) -> Ref? {
    for use in program.uses(ofLocal: local) {
      if program.asksDeleted(use) { return nil }
      if program.isHandedOn(use) { return program.parent(use) }
      switch program.lifeUse(of: use, model) {
      case .look: return nil
      case .touch:
        guard program.needsRow(use, model) else { continue }
        return program.parent(use)
      case .mention: continue
      }
    }
    return nil
  }

  /// The first read of a property that the look-up is kept in, in the same function.
  private func firstRead(ofAssigned target: Ref, after call: Ref, _ model: TypeID) -> Ref? {
    guard let last = program.children(target).last, let id = program.property(usedBy: last),
      program.properties[id].owner.map({ !program.isModel($0) }) ?? true,
      let function = program.enclosingFunction(call), let body = program.body(of: function)
    else { return nil }
    for use in program.uses(of: [program.properties[id].name])
    where program.contains(body, use) && use > call && program.property(usedBy: use) == id {
      if program.asksDeleted(use) { return nil }
      switch program.lifeUse(of: use, model) {
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

  /// Whether the touch of a model needs its row: Core Data hands out nothing for most values of a
  /// row that is gone, but not for what can't be nothing.
  fileprivate func needsRow(_ use: Ref, _ model: TypeID) -> Bool {
    guard isManagedClass(model), let chain = parent(use),
      let place = children(chain).firstIndex(of: use)
    else { return true }
    let rest = children(chain)[(place + 1)...].filter {
      ![.optionalChain, .force].contains(kind($0))
    }
    guard let member = rest.first, kind(member) == .member,
      let id = storedProperty(name(member), of: model)
    else { return true }
    if rest.count == 1, let expression = parent(chain), children(expression).count > 1,
      children(expression)[0] == chain, nameText(children(expression)[1]).isAssignmentSign
    {
      return true
    }
    switch type(ofProperty: id) {
    case .optional: return false
    case .external(let name, _):
      return ![
        "Bool", "Int", "Int16", "Int32", "Int64", "Double", "Float", "String", "Data", "Decimal",
        "NSNumber", "NSString",
      ].contains(name)
    default: return true
    }
  }

  /// The body of the function around a node.
  func enclosingFunctionBody(_ node: Ref) -> Ref? {
    enclosingFunction(node).flatMap { body(of: $0) }
  }
}

extension Finding.Message {
  fileprivate static func readsGoneRow(_ model: String, method: String) -> Self {
    method == "model"
      ? """
      when the `\(model)` was deleted meanwhile, the app ends at the first read: `model(for:)` \
      hands out an object even for a row that is gone; fetch it by its identifier, or ask \
      `registeredModel(for:)`
      """
      : """
      when the `\(model)` was deleted meanwhile, reading it can end the app: `object(with:)` hands \
      out a fault even for a row that is gone; use `existingObject(with:)` and take its failure
      """
  }
}
