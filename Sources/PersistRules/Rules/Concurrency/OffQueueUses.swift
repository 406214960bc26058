import PersistFlow
import PersistIndex

extension Program {
  /// The bodies that use something off the queue of its owner, those of one cause joined.
  func offQueueCauses(_ isWanted: (OffQueueCause) -> Bool) -> [OffQueueCause] {
    var kept: [KeptOwner: Int] = [:]
    var handed: [HandedUse: Int] = [:]
    var found: [OffQueueCause] = []
    var places: Set<Ref> = []
    let told = once(OffQueueBodies.init)
    for var cause in facts.offQueue
    where isWanted(cause) && !told.isToldElsewhere(cause, self) {
      guard places.insert(cause.place).inserted else { continue }
      cause.others = Set(cause.others + told.places(beside: cause, self)).sorted()
      // Objects that one file hands to the same use are one cause.
      let use = HandedUse(file: cause.place.file, deepest: cause.deepest)
      let isShared = cause.owner.framework == .coreData
      if isShared, !cause.isDirect, let known = handed[use] {
        found[known].add(cause)
        continue
      }
      if isShared, !cause.isDirect { handed[use] = found.count }
      // So are the objects that leave a context which is made for one piece of work.
      let isLeak = isShared && cause.executor == .outside && !cause.isKept
      let isWhole = [.context, .opening].contains(cause.kind)
      guard let place = cause.owner.site ?? holder(of: cause), isWhole || isLeak else {
        found.append(cause)
        continue
      }
      // A context that is kept and used in each method of a file is one cause, and so is a queue.
      let owner = KeptOwner(
        place: place, file: cause.kind == .opening ? place.file : cause.place.file,
        isContext: cause.kind == .context)
      if let known = kept[owner] {
        found[known].add(cause)
        if handed[use] == found.count { handed[use] = known }
      } else {
        kept[owner] = found.count
        found.append(cause)
      }
    }
    return found
  }

  /// The property by which methods use a context that nobody sees made.
  private func holder(of cause: OffQueueCause) -> Ref? {
    guard cause.kind == .context, cause.isDirect, !cause.isCaptured else { return nil }
    return nameBefore(member: cause.place).flatMap { property(usedBy: $0) }
      .map { properties[$0].ref }
  }
}

/// What the bodies that run off a queue have in common.
private final class OffQueueBodies {
  private struct Key: Hashable {
    let body: Ref
    let executor: Executor
    let framework: Owner.Framework

    init(_ cause: OffQueueCause) {
      (body, executor, framework) = (cause.body, cause.executor, cause.owner.framework)
    }
  }

  private var withContext: Set<Key> = []
  private var objects: [Key: [Ref]] = [:]
  /// The uses that other code leads to.
  private var handed: Set<Ref> = []
  /// The uses of what a context with a queue of its own has, on some way to them.
  private var outside: Set<Ref> = []
  /// The closures' uses of the main queue's context, by what is used in the end.
  private var leaving: [Ref: [Ref]] = [:]
  /// The models that actors use and their callers hand in, which `model-crosses-actor` reports.
  private let borrowed: Set<Ref>

  init(_ program: Program) {
    borrowed = Set(CapturedValues(in: program).borrowedModelUses().map(\.place))
    for cause in program.facts.offQueue {
      if cause.owner.framework == .coreData {
        if !program.leavesMain(cause) {
          outside.formUnion(cause.kind == .context ? [cause.place, cause.deepest] : [cause.place])
        } else if cause.kind == .context {
          leaving[cause.deepest, default: []].append(cause.place)
        }
      }
      if !cause.isDirect { handed.insert(cause.deepest) }
      guard cause.owner.framework != .realm else { continue }
      switch cause.kind {
      case .context: withContext.insert(Key(cause))
      case .object: objects[Key(cause), default: []] += [cause.place] + cause.others
      default: continue
      }
    }
  }

  /// Whether another finding says it all: on the context that the same code uses, on the object as an
  /// argument, or on the same use, which is wrong on other ways as well and `perform` fixes for all.
  func isToldElsewhere(_ cause: OffQueueCause, _ program: Program) -> Bool {
    if cause.kind == .object, withContext.contains(Key(cause)) { return true }
    if borrowed.contains(program.valueNode(of: cause)) { return true }
    return cause.owner.framework == .coreData && program.leavesMain(cause)
      && outside.contains(cause.kind == .context ? cause.deepest : cause.place)
  }

  /// The objects that code uses beside a context, and the closures that come to the same use.
  func places(beside cause: OffQueueCause, _ program: Program) -> [Ref] {
    guard cause.kind == .context else { return [] }
    let closures = program.leavesMain(cause) ? [] : leaving[cause.deepest] ?? []
    return (objects[Key(cause)] ?? []) + closures.filter { $0 != cause.place }
  }

  /// The functions in which others use what they have, by their declarations.
  func wrappers(in program: Program) -> Set<Ref> {
    Set(handed.map { program.enclosingDeclaration($0) })
  }
}

