import PersistFlow
import PersistIndex
import PersistSyntax

/// A managed object or context used away from its queue: the app crashes at random or loses edits.
struct ManagedObjectOutsideContext: Rule {
  static let id: RuleID = "managed-object-outside-context"
  static let readsFacts = true

  func check(_ program: Program, into findings: inout Findings) {
    let all = program.misplacedUses.filter { !$0.isMainCaptured }
    // A context that a type keeps and uses in each of its methods is one cause.
    let kept = Dictionary(grouping: all.filter { isKept($0, program) }) {
      Cause(file: $0.place.file, source: $0.source)
    }.mapValues { $0.sorted { $0.place < $1.place } }
    let shared = sharedCauses(all, program)
    for use in all {
      let others =
        isKept(use, program)
        ? kept[Cause(file: use.place.file, source: use.source)]
        : SharedCause(use, program).flatMap { shared[$0] }
      if let others, others[0].place != use.place { continue }
      var related = [Findings.Related(use.source, "`\(use.value)` comes from here")]
      if let model = use.model {
        let declaration = program.types[model].ref
        related.append(
          .init(declaration, "`\(program.nameText(declaration))` is a managed object"))
      }
      related += use.related.map { .init($0, use.explanation(of: $0)) }
      let again = isKept(use, program) ? "and used here without it" : "and here"
      for other in (others ?? []).dropFirst() {
        related.append(.init(other.place, again))
        related += other.unisolated.map { [.init($0, other.explanation(of: $0))] } ?? []
      }
      findings.report(
        .misplaced(
          use, use.model.map { ModelName($0, in: program).name },
          TakenValues(use.uses, of: use.value, in: program)), at: use.place,
        severity: use.hint == nil && use.habit == nil && !use.isNote ? nil : .warning,
        related: related)
    }
    let causes = program.offQueueCauses {
      $0.owner.framework == .coreData
        && ($0.executor.isInPerform
          || ($0.kind == .object ? !$0.isCapturedFromMain : $0.owner.home == .own))
    }
    for cause in causes { findings.report(cause) }
  }
}

/// The uses with one cause, in source order.
private func sharedCauses(_ uses: [MisplacedUse], _ program: Program)
  -> [SharedCause: [MisplacedUse]]
{
  var groups: [SharedCause: [MisplacedUse]] = [:]
  for use in uses {
    if let cause = SharedCause(use, program) { groups[cause, default: []].append(use) }
  }
  return groups.mapValues { $0.sorted { $0.place < $1.place } }
}

/// What makes several uses one cause: calls of one function that uses a context, those that leave the
/// main queue file by file; objects that one place takes out of a background context; or objects that
/// calls in one file hand to the same use.
private enum SharedCause: Hashable {
  case call(file: Int32?, function: String, touched: Ref)
  case leak(from: Ref, model: TypeID)
  case handed(file: Int32, use: Ref)

  init?(_ use: MisplacedUse, _ program: Program) {
    switch use.reason {
    case .call(let function):
      let isWithin = program.contains(around: use.touched, use.source)
      guard use.isMainAway || isWithin else { return nil }
      self = .call(
        file: use.isMainAway ? use.place.file : nil, function: use.isMainAway ? function : "",
        touched: use.touched)
    case .outsidePerform where !use.isMainAway:
      guard let model = use.model else { return nil }
      // A context that a property keeps hands objects out in many places.
      let made = use.executor.flatMap { program.property(declaredAt: $0) == nil ? $0 : nil }
      self = .leak(from: made ?? use.source, model: model)
    case .handed:
      guard let deepest = use.deepest else { return nil }
      self = .handed(file: use.place.file, use: deepest)
    default: return nil
    }
  }
}

extension Program {
  /// Whether a node stands in the function around another one.
  fileprivate func contains(around place: Ref, _ node: Ref) -> Bool {
    enclosingFunction(place).map { contains(functions[$0].ref, node) } ?? false
  }
}

/// What a private context in a property is used for, in one file.
private struct Cause: Hashable {
  let file: Int32
  let source: Ref
}

/// Whether a use is one of a private context that a property holds.
private func isKept(_ use: MisplacedUse, _ program: Program) -> Bool {
  use.reason == .outsidePerform && use.model == nil
    && program.property(declaredAt: use.source) != nil
}

