import PersistIndex
import PersistSyntax

/// An object that is made because a fetch has failed, though it may be stored already.
package struct InsertionAfterFailure: Sendable {
  /// The call that fails: the fetch, or that of a function which lets its failure out.
  package let failing: Ref
  package let insertion: Ref
  package let model: TypeID
  /// Whether it stands for all objects that the fetch would have found.
  package let isOneOfMany: Bool
  /// What an object loses that the new one takes the place of, as both have one unique value.
  package var lost: PropertyID?
}

extension FailureSpread {
  /// Follows the failures of fetching objects.
  fileprivate convenience init(fetchesOf program: Program) {
    let fetches = Frameworks.storeQuestions.flatMap { program.calls(named: $0) }.filter { call in
      guard case .externalMethod(let receiver, _) = program.callTarget(call) else { return false }
      return program.isContext(receiver.unwrapped)
    }
    self.init(program, throwing: fetches + program.recordFetches)
  }
}

extension Program {
  /// The objects that are inserted where a fetch of such objects has failed, one for each failing
  /// call, in source order.
  package var insertionsAfterFailure: [InsertionAfterFailure] {
    let lists = once { FailedLists($0) }
    let flow = FailureSpread(fetchesOf: self)
    var found: [Ref: InsertionAfterFailure] = [:]
    for path in flow.paths {
      let fetch = flow.opening(of: path)
      guard found[fetch.site] == nil, !isExempt(fetch.site), kind(fetch.site) == .call,
        let model = flow.steps(to: fetch).lazy.compactMap({ self.modelFetched(by: $0.site) }).first
          ?? modelFetched(by: fetch.root, for: path.head),
        let insertion = insertion(of: model, on: path), !hasUniqueValue(model, givenAt: insertion)
      else { continue }
      found[fetch.site] = InsertionAfterFailure(
        failing: fetch.site, insertion: insertion, model: model, isOneOfMany: false)
    }
    let calls =
      lists.callsForLacking.map { (call: $0.key, failing: $0.value, isOneOfMany: true) }
      + (Array(lists.callsForOne) + lists.callsWhenEmpty).map {
        (call: $0.key, failing: $0.value, isOneOfMany: false)
      }
    for (call, failing, isOneOfMany) in calls.sorted(by: {
      ($0.call, $0.isOneOfMany ? 0 : 1) < ($1.call, $1.isOneOfMany ? 0 : 1)
    })
    where found[maker(ofList: failing)]?.isOneOfMany != true
      && !found.values.contains(where: { $0.insertion == call })
    {
      let fetch = maker(ofList: failing)
      guard !isExempt(fetch),
        let model = modelFetched(by: fetch, for: call),
        let insertion = insertion(of: model, in: call)
      else { continue }
      let isReplaced = hasUniqueValue(model, givenAt: insertion)
      let lost = isReplaced ? valueLost(of: model, insertedAt: insertion) : nil
      guard !isReplaced || isOneOfMany && lost != nil else { continue }
      found[fetch] = InsertionAfterFailure(
        failing: fetch, insertion: insertion, model: model, isOneOfMany: isOneOfMany, lost: lost)
    }
    // What calls a function whose own fetch fails tells the same once more.
    return found.values.filter { one in
      let called = functions(calledBy: one.failing).map { functions[$0].ref }
      return !found.values.contains { other in
        other.insertion == one.insertion && called.contains { contains($0, other.failing) }
      }
    }.sorted { $0.failing < $1.failing }
  }

  /// The statements that a `catch` falls through to, where the `do` returns what it has found.
  private func statementsBehind(_ path: FailurePath) -> [Ref] {
    guard path.kind == .handler, let statement = parent(path.head),
      let list = parent(statement),
      let tried = child(statement, .block), let body = enclosingBody(statement)
    else { return [] }
    let leaves: [Node.Kind] = [
      .returnStatement, .throwStatement, .breakStatement, .continueStatement,
    ]
    let isLeft = leaves.contains { kind in
      path.nodes.contains { !descendants($0, kind).isEmpty }
    }
    let returns = descendants(tried, .returnStatement).contains { enclosingBody($0) == body }
    return !isLeft && returns ? children(list).filter { $0 > statement } : []
  }

