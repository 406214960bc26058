import PersistSyntax

/// A use of a Core Data context or of its objects away from the context's queue.
package struct MisplacedUse: Sendable {
  /// What is wrong about the place.
  package enum Reason: Hashable, Sendable {
    /// In a task that began inside `perform` and runs after it.
    case taskInPerform
    /// On a global actor that has no context of its own.
    case globalActor
    /// A context, or an object of one, touched without `perform`.
    case outsidePerform
    /// In a closure that runs elsewhere than the `perform` around it.
    case afterPerform
    /// Inside `perform` of another context.
    case otherContext
    /// On the queue of a new context, while the object comes from outside.
    case backgroundTask
    /// In a call of a function that touches it on another queue.
    case handed(to: String)
    /// In the call of a function that touches it and leaves `perform` to its callers.
    case call(of: String)
    /// Without the `perform` that the other methods of its type have.
    case againstHabit
  }

  package let place: Ref
  package let value: String
  package let source: Ref
  package let reason: Reason
  /// The managed object's class; nil for a context.
  package let model: TypeID?
  /// All uses of the value there.
  package var uses: [ValueUse] = []
  /// Whether the context belongs to the main queue, and the place is not in `perform` of another.
  package var isMainAway = false
  /// The closure that runs the place elsewhere than the code around it.
  package var closure: Ref?
  /// Where the context is made or kept.
  package var executor: Ref?
  /// Where the function of the place is called away from the queue.
  package var callers: [Ref] = []
  /// The use in the function that is called at the place.
  package var inner: Ref?

  /// Where a function that gets the value, or is asked of it, uses it.
  package var deepest: Ref?

  /// The calls between the place and the use, in their order.
  package var path: [Ref] = []
  /// Where the same function uses the same context away from its queue besides.
  package var others: [Ref] = []
  /// The asynchronous function whose lack of an actor leads away from the main queue.
  package var unisolated: Ref?
  /// Whether the closure around the place is no task or work item that the code begins.
  package var isCalledBack = false
  /// Whether it only reads or writes what code keeps in the context for itself.
  package var isNote = false
  /// The `perform` whose closure hands the object out.
  package var outlet: Ref?
  /// What tells that the code around probably doesn't run on the main queue.
  package var hint: Ref?
  /// The `perform` of another method that uses the same context.
  package var habit: Ref?

  /// Whether a closure takes a context of the main queue, or an object of it, elsewhere.
  package var isMainCaptured: Bool {
    switch reason {
    case .handed: return false
    // What calls a function may be called back itself, and captures nothing.
    case .call where isCalledBack: return false
    default: return isMainAway && closure != nil
    }
  }

  /// The use itself, which may stand in a function that is called at the place.
  package var touched: Ref { inner ?? place }
  /// All places that explain it.
  package var related: [Ref] {
    var places: [Ref] = []
    let all =
      [executor, outlet, hint, habit, unisolated] + path + [inner, deepest] + callers + others
    for case let found? in all where found != place && !places.contains(found) {
      places.append(found)
    }
    return places
  }
}

/// The names that lead to contexts and managed objects: the classes, what gives, holds or hands out
/// such values, and what the frameworks call them.
private struct NamesOfContexts: Query {
  static var provisional: Set<Name> { [] }
  func answer(in program: Program) -> Set<Name> { program.findContextNames() }
}

/// All uses of contexts and managed objects away from their queues, as far as their executors are
/// known.
private struct MisplacedTouches: Query {
  static var provisional: [MisplacedTouch] { [] }
  func answer(in program: Program) -> [MisplacedTouch] { program.findMisplacedTouches() }
}

/// A touch that is wrong, or the call that makes it wrong.
struct MisplacedTouch: Hashable, Sendable {
  let touch: ManagedTouch
  let executor: ContextExecutor
  /// The place to report: that of the touch, or of a call that leads to it.
  let place: Ref
  let isOtherContext: Bool
  /// The body of the function that is called at the place.
  let called: Ref?
  /// Where the function runs that the touch calls, if that is what leaves the queue.
  var behind = PlaceQueue.here
  /// Places of callers away from the queue.
  var callers: [Ref] = []
  /// The calls between the place and the touch.
  var path: [Ref] = []
  /// Other places in the same code.
  var others: [Ref] = []
  /// What tells that the place is probably not on the main queue.
  var hint: Ref?
  /// A `perform` in another method of the type, which this one lacks.
  var habit: Ref?
}

