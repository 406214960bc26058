/// What some values lead to by a relation, themselves included: each once, the nearest first, and no
/// further than is asked for. So a walk along calls or assignments ends without a bound.
package struct Reach<Node: Hashable>: Sequence, IteratorProtocol {
  private let relation: (Node) -> [Node]
  private var seen: Set<Node> = []
  private var found: [Node] = []
  private var given = 0
  private var followed = 0

  package init(from start: [Node], by relation: @escaping (Node) -> [Node]) {
    self.relation = relation
    for node in start where seen.insert(node).inserted { found.append(node) }
  }

  package init(from start: Node, by relation: @escaping (Node) -> [Node]) {
    self.init(from: [start], by: relation)
  }

  package mutating func next() -> Node? {
    // What a value leads to is looked for when nothing nearer is left.
    while given == found.count, followed < given {
      followed += 1
      for node in relation(found[followed - 1]) where seen.insert(node).inserted {
        found.append(node)
      }
    }
    guard given < found.count else { return nil }
    given += 1
    return found[given - 1]
  }

  /// What is found for the first of them that something is found for.
  package func first<Found>(_ find: (Node) -> Found?) -> Found? {
    for node in self {
      if let found = find(node) { return found }
    }
    return nil
  }

  /// Those that lead to nothing.
  package var ends: [Node] {
    var ends: [Node] = []
    let reach = Reach(from: found) { [relation] node in
      let next = relation(node)
      if next.isEmpty { ends.append(node) }
      return next
    }
    for _ in reach {}
    return ends
  }

  /// Whether each way on comes to what something holds for; ways that only lead back don't count.
  package func surely(_ holds: (Node) -> Bool) -> Bool {
    var isMet = false
    var seen = seen
    var pending = found
    while let node = pending.popLast() {
      if holds(node) {
        isMet = true
        continue
      }
      let next = relation(node)
      guard !next.isEmpty else { return false }
      pending += next.filter { seen.insert($0).inserted }
    }
    return isMet
  }
}
