import PersistReport
import PersistRules
import PersistSyntax

/// The files to lint and what is to be said of the others.
struct LintInput {
  /// The resolved path of the current folder.
  let root: String
  /// Nothing when the report is about all files.
  private(set) var reportFilter: ReportFilter?
  var files: [InputFile] = []
  var notices: [Notice] = []

  static func gather(
    _ options: Options, _ configuration: Configuration, jobs: Int
  ) throws(CommandError) -> LintInput {
    guard let root = System.resolve(".") else {
      throw CommandError.refusal("the current folder can't be read: \(SystemError.last.reason)")
    }
    let filter = configuration.filter(respectsGitIgnore: options.respectsGitIgnore)
    var walk = FileWalk(root: root, filter: filter, configuration)
    let paths = options.operands.isEmpty ? ["."] : options.operands.filter { $0 != "-" }
    let read = try InputFile.read(jobs: jobs, atMost: options.largestFile) {
      take throws(CommandError) in
      walk.take = take
      try Timings.measure(.find) { () throws(CommandError) in
        for path in paths { try walk.add(operand: path) }
      }
    }
    var input = LintInput(root: root, files: read.files, notices: walk.notices + read.notices)
    if options.operands.contains("-") {
      try input.addStandardInput(
        as: options.standardInputName, atMost: options.largestFile)
    }
    input.reportFilter = try ReportFilter(options, root: root, sources: input.texts)
    try input.takeStagedBytes()
    input.files.sort { $0.path < $1.path }
    return input
  }

  private var texts: [String: SourceText] {
    Dictionary(
      files.map { (absolutePath(of: $0.path), $0.text) }, uniquingKeysWith: { first, _ in first })
  }

  private mutating func takeStagedBytes() throws(CommandError) {
    guard let staged = try reportFilter?.stagedBytes(insteadOf: texts),
      !staged.isEmpty
    else { return }
    files = files.map { file in
      guard let bytes = staged[absolutePath(of: file.path)],
        isUTF8(bytes)
      else { return file }
      return InputFile(path: file.path, kind: file.kind, text: SourceText(bytes))
    }
  }

  /// Takes the place of the file with the same name.
  private mutating func addStandardInput(
    as name: String, atMost largestFile: Int
  ) throws(CommandError) {
    do {
      let text = SourceText(try FileReader.standardInput(atMost: largestFile))
      switch InputFile.make(path: name, kind: .swift, text: text) {
      case .success(let file):
        files.removeAll { $0.path == name }
        files.append(file)
      case .failure(let failure): notices.append(failure.notice)
      }
    } catch {
      throw CommandError.refusal("standard input: \(error.reason)")
    }
  }

  /// Leaves in the result what the report is about.
  func filter(_ result: inout LintResult) {
    guard let reportFilter else { return }
    result.findings.removeAll { !reportFilter.keeps($0, absolutePath: absolutePath) }
    result.suppressed.removeAll { !reportFilter.keeps($0.finding, absolutePath: absolutePath) }
  }

  func absolutePath(of path: String) -> String {
    path.hasPrefix("/") ? path : (root == "/" ? "" : root) + "/" + path
  }

  /// The bytes of the files that the findings name.
  func sources(of result: LintResult) -> [String: [UInt8]] {
    var named: Set<String> = []
    for finding in result.findings + result.suppressed.map(\.finding) {
      named.insert(finding.location.path)
      for related in finding.related + finding.flow { named.insert(related.location.path) }
      for edit in finding.fix?.edits ?? [] { named.insert(edit.range.path) }
    }
    return Dictionary(
      files.filter { named.contains($0.path) }.map { ($0.path, $0.bytes) },
      uniquingKeysWith: { first, _ in first })
  }
}
