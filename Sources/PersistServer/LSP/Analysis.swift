import PersistReport
import PersistRules

/// A look at a root that somebody is to take.
package struct AnalysisRequest: Sendable, Equatable {
  /// The resolved folder.
  package let folder: String
  /// The texts that stand in for files, by resolved paths.
  package let texts: [String: [UInt8]]
}

/// What a look at a root brought.
package enum AnalysisOutcome: Sendable {
  case findings(Analysis)
  /// Why there is none, such as a mistake in the configuration.
  case failure(String)
}

/// The findings of a root. Paths are absolute, or relative to its folder.
package struct Analysis: Sendable {
  package let report: Report
  /// The comment that silences each finding of the report; nil where none can stand.
  package let suppressions: [Fix?]

  package init(report: Report, suppressions: [Fix?]) {
    self.report = report
    self.suppressions = suppressions
  }
}

/// What a language server asks about the files of the machine it runs on.
package struct Surroundings: Sendable {
  /// A path with all links resolved; of what isn't there, the place that it would take.
  let resolve: @Sendable (String) -> String?
  /// The folder of the project in which a file lies.
  let project: @Sendable (String) -> String

  package init(
    resolve: @escaping @Sendable (String) -> String?,
    project: @escaping @Sendable (String) -> String
  ) {
    self.resolve = resolve
    self.project = project
  }
}
