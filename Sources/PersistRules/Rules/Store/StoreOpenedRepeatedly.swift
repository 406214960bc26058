import PersistIndex

/// A container that is created at every call: two of them don't show each other's changes.
struct StoreOpenedRepeatedly: Rule {
  static let id: RuleID = "store-opened-repeatedly"

  func check(_ program: Program, into findings: inout Findings) {
    var seen: Set<Ref> = []
    for opening in program.repeatedOpenings {
      seen.insert(opening.site)
      findings.report(
        program.openedName(opening.root) == "Connection"
          ? .connectsAgain : .opensAgain(opening.name), at: program.chain(of: opening.site))
    }
    for stack in program.passingStacks where seen.insert(stack.site).inserted {
      findings.report(
        .opensAgain(program.nameText(program.types[stack.type].ref)),
        at: program.chain(of: stack.site))
    }
    let seconds = program.secondSites.filter {
      !seen.contains($0.opening.site) && seen.insert($0.site).inserted
    }
    // What several places make of one opening is one cause.
    for places in Dictionary(grouping: seconds, by: { $0.opening.site }).values
      .sorted(by: { $0[0].site < $1[0].site })
    {
      let (second, site) = (places[0], places[0].opening.site)
      var related = [
        Findings.Related(program.chain(of: second.first), "the same store is opened here")
      ]
      if site != second.site {
        related.append(.init(program.chain(of: site), "`\(second.opening.name)` opens it here"))
      }
      related += places.dropFirst().map { .init(program.chain(of: $0.site), "and again here") }
      findings.report(
        .opensTwice(second.opening.name, program.openedName(second.opening.root)),
        at: program.chain(of: second.site), related: related)
    }
  }
}

extension Finding.Message {
  fileprivate static func opensTwice(_ opening: String, _ type: String) -> Self {
    ["ModelContainer", "loadPersistentStores"].contains(type)
      ? """
      people see old data, because the app opens this store a second time and neither container \
      shows what the other saves; share the first \(opening == "loadPersistentStores" ? "one" : "`\(opening)`")
      """
      : """
      people see old data and writers lock each other out (SQLITE_BUSY), because the app opens this \
      database a second time and observers on one connection miss what the other one writes; share \
      the first `\(opening)`
      """
  }

  fileprivate static let connectsAgain: Self = """
    a writer can lock the others out (SQLITE_BUSY) and their changes are lost, because each call \
    opens a `Connection` of its own; create it once, as a `static let` or a stored property
    """

  fileprivate static func opensAgain(_ opening: String) -> Self {
    """
    views keep showing old objects and writers lock each other out, because `\(opening)` opens the \
    store again at every call; create it once, as a `static let` or a stored property
    """
  }
}
