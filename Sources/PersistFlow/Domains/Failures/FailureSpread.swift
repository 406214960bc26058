import PersistIndex
import PersistSyntax

/// Where calls of one sort, such as openings of stores, stand in a program, and what runs when one
/// fails.
package final class FailureSpread {
  /// All openings; each framework's call comes before the uses of functions that make it.
  package private(set) var openings: [StoreOpening] = []
  /// What runs when an opening has failed, for each opening.
  package private(set) var paths: [FailurePath] = []
  /// What runs when an opening has failed, or wasn't tried.
  private var fallbacks: [FailurePath] = []
  /// The openings whose failure ends the process at once.
  package private(set) var forced: [ForcedOpening] = []
  /// The openings whose failure is thrown away by a `try?`.
  package private(set) var ignored: [ForcedOpening] = []
  /// The openings whose failure a `try?` turns into the nil that a function or property gives or
  /// keeps.
  package private(set) var dropped: [ForcedOpening] = []
  /// The openings that hand their error to a closure which doesn't look at it.
  package private(set) var unheard: [Int] = []
  private unowned let program: Program
  private var seen: Set<Key> = []
  private var queue: [Job] = []
  /// The uses that the openings of a round lead to.
  private var pending: [Use] = []
  private var leaking: Set<Leak> = []

  private struct Key: Hashable {
    let site: Ref
    let form: FailureForm
    let isInMemory: Bool
    let isReported: Bool
    /// The closure that the failure is followed in, if it is one.
    let closure: Ref?
  }

  /// A function out of which a failure comes in a form.
  private struct Leak: Hashable {
    let function: FunctionID
    let form: FailureForm
  }

  /// An opening to propagate from, and how.
  private struct Job {
    let opening: Int
    let start: FailureStart
  }

  /// A use of what opens, and in which form the failure comes out of it.
  private struct Use {
    let opening: StoreOpening
    let form: FailureForm
    let start: FailureStart
  }

  /// A call of which the failure is followed, and how it shows.
  typealias Seed = (call: Ref, form: Words.Opening, isInMemory: Bool)

  /// Follows the failures of calls, those on disk before those in memory, then those of calls of which
  /// the sources may tell by themselves what they do.
  init(_ program: Program, _ seeds: [Seed], andNamed named: [Seed] = []) {
    self.program = program
    let domain = FailureDomain(program)
    let found = seeds.filter { !program.isExempt($0.call) }
    for isInMemory in [false, true] {
      for opening in found where opening.isInMemory == isInMemory { start(opening) }
      drain(domain)
    }
    for opening in named
    where !program.isExempt(opening.call) && !openings.contains(where: { $0.site == opening.call })
    {
      start(opening)
      if case .result = opening.form {
        enqueue(openings.count - 1, closuresOf: opening.call, 0, .error)
      }
    }
    drain(domain)
    sortPlaces()
  }

  /// Follows the failures of opening stores.
  convenience init(openingStoresOf program: Program) {
    func seeds(_ openings: [(call: Ref, form: Words.Opening)]) -> [Seed] {
      openings.filter {
        !program.isLeftOut($0.call.file) && !program.opensResource($0.call)
      }.map {
        ($0.call, $0.form, program.opensInMemory($0.call) || program.opensTemporaryFile($0.call))
      }
    }
    self.init(
      program, seeds(program.frameworkOpenings()), andNamed: seeds(program.namedOpenings()))
  }

  /// Follows the failures of calls that throw.
  convenience init(_ program: Program, throwing calls: [Ref]) {
    self.init(program, calls.map { (call: $0, form: .thrown, isInMemory: false) })
  }

  private func start(_ seed: Seed) {
    let call = seed.call
    let name = program.calledName(call) == "init" ? "init" : program.calledText(call)
    openings.append(
      StoreOpening(site: call, root: call, name: name, isInMemory: seed.isInMemory))
    let index = openings.count - 1
    switch seed.form {
    case .thrown: queue.append(Job(opening: index, start: .node(.thrown)))
    case .completion(let argument):
      enqueue(index, closuresOf: call, argument, .error)
    case .result(let argument):
      enqueue(index, closuresOf: call, argument, .result)
    case .missing: queue.append(Job(opening: index, start: .node(.missing)))
    case .denied: queue.append(Job(opening: index, start: .node(.flag(false))))
    }
  }

  private func enqueue(_ opening: Int, closuresOf call: Ref, _ argument: Int, _ form: FailureForm) {
    for value in program.arguments(call) {
      if let closure = program.closureGiven(by: value) {
        queue.append(Job(opening: opening, start: .argument(argument, of: closure, form)))
      }
    }
  }

  /// Follows failures from use to use, a round for each step, so that what is reached on several ways
  /// is told of the shortest; among those alike of the first one in the function that they leave.
  private func drain(_ domain: FailureDomain) {
    while !queue.isEmpty {
      let jobs = queue
      queue = []
      for job in jobs { run(job, domain) }
      let uses = pending.sorted(by: comesFirst)
      pending = []
      uses.forEach(admit)
    }
  }

  private func run(_ job: Job, _ domain: FailureDomain) {
    let found = domain.follow(job.opening, at: openings[job.opening].site, from: job.start)
    if found.isUnheard, openings[job.opening].before == nil { unheard.append(job.opening) }
    paths += found.paths.filter { !program.isExempt($0.start) }
    fallbacks += found.fallbacks.filter { !program.isExempt($0.start) }
    forced += found.forced.filter { !program.isExempt($0.mark) }
    ignored += found.ignored.filter { !program.isExempt($0.mark) }
    dropped += found.drops.filter { mark in
      guard !program.isExempt(mark), found.paths.isEmpty else { return false }
      // What only asks whether there is a store, and goes on, has nothing to tell.
      return found.exits.isEmpty
        ? !found.isHanded && found.forced.isEmpty && !found.ignored.contains { $0.mark == mark }
        : found.exits.keys.contains { $0.form == .missing }
    }.map { ForcedOpening(opening: job.opening, mark: $0) }
    let exits = found.exits.sorted { program.order(of: $0.key) < program.order(of: $1.key) }
    for (exit, traits) in exits {
      if found.paths.isEmpty, program.isThrownAway(exit) {
        ignored += found.drops.filter { !program.isExempt($0) }
          .map { ForcedOpening(opening: job.opening, mark: $0) }
      }
      if case .flag = exit.form, traits.isShared { continue }
      // A store that doesn't fit is migrated, unless that alone is thrown as an error.
      if exit.form != .thrown, asksForFit(openings[job.opening]) { continue }
      guard exit.form != .missing || !traits.isShared || program.mayHoldStore(exit) else {
        continue
      }
      follow(exit, from: job.opening, traits)
    }
  }

  /// Whether an opening only asks whether a store fits a model.
  package func asksForFit(_ opening: StoreOpening) -> Bool {
    program.calledName(opening.root) == Words.compatibility
  }

  /// Whether a use is looked at before another one of the same round, whatever the order of the
  /// declarations.
  private func comesFirst(_ use: Use, _ other: Use) -> Bool {
    let (opening, another) = (use.opening, other.opening)
    if opening.site != another.site { return opening.site < another.site }
    if opening.isInMemory != another.isInMemory { return another.isInMemory }
    if opening.isReported != another.isReported { return another.isReported }
    guard let before = opening.before, let beforeAnother = another.before else { return false }
    return isBefore(openings[before].site, openings[beforeAnother].site)
  }

  /// Whether a place comes before another: by the names of the functions around them, then in the
  /// source.
  private func isBefore(_ place: Ref, _ other: Ref) -> Bool {
    let (function, another) = (program.enclosingFunction(place), program.enclosingFunction(other))
    guard function != another else { return place < other }
    let (name, otherName) = (
      function.map(program.functionName) ?? "", another.map(program.functionName) ?? ""
    )
    return name == otherName ? place < other : name < otherName
  }

  /// Puts what stores on disk come to before what those in memory do, and in the order of the source.
  private func sortPlaces() {
    func key(_ opening: Int) -> (Int, Ref, Int) {
      (openings[opening].isInMemory ? 1 : 0, openings[opening].site, opening)
    }
    paths.sort { key($0.opening) < key($1.opening) }
    forced.sort { key($0.opening) < key($1.opening) }
    ignored.sort { key($0.opening) < key($1.opening) }
    dropped.sort { key($0.opening) < key($1.opening) }
  }

  // MARK: Uses of what opens

  private func follow(
    _ exit: FailureExit, from before: Int, _ traits: ExitTraits
  ) {
    var opening = openings[before]
    opening.isReported = opening.isReported || traits.isReported
    opening.isNil = exit.form == .missing
    opening.isOffMain = opening.isOffMain || program.runsOnlyOffMain(opening.site)
    switch exit {
    case .function(let id, let form):
      openingFunctions.insert(id)
      leaking.insert(Leak(function: id, form: form))
      for call in program.callers(of: id) where letsOut(call, id, form) {
        let isInstance = program.functions[id].name == Program.instanceCall
        let name = isInstance ? program.calledText(call) : program.functionName(id)
        use(call, opening, before, form, name: name, start: .node(form))
      }
      for call in program.holders(ofFunction: id).flatMap({ program.calls(ofClosure: $0) }) {
        use(call, opening, before, form, name: program.calledText(call), start: .node(form))
      }
    case .closure(let value, let form):
      for call in program.calls(ofClosure: value) {
        use(call, opening, before, form, name: program.calledText(call), start: .node(form))
      }
    case .property(let id, let form):
      followProperty(id, form, from: opening, before)
    case .kept(let id, let form):
      followProperty(id, form, from: opening, before) { use in
        form == .error || self.program.hasRun(opening.site, before: use)
      }
    case .parameter(let id, let parameter, let form):
      use(
        parameter, opening, before, form, name: program.functionName(id), start: .local(form))
    case .coordinator:
      for node in program.uses(of: ["persistentStoreCoordinator"])
      where program.kind(node) == .member && program.property(usedBy: node) == nil {
        use(
          node, opening, before, .missing, name: "persistentStoreCoordinator",
          start: .node(.missing))
      }
    case .completion(let id, let parameter):
      followCompletion(id, parameter, from: opening, before)
    case .recovery(let id, let parameter):
      followRecovery(id, parameter, from: opening, before)
    }
  }

  private func followProperty(
    _ id: PropertyID, _ form: FailureForm, from opening: StoreOpening, _ before: Int,
    where holds: (Ref) -> Bool = { _ in true }
  ) {
    let name = program.nameText(program.properties[id].ref)
    for node in program.uses(ofProperty: id) where holds(node) {
      use(node, opening, before, form, name: name, start: .node(form))
    }
    for binding in program.shorthandBindings(ofProperty: id)
    where form != .thrown && holds(binding) {
      use(binding, opening, before, form, name: name, start: .binding(form))
    }
  }

  /// Whether the failure of a function surely comes out of a call. Where the call names a requirement,
  /// every implementation must let a failure out; placeholders and the caller itself don't count.
  private func letsOut(_ call: Ref, _ id: FunctionID, _ form: FailureForm) -> Bool {
    program.named(by: call).contains { named in
      guard named != id else { return true }
      guard let witnesses = program.witnesses(of: named), witnesses.contains(id) else {
        return false
      }
      let forwarding = program.enclosingFunction(call)
      return witnesses.allSatisfy { witness in
        leaking.contains(Leak(function: witness, form: form)) || witness == forwarding
          || program.isPlaceholder(witness)
      }
    }
  }

  private func followCompletion(
    _ id: FunctionID, _ parameter: Ref, from opening: StoreOpening, _ before: Int
  ) {
    let function = program.functions[id]
    guard let index = function.parameters.firstIndex(where: { $0.node == Int(parameter.node) }),
      let (argument, form) = program.failureArgument(
        ofClosure: function.parameters[index], of: function)
    else { return }
    for call in program.callers(of: id) {
      guard let value = program.argument(of: call, for: index, of: function),
        let closure = program.closureGiven(by: value)
      else { continue }
      use(
        call, opening, before, form, name: program.functionName(id),
        start: .argument(argument, of: closure, form))
    }
  }

  /// Follows a failure into the closures that a function calls only then; where the failure came out of
  /// another closure that the function takes, into those that are handed over beside it.
  private func followRecovery(
    _ id: FunctionID, _ parameter: Ref, from opening: StoreOpening, _ before: Int
  ) {
    let function = program.functions[id]
    guard let index = function.parameters.firstIndex(where: { $0.node == Int(parameter.node) })
    else { return }
    let argument = program.failureArgument(ofClosure: function.parameters[index], of: function)?.0
    let sites = steps(to: openings[before]).map(\.site)
    let isHanded = sites.contains { program.parameter(calledBy: $0)?.0 == id }
    for call in program.callers(of: id)
    where !isHanded || sites.contains(where: { program.contains(call, $0) }) {
      guard let value = program.argument(of: call, for: index, of: function),
        let closure = program.closureGiven(by: value)
      else { continue }
      use(
        call, opening, before, .error, name: program.functionName(id),
        start: .recovery(argument, of: closure))
    }
  }

  /// Whether a call brings anything to what it calls, which else does the same for all callers.
  private func handsOver(_ call: Ref) -> Bool {
    let receiver = program.callee(call).dropLast()
    return !program.arguments(call).isEmpty || receiver.contains { program.nameText($0) != "self" }
  }

  private func use(
    _ site: Ref, _ opening: StoreOpening, _ before: Int, _ form: FailureForm, name: String,
    start: FailureStart
  ) {
    guard !program.isExempt(site), !opening.isOffMain || !program.runsOnMain(site) else { return }
    let isInMemory =
      opening.isInMemory
      || program.kind(site) == .call && handsOver(site)
        && program.mayOpenInMemory(opening.root) && program.opensInMemory(site)
    var next = StoreOpening(
      site: site, root: opening.root, name: name, isInMemory: isInMemory, before: before)
    next.isReported = opening.isReported
    next.isNil = opening.isNil
    next.isOffMain = opening.isOffMain
    pending.append(Use(opening: next, form: form, start: start))
  }

  private func admit(_ use: Use) {
    let opening = use.opening
    func key(isInMemory: Bool, isReported: Bool) -> Key {
      Key(
        site: opening.site, form: use.form, isInMemory: isInMemory, isReported: isReported,
        closure: use.start.closure)
    }
    // A function that opens now on disk, now in memory, counts as one that opens on disk.
    let isKnown =
      seen.contains(key(isInMemory: false, isReported: false))
      || seen.contains(key(isInMemory: opening.isInMemory, isReported: false))
      || seen.contains(key(isInMemory: false, isReported: opening.isReported))
    guard !isKnown,
      seen.insert(key(isInMemory: opening.isInMemory, isReported: opening.isReported)).inserted
    else { return }
    openings.append(opening)
    queue.append(Job(opening: openings.count - 1, start: use.start))
  }

  // MARK: Asking

  /// The functions of the sources out of which the failure of an opening comes.
  package private(set) var openingFunctions: Set<FunctionID> = []

  /// The path that each node stands on, the one that begins last; made when all paths are known.
  private lazy var pathsByRoot: [Ref: FailurePath] = Dictionary(
    paths.flatMap { path in path.nodes.map { ($0, path) } },
    uniquingKeysWith: { one, other in
      if one.start != other.start { return one.start < other.start ? other : one }
      return opening(of: one).isInMemory ? other : one
    })

  /// The innermost failure path that a node stands on.
  package func innermostPath(at node: Ref) -> FailurePath? {
    var next: Ref? = node
    while let current = next {
      if let path = pathsByRoot[current] { return path }
      next = program.parent(current)
    }
    return nil
  }

  /// What runs instead of a store on disk that was opened, where a node stands in it.
  package func fallback(at node: Ref) -> FailurePath? {
    fallbacks.filter { $0.contains(node, in: program) && !opening(of: $0).isInMemory }
      .min { opening(of: $0).site < opening(of: $1).site }
  }

  /// The openings from the framework's call to one, this one included.
  package func steps(to opening: StoreOpening) -> [StoreOpening] {
    var steps = [opening]
    while let before = steps[steps.count - 1].before { steps.append(openings[before]) }
    return steps.reversed()
  }

  /// The opening that a path belongs to.
  package func opening(of path: FailurePath) -> StoreOpening { openings[path.opening] }
}

