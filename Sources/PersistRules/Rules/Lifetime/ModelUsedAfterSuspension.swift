import PersistFlow
import PersistIndex

/// A model that other code may delete during a wait: using it afterwards can crash the app.
struct ModelUsedAfterSuspension: Rule {
  static let id: RuleID = "model-used-after-suspension"
  static let analysis = Analysis.lifetimes

  func check(_ program: Program, into findings: inout Findings) {
    let deletions = program.once(ModelDeletions.init)
    reportEarlyQuestions(program, deletions, &findings)
    var risks: [Risk] = []
    for use in program.goneUses
    where use.kind == .perhaps && use.framework != .realm && program.mayCrash(use) {
      let (place, root) = (program.whole(use.node), program.outermostCode(around: use.node))
      let action = program.actionCode(around: use.node)
      guard let model = use.model, risks.last?.place != place, !program.isExempt(place),
        !program.isInserted(behind: use.node, in: root),
        let deletion = deletions.place(
          of: model,
          where: {
            program.actionCode(around: $0) != action
              && !program.isShutOut($0, during: use.deletion)
              && !(deletions.areHandedOver(at: $0) && program.isCalled($0, in: root, or: action))
          })
      else { continue }
      risks.append(Risk(use: use, model: model, place: place, deletion: deletion, body: root))
    }
    // What called code reads after a wait of its own is told there.
    let told = Set(risks.map(\.use).filter { $0.inner == $0.node }.map(\.node))
    risks.removeAll { $0.use.inner != $0.use.node && told.contains($0.use.inner) }
    if !risks.isEmpty {
      let taken = program.once(ModelsTakenAway.init).uses
      risks.removeAll { taken.contains($0.place) }
    }
    for group in Risk.grouped(risks, program) { report(group, program, &findings) }
  }

  /// Reports uses with one cause at the first of them.
  private func report(_ group: [Risk], _ program: Program, _ findings: inout Findings) {
    let (use, place, model) = (group[0].use, group[0].place, group[0].model)
    let (wait, deletion) = (use.deletion, group[0].deletion)
    let others = group.dropFirst().map { risk in
      Findings.Related(
        risk.place,
        risk.body != group[0].body
          ? "and the same here"
          : risk.model == model
            ? "and used here after an `await`"
            : "and \(program.modelName(risk.model).withArticle) is used here after the `await`")
    }
    findings.report(
      .mayBeGone(
        use, text: program.shortText(place), program.modelName(model),
        name: use.property.map { program.nameText(program.properties[$0].ref) },
        deleter: program.deleter(at: deletion),
        awaits: program.isAwait(wait), isEarlierRound: wait > place && program.isAwait(wait)),
      at: place,
      related: [
        .init(
          program.wholeWait(wait), "the function waits here"),
        .init(
          program.chain(of: deletion),
          "\(program.modelName(model).withArticle) can be deleted here"),
      ] + others, cause: program.typeCause(at: place, isCommon: true))
  }

  /// Reports the models that are asked too early whether they still exist.
  private func reportEarlyQuestions(
    _ program: Program, _ deletions: ModelDeletions, _ findings: inout Findings
  ) {
    for early in program.earlyQuestions {
      guard
        let deletion = deletions.place(
          of: early.model,
          where: {
            program.outermostCode(around: $0) != program.outermostCode(around: early.question)
          })
      else { continue }
      let model = program.modelName(early.model)
      findings.report(
        .askedEarly(
          model, question: program.nameText(early.question),
          deleter: program.deleter(at: deletion)),
        at: early.read,
        related: [
          .init(early.question, "this checks whether the object still exists"),
          .init(program.chain(of: early.call), "the closure runs later"),
          .init(program.chain(of: deletion), "\(model.withArticle) can be deleted here"),
        ])
    }
  }
}

extension Program {
  /// The code that one action of a user runs, such as that of a button, or the outermost code around a
  /// place.
  fileprivate func actionCode(around place: Ref) -> Ref {
    let code = outermostCode(around: place)
    guard let entry = entryPoint(around: place), entry.kind == .action, contains(code, entry.place)
    else { return code }
    return entry.place
  }

  /// What deletes at a place, as a message names it: the function around, else the type.
  func deleter(at deletion: Ref) -> String {
    let name =
      enclosingFunction(deletion).map { functionName($0) }
      ?? enclosingType(deletion).map { nameText(types[$0].ref) }
    return name.map { "`\($0)` deletes" } ?? "other code deletes"
  }

  /// Whether one action calls the function around a place, or the body does where it isn't an action.
  /// What becomes of what it hands over is seen on the body's own paths.
  fileprivate func isCalled(_ place: Ref, in root: Ref, or action: Ref) -> Bool {
    enclosingFunction(place).map { function in
      callers(of: function).contains {
        action == root ? contains(root, $0) : actionCode(around: $0) == action
      }
    } ?? false
  }
}

extension Finding.Message {
  fileprivate static func askedEarly(
    _ model: String, question: String, deleter: String
  ) -> Self {
    return """
      if \(deleter) the `\(model)` before this closure runs, the next access can crash the app, \
      because `\(question)` was checked before the closure; check again inside, or fetch the \
      object by its identifier
      """
  }

  fileprivate static func mayBeGone(
    _ use: GoneUse, text: String, _ model: String, name: String?, deleter: String, awaits: Bool,
    isEarlierRound: Bool
  ) -> Self {
    let what =
      name.map { (use.isWrite ? "setting" : "reading") + " `\($0)`" } ?? "using `\(text)`"
    guard awaits else {
      return """
        if \(deleter) the `\(model)` before this closure runs, \(what) can crash the app; capture \
        the identifier, and look the object up again in the closure
        """
    }
    let look = use.framework == .coreData ? "managedObjectContext" : "modelContext"
    guard !isEarlierRound else {
      return """
        if \(deleter) the `\(model)` during the `await` of an earlier round, \(what) can crash the \
        app; in each round, look the object up by its identifier, or check its `\(look)` first
        """
    }
    return """
      if \(deleter) the `\(model)` during the `await` before this, \(what) can crash the app; \
      after the `await`, look the object up by its identifier, or check its `\(look)` first
      """
  }
}