extension Program {
  /// The uses of contexts and managed objects, of which the executor is known, away from their
  /// queues: one a function, closure and context.
  package var misplacedContextUses: [MisplacedUse] {
    answer(MisplacedTouches()).map { use(of: $0) }
  }

  fileprivate func findMisplacedTouches() -> [MisplacedTouch] {
    let files = filesTouchingContexts
    var found: [MisplacedTouch] = []
    var seen: [[Ref]: Int] = [:]
    for file in files {
      let touches = answer(TouchesInFile(file: file))
      // Where a context is misplaced, so are the objects that it gives there.
      let ofContexts = touches.filter { $0.isContext }
      for touch in ofContexts.filter({ !isOfNotes($0) }) + touches.filter({ !$0.isContext })
        + ofContexts.filter({ isOfNotes($0) })
      {
        for wrong in misplaced(touch)
        where !isReportedAsCapture(wrong) && !runsOnOwnExecutor(wrong.place) {
          let body = body(around: wrong.place)
          let key = [body, closure(moving: wrong.place) ?? body, key(wrong)]
          guard let first = seen[key] else {
            seen[key] = found.count
            found.append(wrong)
            continue
          }
          found[first].others +=
            wrong.called == nil ? [wrong.place] : [wrong.place] + wrong.path + [touch.place]
        }
      }
    }
    return found.sorted { $0.place < $1.place }
  }

  func key(_ wrong: MisplacedTouch) -> Ref {
    switch wrong.executor {
    case .made(let node), .kept(let node), .parameter(let node), .returned(let node): node
    case .main, .receiver: Ref(file: 0, node: 0)
    }
  }

  func body(around place: Ref) -> Ref {
    ancestors(place).first { [.functionDecl, .initDecl, .accessor].contains(kind($0)) }
      ?? Ref(file: Int(place.file), node: 0)
  }

  /// The innermost closure around a place that runs elsewhere than the code around it.
  package func closure(moving place: Ref) -> Ref? {
    ancestors(place).first { scope in
      kind(scope) == .closure && answer(QueueOfClosure(closure: scope)) != .here
        && !(child(scope, .captures).map { contains($0, place) } ?? false)
    }
  }

  /// The files in which contexts, or what gives them, may be named; tests and documentation left out.
  package var filesTouchingContexts: [Int] {
    files(usingAny: contextNames).filter { !files[$0].isTest && !files[$0].isDocumentation }
  }

  /// The names that lead to contexts and managed objects; none where nothing names Core Data's.
  var contextNames: Set<Name> { answer(NamesOfContexts()) }

  fileprivate func findContextNames() -> Set<Name> {
    let types: Set<Name> = ["NSManagedObjectContext", "newBackgroundContext", "viewContext"]
    guard !files(usingAny: types.union(["performBackgroundTask"])).isEmpty else { return [] }
    var names = types.union([
      "perform", "performAndWait", "performBackgroundTask", "managedObjectContext",
    ])
    for type in self.types(inheritingFrom: ["NSManagedObject", "NSManagedObjectContext"]) {
      names.insert(self.types[type].name)
    }
    return index.names.names(ledToBy: names) { givesExecutor(type(ofProperty: $0)) }
  }

  private func givesExecutor(_ type: SwiftType) -> Bool {
    if isManagedContext(type) || managedModel(in: type) != nil { return true }
    switch type {
    case .optional(let inner): return givesExecutor(inner)
    case .external(_, let arguments): return arguments.contains { givesExecutor($0) }
    case .tuple(let parts, _): return parts.contains { givesExecutor($0) }
    default: return false
    }
  }

  // MARK: Judging touches

