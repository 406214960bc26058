import PersistIndex
import PersistSyntax

/// Finds out where values come from, what calls call and where code runs, all at once.
///
/// It runs each body once for each combination of what comes in and where it runs, until nothing
/// changes; an instance whose callers have since handed over more is left out at the end.
final class Solver {
  /// What is to be found out: whose things are used where, or what becomes of single objects.
  enum Analysis { case owners, lifetimes }
  let analysis: Analysis
  let program: Program
  let bodies: Bodies
  let facts: ProgramFacts
  let relevance: Relevance
  let rows = APITable.all
  let waits: Waits
  let table = OriginTable()
  @exclusivity(unchecked) var instances: [Instance] = []
  @exclusivity(unchecked) var idsOfKeys: [InstanceKey: InstanceID] = [:]
  @exclusivity(unchecked) var countsOfBodies = Numbered<BodyID, Int>()
  @exclusivity(unchecked) var cells: [Cell: Contents] = [:]
  @exclusivity(unchecked) var waiting = WaitingInstances()
  @exclusivity(unchecked) var roots: [InstanceID] = []
  @exclusivity(unchecked) var valuesByType: [Ref: OriginsID] = [:]
  @exclusivity(unchecked) private var parameterTypes = Numbered<BodyID, [SwiftType]>()
  /// Stored properties that were read, with their objects, and of which no value is known.
  @exclusivity(unchecked) private(set) var emptyReads: Set<EmptyRead> = []
  /// Stored properties that were read and hold code which gets something of an owner.
  @exclusivity(unchecked) var readReceivers: Set<PropertyID> = []
  /// Whether all bodies that matter have been begun or reached.
  @exclusivity(unchecked) private var isSettled = false
  /// Runs that wait for one that they have begun.
  @exclusivity(unchecked) var depth = 0
  @exclusivity(unchecked) var ownFields = Numbered<BodyID, [Name]>()
  @exclusivity(unchecked)
  var assignedParameters = Numbered<BodyID, [(parameter: Int, local: Int)]>()
  /// What properties hold before anything is assigned to them, where no code has to run for that.
  @exclusivity(unchecked) var beginnings = Numbered<PropertyID, OriginsID>()
  /// Whether functions make the contexts that they return.
  @exclusivity(unchecked) var makers = Numbered<BodyID, Bool>()
  /// Steps taken so far.
  @exclusivity(unchecked) private(set) var steps = 0
  /// The instances whose results may lead to an owner, and those that use something of one.
  private var leadingInstances = NumberSet()
  private var usingInstances = NumberSet()
  /// Code that uses or keeps something of an owner, or calls such code.
  @exclusivity(unchecked) private var hot = NumberSet()
  /// Names of calls whose target can't be told.
  @exclusivity(unchecked) private var unseenCalls: Set<Name> = []
  /// Functions that give an owner to code that they get.
  @exclusivity(unchecked) private var receivers: Set<BodyID> = []
  /// Whether it matters where notifications are posted.
  @exclusivity(unchecked) var hasObservers = false
  /// Whether a notification brings something of an owner along.
  @exclusivity(unchecked) var hasPosted = false
  /// How calls run what they are given.
  @exclusivity(unchecked) private(set) var manners: [Ref: Manner] = [:]
  /// Who has called a body that didn't matter.
  @exclusivity(unchecked) var unwanted = Numbered<BodyID, FewNumbers>()
  /// The instances that run where something was deleted that nothing has saved yet.
  @exclusivity(unchecked) var followingDeletions = NumberSet()

  /// Steps in all; beyond them nothing is said.
  private static let mostSteps = 12_000_000

  init(_ program: Program, _ bodies: Bodies, _ analysis: Analysis = .owners) {
    self.program = program
    self.analysis = analysis
    self.bodies = bodies
    facts = ProgramFacts(program, bodies, knowsRealms: analysis == .owners)
    waits = Waits(facts)
    relevance = Relevance(program, bodies, facts, analysis, waits)
  }

