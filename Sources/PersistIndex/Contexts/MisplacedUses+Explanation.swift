import PersistSyntax

// MARK: - What to say of misplaced uses

extension Program {
  func use(of wrong: MisplacedTouch) -> MisplacedUse {
    let touch = wrong.touch
    let body = body(around: touch.place)
    let named = kind(touch.start) == .name ? use(of: touch.start, in: body) : nil
    let first = named.flatMap { $0.place == touch.place ? $0 : nil }
    let source = first?.source ?? (wrong.executor == .main ? touch.start : key(wrong))
    var uses: [ValueUse] = []
    if let first {
      let scope = closure(moving: touch.place) ?? body
      uses = descendants(scope, .name).compactMap { use(of: $0, in: body) }
        .filter { $0.source == first.source }
    }
    var found = MisplacedUse(
      place: wrong.place, value: first?.value ?? valueText(touch), source: source,
      reason: reason(wrong), model: touch.isContext ? nil : model(in: touch.type), uses: uses,
      isMainAway: wrong.executor == .main && !wrong.isOtherContext,
      closure: closure(moving: wrong.place),
      executor: executor(of: wrong, besides: source), callers: wrong.callers,
      inner: wrong.called == nil ? nil : touch.place, deepest: placeInside(touch, on: wrong.behind))
    found.path = wrong.path
    found.others = places(of: wrong.others, besides: wrong.place)
    found.hint = wrong.hint
    found.habit = wrong.habit
    found.isNote = isOfNotes(touch)
    if let call = found.closure.flatMap({ callTaking($0)?.call }) {
      let begun = Words.crossingCalls.union(Words.operationMethods).contains(calledName(call))
      found.isCalledBack = !begun && functions(calledBy: call).isEmpty
    }
    if found.isMainAway { found.unisolated = unisolatedFunction(around: wrong.place) }
    if wrong.executor.isPrivate, !touch.isContext || isAskedOfObject(touch) {
      found.outlet = outlet(of: touch)
    }
    return found
  }

  /// Whether a touch is one of what code keeps in a context for itself.
  func isOfNotes(_ touch: ManagedTouch) -> Bool {
    guard touch.isContext, let chain = parent(touch.place) else { return false }
    if name(touch.place) == Words.contextNotes { return true }
    let next = children(chain).first { $0 > touch.place && kind($0) != .optionalChain }
    if next.map({ kind($0) == .member && name($0) == Words.contextNotes }) ?? false { return true }
    guard case .asks(let bodies) = touch.action, let body = bodies.first, kind(body) == .accessor
    else { return false }
    return placeInside(touch, on: .here).map { name($0) == Words.contextNotes } ?? false
  }

  /// Whether the context of a touch is asked of one of its objects.
  private func isAskedOfObject(_ touch: ManagedTouch) -> Bool {
    kind(touch.place) == .member && name(touch.place) == "managedObjectContext"
  }

  /// How many places of one cause a finding names.
  private static let shownPlaces = 24

  /// The first places of statements besides another place's, as many as a finding names.
  private func places(of all: [Ref], besides place: Ref) -> [Ref] {
    var seen: Set<Ref> = [statement(around: place)]
    return Array(
      all.sorted().filter { seen.insert(statement(around: $0)).inserted }.prefix(Self.shownPlaces))
  }

  /// The innermost statement around a place.
  private func statement(around place: Ref) -> Ref {
    var inner = place
    for scope in ancestors(place) {
      if [.block, .closure, .switchCase, .accessor, .members, .file].contains(kind(scope)) {
        break
      }
      inner = scope
    }
    return inner
  }

  /// The asynchronous function without an actor whose own code a place is.
  private func unisolatedFunction(around place: Ref) -> Ref? {
    for scope in ancestors(place) {
      switch kind(scope) {
      case .closure where answer(QueueOfClosure(closure: scope)) != .here: return nil
      case .functionDecl, .initDecl:
        return node(scope).flags.contains(.isAsync) ? scope : nil
      case .accessor, .members: return nil
      default: break
      }
    }
    return nil
  }

  /// The `perform` inside a function of the sources whose closure hands out what the value of a
  /// touch is.
  private func outlet(of touch: ManagedTouch) -> Ref? {
    var open = [touch.start]
    var seen: Set<Ref> = []
    while let part = open.popLast() {
      guard seen.insert(part).inserted else { continue }
      guard isWithin(seen.count, .outlets) else { return nil }
      if kind(part) == .name {
        open += sources(of: part)
        continue
      }
      let value = kind(part) == .argument ? child(part, .expression) ?? part : part
      let chain = kind(value) == .chain ? value : child(value, .chain) ?? value
      guard kind(chain) == .chain else { continue }
      if let call = children(chain, .call).last(where: { !functions(calledBy: $0).isEmpty }) {
        if let found = functions(calledBy: call).lazy.compactMap({ self.performInside($0) }).first {
          return found
        }
        continue
      }
      if let first = children(chain).first(where: { nameText($0) != "self" }) {
        if kind(first) == .member, let id = property(usedBy: first) {
          open += values(of: id)
        } else {
          open.append(first)
        }
      }
    }
    return nil
  }

