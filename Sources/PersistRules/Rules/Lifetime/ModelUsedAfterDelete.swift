import PersistFlow
import PersistIndex

/// An object that is read after its deletion was saved: the values are gone, and the app can crash.
struct ModelUsedAfterDelete: Rule {
  static let id: RuleID = "model-used-after-delete"
  static let analysis = Analysis.lifetimes

  func check(_ program: Program, into findings: inout Findings) {
    var told: Set<Cause> = []
    var uses = program.goneUses.filter { use in
      !use.kind.isPossible && use.framework != .realm && !program.isExempt(use.node)
        && program.isIndependent(use) && !isEmptyNumber(use, program)
    }
    // What one caller hands over without its type is told by the type that another one has.
    let typed = Set(uses.filter { $0.model != nil }.map(\.node))
    uses.removeAll { $0.model == nil && typed.contains($0.node) }
    for use in uses {
      guard told.insert(Cause(use)).inserted else { continue }
      var related = [Findings.Related(program.whole(use.deletion), "deleted here")]
      if use.save != use.deletion {
        related.append(.init(program.whole(use.save), "and saved here"))
      }
      related += uses.filter { Cause($0) == Cause(use) && $0.node != use.node }.map {
        .init(program.whole($0.node), "and read here")
      }
      findings.report(
        .readsGone(
          use, text: program.shortText(program.whole(use.node)),
          name: use.property.map { program.nameText(program.properties[$0].ref) },
          model: use.model.map { program.modelName($0) } ?? "object"),
        at: program.whole(use.node), severity: severity(of: use, program), related: related)
    }
  }

  private struct Cause: Hashable {
    let deletion: Ref
    let model: TypeID?

    init(_ use: GoneUse) {
      deletion = use.deletion
      model = use.model
    }
  }

  /// Whether Core Data hands out false or 0 for the value of a gone row, which ends no process.
  private func isEmptyNumber(_ use: GoneUse, _ program: Program) -> Bool {
    guard use.framework == .coreData, !use.isWrite, use.deletion != use.save,
      let id = use.property, case .external(let name, _) = program.type(ofProperty: id)
    else { return false }
    return ["Bool", "Int", "Int16", "Int32", "Int64", "Double", "Float"].contains(name)
  }

  /// Core Data hands out nothing for most values of a gone row; what can't be nothing ends the
  /// process.
  private func severity(of use: GoneUse, _ program: Program) -> Severity? {
    guard use.framework == .coreData else { return nil }
    guard let id = use.property, !use.isWrite else { return .warning }
    let type = program.type(ofProperty: id)
    if case .external(let name, _) = type, ["Date", "UUID", "URL"].contains(name) { return nil }
    return .warning
  }
}

extension Finding.Message {
  fileprivate static func readsGone(_ use: GoneUse, text: String, name: String?, model: String)
    -> Self
  {
    let what =
      use.isWrite
      ? "setting `\(name ?? text)`" : name.map { "reading `\($0)`" } ?? "using `\(text)`"
    let end = use.kind == .reset ? "lost its context in `reset()`" : "was deleted and saved before"
    return """
      the app can crash here, because the `\(model)` \(end) and \(what) needs data that is gone; \
      read the values that you need before \(use.kind == .reset ? "the reset" : "the deletion")
      """
  }
}