  /// The written types of a body's parameters.
  func parameterTypes(of body: BodyID) -> [SwiftType] {
    if let known = parameterTypes[body] { return known }
    let types = facts.parameterTypes(of: bodies[body])
    parameterTypes[body] = types
    return types
  }

  /// Whether the search came to its end; else nothing certain follows.
  var isComplete: Bool { waiting.isEmpty }

  func solve() {
    var begun: Set<BodyID> = []
    repeat {
      let fresh = relevance.takeFresh()
      for body in fresh {
        for caller in unwanted[body]?.all ?? [] { wait(caller) }
        unwanted[body] = nil
        if facts.isEntry(body, relevance.mentions), begun.insert(body).inserted { addRoot(body) }
      }
      runAll()
      growRelevance()
      if !relevance.hasFresh { beginUnreached(&begun) }
      if isSettled, !relevance.hasFresh, !emptyReads.isEmpty { fillEmptyCells() }
    } while (!isSettled || relevance.hasFresh || !emptyReads.isEmpty) && isComplete
  }

  /// Has what was read and never assigned be what its type says: whoever assigns it can't be seen.
  /// Frameworks' values come first: code that asks for them may assign the others.
  private func fillEmptyCells() {
    let first = emptyReads.filter { read in
      if case .external = program.type(ofProperty: read.property).unwrapped { true } else { false }
    }
    let filled = first.isEmpty ? emptyReads : first
    emptyReads.subtract(filled)
    for read in filled.sorted(by: { ($0.property, $0.origin) < ($1.property, $1.origin) }) {
      let cell: Cell =
        read.origin < 0 ? .global(read.property) : .field(read.origin, read.property)
      let name = program.properties[read.property].name
      let others = [cell, .anyField(read.property), .named(name)]
      guard others.allSatisfy({ value(of: $0) == OriginTable.nothing }) else { continue }
      write(facts.value(of: program.type(ofProperty: read.property), table), to: cell)
    }
    runAll()
    growRelevance()
  }

  /// Notes that a property was read of which nothing is known; -1 stands for no object.
  func noteEmptyRead(of property: PropertyID, in origin: OriginID) {
    emptyReads.insert(EmptyRead(property: property, origin: origin))
  }

  struct EmptyRead: Hashable {
    let property: PropertyID
    let origin: OriginID
  }

  /// Begins what nobody was seen to call: it gets nobody knows what.
  private func beginUnreached(_ begun: inout Set<BodyID>) {
    let others = relevance.bodies.sorted().filter { body in
      guard !begun.contains(body) else { return false }
      if countsOfBodies[body] != nil, !mayBeCalledUnseen(body) { return false }
      return !facts.isExempt(bodies[body].place)
    }
    for body in others where relevance.writers.contains(body) || keepsContext(body) {
      relevance.addCallers(of: body)
    }
    guard !relevance.hasFresh else { return }
    for body in first(of: others) {
      begun.insert(body)
      if countsOfBodies[body] == nil || mayBeCalledUnseen(body) { addRoot(body) }
      runAll()
    }
    if !others.isEmpty { growRelevance() }
    isSettled = others.isEmpty
  }

