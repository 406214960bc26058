import PersistIndex
import PersistSyntax

// MARK: - What calls do to objects

extension Run {
  /// Runs a body with objects under names of its own, and takes over what becomes of them.
  func track(_ key: InstanceKey, at node: Ref, isLater: Bool) -> InstanceID? {
    var given: [OriginID] = []
    var key = key
    if let delay {
      key.captures = key.captures.map { suspended($0, at: delay.wait, delay.kind) }
      if solver.bodies[key.body].kind == .closure {
        key.receiver = suspended(key.receiver, at: delay.wait, delay.kind)
      }
    }
    key.executor = .unknown
    key.transaction = .unknown
    let isPending =
      solver.mayFollowDeletion(id) || state.objects.values.contains { isUnsaved($0) }
    key.arguments = key.arguments.map(identified)
    key.captures = key.captures.map(identified)
    key.fields = goneFields(of: key)
    let holdsGone = !key.fields.isEmpty || holdsGone(key)
    key.receiver = renamed(key.receiver, &given)
    key.arguments = key.arguments.map { renamed($0, &given) }
    key.captures = key.captures.map { renamed($0, &given) }
    key.fields = key.fields.map { HeldField(key: $0.key, value: renamed($0.value, &given)) }
    guard solver.isWanted(tracking: key, from: id, holdsGone: holdsGone, isPending: isPending)
    else {
      forgetFields(assignedBy: key.body)
      return nil
    }
    let target = solver.call(key, from: id)
    if isPending { solver.noteDeletion(before: target) }
    record(Instance.Call(node: node, target: target))
    substitutions[target] = (given, node)
    let effects = solver.instance(target).effects
    bubble(effects.reads, given, target, at: node)
    if effects.inserts { self.effects.inserts = true }
    if !isLater { apply(effects, given, at: node) }
    forgetFields(assignedBy: key.body)
    return target
  }

  /// Notes the objects that come in and are gone.
  func beginObjects() {
    for field in key.fields { begun.fields[field.key] = field.value }
    let all = [key.receiver] + key.arguments + key.captures + key.fields.map(\.value)
    for set in all where solver.table.holdsTokens(set) {
      for id in solver.table.all(in: set) {
        guard case .gone(let end) = solver.table[origin: id] else { continue }
        let gone = solver.table.id(Origins(known: [id]))
        let known = begun.objects[end.object] ?? OriginTable.nothing
        begun.objects[end.object] = solver.table.union(known, gone)
      }
    }
    for set in all where solver.table.holdsTokens(set) {
      for id in solver.table.all(in: set) where begun.objects[id] != nil {
        begun.objects[id] = solver.table.union(
          begun.objects[id] ?? OriginTable.nothing, solver.table.id(Origins(known: [id])))
      }
    }
  }

  private func isUnsaved(_ set: OriginsID) -> Bool {
    solver.table.members(set).contains {
      if case .gone(let end) = $0 { !end.isSaved } else { false }
    }
  }

  private func holdsGone(_ key: InstanceKey) -> Bool {
    ([key.receiver] + key.arguments + key.captures).contains { holdsGone($0) }
  }

  private func holdsGone(_ set: OriginsID) -> Bool {
    solver.table.holdsTokens(set)
      && solver.table.all(in: set).contains { id in
        if case .gone = solver.table[origin: id] { true } else { false }
      }
  }

  /// A value whose identifiers say what has become of their objects.
  private func identified(_ set: OriginsID) -> OriginsID {
    solver.table.rewritten(set) { _, origin in
      guard case .identifier(let objects) = origin else { return nil }
      return solver.table.one(.identifier(now(objects)))
    }
  }

  private func isPerhaps(_ set: OriginsID) -> Bool {
    solver.table.members(set).contains {
      if case .gone(let end) = $0 { end.kind.isPossible } else { false }
    }
  }

