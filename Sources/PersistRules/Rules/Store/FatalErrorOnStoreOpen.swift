import PersistFlow
import PersistIndex

/// A failed opening that crashes the app at every launch: the data can't be reached.
struct FatalErrorOnStoreOpen: Rule {
  static let id: RuleID = "fatal-error-on-store-open"

  func check(_ program: Program, into findings: inout Findings) {
    let flow = program.storeFlow
    var seen: Set<Ref> = []
    for path in flow.paths {
      for end in program.processEnds(on: path) where seen.insert(end).inserted {
        report(end, program, into: &findings)
      }
    }
    checkPreparations(program, &seen, into: &findings)
    for forced in flow.forced where seen.insert(forced.mark).inserted {
      let opening = flow.openings[forced.opening]
      guard !opening.isInMemory else { continue }
      let start = start(of: forced.mark, isOffMain: opening.isOffMain, program)
      let isHandle = start != .launch && isHandle(opening, start, program)
      // A backup that was made before says nothing of a store that is open already.
      guard isHandle || !program.comesAfterBackup(forced.mark) else { continue }
      report(forced, start, isHandle: isHandle, program, into: &findings)
    }
  }

  /// What leads to an opening.
  private enum Start {
    case launch, action
    /// Nothing that can be seen.
    case unknown
  }

  private func start(of place: Ref, isOffMain: Bool, _ program: Program) -> Start {
    if !isOffMain, program.launchRuns(place) { return .launch }
    let isAction =
      program.isAskedFor(place)
      || program.callPath(to: place, from: [.action], throughStored: true) != nil
    return isAction ? .action : .unknown
  }

  /// Reports the ends on the failure paths of what launch does to a store before it opens it.
  private func checkPreparations(
    _ program: Program, _ seen: inout Set<Ref>, into findings: inout Findings
  ) {
    let flow = program.preparationFlow
    for path in flow.paths {
      let call = flow.opening(of: path).root
      if flow.asksForFit(flow.opening(of: path)),
        !program.surelyCatches(path, errorOfFunctionAround: call)
      {
        continue
      }
      for end in program.processEnds(on: path) where !seen.contains(end) {
        guard isAtLaunch(end, program), let place = program.calledNode(end),
          !program.alertsUser(before: end, on: path),
          !program.comesAfterBackup(end, failureOf: call)
        else { continue }
        seen.insert(end)
        findings.report(
          .endsProcess(failure(of: flow.opening(of: path), program), .everyLaunch("")), at: place,
          related: [.init(program.chain(of: call), "the store is made ready here")])
      }
    }
    for forced in flow.forced where !seen.contains(forced.mark) {
      guard isAtLaunch(forced.mark, program), !program.comesAfterBackup(forced.mark) else {
        continue
      }
      seen.insert(forced.mark)
      let call = flow.openings[forced.opening].root
      findings.report(
        .forces(
          failure(of: flow.openings[forced.opening], program), by: program.text(forced.mark),
          .everyLaunch("")),
        at: forced.mark,
        related: [.init(program.chain(of: call), "the store is made ready here")])
    }
  }

  private func failure(of preparation: StoreOpening, _ program: Program) -> String {
    program.preparationFlow.asksForFit(preparation)
      ? "the store doesn't fit the model" : "`\(program.calledText(preparation.root))` fails"
  }

  private func isAtLaunch(_ end: Ref, _ program: Program) -> Bool {
    program.storeFlow.innermostPath(at: end) == nil && program.launchRuns(end)
      && !program.isAskedFor(end)
  }

  /// Whether a store that is open already is opened once more: a realm, or what an action opens.
  private func isHandle(_ opening: StoreOpening, _ start: Start, _ program: Program) -> Bool {
    opening.isOffMain || start == .action || program.openedName(opening.root) == "Realm"
  }