  /// Takes in what mentions a function or property that hands out an owner, whoever assigns to a
  /// property that decides something, and the callers of code whose executor they decide.
  private func growRelevance() {
    if analysis == .lifetimes {
      // Whoever calls what deletes objects may use them afterwards.
      for instance in instances where instance.effects.deletes {
        relevance.addCallers(of: instance.key.body)
        relevance.addKeepers(of: instance.key.body)
      }
      return
    }
    // What is found so far decides; what comes in while it is asked doesn't.
    var handing: [BodyID] = []
    var leading: Set<PropertyID> = []
    var deciding: Set<PropertyID> = []
    for id in leadingInstances.sorted() {
      let instance = instances[Int(id)]
      collectLeadingFields(of: instance.result, into: &leading)
      if leadsByItself(instance.result) { handing.append(instance.key.body) }
    }
    var assigned: Set<PropertyID> = []
    for (cell, value) in cells.lazy.map({ ($0, $1.value) }) where table.isTelling(value) {
      guard let property = cell.property else { continue }
      collectLeadingFields(of: value, into: &leading)
      if leadsByItself(value) { assigned.insert(property) } else { deciding.insert(property) }
    }
    for body in handing { relevance.addCallers(of: body) }
    for property in leading.union(assigned).sorted() { relevance.add(property: property) }
    for property in assigned.sorted() { relevance.addWriters(of: property) }
    for property in deciding.sorted() { relevance.addSetters(of: property) }
    addMakersOfRead()
    addCallersOfUsers()
    addCallersOfWaits()
  }

  /// Whether a thread waits for the main queue, or for a signal.
  private func decides(_ value: OriginsID) -> Bool {
    guard table[value].isOne, let origin = table.members(value).first else { return false }
    switch origin {
    case .queue(.main): return true
    case .holder(let type, _, _): return Frameworks.signalTypes.contains(type)
    default: return false
    }
  }

  /// Takes in who calls code in which a thread waits, and who calls these.
  private func addCallersOfWaits() {
    var pending = instances.filter { $0.waits.contains { $0.kind == .wait && decides($0.value) } }
    var seen: Set<BodyID> = []
    while let next = pending.popLast() {
      guard seen.insert(next.key.body).inserted else { continue }
      relevance.addCallers(of: next.key.body)
      pending += next.callers.all.map { instances[Int($0)] }
    }
  }

  /// Takes in who calls code that uses an owner and doesn't say itself where it runs, and who hands
  /// code to what gives it an owner.
  private func addCallersOfUsers() {
    for body in receivers.sorted() { relevance.addCallers(of: body) }
    if hasObservers { relevance.addPosts() }
    if hasPosted { relevance.addObservers() }
    var pending = usingInstances.sorted().map { instances[Int($0)] }.filter { instance in
      instance.uses.contains {
        $0.kind != .handed && !table[$0.value].isOpen && leadsToOwner($0.value)
      }
    }
    var seen: Set<BodyID> = []
    while let next = pending.popLast() {
      let body = next.key.body
      guard seen.insert(body).inserted else { continue }
      if facts.hasOwnExecutor(bodies[body]) {
        // A queue runs the main actor's code where the queue is.
        if facts.followsQueues(bodies[body]) { relevance.addCrossings(to: body) }
        continue
      }
      relevance.addCallers(of: body)
      pending += next.callers.all.map { instances[Int($0)] }
    }
  }

  /// Whether a call that could not be told may hand something over that the body keeps.
  private func mayBeCalledUnseen(_ body: BodyID) -> Bool {
    guard let function = bodies[body].function else { return false }
    if relevance.mayWriteUnknown(body) { return true }
    guard bodies[body].kind == .function, bodies[body].writesHeap else { return false }
    return unseenCalls.contains(program.functions[function].name)
  }

  private func addRoot(_ body: BodyID) {
    let code = bodies[body]
    let executor =
      code.kind == .closure
      ? facts.writtenExecutor(code.place) ?? .unknown : facts.executor(ofEntry: code)
    var receiver = code.owner.map { facts.receiver(of: code, $0, table) } ?? OriginTable.unknown
    if !code.isStatic, [.function, .getter].contains(code.kind), let owner = code.owner,
      let given = facts.given(.declared(owner), to: code.place, on: executor, table)
    {
      receiver = given
    }
    var arguments = facts.parameterTypes(of: code).map {
      facts.given($0, to: code.place, on: executor, table) ?? facts.value(of: $0, table)
    }
    while arguments.count < code.parameterCount { arguments.append(OriginTable.unknown) }
    if analysis == .lifetimes { return addTracked(body) }
    var key = InstanceKey(
      body: body, receiver: receiver, arguments: arguments, captures: [], executor: executor)
    // What the system calls on main runs outside of transactions.
    if facts.usesRealm, code.kind != .closure, key.executor == .main || isBegunUnseen(body) {
      key.transaction = .none
    }
    addRoot(key)
  }

