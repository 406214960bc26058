import PersistIndex
import PersistSyntax

/// Runs bodies for a domain, once for each combination of what comes in.
final class LocalFlow<Domain: LocalDomain> {
  typealias Mark = Domain.Mark

  private struct Key: Hashable {
    let body: BodyID
    let parameters: [Mark]
    let captures: [Mark]
    let receiver: Mark
  }

  let program: Program
  let bodies: Bodies
  let facts: ProgramFacts
  private unowned let domain: Domain
  @exclusivity(unchecked) private var results: [Key: Mark] = [:]
  /// What bodies put into captured variables, by the numbers of the captures.
  @exclusivity(unchecked) private var stores: [Key: [Int: Mark]] = [:]
  @exclusivity(unchecked) private(set) var depth = 0
  /// What the body that ran last has left in the variables which it has captured.
  @exclusivity(unchecked) var left: [Mark] = []
  /// How many bodies have been run for the question that is open.
  @exclusivity(unchecked) private(set) var runs = 0
  /// The number of the run that began last, whichever question is open.
  @exclusivity(unchecked) fileprivate var lastRun = 0

  init(_ program: Program, for domain: Domain, compiling place: Ref? = nil) {
    self.program = program
    self.domain = domain
    bodies = Bodies(of: program, compiling: place)
    facts = ProgramFacts(program, bodies)
  }

  /// Runs the bodies of some files that mention one of the names, and those of the same file that
  /// lead to them.
  func runAll(naming names: Set<Name>, inFiles isWanted: (Int) -> Bool = { _ in true }) {
    runAll(around: program.uses(of: names).filter { isWanted(Int($0.file)) })
  }

  /// Runs the bodies around some nodes, and those of the same file that lead to them.
  func runAll(around nodes: [Ref]) {
    let places = Dictionary(grouping: nodes) { Int($0.file) }
    for (file, nodes) in places.sorted(by: { $0.key < $1.key }) {
      let units = units(leadingTo: nodes, inFile: file)
      for unit in units.sorted() { bodies.lower(unit: unit) }
      for (id, body) in bodies.loweredBodies(inFile: file)
      where body.kind != .closure && units.contains(bodies.unit(of: body.place)) {
        _ = run(id)
      }
    }
  }

  /// The units of a file that hold some nodes, and those that mention what is declared in them.
  private func units(leadingTo nodes: [Ref], inFile file: Int) -> Set<Ref> {
    var declared: [Ref: [Name]] = [:]
    for id in program.functions(inFile: file) {
      let function = program.functions[id]
      declared[bodies.unit(of: function.ref), default: []].append(function.name)
    }
    for id in program.properties(inFile: file) where program.properties[id].accessors != nil {
      let property = program.properties[id]
      declared[bodies.unit(of: property.ref), default: []].append(property.name)
    }
    var found: Set<Ref> = []
    var seen: Set<Name> = []
    var fresh = nodes
    while !fresh.isEmpty {
      let units = Set(fresh.map { bodies.unit(of: $0) }).subtracting(found)
      found.formUnion(units)
      let names = Set(units.flatMap { declared[$0] ?? [] }).subtracting(seen)
      seen.formUnion(names)
      fresh = program.uses(of: names, inFile: file)
    }
    return found
  }

  /// What a body of some instance gives back; `isKept` says whether that follows from what comes in
  /// alone.
  func run(
    _ id: BodyID, _ parameters: [Mark] = [], _ captures: [Mark] = [],
    of receiver: Mark = Domain.other, isKept: Bool = true
  ) -> Mark {
    let key = Key(body: id, parameters: parameters, captures: captures, receiver: receiver)
    if isKept, let known = results[key] { return known }
    guard depth < Domain.deepest else { return Domain.other }
    if isKept { results[key] = Domain.other }
    depth += 1
    runs += 1
    lastRun += 1
    let run = LocalRun(self, domain, bodies[id], parameters, captures, receiver)
    run.start()
    left = run.left
    depth -= 1
    if isKept { results[key] = run.result }
    if domain.followsStoresOfClosures, !run.stores.isEmpty { stores[key] = run.stores }
    return run.result
  }

