import PersistRules

/// Findings as one JSON object with every field, as docs/formats.md describes it.
package struct JSONFormat: Sendable {
  /// Grows when a field changes its meaning or goes.
  package static let version = 1

  private let report: Report

  package init(_ report: Report) { self.report = report }

  /// The whole object, with a line break at the end.
  package var text: String {
    let fingerprints = report.fingerprints
    func object(_ finding: Finding) -> JSON {
      var object: JSON = [
        "rule": .string(finding.rule.text),
        "severity": .string(finding.severity.rawValue),
        "message": .string(finding.message),
        "location": place(finding.location),
        "symbol": .string(finding.symbol),
        "related": places(finding.related),
        "flow": places(finding.flow),
      ]
      object.add("fix", finding.fix.map(fix))
      object.add("fingerprint", fingerprints[finding].map { .string($0.digest) })
      return object
    }
    let suppressed = report.suppressed.map { suppressed in
      var finding = object(suppressed.finding)
      finding.add("suppression", .string(suppressed.kind.rawValue))
      finding.add("reason", .string(suppressed.justification))
      return finding
    }
    let document: JSON = [
      "version": .integer(JSONFormat.version),
      "tool": ["name": "persistlint", "version": .string(report.version)],
      "statistics": [
        "files": .integer(report.statistics.files),
        "schemaVersions": .integer(report.statistics.schemaVersions),
        "containers": .integer(report.statistics.containers),
      ],
      "findings": .array(report.findings.map { object($0) }),
      "suppressed": .array(suppressed),
      "notices": .array(
        report.notices.map { ["path": .string($0.path), "message": .string($0.message)] }),
    ]
    return document.text
  }

  private func fix(_ fix: Fix) -> JSON {
    let edits = fix.edits.map { edit in
      ["range": place(edit.range), "replacement": .string(edit.replacement)] as JSON
    }
    return [
      "title": .string(fix.title), "isSafe": .boolean(fix.isSafe), "edits": .array(edits),
    ]
  }

  private func place(_ location: Location) -> JSON {
    [
      "path": .string(location.path),
      "start": position(location.start),
      "end": position(location.end),
    ]
  }

  private func position(_ position: Position) -> JSON {
    [
      "line": .integer(position.line),
      "column": .integer(position.column),
      "offset": .integer(position.offset),
    ]
  }

  private func places(_ related: [RelatedLocation]) -> JSON {
    .array(
      related.map {
        ["message": .string($0.message), "location": place($0.location)]
      })
  }
}