  private func misplaced(_ touch: ManagedTouch) -> [MisplacedTouch] {
    let touch = asGiven(touch)
    guard !touch.executors.isOpen,
      let executor = touch.executors.known.min(by: { "\($0)" < "\($1)" }),
      touch.executors.arePrivate || touch.executors.only != nil, !isExempt(touch.place)
    else {
      let found = misplacedByDefault(touch)
      return found.isEmpty ? againstHabit(touch) : found
    }
    let here = queue(at: touch.place)
    var found: [MisplacedTouch] = []
    // What `perform` runs can't wait: a function that it calls runs there, whatever it says.
    let isInContext = if case .context = here { true } else { false }
    let behind = queuesBehind(touch)
    for behind in isInContext && !behind.isEmpty ? [.here] : behind.inOrder {
      let queue = behind == .here ? here : behind
      let answers = Set(
        touch.executors.known.map {
          misplacement(of: $0, on: queue, at: touch.isContext ? touch.place : nil)
        })
      guard answers.count == 1, let answer = answers.first else { continue }
      switch answer {
      case .otherContext where isHeldOutside(executor, at: touch.place): break
      case .away, .otherContext:
        found.append(wrong(touch, executor, at: touch.place, answer == .otherContext, behind))
      case .callers(let body): found += misplaced(touch, executor, calling: body)
      case .none, .inside: break
      }
    }
    if found.isEmpty, executor == .main, let hint = hintOfOtherQueue(touch.place) {
      var wrong = wrong(touch, executor, at: touch.place, false, .here)
      wrong.hint = hint
      return [wrong]
    }
    if found.isEmpty { return againstHabit(touch) }
    return Array(found.prefix(1)) + found.dropFirst().filter { $0.place != found[0].place }
  }

  /// A touch that lacks the `perform` which the other methods of its type have.
  private func againstHabit(_ touch: ManagedTouch) -> [MisplacedTouch] {
    guard !isExempt(touch.place), let habit = habit(against: touch),
      let id = property(usedBy: touch.place)
    else { return [] }
    var wrong = wrong(touch, .kept(properties[id].ref), at: touch.place, false, .here)
    wrong.habit = habit
    return [wrong]
  }

  /// A touch of what comes in by a parameter, in a closure that leaves the callers' queue: what all
  /// callers give is touched there.
  private func asGiven(_ touch: ManagedTouch) -> ManagedTouch {
    guard case .parameter(let parameter)? = touch.executors.only,
      let closure = closure(moving: touch.place),
      let function = parent(parameter).flatMap({ parent($0) }),
      contains(function, closure)
    else { return touch }
    let given = fromCallers(touch.executors)
    guard !given.isOpen, given != .none else { return touch }
    return ManagedTouch(
      place: touch.place, start: touch.start, type: touch.type, executors: given,
      action: touch.action, isContext: touch.isContext)
  }

  /// Whether the queue of an executor waits around a place, or may, while another context's
  /// `performAndWait` runs it.
  private func isHeldOutside(_ executor: ContextExecutor, at place: Ref) -> Bool {
    guard let closure = closure(moving: place), let (call, _) = callTaking(closure),
      calledName(call) == "performAndWait"
    else { return false }
    let outside = queue(at: call)
    switch misplacement(of: executor, on: outside) {
    case .inside: if case .context = outside { return true } else { return false }
    case .none, .callers: if case .parameter = executor { return true } else { return false }
    case .away, .otherContext: return false
    }
  }

  /// The calls that leave out the parameter which a context of the main queue stands in for, away
  /// from that queue.
  private func misplacedByDefault(_ touch: ManagedTouch) -> [MisplacedTouch] {
    let known = touch.executors.known
    guard !touch.executors.isOpen, known.count == 2, known.contains(.main),
      case .parameter(let parameter)? = known.first(where: { $0 != .main }),
      mayBeLeftOut(parameter), case .callers(let body) = queue(at: touch.place),
      contains(body, parameter), let id = function(declaredAt: body),
      queuesBehind(touch).contains(.here), !isExempt(touch.place)
    else { return [] }
    var seen: Set<Ref> = [body]
    var found: [MisplacedTouch] = []
    for (place, queue) in places(calling: body).sites where !isExempt(place) {
      let call = parent(place).flatMap { children($0, .call).first { $0 > place } }
      guard let call, functions(calledBy: call) == [id], !mayWaitForOverload(call, id),
        !gives(call, .parameter(parameter), of: id)
      else { continue }
      let answer = misplacement(of: .main, on: queue)
      switch answer {
      case .away, .otherContext:
        found.append(
          MisplacedTouch(
            touch: touch, executor: .main, place: place, isOtherContext: answer == .otherContext,
            called: body))
      case .callers(let outer) where seen.insert(outer).inserted:
        guard self.answer(QueuesOfCallers(body: outer, executor: .main)).someAway else { continue }
        found += calls(to: outer, awayFrom: .main, touch, false, [place], &seen)
      default: break
      }
    }
    return found
  }

