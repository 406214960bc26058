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
    if found.isMainAway { found.unisolated = unisolatedFunction(around: wrong.place) }
    if !touch.isContext, wrong.executor.isPrivate { found.outlet = outlet(of: touch) }
    return found
  }

  /// How many places of one cause a finding names.
  private static let shownPlaces = 12

  /// The first places of statements besides another place's, as many as a finding names.
  private func places(of all: [Ref], besides place: Ref) -> [Ref] {
    var seen: Set<Ref> = [statement(around: place)]
    return Array(
      all.filter { seen.insert(statement(around: $0)).inserted }.prefix(Self.shownPlaces))
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
    var value: Ref? = touch.start
    for _ in 0..<Self.shownPlaces {
      guard let part = value else { return nil }
      if kind(part) == .name {
        switch declared(part) {
        case .local(let local)?:
          value = boundValue(of: local)
          continue
        case .closureArgument(let closure, _)?:
          value = collection(givenTo: closure)
          continue
        default: break
        }
      }
      let chain = kind(part) == .chain ? part : child(part, .chain) ?? part
      guard kind(chain) == .chain else { return nil }
      if let call = children(chain, .call).last(where: { !functions(calledBy: $0).isEmpty }) {
        return functions(calledBy: call).lazy.compactMap { self.performInside($0) }.first
      }
      value = children(chain).first.flatMap { kind($0) == .name ? $0 : nil }
    }
    return nil
  }

  /// What a local is bound to, or the collection of which it is an element.
  private func boundValue(of local: Ref) -> Ref? {
    for scope in ancestors(local) {
      switch kind(scope) {
      case .binding, .optionalBinding, .forStatement, .caseCondition:
        return children(scope, .expression).first { !contains($0, local) }
      case .closure where kind(local) == .parameter: return collection(givenTo: scope)
      case .block, .members, .closure: return nil
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
    return text.count > 48 ? nameText(touch.place) : text
  }
}
