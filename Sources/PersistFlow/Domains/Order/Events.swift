import PersistIndex
import PersistSyntax

/// Whether each way through a function runs what it is given for a parameter.
private struct SurelyRunsParameter: Query {
  let parameter: Ref
  let function: FunctionID

  static var provisional: Bool { false }
  func answer(in program: Program) -> Bool { program.findSureRun(of: parameter, by: function) }
}

// MARK: - Events in code

extension Program {
  /// The calls of a kind that run, perhaps later, when some code runs, each behind the calls that
  /// lead to it.
  func events(in code: Ref, where isWanted: (Ref) -> Bool) -> [Event] {
    var known: [Ref: [Event]] = [:]
    return events(in: code, &known, isWanted)
  }

  private func events(
    in code: Ref, _ known: inout [Ref: [Event]], _ isWanted: (Ref) -> Bool
  ) -> [Event] {
    if let found = known[code] { return found }
    guard isWithin(known.count, .eventBodies) else { return [] }
    known[code] = []
    var found: [Event] = []
    for call in descendants(code, .call) {
      if isWanted(call) {
        found.append([call])
      } else {
        for inner in codeRun(by: call) {
          found += events(in: inner, &known, isWanted).map { [call] + $0 }
        }
      }
    }
    known[code] = found
    return found
  }

  /// Whether a closure surely runs when the code around it does.
  func surelyRuns(_ closure: Ref) -> Bool {
    guard runsNow(closure) else { return false }
    guard !isCalledAtOnce(closure), let (call, _) = callTaking(closure) else { return true }
    return surelyRuns(closure, handedTo: call)
  }

  /// Whether each function that a call names surely runs what an argument is.
  func surelyRuns(_ argument: Ref, handedTo call: Ref) -> Bool {
    functions(calledBy: call).allSatisfy { id in
      guard functions[id].body != nil,
        let parameter = place(ofParameterOf: id, taking: argument, in: call)
      else { return true }
      return answer(SurelyRunsParameter(parameter: parameter, function: id))
    }
  }

  fileprivate func findSureRun(of parameter: Ref, by id: FunctionID) -> Bool {
    let facts = loweredCode.facts(for: functions[id].ref)
    guard let body = facts.body(of: id), !facts.bodies[body].isCut else { return false }
    let runs = runs(ofParameter: parameter).map { [$0] }
    // What it does after a failure of that is the business of what it runs.
    return MissingWays(Order(program: self, attempts: .always), facts, body, runs).ends.returned
      .isEmpty
  }
}
