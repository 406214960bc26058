import PersistIndex
import PersistSyntax

/// A place where the main thread waits for what only the main thread can do.
package struct MainWait: Sendable {
  /// What never happens.
  package enum Cause: Sendable {
    /// The main queue's work, in a call made on main.
    case mainQueue
    /// The main queue's work, while main waits in the call at the place.
    case mainBehind(Ref)
    /// The signal at the place.
    case signal(Ref)
  }

  /// The call that waits.
  package let call: Ref
  package let cause: Cause
}

/// Finds the waits of the main thread that never end in a solved program.
struct MainWaits {
  private let solver: Solver
  /// The code that is reached at the end.
  private let known: Set<InstanceID>
  /// What lets a thread go on, with the code that does so.
  private var signals: [(wait: Wait, id: InstanceID)] = []
  private var heard: Set<Ref> = []
  /// The code off main that surely waits for main.
  private var waiting: Set<InstanceID> = []
  private(set) var all: [MainWait] = []

  private var program: Program { solver.program }

  init(_ solver: Solver, _ reached: [InstanceID]) {
    self.solver = solver
    known = Set(reached)
    for id in reached {
      for wait in solver.instance(id).waits where wait.kind != .wait {
        signals.append((wait, id))
        heard.insert(wait.node)
      }
    }
    if !signals.isEmpty { findWaiting(reached) }
    var found: [Ref: MainWait] = [:]
    for id in reached {
      for wait in solver.instance(id).waits where wait.kind == .wait {
        guard found[wait.node] == nil, let cause = cause(of: wait, in: id) else { continue }
        found[wait.node] = MainWait(call: wait.node, cause: cause)
      }
    }
    all = found.values.sorted { $0.call < $1.call }
  }

  private func cause(of wait: Wait, in id: InstanceID) -> MainWait.Cause? {
    let whole = solver.table[wait.value]
    guard whole.isOne, let origin = solver.table.members(wait.value).first else { return nil }
    switch origin {
    case .queue(.main):
      if executor(id) == .main { return isSurelyMain(id) ? .mainQueue : nil }
      return callThatBlocksMain(around: id).map { .mainBehind($0) }
    case .holder(let type, let site, _) where Frameworks.signalTypes.contains(type):
      guard executor(id) == .main, isSurelyMain(id), isMade(at: site, around: id),
        type == "DispatchGroup" || beginsAtZero(site)
      else { return nil }
      return signal(of: origin, for: id).map { .signal($0) }
    default: return nil
    }
  }

  // MARK: Signals

  /// The signal that a wait on main needs, where none comes without main.
  private func signal(of origin: Origin, for id: InstanceID) -> Ref? {
    let all = signals.filter { solver.table.members($0.wait.value).contains(origin) }
    guard let first = all.first, !mayBeHeardElsewhere(origin) else { return nil }
    let needMain = all.allSatisfy { signal in
      guard signal.wait.kind == .signal else { return false }
      if executor(signal.id) == .main { return isLater(signal.id) }
      var seen: Set<Instance.Call> = []
      return isBehindMain(Instance.Call(node: signal.wait.node, target: signal.id), &seen)
    }
    return needMain ? first.wait.node : nil
  }

  /// Whether code off main comes to a place only when main has done something for it: it waits for
  /// that itself, or whatever leads to it does. The target is the code that holds the place.
  private func isBehindMain(_ place: Instance.Call, _ seen: inout Set<Instance.Call>) -> Bool {
    guard seen.insert(place).inserted else { return false }
    let code = BodySteps(program, solver.facts, solver.instance(place.target).key.body)
    let paths = BlockPaths(code.body)
    let before = waitsForMain(in: place.target, code)
    let steps = code.calls(place.node)
    // A getter or setter is begun by no call.
    let isBehind =
      !steps.isEmpty
      && steps.allSatisfy { step in
        before.contains { wait in
          guard let first = code.blocks[wait], let last = code.blocks[step] else { return false }
          return first == last ? wait < step : paths.isBefore(first, last)
        }
      }
    if isBehind { return true }
    let ways = calls(to: place.target)
    return !ways.isEmpty
      && ways.allSatisfy { way in
        isBehindMain(Instance.Call(node: way.node, target: way.from), &seen)
      }
  }

  /// The steps of code off main that go on when main has done something for them.
  private func waitsForMain(in id: InstanceID, _ code: BodySteps) -> [Value] {
    guard executor(id) != .main else { return [] }
    let instance = solver.instance(id)
    let own = instance.waits.filter { $0.kind == .wait && isForMain($0.value) }.map(\.node)
    let made = Dictionary(grouping: instance.calls) { $0.node }.filter { node, calls in
      let manner = manner((id, node))
      return (manner.isEmpty || manner == .waitedFor)
        && calls.allSatisfy { waiting.contains($0.target) }
    }
    return (own + made.keys).flatMap { code.calls($0) }
  }

  /// Notes the code that waits for main on each way on which it returns or throws, what calls such code
  /// among it.
  private mutating func findWaiting(_ reached: [InstanceID]) {
    var pending = reached.filter { id in solver.instance(id).waits.contains { $0.kind == .wait } }
    while let id = pending.popLast() {
      guard !waiting.contains(id) else { continue }
      let code = BodySteps(program, solver.facts, solver.instance(id).key.body)
      let paths = BlockPaths(code.body)
      let isSure = waitsForMain(in: id, code).compactMap { code.blocks[$0] }.contains { block in
        paths.isSure(block)
          && code.body.blocks.indices.allSatisfy { index in
            guard case .throw = code.body.blocks[index].terminator else { return true }
            return paths.isBefore(block, Int32(index))
          }
      }
      guard isSure else { continue }
      waiting.insert(id)
      pending += solver.instance(id).callers.all
    }
  }

