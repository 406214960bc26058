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

/// Judges the files by all rules; the same for any number of threads.
func lint(_ files: [InputFile], jobs: Int) -> LintResult {
  LintResult()
}
