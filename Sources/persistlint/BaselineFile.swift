import PersistReport
import PersistRules

/// The baseline's file, and what a run does with it.
struct BaselineFile {
  static let standardName = ".persistlint-baseline"
  /// How each one begins.
  static let heading = Baseline.heading

  let path: String
  let naming: Destination.Naming

  /// The findings without the accepted ones, which count as suppressed from outside.
  func apply(
    to result: inout LintResult, prunes: Bool, reports: Bool
  ) throws(CommandError) {
    let baseline = try read()
    let comparison = baseline.compare(result.findings)
    result.findings = comparison.new
    result.suppressed += comparison.known.map { finding in
      SuppressedFinding(finding: finding, kind: .external, justification: "accepted in \(path)")
    }
    let fixed = comparison.fixed.filter { !result.unjudged.contains($0.rule) }
    guard !fixed.isEmpty else { return }
    if prunes {
      try write(baseline.without(fixed))
      for entry in fixed { say("\(path): '\(entry)' is fixed and gone") }
    } else if reports {
      report(fixed)
    }
  }

  /// Accepts these findings; a file that is something else is never overwritten.
  func accept(_ findings: [Finding]) throws(CommandError) {
    if (try? System.status(of: path)) != nil { _ = try read() }
    try write(Baseline(findings))
  }

  private func report(_ fixed: [Baseline.Entry]) {
    let shownCount = 10
    for entry in fixed.prefix(shownCount) { warn("\(path): '\(entry)' is fixed") }
    let more = fixed.count > shownCount ? "and \(fixed.count - shownCount) more are fixed; " : ""
    warn("\(path): \(more)--prune-baseline takes out what is fixed")
  }

  private func read() throws(CommandError) -> Baseline {
    let bytes: [UInt8]
    do {
      bytes = try FileReader.read(path, atMost: FileReader.Limit.record)
    } catch {
      throw .refusal("\(path): \(error.reason); --write-baseline makes a baseline")
    }
    guard isUTF8(bytes) else { throw .refusal("\(path): not UTF-8; restore it from git") }
    do {
      return try Baseline(text: String(decoding: bytes, as: UTF8.self))
    } catch {
      switch error {
      case .noBaseline:
        throw .refusal("\(path) is no baseline of persistlint; make one with --write-baseline")
      case .strangeLine(let line):
        throw .refusal("\(path):\(line): a baseline has a rule and a symbol on each line")
      }
    }
  }

  private func write(_ baseline: Baseline) throws(CommandError) {
    let destination = Destination(path: path, naming: naming, content: .baseline)
    try destination.write(Array(baseline.text.utf8))
  }
}
