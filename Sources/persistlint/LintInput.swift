import PersistReport
import PersistRules
import PersistSyntax

/// The files to lint and what is to be said of the others.
struct LintInput {
  /// The resolved path of the current folder.
  let root: String
  /// Nothing when the report is about all files.
  private(set) var reportFilter: ReportFilter?
  /// The files that are named, as resolved or shown paths, when the report is about them alone.
  private(set) var named: Set<String>?
  var files: [InputFile] = []
  var notices: [Notice] = []
  /// What couldn't be read, as shown paths.
  private(set) var unread: [String] = []
  /// What holds, with the configurations of the folders further in.
  private(set) var configuration: Configuration

  static func gather(
    _ options: Options, _ configuration: Configuration, jobs: Int
  ) throws(CommandError) -> LintInput {
    guard let root = System.resolve(".") else {
      throw CommandError.refusal("the current folder can't be read: \(SystemError.last.reason)")
    }
    var filter = configuration.filter(respectsGitIgnore: options.respectsGitIgnore)
    // A baseline that is to be changed needs all files judged; its scope leaves those out.
    let excluded = options.baselineScope == nil ? options.excluded : []
    if !excluded.isEmpty {
      filter.bases.append(FileWalk.Filter(excluded: PathPatterns(excluded, in: root)))
    }
    var walk = FileWalk(root: root, filter: filter, configuration)
    var paths = options.operands.isEmpty ? ["."] : options.operands.filter { $0 != "-" }
    let judgesProject = options.looksAtPart && !options.looksAtFilesAlone
    if judgesProject { paths += projects(of: paths, root, configuration) }
    let read = try InputFile.read(
      jobs: jobs, atMost: options.largestFile, in: options.session
    ) { take throws(CommandError) in
      walk.take = take
      try Timings.measure(.find) { () throws(CommandError) in
        for path in paths where !options.isNewFile(path) { try walk.add(operand: path) }
        for path in options.session?.newFiles ?? [] { walk.add(newFile: path) }
      }
    }
    var input = LintInput(
      root: root, files: read.files, notices: walk.notices + read.unread.map(\.notice),
      configuration: configuration)
    input.unread = input.notices.map(\.path)
    try input.hearNestedConfigurations(options)
    if judgesProject {
      let standardInput = options.operands.contains("-") ? [options.standardInputName] : []
      input.named = Set(
        options.operands.compactMap(\.resolvedOrPlanned)
          + standardInput.map { input.absolutePath(of: $0) })
    }
    if options.operands.contains("-") {
      try input.addStandardInput(
        as: options.standardInputName, atMost: options.largestFile)
    }
    input.reportFilter = try ReportFilter(options, root: root, sources: input.texts)
    let named = Set(options.operands.compactMap { System.resolve($0) })
      .union(options.filesFrom == nil ? [] : input.reportFilter?.files ?? [])
    try input.refuse(read.unread.filter { named.contains(input.absolutePath(of: $0.path)) })
    try input.takeStagedBytes()
    input.files.sort { $0.path < $1.path }
    input.notices += input.lostNotices
    input.notices += walk.idlePatterns(configuration, input)
    input.notices += walk.idlePatterns(ofArguments: excluded, root) + configuration.strangers
    if let reason = walk.reasonForNoSwift(configuration, input, options) {
      let namesFiles = options.looksAtPart && !options.operands.isEmpty
      if options.isStrict || namesFiles { throw .refusal(reason) }
      input.notices.append(Notice(path: "", message: reason))
    }
    return input
  }

  /// The files whose syntax is broken, the first of them by name.
  private var lostNotices: [Notice] {
    let all = files.compactMap(\.lostNotice)
    let shownCount = 10
    guard all.count > shownCount, let last = all.last else { return all }
    let more = all.count - shownCount
    let noun = more == 1 ? "1 more file" : "\(more) more files"
    return all.prefix(shownCount) + [
      Notice(
        path: last.path, message: "the syntax of \(noun) is broken, and these are judged in part")
    ]
  }

  /// Throws where files that were named can't be read; a report without them would look clean.
  private func refuse(_ unread: [UnreadableFile]) throws(CommandError) {
    guard let last = unread.last else { return }
    for file in unread.dropLast() { warn(file.notice.message) }
    throw .refusal("\(last.path): \(last.reason)")
  }

  /// Leaves out what a configuration further in excludes.
  private mutating func hearNestedConfigurations(_ options: Options) throws(CommandError) {
    try configuration.findNested(for: files.map { absolutePath(of: $0.path) }, options)
    guard !configuration.nested.isEmpty else { return }
    notices += configuration.passedOver
    files = files.filter { file in
      let path = absolutePath(of: file.path)
      let holder = configuration.nestedHolder(of: path)
      return holder?.filter(respectsGitIgnore: false).wants(path) ?? true
    }
  }

  private var texts: [String: SourceText] {
    Dictionary(
      files.map { (absolutePath(of: $0.path), $0.text) }, uniquingKeysWith: { first, _ in first })
  }

  /// The folders of the projects in which files lie that are named; the current one for standard
  /// input.
  private static func projects(
    of paths: [String], _ root: String, _ configuration: Configuration
  ) -> [String] {
    let folders = paths.compactMap { System.resolve($0).flatMap { parentFolder(of: $0) } }
    let roots = (folders.isEmpty ? [root] : folders).map {
      ProjectRoot(around: $0, configuration).path
    }
    return Set(roots).sorted()
  }

  private mutating func takeStagedBytes() throws(CommandError) {
    guard let staged = try reportFilter?.stagedBytes(insteadOf: texts),
      !staged.isEmpty
    else { return }
    var taken: [InputFile] = []
    for file in files {
      guard let bytes = staged[absolutePath(of: file.path)] else {
        taken.append(file)
        continue
      }
      switch InputFile.make(path: file.path, kind: file.kind, text: SourceText(bytes)) {
      case .success(let file): taken.append(file)
      case .failure(let failure): notices.append(failure.notice)
      }
    }
    files = taken
  }

  /// Takes the place of the file with the same name.
  private mutating func addStandardInput(
    as name: String, atMost largestFile: Int
  ) throws(CommandError) {
    let bytes: [UInt8]
    do {
      bytes = try FileReader.standardInput(atMost: largestFile)
    } catch {
      throw .refusal("standard input: \(error.reason)")
    }
    switch InputFile.make(path: name, kind: .swift, text: SourceText(bytes)) {
    case .success(var file):
      Defects.watch("the reading of \(name)") { file.outline = Outline(file.text) }
      files.removeAll { $0.path == name }
      files.append(file)
    case .failure(let failure): throw .refusal("standard input: \(failure.reason)")
    }
  }

  /// Leaves in the result what the report is about.
  func filter(_ result: inout LintResult) {
    if let named {
      result.findings.removeAll { !named.contains(absolutePath(of: $0.location.path)) }
      result.suppressed.removeAll { !named.contains(absolutePath(of: $0.finding.location.path)) }
    }
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