  /// The class whose objects a call fetches or counts.
  private func modelFetched(by call: Ref) -> TypeID? {
    recordFetched(by: call) ?? stored(in: resultType(ofCall: call))
      ?? arguments(call).lazy.compactMap { argument in
        guard case .external(_, let parts) = self.type(of: argument) else { return nil }
        return parts.first.flatMap { self.model(in: $0) }
      }.first ?? descendants(call, .call).lazy.compactMap { self.recordFetched(by: $0) }.first
  }

  /// The class whose objects a fetch gets, or the code around a call from the function that fetches,
  /// which is generic or leaves it to a cast.
  private func modelFetched(by fetch: Ref, for call: Ref) -> TypeID? {
    if let model = modelFetched(by: fetch) { return model }
    guard let body = enclosingBody(call) else { return nil }
    var functions = enclosingFunction(fetch).map { [$0] } ?? []
    var seen = Set(functions)
    while !functions.isEmpty, isWithin(seen.count, .fetchers) {
      let calls = functions.flatMap { callers(of: $0) }
      let models = calls.lazy.filter { self.contains(body, $0) }.compactMap { call in
        self.stored(in: self.resultType(ofCall: call)) ?? self.modelCast(call)
      }
      if let model = models.first { return model }
      // The helper of a helper.
      functions = calls.compactMap { enclosingFunction($0) }.filter { seen.insert($0).inserted }
    }
    return enclosingFunction(fetch).flatMap { modelCast(behind: $0, for: call) }
  }

  /// The class for which a function takes what it gets of one that fetches, directly or handed on,
  /// where the type around a call uses it.
  private func modelCast(behind fetching: FunctionID, for call: Ref) -> TypeID? {
    guard let type = enclosingType(call) else { return nil }
    var functions = [fetching]
    for _ in 0..<Self.functionsToCast {
      let calls = functions.flatMap { callers(of: $0) }
      functions = Set(calls.compactMap { enclosingFunction($0) }).sorted()
      let casts = zip(calls, calls.map { modelCast($0) }).compactMap { call, model in
        model.flatMap { model in enclosingFunction(call).map { (function: $0, model: model) } }
      }
      let used = casts.first { function, _ in
        ([self.functions[function].ref] + callers(of: function)).contains {
          enclosingType($0) == type
        }
      }
      if let used { return used.model }
    }
    return nil
  }

  /// How many functions may hand on what is fetched before it is taken for a class.
  private static var functionsToCast: Int { 3 }

  /// The class for which code takes what a call returns.
  private func modelCast(_ call: Ref) -> TypeID? {
    castType(ofCall: call).flatMap { model(in: $0) }
  }

  /// The classes for which callers take what their function returns of a call.
  private func modelsCast(byCallersReturned call: Ref) -> [TypeID] {
    guard let function = enclosingFunction(call), let body = body(of: function),
      results(of: body).contains(where: { contains($0, call) })
    else { return [] }
    return callers(of: function).compactMap { modelCast($0) }
  }

  /// The first insertion of an object of a class on the way of a failure that nobody hears of.
  private func insertion(of model: TypeID, on path: FailurePath) -> Ref? {
    for node in path.nodes + statementsBehind(path) {
      for call in nodesRun(in: node) where kind(call) == .call {
        if let found = insertion(of: model, in: call), !isReported(call, on: path) { return found }
      }
    }
    return nil
  }