  /// Counts runs of bodies that needn't run again.
  func count(runs number: Int) { runs += number }

  /// Answers a question that must not depend on what has run before.
  func afresh<Answer>(_ answer: () -> Answer) -> Answer {
    let outer = (results, depth, runs)
    (results, depth, runs) = ([:], 0, 0)
    defer { (results, depth, runs) = outer }
    return answer()
  }

  /// What a body has put into the variables that it has captured.
  fileprivate func stores(of id: BodyID, _ parameters: [Mark], _ captures: [Mark]) -> [Int: Mark] {
    let key = Key(body: id, parameters: parameters, captures: captures, receiver: Domain.other)
    return stores[key] ?? [:]
  }

  /// What a call of the sources gives back; nil where it is none, or may be one of several.
  func result(of call: Ref, _ arguments: [Mark]) -> Mark? {
    guard case .functions(let ids) = facts.target(call), ids.count == 1,
      let body = facts.body(of: ids[0])
    else { return nil }
    let isWhole = arguments.count == program.functions[ids[0]].parameters.count
    return run(body, isWhole ? arguments : [])
  }
}

/// One run of a body, block by block.
final class LocalRun<Domain: LocalDomain> {
  typealias Mark = Domain.Mark

  let flow: LocalFlow<Domain>
  let body: Body
  private let domain: Domain
  private let parameters: [Mark]
  /// What captured variables get, by the numbers of the captures.
  @exclusivity(unchecked) fileprivate var stores: [Int: Mark] = [:]
  @exclusivity(unchecked) private(set) var values: [Mark]
  /// What variables hold: those of the body, what it has captured, its instance, and the properties of
  /// the instance that it sets.
  @exclusivity(unchecked) private var locals: [Mark]
  private let fields: [Name: Int]
  /// What each block returns.
  @exclusivity(unchecked) private var results: [Int32: Mark] = [:]
  /// What captured variables hold where each block returns.
  @exclusivity(unchecked) private var exits: [Int32: [Mark]] = [:]
  var result: Mark {
    let all = results.sorted { $0.key < $1.key }.map(\.value)
    return all.dropFirst().reduce(all.first ?? Domain.nothing) { domain.joined($0, $1) }
  }
  /// The block that runs.
  @exclusivity(unchecked) private(set) var block: Int32 = 0
  /// The call whose failure leads to the block that runs, on each way.
  @exclusivity(unchecked) private(set) var failure: Ref?
  /// What the blocks before each block leave behind, by their numbers.
  @exclusivity(unchecked) private var incoming: [[Int32: Edge]]
  private let order: BlockOrder
  private let number: Int
  /// The blocks of the loop whose rounds run one by one, the innermost one's.
  @exclusivity(unchecked) private var rounds: Set<Int32> = []
  @exclusivity(unchecked) private var head: Int32 = -1
  /// Whether a block led to one that ran before it, and with something new; rounds of such a loop
  /// left out.
  @exclusivity(unchecked) private var goesBack = false

  /// The effects that blocks had, and the heads of loops that ran for each element.
  @exclusivity(unchecked) private var effects: [Int32: [Range<Int>]] = [:]
  @exclusivity(unchecked) private var unrolled: Set<Int32> = []

  private struct Edge {
    let locals: [Mark]
    let failure: Ref?
  }

  /// Loops are looked through again with what they leave behind, those inside of others too.
  private static var passes: Int { 4 }

  init(
    _ flow: LocalFlow<Domain>, _ domain: Domain, _ body: Body, _ parameters: [Mark],
    _ captures: [Mark], _ receiver: Mark
  ) {
    self.flow = flow
    self.domain = domain
    self.body = body
    self.parameters = parameters
    let taken = body.captures.indices.map { captures.indices.contains($0) ? captures[$0] : nil }
    locals = body.locals.map { _ in Domain.nothing } + taken.map { $0 ?? Domain.other } + [receiver]
    var fields: [Name: Int] = [:]
    for step in body.ownMembers {
      guard fields[step.name] == nil else { continue }
      let held = domain.held(step, in: body)
      guard held != nil || step.operation == .set else { continue }
      fields[step.name] = locals.count
      locals.append(held ?? Domain.other)
    }
    self.fields = fields
    values = Array(repeating: Domain.other, count: body.steps.count)
    incoming = Array(repeating: [:], count: body.blocks.count)
    order = body.order
    number = flow.lastRun
  }

