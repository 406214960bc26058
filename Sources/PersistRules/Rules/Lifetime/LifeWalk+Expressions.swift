import PersistIndex
import PersistSyntax

// MARK: - Expressions along a path

extension LifeWalk {
  /// Goes through an expression in the order in which it is evaluated.
  func walk(expression: Ref, _ state: inout LifeState) {
    guard program.kind(expression) == .expression else {
      walk(part: expression, &state)
      return
    }
    let parts = program.children(expression)
    if let sign = parts.firstIndex(where: { program.isAssigningOperator($0) }), sign > 0 {
      for part in parts[(sign + 1)...] { walk(part: part, &state) }
      waitIfAsked(parts, &state)
      assign(
        parts[..<sign], isPlain: program.isAssignmentSign(parts[sign]),
        value: Array(parts[(sign + 1)...]), &state)
      return
    }
    for part in parts { walk(part: part, &state) }
    waitIfAsked(parts, &state)
  }

  private func waitIfAsked(_ parts: [Ref], _ state: inout LifeState) {
    guard let mark = parts.first(where: { program.kind($0) == .awaitMark }) else { return }
    guard parts.contains(where: { $0 > mark && program.waits($0) }) else { return }
    suspend(at: mark, &state)
  }

  /// Goes through what stands in an expression.
  private func walk(part: Ref, _ state: inout LifeState) {
    switch program.kind(part) {
    case .chain: walk(chain: part, &state)
    case .closure: walk(closure: part, whole: nil, &state)
    case .ifStatement, .switchStatement:
      var copy = state
      for inner in program.children(part) { walk(part: inner, &copy) }
    case .functionDecl, .classDecl, .structDecl, .enumDecl, .actorDecl, .macro, .keyPath, .type:
      return
    case .expression: walk(expression: part, &state)
    case .block, .switchCase:
      _ = walk(list: part, state)
    default: for inner in program.children(part) { walk(part: inner, &state) }
    }
  }

  private func assign(
    _ target: ArraySlice<Ref>, isPlain: Bool, value: [Ref], _ state: inout LifeState
  ) {
    guard let chain = target.last, program.kind(chain) == .chain else {
      for part in target { walk(part: part, &state) }
      return
    }
    let parts = program.children(chain)
    if isPlain, let variable = variable(ofWhole: parts) {
      state.objects[variable] =
        value.last.flatMap { object(of: $0, state) } ?? fresh(of: program.type(of: chain))
      return
    }
    walk(chain: chain, isTarget: true, &state)
  }

  func walk(binding: Ref, _ state: inout LifeState) {
    let values = program.children(binding).filter { program.kind($0) == .expression }
    for value in values { walk(expression: value, &state) }
    guard let local = program.child(binding, .boundName),
      program.property(declaredAt: binding) == nil
    else { return }
    bind(local, to: values.last, &state)
  }

  func walk(optional binding: Ref, _ state: inout LifeState) {
    let values = program.children(binding).filter { program.kind($0) == .expression }
    for value in values { walk(expression: value, &state) }
    guard let local = program.child(binding, .boundName) else {
      unbind(binding, &state)
      return
    }
    if let value = values.last {
      bind(local, to: value, &state)
    } else if let outer = program.lookUp(program.name(local), from: binding),
      let variable = variable(outer)
    {
      state.objects[.local(local)] = held(variable, at: local, &state)
    }
  }

  /// What a pattern such as `(trip, note)` binds is new each time.
  private func unbind(_ binding: Ref, _ state: inout LifeState) {
    for local in program.descendants(binding, .boundName) { state.objects[.local(local)] = nil }
  }

  /// Gives a new local the object of a value, or a new one.
  private func bind(_ local: Ref, to value: Ref?, _ state: inout LifeState) {
    if let value, let found = object(of: value, state) {
      state.objects[.local(local)] = found
      return
    }
    let type = program.type(ofLocal: local)
    guard let model = program.model(in: type) else { return }
    var object = LifeObject(model: model, isCollection: type.isManyValues)
    object.isMade = value.map { makes($0, model) } ?? false
    object.context = value.flatMap { program.contextFetching($0) }
    state.objects[.local(local)] = add(object)
  }

  /// A new object of a type, when that is a model.
  private func fresh(of type: SwiftType) -> Int? {
    program.model(in: type).map {
      add(LifeObject(model: $0, isCollection: type.isManyValues))
    }
  }

  private func makes(_ value: Ref, _ model: TypeID) -> Bool {
    guard let chain = program.chainParts(value), let last = chain.last,
      program.kind(last) == .call, case .initializer(let made, _) = program.callTarget(last)
    else { return false }
    return program.resolveAlias(made) == model
  }

  // MARK: Variables

  func variable(_ declared: Declared) -> LifeVariable? {
    switch declared {
    case .local(let local): return .local(local)
    case .closureArgument(let closure, let index): return .argument(closure, index)
    case .property(let id):
      let property = program.properties[id]
      guard !property.isComputed, property.owner.map({ !program.isModel($0) }) ?? true,
        !property.attributes.contains(where: { Self.liveWrappers.contains($0) })
      else { return nil }
      return .property(id)
    case .selfValue: return .own
    default: return nil
    }
  }

  /// Wrappers that ask the store again at each read.
  private static let liveWrappers: Set<Name> = [
    "Query", "FetchRequest", "SectionedFetchRequest", "ObservedResults",
  ]

