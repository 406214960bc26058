import PersistFlow
import PersistIndex

/// A model used apart from the actor it belongs to: the app crashes or shows half-written values.
struct ModelCapturedInDetachedTask: Rule {
  static let id: RuleID = "model-captured-in-detached-task"
  static let analysis = Analysis.owners
  static let mends = true

  func check(_ program: Program, into findings: inout Findings) {
    checkConcurrentFunctions(program, into: &findings)
    let causes = program.offQueueCauses {
      $0.kind == .object
        && ($0.owner.framework == .swiftData && !program.tells($0)
          || $0.owner.framework == .coreData && program.leavesMain($0))
    }
    var report = OffQueueReport(program, mends: true)
    for cause in causes { report.report(cause, into: &findings) }
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

extension Finding.Message {
  fileprivate static func takes(_ model: ModelName, _ function: String) -> Self {
    """
    the app can crash in `\(function)`, because a `@concurrent` function uses the \(model.name) \
    away from its own context; take the `\(model.property)` or plain values
    """
  }
}

extension [String] {
  /// The first four, each in backquotes.
  var quoted: String { prefix(4).map { "`\($0)`" }.joined(separator: ", ") }
}