  /// The values of arguments; those that nobody knows are anything.
  func marks(of site: CallSite) -> [Mark] {
    site.arguments.map { $0.value < 0 ? Domain.other : values[Int($0.value)] }
  }

  func mark(_ value: Value) -> Mark { value < 0 ? Domain.other : values[Int(value)] }

  /// What a variable of the body, or one that it has captured, is here.
  func mark(ofLocal declaration: Ref) -> Mark {
    if let local = body.locals.firstIndex(where: { $0.declaration == declaration }) {
      return locals[local]
    }
    return body.captures.firstIndex(of: declaration).map { locals[body.locals.count + $0] }
      ?? Domain.other
  }

  /// The instance that the code belongs to.
  var receiver: Mark { locals[body.locals.count + body.captures.count] }

  /// What a property of the instance holds that the body sets or the domain knows; nil for others.
  func own(_ step: Instruction) -> Mark? {
    body.isOfSelf(step) ? fields[step.name].map { locals[$0] } : nil
  }

  /// Puts a value into a property of the instance.
  func keep(_ mark: Mark, _ step: Instruction) {
    if body.isOfSelf(step), let field = fields[step.name] { locals[field] = mark }
  }

  /// Makes something else of what variables hold from here on.
  func change(_ new: (Mark) -> Mark) {
    for index in locals.indices { locals[index] = new(locals[index]) }
  }

  /// Makes something else of the variable that a value reads.
  func change(variableReadBy value: Value, to mark: Mark) {
    if let place = place(ofVariable: value) { locals[place] = mark }
  }

  private func place(ofVariable value: Value) -> Int? {
    let step = body.steps[Int(value)]
    switch step.operation {
    case .load where step.index >= 0: return Int(step.index)
    case .capture: return body.locals.count + Int(step.index)
    default: return nil
    }
  }

  /// What the captured variables hold where the body returns.
  fileprivate var left: [Mark] {
    let ends = exits.sorted { $0.key < $1.key }.map(\.value)
    return ends.dropFirst().reduce(ends.first ?? captured) { joined($0, $1) }
  }

  private func joined(_ left: [Mark], _ right: [Mark]) -> [Mark] {
    zip(left, right).map { domain.joined($0, $1) }
  }

  private var captured: [Mark] {
    Array(locals[body.locals.count..<body.locals.count + body.captures.count])
  }

  /// Takes over what a closure that has run puts into the variables around it.
  func takeStores(of closure: Instruction, _ parameters: [Mark] = []) {
    guard domain.followsStoresOfClosures else { return }
    let taken = body.operands(of: closure).dropFirst()
    let found = flow.stores(of: closure.index, parameters, taken.map { mark($0) })
    for (number, value) in taken.enumerated() where value >= 0 {
      guard let stored = found[number] else { continue }
      let source = body.steps[Int(value)]
      switch source.operation {
      case .load:
        let index = Int(source.index)
        locals[index] = domain.joined(locals[index], stored)
      case .capture: put(domain.joined(mark(value), stored), inCapture: Int(source.index))
      default: continue
      }
    }
  }

  private func put(_ mark: Mark, inCapture index: Int) {
    guard body.captures.indices.contains(index) else { return }
    stores[index] = stores[index].map { domain.joined($0, mark) } ?? mark
    locals[body.locals.count + index] = mark
  }

  fileprivate func start() {
    incoming[0][-1] = Edge(locals: locals, failure: nil)
    let notes = domain.notes
    for _ in 0..<Self.passes {
      goesBack = false
      domain.forget(since: notes)
      run(order.blocks)
      if !goesBack { break }
    }
    for (block, ranges) in effects {
      let place = EffectPlace(run: number, block: block, missed: reached(without: block))
      for range in ranges { domain.place(range, place) }
    }
  }

