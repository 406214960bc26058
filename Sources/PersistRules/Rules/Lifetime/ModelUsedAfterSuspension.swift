import PersistIndex
import PersistSyntax

/// A model that other code may delete during a wait: using it afterwards can crash the app.
struct ModelUsedAfterSuspension: Rule {
  static let id: RuleID = "model-used-after-suspension"

  func check(_ program: Program, into findings: inout Findings) {
    let deletions = program.once(ModelDeletions.init)
    reportEarlyQuestions(program, deletions, &findings)
    let models = deletions.places.keys.filter { !program.isManagedClass($0) }
    guard !models.isEmpty || !deletions.anyModel.isEmpty else { return }
    let summaries = program.once(LifeSummaries.init)
    let taken = program.once(ModelsTakenAway.init)
    var risks: [Risk] = []
    for root in program.waitingBodies where !program.isExempt(root) {
      let walk = LifeWalk(program, summaries)
      _ = walk.walk(body: root)
      for read in walk.reads {
        guard let wait = read.suspension, !program.isManagedClass(read.model),
          !program.isExempt(read.place), !taken.uses.contains(read.place),
          let deletion = deletions.place(
            of: read.model,
            where: { program.lifeBody(around: $0) != root && !program.deletesGiven($0, in: root) })
        else { continue }
        risks.append(Risk(read: read, wait: wait, deletion: deletion, body: root))
      }
    }
    for group in Risk.grouped(risks, program) { report(group, program, &findings) }
  }

  /// Reports uses with one cause at the first of them.
  private func report(_ group: [Risk], _ program: Program, _ findings: inout Findings) {
    let (read, wait, deletion) = (group[0].read, group[0].wait, group[0].deletion)
    let others = group.dropFirst().map { risk in
      Findings.Related(
        risk.read.place,
        risk.body == group[0].body ? "and used here after an `await`" : "and the same here")
    }
    findings.report(
      .mayBeGone(
        read, program.modelName(read.model),
        name: read.property.map { program.nameText(program.properties[$0].ref) },
        deleter: program.deleter(at: deletion),
        awaits: program.kind(wait) != .call),
      at: read.place,
      related: [
        .init(
          program.kind(wait) == .call
            ? program.chain(of: wait) : program.parent(wait) ?? wait, "the function waits here"),
        .init(
          program.chain(of: deletion),
          "\(program.modelName(read.model).withArticle) can be deleted here"),
      ] + others)
  }

  /// Reports the models that are asked too early whether they still exist.
  private func reportEarlyQuestions(
    _ program: Program, _ deletions: ModelDeletions, _ findings: inout Findings
  ) {
    for early in program.earlyQuestions {
      guard
        let deletion = deletions.place(
          of: early.model,
          where: { program.lifeBody(around: $0) != program.lifeBody(around: early.question) })
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
  /// What deletes at a place, as a message names it: the function around, else the type.
  func deleter(at deletion: Ref) -> String {
    let name =
      enclosingFunction(deletion).map { functionName($0) }
      ?? enclosingType(deletion).map { nameText(types[$0].ref) }
    return name.map { "`\($0)` deletes" } ?? "other code deletes"
  }

  /// Whether a deletion takes away what its function is given, and a body gives it something: what
  /// becomes of that is seen on the body's own paths.
  fileprivate func deletesGiven(_ deletion: Ref, in root: Ref) -> Bool {
    guard let function = enclosingFunction(deletion), let argument = arguments(deletion).first,
      let parts = chainParts(argument), parts.count == 1,
      case .local(let local)? = declared(parts[0]), kind(local) == .parameter
    else { return false }
    return callers(of: function).contains { contains(root, $0) }
  }

  /// The bodies with an `await`, in files that may use SwiftData's models, in source order.
  fileprivate var waitingBodies: [Ref] {
    let names = Set(schema.models.filter { !$0.isTest }.map { Name($0.name) })
    var bodies: Set<Ref> = []
    for file in files(sharingTypesWith: files(usingAny: names))
    where !files[file].isTest && !files[file].isDocumentation {
      for (index, node) in files[file].outline.nodes.enumerated() where node.kind == .awaitMark {
        bodies.insert(lifeBody(around: Ref(file: file, node: index)))
      }
    }
    for call in delayingCalls {
      bodies.insert(lifeBody(around: call))
      guard let function = enclosingFunction(call) else { continue }
      for caller in callers(of: function) where !isExempt(caller) {
        bodies.insert(lifeBody(around: caller))
      }
    }
    return bodies.sorted()
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
    _ read: LifeRead, _ model: String, name: String?, deleter: String, awaits: Bool
  ) -> Self {
    let what =
      name.map { (read.isWrite ? "setting" : "reading") + " `\($0)`" } ?? "using `\(read.text)`"
    guard awaits else {
      return """
        if \(deleter) the `\(model)` before this closure runs, \(what) can crash the app; capture \
        the identifier, and look the object up again in the closure
        """
    }
    return """
      if \(deleter) the `\(model)` during the `await` before this, \(what) can crash the app; \
      after the `await`, look the object up by its identifier, or check its `modelContext` first
      """
  }
}
