import PersistRules

/// Findings as the inspections of TeamCity's service messages.
package struct TeamCityFormat: Sendable {
  /// How every line begins.
  package static let beginning = "##teamcity[inspection"

  private let report: Report

  package init(_ report: Report) { self.report = report }

  /// Each rule that found something once, and then its findings.
  package var text: String {
    let found = Set(report.findings.map(\.rule))
    let types = report.pages.filter { found.contains($0.id) }.map { page in
      "\(Self.beginning)Type id='\(page.id.text.teamCity)' name='\(page.title.teamCity)' "
        + "description='\(page.impactDescription.teamCity)' category='persistlint']\n"
    }
    let inspections = report.findings.map { finding in
      "\(Self.beginning) typeId='\(finding.rule.text.teamCity)' "
        + "message='\(finding.message.teamCity)' file='\(finding.location.path.teamCity)' "
        + "line='\(finding.location.start.line)' SEVERITY='\(finding.severity.teamCityName)']\n"
    }
    return types.joined() + inspections.joined()
  }
}

extension Severity {
  fileprivate var teamCityName: String {
    switch self {
    case .note: "INFO"
    case .warning: "WARNING"
    case .error: "ERROR"
    }
  }
}

extension String {
  /// As the value of a service message, whose escape character is `|`.
  fileprivate var teamCity: String {
    var result = ""
    for unit in utf16 {
      switch unit {
      case 0x27, 0x7C, 0x5B, 0x5D: result += "|" + String(UnicodeScalar(UInt8(unit)))
      case 0x0A: result += "|n"
      case 0x0D: result += "|r"
      case 0x20..<0x7F: result += String(UnicodeScalar(UInt8(unit)))
      default:
        let digits = String(unit, radix: 16)
        result += "|0x" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result
  }
}