extension Program {
  /// A stable order of exits: by what they name.
  fileprivate func order(of exit: FailureExit) -> (Int, Ref, UInt64) {
    let nowhere = Ref(file: 0, node: 0)
    return switch exit {
    case .function(let id, let form): (0, functions[id].ref, order(of: form))
    case .property(let id, let form): (1, properties[id].ref, order(of: form))
    case .completion(_, let parameter): (2, parameter, 0)
    case .closure(.property(let id), let form): (3, properties[id].ref, order(of: form))
    case .closure(.local(let ref), let form): (4, ref, order(of: form))
    case .closure(_, let form): (5, nowhere, order(of: form))
    case .coordinator: (6, nowhere, 0)
    case .kept(let id, let form): (7, properties[id].ref, order(of: form))
    case .parameter(_, let parameter, let form): (8, parameter, order(of: form))
    case .recovery(_, let parameter): (9, parameter, 0)
    }
  }

  private func order(of form: FailureForm) -> UInt64 {
    switch form {
    case .thrown: 0
    case .missing: 1
    case .result: 2
    case .error: 3
    case .flag(let value): value ? 4 : 5
    case .element(let index, let inner): 6 &+ 100 &* UInt64(index + 1) &+ order(of: inner)
    case .enumCase(let name): name.hash | 1 << 32
    }
  }