  private func runAll() {
    // Those made last first: callers then find results that no longer change.
    while steps < Self.mostSteps, let next = waiting.takeLast() {
      let instance = instances[Int(next)]
      guard instance.isWaiting else { continue }
      if instance.isWanted { run(next) } else { instance.isLeft = true }
    }
  }

  func run(_ id: InstanceID) {
    instances[Int(id)].isWaiting = false
    depth += 1
    let run = Run(self, id)
    run.start()
    depth -= 1
    steps += run.steps
  }

  /// Whether running a body can matter: it leads to an owner, one comes in, or its value is wanted.
  func isWanted(_ key: InstanceKey, from caller: InstanceID) -> Bool {
    if relevance.contains(key.body) || key.home != nil { return true }
    if key.arguments.contains(where: leadsToOwner) { return true }
    if key.captures.dropFirst().contains(where: leadsToOwner) { return true }
    if leadsToOwner(key.receiver) || facts.mayReturnTelling(key.body) || boxes(key) { return true }
    noteUnwanted(key.body, by: caller)
    for argument in key.arguments {
      for case .closure(let code, _) in table.members(argument) {
        noteUnwanted(code, by: caller)
      }
    }
    return false
  }

  /// Whether a function takes an object whose type the callers choose: `init(_ value: Value)`.
  private func boxes(_ key: InstanceKey) -> Bool {
    [.initializer, .function].contains(bodies[key.body].kind)
      && zip(key.arguments, parameterTypes(of: key.body)).contains { argument, type in
        !type.isKnown && table.members(argument).contains { $0.declaredType != nil }
      }
  }

  /// Whether a value is or holds an owner, one of its objects, or code that may lead to one.
  func leadsToOwner(_ set: OriginsID) -> Bool {
    var seen = FewNumbers()
    return leadsToOwner(set, &seen)
  }

  private func leadsToOwner(_ set: OriginsID, _ seen: inout FewNumbers) -> Bool {
    switch table.lead(of: set) {
    case .never: return false
    case .surely: return true
    case .perhaps: break
    }
    // What a holder of values holds may be the holder.
    guard seen.insert(set) else { return false }
    return table.sets[Int(set)].known.contains { id in
      switch table.origins[Int(id)] {
      case .owner, .managed: true
      case .closure(let code, let captures):
        relevance.contains(code)
          || captures.dropFirst(bodies[code].usesSelf ? 0 : 1).contains {
            leadsToOwner($0, &seen)
          }
      case .function(let function, _): lowered(function).map(relevance.contains) ?? false
      case .holder(_, let site, let part):
        leadsToOwner(part, &seen)
          || leadsToOwner(value(of: .channel("values", site)), &seen)
      case .collection(let part), .dictionary(let part): leadsToOwner(part, &seen)
      case .tuple(let parts, _), .enumCase(_, let parts):
        parts.contains { leadsToOwner($0, &seen) }
      case .structure(_, let fields): fields.contains { leadsToOwner($0.value, &seen) }
      default: false
      }
    }
  }

  /// Whether whoever mentions what holds a value may use an owner; the properties of a struct have
  /// names of their own, and code matters where it uses or keeps something of an owner.
  private func leadsByItself(_ set: OriginsID) -> Bool {
    var seen = FewNumbers()
    return leadsByItself(set, &seen)
  }

