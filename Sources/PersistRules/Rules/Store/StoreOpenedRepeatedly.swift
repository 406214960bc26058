import PersistIndex
import PersistSyntax

/// A container that is made at every call: two of one store don't see each other's changes.
struct StoreOpenedRepeatedly: Rule {
  static let id: RuleID = "store-opened-repeatedly"

  func check(_ program: Program, into findings: inout Findings) {
    var seen: Set<Ref> = []
    for opening in program.repeatedOpenings {
      seen.insert(opening.site)
      findings.report(.opensAgain(opening.name), at: program.chain(of: opening.site))
    }
    for stack in program.passingStacks where seen.insert(stack.site).inserted {
      findings.report(
        .opensAgain(program.nameText(program.types[stack.type].ref)),
        at: program.chain(of: stack.site))
    }
    for second in program.secondSites
    where !seen.contains(second.opening.site) && seen.insert(second.site).inserted {
      findings.report(
        .opensTwice(second.opening.name), at: program.chain(of: second.site),
        related: [.init(program.chain(of: second.first), "the same store is opened here")])
    }
  }
}

extension Finding.Message {
  fileprivate static func opensTwice(_ opening: String) -> Self {
    """
    the app opens this store a second time: what is saved by one container is not shown by the \
    other, and people see old data; keep the first `\(opening)` where both can use it
    """
  }

  fileprivate static func opensAgain(_ opening: String) -> Self {
    """
    `\(opening)` opens the store again at every call: views keep showing objects of the old one, \
    and writers lock each other out; make it once, as a `static let` or a stored property
    """
  }
}
