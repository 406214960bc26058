import PersistFlow
import PersistIndex

extension Finding.Message {
  /// Says that a body uses something off the queue of its owner.
  static func offQueue(
    _ cause: OffQueueCause, _ value: String?, _ body: Ref?, _ program: Program
  ) -> Self {
    switch cause.kind {
    case .opening: return .opensOnConcurrentQueue
    case .result:
      return .returnsAway(program.enclosingFunction(cause.place).map(program.functionName))
    default: break
    }
    let what: String
    if !cause.isDirect {
      let called = program.nameText(cause.place)
      let subject = cause.owner.subject(cause.kind)
      what =
        called.isEmpty
        ? "what is called here uses \(subject)" : "`\(called)` uses \(subject)"
    } else if let value {
      what = (cause.kind == .context ? cause.owner.noun + " " : "") + "`\(value)` is used"
    } else {
      what = cause.owner.subject(cause.kind) + " is used"
    }
    let place = cause.whereabouts(body.flatMap { program.beginning(of: $0) })
    let effect =
      cause.owner.framework == .realm
      ? "the app crashes here (Realm accessed from incorrect thread)"
      : "the app can crash or lose edits here"
    return
      "\(effect), because \(what) \(place), away from \(cause.owner.home(cause.kind)); \(cause.owner.advice(cause.kind))"
  }

  /// Says that a closure uses an object that it has taken along.
  static func touches(
    _ capture: Capture, _ model: ModelName, _ taken: TakenValues, of cause: OffQueueCause,
    begun beginning: Beginning?
  ) -> Self {
    let place = cause.whereabouts(beginning)
    let why =
      "the app can crash here or show half-written values, because `\(capture.value)`"
      + " (\(model.name)) is used \(place), away from \(cause.owner.home(cause.kind))"
    if let lines = taken.advice {
      return
        "\(why); before the \(beginning.name), write \(lines) and use \(taken.those) inside"
    }
    if let method = taken.called {
      return
        "\(why); call `\(capture.value).\(method)()` before the \(beginning.name) and use the result inside"
    }
    let read = taken.read.isEmpty ? "" : " (to read \(taken.read.quoted))"
    let context = cause.executor == .main ? "the main context" : "a context created inside"
    return
      "\(why)\(read); pass `\(model.identifier(of: capture))` and look the \(model.name) up in \(context)"
  }

  /// Says that a closure hands an object that it has taken along to a function that uses it there.
  static func hands(
    _ capture: Capture, _ model: ModelName, to function: String, _ cause: OffQueueCause,
    begun beginning: Beginning?
  )
    -> Self
  {
    let place = cause.whereabouts(beginning)
    return
      "the app can crash here, because `\(capture.value)` (\(model.name)) is passed to `\(function)` \(place), away from \(cause.owner.home(cause.kind)); pass `\(model.identifier(of: capture))` or plain values instead"
  }
}

extension Finding.Message {
  fileprivate static let opensOnConcurrentQueue: Self = """
    the app crashes here (Realm accessed from incorrect thread), because a realm belongs to one \
    thread at a time and this queue uses several; give it a serial queue
    """

  fileprivate static func returnsAway(_ function: String?) -> Self {
    """
    the app crashes (Realm accessed from incorrect thread) where the result of \
    \(function.map { "`\($0)`" } ?? "this function") is used, because the object belongs to the \
    thread on which this async function happened to run; return plain values or a frozen object \
    (`freeze()`), or isolate the function to an actor
    """
  }
}

extension OffQueueCause {
  /// Where the body runs, as a message says it.
  fileprivate func whereabouts(_ beginning: Beginning?) -> String {
    if owner.home == .left { return "after a wait" }
    if owner.framework == .realm, executor == .outside { return "on another thread" }
    switch executor {
    case .pool, .background, .queue, .unknown:
      if let beginning { return beginning.whereabouts }
    default: break
    }
    return executor.whereabouts
  }
}

extension Beginning {
  /// Where the closure runs, as a message says it.
  fileprivate var whereabouts: String {
    switch self {
    case .detachedTask: "in a detached task"
    case .globalQueue: "on a global queue"
    case .operation: "in an operation"
    case .childTask: "in a child task"
    case .asyncLet: "in an `async let`"
    case .task: "in a task without an actor"
    case .concurrentTask: "in a `@concurrent` task"
    }
  }
}

extension Beginning? {
  /// What runs the closure, as a message names it.
  var name: String {
    switch self {
    case .detachedTask, .childTask, .task, .concurrentTask: "task"
    case .asyncLet: "`async let`"
    default: "closure"
    }
  }
}

extension Owner {
  var madeHere: String {
    framework == .realm ? "the realm is opened here" : "the context is made here"
  }

  fileprivate var noun: String { framework == .realm ? "the realm" : "the context" }

  fileprivate func subject(_ kind: Use.Kind) -> String {
    if kind == .context {
      if case .given = home, framework != .realm { return "a context" }
      return home == .main
        ? (framework == .realm ? "the main thread's realm" : "the main queue's context")
        : (framework == .realm ? "a realm of another thread" : "a background context")
    }
    return switch framework {
    case .realm: "an object of a realm"
    case .coreData: "a managed object"
    case .swiftData: "a model"
    }
  }

  /// Where the owner's objects may be used.
  fileprivate func home(_ kind: Use.Kind) -> String {
    switch home {
    case .main: framework == .swiftData ? "the main actor" : "the main queue"
    case .own: kind == .context ? "its own queue" : "the queue of its context"
    case .actor: "its actor"
    default: framework == .realm ? "the thread of its realm" : "where its context was created"
    }
  }

  fileprivate func advice(_ kind: Use.Kind) -> String {
    switch (framework, kind) {
    case (.coreData, .context): "call `perform` on the context and do the work inside"
    case (.coreData, _):
      "read the values on its queue first, or pass the `objectID` and look the object up here"
    case (.swiftData, .context):
      "create a `ModelContext(container)` here, or do the work on the main actor"
    case (.swiftData, _):
      "read the values first, or pass the `persistentModelID` and look the model up here"
    case (.realm, _): "open a realm here, or pass a frozen object or a `ThreadSafeReference`"
    }
  }
}

extension Executor {
  /// Where the code runs, as a message says it.
  fileprivate var whereabouts: String {
    switch self {
    case .main: "on the main thread"
    case .pool: "in code without an actor"
    case .actor: "on an actor"
    case .owner: "inside `perform` of another context"
    case .outside: "outside `perform`"
    case .queue, .background, .unknown: "on another queue"
    }
  }
}
