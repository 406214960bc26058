import PersistReport
import PersistRules

/// What `lint` returns: short, because each word costs an agent.
struct FindingsResult {
  /// More places than these explain nothing to a reader.
  private static let mostRelated = 6

  let report: Report
  let limit: Int

  var json: JSON {
    let ranked = Severity.allCases.reversed().flatMap { severity in
      report.findings.filter { $0.severity == severity }
    }
    let shown = Set(ranked.prefix(limit))
    return [
      "summary": .string(report.counts),
      "findings": .array(report.findings.filter { shown.contains($0) }.map(finding)),
      "omitted": .integer(max(0, ranked.count - limit)),
      "notices": .array(report.notices.map { .string($0.message) }),
    ]
  }

  private func finding(_ finding: Finding) -> JSON {
    var json: JSON = [
      "rule": .string(finding.rule.text), "severity": .string(finding.severity.rawValue),
    ]
    add(finding.location, to: &json)
    json.add("message", .string(finding.message))
    if !finding.related.isEmpty {
      json.add(
        "related", .array(finding.related.prefix(FindingsResult.mostRelated).map(related)))
    }
    json.add("fix", finding.fix.map(fix))
    return json
  }

  private func related(_ related: RelatedLocation) -> JSON {
    [
      "path": .string(related.location.path), "line": .integer(related.location.start.line),
      "column": .integer(related.location.start.column), "message": .string(related.message),
    ]
  }

  private func fix(_ fix: Fix) -> JSON {
    [
      "title": .string(fix.title), "safe": .boolean(fix.isSafe),
      "edits": .array(
        fix.edits.map { edit in
          var json: JSON = [:]
          add(edit.range, to: &json)
          json.add("replacement", .string(edit.replacement))
          return json
        }),
    ]
  }

  private func add(_ location: Location, to json: inout JSON) {
    json.add("path", .string(location.path))
    json.add("line", .integer(location.start.line))
    json.add("column", .integer(location.start.column))
    json.add("endLine", .integer(location.end.line))
    json.add("endColumn", .integer(location.end.column))
  }
}