  /// The variable that a chain is, `self.` before it or not.
  func variable(ofWhole parts: [Ref]) -> LifeVariable? {
    let plain = parts.filter { ![.optionalChain, .force].contains(program.kind($0)) }
    guard let first = plain.first, program.kind(first) == .name else { return nil }
    if plain.count == 1 { return program.declared(first).flatMap { variable($0) } }
    guard plain.count == 2, program.nameText(first) == "self", program.kind(plain[1]) == .member,
      let id = program.property(usedBy: plain[1])
    else { return nil }
    return variable(.property(id))
  }

  /// The object that a variable holds on the path; one that comes from outside is met first here.
  func held(_ variable: LifeVariable, at place: Ref, _ state: inout LifeState) -> Int? {
    if let known = state.objects[variable] { return known == LifeState.either ? nil : known }
    let type: SwiftType
    switch variable {
    case .local(let local): type = program.type(ofLocal: local)
    case .argument(let closure, let index): type = program.type(ofArgument: index, of: closure)
    case .property(let id): type = program.type(ofProperty: id)
    case .own:
      guard let owner = program.enclosingType(place) else { return nil }
      type = .declared(owner)
    }
    guard let model = program.model(in: type) else { return nil }
    let object = add(LifeObject(model: model, isCollection: type.isManyValues))
    state.objects[variable] = object
    if let wait = state.lastAwait, isOlder(variable, than: wait) {
      state.suspensions[object] = wait
    }
    return object
  }

  /// Whether what a variable holds was there before an `await`.
  private func isOlder(_ variable: LifeVariable, than wait: Ref) -> Bool {
    switch variable {
    case .local(let local): local < wait && !isBound(local, with: wait)
    case .argument(let closure, _): closure < wait
    case .property(let id):
      program.properties[id].isLet || program.properties[id].attributes.contains("Bindable")
    case .own: true
    }
  }

  /// Whether the value that a local is bound to is what the `await` waits for.
  private func isBound(_ local: Ref, with wait: Ref) -> Bool {
    program.ancestors(local).prefix { ![.block, .closure, .members].contains(program.kind($0)) }
      .contains {
        [.binding, .optionalBinding, .caseCondition, .forStatement].contains(program.kind($0))
          && program.contains($0, wait) && program.children($0, .block).allSatisfy { $0 > wait }
      }
  }

  // MARK: Objects of values

  /// The object that an expression gives, when it is nothing but a path to one.
  func object(of expression: Ref, _ state: LifeState) -> Int? {
    var copy = state
    guard let parts = program.chainParts(expression) else { return nil }
    return resolve(parts, &copy, onStep: nil)
  }

  /// Follows a chain from its variable over relationships; tells of each member that is read.
  @discardableResult
  func resolve(
    _ parts: [Ref], _ state: inout LifeState, onStep: ((Int, Ref, Bool) -> Void)?
  ) -> Int? {
    guard let first = parts.first else { return nil }
    var index = 1
    var current: Int?
    if program.kind(first) == .name, let declared = program.declared(first) {
      if case .selfValue = declared, parts.count > 1, program.kind(parts[1]) == .member,
        let id = program.property(usedBy: parts[1]), let variable = variable(.property(id))
      {
        current = held(variable, at: first, &state)
        index = 2
      } else if case .property(let id) = declared, let owner = program.properties[id].owner,
        program.isModel(owner), !program.properties[id].isStatic
      {
        // A property of the model itself, `self.` left out.
        current = held(.own, at: first, &state)
        index = 0
      } else if let variable = variable(declared) {
        current = held(variable, at: first, &state)
      }
    } else if program.looksAtSelf(first) {
      current = held(.own, at: first, &state)
      index = 0
    }
    while let object = current, index < parts.count {
      let part = parts[index]
      switch program.kind(part) {
      case .optionalChain, .force: index += 1
      case .subscriptSuffix:
        current = objects[object].isCollection ? element(of: object) : nil
        index += 1
      case .member, .name:
        let isCalled = index + 1 < parts.count && program.kind(parts[index + 1]) == .call
        onStep?(object, part, isCalled)
        current = step(from: object, part, isCalled: isCalled)
        index += isCalled ? 2 : 1
      default: return nil
      }
    }
    return current
  }

  private func element(of whole: Int) -> Int {
    var object = LifeObject(model: objects[whole].model, isCollection: false)
    object.whole = whole
    return add(object)
  }

  private func step(from object: Int, _ part: Ref, isCalled: Bool) -> Int? {
    let name = program.name(part)
    if objects[object].isCollection {
      if Self.elementMembers.contains(name) { return element(of: object) }
      guard isCalled || name == "lazy", Self.partMembers.contains(name) else { return nil }
      var rest = LifeObject(model: objects[object].model, isCollection: true)
      rest.whole = object
      return add(rest)
    }
    guard !isCalled, let id = program.storedProperty(name, of: objects[object].model),
      let model = program.destination(of: id)
    else { return nil }
    let key = RelatedKey(owner: object, property: id)
    if let known = related[key] { return known }
    var other = LifeObject(model: model, isCollection: program.isToMany(id))
    other.owner = object
    other.relationship = id
    related[key] = add(other)
    return related[key]
  }

  private static let elementMembers: Set<Name> = [
    "first", "last", "min", "max", "randomElement", "popLast", "removeFirst", "removeLast",
  ]
  private static let partMembers: Set<Name> = [
    "filter", "sorted", "reversed", "prefix", "suffix", "dropFirst", "dropLast", "shuffled", "lazy",
  ]
}
