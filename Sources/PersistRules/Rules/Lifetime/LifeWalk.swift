import PersistIndex
import PersistSyntax

/// Goes along the paths of one body and notes which reads meet an object that is gone, or that may
/// have gone while the path waited.
final class LifeWalk {
  let program: Program
  let summaries: LifeSummaries
  /// Every object of the paths, by number.
  var objects: [LifeObject] = []
  /// The objects of relationships, so that the same one is met again.
  var related: [RelatedKey: Int] = [:]
  private(set) var reads: [LifeRead] = []
  /// What holds where the body is left by a `return`, those of a `guard let` left out.
  var exits: [LifeState] = []
  private var noted: Set<NotedKey> = []
  private var loopExits: [[LifeState]] = []
  private var guardDepth = 0

  struct RelatedKey: Hashable {
    let owner: Int
    let property: PropertyID
  }
  private struct NotedKey: Hashable {
    let place: Ref
    let object: Int
  }

  init(_ program: Program, _ summaries: LifeSummaries) {
    self.program = program
    self.summaries = summaries
  }

  /// Notes a read: each place once, and one use of an object after each wait.
  func note(_ read: LifeRead, of object: Int) {
    var root = object
    while let whole = objects[root].whole { root = whole }
    let cause = NotedKey(
      place: read.suspension ?? read.place, object: read.suspension == nil ? -1 : root)
    let place = NotedKey(place: read.place, object: read.suspension == nil ? -2 : -3)
    guard !noted.contains(cause), !noted.contains(place) else { return }
    noted.formUnion([cause, place])
    reads.append(read)
  }

  // MARK: Statements

  /// Goes along the statements of a block, closure or case; nil when none of its ways goes on.
  func walk(list: Ref, _ start: LifeState) -> LifeState? {
    var state = start
    var deferred: [Ref] = []
    for statement in program.statements(in: list) {
      if program.kind(statement) == .deferStatement {
        deferred.append(statement)
        continue
      }
      let count = exits.count
      guard let next = walk(statement: statement, state) else {
        if !deferred.isEmpty {
          walk(deferred: deferred, exits.count > count ? exits[count] : state)
        }
        return nil
      }
      state = next
    }
    return deferred.isEmpty ? state : walk(deferred: deferred, state)
  }

  /// Goes along `defer` blocks as a scope is left, the last one first.
  @discardableResult
  private func walk(deferred: [Ref], _ start: LifeState) -> LifeState {
    var state = start
    for statement in deferred.reversed() {
      guard let block = program.child(statement, .block) else { continue }
      state = walk(list: block, state) ?? state
    }
    return state
  }

  private func walk(statement: Ref, _ start: LifeState) -> LifeState? {
    var state = start
    switch program.kind(statement) {
    case .expression:
      walk(expression: statement, &state)
      return program.leaves(statement) ? nil : state
    case .variableDecl:
      for binding in program.children(statement, .binding) { walk(binding: binding, &state) }
      return state
    case .ifStatement: return walk(if: statement, state)
    case .guardStatement: return walk(guard: statement, state)
    case .switchStatement: return walk(switch: statement, state)
    case .doStatement: return walk(do: statement, state)
    case .forStatement, .whileStatement, .repeatStatement: return walk(loop: statement, state)
    case .returnStatement:
      for part in program.children(statement) { walk(expression: part, &state) }
      if guardDepth == 0 { exits.append(state) }
      return nil
    case .throwStatement:
      for part in program.children(statement) { walk(expression: part, &state) }
      return nil
    case .breakStatement, .continueStatement:
      if !loopExits.isEmpty { loopExits[loopExits.count - 1].append(state) }
      return nil
    case .block: return walk(list: statement, state)
    case .ifConfig:
      let ways = program.children(statement, .ifConfigClause).map { walk(list: $0, state) }
      return joined(ways, or: state, at: statement)
    case .yieldStatement:
      for part in program.children(statement) { walk(expression: part, &state) }
      return state
    default: return state
    }
  }

  private func joined(_ ways: [LifeState?], or state: LifeState, at branch: Ref) -> LifeState? {
    let open = ways.compactMap { $0 }
    guard var result = open.first else { return ways.isEmpty ? state : nil }
    for other in open.dropFirst() { result.join(other, branch: branch) }
    return result
  }

  private func walk(conditions statement: Ref, _ state: inout LifeState) {
    for condition in program.children(statement) {
      switch program.kind(condition) {
      case .expression: walk(expression: condition, &state)
      case .optionalBinding: walk(optional: condition, &state)
      case .caseCondition:
        for part in program.children(condition, .expression).dropFirst() {
          walk(expression: part, &state)
        }
      case .block, .ifStatement: return
      default: break
      }
    }
  }

  private func walk(if statement: Ref, _ start: LifeState) -> LifeState? {
    var state = start
    walk(conditions: statement, &state)
    let branches = program.children(statement).filter {
      [.block, .ifStatement].contains(program.kind($0))
    }
    guard let first = branches.first else { return state }
    let then = walk(list: first, state)
    // What the conditions looked at holds only where they hold.
    var other = start
    other.lastAwait = state.lastAwait
    for (object, place) in state.suspensions { other.suspensions[object] = place }
    // `if trip.modelContext == nil { return }`
    if then == nil { other = state }
    guard branches.count > 1 else { return joined([then, other], or: state, at: statement) }
    let rest =
      program.kind(branches[1]) == .ifStatement
      ? walk(if: branches[1], other) : walk(list: branches[1], other)
    return joined([then, rest], or: state, at: statement)
  }

