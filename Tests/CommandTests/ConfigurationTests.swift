import Foundation
import Testing

@testable import persistlint

@Suite struct ConfigurationTests {
  let folder: Folder

  /// A warning by default, for the comment gives no reason.
  private static let bad = "// persistlint:ignore[invalid-suppression]\nlet x = 1\n"
  private static let rule = "invalid-suppression"

  init() throws { folder = try Folder() }

  @Test func rulesTakeTheirSeverityFromTheFile() throws {
    try folder.write("a.swift", ConfigurationTests.bad)
    #expect(try persistlint(in: folder).output.contains(": warning: "))
    try configure("{'rules': {'\(ConfigurationTests.rule)': 'error'}}")
    let run = try persistlint(in: folder)
    #expect(run.exitCode == 1 && run.output.contains(": error: "))
    #expect(!run.output.contains(": warning: "))
    try configure("{'rules': {'\(ConfigurationTests.rule)': 'off'}}")
    let off = try persistlint(in: folder)
    #expect(off.exitCode == 0 && off.output == "")
  }

  @Test func lastOverrideThatFitsDecides() throws {
    for path in ["a.swift", "Old/a.swift", "Old/New/a.swift"] {
      try folder.write(path, ConfigurationTests.bad)
    }
    try configure(
      """
      // What is old stays as it is.
      {
        rules: {"\(ConfigurationTests.rule)": "error"},
        overrides: [
          {paths: ["Old"], rules: {"\(ConfigurationTests.rule)": "off"}},
          {paths: ["Old/New/*.swift"], rules: {"\(ConfigurationTests.rule)": "note"}},
        ],
      }
      """)
    let places = Set(
      try persistlint(in: folder).output.split(separator: "\n").map {
        $0.split(separator: ":")[0] + $0.split(separator: ":")[3]
      })
    #expect(places == ["a.swift error", "Old/New/a.swift note"])
  }

