import PersistFlow
import PersistIndex
import PersistSchema

/// Contexts that conflict without a merge policy: the save fails, and so does every later one.
struct MergePolicyMissing: Rule {
  static let id: RuleID = "merge-policy-missing"
  static let analysis = Analysis.owners

  func check(_ program: Program, into findings: inout Findings) {
    let coded = program.codedUniqueConstraints.filter { !program.isExempt($0) }
    let entities = program.shippedModels.flatMap { version in
      version.shape.entities.filter { !$0.uniqueness.isEmpty }.map(\.name)
    }
    let isUnique = !coded.isEmpty || !entities.isEmpty
    let isViewLeftOut = isUnique && program.savesViewContextWithoutPolicy
    guard !program.setsMergePolicy || isViewLeftOut else {
      if isUnique || program.viewContextHasPolicy {
        reportOthers(program, areUnique: isUnique, into: &findings)
      }
      return
    }
    guard let opening = program.coreDataOpenings.first(where: { !program.isExempt($0.site) }) else {
      return
    }
    let place = program.chain(of: opening.site)
    if isUnique {
      findings.report(
        .clashes(entities.first), at: place,
        related: coded.prefix(1).map { .init($0, "values are declared unique here") })
    } else if program.savesViewContext {
      let merges = program.mergesFromParent
      let others = program.savedContextsWithoutPolicy
      guard let other = others.first(where: { merges || $0.changesStored }) else {
        return reportProcesses(program, into: &findings)
      }
      let related =
        merges
        ? Findings.Related(other.call, "this context saves as well")
        : .init(other.save, "this save then fails")
      findings.report(
        .conflicts, at: merges ? place : program.chain(of: other.call), related: [related])
    }
  }

  /// Two processes that save changes of the same objects.
  private func reportProcesses(_ program: Program, into findings: inout Findings) {
    guard let saves = program.savesOfTwoProcesses else { return }
    findings.report(
      .conflictsBetween(saves.otherName), at: program.chain(of: saves.app),
      related: [.init(program.chain(of: saves.other), "`\(saves.otherName)` saves here")])
  }

  /// Contexts that are saved without a policy, while others have one; what only inserts conflicts by
  /// unique values alone.
  private func reportOthers(
    _ program: Program, areUnique: Bool, into findings: inout Findings
  ) {
    let contexts = program.savedContextsWithoutPolicy.filter { areUnique || $0.changesStored }
    guard let first = contexts.first else { return }
    var related = [Findings.Related(first.save, "this save fails then")]
    for context in contexts.dropFirst() {
      related.append(.init(context.call, "and this context"))
      related.append(.init(context.save, "and this save"))
    }
    findings.report(.lacks, at: first.call, related: related)
  }
}

extension Program {
  /// The current versions of the Core Data models that no tests bring along.
  fileprivate var shippedModels: [DataModel.Version] {
    let paths = files.map(\.path)
    let isAbsolute = paths.contains { $0.hasPrefix("/") }
    let rootDepth = isAbsolute ? SourceFile.rootDepth(of: paths) : 0
    return builtDataModels.compactMap(\.current).filter {
      !SourceFile.isInTestFolder($0.path, rootDepth: rootDepth)
    }
  }
}

extension Finding.Message {
  fileprivate static func clashes(_ entity: String?) -> Self {
    """
    two \(entity.map { "`\($0)` objects" } ?? "objects") with the same unique value make this and \
    every later save fail (133021), and the changes are lost; set `mergePolicy` on the contexts
    """
  }

  fileprivate static var conflicts: Self {
    "when a background context and the view context change the same object, the later save fails (133020) and its changes are lost; set `mergePolicy` on both"
  }

  fileprivate static func conflictsBetween(_ other: String) -> Self {
    """
    when the app and `\(other)` change the same object, the later save fails (133020) and its \
    changes are lost; set `mergePolicy` on the contexts of both
    """
  }

  fileprivate static var lacks: Self {
    "a conflict makes saves of this context fail (133020, 133021) and the changes are lost, because the merge policy of another context doesn't apply here; set `mergePolicy` on this one too"
  }
}