  private func walk(guard statement: Ref, _ start: LifeState) -> LifeState? {
    var state = start
    walk(conditions: statement, &state)
    if let block = program.child(statement, .block) {
      // A value that isn't there is an exception; a condition that doesn't hold is a way like others.
      let isException = program.children(statement).contains {
        program.kind($0) == .optionalBinding
      }
      guardDepth += isException ? 1 : 0
      _ = walk(list: block, start)
      guardDepth -= isException ? 1 : 0
    }
    return state
  }

  private func walk(switch statement: Ref, _ start: LifeState) -> LifeState? {
    var state = start
    if let subject = program.child(statement, .expression) { walk(expression: subject, &state) }
    let cases = program.children(statement, .switchCase)
    loopExits.append([])
    var ways = cases.map { walk(list: $0, state) }
    ways += loopExits.removeLast().map { Optional($0) }
    return joined(ways, or: state, at: statement)
  }

  private func walk(do statement: Ref, _ start: LifeState) -> LifeState? {
    guard let block = program.child(statement, .block) else { return start }
    let count = exits.count
    let end = walk(list: block, start)
    // What fails leaves the objects where they were, but it may have waited before.
    var failed = start
    for way in exits[count...] + (end.map { [$0] } ?? []) {
      failed.suspensions.merge(way.suspensions) { own, _ in own }
      failed.lastAwait = failed.lastAwait ?? way.lastAwait
    }
    var ways = [end]
    for clause in program.children(statement, .catchClause) {
      guard let body = program.child(clause, .block) else { continue }
      guard let after = walk(list: body, failed) else { continue }
      if end == nil { ways.append(after) }
    }
    return joined(ways, or: start, at: statement)
  }

  private func walk(loop statement: Ref, _ start: LifeState) -> LifeState? {
    guard let body = program.child(statement, .block) else { return start }
    var state = start
    var whole: Int?
    let parts = program.children(statement)
    let pattern = parts.first { program.kind($0) == .boundName }
    if program.kind(statement) == .forStatement {
      let values = parts.filter { program.kind($0) == .expression }
      for value in values.prefix(1) {
        walk(expression: value, &state)
        whole = object(of: value, state)
      }
      if hasAwait(statement, before: body) { suspend(at: statement, &state) }
    } else {
      walk(conditions: statement, &state)
    }
    loopExits.append([])
    var round = state
    for _ in 0..<2 {
      if let pattern { bindElement(pattern, of: whole, &round) }
      let entry = round
      guard var next = walk(list: body, round) else { break }
      if let pattern, let whole { deleteAll(whole, loop: statement, pattern, body, next, &state) }
      next.join(entry, branch: statement)
      round = next
    }
    var result = state
    let bound = pattern.map { LifeVariable.local($0) }
    for way in [round] + loopExits.removeLast() {
      var way = way
      if let bound { way.objects[bound] = nil }
      for (object, end) in state.ends { way.ends[object] = way.ends[object] ?? end }
      result.join(way, branch: statement)
    }
    for (object, end) in state.ends { result.ends[object] = end }
    return result
  }

  private func hasAwait(_ statement: Ref, before body: Ref) -> Bool {
    program.children(statement).contains { $0 < body && program.kind($0) == .awaitMark }
  }

  private func bindElement(_ pattern: Ref, of whole: Int?, _ state: inout LifeState) {
    let type = program.type(ofLocal: pattern)
    guard let model = program.model(in: type) else { return }
    var element = LifeObject(model: model, isCollection: type.isManyValues)
    element.whole = whole
    state.objects[.local(pattern)] = add(element)
  }

  /// Where each round of a loop deletes its element, all of the collection is deleted.
  private func deleteAll(
    _ whole: Int, loop: Ref, _ pattern: Ref, _ body: Ref, _ end: LifeState,
    _ state: inout LifeState
  ) {
    guard program.children(loop, .expression).count == 1, state.ends[whole] == nil,
      let element = end.objects[.local(pattern)], let fate = end.ends[element],
      fate.branch == nil, !program.conditionsStand(before: fate.deletion, in: body)
    else { return }
    state.ends[whole] = fate
  }

  func add(_ object: LifeObject) -> Int {
    objects.append(object)
    return objects.count - 1
  }
}

extension Program {
  /// Whether a statement before a node in a loop's body can skip it.
  fileprivate func conditionsStand(before node: Ref, in body: Ref) -> Bool {
    let isNested = ancestors(node).prefix { $0 != body }.contains {
      [.ifStatement, .switchStatement, .guardStatement].contains(kind($0))
    }
    return isNested
      || children(body).contains {
        $0 < node && !contains($0, node)
          && !(descendants($0, .continueStatement) + descendants($0, .breakStatement)).isEmpty
      }
  }
}

extension SwiftType {
  /// Whether a value holds several others, optionals left out.
  var isManyValues: Bool {
    switch unwrapped {
    case .array, .set, .dictionary: true
    default: false
    }
  }
}