  func calls(ofClosure value: Declared) -> [Ref] {
    switch value {
    case .property(let id):
      calls(named: properties[id].name).filter { callTarget($0) == .closure(value) }
    case .local(let local):
      calls(named: name(local)).filter {
        $0.file == local.file && callTarget($0) == .closure(value)
      }
    default: []
    }
  }

  /// The names of `if let name` that bind what a property holds.
  func shorthandBindings(ofProperty id: PropertyID) -> [Ref] {
    let name = properties[id].name
    return files(using: name).flatMap { file in
      shorthandBindings(of: name, in: file).filter {
        lookUp(name, from: $0) == .property(id)
      }
    }
  }

  /// The index of the argument by which a closure parameter hands a failure on, and its form.
  func failureArgument(ofClosure parameter: Parameter, of function: FunctionDeclaration)
    -> (Int, FailureForm)?
  {
    guard let type = parameter.type else { return nil }
    let place = Ref(file: Int(function.ref.file), node: type)
    guard let closure = written(place)?.unwrapped.function else { return nil }
    for (index, parameter) in closure.parameters.enumerated() {
      guard let written = parameter.type else { continue }
      let type = read(written, at: place).unwrapped
      if type.isExternal("Result") { return (index, .result) }
      if isError(type, written) { return (index, .error) }
    }
    return nil
  }

  /// Whether a type is called an error, or conforms to `Error`.
  private func isError(_ type: SwiftType, _ written: TypeView) -> Bool {
    if let last = written.lastName,
      written.node.outline.saysError(token: last.index, atEnd: true)
    {
      return true
    }
    guard case .declared(let id, _) = type else { return false }
    return ["Error", "LocalizedError", "CustomNSError"].contains { inherits(id, from: $0) }
  }
}