  /// The blocks to which a way that has run leads past a block; where the body returns is -1.
  private func reached(without block: Int32) -> Set<Int32> {
    var seen: Set<Int32> = block == 0 ? [] : [0]
    var waiting = Array(seen)
    while let next = waiting.popLast() {
      let terminator = body.blocks[Int(next)].terminator
      if case .return = terminator { seen.insert(-1) }
      for target in terminator.targets where target != block {
        if unrolled.contains(next) {
          if case .loop(_, target) = terminator { continue }
        } else if case .loop(let inner, let after) = body.blocks[Int(target)].terminator,
          unrolled.contains(target), loop(target, inner, after).contains(next)
        {
          // A round that misses the block leads behind the loop.
          if after != block, seen.insert(after).inserted { waiting.append(after) }
          continue
        } else if incoming[Int(target)][next] == nil {
          continue
        }
        if seen.insert(target).inserted { waiting.append(target) }
      }
    }
    return seen
  }

  private func run(_ blocks: [Int32]) {
    var done: Set<Int32> = []
    for next in blocks where !done.contains(next) && enter(next) {
      let code = body.blocks[Int(next)]
      let before = domain.effects
      for step in code.steps {
        values[Int(step)] = take(step)
        domain.see(values[Int(step)], of: step, in: body)
      }
      if domain.effects > before { effects[next, default: []].append(before..<domain.effects) }
      if case .loop(let inner, let after) = code.terminator,
        let element = code.steps.last(where: { body.steps[Int($0)].operation == .next }),
        let list = body.operands(of: body.steps[Int(element)]).first,
        let marks = domain.elements(of: mark(list), in: body.ref(body.steps[Int(element)]))
      {
        let loop = blocks.filter(self.loop(next, inner, after).contains)
        if !marks.isEmpty { unrolled.insert(next) }
        run(loop, from: next, inner, for: element, marks)
        lead(to: after, from: next, Edge(locals: locals, failure: failure))
        done.formUnion(loop)
      } else {
        leave(code)
      }
    }
  }

  /// Runs a loop once for each element of its list.
  private func run(
    _ loop: [Int32], from head: Int32, _ inner: Int32, for element: Value, _ marks: [Mark]
  ) {
    let outer = (rounds, self.head)
    (rounds, self.head) = (Set(loop), head)
    defer { (rounds, self.head) = outer }
    for mark in marks {
      values[Int(element)] = mark
      domain.see(mark, of: element, in: body)
      for block in loop { incoming[Int(block)] = [:] }
      incoming[Int(inner)][head] = Edge(locals: locals, failure: failure)
      domain.beginRound(mark, of: body.ref(body.steps[Int(element)]))
      run(loop)
      domain.endRound(of: body.ref(body.steps[Int(element)]))
      block = head
      let back = loop.compactMap { incoming[Int(head)].removeValue(forKey: $0) }
      guard let first = back.first else { break }
      locals = back.dropFirst().reduce(first.locals) { locals, edge in
        zip(locals, edge.locals).map { domain.joined($0, $1) }
      }
    }
  }

  /// The blocks from the beginning of a loop's body that lead back to its head.
  private func loop(_ head: Int32, _ inner: Int32, _ after: Int32) -> Set<Int32> {
    var reached: Set<Int32> = [head, after]
    var waiting = [inner]
    while let next = waiting.popLast() {
      guard reached.insert(next).inserted else { continue }
      waiting += body.blocks[Int(next)].terminator.targets
    }
    var leading: Set<Int32> = []
    var count = -1
    while count != leading.count {
      count = leading.count
      for next in reached.subtracting([head, after]) {
        let targets = body.blocks[Int(next)].terminator.targets
        if targets.contains(where: { $0 == head || leading.contains($0) }) { leading.insert(next) }
      }
    }
    return leading
  }

