import PersistRules

/// Findings as the logging commands of Azure Pipelines.
package struct AzureFormat: Sendable {
  /// How every line begins.
  package static let beginning = "##vso[task.logissue type="

  private let report: Report

  package init(_ report: Report) { self.report = report }

  /// A command a finding; Azure knows errors and warnings alone, so a note is a warning.
  package var text: String {
    report.findings.map { finding in
      let start = finding.location.start
      let properties = [
        ("sourcepath", finding.location.path), ("linenumber", String(start.line)),
        ("columnnumber", String(start.column)), ("code", finding.rule.text),
      ].map { "\($0.0)=\($0.1.azureProperty)" }.joined(separator: ";")
      let type = finding.severity == .error ? "error" : "warning"
      return "\(Self.beginning)\(type);\(properties)]\(finding.message.azureData)\n"
    }.joined()
  }
}

extension String {
  /// As the message of a command.
  fileprivate var azureData: String {
    replacing("%", with: "%AZP25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  /// As the value of a property.
  fileprivate var azureProperty: String {
    azureData.replacing(";", with: "%3B").replacing("]", with: "%5D")
  }
}
