import PersistSyntax

// MARK: - Objects that leave `perform`

extension Program {
  /// The managed objects that come out of `perform` of a context with a private queue and are touched
  /// without it: by its result, by the result of a function around it, or by a variable outside.
  var objectsAfterPerform: [MisplacedUse] {
    var seen: Set<Ref> = []
    return ["perform", "performAndWait"].flatMap { calls(named: $0, inFilesUsingAny: ["CoreData"]) }
      .sorted().flatMap { call -> [MisplacedUse] in
        guard mayHoldContexts(Int(call.file)), !isSilent(call), runsOnPrivateContext(call) else {
          return []
        }
        return uses(ofResultOf: call, 0) + usesOfVariables(setIn: call)
      }.filter { seen.insert($0.place).inserted }
  }

  /// Whether a call of `perform` is one on a context with a queue of its own.
  private func runsOnPrivateContext(_ call: Ref) -> Bool {
    guard let first = callee(call).first, kind(first) == .name,
      let body = enclosingFunction(call).flatMap({ self.body(of: $0) }),
      let context = use(of: first, in: body)
    else { return false }
    return isCoreDataContext(context.type) && isPrivateContext(context.source)
  }

  /// The uses of what a call gives: in a local, or where the function around it is called.
  private func uses(ofResultOf call: Ref, _ depth: Int) -> [MisplacedUse] {
    guard depth < 4, let function = enclosingFunction(call), let body = body(of: function),
      contains(body, call), !runsInPerform(call, in: body)
    else { return [] }
    if let local = boundResult(call) {
      return firstTouch(of: local, in: body, after: call).map { [$0] } ?? []
    }
    if depth > 0, let touched = memberTouched(behind: call) { return [touched] }
    guard isResult(call, of: body), isManagedObject(model(in: resultType(function))) else {
      return []
    }
    return callers(of: function).filter { !isSilent($0) }.flatMap {
      uses(ofResultOf: $0, depth + 1)
    }
  }

  /// A property that is read right behind a call that gives a managed object.
  private func memberTouched(behind call: Ref) -> MisplacedUse? {
    guard let chain = parent(call), let place = calledNode(call) else { return nil }
    let type = resultType(ofCall: call)
    guard let model = model(in: type), isManagedObject(model), !type.unwrapped.isCollection,
      let member = children(chain).first(where: { $0 > call && kind($0) == .member }),
      !Words.threadSafeMembers.contains(name(member))
    else { return nil }
    return MisplacedUse(
      place: place, value: nameText(place), source: place, reason: .afterPerform, model: model)
  }

  /// Whether a call is what a function returns.
  private func isResult(_ call: Ref, of body: Ref) -> Bool {
    guard let chain = parent(call), children(chain).last == call, let expression = parent(chain),
      children(expression).allSatisfy({
        $0 == chain || [.tryMark, .awaitMark].contains(kind($0))
      }), let holder = parent(expression)
    else { return false }
    return kind(holder) == .returnStatement || statements(in: body) == [expression]
  }

  /// The objects that the closure of a call gives to variables outside of it.
  private func usesOfVariables(setIn call: Ref) -> [MisplacedUse] {
    guard let closure = arguments(call).lazy.compactMap({ self.closure(of: $0) }).last,
      let function = enclosingFunction(call), let body = body(of: function), contains(body, call)
    else { return [] }
    var seen: Set<Ref> = []
    return descendants(closure, .name).compactMap { name in
      guard isAssignmentTarget(name), case .local(let local)? = declared(name),
        !contains(closure, local), contains(body, local),
        isManagedObject(model(in: type(ofLocal: local))), seen.insert(local).inserted
      else { return nil }
      return firstTouch(of: local, in: body, after: call)
    }
  }

  private func firstTouch(of local: Ref, in body: Ref, after call: Ref) -> MisplacedUse? {
    guard isManagedObject(model(in: type(ofLocal: local))) else { return nil }
    let end = Ref(file: Int(call.file), node: Int(subtree(call).upperBound) - 1)
    let uses = descendants(body, .name).filter { $0 > end }
      .compactMap { self.use(of: $0, in: body) }
      .filter { $0.source == local && !runsInPerform($0.place, in: body) }
    guard let touched = uses.first(where: { isTouched($0, home: .nonisolated) }) else { return nil }
    return MisplacedUse(
      place: touched.place, value: touched.value, source: local, reason: .afterPerform,
      model: model(in: touched.type), uses: uses)
  }

  /// The local that holds nothing but the result of a call.
  private func boundResult(_ call: Ref) -> Ref? {
    guard let chain = parent(call), children(chain).last == call, let expression = parent(chain),
      let binding = parent(expression),
      kind(binding) == .binding || kind(binding) == .optionalBinding,
      property(declaredAt: binding) == nil
    else { return nil }
    return child(binding, .boundName)
  }
}
