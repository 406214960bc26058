/// A question about a program; the value itself is the key under which its answer is remembered.
///
/// Declare a struct of what is asked about, with `provisional` and `answer(in:)`, and ask it with
/// `program.answer(…)`; any module may. The answer has to follow from the program and the key alone,
/// so recurse through `program.answer(…)` and keep nothing else: a query that leads back to itself
/// sees `provisional` first and is asked again until its answer stays the same, so answers should only
/// grow from there. Where a bound cuts it short, ask `program.allows(number, .someLimit)`, a constant in
/// `Limit`, and what was cut short is not remembered. A walk that asks nothing of the places on its way
/// is a `Reach`.
package protocol Query: Hashable {
  associatedtype Answer: Equatable

  /// What the query sees of itself while it is open: that nothing is known.
  static var provisional: Answer { get }

  /// Whether nothing is known where the answer depends on itself, of all such queries that lead to one
  /// another, instead of what asking again comes to.
  static var isEmptyInCycles: Bool { get }

  /// The answer, made anew.
  func answer(in program: Program) -> Answer

  /// Where the answers are kept; a question that is asked very often has a place of its own.
  static func memo(in program: Program) -> Memo<Self>
}

extension Query {
  /// Cycles are asked again until their answers stay the same.
  package static var isEmptyInCycles: Bool { false }

  /// The place in the program's table of memos.
  package static func memo(in program: Program) -> Memo<Self> {
    let key = ObjectIdentifier(Self.self)
    // The key is the type of the queries, so a cast that asks once more has nothing to find.
    if let known = program.memos[key] { return unsafeDowncast(known, to: Memo<Self>.self) }
    let memo = Memo<Self>()
    program.memos[key] = memo
    return memo
  }
}

extension Program {
  /// The answer to a query, remembered or made.
  package func answer<Q: Query>(_ query: Q) -> Q.Answer {
    let memo = Q.memo(in: self)
    return memo.answers[query] ?? memo.ask(query, in: self)
  }

  /// Whether a question may go on at a number; where not, that is counted, and what is cut short by
  /// it is not remembered.
  package func allows(_ number: Int, _ limit: Limit) -> Bool {
    guard number >= limit.count else { return true }
    limitHits[limit, default: 0] += 1
    queries.cutShort()
    return false
  }

  /// The first elements of a list, as many as a limit lets through.
  package func first<List: Collection>(_ limit: Limit, of list: List) -> List.SubSequence {
    isWithin(list.count, limit) ? list[...] : list.prefix(limit.count - 1)
  }

  /// Whether a number is within a limit; where not, that is counted. The answer is remembered, so
  /// the number has to follow from the question, as the length of a path does.
  package func isWithin(_ number: Int, _ limit: Limit) -> Bool {
    guard number >= limit.count else { return true }
    limitHits[limit, default: 0] += 1
    return false
  }
}