  /// What is gone in the stored properties of what comes into a body.
  private func goneFields(of key: InstanceKey) -> [HeldField] {
    var owners: Set<OriginID> = [-1]
    for set in [key.receiver] + key.arguments + key.captures {
      for origin in solver.table.members(set) where origin.declaredType != nil {
        if let id = number(solver.table.one(origin.anywhere)) { owners.insert(id) }
      }
    }
    var found: [ObjectState.FieldKey: OriginsID] = [:]
    for (id, set) in state.objects where holdsGone(set) {
      if case .token(let token) = solver.table[origin: id],
        case .held(let property, let owner) = token.site, owners.contains(owner),
        !state.changed.contains(property), facts.isSteady(property) || !isPerhaps(set)
      {
        found[ObjectState.FieldKey(origin: owner, property: property)] = set
      }
    }
    for (field, value) in state.fields where owners.contains(field.origin) {
      let value = identified(now(value))
      found[field] = holdsGone(value) ? value : nil
    }
    // What can't change has been there before the wait.
    let isLate = delay?.kind == .perhaps
    for property in state.wait != nil || isLate ? facts.steadyModels(readBy: key.body) : [] {
      guard let type = program.properties[property].owner,
        let owner = owners.first(where: { id in
          id >= 0 && solver.table[origin: id].declaredType == type
        })
      else { continue }
      var value = held(
        property, in: owner, or: OriginTable.unknown, at: program.properties[property].ref)
      if isLate, let delay { value = suspended(value, at: delay.wait, delay.kind) }
      if holdsGone(value) {
        found[ObjectState.FieldKey(origin: owner, property: property)] = value
      }
    }
    return found.map { HeldField(key: $0.key, value: $0.value) }.sorted {
      ($0.key.origin, $0.key.property) < ($1.key.origin, $1.key.property)
    }
  }

  /// A value with its objects by their numbers in the call.
  private func renamed(_ set: OriginsID, _ given: inout [OriginID]) -> OriginsID {
    var all = given
    defer { given = all }
    func number(of id: OriginID) -> Int {
      if let known = all.firstIndex(of: id) { return known }
      all.append(id)
      return all.count - 1
    }
    return solver.table.rewritten(set) { id, origin in
      switch origin {
      case .identifier(let objects):
        let inner = renamed(objects, &all)
        return solver.table.one(.identifier(inner))
      case .token(let token): return name(token, id, number(of: id))
      case .gone(let end):
        guard case .token(let token) = solver.table[origin: end.object],
          let object = self.number(name(token, end.object, number(of: end.object)))
        else { return OriginTable.unknown }
        return solver.table.one(
          .gone(
            End(
              object: object, framework: end.framework,
              deletion: end.deletion == delay?.wait ? delay?.wait : nil,
              contexts: OriginTable.nothing,
              save: end.deletion == delay?.wait ? delay?.wait : nil, isSaved: end.isSaved,
              kind: end.kind)))
      default: return nil
      }
    }
  }

  private func name(_ token: Token, _ id: OriginID, _ number: Int) -> OriginsID {
    solver.table.one(
      .token(
        Token(
          site: .given(number), framework: token.framework, model: token.model,
          isMany: token.isMany, isWholeClass: token.isWholeClass, isNew: isUnknown(id, token),
          contexts: token.contexts)))
  }

  /// The object that stands behind a number in a call.
  private func actual(_ id: OriginID, _ given: [OriginID]) -> OriginID? {
    guard case .token(let token) = solver.table[origin: id], case .given(let number) = token.site,
      given.indices.contains(number)
    else { return nil }
    return given[number]
  }

  /// Takes over what a call has done to objects and contexts.
  private func apply(_ effects: Effects, _ given: [OriginID], at node: Ref) {
    for (id, final) in effects.objects.sorted(by: { $0.key < $1.key }) {
      guard let object = actual(id, given) else { continue }
      if holdsGone(final) {
        take(final, for: object, at: node)
      } else {
        // It has asked whether the object is still there.
        revive { $0.object == object && $0.kind.isPossible }
      }
    }
    for id in effects.inserted {
      if let object = actual(id, given) { state.inserted.insert(object) }
    }
    for (model, end) in effects.wiped.sorted(by: { $0.key < $1.key }) {
      wipe(model, by: end.contexts, at: node, isSaved: end.isSaved)
    }
    for (contexts, end) in effects.reset.sorted(by: { $0.key < $1.key })
    where end.ways.isEmpty || program.isStatement(node) {
      reset(contexts, at: node, ways: end.ways)
    }
    if let contexts = effects.saved { save(contexts, at: node) }
  }