  /// The values that a name stands for.
  private func sources(of name: Ref) -> [Ref] {
    switch declared(name) {
    case .local(let local)?: boundValue(of: local).map { [$0] } ?? payloads(boundTo: local)
    case .closureArgument(let closure, _)?: collection(givenTo: closure).map { [$0] } ?? []
    case .property(let id)?: values(of: id)
    default: []
    }
  }

  private func values(of id: PropertyID) -> [Ref] {
    guard !properties[id].isComputed else { return [] }
    return values(assignedTo: id)
  }

  /// What is given to the case whose payload a pattern binds.
  private func payloads(boundTo local: Ref) -> [Ref] {
    guard let element = patternElements(around: local).first,
      let (enumCase, index) = payload(binding: local), parent(element) == enumCase
    else { return [] }
    let named = source(enumCase)
    return calls(named: name(enumCase)).compactMap { call in
      let given = children(call, .argument)
      return sibling(before: call) != named && index < given.count ? given[index] : nil
    }
  }

  /// What a local is bound to, or the collection of which it is an element.
  private func boundValue(of local: Ref) -> Ref? {
    for scope in ancestors(local) {
      switch kind(scope) {
      case .optionalBinding where child(scope, .expression) == nil:
        guard case .local(let outer)? = lookUp(name(local), from: scope), outer != local else {
          return nil
        }
        return boundValue(of: outer)
      case .binding, .optionalBinding, .forStatement, .caseCondition:
        return children(scope, .expression).first { !contains($0, local) }
      case .closure where kind(local) == .parameter: return collection(givenTo: scope)
      case .block, .members, .closure, .caseItem: return nil
      default: break
      }
    }
    return nil
  }

  /// The value whose elements a closure gets.
  private func collection(givenTo closure: Ref) -> Ref? {
    callTaking(closure).flatMap { parent($0.call) }.flatMap { children($0).first }
  }

  private func performInside(_ id: FunctionID) -> Ref? {
    guard let body = body(of: id) else { return nil }
    return descendants(body, .call).first { call in
      Words.performMethods.contains(calledName(call))
        && arguments(call).contains { closure(of: $0) != nil }
    }.flatMap { calledNode($0) }
  }

  /// Where the context is made or kept, unless that is where the value comes from.
  private func executor(of wrong: MisplacedTouch, besides source: Ref) -> Ref? {
    let executor = key(wrong)
    guard wrong.executor != .main, executor != source,
      !(parent(source).map { contains($0, executor) } ?? false)
    else { return nil }
    return executor
  }

  private func reason(_ wrong: MisplacedTouch) -> MisplacedUse.Reason {
    if wrong.habit != nil { return .againstHabit }
    if let called = wrong.called {
      let name =
        kind(called) == .accessor
        ? parent(called).flatMap { parent($0) }.map { nameText($0) } ?? "" : nameText(called)
      return .call(of: name.isEmpty ? "init" : name)
    }
    if wrong.isOtherContext { return .otherContext }
    if wrong.behind != .here, let function = functionBehind(wrong.touch) {
      return .handed(to: function)
    }
    guard let closure = closure(moving: wrong.place), case .context = queue(at: closure) else {
      return .outsidePerform
    }
    return .afterPerform
  }

  /// The name of the function that a touch calls.
  private func functionBehind(_ touch: ManagedTouch) -> String? {
    switch touch.action {
    case .touches: nil
    case .asks(let bodies):
      bodies.first.map {
        kind($0) == .accessor
          ? parent($0).flatMap { parent($0) }.map { nameText($0) } ?? ""
          : nameText($0)
      }
    case .passes(let call, _): calledText(call)
    }
  }

  /// The text of a value, on one line.
  private func valueText(_ touch: ManagedTouch) -> String {
    let outline = outline(touch.place)
    let range = byteRange(touch.start).lowerBound..<byteRange(touch.place).upperBound
    let text = outline.text[range].split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard text.count > Self.longestValue else { return text }
    let parts = parent(touch.place).map { children($0) } ?? []
    let named = parts.last { $0 <= touch.place && !nameText($0).isEmpty }
    let isCall = kind(touch.place) == .call
    return named.map { nameText($0) + (isCall ? "(…)" : "") } ?? "the value"
  }

  /// The characters of the longest value that a message quotes.
  private static let longestValue = 48
}
