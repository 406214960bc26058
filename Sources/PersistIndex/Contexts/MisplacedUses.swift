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

  /// Whether a closure takes a context of the main queue, or an object of it, elsewhere.
  package var isMainCaptured: Bool {
    if case .handed = reason { return false }
    return isMainAway && closure != nil
  }

  /// The use itself, which may stand in a function that is called at the place.
  package var touched: Ref { inner ?? place }
  /// All places that explain it.
  package var related: [Ref] {
    [executor, inner, deepest].compactMap { $0 } + callers
  }
}

/// Where contexts and managed objects may be named, and by what.
struct ContextWords: Equatable {
  /// The files that hold one of the words, tests and documentation left out.
  var files: [Int] = []
  /// The classes, the functions and properties that give contexts or objects, and what the
  /// frameworks call them.
  var words: Set<Name> = []
  /// These, and what hands out such values in closures, tuples and cases.
  var leading: Set<Name> = []
}

private struct WordsOfContexts: Query {
  static var provisional: ContextWords { ContextWords() }
  func answer(in program: Program) -> ContextWords { program.findContextWords() }
}

/// All uses of contexts and managed objects away from their queues, as far as their executors are
/// known.
private struct MisplacedTouches: Query {
  static var provisional: [MisplacedTouch] { [] }
  func answer(in program: Program) -> [MisplacedTouch] { program.findMisplacedTouches() }
}

