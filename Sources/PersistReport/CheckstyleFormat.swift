import PersistRules

/// Findings as Checkstyle's XML, which most servers for builds read.
package struct CheckstyleFormat: Sendable {
  /// How every document begins.
  package static let beginning =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"4.3\">\n"

  private let report: Report

  package init(_ report: Report) { self.report = report }

  /// The whole document, with a line break at the end.
  package var text: String {
    var text = CheckstyleFormat.beginning
    for (path, findings) in report.findingsByFile {
      text += "  <file name=\"\(path.xml)\">\n"
      for finding in findings {
        let start = finding.location.start
        text +=
          "    <error line=\"\(start.line)\" column=\"\(start.column)\" "
          + "severity=\"\(finding.severity.checkstyleName)\" message=\"\(finding.message.xml)\" "
          + "source=\"persistlint.\(finding.rule.text.xml)\"/>\n"
      }
      text += "  </file>\n"
    }
    return text + "</checkstyle>\n"
  }
}

extension Severity {
  fileprivate var checkstyleName: String {
    switch self {
    case .note: "info"
    case .warning: "warning"
    case .error: "error"
    }
  }
}

extension Report {
  /// The findings of each file, the files in their order.
  var findingsByFile: [(path: String, findings: [Finding])] {
    var files: [(path: String, findings: [Finding])] = []
    for finding in findings {
      if files.last?.path == finding.location.path {
        files[files.count - 1].findings.append(finding)
      } else {
        files.append((path: finding.location.path, findings: [finding]))
      }
    }
    return files
  }
}

extension String {
  /// The text for XML content and attributes; what XML can't hold becomes U+FFFD.
  var xml: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&apos;"
      case "\t", "\n", "\r": text += "&#\(scalar.value);"
      case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{FFFE}", "\u{FFFF}": text += "\u{FFFD}"
      case _ where scalar.changesDirection: text += String(scalar).onOneLine
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
