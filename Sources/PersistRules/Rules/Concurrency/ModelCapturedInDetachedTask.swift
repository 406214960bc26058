import PersistFlow
import PersistIndex
import PersistSyntax

/// A model used apart from the actor it belongs to: the app crashes or shows half-written values.
struct ModelCapturedInDetachedTask: Rule {
  static let id: RuleID = "model-captured-in-detached-task"
  static let readsFacts = true
  static let mends = true

  func check(_ program: Program, into findings: inout Findings) {
    var seen: Set<Ref> = []
    var handed: Set<Ref> = []
    var chains: Set<Ref> = []
    var given = GivenNames()
    checkConcurrentFunctions(program, into: &findings)
    for crossing in program.crossings where Self.isJudged(crossing, program) {
      for capture in program.captures(of: crossing) {
        guard let model = program.model(in: capture.type), !program.isMadeInside(capture) else {
          continue
        }
        let uses = capture.uses.filter { seen.insert($0.place).inserted }
        for use in uses where capture.value == "self" {
          chains.insert(program.chain(of: use.place))
        }
        report(capture, uses, ModelName(model, in: program), program, &given, &handed, &findings)
      }
      for call in program.ownCalls(in: crossing)
      where seen.insert(call.place).inserted && !chains.contains(program.chain(of: call.place)) {
        guard let model = program.model(in: call.use.type) else { continue }
        findings.report(
          .calls(call.method, using: call.use.touched, ModelName(model, in: program)),
          at: call.place,
          related: [
            .init(call.use.place, "`\(call.use.value)` is used here"),
            .init(call.use.source, "`\(call.use.value)` comes from here"),
          ])
      }
    }
    let causes = program.offQueueCauses {
      $0.kind == .object
        && ($0.owner.framework == .swiftData && !program.tells($0)
          || $0.owner.framework == .coreData && $0.isCapturedFromMain)
    }
    for cause in causes { findings.report(cause) }
  }

  /// Whether a model that is used in a crossing surely leaves its context. The compiler lets none
  /// into a plain task in the mode of Swift 6.
  static func isJudged(_ crossing: IsolationCrossing, _ program: Program) -> Bool {
    guard crossing.kind == .plainTask else { return true }
    return crossing.origin == .nonisolated && !program.isCompiledAsSwift6(crossing.body)
  }

  /// Reports the models that `@concurrent` functions take, which run beside whoever calls them.
  private func checkConcurrentFunctions(_ program: Program, into findings: inout Findings) {
    for (place, function) in program.modelsTakenConcurrently {
      guard let model = program.model(in: program.type(ofTypeNode: place)) else { continue }
      let name = ModelName(model, in: program)
      findings.report(
        .takes(name, program.nameText(program.functions[function].ref)), at: place,
        related: [.init(name.declaration, "`\(name.name)` is a model")])
    }
  }

  private func report(
    _ capture: Capture, _ uses: [ValueUse], _ model: ModelName, _ program: Program,
    _ given: inout GivenNames, _ handed: inout Set<Ref>, _ findings: inout Findings
  ) {
    let related = [
      Findings.Related(capture.source, "`\(capture.value)` comes from here"),
      Findings.Related(model.declaration, "`\(model.name)` is a model"),
    ]
    var taken = TakenValues(uses, of: capture, in: program)
    given.part(&taken, of: capture, in: program)
    if let first = uses.first(where: \.action.touches) {
      findings.report(
        .touches(capture, model, taken), at: first.place, related: related,
        fix: program.takenValuesFix(capture))
      return
    }
    for use in uses {
      guard case .passes(let call, let argument) = use.action else { continue }
      let name = program.nameText(program.calledNode(call) ?? call)
      guard
        program.argumentEscape(of: use.type, to: argument, of: call, from: capture.crossing.origin)
          == .escapes
      else { continue }
      // Two models in one call have one cause.
      guard handed.insert(call).inserted else { return }
      findings.report(.hands(capture, model, to: name), at: use.place, related: related)
      return
    }
  }
}

extension Program {
  /// Whether another rule reports that an actor hands its models out, or takes others.
  fileprivate func tells(_ cause: OffQueueCause) -> Bool {
    let actor: TypeID
    switch (cause.owner.home, cause.executor) {
    // A closure of the actor itself, or one that leaves main with the model, has a cause of its own.
    case (.actor(let type), let executor)
    where !cause.isCaptured || executor == .main && enclosingType(cause.body) != type:
      actor = type
    case (_, .actor(let type)) where !cause.isCaptured: actor = type
    default: return false
    }
    return modelSignatures.contains { $0.actor == actor }
  }
}