  /// Joins what leads to a block; false where nothing does.
  private func enter(_ next: Int32) -> Bool {
    let edges = order.sorted(incoming[Int(next)])
    guard let first = edges.first else { return false }
    block = next
    locals = first.locals
    failure = edges.allSatisfy { $0.failure != nil } ? edges.last?.failure : nil
    for edge in edges.dropFirst() {
      locals = zip(locals, edge.locals).map { domain.joined($0, $1) }
    }
    return true
  }

  private func leave(_ code: Block) {
    let edge = Edge(locals: locals, failure: failure)
    switch code.terminator {
    case .return(let value):
      let others = rounds.isEmpty ? nil : exits[block]
      exits[block] = others.map { joined($0, captured) } ?? captured
      guard value >= 0 else { return }
      let mark = values[Int(value)]
      domain.leave(mark, by: value, in: self)
      let known = rounds.isEmpty ? nil : results[block]
      results[block] = known.map { domain.joined($0, mark) } ?? mark
    case .mayThrow(let next, let handler):
      lead(to: next, from: block, edge)
      let call = code.steps.last.map { body.ref(body.steps[Int($0)]) } ?? body.place
      lead(
        to: handler, from: block,
        Edge(locals: locals.map { domain.failed($0, at: call) }, failure: call))
    case .branch(let condition, let first, let second):
      let truth = condition < 0 ? nil : domain.truth(of: values[Int(condition)])
      if truth != false { lead(to: first, from: block, decided(edge, condition, holds: true)) }
      if truth != true { lead(to: second, from: block, decided(edge, condition, holds: false)) }
    default:
      for target in code.terminator.targets { lead(to: target, from: block, edge) }
    }
  }

  /// What a block leaves behind where a condition holds, or doesn't: a variable that it names is so,
  /// one that it compares with nil is nil.
  private func decided(_ edge: Edge, _ condition: Value, holds: Bool) -> Edge {
    let (value, isSame) = body.condition(condition)
    guard value >= 0 else { return edge }
    var locals = edge.locals
    if body.steps[Int(value)].operation == .isNil {
      guard isSame == holds, let held = body.operands(of: body.steps[Int(value)]).first,
        let variable = body.variable(behind: held), let place = place(ofVariable: variable)
      else { return edge }
      locals[place] = domain.missing(locals[place])
    } else if let place = place(ofVariable: value) {
      locals[place] = domain.decided(locals[place], isSame == holds)
    }
    return Edge(locals: locals, failure: edge.failure)
  }

  /// Leads on to a block; what leaves a round of a loop joins what has left it before.
  private func lead(to target: Int32, from source: Int32, _ edge: Edge) {
    if order.places[Int(target)] <= order.places[Int(source)], target != head,
      incoming[Int(target)][source]?.locals != edge.locals
    {
      goesBack = true
    }
    var edge = edge
    if !rounds.isEmpty, !rounds.contains(target), let known = incoming[Int(target)][source] {
      edge = Edge(
        locals: zip(edge.locals, known.locals).map { domain.joined($0, $1) }, failure: edge.failure)
    }
    incoming[Int(target)][source] = edge
  }

  private func take(_ value: Value) -> Mark {
    let step = body.steps[Int(value)]
    let operands = body.operands(of: step).map { $0 < 0 ? Domain.other : values[Int($0)] }
    switch step.operation {
    case .parameter:
      let index = Int(step.index)
      let mark = parameters.indices.contains(index) ? parameters[index] : Domain.other
      return domain.loaded(mark, step, in: self)
    case .capture:
      return domain.loaded(locals[body.locals.count + Int(step.index)], step, in: self)
    case .load: return domain.loaded(locals[Int(step.index)], step, in: self)
    case .store:
      if step.index >= 0 {
        locals[Int(step.index)] = domain.kept(operands[0], in: body.locals[Int(step.index)])
      } else if step.index < -1, domain.followsStoresOfClosures {
        put(operands[0], inCapture: -2 - Int(step.index))
      }
      domain.store(operands[0], step, in: self)
      return operands[0]
    case .await, .cast: return operands[0]
    case .closure:
      let made = domain.take(step, value, operands, in: self)
      takeStores(of: step)
      return made
    default: return domain.take(step, value, operands, in: self)
    }
  }
}
