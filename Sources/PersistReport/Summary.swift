import PersistRules

extension Report {
  /// What was looked at and what was found: `412 files, 2 containers: 1 error in 0.03 s`.
  package var summary: String { "\(counts) in \(hundredths(statistics.seconds)) s" }

  /// The summary without the time, which is the same for the same sources.
  package var counts: String {
    let looked = [
      counted(statistics.files, "file"),
      counted(statistics.schemaVersions, "schema version"),
      counted(statistics.containers, "container"),
    ]
    return looked.joined(separator: ", ") + ": \(countsOfFindings)"
      + (suppressed.isEmpty ? "" : " (\(suppressed.count) suppressed)")
  }

  /// How many findings which option fixes: `2 can be fixed with --fix, 1 more with
  /// --unsafe-fixes`; nil where there is no fix.
  package var fixable: String? {
    let fixes = findings.compactMap(\.fix)
    let safe = fixes.count(where: \.isSafe)
    let unsafe = fixes.count - safe
    switch (safe, unsafe) {
    case (0, 0): return nil
    case (_, 0): return "\(safe) can be fixed with --fix; --diff shows how"
    case (0, _): return "\(unsafe) can be fixed with --unsafe-fixes; add --diff to see how"
    default:
      return "\(safe) can be fixed with --fix, \(unsafe) more with --unsafe-fixes; "
        + "add --diff to see how"
    }
  }

  /// `1 error, 2 warnings`, or `no findings`.
  var countsOfFindings: String {
    let found = Severity.allCases.reversed().compactMap { severity -> String? in
      let count = findings.count { $0.severity == severity }
      return count == 0 ? nil : counted(count, severity.rawValue)
    }
    return found.isEmpty ? "no findings" : found.joined(separator: ", ")
  }
}

/// A number and its noun, in the plural where it isn't one.
func counted(_ count: Int, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

private func hundredths(_ seconds: Double) -> String {
  let hundredths = Int(max(0, seconds) * 100 + 0.5)
  let fraction = hundredths % 100
  return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
}