  /// Whether a wait is one for the main queue, or for its context.
  private func isForMain(_ value: OriginsID) -> Bool {
    guard solver.table[value].isOne, let origin = solver.table.members(value).first else {
      return false
    }
    if case .owner(let owner) = origin { return owner.home == .main }
    return origin == .queue(.main)
  }

  /// Whether code that was not looked at may signal.
  private func mayBeHeardElsewhere(_ origin: Origin) -> Bool {
    guard case .holder(_, let site, _) = origin else { return true }
    return Frameworks.namesOfSignals.contains { name in
      program.calls(named: name).contains {
        $0.file == site.file && !heard.contains($0) && !solver.facts.isExempt($0)
      }
    }
  }

  /// Whether code runs on main after what begins it has returned, on every way to it.
  private func isLater(_ id: InstanceID) -> Bool {
    var isBegun = false
    var seen: Set<InstanceID> = []
    var pending = [id]
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      let ways = calls(to: next)
      if ways.isEmpty { return false }
      for call in ways {
        if !isClosure(next) || manner(call).isEmpty {
          pending.append(call.from)
        } else if manner(call) == .later
          || manner(call) == .waitedFor && executor(call.from) == .background
        {
          isBegun = true
        } else {
          return false
        }
      }
    }
    return isBegun
  }

  private func isMade(at site: Ref, around id: InstanceID) -> Bool {
    guard let code = program.enclosingBody(site) else { return false }
    return search(from: id) { instance in
      let place = solver.bodies[solver.instance(instance).key.body].place
      return code == place || program.contains(place, code) ? true : nil
    }
  }

  private func beginsAtZero(_ site: Ref) -> Bool {
    program.arguments(site).first.map { program.numbers(in: $0) == [0] } ?? false
  }

  // MARK: Where code runs

  private typealias Call = (from: InstanceID, node: Ref)

  private func executor(_ id: InstanceID) -> Executor { solver.instance(id).key.executor }

  private func isClosure(_ id: InstanceID) -> Bool {
    solver.bodies[solver.instance(id).key.body].kind == .closure
  }

  private func manner(_ call: Call) -> Manner { solver.manners[call.node] ?? [] }

  /// The calls that lead to code.
  private func calls(to id: InstanceID) -> [Call] {
    solver.instance(id).callers.all.filter { known.contains($0) }.flatMap { caller in
      solver.instance(caller).calls.filter { $0.target == id }.map { (caller, $0.node) }
    }
  }

  /// Looks at code and at what calls it, further and further, until one says something.
  private func search(from id: InstanceID, _ look: (InstanceID) -> Bool?) -> Bool {
    var seen: Set<InstanceID> = []
    var pending = [id]
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      if let answer = look(next) { return answer }
      pending += calls(to: next).map(\.from)
    }
    return false
  }

  /// The call on main that stands still until the code has run.
  private func callThatBlocksMain(around id: InstanceID) -> Ref? {
    var seen: Set<InstanceID> = []
    var pending = [id]
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      for call in calls(to: next) {
        if isClosure(next), manner(call) == .waitedFor {
          if executor(call.from) == .main, isSurelyMain(call.from) { return call.node }
          pending.append(call.from)
        } else if manner(call).isEmpty, executor(call.from) == executor(next) {
          pending.append(call.from)
        }
      }
    }
    return nil
  }

  /// Whether code that was found to run on main does so on a way on which it can't run elsewhere:
  /// the main queue or main actor leads to it, or what the system calls on main does.
  private func isSurelyMain(_ id: InstanceID) -> Bool {
    var seen: Set<InstanceID> = []
    var pending = [id]
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      let body = solver.bodies[solver.instance(next).key.body]
      // Code that asserts where it runs knows better.
      if body.steps.contains(where: { solver.facts.asksForThread($0, in: body) }) { continue }
      if isMainEntry(body) { return true }
      for call in calls(to: next) {
        if isClosure(next), !manner(call).isEmpty {
          if !manner(call).contains(.untold) { return true }
          // A view or action keeps its closure for main; other code may call it anywhere.
          if !isMade(byInitializer: call.node) { continue }
        } else if body.isAsync {
          return true
        }
        if executor(call.from) == .main { pending.append(call.from) }
      }
    }
    return false
  }

  private func isMade(byInitializer call: Ref) -> Bool {
    if case .externalInitializer = solver.facts.target(call) { return true }
    return false
  }

  /// Whether the system surely calls a body on main: it says so, or a superclass does.
  private func isMainEntry(_ body: Body) -> Bool {
    if body.kind == .file { return true }
    let function = body.function.map { program.functions[$0] }
    // Objects go, and tell of changes, on whatever thread does the last step.
    if body.kind == .deinitializer { return false }
    if let function, Frameworks.entriesOnAnyThread.contains(function.name) { return false }
    if function?.attributes.contains("MainActor") ?? false { return true }
    guard let owner = body.owner else { return false }
    if program.types[owner].attributes.contains("MainActor") { return true }
    if function?.modifiers.contains("override") ?? false { return true }
    return solver.facts.externalBases(of: owner).contains(where: Frameworks.mainEntries.contains)
  }
}
