import PersistIndex
import PersistSyntax

/// A container that is made at every call: two of one store don't see each other's changes.
struct StoreOpenedRepeatedly: Rule {
  static let id: RuleID = "store-opened-repeatedly"

  func check(_ program: Program, into findings: inout Findings) {
    for opening in program.repeatedOpenings {
      findings.report(.opensAgain(opening.name), at: program.chain(of: opening.site))
    }
  }
}

extension Finding.Message {
  fileprivate static func opensAgain(_ opening: String) -> Self {
    """
    `\(opening)` opens the store again at every call: views keep showing objects of the old one, \
    and writers lock each other out; make it once, as a `static let` or a stored property
    """
  }
}
