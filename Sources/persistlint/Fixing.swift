import PersistReport
import PersistRules
import PersistSyntax

/// Puts the fixes of findings into the files, round by round until none is left.
struct Fixing {
  /// Fixes of one round may bring findings of another.
  private static let mostRounds = 10

  private let options: Options
  private var before: [String: [UInt8]] = [:]
  /// How many fixes were put in.
  private var count = 0
  private var rounds = 0
  /// The findings that had a fix at first.
  private var wanted: [FixedFinding: Int] = [:]

  /// What a finding is known by after code above it has changed.
  private struct FixedFinding: Hashable {
    let rule: RuleID
    let symbol: String
    let message: String

    init(_ finding: Finding) {
      rule = finding.rule
      symbol = finding.symbol
      message = finding.message
    }
  }

  /// Nothing when no fix is wanted.
  init?(_ options: Options) throws(CommandError) {
    guard
      options.fixes || options.fixesUnsafely || options.showsDifference
        || options.suppressionReason != nil
    else { return nil }
    guard !options.isStaged, !options.operands.contains("-") else {
      throw .usage(
        "fixes and suppressions change files: they can't be combined with --staged or standard input"
      )
    }
    self.options = options
  }

  /// The files after the fixes of these findings; nothing when there is none left to put in.
  mutating func round(on input: LintInput, _ findings: [Finding]) -> LintInput? {
    let fixable = findings.filter(isToBeFixed)
    if rounds == 0 { for finding in fixable { wanted[FixedFinding(finding), default: 0] += 1 } }
    let fixes = fixable.compactMap(\.fix).withoutOverlaps
    guard rounds < Fixing.mostRounds else { return nil }
    return put(fixes, into: input)
  }

  private func isToBeFixed(_ finding: Finding) -> Bool {
    finding.fix.map { $0.isSafe || options.fixesUnsafely } ?? false
  }

  /// Says which fixes were not made, given the findings that are left.
  private func reportLeft(_ findings: [Finding]) {
    var wanted = wanted
    let left = findings.filter { finding in
      guard let count = wanted[FixedFinding(finding)], count > 0 else { return false }
      wanted[FixedFinding(finding)] = count - 1
      return true
    }
    guard let first = left.first else { return }
    let place = "\(first.location.path):\(first.location.start.line)"
    let what =
      left.count == 1
      ? "the fix at \(place) was" : "\(left.count) fixes, the first at \(place), were"
    let next =
      left.contains(where: isToBeFixed)
      ? options.showsDifference ? "a second run makes more of them" : "run this again"
      : "edit that code by hand"
    warn("\(what) not made, because another fix changes the same code; \(next)")
  }

  /// The files after these fixes, which touch no byte twice; nothing when there is none.
  mutating func put(_ fixes: [Fix], into input: LintInput) -> LintInput? {
    guard !fixes.isEmpty else { return nil }
    rounds += 1
    count += fixes.count
    let paths = Set(fixes.flatMap(\.edits).map(\.range.path))
    var changed = input
    changed.files = input.files.map { file in
      guard paths.contains(file.path) else { return file }
      before[file.path] = before[file.path] ?? file.bytes
      return InputFile(
        path: file.path, kind: file.kind,
        text: SourceText(fixes.apply(to: file.bytes, path: file.path)))
    }
    return changed
  }

  /// Writes the changed files, or shows what would change; gives whether something did.
  func finish(_ input: LintInput, _ findings: [Finding]) throws(CommandError) -> Bool {
    reportLeft(findings)
    let changed = input.files.filter { file in
      before[file.path].map { $0 != file.bytes } ?? false
    }
    if options.showsDifference {
      for file in changed {
        let old = before[file.path] ?? []
        _ = try show(UnifiedDifference(path: file.path, old: old, new: file.bytes).text)
      }
      return !changed.isEmpty
    }
    return try write(changed, at: input.absolutePath)
  }

  /// Writes the files that nobody edited meanwhile, and says which; gives whether all were written.
  private func write(
    _ changed: [InputFile], at absolutePath: (String) -> String
  ) throws(CommandError) -> Bool {
    var written: [String] = []
    var failures: [String] = []
    for file in changed {
      do {
        try FileWriter.write(
          file.bytes, to: absolutePath(file.path), replacing: before[file.path] ?? [])
        written.append(file.path)
      } catch {
        failures.append("\(file.path): \(error.reason)")
      }
    }
    if !written.isEmpty {
      let words = options.suppressionReason == nil ? ("fix", "fixes") : ("comment", "comments")
      let noun = count == 1 ? words.0 : words.1
      say("\(failures.isEmpty ? "\(count) " : "")\(noun) in \(written.joined(separator: ", "))")
    }
    guard let last = failures.popLast() else { return !changed.isEmpty }
    for failure in failures { complain(failure) }
    throw .refusal(last)
  }
}
