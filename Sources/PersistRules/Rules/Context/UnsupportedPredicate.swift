import PersistIndex

/// A predicate that the store can't evaluate: it compiles, and the fetch fails at run time.
struct UnsupportedPredicate: Rule {
  static let id: RuleID = "unsupported-predicate"

  func check(_ program: Program, into findings: inout Findings) {
    for problem in program.predicateProblems {
      findings.report(
        .fails(problem), at: problem.place,
        related: [.init(problem.declaration, "`\(problem.name)` is declared here")])
    }
    for problem in program.predicateFormatProblems {
      findings.report(.crashes(problem.reason), at: problem.place, severity: .error)
    }
  }
}

extension Finding.Message {
  fileprivate static func crashes(_ reason: PredicateFormatProblem.Reason) -> Self {
    switch reason {
    case .number(let value) where ["0", "false"].contains(value):
      return
        "the value is compared with `nil` here, because `%@` reads an object and finds `\(value)` to be none; pass `NSNumber(value: \(value))`"
    case .number(let value):
      return
        "the app crashes here, because `%@` reads an object and `\(value)` is a plain number or `Bool`; pass `NSNumber(value: \(value))`"
    case .missing(let places, let arguments):
      return
        "the app crashes here, because the format reads \(places) argument\(places == 1 ? "" : "s") and gets \(arguments); pass a value for each place"
    }
  }

  fileprivate static func fails(_ problem: PredicateProblem) -> Self {
    let name = "\(problem.model).\(problem.name)"
    switch problem.reason {
    case .computed:
      return
        "the fetch fails at run time, because `\(name)` is computed and not in the store; use the stored properties behind it, or filter the fetched objects"
    case .transient:
      return
        "the fetch fails at run time, because `\(name)` is transient and not in the store; store the property, or filter the fetched objects"
    case .enumCase:
      return
        "the fetch fails at run time, because `\(name)` is compared with an enum case and the store knows only raw values; store the raw value and compare that"
    }
  }
}