  private func leadsByItself(_ set: OriginsID, _ seen: inout FewNumbers) -> Bool {
    guard table.lead(of: set) != .never, seen.insert(set) else { return false }
    return table.sets[Int(set)].known.contains { id in
      switch table.origins[Int(id)] {
      case .owner, .managed: true
      case .closure(let code, let captures):
        hot.contains(code) || captures.dropFirst().contains { leadsToOwner($0) }
      case .function(let function, _): lowered(function).map(hot.contains) ?? false
      case .holder(_, let site, let part):
        leadsByItself(part, &seen)
          || leadsByItself(value(of: .channel("values", site)), &seen)
      case .collection(let part), .dictionary(let part): leadsByItself(part, &seen)
      case .tuple(let parts, _), .enumCase(_, let parts):
        parts.contains { leadsByItself($0, &seen) }
      default: false
      }
    }
  }

  /// Whether a value is or holds something of an owner, or code that uses such.
  func holdsOwned(_ set: OriginsID) -> Bool {
    guard table.isTelling(set) else { return false }
    if leadsByItself(set) { return true }
    return table.members(set).contains { origin in
      guard case .structure(_, let fields) = origin else { return false }
      return fields.contains { holdsOwned($0.value) }
    }
  }

  /// Notes that code uses or keeps something of an owner, and all that call it with it.
  func markHot(_ id: InstanceID) {
    var pending = [id]
    while let next = pending.popLast() {
      let instance = instances[Int(next)]
      guard !instance.isHot else { continue }
      instance.isHot = true
      hot.insert(instance.key.body)
      pending += instance.callers.all
    }
  }

  /// The properties of structs that lead to an owner.
  private func collectLeadingFields(of set: OriginsID, into found: inout Set<PropertyID>) {
    guard table.lead(of: set) != .never else { return }
    for case .structure(_, let fields) in table.members(set) {
      for field in fields {
        collectLeadingFields(of: field.value, into: &found)
        if leadsByItself(field.value) { found.insert(field.property) }
      }
    }
  }

  /// The body of a function if it has come in; asking lowers nothing.
  private func lowered(_ function: FunctionID) -> BodyID? {
    bodies.loweredBody(at: program.functions[function].ref)
  }

  func instance(_ id: InstanceID) -> Instance { instances[Int(id)] }

  func note(_ manner: Manner, at call: Ref) { manners[call, default: []].insert(manner) }

  /// Notes that a function gives an owner to code that nobody has seen it get.
  func noteReceiver(_ body: BodyID) { receivers.insert(relevance.outermost(body)) }

  /// Notes a call that may lead to any function of that name.
  func noteUnseenCall(_ name: Name) { unseenCalls.insert(name) }

  /// Takes in what a run has found; whoever waits for the result looks again.
  func finish(_ run: Run) {
    let known = instances[Int(run.id)]
    replaceCalls(of: known, by: run.calls)
    known.uses = run.uses
    if !run.uses.isEmpty { usingInstances.insert(run.id) }
    if analysis == .lifetimes { finish(tracking: run, known) }
    known.waits = run.waits
    if run.keepsOwned || run.uses.contains(where: { $0.kind != .handed && leadsToOwner($0.value) })
    {
      markHot(run.id)
    }
    let result = table.union(known.result, run.result)
    let receiver = table.union(known.receiver, run.finalReceiver)
    var (adopted, changed) = (known.adopted, known.changed)
    if !run.adopted.isEmpty { adopted.merge(run.adopted) { table.union($0, $1) } }
    if !run.changed.isEmpty { changed.merge(run.changed) { table.union($0, $1) } }
    guard
      result != known.result || receiver != known.receiver || adopted != known.adopted
        || changed != known.changed
    else { return }
    known.changed = changed
    known.result = result
    known.receiver = receiver
    known.adopted = adopted
    if table.lead(of: result) != .never { leadingInstances.insert(run.id) }
    for caller in known.callers.all { wait(caller) }
  }

  func wait(_ id: InstanceID) {
    guard !instances[Int(id)].isWaiting else { return }
    instances[Int(id)].isWaiting = true
    waiting.insert(id)
  }

  // MARK: Results

  /// Whether a call whose target can't be told may lead to a function.
  func isCalledUnseen(_ name: Name) -> Bool { unseenCalls.contains(name) }
}
