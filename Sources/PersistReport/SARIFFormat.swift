import PersistRules

/// Findings as SARIF 2.1.0, as GitHub's code scanning reads it.
package struct SARIFFormat: Sendable {
  /// GitHub keeps this many results of a run.
  package static let largestResultCount = 5_000

  private let report: Report
  private let category: String?
  private let includesSuppressed: Bool
  private let fingerprints: [Finding: Fingerprint]
  private let ruleIndices: [RuleID: Int]
  private let places: SARIFPlaces

  /// `category` names the run where a repository has several.
  package init(_ report: Report, category: String? = nil, includesSuppressed: Bool = false) {
    self.report = report
    self.category = category
    self.includesSuppressed = includesSuppressed
    fingerprints = report.fingerprints
    ruleIndices = Dictionary(
      report.pages.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    let findings = report.findings + (includesSuppressed ? report.suppressed.map(\.finding) : [])
    places = SARIFPlaces(
      sources: report.sources, hashing: Set(findings.map(\.location.path)))
  }

  /// The whole log, with a line break at the end.
  package var text: String {
    var run: JSON = ["tool": ["driver": driver]]
    if let category {
      run.add("automationDetails", ["id": .string("persistlint/\(category)/")])
    }
    run.add("columnKind", "utf16CodeUnits")
    run.add("invocations", [invocation])
    run.add("results", .array(results))
    let log: JSON = [
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
      "version": "2.1.0",
      "runs": [run],
    ]
    return log.text
  }

  private var driver: JSON {
    [
      "name": "persistlint",
      "semanticVersion": .string(report.version),
      "informationUri": .string(Project.address),
      "rules": .array(report.pages.map(\.sarif)),
    ]
  }

  // MARK: - Results

  private var kept: [Finding] {
    guard report.findings.count > SARIFFormat.largestResultCount else { return report.findings }
    let ranked = report.findings.enumerated().sorted { left, right in
      left.element.severity == right.element.severity
        ? left.offset < right.offset : left.element.severity > right.element.severity
    }
    return ranked.prefix(SARIFFormat.largestResultCount).sorted { $0.offset < $1.offset }
      .map(\.element)
  }

  private var results: [JSON] {
    let shown = kept.map { result(of: $0) }
    guard includesSuppressed else { return shown }
    let room = SARIFFormat.largestResultCount - shown.count
    return shown
      + report.suppressed.prefix(room).map { suppressed in
        var result = result(of: suppressed.finding)
        var suppression: JSON = ["kind": .string(suppressed.kind.rawValue)]
        if !suppressed.justification.isEmpty {
          suppression.add("justification", .string(suppressed.justification))
        }
        result.add("suppressions", [suppression])
        return result
      }
  }

  private func result(of finding: Finding) -> JSON {
    var result: JSON = ["ruleId": .string(finding.rule.text)]
    result.add("ruleIndex", ruleIndices[finding.rule].map { .integer($0) })
    result.add("level", .string(finding.severity.rawValue))
    result.add("message", ["text": .string(message(of: finding))])
    var location: JSON = ["physicalLocation": places.physicalLocation(finding.location)]
    if let logicalLocation = finding.logicalLocation {
      location.add("logicalLocations", [logicalLocation])
    }
    result.add("locations", [location])
    if !finding.related.isEmpty {
      let related = finding.related.enumerated().map { index, related in
        places.location(related, id: index + 1)
      }
      result.add("relatedLocations", .array(related))
    }
    result.add("partialFingerprints", partialFingerprints(of: finding))
    if !finding.flow.isEmpty {
      let steps = finding.flow.map { step in ["location": places.location(step)] as JSON }
      result.add("codeFlows", [["threadFlows": [["locations": .array(steps)]]]])
    }
    if let fix = finding.fix { result.add("fixes", [places.fix(fix)]) }
    return result
  }

  private func message(of finding: Finding) -> String {
    let links = finding.related.enumerated().map { index, related in
      "[\(related.message.linkText)](\(index + 1))"
    }
    let message = finding.message.replacing("](", with: "]\\(")
    return links.isEmpty ? message : "\(message). See \(links.joined(separator: ", "))."
  }

  private func partialFingerprints(of finding: Finding) -> JSON {
    var prints: JSON = [:]
    prints.add("primaryLocationLineHash", places.lineHash(of: finding.location).map(JSON.string))
    prints.add("persistlint/v1", fingerprints[finding].map { .string($0.digest) })
    return prints
  }

  // MARK: - Notifications

  private var invocation: JSON {
    var notifications = report.notices.map { notice in
      [
        "level": "warning",
        "message": ["text": .string(notice.message)],
        "locations": [
          ["physicalLocation": ["artifactLocation": ["uri": .string(notice.path.uri)]]]
        ],
      ] as JSON
    }
    if report.findings.count > SARIFFormat.largestResultCount {
      let text =
        "\(report.findings.count) findings: only the \(SARIFFormat.largestResultCount) most severe "
        + "are in this log, because code scanning keeps no more; narrow the paths or use a baseline"
      notifications.append(["level": "warning", "message": ["text": .string(text)]])
    }
    var invocation: JSON = ["executionSuccessful": true]
    if !notifications.isEmpty {
      invocation.add("toolExecutionNotifications", .array(notifications))
    }
    return invocation
  }
}

extension Finding {
  /// Where the finding stands among the declarations; nothing at top level.
  fileprivate var logicalLocation: JSON? {
    guard let name = symbol.split(separator: ".").last else { return nil }
    return ["name": .string(String(name)), "fullyQualifiedName": .string(symbol)]
  }
}

extension String {
  fileprivate var linkText: String {
    var text = ""
    for character in self {
      if character == "[" || character == "]" || character == "\\" { text += "\\" }
      text.append(character)
    }
    return text
  }
}
