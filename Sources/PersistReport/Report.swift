import PersistPages
import PersistRules

/// Everything a format needs: what was looked at, what was found, what could not be read.
package struct Report: Sendable {
  /// Sorted by path, offset, rule.
  package var findings: [Finding]
  /// Findings that a comment or a baseline suppresses, with the reason given.
  package var suppressed: [SuppressedFinding]
  /// Files that could not be read, and the like; each names the file and what to do.
  package var notices: [Notice]
  /// All rules in their fixed order.
  package var pages: [RulePage]
  /// The bytes of each file that a finding names, by its path.
  package var sources: [String: [UInt8]]
  package var statistics: Statistics
  /// The version of persistlint.
  package var version: String

  package init(
    findings: [Finding], suppressed: [SuppressedFinding] = [], notices: [Notice] = [],
    pages: [RulePage], sources: [String: [UInt8]], statistics: Statistics, version: String
  ) {
    self.findings = findings.map(\.shown)
    self.suppressed = suppressed.map { suppressed in
      SuppressedFinding(
        finding: suppressed.finding.shown, kind: suppressed.kind,
        justification: suppressed.justification.onOneLine)
    }
    self.notices = notices
    self.pages = pages
    self.sources = sources
    self.statistics = statistics
    self.version = version
  }
}

extension Finding {
  /// The finding with what it says on one line and every control character in it made visible.
  fileprivate var shown: Finding {
    let fix = fix.map {
      Fix(title: $0.title.onOneLine, isSafe: $0.isSafe, edits: $0.edits, scope: $0.scope)
    }
    return Finding(
      rule: rule, severity: severity, message: message.onOneLine, location: location,
      related: related.map(\.shown), symbol: symbol, flow: flow.map(\.shown), fix: fix)
  }
}

extension RelatedLocation {
  fileprivate var shown: RelatedLocation {
    RelatedLocation(location: location, message: message.onOneLine)
  }
}

/// A finding that is not shown, and why.
package struct SuppressedFinding: Sendable {
  /// Where the suppression stands, in SARIF's words.
  package enum Kind: String, Sendable { case inSource, external }

  package let finding: Finding
  package let kind: Kind
  package let justification: String

  package init(finding: Finding, kind: Kind, justification: String) {
    self.finding = finding
    self.kind = kind
    self.justification = justification
  }
}

/// A message about the run itself, such as a file that is not UTF-8.
package struct Notice: Sendable, Hashable {
  package let path: String
  package let message: String

  package init(path: String, message: String) {
    self.path = path
    self.message = message
  }
}

/// What a run looked at, for the summary line.
package struct Statistics: Sendable {
  package var files: Int
  package var schemaVersions: Int
  package var containers: Int
  /// Wall time in seconds.
  package var seconds: Double

  package init(files: Int, schemaVersions: Int, containers: Int, seconds: Double) {
    self.files = files
    self.schemaVersions = schemaVersions
    self.containers = containers
    self.seconds = seconds
  }
}