  /// Has an object be gone as a call has left it.
  private func take(_ final: OriginsID, for object: OriginID, at node: Ref) {
    let ends = solver.table.members(final).compactMap { origin -> End? in
      if case .gone(let end) = origin { end } else { nil }
    }
    // What waits says so where it is called.
    guard let end = ends.first, ends.allSatisfy({ !$0.kind.isPossible }) else { return }
    let isSaved = ends.contains(where: \.isSaved)
    let current = state.objects[object] ?? solver.table.id(Origins(known: [object]))
    if isGone(current), !isUnsaved(current) { return }
    var new = End(
      object: object, framework: end.framework, deletion: node, contexts: end.contexts,
      save: isSaved ? node : nil, isSaved: isSaved, kind: end.kind)
    guard isGone(final) else {
      // What a call gives may say whether it has deleted the object.
      guard program.isStatement(node), !holdsGone(current) else { return }
      new.ways = end.ways.union([end.deletion].compactMap { $0 })
      return become(object, solver.table.union(current, solver.table.one(.gone(new))))
    }
    if case .gone(let old)? = solver.table.members(current).first, isGone(current) {
      guard isSaved else { return }
      new = old
      new.isSaved = true
      new.save = node
    }
    let gone = solver.table.one(.gone(new))
    for index in locals.indices {
      locals[index] = solver.table.rewritten(locals[index]) { id, origin in
        id == object || origin.numberOfObject == object ? gone : nil
      }
    }
    state.objects[object] = gone
    if case .token(let token) = solver.table[origin: object], new.kind == .deleted {
      endPartners(of: object, token, by: new.contexts, isSaved: isSaved, at: node)
      endClass(of: token, by: new.contexts, at: node, isSaved: isSaved)
    }
  }

  /// Tells of what is read of deleted objects by code that is called with them.
  private func bubble(
    _ reads: [OriginID: GoneRead], _ given: [OriginID], _ target: InstanceID, at node: Ref
  ) {
    guard !reads.isEmpty else { return }
    let code = solver.bodies[solver.instance(target).key.body]
    // A closure is a part of the code around it, and so is a function that is declared there.
    let isPart = code.kind == .closure || !solver.instance(target).key.captures.isEmpty
    for (id, read) in reads.sorted(by: { $0.key < $1.key }) {
      guard let object = actual(id, given) else { continue }
      // What is handed over where it stands is one too, whoever calls it.
      let isOwn = isPart || program.contains(node, read.node)
      let place = isOwn ? read.node : self.place(of: object, in: node)
      let set = state.objects[object] ?? OriginTable.nothing
      let ends = solver.table.members(set).compactMap { origin -> End? in
        if case .gone(let end) = origin, end.isSaved { end } else { nil }
      }
      guard !ends.isEmpty else { continue }
      // What a closure has taken along is read when that runs.
      let isHanded = isOwn || isHanded(object, in: node)
      add(
        GoneRead(
          node: place, inner: isHanded ? read.inner ?? read.node : nil,
          innerProperty: isHanded ? read.innerProperty ?? read.property : nil,
          property: code.kind == .function && !isOwn ? nil : read.property,
          isWrite: read.isWrite, ends: ends, isCertain: isGone(set)))
    }
  }

  /// Whether a call gets an object itself, or is one of its methods.
  private func isHanded(_ object: OriginID, in node: Ref) -> Bool {
    guard let site = body.calls.first(where: { $0.node == node.node }) else { return true }
    let given = [site.receiver] + site.arguments.map(\.value)
    return given.contains { value in
      value >= 0
        && solver.table[values[Int(value)]].known.contains { id in
          id == object || solver.table[origin: id].numberOfObject == object
        }
    }
  }

  /// Where an object is handed over: as an argument, or as what a method is called on.
  private func place(of object: OriginID, in node: Ref) -> Ref {
    guard let site = body.calls.first(where: { $0.node == node.node }) else { return node }
    for argument in site.arguments where argument.value >= 0 {
      let holds = solver.table.all(in: values[Int(argument.value)]).contains { id in
        id == object || solver.table[origin: id].numberOfObject == object
      }
      if holds { return body.ref(body.steps[Int(argument.value)]) }
    }
    return program.calledNode(node) ?? node
  }

  /// A value that a body has made, with the objects of this one.
  func mapped(back set: OriginsID, from target: InstanceID) -> OriginsID {
    guard isTracking, solver.table.holdsTokens(set), let (given, node) = substitutions[target]
    else { return set }
    return solver.table.rewritten(set) { id, origin in
      switch origin {
      case .token(let token):
        if let object = actual(id, given) {
          return now(solver.table.id(Origins(known: [object])))
        }
        return fresh(
          Token(
            site: .made(node), framework: token.framework, model: token.model,
            isMany: token.isMany,
            isNew: token.isNew && !solver.instance(target).effects.inserts))
      case .identifier(let objects):
        let known = solver.table[objects].known.map { actual($0, given) }
        guard !known.isEmpty, known.allSatisfy({ $0 != nil }) else { return OriginTable.unknown }
        return solver.table.one(
          .identifier(solver.table.id(Origins(known: known.compactMap { $0 }.sorted()))))
      case .gone(let end):
        if let object = actual(end.object, given) {
          return now(solver.table.id(Origins(known: [object])))
        }
        return OriginTable.unknown
      default: return nil
      }
    }
  }

