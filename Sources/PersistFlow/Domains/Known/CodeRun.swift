import PersistIndex
import PersistSyntax

/// One run of code: what its values were, and the runs that it began.
package final class CodeRun {
  /// The closure or function that ran, or the element of a list that a round of a loop is for.
  package let code: Known
  /// What it was given.
  package let given: [Known]
  @exclusivity(unchecked) private var values: [Ref: Known] = [:]
  @exclusivity(unchecked) private var inner: [Ref: [CodeRun]] = [:]

  init(of code: Known, _ given: [Known] = []) {
    self.code = code
    self.given = given
  }

  /// What the code at a node was; nil where that isn't known.
  package func value(of node: Ref) -> Known? {
    guard let value = values[node], value != .other, value != .unset else { return nil }
    return value
  }

  /// The runs that a call, a loop, an argument or a closure that is made began, in their order.
  package func runs(of node: Ref) -> [CodeRun] { inner[node] ?? [] }

  /// What several runs of the same code have in common; nil where there are none.
  package static func common(_ runs: [CodeRun]) -> CodeRun? {
    guard let first = runs.first, runs.count > 1 else { return runs.first }
    let isSame = runs.allSatisfy { $0.given == first.given }
    let common = CodeRun(of: first.code, isSame ? first.given : first.given.map { _ in .other })
    common.values = first.values.filter { node, value in
      runs.allSatisfy { $0.values[node] == value }
    }
    for (node, inner) in first.inner
    where runs.allSatisfy({ $0.runs(of: node).count == inner.count }) {
      common.inner[node] = inner.indices.compactMap { index in
        self.common(runs.map { $0.runs(of: node)[index] })
      }
    }
    return common
  }

  func note(_ value: Known, of node: Ref) { values[node] = value }
  func note(_ run: CodeRun, of node: Ref) { inner[node, default: []].append(run) }

  /// Forgets everything: the code runs once more.
  func begin() { (values, inner) = ([:], [:]) }
}

// MARK: - Noting what happens

extension KnownValues {
  /// Runs what a migrator is given, and notes all that happens.
  package func run(_ registration: Registration) -> CodeRun {
    let noted = CodeRun(of: registration.body)
    let outer = (found, escaping)
    next = noted
    begin(registration.body)
    next = nil
    (found, escaping) = outer
    return noted
  }

  /// Runs code once more for a run that notes it, where one does.
  func note(_ code: Known, _ given: [Known] = [], at node: Ref, _ again: () -> Void) {
    guard let noting else { return }
    let run = CodeRun(of: code, given)
    noting.note(run, of: node)
    next = run
    again()
    next = nil
  }

  /// Runs and notes the closures and functions that a call is given which nobody can read.
  func noteCode(_ arguments: [Known], of call: Ref) {
    guard noting != nil else { return }
    for (argument, code) in zip(program.arguments(call), arguments)
    where program.closure(of: argument) == nil {
      switch code {
      case .closure, .function: note(code, at: argument) { begin(code) }
      default: break
      }
    }
  }

  /// Runs a closure or function that gets nobody knows what.
  func begin(_ code: Known) {
    switch code {
    case .closure(let place, let own, let captures):
      guard let body = flow.bodies.body(at: place) else { return }
      _ = run(body, captures: captures, own: own, isKept: false)
    case .function(let id, let own):
      guard let body = flow.facts.body(of: id), !running.contains(id) else { return }
      running.append(id)
      _ = run(body, own: own, isKept: false)
      running.removeLast()
    default: break
    }
  }

  func beginRound(_ mark: Known, of loop: Ref) {
    guard let noting else { return }
    let round = CodeRun(of: mark, [mark])
    noting.note(round, of: loop)
    around.append(noting)
    self.noting = round
  }

  func endRound(of loop: Ref) {
    if let outer = noting == nil ? nil : around.popLast() { noting = outer }
  }
}