  @Test func reasonsCanBeLeftOut() throws {
    let code = """
      import SwiftData
      func keep(_ context: ModelContext) {
        try? context.save()  // persistlint:ignore[swallowed-save-error]
      }
      """
    try folder.write("a.swift", code)
    #expect(try persistlint(in: folder).output.contains("write the reason"))
    try configure("{'requireReason': false}")
    let run = try persistlint("--strict", in: folder)
    #expect(run.exitCode == 0 && run.output == "")
    try configure("{'requireReason': 'no'}")
    #expect(
      try persistlint(in: folder).errors.contains("expected true or false, found 'no'"))
  }

  @Test func aRunOverExcludedFilesAloneSaysSo() throws {
    try folder.write("Generated/a.swift", ConfigurationTests.bad)
    try configure("{'exclude': ['Generated/']}")
    let run = try persistlint("--strict", "Generated/a.swift", "Generated", in: folder)
    #expect(run.exitCode == 2)
    #expect(run.errors.contains("`exclude` in .persistlint.json leaves out every Swift file"))
  }

  @Test func nearestFileAboveThePathsHolds() throws {
    try folder.write("App/Sources/a.swift", ConfigurationTests.bad)
    try folder.write("Other/a.swift", ConfigurationTests.bad)
    try configure("{'rules': {'\(ConfigurationTests.rule)': 'off'}}", in: "App/")
    #expect(try persistlint("--strict", "App/Sources", in: folder).exitCode == 0)
    let whole = try persistlint("--strict", ".", in: folder)
    #expect(whole.exitCode == 1)
    #expect(whole.output.contains("Other/a.swift:") && !whole.output.contains("App/Sources"))
    let named = try persistlint("--strict", "--config", "App/.persistlint.json", in: folder)
    #expect(named.exitCode == 0)
    #expect(try persistlint("--config", "nowhere.json", in: folder).exitCode == 2)
  }

  @Test func argumentsWinOverTheFile() throws {
    try folder.write("a.swift", ConfigurationTests.bad)
    try configure("{'failOn': 'warning', 'formats': ['gitlab:out.json', 'text']}")
    let run = try persistlint(in: folder)
    #expect(run.exitCode == 1 && run.output.contains("warning"))
    #expect(try folder.read("out.json").contains("\"check_name\""))
    let other = try persistlint("--fail-on", "error", "--format", "xcode", in: folder)
    #expect(other.exitCode == 0 && other.output.hasPrefix("/"))
  }

  @Test(arguments: [
    ("{'exlude': []}", "1:3: no key is called 'exlude'; did you mean 'exclude'?"),
    ("{\n  'rules': {'invalid-supression': 'off'}}", "2:14: no rule or group is called"),
    (
      "{'rules': {'invalid-suppression': 'of'}}",
      "1:13: 'of' is not allowed here; did you mean 'off'?"
    ),
    ("{include: 'x'}", "1:2: expected a list, found 'x'"),
    ("{'overrides': [{'paths': []}]}", "1:3: 'rules' is missing here"),
    ("{'failOn': 3}", "1:3: expected one of note, warning, error, found 3"),
    ("{'formats': ['srif:a']}", "1:3: 'srif' is not allowed here; did you mean 'sarif'?"),
    ("{'lock': ''}", "1:3: expected a string that isn't empty, found ''"),
    ("{'names': {'locks': ['a b']}}", "1:13: expected the name of a function or type, such as"),
    ("{'names': {'lock': []}}", "1:13: no key is called 'lock'; did you mean 'locks'?"),
    ("[]", "1:1: expected an object, found a list"),
  ])
  func mistakesAreNamedWithTheirPlace(text: String, reason: String) throws {
    try configure(text)
    let run = try persistlint(in: folder)
    #expect(run.exitCode == 2)
    #expect(run.errors.contains(".persistlint.json:\(reason)"))
  }

  @Test(arguments: [
    ("{a b}", "1:4: expected ':'"), ("", "1:1: expected a value"),
    ("{'failOn': 'error'", "1:19: expected ',' or '}'"),
    ("{\n  'exclude': ['a' 'b']\n}", "2:19: expected ',' or ']'"),
    ("{} x", "1:4: expected the end of the file"), ("{'a: 1}", "1:2: expected a string that ends"),
    ("// x\n{ /* }", "2:3: expected a comment that ends"),
    ("{'exclude': }", "1:13: expected a value"),
  ])
  func textThatIsNoJSONIsRefusedWithThePlace(text: String, reason: String) throws {
    try configure(text)
    let run = try persistlint(in: folder)
    #expect(
      run.exitCode == 2 && run.errors.contains(".persistlint.json:\(reason)"), "\(run.errors)")
  }

  @Test func effectiveConfigurationIsShown() throws {
    try folder.write("Old/a.swift", "")
    try configure(
      """
      {'exclude': ['Old'],
       'overrides': [{'paths': ['Old'], 'rules': {'\(ConfigurationTests.rule)': 'note'}}]}
      """)
    let run = try persistlint("config", "--effective", "Old/a.swift", in: folder)
    let shown = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
    #expect(shown?["linted"] as? Bool == false)
    #expect((shown?["rules"] as? [String: String])?[ConfigurationTests.rule] == "note")
  }

  /// Writes a configuration; single quotes stand for double ones.
  private func configure(_ text: String, in place: String = "") throws {
    try folder.write(place + ".persistlint.json", text.replacing("'", with: "\""))
  }

  @Test(arguments: [
    ("{ 'rules': {} }", "1:3: expected a key in double quotes"),
    (#"{ "lock": 'a' }"#, "1:11: expected a string in double quotes"),
  ])
  func singleQuotesAreRefused(text: String, reason: String) throws {
    try folder.write(".persistlint.json", text)
    let run = try persistlint(in: folder)
    #expect(run.exitCode == 2)
    #expect(run.errors.contains(".persistlint.json:\(reason)"))
  }

  @Test func aConfigurationGoesOnFromAnother() throws {
    try folder.write("App/a.swift", ConfigurationTests.bad)
    try folder.write("App/Made/a.swift", ConfigurationTests.bad)
    try configure("{'rules': {'\(ConfigurationTests.rule)': 'error'}}")
    try configure(
      "{'extends': '../.persistlint.json', 'exclude': ['Made'], 'lock': 'a.lock'}", in: "App/")
    let whole = try persistlint(in: folder)
    #expect(whole.output.contains("App/a.swift:1:4: error"))
    #expect(!whole.output.contains("Made"))
    #expect(whole.errors.contains("App/.persistlint.json: `lock` is ignored here"))
    let inner = try persistlint("App/a.swift", in: folder)
    #expect(inner.exitCode == 1 && inner.output.contains("App/a.swift:1:4: error"))
    let shown = try persistlint("config", "--effective", "App/a.swift", in: folder).output
    #expect(shown.contains("App/.persistlint.json\","))
    #expect(shown.contains("\"\(ConfigurationTests.rule)\": \"error\""))
  }

  @Test func configurationsThatGoOnFromEachOtherAreRefused() throws {
    try configure("{'extends': 'App/.persistlint.json'}")
    try configure("{'extends': '../.persistlint.json'}", in: "App/")
    let run = try persistlint(in: folder)
    #expect(run.exitCode == 2)
    #expect(run.errors.contains("extends this file again, so there is a cycle"))
    try configure("{'extends': 'none.json'}")
    #expect(try persistlint(in: folder).errors.contains("1:13: none.json: No such file"))
  }

  @Test func whatIsSaidOfAGroupLeavesRulesAloneThatAreOff() throws {
    try configure("{'rules': {'store': 'note'}}")
    let shown = try persistlint("config", in: folder).output
    #expect(shown.contains("\"fatal-error-on-store-open\": \"note\""))
    #expect(shown.contains("\"disk-space-unchecked\": \"off\""))
  }
}
