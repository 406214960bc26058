import PersistIndex

/// What a part of the work on a question has come to.
struct Outcome {
  var value = Known.other
  /// What the values of a body are.
  var values: [Value: Known] = [:]
  /// What has become of what the code belongs to, and what it has done to stores.
  var left = Known.other
  var effects: [StoreEffect] = []
  /// How many bodies have run for it, those of other parts left out.
  var runs = 0
  var trace = Trace()
}

/// What an outcome depends on, besides what comes in.
struct Trace {
  /// Whether it depends on what else has been asked or done for the question that is open.
  var isBound = false
  /// The bodies that have run for it, and the other parts.
  var bodies: Set<BodyID> = []
  var parts: Set<Int> = []
  /// How deep it nests bodies, functions and bodies that are asked for.
  var height = Height()
}

/// A depth of nesting.
struct Height {
  var bodies = 0
  var functions = 0
  var wanted = 0

  static func + (left: Height, right: Height) -> Height {
    Height(
      bodies: left.bodies + right.bodies, functions: left.functions + right.functions,
      wanted: left.wanted + right.wanted)
  }

  static func - (left: Height, right: Height) -> Height {
    Height(
      bodies: left.bodies - right.bodies, functions: left.functions - right.functions,
      wanted: left.wanted - right.wanted)
  }

  mutating func reach(_ other: Height) {
    bodies = max(bodies, other.bodies)
    functions = max(functions, other.functions)
    wanted = max(wanted, other.wanted)
  }
}

/// The outcomes that follow from the code alone, which hold for every question.
struct KeptOutcomes {
  /// A part of the work on a question.
  enum Part: Hashable {
    case run(TextQuestion.Run)
    case values(of: BodyID, for: Value?, forCallers: Bool)
    case instances(TypeID)

    var isRun: Bool { if case .run = self { true } else { false } }
  }

  private var numbers: [Part: Int] = [:]
  /// By what questions follow, and the numbers of parts.
  var outcomes: [TextQuestion.Scope: [Int: Outcome]] = [:]

  mutating func number(of part: Part) -> Int {
    if let known = numbers[part] { return known }
    numbers[part] = numbers.count
    return numbers.count - 1
  }
}

// MARK: - Running code once

extension KnownValues {
  /// Runs a body for an instance or type.
  func run(
    _ body: BodyID, _ parameters: [Known] = [], captures: [Known] = [], own: Known,
    isKept: Bool = true
  ) -> Known {
    guard isKept, followsTexts, noting == nil, next == nil, !question.wants(flow.bodies[body])
    else {
      if isKept { bind() }
      return runAgain(body, parameters, captures, own, isKept)
    }
    let key = TextQuestion.Run(body: body, parameters: parameters, captures: captures, own: own)
    var isNew = false
    let outcome = once(.run(key)) {
      isNew = true
      let result = runAgain(body, parameters, captures, own, true)
      return Outcome(value: result, left: left)
    }
    left = outcome.left
    if !isNew { repeatEffects(outcome.effects) }
    return outcome.value
  }

  private func runAgain(
    _ body: BodyID, _ parameters: [Known], _ captures: [Known], _ own: Known, _ isKept: Bool
  ) -> Known {
    guard !followsTexts || program.isWithin(flow.runs, question.runs) else {
      bind()
      return .other
    }
    if flow.depth >= Self.deepest { bind() }
    noteRun(of: body)
    let outer = (self.own, noting, around)
    (self.own, noting, around) = (own, next, [])
    next = nil
    defer {
      left = self.own
      (self.own, noting, around) = outer
    }
    let isKept = isKept && (own == .other || namesFiles && !own.isInstance)
    return flow.run(body, parameters, captures, isKept: isKept)
  }

  /// Does a part of the work on the open question, once for the question; an outcome that depends on
  /// nothing else is kept for all questions.
  func once(_ part: KeptOutcomes.Part, _ work: () -> Outcome) -> Outcome {
    let number = kept.number(of: part)
    if let known = question.outcomes[number] {
      add(known.trace, number)
      return known
    }
    // The files that come into what is asked for stand for themselves there.
    let isAsked = namesFiles && question.wanted.isEmpty
    if !isAsked, let known = kept(number), fits(known, number) {
      for inner in known.trace.parts where question.outcomes[inner] == nil {
        question.outcomes[inner] = kept(inner)
      }
      question.outcomes[number] = known
      add(known.trace, number)
      return known
    }
    question.outcomes[number] = Outcome(trace: Trace(isBound: true))
    question.open.append(.init(base: height, isInitializing: isInitializing(part)))
    let before = question.effects.count
    var outcome = work()
    let open = question.open.removeLast()
    outcome.effects = effects(since: before)
    outcome.runs = open.runs
    outcome.trace = open.trace
    // Effects of values and instances are noted only for whoever asks first.
    if program.isTied || !part.isRun && !outcome.effects.isEmpty { outcome.trace.isBound = true }
    question.outcomes[number] = outcome
    if !outcome.trace.isBound {
      kept.outcomes[question.scope, default: [:]][number] = outcome
    }
    add(outcome.trace, number, since: open.base)
    return outcome
  }

  private func isInitializing(_ part: KeptOutcomes.Part) -> Bool {
    if case .run(let run) = part { return flow.bodies[run.body].kind == .initializer }
    return true
  }

  /// Notes that the work in progress depends on the open question.
  func bind() {
    if !question.open.isEmpty { question.open[question.open.count - 1].trace.isBound = true }
  }

  /// Notes that a body is about to run.
  func noteRun(of body: BodyID) {
    guard let open = question.open.last else { return }
    let last = question.open.count - 1
    question.open[last].runs += 1
    question.open[last].trace.bodies.insert(body)
    question.open[last].trace.height.reach(height - open.base + Height(bodies: 1))
  }

  /// The depth of the work in progress.
  private var height: Height {
    Height(bodies: flow.depth, functions: running.count, wanted: question.wanted.count)
  }

  private func kept(_ number: Int) -> Outcome? {
    kept.outcomes[question.scope]?[number]
  }

  /// Adds what an outcome depends on to the work in progress.
  private func add(_ trace: Trace, _ number: Int, since base: Height? = nil) {
    guard let open = question.open.last else { return }
    let last = question.open.count - 1
    question.open[last].trace.isBound = open.trace.isBound || trace.isBound
    guard !question.open[last].trace.isBound else { return }
    question.open[last].trace.bodies.formUnion(trace.bodies)
    question.open[last].trace.parts.formUnion(trace.parts)
    question.open[last].trace.parts.insert(number)
    question.open[last].trace.height.reach((base ?? height) - open.base + trace.height)
  }

  /// Whether an outcome would be the same for the question that is open, which then has done that work
  /// too.
  private func fits(_ known: Outcome, _ number: Int) -> Bool {
    let trace = known.trace
    let all = height + trace.height
    guard all.bodies <= Self.deepest, all.functions <= Limit.migrationCalls.count,
      all.wanted <= Limit.fileConstants.count,
      !trace.parts.contains(where: { question.outcomes[$0]?.trace.isBound ?? false }),
      question.watched.isDisjoint(with: trace.bodies),
      question.wanted.last?.bodies.isDisjoint(with: trace.bodies) ?? true,
      !running.contains(where: { flow.facts.body(of: $0).map(trace.bodies.contains) ?? false })
    else { return false }
    let new = trace.parts.filter { question.outcomes[$0] == nil }.reduce(known.runs) {
      $0 + (kept($1)?.runs ?? 0)
    }
    guard flow.runs + new <= question.runs.count else { return false }
    flow.count(runs: new)
    return true
  }
}
