import PersistReport
import PersistRules

/// What the analysis says of a set of files.
struct LintResult: Sendable {
  /// Sorted by path, offset, rule.
  var findings: [Finding] = []
  var suppressed: [SuppressedFinding] = []
  var schemaVersions = 0
  var containers = 0
}

/// What the configuration says to the analysis.
struct LintSettings: Sendable {
  /// The rules to judge by; nil for those that are on by default.
  var rules: Set<RuleID>?
}

/// Judges the files; the same for any number of threads.
func lint(_ files: [InputFile], settings: LintSettings, jobs: Int) -> LintResult {
  LintResult()
}