/// The names that suggestions of one function have given already, and to the values of what.
private struct GivenNames {
  private var names: [Ref: [String: String]] = [:]

  /// Lets a suggestion take no name that another model's value has there.
  mutating func part(_ taken: inout TakenValues, of capture: Capture, in program: Program) {
    guard taken.advice != nil else { return }
    let scope = program.enclosingDeclaration(capture.crossing.body)
    taken.avoid { name in names[scope]?[name].map { $0 != capture.value } ?? false }
    for name in taken.names { names[scope, default: [:]][name] = capture.value }
  }
}

/// A model's name, its declaration, and the name of its identifier.
struct ModelName {
  let name: String
  /// `persistentModelID`, or Core Data's `objectID`.
  let property: String
  let declaration: Ref

  init(_ model: TypeID, in program: Program) {
    declaration = program.types[model].ref
    name = program.nameText(declaration)
    property = program.inherits(model, from: "NSManagedObject") ? "objectID" : "persistentModelID"
  }

  /// The expression that gives the identifier of a captured value.
  func identifier(of capture: Capture) -> String {
    var value = capture.value
    if case .optional = capture.type { value += "?" }
    return switch capture.type.unwrapped {
    case .array, .set: "\(value).map(\\.\(property))"
    case .dictionary(_, .array), .dictionary(_, .set):
      "\(value).values.joined().map(\\.\(property))"
    case .dictionary: "\(value).values.map(\\.\(property))"
    default: "\(value).\(property)"
    }
  }
}

extension ValueUse {
  /// The value with what is touched of it: `trip.title`.
  fileprivate var touched: String {
    switch action {
    case .reads(let name), .sets(let name): isElement ? value : "\(value).\(name)"
    case .calls(let name): isElement ? value : "\(value).\(name)()"
    default: value
    }
  }
}

extension ValueAction {
  fileprivate var touches: Bool {
    switch self {
    case .reads, .sets, .calls: true
    case .passes, .mentions: false
    }
  }
}

extension IsolationCrossing {
  /// Where the closure runs, as a message says it.
  var whereabouts: String {
    switch kind {
    case .detachedTask: "in a detached task"
    case .globalQueue: "on a global queue"
    case .privateQueue: "on another queue"
    case .operationQueue: "in an operation"
    case .taskGroup: "in a child task"
    case .asyncLet: "in an `async let`"
    case .plainTask: "in a task without an actor"
    case .concurrentTask: "in a `@concurrent` task"
    case .otherActor: isolation == .mainActor ? "on the main actor" : "on another actor"
    }
  }

  /// What runs the closure, as a message names it.
  var name: String {
    switch kind {
    case .detachedTask, .taskGroup, .plainTask, .concurrentTask: "task"
    case .asyncLet: "`async let`"
    default: "closure"
    }
  }
}

extension Finding.Message {
  fileprivate static func touches(
    _ capture: Capture, _ model: ModelName, _ taken: TakenValues
  ) -> Self {
    let cause =
      "the app can crash here or show half-written values, because `\(capture.value)`"
      + " (\(model.name)) is used \(capture.crossing.whereabouts), away from its own context"
    if let lines = taken.advice {
      return
        "\(cause); before the \(capture.crossing.name), write \(lines) and use \(taken.those) inside"
    }
    if let method = taken.called {
      return
        "\(cause); call `\(capture.value).\(method)()` before the \(capture.crossing.name) and use the result inside"
    }
    let read = taken.read.isEmpty ? "" : " (to read \(taken.read.quoted))"
    let context =
      capture.crossing.isolation == .mainActor ? "the main context" : "a context created inside"
    return
      "\(cause)\(read); pass `\(model.identifier(of: capture))` and look the \(model.name) up in \(context)"
  }

  fileprivate static func takes(_ model: ModelName, _ function: String) -> Self {
    """
    the app can crash in `\(function)`, because a `@concurrent` function uses the \(model.name) \
    away from its own context; take the `\(model.property)` or plain values
    """
  }

  fileprivate static func hands(_ capture: Capture, _ model: ModelName, to function: String)
    -> Self
  {
    "the app can crash here, because `\(capture.value)` (\(model.name)) is passed to `\(function)` \(capture.crossing.whereabouts), away from its own context; pass `\(model.identifier(of: capture))` or plain values instead"
  }

  fileprivate static func calls(
    _ method: String, using value: String, _ model: ModelName
  ) -> Self {
    "the app can crash here or show half-written values, because `\(method)` uses `\(value)` (\(model.name)) away from its own context; read the values first and pass them to `\(method)`"
  }
}

extension [String] {
  /// The first four, each in backquotes.
  var quoted: String { prefix(4).map { "`\($0)`" }.joined(separator: ", ") }
}