extension Finding.Message {
  fileprivate static func misplaced(_ use: MisplacedUse, _ model: String?, _ taken: TakenValues)
    -> Self
  {
    let value = "`\(use.value)`" + (model.map { " (\($0))" } ?? "")
    let read = taken.read.isEmpty ? "plain values" : "plain values (\(taken.read.quoted))"
    if use.hint != nil { return hinted(use, value) }
    if use.habit != nil { return unlikeOthers(value) }
    switch use.reason {
    case .taskInPerform:
      let lines =
        taken.advice.map { "before the task, write \($0) and use \(taken.those) inside" }
        ?? "read the values before the task"
      return
        "the app can crash here, because this task runs after `perform` has ended, away from the queue of \(value); \(lines), or call `perform` inside the task"
    case .globalActor:
      return
        "the app can crash here, because \(value) belongs to the caller's context and not to this actor; pass \(read) or the `objectID`"
    case .call(let function):
      let context = use.model == nil ? value : "the context of \(value)"
      guard !use.isMainAway else {
        return
          "the app can crash or lose edits here, because `\(function)` uses \(context) on a queue other than the main queue; use `perform` in `\(function)`, or call the function on the main actor"
      }
      return
        "the app can crash or lose edits here, because `\(function)` uses \(context) and is called outside `perform`; use `perform` in `\(function)`, or move the call into one"
    default:
      return use.model == nil
        ? misplacedContext(use, value) : misplacedObject(use, value, read, taken)
    }
  }

  private static func hinted(_ use: MisplacedUse, _ value: String) -> Self {
    let subject = use.model == nil ? "the context \(value)" : value
    let advice = use.model == nil ? "`\(use.value).perform { … }`" : "that closure"
    return
      "the app can crash or lose edits here, because \(subject) belongs to the main queue, and this handler seems to run on another queue (other work here is sent to the main queue); move this into \(advice)"
  }

  private static func unlikeOthers(_ value: String) -> Self {
    "the app can crash or lose edits here, because the other methods use the context \(value) only inside `performAndWait`, and this one seems to be called on the same queues; use `performAndWait` here too"
  }

  private static func misplacedContext(_ use: MisplacedUse, _ value: String) -> Self {
    let (reason, advice) =
      switch use.reason {
      case .afterPerform:
        (
          "this closure runs off the queue of the context \(value)",
          "call `\(use.value).perform { … }` inside the closure"
        )
      case .otherContext:
        (
          "the context \(value) is used inside `perform` of another context",
          "move this into `\(use.value).perform { … }`"
        )
      case .backgroundTask:
        (
          "\(value) doesn't belong to the new context of `performBackgroundTask`",
          use.handsOver
        )
      case .handed(let function):
        (
          "`\(function)` uses the context \(value) away from the context's queue",
          "call `perform` in that function"
        )
      case .outsidePerform where use.isMainAway:
        (
          "the context \(value) belongs to the main queue and this runs on another queue",
          "move this into `\(use.value).perform { … }`, or mark the function `@MainActor`"
        )
      default:
        (
          "the background context \(value) is used outside its queue",
          "move this into `\(use.value).perform { … }`"
        )
      }
    return "the app can crash or lose edits here, because \(reason); \(advice)"
  }

  private static func misplacedObject(
    _ use: MisplacedUse, _ value: String, _ read: String, _ taken: TakenValues
  ) -> Self {
    switch use.reason {
    case .afterPerform:
      let lines =
        taken.advice.map { "before the closure, write \($0) and use \(taken.those) inside" }
        ?? "read \(taken.read.isEmpty ? "the values" : taken.read.quoted) before the closure"
      return
        "the app can crash here, because this closure runs off the queue of \(value); \(lines), or pass the `objectID`"
    case .otherContext:
      return
        "the app can crash or lose edits here, because \(value) doesn't belong to the context of this `perform`; \(use.handsOver)"
    case .backgroundTask:
      return
        "the app can crash or lose edits here, because \(value) doesn't belong to the new context of `performBackgroundTask`; \(use.handsOver)"
    case .handed(let function):
      return
        "the app can crash here, because `\(function)` uses \(value) away from its context's queue; pass \(read) or the `objectID`"
    case .outsidePerform where use.isMainAway:
      return
        "the app can crash here, because \(value) belongs to the main queue's context and this runs on another queue; mark the function `@MainActor`, or pass \(read) or the `objectID`"
    default:
      return
        "the app can crash here, because \(value) belongs to a background context and is used outside its `perform`; return \(read) or the `objectID` from the closure"
    }
  }
}

extension MisplacedUse {
  /// What a related place has to do with the use.
  func explanation(of place: Ref) -> String {
    if place == hint { return "the handler goes to the main queue here" }
    if place == habit { return "another method goes to the context's queue here" }
    if place == unisolated {
      return "this function has no actor, so it runs off the main thread"
    }
    if place == outlet { return "the object leaves `perform` here" }
    if path.contains(place) { return "through this call" }
    if callers.contains(place) { return "called from here, outside `perform`" }
    if place == deepest { return "`\(value)` is finally used here" }
    if case .call = reason, place == touched { return "`\(value)` is used here" }
    if others.contains(place) { return "and used here" }
    return "its context comes from here"
  }
}

extension MisplacedUse {
  /// The lines by which the object is found again in another context.
  fileprivate var handsOver: String {
    switch uses.first?.type.unwrapped {
    case .array, .set:
      "write `let ids = \(value).map(\\.objectID)` before it, and get the objects inside with `object(with:)`"
    default:
      "write `let id = \(value).objectID` before it, and get the object inside with `object(with: id)`"
    }
  }
}
