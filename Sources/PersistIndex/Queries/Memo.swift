/// The remembered answers of one kind of query.
///
/// An answer is final when it depended on no query that is still open and no limit cut it short.
/// Answers that depend on open queries wait until the outermost of these, the head of the cycle, comes
/// to the same answers twice.
package final class Memo<Q: Query>: Answers {
  @exclusivity(unchecked) private(set) var answers: [Q: Q.Answer] = [:]
  @exclusivity(unchecked) private var unsettled: [Q: Unsettled] = [:]

  private struct Unsettled {
    enum State {
      /// It is being answered, in the frame of that index.
      case open(Int)
      /// It depends on an open query; its index among those that wait.
      case waiting(Int)
      /// What the last round came to; it holds while the outermost query of that number is open.
      case stale(Int)
      /// A limit cut it short; it holds while the outermost query of that number is open.
      case cut(Int)
    }
    let answer: Q.Answer
    var state: State
  }

  package init() {}

  /// The answer to a query that has no final one yet.
  func ask(_ query: Q, in program: Program) -> Q.Answer {
    var start = Q.provisional
    if let known = unsettled[query] {
      switch known.state {
      case .open(let frame):
        program.queries.read(openFrame: frame)
        return known.answer
      case .waiting(let index):
        program.queries.read(waiting: index)
        return known.answer
      case .cut(program.queries.outermost):
        program.queries.cutShort()
        return known.answer
      case .stale(program.queries.outermost): start = known.answer
      case .stale, .cut: break
      }
    }
    guard program.allows(program.queries.count, .openQueries) else { return Q.provisional }
    for round in 1... {
      unsettled[query] = Unsettled(answer: start, state: .open(program.queries.open()))
      let answer = query.answer(in: program)
      switch program.queries.close(
        isOther: answer != start, isEmptyInCycles: Q.isEmptyInCycles)
      {
      case .final:
        unsettled[query] = nil
        answers[query] = answer
        return answer
      case .waiting(let index):
        unsettled[query] = Unsettled(answer: answer, state: .waiting(index))
        program.queries.wait(for: self, query)
        return answer
      case .cut(let outermost):
        unsettled[query] = Unsettled(answer: answer, state: .cut(outermost))
        return answer
      case .abandoned:
        unsettled[query] = nil
        if Q.isEmptyInCycles {
          answers[query] = Q.provisional
          return Q.provisional
        }
        guard program.allows(round, .rounds) else { return Q.provisional }
        start = Q.provisional
      case .unstable:
        guard program.allows(round, .rounds) else {
          unsettled[query] = nil
          return Q.provisional
        }
        start = answer
      }
    }
    return start
  }

  func settle(_ key: Any) {
    guard let key = key as? Q, let known = unsettled.removeValue(forKey: key) else { return }
    answers[key] = known.answer
  }

  var isEmptyInCycles: Bool { Q.isEmptyInCycles }

  func abandon(_ key: Any) {
    guard let key = key as? Q, unsettled.removeValue(forKey: key) != nil else { return }
    if Q.isEmptyInCycles { answers[key] = Q.provisional }
  }

  func outdate(_ key: Any, until outermost: Int) {
    guard let key = key as? Q else { return }
    unsettled[key]?.state = .stale(outermost)
  }

  func cut(_ key: Any, until outermost: Int) {
    guard let key = key as? Q else { return }
    unsettled[key]?.state = .cut(outermost)
  }
}

/// A memo, whatever its queries are.
protocol Answers: AnyObject {
  /// Whether nothing is known of a cycle with one of the queries.
  var isEmptyInCycles: Bool { get }
  /// Forgets what a cycle came to; of a query that is empty in cycles nothing is known for good.
  func abandon(_ key: Any)
  /// Makes the answer final.
  func settle(_ key: Any)
  /// Keeps the answer as what the next round begins with.
  func outdate(_ key: Any, until outermost: Int)
  /// Keeps the answer while the outermost query is open.
  func cut(_ key: Any, until outermost: Int)
}