/// A touch that is wrong, or the call that makes it wrong.
private struct MisplacedTouch: Hashable, Sendable {
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
    var seen: Set<[Ref]> = []
    for file in files {
      let touches = answer(TouchesInFile(file: file))
      // Where a context is misplaced, so are the objects that it gives there.
      for touch in touches.filter(\.isContext) + touches.filter({ !$0.isContext }) {
        for wrong in misplaced(touch) where !isReportedAsCapture(wrong) {
          let body = body(around: wrong.place)
          let key = [body, closure(moving: wrong.place) ?? body, key(wrong)]
          if seen.insert(key).inserted { found.append(wrong) }
        }
      }
    }
    return found.sorted { $0.place < $1.place }
  }

  private func key(_ wrong: MisplacedTouch) -> Ref {
    switch wrong.executor {
    case .made(let node), .kept(let node), .parameter(let node), .returned(let node): node
    case .main, .receiver: Ref(file: 0, node: 0)
    }
  }

  private func body(around place: Ref) -> Ref {
    ancestors(place).first { [.functionDecl, .initDecl, .accessor].contains(kind($0)) }
      ?? Ref(file: Int(place.file), node: 0)
  }

  /// The innermost closure around a place that runs elsewhere than the code around it.
  func closure(moving place: Ref) -> Ref? {
    ancestors(place).first { scope in
      kind(scope) == .closure && answer(QueueOfClosure(closure: scope)) != .here
        && !(child(scope, .captures).map { contains($0, place) } ?? false)
    }
  }

  /// The files in which contexts, or what gives them, may be named.
  package var filesTouchingContexts: [Int] { contextWords.files }

  /// Where contexts and managed objects may be named, and by what.
  var contextWords: ContextWords { answer(WordsOfContexts()) }

  fileprivate func findContextWords() -> ContextWords {
    let types: Set<Name> = ["NSManagedObjectContext", "newBackgroundContext", "viewContext"]
    guard !files(usingAny: types.union(["performBackgroundTask"])).isEmpty else {
      return ContextWords()
    }
    var words = types.union([
      "perform", "performAndWait", "performBackgroundTask", "managedObjectContext",
    ])
    for type in self.types(inheritingFrom: ["NSManagedObject", "NSManagedObjectContext"]) {
      words.insert(self.types[type].name)
    }
    var looked: Set<Int> = []
    while true {
      let files = Set(files(usingAny: words)).subtracting(looked)
      guard !files.isEmpty else { break }
      looked.formUnion(files)
      load(files.sorted())
      for file in files { words.formUnion(namesGivingExecutors(in: file)) }
    }
    let shipped = looked.sorted().filter {
      !self.files[$0].isTest && !self.files[$0].isDocumentation
    }
    var leading = LeadingWords(self, from: words) { self.givesExecutor($0) }
    leading.follow(inside: looked.sorted())
    return ContextWords(files: shipped, words: words, leading: leading.words)
  }

  /// The names of a file's functions and properties that give contexts or managed objects.
  private func namesGivingExecutors(in file: Int) -> [Name] {
    let functions = firsts[file].functions.filter { givesExecutor(resultType($0)) }
    let properties = firsts[file].properties.filter { givesExecutor(type(ofProperty: $0)) }
    return functions.map { self.functions[$0].name } + properties.map { self.properties[$0].name }
  }

  private func givesExecutor(_ type: SwiftType) -> Bool {
    isManagedContext(type) || managedModel(in: type) != nil
  }

  // MARK: Judging touches

  private func misplaced(_ touch: ManagedTouch) -> [MisplacedTouch] {
    guard !touch.executors.isOpen,
      let executor = touch.executors.known.min(by: { "\($0)" < "\($1)" }),
      touch.executors.arePrivate || touch.executors.only != nil, !isExempt(touch.place)
    else { return [] }
    let here = queue(at: touch.place)
    var found: [MisplacedTouch] = []
    // What `perform` runs can't wait: a function that it calls runs there, whatever it says.
    let isInContext = if case .context = here { true } else { false }
    for behind in isInContext ? Set(queuesBehind(touch).map { _ in .here }) : queuesBehind(touch) {
      let queue = behind == .here ? here : behind
      let answers = Set(touch.executors.known.map { misplacement(of: $0, on: queue) })
      guard answers.count == 1, let answer = answers.first else { continue }
      switch answer {
      case .otherContext where isHeldOutside(executor, at: touch.place): break
      case .away, .otherContext:
        found.append(wrong(touch, executor, at: touch.place, answer == .otherContext, behind))
      case .callers(let body): found += misplaced(touch, executor, calling: body)
      case .none, .inside: break
      }
    }
    return Array(found.prefix(1)) + found.dropFirst().filter { $0.place != found[0].place }
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
    let callers = answer(QueuesOfCallers(body: body, executor: executor))
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
    return calls(to: body, awayFrom: executor, touch, &seen)
  }

  private func calls(
    to body: Ref, awayFrom executor: ContextExecutor, _ touch: ManagedTouch, _ seen: inout Set<Ref>
  ) -> [MisplacedTouch] {
    var found: [MisplacedTouch] = []
    for (place, queue) in places(calling: body).sites where !isExempt(place) {
      let answer = misplacement(of: executor, on: queue)
      switch answer {
      case .away, .otherContext:
        found.append(
          MisplacedTouch(
            touch: touch, executor: executor, place: place, isOtherContext: answer == .otherContext,
            called: body))
      case .callers(let outer):
        let callers = self.answer(QueuesOfCallers(body: outer, executor: executor))
        guard callers.someAway, seen.insert(outer).inserted else { continue }
        if executor.isPrivate, !callers.someInside, !callers.isUnknown {
          found.append(
            MisplacedTouch(
              touch: touch, executor: executor, place: place, isOtherContext: false, called: body))
        } else {
          found += calls(to: outer, awayFrom: executor, touch, &seen)
        }
      case .none, .inside: break
      }
    }
    return found
  }

  /// Whether the capture rules say the same of the place.
  private func isReportedAsCapture(_ wrong: MisplacedTouch) -> Bool {
    guard wrong.called == nil, !wrong.touch.isContext else { return false }
    if wrong.executor == .main, !wrong.isOtherContext { return closure(moving: wrong.place) != nil }
    guard let closure = closure(moving: wrong.place) else { return false }
    return crossings.contains { crossing in
      crossing.body == closure && crossing.kind != .plainTask
        && captures(of: crossing).contains { $0.uses.contains { $0.place == wrong.place } }
    }
  }

  // MARK: What to say

  private func use(of wrong: MisplacedTouch) -> MisplacedUse {
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
    return MisplacedUse(
      place: wrong.place, value: first?.value ?? valueText(touch), source: source,
      reason: reason(wrong), model: touch.isContext ? nil : model(in: touch.type), uses: uses,
      isMainAway: wrong.executor == .main && !wrong.isOtherContext,
      closure: closure(moving: wrong.place),
      executor: executor(of: wrong, besides: source), callers: wrong.callers,
      inner: wrong.called == nil ? nil : touch.place, deepest: placeInside(touch, on: wrong.behind))
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
