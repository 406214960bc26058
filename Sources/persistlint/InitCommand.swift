import PersistReport
import PersistRules
import PersistSchema
import PersistVersions

/// Looks at the project and writes what it lacks; what is there stays as it is.
@Sendable func runInit(_ options: Options) throws(CommandError) -> ExitCode {
  let project = try ProjectStart(options)
  try project.writeConfiguration()
  if options.wantsHook { try project.write(ProjectStart.hookFile, ProjectStart.hook) }
  if options.wantsWorkflow { try project.write(ProjectStart.workflowFile, ProjectStart.workflow) }
  if options.tellsAgents { try project.writeInstructions() }
  return try show(try project.advice)
}

/// A project that begins with persistlint.
struct ProjectStart {
  static let hookFile = ".pre-commit-config.yaml"
  static let workflowFile = ".github/workflows/persistlint.yml"

  /// Folders whose sources no one in the project writes.
  private static let foreignFolders = ["Generated", "Vendor", "ThirdParty", "External"]

  private let options: Options
  private let jobs: Int
  private let files: [InputFile]
  let root: ProjectRoot

  init(_ options: Options) throws(CommandError) {
    guard options.operands.isEmpty else { throw .usage("init looks at the current folder only") }
    self.options = options
    let configuration = try Configuration.load(named: nil, forPaths: [])
    jobs = options.jobs ?? System.processorCount
    let input = try LintInput.gather(options, configuration, jobs: jobs)
    files = input.files
    root = ProjectRoot(around: input.root, configuration)
  }

  func writeConfiguration() throws(CommandError) {
    let folders = Set(files.flatMap { $0.path.split(separator: "/").dropLast().map(String.init) })
    let excluded = ProjectStart.foreignFolders.filter(folders.contains).map { "\"\($0)/\"" }
    if System.hasEntry(Configuration.fileName) { return try enterFiles() }
    let own = ProjectStart.ownFiles.filter { isThere($0.path) }.map { "  \($0.line),\n" }
    try write(
      Configuration.fileName,
      """
      {
        "$schema": "\(Project.address)/raw/main/persistlint.schema.json",
        "exclude": [\(excluded.joined(separator: ", "))],
      \(own.joined())  "rules": {}
      }

      """)
  }

  /// The files of persistlint's that a configuration names, and the line that does.
  private static let ownFiles = [
    (key: "baseline", path: BaselineFile.standardName), (key: "lock", path: LockFile.name),
  ].map { (key: $0.key, path: $0.path, line: "\"\($0.key)\": \"\($0.path)\"") }

  /// Enters lock and baseline into a configuration that names none; the rest stays as it is.
  private func enterFiles() throws(CommandError) {
    let path = Configuration.fileName
    let configuration = try Configuration.load(named: path, forPaths: [])
    let missing = ProjectStart.ownFiles.filter { file in
      !configuration.keys.contains(file.key) && isThere(file.path)
    }
    let text = configuration.text
    guard !missing.isEmpty, let brace = text.firstIndex(of: "{"),
      text[..<brace].allSatisfy(\.isWhitespace)
    else { return say("\(path) is there already and stays as it is") }
    let lines = missing.map { "\n  \($0.line)" }.joined(separator: ",")
    let head = text[...brace] + lines + (configuration.keys.isEmpty ? "\n" : ",")
    do {
      try FileWriter.write(
        Array((head + text[text.index(after: brace)...]).utf8), to: path,
        replacing: Array(text.utf8))
    } catch {
      throw .refusal("\(path): \(error.reason)")
    }
    say("entered \(missing.map(\.path).joined(separator: " and ")) into \(path)")
  }

  /// Writes a file where there is none, and says which.
  func write(_ path: String, _ text: String) throws(CommandError) {
    if System.hasEntry(path) {
      say("\(path) is there already and stays as it is")
      if path == ProjectStart.hookFile {
        say("Put this under its `repos`:\n\(ProjectStart.hookEntry)")
      }
      return
    }
    let destination = Destination(path: path, naming: .project(root), content: .new)
    try destination.write(Array(text.utf8))
    say("wrote \(path)")
  }

  private func isThere(_ path: String) -> Bool { (try? System.status(of: path)) != nil }

  /// What to do next, for this project as the configuration has it now.
  var advice: String {
    get throws(CommandError) {
      var configuration = try Configuration.load(named: nil, forPaths: [])
      configuration.choose(options)
      let run = try LintRun(options, configuration, jobs: jobs)
      var steps = ["persistlint                    lint the project"]
      let findings = run.result.findings
      let count = findings.count == 1 ? "1 finding" : "\(findings.count) findings"
      if !findings.isEmpty, !isThere(BaselineFile.standardName) {
        steps.append(
          "persistlint --write-baseline   accept today's \(count), and report only new ones")
      }
      if run.result.schemaVersions > 0, !isThere(LockFile.name) {
        steps.append("persistlint freeze             record the schema versions that have shipped")
      }
      if !isThere(ProjectStart.hookFile) {
        steps.append("persistlint init --hook        lint before each commit, with pre-commit")
      }
      if !isThere(ProjectStart.workflowFile) {
        steps.append("persistlint init --workflow    lint each change, on GitHub")
      }
      if !isThere(AgentInstructions.file) {
        steps.append("persistlint init --agents      tell agents when to run it")
      }
      return "Next:\n" + steps.map { "  \($0)\n" }.joined()
    }
  }

  static let hook = "repos:\n" + hookEntry + "\n"

  /// Without a release there is nothing to take a hook from but the binary that is installed.
  private static let hookEntry = hookEntry(tag: Persistlint.tag)

  /// The hook of a release, or of the installed binary.
  static func hookEntry(tag: String?) -> String {
    guard let tag else {
      return """
          - repo: local
            hooks:
              - id: persistlint
                name: persistlint
                entry: persistlint
                language: system
                pass_filenames: false
                require_serial: true
                files: '\\.(swift|entitlements|pbxproj)$|\\.xc(data|current|mapping)|persistlint'
        """
    }
    return """
        - repo: \(Project.address)
          rev: \(tag)
          hooks:
            - id: persistlint
      """
  }

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
            with:
              fetch-depth: 0 # --against and --changed-since need the commits before
          - id: persistlint
            uses: persistlint/persistlint@\(Persistlint.tag ?? "main")
          - if: ${{ !cancelled() && steps.persistlint.outputs.sarif }}
            uses: github/codeql-action/upload-sarif@v4
            with:
              sarif_file: ${{ steps.persistlint.outputs.sarif }}

    """
}