  /// The insertion of an object of a class that a call is, or that the functions make which it calls.
  private func insertion(of model: TypeID, in call: Ref) -> Ref? {
    Reach(from: call) { call in
      self.functions(calledBy: call).compactMap { self.body(of: $0) }.flatMap { body -> [Ref] in
        let calls = self.nodesRun(in: body).filter { self.kind($0) == .call }
        // What fetches such objects itself looks for the stored one again.
        let fetches = calls.filter { self.fetches(model, $0) }
        return calls.filter { call in !fetches.contains { self.perhapsRuns($0, before: call) } }
      }
    }.first { ownInsertion(of: model, in: $0) }
  }

  private func ownInsertion(of model: TypeID, in call: Ref) -> Ref? {
    if inserts(call, model) { return isNewRow(model, call) ? call : nil }
    // A closure inserts it: `queue.write { db in … }`.
    let inner = descendants(call, .closure).flatMap { descendants($0, .call) }
    if let found = inner.first(where: { inserts($0, model) }) {
      return isNewRow(model, found) ? found : nil
    }
    // `stored ?? Trip()`, and the insertion of what that is.
    if makes(model, call), let body = enclosingBody(call), let chain = parent(call),
      let value = parent(chain), children(value).first != chain
    {
      return descendants(body, .call).first {
        $0 > call && inserts($0, model) && isNewRow(model, $0)
      }
    }
    return self.model(in: resultType(ofCall: call)) == model || modelCast(call) == model
      ? insertion(givenBy: call) : nil
  }

  /// Whether an object that is inserted takes the place of the one with the same value, because a
  /// value of the class is unique, and not made anew for each object.
  private func hasUniqueValue(_ model: TypeID, givenAt insertion: Ref) -> Bool {
    let declaration = types[model].ref
    if descendants(declaration, .macro).contains(where: { name($0) == "Unique" })
      || isUniqueEntity(model)
    {
      return true
    }
    let unique = properties(inFile: Int(declaration.file)).filter {
      properties[$0].owner == model && isUnique($0)
    }
    return unique.contains { id in
      let property = properties[id]
      guard let initial = property.initializer else { return true }
      let isFresh = !descendants(Ref(file: Int(property.ref.file), node: initial), .call).isEmpty
      return !isFresh
        || making(model, insertedAt: insertion).contains { call in
          argument(call, property.name) != nil
        }
    }
  }

  /// Whether a data model says that values of an entity are unique.
  private func isUniqueEntity(_ model: TypeID) -> Bool {
    let entity = modelName(model)
    return schemaInput.dataModels.contains { model in
      model.current?.shape.entities.contains { $0.name == entity && !$0.uniqueness.isEmpty }
        ?? false
    }
  }

  /// The calls around an insertion that make objects of a class.
  private func making(_ model: TypeID, insertedAt insertion: Ref) -> [Ref] {
    enclosingBody(insertion).map { descendants($0, .call).filter { makes(model, $0) } } ?? []
  }

  /// Whether a call fetches objects of a class, by itself or in the function that it calls.
  fileprivate func fetches(_ model: TypeID, _ call: Ref) -> Bool {
    recordFetched(by: call) == model
      || calledName(call) == Frameworks.fetch && self.model(in: resultType(ofCall: call)) == model
      || functions(calledBy: call).contains { answer(Fetches(model: model, function: $0)) }
  }

  /// Whether a call makes an object of a class by an initializer of the sources.
  func makes(_ model: TypeID, _ call: Ref) -> Bool {
    guard case .initializer(let type, _) = callTarget(call) else { return false }
    return resolveAlias(type) == model
  }

  /// Whether a call inserts an object of a class, or makes one in a context.
  func inserts(_ call: Ref, _ model: TypeID) -> Bool {
    guard kind(call) == .call else { return false }
    if recordInserted(by: call) == model { return true }
    if calledName(call) == Words.insertionByName {
      return modelCast(call) == model || modelsCast(byCallersReturned: call).contains(model)
    }
    if calledName(call) == "insert", isContext(receiverType(ofCall: call).unwrapped) {
      return arguments(call).first.flatMap { self.model(in: type(of: $0)) } == model
    }
    return isGivenContext(call) && makes(model, call)
  }

