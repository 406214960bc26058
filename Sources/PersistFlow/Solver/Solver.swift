import PersistIndex
import PersistSyntax

/// Finds out where values come from, what calls call and where code runs, all at once.
///
/// It runs each body once for each combination of what comes in and where it runs, until nothing
/// changes; an instance whose callers have since handed over more is left out at the end.
final class Solver {
  let program: Program
  let bodies: Bodies
  let facts: ProgramFacts
  let relevance: Relevance
  let rows = APITable.all
  var table = OriginTable()
  private(set) var instances: [Instance] = []
  private var idsOfKeys: [InstanceKey: InstanceID] = [:]
  private var countsOfBodies: [BodyID: Int] = [:]
  private var cells: [Cell: OriginsID] = [:]
  private var readers: [Cell: Set<InstanceID>] = [:]
  private var waiting: [InstanceID] = []
  private var head = 0
  private(set) var roots: [InstanceID] = []
  /// Steps taken so far.
  private var steps = 0

  /// Instances of one body before what comes in is no longer told apart.
  private static let mostInstances = 12
  /// Steps in all; beyond them nothing is said.
  private static let mostSteps = 1_500_000

  init(_ program: Program, _ bodies: Bodies) {
    self.program = program
    self.bodies = bodies
    facts = ProgramFacts(program, bodies)
    relevance = Relevance(program, bodies)
  }

  /// Whether the search came to its end; else nothing certain follows.
  var isComplete: Bool { head >= waiting.count }

  func solve() {
    for body in facts.entries where relevance.contains(body) { addRoot(body) }
    runAll()
    let reached = Set(instances.map(\.key.body))
    for body in bodies.all.indices.map({ BodyID(truncatingIfNeeded: $0) })
    where relevance.contains(body) && !reached.contains(body) && facts.mayBegin(body) {
      addRoot(body)
    }
    runAll()
  }

  private func addRoot(_ body: BodyID) {
    let code = bodies.all[Int(body)]
    let receiver = code.owner.map { facts.receiver(of: code, $0, &table) } ?? OriginTable.unknown
    let arguments = facts.parameterTypes(of: code).map { facts.value(of: $0, &table) }
    var key = InstanceKey(
      body: body, receiver: receiver, arguments: arguments, captures: [],
      executor: facts.executor(ofEntry: code))
    // What the system calls on main runs outside of transactions.
    if key.executor == .main { key.transaction = .none }
    roots.append(instance(key))
  }

  private func runAll() {
    while head < waiting.count, steps < Self.mostSteps {
      let next = waiting[head]
      head += 1
      if head > 4096, head * 2 > waiting.count {
        waiting.removeFirst(head)
        head = 0
      }
      instances[Int(next)].isWaiting = false
      var run = Run(self, next)
      run.start()
      steps += run.steps
    }
  }

  // MARK: Instances

  private func instance(_ key: InstanceKey) -> InstanceID {
    if let known = idsOfKeys[key] { return known }
    let id = InstanceID(truncatingIfNeeded: instances.count)
    instances.append(Instance(key: key, receiver: key.receiver))
    idsOfKeys[key] = id
    countsOfBodies[key.body, default: 0] += 1
    wait(id)
    return id
  }

  /// The instance that a call leads to; nil where a body has too many of them.
  func call(_ key: InstanceKey, from caller: InstanceID) -> InstanceID {
    var key = key
    key.arguments = key.arguments.map { table.generalized($0) }
    key.receiver = table.generalized(key.receiver)
    if idsOfKeys[key] == nil, countsOfBodies[key.body, default: 0] >= Self.mostInstances {
      key.arguments = key.arguments.map { _ in OriginTable.unknown }
      key.captures = key.captures.map { _ in OriginTable.unknown }
      if countsOfBodies[key.body, default: 0] >= 2 * Self.mostInstances {
        key.receiver = OriginTable.unknown
        key.executor = .unknown
      }
    }
    let id = instance(key)
    instances[Int(id)].callers.insert(caller)
    return id
  }

  /// Whether running a body can matter: it leads to an owner, one comes in, or its value is wanted.
  func isWanted(_ key: InstanceKey) -> Bool {
    if relevance.contains(key.body) { return true }
    if key.arguments.contains(where: table.leadsToOwner) { return true }
    if key.captures.dropFirst().contains(where: table.leadsToOwner) { return true }
    return table.leadsToOwner(key.receiver) || facts.returnsValue(key.body)
  }

  func instance(_ id: InstanceID) -> Instance { instances[Int(id)] }

  /// Takes in what a run has found; whoever waits for the result looks again.
  func finish(
    _ id: InstanceID, result: OriginsID, receiver: OriginsID, calls: [Instance.Call], uses: [Use]
  ) {
    let old = instances[Int(id)]
    instances[Int(id)].calls = calls
    instances[Int(id)].uses = uses
    let newResult = table.union(old.result, result)
    let newReceiver = table.union(old.receiver, receiver)
    guard newResult != old.result || newReceiver != old.receiver else { return }
    instances[Int(id)].result = newResult
    instances[Int(id)].receiver = newReceiver
    for caller in old.callers.sorted() { wait(caller) }
  }

  private func wait(_ id: InstanceID) {
    guard !instances[Int(id)].isWaiting else { return }
    instances[Int(id)].isWaiting = true
    waiting.append(id)
  }

  // MARK: Cells

  func read(_ cell: Cell, by reader: InstanceID) -> OriginsID {
    readers[cell, default: []].insert(reader)
    return cells[cell] ?? OriginTable.nothing
  }

  func write(_ value: OriginsID, to cell: Cell) {
    guard value != OriginTable.nothing else { return }
    let old = cells[cell] ?? OriginTable.nothing
    let new = table.union(old, value)
    guard new != old else { return }
    cells[cell] = new
    for reader in (readers[cell] ?? []).sorted() { wait(reader) }
  }

  // MARK: Results

  /// The instances that the roots lead to, each with the call that leads to it on a shortest way.
  func reached() -> [(id: InstanceID, from: InstanceID?, call: Ref?)] {
    var found: [(id: InstanceID, from: InstanceID?, call: Ref?)] = []
    var seen: Set<InstanceID> = []
    for root in roots where seen.insert(root).inserted { found.append((root, nil, nil)) }
    var next = 0
    while next < found.count {
      let (id, _, _) = found[next]
      next += 1
      for call in instances[Int(id)].calls where seen.insert(call.target).inserted {
        found.append((call.target, id, call.node))
      }
    }
    return found
  }
}