  /// Reports a `try!` or `!`; those of one store are one finding.
  private func report(
    _ forced: ForcedOpening, _ start: Start, isHandle: Bool, _ program: Program,
    into findings: inout Findings
  ) {
    let opening = program.storeFlow.openings[forced.opening]
    let mark = program.text(forced.mark)
    findings.report(
      .forces(program.failure(opening), by: mark, harm(start, opening, program)),
      at: forced.mark, severity: isHandle ? .warning : nil, related: [program.opener(opening)],
      flow: program.steps(
        from: opening, to: nil, end: .init(forced.mark, "`\(mark)` crashes the app")),
      cause: CommonCause(
        program.storeName(of: opening, at: forced.mark), rank: start == .launch ? 0 : 1, least: 2))
  }

  private func report(_ end: Ref, _ program: Program, into findings: inout Findings) {
    guard let path = program.storeFlow.innermostPath(at: end) else { return }
    let opening = program.storeFlow.opening(of: path)
    guard !opening.isInMemory, !program.comesAfterBackup(end),
      !program.isPassedToBackup(opening.root), !program.alertsUser(before: end, on: path),
      let place = program.calledNode(end)
    else { return }
    let start = start(of: end, isOffMain: false, program)
    findings.report(
      .endsProcess(program.failure(opening), harm(start, opening, program)), at: place,
      related: [program.opener(opening)],
      flow: program.steps(from: opening, to: path, end: .init(place, "the app crashes")),
      cause: CommonCause(
        // The ends of one failure are one, whatever they say.
        "the ends of \(endCause(opening, at: program.processEnds(on: path).min() ?? end, program))",
        least: 2))
  }

  /// What several ends come from: one opening, whoever calls it, or one store that a type opens
  /// again and again, to end in the same words.
  private func endCause(_ opening: StoreOpening, at end: Ref, _ program: Program) -> String {
    guard opening.site == opening.root, let type = program.enclosingType(end) else {
      return program.causeID(of: opening.root)
    }
    let words = program.calledNode(end).map { program.text(program.chain(of: $0)) } ?? ""
    return [
      program.causeID(of: program.types[type].ref), program.storeName(of: opening, at: end), words,
    ].joined(separator: " ")
  }

  /// What the crash means for the app's users.
  private func harm(_ start: Start, _ opening: StoreOpening, _ program: Program) -> Harm {
    switch start {
    case .launch: .everyLaunch(program.crashCode(opening))
    case .action: .userAction
    case .unknown: .everyOpening
    }
  }
}

/// What users lose when the app crashes at an opening.
private enum Harm {
  /// With the error's code.
  case everyLaunch(String)
  case everyOpening
  case userAction
}

extension Program {
  /// What tells the openings of one store from those of others, as they are written.
  fileprivate func storeName(of opening: StoreOpening, at place: Ref) -> String {
    let chain = chain(of: opening.root)
    // What a local or parameter names may be another one in another file.
    let isTold = arguments(opening.root).allSatisfy { isClosure($0) || namesOnlyTypes(in: $0) }
    let around = isTold ? processName(at: place) : files[Int(chain.file)].path
    return around + "\n" + text(chain).filter { !$0.isWhitespace }
  }
}

extension Finding.Message {
  fileprivate static func endsProcess(_ failure: String, _ harm: Harm) -> Self {
    switch harm {
    case .everyLaunch(let code):
      """
      if \(failure), the app crashes here at every launch\(code) and its data can't be reached; \
      back the store up, then recover or show an error
      """
    case .everyOpening:
      """
      if \(failure), the app crashes here whenever it opens the store and its data can't be \
      reached; back the store up, then recover or show an error
      """
    case .userAction:
      """
      if \(failure), the app crashes here in the middle of the user's work; catch the error and \
      show it, or try again
      """
    }
  }

  fileprivate static func forces(_ failure: String, by mark: String, _ harm: Harm) -> Self {
    switch harm {
    case .everyLaunch(let code):
      """
      if \(failure), `\(mark)` crashes the app at every launch\(code) and its data can't be \
      reached; catch the error, back the store up, then recover or show an error
      """
    case .everyOpening:
      """
      if \(failure), `\(mark)` crashes the app here whenever it opens the store and its data \
      can't be reached; catch the error and show it, or try again
      """
    case .userAction:
      """
      if \(failure), `\(mark)` crashes the app here in the middle of the user's work; catch the \
      error and show it, or try again
      """
    }
  }
}