/// A context or realm by the place that makes it, in one file that uses it.
private struct KeptOwner: Hashable {
  let place: Ref
  let file: Int32
  let isContext: Bool
}

/// A use of objects that one file hands over.
private struct HandedUse: Hashable {
  let file: Int32
  let deepest: Ref
}

/// Tells what is used off the queue of its owner, and what to write instead.
struct OffQueueReport {
  private let program: Program
  /// Whether fixes are offered.
  private let mends: Bool
  private var given = GivenNames()
  private let captured: CapturedValues
  /// The functions that use what their callers have.
  private let wrappers: Set<Ref>

  init(_ program: Program, mends: Bool = false) {
    self.program = program
    self.mends = mends
    captured = CapturedValues(in: program)
    wrappers = program.once(OffQueueBodies.init).wrappers(in: program)
  }

  /// Reports a body that uses something off the queue of its owner: each value that a closure has
  /// taken along for itself.
  mutating func report(_ cause: OffQueueCause, into findings: inout Findings) {
    let taken = cause.isCaptured && !program.isOffAround(cause) ? captures(of: cause) : []
    guard cause.kind == .object, !taken.isEmpty else {
      let isNamed = !program.isArgument(cause) && !program.isOfHolder(cause)
      let value = isNamed ? program.valueText(before: cause.place) : nil
      findings.report(
        .offQueue(cause, value, taken.first?.capture.body, program),
        at: program.valueNode(of: cause), related: related(cause), cause: common(cause))
      return
    }
    for (capture, model, cause) in taken {
      let name = ModelName(model, in: program)
      let beginning = program.beginning(of: capture.body)
      guard !capture.hands(at: cause.place, in: program) else {
        findings.report(
          .hands(capture, name, to: program.nameText(cause.place), cause, begun: beginning),
          at: cause.place,
          related: related(cause, capture, name),
          cause: common(cause))
        continue
      }
      var values = TakenValues(capture.uses, of: capture, in: program)
      given.part(&values, of: capture, in: program)
      findings.report(
        .touches(capture, name, values, of: cause, begun: beginning),
        at: program.valueNode(of: cause),
        related: related(cause, capture, name),
        fix: mends ? program.takenValuesFix(capture) : nil)
    }
  }

  /// What several findings come from: one function calls closures of others on another queue; one
  /// class without isolation, or one function, uses what its callers have; one function does it twice;
  /// or objects of contexts that one place makes and nobody keeps leave `perform` by one helper.
  private func common(_ cause: OffQueueCause) -> CommonCause? {
    if let leaving = program.closureLeaving(with: cause) {
      return CommonCause(program.causeID(of: leaving), least: 2)
    }
    let function = program.enclosingDeclaration(cause.deepest)
    let made = cause.kind == .object ? cause.owner.site : nil
    if made == nil, let type = program.typeWithoutIsolation(around: function) {
      return program.cause(of: type, least: 2)
    }
    if !cause.isDirect || wrappers.contains(function) {
      return CommonCause(
        program.causeID(of: function), rank: cause.isDirect ? 0 : 1,
        least: cause.isCaptured ? 3 : 2)
    }
    guard let made else { return nil }
    if !cause.isKept { return CommonCause(program.causeID(of: made)) }
    return CommonCause(
      program.causeID(of: function) + " " + program.causeID(of: made), least: 2)
  }

  private typealias Taken = (capture: Capture, model: TypeID, cause: OffQueueCause)

  /// The values that a closure has taken along, each with its part of a cause.
  private func captures(of cause: OffQueueCause) -> [Taken] {
    var found: [Taken] = []
    for place in [cause.place] + cause.others {
      guard let capture = capture(of: cause, at: place),
        let model = program.model(in: capture.type)
      else {
        guard !found.isEmpty else { return [] }
        // What the closure makes or asks for itself stands with the first.
        found[0].cause.others.append(place)
        continue
      }
      let known = found.firstIndex {
        $0.capture.source == capture.source && $0.capture.value == capture.value
      }
      if let known {
        found[known].cause.others.append(place)
      } else {
        found.append((capture, model, cause.part(at: place)))
      }
    }
    return found
  }

  /// The value that a closure has taken along and uses at a place.
  private func capture(of cause: OffQueueCause, at place: Ref) -> Capture? {
    ([cause.body] + program.closures(around: cause.body)).lazy
      .compactMap { captured.capture(by: $0, usedAt: place) }.first
  }

  private func related(_ cause: OffQueueCause, _ capture: Capture, _ model: ModelName)
    -> [Findings.Related]
  {
    var related = [Findings.Related(capture.source, "`\(capture.value)` comes from here")]
    related.append(.init(model.declaration, "`\(model.name)` is a model"))
    return related + self.related(cause)
  }

