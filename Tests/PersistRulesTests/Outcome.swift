import PersistIndex
import PersistPages
import PersistRules
import PersistSchema
import PersistSyntax
import PersistVersions

/// What linting a sample gives.
struct Outcome {
  var findings: [Finding]
  var suppressed: Int

  /// Lints files as one program by all rules that are on, and by the page's own rule.
  init(_ files: [Page.File], rule: String) {
    let on = Set(RulePage.all.filter { $0.severity != nil }.map(\.id)).union([RuleID(rule)])
    self.init(files, rules: on)
  }

  /// Lints files as one program by some rules.
  init(_ files: [Page.File], rules: Set<RuleID>) {
    let sources = files.filter { !$0.isShipped }.map {
      SourceFile(path: $0.path, outline: Outline(SourceText($0.code)))
    }
    let program = Program(
      sources, input: SchemaInput(base: Self.base(files.filter(\.isShipped))))
    let judgement = program.judge(Registry.check(program, ids: rules))
    findings = judgement.findings
    suppressed = judgement.suppressed.count
  }

  /// The lock that freezing every version of the shipped files gives.
  private static func base(_ files: [Page.File]) -> SchemaBase? {
    guard !files.isEmpty else { return nil }
    let sources = files.map { SourceFile(path: $0.path, outline: Outline(SourceText($0.code))) }
    let shipped = SchemaProgram(sources)
    var lock = LockFile(
      versions: shipped.frozenShapes(includingNewest: true), plans: shipped.planStates)
    let program = Program(sources)
    lock.migrators = program.migrators.map(\.frozen)
    lock.realms = program.realmConfigurations.compactMap(\.frozen)
    return SchemaBase(lock, path: LockFile.name)
  }
}

extension Finding {
  var description: String {
    "\(location.path):\(location.start.line):\(location.start.column)-\(location.end.column): "
      + "\(severity): \(message) [\(rule)]"
  }

  func meets(_ expectation: Expectation) -> Bool {
    let wanted = expectation.message
    let saysSo =
      wanted.hasSuffix("…")
      ? message.hasPrefix(wanted.dropLast()) : wanted.isEmpty || wanted == message
    return location.path == expectation.path && location.start.line == expectation.line
      && location.start.column == expectation.columns.lowerBound
      && location.end.column == expectation.columns.upperBound && saysSo
      && (expectation.severity.map { $0 == severity.rawValue } ?? true)
  }
}

extension Outcome {
  /// A finding without its place.
  struct Said: Hashable {
    let rule: RuleID
    let severity: Severity
    let symbol: String
    let message: String
  }

  /// The rules that report one place of a cause and name the others beside it: which comes first is
  /// the order of the sources, and nothing more.
  static let grouping: Set<String> = [
    "history-never-trimmed", "managed-object-outside-context", "model-actor-without-save",
    "store-access-without-background-assertion", "store-open-failure-unlogged",
    "store-opened-repeatedly", "unchecked-sendable-model",
  ]

  /// What is found in files that no change added, without the places.
  static func said(_ files: [Reshape.File], rule: String) -> [Said: Int] {
    let pages = files.map { Page.File(path: $0.path, code: $0.code, isShipped: false) }
    let new = Set(files.filter(\.isNew).map(\.path))
    let found = Outcome(pages, rule: rule).findings.filter { !new.contains($0.location.path) }
    return found.reduce(into: [:]) { counts, finding in
      let isGrouped = grouping.contains(finding.rule.text)
      let said = Said(
        rule: finding.rule, severity: finding.severity, symbol: isGrouped ? "" : finding.symbol,
        message: isGrouped ? "places" : finding.message)
      counts[said] = isGrouped ? 1 : counts[said, default: 0] + 1
    }
  }
}