  /// Whether a call waits, which a function that isn't asynchronous has no need for: there may be
  /// one of the same name that is.
  private func mayWaitForOverload(_ call: Ref, _ id: FunctionID) -> Bool {
    !node(functions[id].ref).flags.contains(.isAsync)
      && (parent(call).flatMap { parent($0) }.map { !children($0, .awaitMark).isEmpty } ?? false)
  }

  private func wrong(
    _ touch: ManagedTouch, _ executor: ContextExecutor, at place: Ref, _ isOther: Bool,
    _ behind: PlaceQueue
  ) -> MisplacedTouch {
    MisplacedTouch(
      touch: touch, executor: executor, place: place, isOtherContext: isOther, called: nil,
      behind: behind)
  }

  /// A touch in a body that runs where its callers do: wrong itself where no caller is on the
  /// queue, else the calls that are not.
  private func misplaced(_ touch: ManagedTouch, _ executor: ContextExecutor, calling body: Ref)
    -> [MisplacedTouch]
  {
    let isOwn = isOwnContext(touch)
    let callers = answer(QueuesOfCallers(body: body, executor: executor, isOwn: isOwn))
    if executor.isPrivate, !callers.someInside, !callers.isUnknown,
      callers.someAway || callers.begins
    {
      let away = places(calling: body).sites.filter {
        !isExempt($0.place)
          && [.away, .otherContext].contains(misplacement(of: executor, on: $0.queue))
      }
      var wrong = wrong(touch, executor, at: touch.place, false, .here)
      wrong.callers = away.map(\.place)
      return [wrong]
    }
    guard callers.someAway else { return [] }
    var seen: Set<Ref> = [body]
    return calls(to: body, awayFrom: executor, touch, isOwn, [], &seen)
  }

  private func calls(
    to body: Ref, awayFrom executor: ContextExecutor, _ touch: ManagedTouch, _ isOwn: Bool,
    _ path: [Ref], _ seen: inout Set<Ref>
  ) -> [MisplacedTouch] {
    var found: [MisplacedTouch] = []
    for (place, queue) in places(calling: body).sites where !isExempt(place) {
      let answer = misplacement(of: executor, on: queue, at: isOwn ? place : nil)
      switch answer {
      case .away, .otherContext:
        found.append(
          MisplacedTouch(
            touch: touch, executor: executor, place: place, isOtherContext: answer == .otherContext,
            called: body, path: path))
      case .callers(let outer):
        let isStillOwn = isOwn && isAskedOfSelf(place)
        let callers = self.answer(
          QueuesOfCallers(body: outer, executor: executor, isOwn: isStillOwn))
        guard callers.someAway, seen.insert(outer).inserted else { continue }
        if executor.isPrivate, !callers.someInside, !callers.isUnknown {
          found.append(
            MisplacedTouch(
              touch: touch, executor: executor, place: place, isOtherContext: false, called: body,
              path: path))
        } else {
          found += calls(
            to: outer, awayFrom: executor, touch, isStillOwn, [place] + path, &seen)
        }
      case .none, .inside: break
      }
    }
    return found
  }

  /// Whether the capture rules say the same of the place.
  private func isReportedAsCapture(_ wrong: MisplacedTouch) -> Bool {
    guard wrong.called == nil, !wrong.touch.isContext else { return false }
    if wrong.executor == .main, !wrong.isOtherContext {
      // What a task on the main actor hands to code elsewhere is captured nowhere.
      return closure(moving: wrong.place) != nil && queue(at: wrong.place) != .main
    }
    guard let closure = closure(moving: wrong.place) else { return false }
    return crossings.contains { crossing in
      crossing.body == closure && crossing.kind != .plainTask
        && captures(of: crossing).contains { $0.uses.contains { $0.place == wrong.place } }
    }
  }
}