  private func related(_ cause: OffQueueCause) -> [Findings.Related] {
    var related: [Findings.Related] = []
    if let made = cause.owner.site {
      related.append(
        .init(made, cause.kind == .opening ? "this queue is made here" : cause.owner.madeHere))
    }
    if let exit = cause.exit, exit != cause.place {
      related.append(.init(exit, "the object leaves `perform` here"))
    }
    if let leaving = program.closureLeaving(with: cause),
      !cause.callers.contains(where: { program.contains(leaving, $0) })
    {
      related.append(.init(leaving, "this closure runs on the other queue"))
    }
    related += cause.callers.map { .init($0, "this code is called here") }
    if cause.executor == .pool, program.isAsyncFunction(cause.body) {
      related.append(
        .init(cause.body, "this function has no actor, so it runs off the main thread"))
    }
    related += cause.calls.map { .init($0, "through this call") }
    if !cause.isDirect { related.append(.init(cause.deepest, "it is used here")) }
    return related + cause.others.map { .init($0, Finding.alsoHere) }
  }
}

/// The names that suggestions of one function have given already, and to the values of what.
private struct GivenNames {
  private var names: [Ref: [String: String]] = [:]

  /// Lets a suggestion take no name that another model's value has there.
  mutating func part(_ taken: inout TakenValues, of capture: Capture, in program: Program) {
    guard taken.advice != nil else { return }
    let scope = program.enclosingDeclaration(capture.body)
    taken.avoid { name in names[scope]?[name].map { $0 != capture.value } ?? false }
    for name in taken.names { names[scope, default: [:]][name] = capture.value }
  }
}

extension Program {
  /// Whether a closure is begun inside of `perform` and leaves it, by itself or by who hands it on.
  func isBegunInPerform(_ cause: OffQueueCause) -> Bool {
    (closures(around: cause.body) + closures(around: cause.deepest)).contains { closure in
      callTaking(closure).map { Words.performMethods.contains(calledName($0.call)) } ?? false
    }
  }

  /// Whether a closure has taken along what belongs to the main queue, and `perform` isn't around.
  func leavesMain(_ cause: OffQueueCause) -> Bool {
    cause.isCapturedFromMain && !isBegunInPerform(cause)
  }

  /// The closure of other code that alone brings a use to another queue: a client's completion.
  fileprivate func closureLeaving(with cause: OffQueueCause) -> Ref? {
    guard cause.executor != .pool, cause.beginnings.count == 1, let first = cause.beginnings.first,
      isClosure(first), enclosingDeclaration(first) != enclosingDeclaration(cause.place)
    else { return nil }
    return first
  }

  /// Whether an object is used as the argument of its context's method: `context.delete(trip)`.
  fileprivate func isArgument(_ cause: OffQueueCause) -> Bool {
    cause.kind == .object && receiverType(ofMember: cause.place).isContext
  }

  /// Whether a context is used by what holds it: `controller.performFetch()`.
  fileprivate func isOfHolder(_ cause: OffQueueCause) -> Bool {
    let receiver = receiverType(ofMember: cause.place)
    guard cause.kind == .context, case .external = receiver.unwrapped else { return false }
    return !receiver.isContext
  }

  /// Whether the function around a closure runs away from all actors itself, so that it can't read the
  /// values either.
  fileprivate func isOffAround(_ cause: OffQueueCause) -> Bool {
    guard cause.executor == .pool, isClosure(cause.body),
      let function = enclosingFunction(cause.body), functions[function].isAsync
    else { return false }
    return isolation(ofFunction: function) == .nonisolated
  }

  /// Whether a body is a function that may wait, and so runs where it likes.
  fileprivate func isAsyncFunction(_ body: Ref) -> Bool {
    function(declaredAt: body).map {
      functions[$0].isAsync && functions[$0].kind == .functionDecl
    } ?? false
  }

  /// The class whose methods run wherever they like, as nothing isolates it, around one of them.
  fileprivate func typeWithoutIsolation(around function: Ref) -> TypeID? {
    guard isAsyncFunction(function),
      let owner = enclosingType(function).map({ resolveAlias($0) }),
      types[owner].kind == .classDecl, !isolation(ofType: owner).isActor
    else { return nil }
    return owner
  }

  /// The node that spells what is used: `trip` in `trip.title`, or else the use itself.
  fileprivate func valueNode(of cause: OffQueueCause) -> Ref {
    let isNamed = cause.isDirect && !isArgument(cause)
    return isNamed ? nameBefore(member: cause.place) ?? cause.place : cause.place
  }
}

extension Capture {
  /// Whether the value is an argument of what is called at a place.
  fileprivate func hands(at place: Ref, in program: Program) -> Bool {
    uses.contains { use in
      if case .passes(let call) = use.action { return program.calledNode(call) == place }
      return false
    }
  }
}

extension SwiftType {
  fileprivate var isContext: Bool {
    guard case .external(let name, _) = unwrapped else { return false }
    return ["NSManagedObjectContext", "ModelContext"].contains(name)
  }
}
