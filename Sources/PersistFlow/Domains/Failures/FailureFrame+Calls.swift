import PersistIndex
import PersistSyntax

// MARK: - Calls of what fails, and what is handed to others

extension FailureFrame {
  func call(_ step: Instruction, _ node: Ref) -> FailureMark {
    let site = body.calls[Int(step.index)]
    var made = FailureMark.other
    if let form = run.form(at: node) {
      if form == .thrown { failing = ExitTraits() } else { made = .shows(form, ExitTraits()) }
    }
    if let traits = run.resumed[node] { failing = traits }
    let receiver = mark(site.receiver)
    switch receiver {
    case .code(let code) where site.callsValue:
      if let found = run.codes[code] {
        failing = found.thrown ?? failing
        if found.returned.tells { made = found.returned }
      }
    case .shows(.result, let traits):
      if site.name == "get" { failing = traits } else { made = receiver }
    case .shows(.error, let traits) where isError(node): made = .shows(.error, traits)
    default: break
    }
    if isLast { takeLooks(site, node) }
    for (argument, given) in zip(program.arguments(node), site.arguments) {
      if case .code(let code) = mark(given.value) { made = take(code, site, node) ?? made }
      if isLast { handOver(argument, mark(given.value), to: node) }
    }
    if state.hasFailed, !made.tells { made = carried(by: node, site) ?? made }
    return made
  }

  /// What a call makes of the error: a case that carries it, or another error.
  private func carried(by call: Ref, _ site: CallSite) -> FailureMark? {
    if let made = failure(of: call) { return made }
    guard !site.callsValue else { return nil }
    let holdsError = site.arguments.contains { argument in
      if case .shows(.error, _) = mark(argument.value) { true } else { false }
    }
    guard holdsError, let chain = program.parent(call), program.endsWithError([chain]) else {
      return nil
    }
    return .shows(.error, state.traits)
  }

  /// Takes a closure out of which the failure comes: the call fails, shows that in its value, or
  /// hands the closure on.
  private func take(_ code: BodyID, _ site: CallSite, _ call: Ref) -> FailureMark? {
    guard let found = run.codes[code] else { return nil }
    let closure = run.bodies[code].place
    var made: FailureMark?
    if let traits = found.thrown {
      if site.name == "Result" {
        made = .shows(.result, traits)
      } else if site.isTried {
        failing = traits
        // Another closure may run where this one has failed.
        let closures = program.arguments(call).filter { program.closureGiven(by: $0) != nil }
        if closures.count > 1 { handOver(closure, .thrown, traits, to: call) }
      } else if ["Task", "detached"].contains(site.name) {
        made = .shows(.result, traits)
      } else {
        handOver(closure, .thrown, traits, to: call)
      }
    }
    for (form, traits) in found.returned.forms {
      if program.givesValue(ofClosureIn: call) {
        made = found.returned
      } else {
        handOver(closure, form, traits, to: call)
      }
    }
    return made
  }

  /// Follows a closure into the function that takes it: to where that calls it, or to the property
  /// that keeps it.
  private func handOver(
    _ closure: Ref, _ form: FailureForm, _ traits: ExitTraits, to call: Ref
  ) {
    guard isLast else { return }
    for holder in program.holders(ofClosure: closure, in: call) {
      run.leave(by: .closure(holder, form), traits)
    }
  }

  /// Hands what shows the failure to the function that takes it, or to the property that an
  /// initializer sets from it.
  private func handOver(_ argument: Ref, _ mark: FailureMark, to call: Ref) {
    for (form, traits) in mark.shown(state).forms {
      if case .flag = form { continue }
      for property in program.properties(setBy: argument, of: call) {
        run.leave(by: .kept(property, form), traits)
      }
      guard !state.hasFailed else { continue }
      let called = program.functions(calledBy: call)
      guard called.count == 1, program.functions[called[0]].kind == .functionDecl,
        let parameter = program.parameter(of: called[0], takenBy: argument, of: call)
      else { continue }
      run.leave(by: .parameter(called[0], parameter, form), traits)
    }
  }

  // MARK: Looks

  /// Takes a call of a completion, a continuation that is resumed, and a `precondition`.
  private func takeLooks(_ site: CallSite, _ call: Ref) {
    let marks = site.arguments.map { mark($0.value) }
    if site.name == "resume" { resume(site, marks, call) }
    if site.name == "precondition", !state.hasFailed, case .decides(false, _)? = marks.first {
      run.outcome.paths.append(
        FailurePath(opening: run.opening, nodes: [call], head: call, kind: .branch))
    }
    guard site.callsValue, let (function, parameter) = program.parameter(calledBy: call) else {
      return
    }
    if state.hasFailed, program.calls(ofClosure: .local(parameter)) == [call] {
      run.leave(by: .recovery(function, parameter), state.traits)
    } else if !marks.isEmpty, handsFailure(marks, function, parameter) {
      run.leave(by: .completion(function, parameter), state.traits)
    }
  }

  private func resume(_ site: CallSite, _ marks: [FailureMark], _ call: Ref) {
    let throwsOn = site.arguments.enumerated().contains { index, argument in
      argument.label == "throwing" && (state.hasFailed || marks[index].tells)
        || argument.label == "with" && marks[index].tells
    }
    guard throwsOn, let taker = program.continuation(of: call) else { return }
    run.resumed[taker] = state.traits
  }

  /// Whether the call of a closure parameter hands an error on: where the parameter's type says that
  /// one of its arguments is an error or a result, then by that one.
  private func handsFailure(
    _ marks: [FailureMark], _ function: FunctionID, _ parameter: Ref
  ) -> Bool {
    let declaration = program.functions[function]
    func shows(_ mark: FailureMark) -> Bool {
      switch mark {
      case .shows(.error, _), .shows(.result, _): true
      case .shows(.enumCase, _): state.hasFailed
      default: false
      }
    }
    guard let index = declaration.parameters.firstIndex(where: { $0.node == Int(parameter.node) }),
      let (argument, form) = program.failureArgument(
        ofClosure: declaration.parameters[index], of: declaration), argument < marks.count
    else { return marks.contains(where: shows) }
    if shows(marks[argument]) { return true }
    return state.hasFailed && form == .error && marks[argument] != .none
  }
}
