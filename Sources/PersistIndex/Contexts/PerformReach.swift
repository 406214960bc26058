import PersistSyntax

/// The functions that code inside `perform` of a context may call, by their names.
private struct NamesInPerform: Query {
  let executor: ContextExecutor

  static var provisional: PerformedNames { PerformedNames() }
  func answer(in program: Program) -> PerformedNames { program.findNamesInPerform(of: executor) }
}

/// What is called inside `perform`.
private struct PerformedNames: Hashable, Sendable {
  var names: Set<Name> = []
  /// Whether more may be called than is known.
  var isOpen = false
}

// MARK: - What `perform` may call

extension Program {
  /// Whether no code inside `perform` of a context that a property keeps can call a function,
  /// whatever the values are of which methods with its name are called.
  func isOutOfReach(_ id: FunctionID, of executor: ContextExecutor) -> Bool {
    guard case .kept(let place) = executor, functions[id].kind == .functionDecl,
      !isPublicCode(place), !isPublicCode(functions[id].ref)
    else { return false }
    let performed = answer(NamesInPerform(executor: executor))
    return !performed.isOpen && !performed.names.contains(functions[id].name)
  }

  private func isPublicCode(_ declaration: Ref) -> Bool {
    ([declaration] + ancestors(declaration)).prefix(3).contains { node in
      children(node, .modifier).contains { ["public", "open"].contains(name($0)) }
    }
  }

  fileprivate func findNamesInPerform(of executor: ContextExecutor) -> PerformedNames {
    var found = PerformedNames()
    var open = Words.performMethods.flatMap { calls(named: $0) }
      .filter { !isExempt($0) && mayPerform(executor, $0) }
      .flatMap { call in arguments(call).flatMap { self.code(in: $0, &found.names) } }
    var seen: Set<Ref> = []
    var read: Set<Name> = []
    while let region = open.popLast() {
      guard seen.insert(region).inserted else { continue }
      guard isWithin(seen.count, .performedBodies) else {
        found.isOpen = true
        break
      }
      for call in descendants(region, .call) { open += code(calledBy: call, &found.names) }
      for use in descendants(region, .name) + descendants(region, .member)
      where read.insert(name(use)).inserted {
        open += accessors(named: name(use))
      }
    }
    return found
  }

  /// The closure that an argument is, or the bodies of the functions that it names.
  private func code(in argument: Ref, _ names: inout Set<Name>) -> [Ref] {
    if let closure = closure(of: argument) { return [closure] }
    guard let value = child(argument, .expression), let chain = child(value, .chain),
      let last = children(chain).last, [.name, .member].contains(kind(last))
    else { return [] }
    return bodies(named: name(last), &names)
  }

  private func code(calledBy call: Ref, _ names: inout Set<Name>) -> [Ref] {
    guard let called = calledNode(call), [.name, .member, .implicitMember].contains(kind(called))
    else { return [] }
    // A closure that comes in is one of those that the callers give.
    if kind(called) == .name, case .local(let local)? = declared(called), kind(local) == .parameter,
      let list = parent(local), let holder = parent(list), let id = function(declaredAt: holder)
    {
      return calls(named: functions[id].name).flatMap { call in
        arguments(call).flatMap { code(in: $0, &names) }
      }
    }
    if case .initializer(_, let candidates) = callTarget(call) {
      return candidates.compactMap { body(of: $0) }
    }
    return bodies(named: calledName(call), &names)
  }

  private func bodies(named name: Name, _ names: inout Set<Name>) -> [Ref] {
    guard names.insert(name).inserted else { return [] }
    return functions(named: name).compactMap { body(of: $0) }
  }

  /// The getters of the computed properties with a name, as far as they are known to touch
  /// contexts.
  private func accessors(named name: Name) -> [Ref] {
    guard contextNames.contains(name) else { return [] }
    return properties(inFilesUsing: name).filter { properties[$0].name == name }.compactMap { id in
      properties[id].accessors.map { Ref(file: Int(properties[id].ref.file), node: $0) }
    }
  }
}
