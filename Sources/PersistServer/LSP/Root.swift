import PersistReport
import PersistRules

/// A folder that an editor has open, with what is known of it.
struct Root: Sendable {
  /// As the editor names it, and with all links resolved.
  let given: String
  let folder: String
  /// Whether no editor named it: it is the project around a file that was opened by itself.
  let isImplicit: Bool
  /// Counts what happened to its files.
  var wanted = 0
  /// Up to which of these the findings know.
  var known = -1
  /// When to look at it again, in seconds; nil where nothing has happened since.
  var due: Double?
  /// The look that is being taken.
  var job: RunningJob?
  /// Findings by the resolved paths of their files.
  var findings: [String: [Judged]] = [:]
  /// The texts that were judged, by resolved paths.
  var texts: [String: JudgedText] = [:]
  /// What was said of the last failure, so that it is said once.
  var failure: String?
  /// The notices that were told.
  var notices: Set<Notice> = []

  /// Whether the findings are those of the texts as they are now.
  var isUpToDate: Bool { known == wanted }

  func holds(_ path: String) -> Bool { folder == "/" || path.hasPrefix(folder + "/") }

  /// A path of a finding, resolved.
  func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : (folder == "/" ? "" : folder) + "/" + path
  }

  mutating func take(_ analysis: Analysis) {
    texts = [:]
    for (path, bytes) in analysis.report.sources { texts[absolute(path)] = JudgedText(bytes) }
    findings = [:]
    for (finding, suppression) in zip(analysis.report.findings, analysis.suppressions) {
      findings[absolute(finding.location.path), default: []].append(
        Judged(finding: finding, suppression: suppression))
    }
  }
}

/// A finding, and the comment that would silence it.
struct Judged: Sendable {
  let finding: Finding
  let suppression: Fix?
}

/// The text in which a finding was made.
struct JudgedText: Sendable {
  let bytes: [UInt8]
  let lines: LineTable

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    lines = LineTable(bytes)
  }
}

/// A look at a root that is being taken, and what the editor shows of it.
struct RunningJob: Sendable {
  let number: Int
  /// What of the root's files it knows.
  let state: Int
  /// In seconds.
  let start: Double
  var progress = Progress.none

  enum Progress: Sendable, Equatable {
    case none
    /// The editor was asked whether it shows this token.
    case asked(String)
    case shown(String)
  }
}