  /// Whether an insertion makes a row beside the others, as its key is made anew, and those were not
  /// deleted before; objects of contexts are always new.
  private func isNewRow(_ model: TypeID, _ insertion: Ref) -> Bool {
    guard recordInserted(by: insertion) == model else { return true }
    guard let body = enclosingBody(insertion), let function = enclosingFunction(insertion) else {
      return false
    }
    let isEmptied = descendants(body, .call).contains { call in
      call < insertion && Frameworks.rowDeletion == calledName(call)
        && record(beginning: call) == model
    }
    let made = descendants(functions[function].ref, .call).filter { makes(model, $0) }
    return !isEmptied && !made.isEmpty && made.allSatisfy { makesKey(of: model, $0) }
  }

  /// Whether a call that makes a record leaves its identifier to the database, or makes one.
  private func makesKey(of model: TypeID, _ made: Ref) -> Bool {
    guard let id = storedProperties(of: model).first(where: { properties[$0].name == "id" }) else {
      return false
    }
    let initial = properties[id].initializer.map {
      Ref(file: Int(properties[id].ref.file), node: $0)
    }
    guard let value = argument(made, "id") ?? initial else {
      if case .optional = type(ofProperty: id) { return true }
      return false
    }
    return isNil(value) || descendants(value, .call).contains { calledName($0) == "UUID" }
  }

  /// A value that an object of a class has got since it was made, and that one which is inserted in
  /// its place lacks: nobody sets it there.
  private func valueLost(of model: TypeID, insertedAt insertion: Ref) -> PropertyID? {
    guard let body = enclosingBody(insertion) else { return nil }
    guard let made = making(model, insertedAt: insertion).first else { return nil }
    let bodies =
      [body]
      + descendants(body, .call).flatMap { functions(calledBy: $0) }
      .compactMap { self.body(of: $0) }
    let names = Set(arguments(made).map { label($0) })
    return storedProperties(of: model).first { id in
      let property = properties[id]
      return !property.isLet && !names.contains(property.name) && !isUnique(id)
        && !uses(of: [property.name]).contains { use in
          self.property(usedBy: use) == id && isAssignmentTarget(use)
            && (bodies.contains { contains($0, use) } || isSet(use, by: made, names))
        }
    }
  }

  /// Whether the initializer that a call runs makes a value of what the call gives it.
  private func isSet(_ use: Ref, by made: Ref, _ given: Set<Name>) -> Bool {
    guard case .initializer(_, let ids) = callTarget(made),
      ids.contains(where: { contains(functions[$0].ref, use) }),
      let value = assignment(toWhatEndsWith: use)?.value
    else { return false }
    return !given.isDisjoint(with: tokens(of: value))
  }

  private func storedProperties(of model: TypeID) -> [PropertyID] {
    properties(inFile: Int(types[model].ref.file)).filter { id in
      let property = properties[id]
      return property.owner == model && !property.isComputed && !property.isStatic
        && !property.attributes.contains("Transient")
        && self.model(in: type(ofProperty: id)) == nil
    }
  }

  private func isUnique(_ id: PropertyID) -> Bool {
    let unique = descendants(types[properties[id].owner ?? 0].ref, .implicitMember).filter {
      name($0) == "unique"
    }
    return unique.contains { mark in
      ancestors(mark).first { kind($0) == .variableDecl }.map {
        contains($0, properties[id].ref)
      } ?? false
    }
  }
}

/// Whether a function fetches objects of a class, by itself or in what it calls.
private struct Fetches: Query {
  let model: TypeID
  let function: FunctionID

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool {
    program.body(of: function).map { body in
      program.descendants(body, .call).contains { program.fetches(model, $0) }
    } ?? false
  }
}
