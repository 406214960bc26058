import PersistFlow
import PersistIndex

/// A failed opening that is not logged: nobody learns why people lost their data.
struct StoreOpenFailureUnlogged: Rule {
  static let id: RuleID = "store-open-failure-unlogged"

  func check(_ program: Program, into findings: inout Findings) {
    // What has no error at hand is mended in one place; a `catch` has its own.
    let causes = Dictionary(grouping: lostFailures(program)) {
      Cause(
        file: program.isHandle($0.opening) ? nil : $0.place.file, opening: $0.opening.name,
        clause: program.isCatchClause($0.place) || $0.isUnheard ? $0.place : nil)
    }.values.map { $0.sorted { $0.place < $1.place } }
    for places in causes.sorted(by: { $0[0].place < $1[0].place }) {
      let first = places[0]
      let others = places.dropFirst().filter { $0.place != first.place }
      findings.report(
        first.hasLogLine
          ? .lacksError(first.opening.name, program.causes(first.opening))
          : .unlogged(first.opening.name, program.causes(first.opening)),
        at: first.place,
        related: [program.opener(first.opening)]
          + others.map { .init($0.place, "a failure of `\($0.opening.name)` is lost here too") })
    }
  }

  private struct Cause: Hashable {
    /// Nil where the same store is opened in many files.
    let file: Int32?
    let opening: String
    /// The `catch` itself, or the opening whose closure doesn't look at the error.
    let clause: Ref?
  }

  /// A place where the error of an opening is dropped.
  private struct LostFailure {
    let place: Ref
    let opening: StoreOpening
    let hasLogLine: Bool
    /// Whether the opening's closure doesn't look at the error.
    var isUnheard = false
  }

  private func lostFailures(_ program: Program) -> [LostFailure] {
    let flow = program.storeFlow
    // What hides a save hides this with it: that is said of the save.
    var seen = Set((program.saveFlow.ignored + program.writeFlow.ignored).map(\.mark))
    for path in program.saveFlow.paths + program.writeFlow.paths
    where path.kind == .handler && program.isEmpty(path) {
      seen.insert(path.head)
    }
    var logged: Set<Ref> = []
    for path in flow.paths where program.preservesError(path) {
      logged.insert(flow.opening(of: path).site)
    }
    var lost = flow.paths.compactMap { path -> LostFailure? in
      let opening = flow.opening(of: path)
      guard path.kind != .rest, isJudged(opening), !program.preservesError(path),
        !program.isExempt(path.head), !endsProcess(path, program),
        !flow.steps(to: opening).contains(where: { logged.contains($0.site) })
      else { return nil }
      let place = program.dropping(path, of: opening)
      guard !seen.contains(place), seen.insert(path.head).inserted else { return nil }
      return LostFailure(
        place: place, opening: opening, hasLogLine: program.hasLogLine(on: path))
    }
    for dropped in flow.ignored + flow.dropped where isJudged(flow.openings[dropped.opening]) {
      let opening = flow.openings[dropped.opening]
      guard seen.insert(dropped.mark).inserted,
        !flow.steps(to: opening).contains(where: { logged.contains($0.site) })
      else { continue }
      lost.append(LostFailure(place: dropped.mark, opening: opening, hasLogLine: false))
    }
    for index in flow.unheard where isJudged(flow.openings[index]) {
      guard let place = program.calledNode(flow.openings[index].site) else { continue }
      lost.append(
        LostFailure(
          place: place, opening: flow.openings[index], hasLogLine: false, isUnheard: true))
    }
    return lost
  }

  /// Whether a failure ends the process itself, and not only that of what is opened in its place.
  private func endsProcess(_ path: FailurePath, _ program: Program) -> Bool {
    program.processEnds(on: path).contains { end in
      program.storeFlow.innermostPath(at: end).map { $0.head == path.head } ?? true
    }
  }

  /// Whether the error can be lost here: what was logged, kept or dropped before was so there.
  private func isJudged(_ opening: StoreOpening) -> Bool {
    !opening.isInMemory && !opening.isReported && !opening.isNil
  }
}

extension Program {
  /// Whether an opening is a further handle of the one realm that the framework keeps by default.
  fileprivate func isHandle(_ opening: StoreOpening) -> Bool {
    opening.site == opening.root && calledName(opening.site) == "Realm"
      && arguments(opening.site).isEmpty
  }
}

extension Finding.Message {
  fileprivate static func unlogged(_ opening: String, _ causes: String) -> Self {
    """
    when `\(opening)` fails on people's devices, nothing says why (\(causes)); log the error with \
    `Logger`, or keep it for a report
    """
  }

  fileprivate static func lacksError(_ opening: String, _ causes: String) -> Self {
    """
    when `\(opening)` fails on people's devices, the log doesn't say why (\(causes)); add the \
    error to the message
    """
  }
}