  // MARK: Stored properties

  /// What a stored property holds since the body began, or an object by its type.
  func held(
    _ property: PropertyID, in origin: OriginID, or value: OriginsID, at node: Ref
  ) -> OriginsID {
    let key = ObjectState.FieldKey(origin: origin, property: property)
    if let known = state.fields[key] { return now(known) }
    let type = program.type(ofProperty: property)
    if state.changed.contains(property), !facts.isLasting(property) {
      return object(of: type, .made(node), at: node)
    }
    guard
      program.model(in: type) != nil || facts.realmModel(in: type) != nil
        || solver.table.unwrapped(value) == OriginTable.unknown
        || solver.table.unwrapped(value) == OriginTable.nothing
    else { return now(value) }
    let typed = object(
      of: type, .held(property, by: origin), at: program.properties[property].ref)
    if typed == OriginTable.unknown { return now(value) }
    // What is read again after a wait is what the property holds then.
    return facts.isSteady(property) ? typed : withoutPerhaps(typed)
  }

  private func withoutPerhaps(_ set: OriginsID) -> OriginsID {
    solver.table.rewritten(set) { _, origin in
      guard case .gone(let end) = origin, end.kind.isPossible else { return nil }
      return solver.table.id(Origins(known: [end.object]))
    }
  }

  /// Leaves nothing certain of what properties hold that a body may assign.
  private func forgetFields(assignedBy code: BodyID) {
    let assigned = facts.assignedDeeply(by: code)
    state.changed.formUnion(assigned)
    for key in state.fields.keys where assigned.contains(key.property) { state.fields[key] = nil }
  }

  // MARK: Several ways

  /// Runs one of several bodies that a call may lead to, each from the same beginning.
  func eachWay<Way>(_ ways: [Way], _ run: (Way) -> OriginsID) -> OriginsID {
    guard isTracking, ways.count > 1 else {
      return solver.table.union(ways.map(run))
    }
    let before = (locals, state)
    var result = OriginTable.nothing
    var after: ([OriginsID], ObjectState)?
    for way in ways {
      (locals, state) = before
      result = solver.table.union(result, run(way))
      after =
        after.map { known in
          (
            zip(known.0, locals).map { solver.table.union($0, $1) },
            joined(known.1, state)
          )
        } ?? (locals, state)
    }
    if let after { (locals, state) = after }
    return result
  }

  /// What an object is on a way that knows nothing of it.
  private func unchanged(_ id: OriginID) -> OriginsID {
    switch solver.table[origin: id] {
    case .token(let token) where token.isBorn: OriginTable.nothing
    default: solver.table.one(ofNumber: id)
    }
  }

  /// What holds where two ways meet.
  func joined(_ left: ObjectState, _ right: ObjectState) -> ObjectState {
    if left == right { return left }
    var result = ObjectState()
    result.hasFailed = left.hasFailed && right.hasFailed
    for (id, value) in left.objects {
      result.objects[id] = solver.table.union(value, right.objects[id] ?? unchanged(id))
    }
    for (id, value) in right.objects where left.objects[id] == nil {
      result.objects[id] = solver.table.union(unchanged(id), value)
    }
    result.changed = left.changed.union(right.changed)
    result.inserted = left.inserted.union(right.inserted)
    for (key, value) in left.fields {
      guard let other = right.fields[key] else {
        result.changed.insert(key.property)
        continue
      }
      result.fields[key] = solver.table.union(other, value)
    }
    for key in right.fields.keys where left.fields[key] == nil {
      result.changed.insert(key.property)
    }
    result.wait = left.wait ?? right.wait
    for (model, end) in left.wiped {
      guard let other = right.wiped[model] else { continue }
      result.wiped[model] = end.isSaved ? other : end
    }
    result.reset = left.reset.merging(right.reset) { one, other in
      var end = one
      end.ways = one.ways.isEmpty || other.ways.isEmpty ? [] : one.ways.union(other.ways)
      return end
    }
    for (contexts, end) in result.reset
    where left.reset[contexts] == nil || right.reset[contexts] == nil {
      result.reset[contexts]?.ways.formUnion([end.deletion].compactMap { $0 })
    }
    if let one = left.saved, let other = right.saved {
      result.saved = solver.table.union(one, other)
    }
    return result
  }
}

extension Token {
  /// Whether the body itself makes the object, so that it isn't there before.
  fileprivate var isBorn: Bool {
    switch site {
    case .made, .element: true
    case .held, .parameter, .related, .given: false
    }
  }
}
