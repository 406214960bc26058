import PersistSyntax

/// How the methods of a type use a context that the type keeps.
private struct HabitsOfProperty: Query {
  let property: PropertyID

  static var provisional: PerformHabits { PerformHabits() }
  func answer(in program: Program) -> PerformHabits { program.findHabits(of: property) }
}

/// The bodies that use a kept context, by how they do.
private struct PerformHabits: Hashable, Sendable {
  /// Those that use it inside `perform` alone, with the name of that call.
  var performing: [Ref: Ref] = [:]
  /// Those that wait for `performAndWait`.
  var waiting: Set<Ref> = []
  /// Those that use it outside as well.
  var bare: Set<Ref> = []
}

// MARK: - What a type does with its context everywhere else

extension Program {
  /// A `performAndWait` of another method, where a method touches the context of its instance
  /// without one, which most others wait for: so the callers' queue seems not to be the context's.
  /// `perform` alone may only put off work.
  func habit(against touch: ManagedTouch) -> Ref? {
    guard touch.isContext, touch.action == .touches, isOwnContext(touch),
      let id = property(usedBy: touch.place), !properties[id].isComputed,
      !properties[id].isStatic
    else { return nil }
    let body = body(around: touch.place)
    guard kind(body) == .functionDecl, queue(at: touch.place) == .callers(body) else { return nil }
    let habits = answer(HabitsOfProperty(property: id))
    guard habits.bare.contains(body), habits.performing.count > 2,
      habits.performing.count > habits.bare.count,
      habits.waiting.count == habits.performing.count,
      !isCalledInPerform(body)
    else { return nil }
    return habits.performing.values.min()
  }

  fileprivate func findHabits(of id: PropertyID) -> PerformHabits {
    var found = PerformHabits()
    for use in uses(ofProperty: id) where !isExempt(use) && isAskedOfSelf(use) {
      let body = body(around: use)
      guard [.functionDecl, .initDecl].contains(kind(body)), let chain = parent(use) else {
        continue
      }
      let next = children(chain).first { $0 > use && kind($0) != .optionalChain }
      if let next, kind(next) == .member {
        if Words.performMethods.contains(name(next)) {
          found.performing[body] = next
          if name(next) == "performAndWait" { found.waiting.insert(body) }
          continue
        }
        if Words.threadSafeMembers.contains(name(next))
          || Words.contextSettings.contains(name(next))
        {
          continue
        }
      }
      if closure(moving: use) == nil, kind(body) != .initDecl { found.bare.insert(body) }
    }
    for body in found.bare { found.performing[body] = nil }
    found.waiting.subtract(found.bare)
    return found
  }

  /// Whether something that has the name of a method is called inside some `perform`, or the method
  /// is a part of those that call it.
  private func isCalledInPerform(_ body: Ref) -> Bool {
    guard let id = function(declaredAt: body) else { return true }
    let calls = calls(named: functions[id].name).filter { call in
      guard !isExempt(call) else { return false }
      switch callTarget(call) {
      case .functions(let all): return all.isEmpty || all.contains(id)
      case .initializer, .externalInitializer, .externalFunction: return false
      case .externalMethod(let receiver, _): return receiver.unwrapped == .unknown
      default: return true
      }
    }
    if functions[id].isPrivate && calls.isEmpty { return true }
    return calls.contains { isInPerform($0) || contains(body, $0) }
      || callers(of: id).contains { call in
        enclosingType(call) == functions[id].owner && !isExempt(call)
      }
  }
}
