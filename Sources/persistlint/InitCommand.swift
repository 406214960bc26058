import PersistReport
import PersistRules

/// Looks at the project and writes what it lacks; what is there stays as it is.
@Sendable func runInit(_ options: Options) throws(CommandError) -> ExitCode {
  let project = try ProjectStart(options)
  try project.writeConfiguration()
  if options.wantsHook { try project.write(ProjectStart.hookFile, ProjectStart.hook) }
  if options.wantsWorkflow { try project.write(ProjectStart.workflowFile, ProjectStart.workflow) }
  return try show(project.advice)
}

/// A project that begins with persistlint.
struct ProjectStart {
  static let hookFile = ".pre-commit-config.yaml"
  static let workflowFile = ".github/workflows/persistlint.yml"

  /// Folders whose sources no one in the project writes.
  private static let foreignFolders = ["Generated", "Vendor", "ThirdParty", "External"]

  private let options: Options
  private let files: [InputFile]
  private let result: LintResult

  init(_ options: Options) throws(CommandError) {
    guard options.operands.isEmpty else { throw .usage("init looks at the current folder only") }
    self.options = options
    let configuration = try Configuration.load(named: nil, forPaths: [])
    let jobs = options.jobs ?? System.processorCount
    files = try LintInput.gather(options, configuration, jobs: jobs).files
    result = lint(files, settings: LintSettings(rules: configuration.judgingRules), jobs: jobs)
  }

  func writeConfiguration() throws(CommandError) {
    let folders = Set(files.flatMap { $0.path.split(separator: "/").dropLast().map(String.init) })
    let excluded = ProjectStart.foreignFolders.filter(folders.contains).map { "\"\($0)/\"" }
    try write(
      Configuration.fileName,
      """
      {
        // Comments and trailing commas are welcome; persistlint config shows what holds.
        "$schema": "\(Project.address)/raw/main/persistlint.schema.json",
        "exclude": [\(excluded.joined(separator: ", "))],
        "rules": {},
      }

      """)
  }

  /// Writes a file where there is none, and says which.
  func write(_ path: String, _ text: String) throws(CommandError) {
    if (try? System.status(of: path)) != nil {
      say("\(path) is there already and stays as it is")
      return
    }
    do {
      var folder = ""
      for name in path.split(separator: "/").dropLast() {
        folder += folder.isEmpty ? String(name) : "/\(name)"
        try System.makeFolder(folder)
      }
      try System.replace(path, with: Array(text.utf8))
    } catch {
      throw .refusal("\(path): \(error.reason)")
    }
    say("wrote \(path)")
  }

  /// What to do next, for this project.
  var advice: String {
    var steps = ["persistlint                    lint the project"]
    let errors = result.findings.count { $0.severity == .error }
    if !result.findings.isEmpty {
      steps.append(
        "persistlint --write-baseline   accept the \(result.findings.count) findings of today "
          + "(\(errors) errors), and see only new ones")
    }
    if result.schemaVersions > 0 {
      steps.append("persistlint freeze             keep the schema versions that have shipped")
    }
    if !options.wantsHook {
      steps.append("persistlint init --hook        lint before each commit, with pre-commit")
    }
    if !options.wantsWorkflow {
      steps.append("persistlint init --workflow    lint each change, on GitHub")
    }
    return "Next:\n" + steps.map { "  \($0)\n" }.joined()
  }

  static let hook = """
    repos:
      - repo: \(Project.address)
        rev: \(Persistlint.version)
        hooks:
          - id: persistlint

    """

  /// The same as `Examples/CI/github.yml`.
  static let workflow = """
    # .github/workflows/persistlint.yml
    name: persistlint
    on:
      pull_request:
      push:
        branches: [main]
    permissions:
      contents: read
      security-events: write
    jobs:
      persistlint:
        runs-on: ubuntu-latest
        steps:
          - uses: actions/checkout@v4
          - id: persistlint
            uses: persistlint/persistlint@\(Persistlint.version)
          - if: ${{ !cancelled() && steps.persistlint.outputs.sarif }}
            uses: github/codeql-action/upload-sarif@v4
            with:
              sarif_file: ${{ steps.persistlint.outputs.sarif }}

    """
}
