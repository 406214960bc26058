import PersistReport
import PersistRules

/// The baseline's file, and what a run does with it.
struct BaselineFile {
  static let standardName = ".persistlint-baseline"
  /// How each one begins.
  static let heading = Baseline.heading

  let path: String
  let naming: Destination.Naming

  /// What of it the run may change.
  let scope: BaselineScope
  /// The resolved path of a finding's file.
  let absolutePath: (String) -> String

  /// The findings without the accepted ones, which count as suppressed from outside.
  func apply(
    to result: inout LintResult, prunes: Bool, reports: Bool
  ) throws(CommandError) {
    let baseline = try read()
    let comparison = baseline.compare(result.findings, path: placed)
    result.findings = comparison.new
    result.suppressed += comparison.known.map { finding in
      SuppressedFinding(finding: finding, kind: .external, justification: "accepted in \(path)")
    }
    let gone = comparison.fixed.filter { !result.unjudged.contains($0.rule) }
    let fixed = gone.filter { scope.holds($0.path) }
    if prunes {
      try refuseParts()
      if !fixed.isEmpty {
        let taken = Set(fixed)
        let kept = comparison.fixed.filter { !taken.contains($0) }
        try write(Baseline(entries: comparison.matched + kept))
      }
      for entry in fixed { say("\(path): '\(entry)' is fixed and gone") }
      sayLeftAlone((comparison.matched + comparison.fixed).filter { !scope.holds($0.path) })
    } else if reports, scope.isWhole, !fixed.isEmpty {
      report(fixed)
    }
  }

  /// Accepts those of these findings that lie in the scope, and leaves the entries of other files
  /// as they are; a file that is something else is never overwritten. Returns how many.
  func accept(_ findings: [Finding]) throws(CommandError) -> Int {
    try refuseParts()
    let old = (try? System.status(of: path)) != nil ? try read() : Baseline([])
    let comparison = old.compare(findings, path: placed)
    let own = Baseline(findings, path: placed).entries.filter { scope.holds($0.path) }
    let others = (comparison.matched + comparison.fixed).filter { !scope.holds($0.path) }
    try write(Baseline(entries: own + others))
    sayLeftAlone(others)
    return own.count
  }

  private func placed(_ path: String) -> String { scope.relative(absolutePath(path)) }

  /// After a defect nobody knows what is fixed.
  private func refuseParts() throws(CommandError) {
    guard !Defects.isPartial else {
      Defects.report()
      throw .refusal("\(path) stays as it is, because not all of the sources were judged")
    }
  }

  private func sayLeftAlone(_ entries: [Baseline.Entry]) {
    guard !entries.isEmpty else { return }
    let noun = entries.count == 1 ? "1 entry" : "\(entries.count) entries"
    say("\(path): left \(noun) of \(scope.others) alone")
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
        throw .refusal("\(path) is not a baseline of persistlint; create one with --write-baseline")
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
