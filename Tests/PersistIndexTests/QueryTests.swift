import Testing

@testable import PersistIndex

@Suite struct QueryTests {
  /// A graph in which a node reaches its numbers and those of all that it leads to.
  private static let edges: [Int: [Int]] = [
    0: [1, 5], 1: [2], 2: [3, 1], 3: [0], 4: [4], 5: [6], 6: [5, 7], 7: [],
  ]

  private struct Reached: Query {
    let node: Int
    static var provisional: Set<Int> { [] }
    func answer(in program: Program) -> Set<Int> {
      QueryTests.edges[node, default: []].reduce([node]) {
        $0.union(program.answer(Reached(node: $1)))
      }
    }
  }

  private struct Depth: Query {
    let node: Int
    static var provisional: Int { -1 }
    func answer(in program: Program) -> Int {
      node == 0 ? 0 : program.answer(Depth(node: node - 1)) + 1
    }
  }

  /// A question whose answer never stays the same.
  private struct Unstable: Query {
    let node: Int
    static var provisional: Int { 0 }
    func answer(in program: Program) -> Int { program.answer(Unstable(node: node)) + 1 }
  }

  @Test(arguments: 0..<8) func cyclesHaveTheSameAnswersWhoeverAsksFirst(first: Int) {
    let program = Program([])
    _ = program.answer(Reached(node: first))
    let all: Set<Int> = [0, 1, 2, 3, 5, 6, 7]
    for node in 0..<4 { #expect(program.answer(Reached(node: node)) == all) }
    #expect(program.answer(Reached(node: 4)) == [4])
    #expect(program.answer(Reached(node: 5)) == [5, 6, 7])
    #expect(program.answer(Reached(node: 6)) == [5, 6, 7])
    #expect(program.answer(Reached(node: 7)) == [7])
    #expect(Reached.memo(in: program).answers.count == 8)
  }

  @Test func whatALimitCutsIsCountedAndNotRemembered() {
    let program = Program([])
    let far = Limit.openQueries.count * 2
    #expect(program.answer(Depth(node: far)) < far)
    #expect(program.limitHits[.openQueries] == 1)
    #expect(Depth.memo(in: program).answers.isEmpty)
    #expect(program.answer(Depth(node: Limit.openQueries.count / 2)) == Limit.openQueries.count / 2)
    #expect(program.answer(Depth(node: 10)) == 10)
  }

  @Test func whatNeverSettlesIsGivenUp() {
    let program = Program([])
    #expect(program.answer(Unstable(node: 1)) == 0)
    #expect(program.limitHits[.rounds] == 1)
    #expect(Unstable.memo(in: program).answers.isEmpty)
  }
}
