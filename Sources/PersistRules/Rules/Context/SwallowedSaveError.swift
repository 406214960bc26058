import PersistFlow
import PersistIndex

/// A failed save that nobody notices: the app continues as if the data were stored.
struct SwallowedSaveError: Rule {
  static let id: RuleID = "swallowed-save-error"

  func check(_ program: Program, into findings: inout Findings) {
    var seen: Set<Ref> = []
    let stages = program.saveFlow.ignored.isEmpty ? [] : program.stageBodies
    for ignored in program.saveFlow.ignored
    where stages.contains(where: { program.contains($0, ignored.mark) }) {
      seen.insert(ignored.mark)
    }
    check(program.saveFlow, &seen, program, into: &findings)
    check(program.writeFlow, &seen, program, into: &findings)
  }

  private func check(
    _ flow: FailureSpread, _ seen: inout Set<Ref>, _ program: Program, into findings: inout Findings
  ) {
    for ignored in flow.ignored where !flow.openings[ignored.opening].isReported {
      let save = flow.openings[ignored.opening]
      guard !program.isOpener(save), seen.insert(ignored.mark).inserted,
        !goesToMemory(save, program)
      else { continue }
      let expression = program.expression(markedBy: ignored.mark)
      findings.report(
        .ignores(saved(save, program)), at: expression,
        severity: comesAgain(save, at: expression, program) ? .note : nil,
        related: related(save, program), cause: program.typeCause(at: expression, isCommon: true))
    }
    for path in flow.paths where path.kind == .handler && program.isEmpty(path) {
      let save = flow.opening(of: path)
      guard !save.isReported, !goesToMemory(save, program), !program.isOpener(save),
        seen.insert(path.head).inserted
      else { continue }
      let saved = saved(save, program)
      findings.report(
        program.unheardClosure(on: path).map { .tellsNobody(saved, $0) } ?? .catchesNothing(saved),
        at: path.head,
        severity: program.givesReason(in: path.head) || isOfCache(save, program)
          || program.isLogger(around: path.head) ? .note : nil,
        related: [.init(program.chain(of: save.site), "the save that fails")],
        cause: program.typeCause(at: path.head, isCommon: true))
    }
  }

  private func goesToMemory(_ save: StoreOpening, _ program: Program) -> Bool {
    program.isCalledInMemory(save.root) || program.isCalledInMemory(save.site)
  }

  /// The save as a message names it, with the one inside where it's a function of the project.
  private func saved(_ save: StoreOpening, _ program: Program) -> String {
    guard save.root != save.site else { return "`\(save.name)`" }
    let inner = program.text(program.chain(of: save.root))
    return inner.count > 40 || inner.contains("\n")
      ? "the save inside `\(save.name)`" : "`\(inner)` inside `\(save.name)`"
  }

  private func isOfCache(_ save: StoreOpening, _ program: Program) -> Bool {
    program.savesToCache(save.root)
  }

  /// Whether what is lost comes again by itself: what a cache keeps, a refresh, or a purge that the
  /// next run repeats.
  private func comesAgain(_ save: StoreOpening, at place: Ref, _ program: Program) -> Bool {
    let isWrapper = save.root != save.site
    return isOfCache(save, program) || program.isPurge(around: place)
      || program.isLogger(around: place)
      || isWrapper && program.isRepeatable(save.name)
  }

  private func related(_ save: StoreOpening, _ program: Program) -> [Findings.Related] {
    guard save.root != save.site else { return [] }
    return [.init(program.chain(of: save.root), "`\(save.name)` saves here")]
  }
}

extension Finding.Message {
  fileprivate static func ignores(_ save: String) -> Self {
    """
    when \(save) fails, nobody notices and the change is lost; catch the error, log it and tell \
    the user
    """
  }

  fileprivate static func tellsNobody(_ save: String, _ closure: String) -> Self {
    """
    when \(save) fails, nobody notices and the change is lost, because no caller passes \
    `\(closure)`; log the error here and tell the user
    """
  }

  fileprivate static func catchesNothing(_ save: String) -> Self {
    """
    when \(save) fails, this `catch` hides the error and the change is lost at the next launch; \
    log the error and tell the user, or roll back
    """
  }
}
