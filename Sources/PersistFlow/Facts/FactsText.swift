import PersistIndex
import PersistSyntax

/// Prints facts: a line a use, with the ways to it below.
package struct FactsText {
  private let program: Program
  private let facts: Facts

  package init(_ facts: Facts, of program: Program) {
    self.facts = facts
    self.program = program
  }

  package var text: String {
    facts.uses.map { use in
      let mark = use.wrong == nil ? "" : " WRONG"
      let cases = use.cases.map {
        "    \(text(of: $0.owner)) on \(text(of: $0.executor))\(transaction(of: $0))"
      }
      let steps = use.wrong == nil ? [] : use.steps.map { "    through \(place($0))" }
      return ([place(use.node) + " \(use.kind)\(mark)"] + cases + steps).joined(separator: "\n")
        + "\n"
    }.joined() + "\(facts.isComplete ? "solved" : "not solved") in \(facts.steps) steps\n"
  }

  private func transaction(of way: OwnedUse.Case) -> String {
    guard way.owner.framework == .realm, way.isWrite else { return "" }
    return ", transaction \(way.transaction)"
  }

  private func place(_ ref: Ref) -> String { program.place(ref) }

  private func text(of owner: Owner) -> String {
    let made = owner.site.map { " made at \(place($0))" } ?? ""
    switch owner.home {
    case .main: return "main queue's \(owner.framework)\(made)"
    case .given: return "\(owner.framework) of whoever calls"
    case .own: return "\(owner.framework) with a queue of its own\(made)"
    default: return "\(owner.framework) \(owner.home)\(made)"
    }
  }

  private func text(of executor: Executor) -> String {
    switch executor {
    case .owner(let owner): "the queue of \(text(of: owner))"
    case .queue(let site): "the queue made at \(place(site))"
    default: "\(executor)"
    }
  }
}
