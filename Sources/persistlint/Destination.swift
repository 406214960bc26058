import PersistReport
import PersistSchema

/// A file to be written, and who chose its name: what an argument names is the user's to decide;
/// what the project names, or a default, can only ever be a file of persistlint's inside the root.
struct Destination: Sendable {
  enum Naming: Sendable {
    case argument
    case project(ProjectRoot)
  }

  enum Content: Sendable {
    case lock, baseline
    case report(OutputFormat)
    /// A file that must not be there yet.
    case new
  }

  let path: String
  let naming: Naming
  let content: Content

  /// Writes all bytes, or leaves what was there.
  func write(_ bytes: [UInt8]) throws(CommandError) {
    try check()
    try makeFolders()
    do {
      try FileWriter.write(bytes, to: path)
    } catch {
      throw .refusal("\(path): \(error.reason)")
    }
  }

  /// Makes the folders in which the file lies, each inside the root where the project names it.
  private func makeFolders() throws(CommandError) {
    var folder = ""
    for name in path.split(separator: "/").dropLast() {
      folder += folder.isEmpty && !path.hasPrefix("/") ? String(name) : "/\(name)"
      guard !System.hasEntry(folder) else { continue }
      try Destination(path: folder, naming: naming, content: .new).check()
      do {
        try FileWriter.makeFolder(folder)
      } catch {
        throw .refusal("\(folder): \(error.reason)")
      }
    }
  }

  /// Throws when the file may not be written.
  func check() throws(CommandError) {
    guard case .project(let root) = naming, let target = try place(in: root) else { return }
    let names = target.dropFirst(root.path.count).split(separator: "/").map { $0.lowercased() }
    if case .new = content {
    } else {
      guard !names.contains(".git"), InputFile.Kind(path: target) == nil,
        names.last.map(Destination.isTaken) != true
      else { throw .refusal("\(path) is a file of the project; choose another name") }
    }
    guard let status = try? System.status(of: target) else { return }
    guard status.kind == .file else { throw .refusal("\(path): not a regular file") }
    try checkContent(of: target)
  }

  /// The path with all links resolved; throws when it lies outside of the root. Nothing when its
  /// folder isn't there, which writing will say.
  @discardableResult
  func place(in root: ProjectRoot) throws(CommandError) -> String? {
    if let target = resolved, root.holds(target) { return target }
    if resolved == nil, System.hasEntry(path) {
      throw .refusal("\(path): a link that leads nowhere")
    }
    if resolved == nil, !path.split(separator: "/").contains("..") { return nil }
    throw .refusal("\(path) leads out of \(root.path); only an argument may name a file there")
  }

  /// Names that tools give a meaning to.
  private static func isTaken(_ name: String) -> Bool {
    name == Configuration.fileName || name.hasPrefix(".git") || name.hasSuffix(".swift")
      || ["package.resolved", "podfile", "gemfile", "makefile"].contains(name)
  }

  private func checkContent(of target: String) throws(CommandError) {
    let bytes: [UInt8]
    do {
      bytes = try FileReader.beginning(of: target, count: 4096)
    } catch {
      throw .refusal("\(path): \(error.reason)")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let isOwn: Bool
    switch content {
    case .lock: isOwn = text.isEmpty || text.hasPrefix(LockFile.heading)
    case .baseline: isOwn = text.isEmpty || text.hasPrefix(BaselineFile.heading)
    case .report(let format): isOwn = text.isEmpty || format.begins(text)
    case .new: isOwn = false
    }
    guard isOwn else {
      throw .refusal("\(path) holds something else; delete it, or choose another name")
    }
    if case .report = content, Git.tracks(target) {
      throw .refusal(
        "\(path) is tracked by git, and a report would replace it; only an argument may name it")
    }
  }

  /// The path with all links resolved, though the file itself may not be there yet.
  private var resolved: String? {
    if let target = System.resolve(path) { return target }
    guard !System.hasEntry(path) else { return nil }
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[..<$0]) } ?? "."
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    guard name != "..", name != ".", !name.isEmpty else { return nil }
    return System.resolve(folder.isEmpty ? "/" : folder)?.inner(name)
  }
}

extension OutputFormat {
  /// Whether a file that begins with this text may be an earlier report of this form.
  func begins(_ text: String) -> Bool {
    switch self {
    case .text, .xcode:
      let line = text.prefix { !$0.isNewline }
      return line.contains(/^.+:[0-9]+:[0-9]+: (error|warning|note): .+ \[[a-z-]+\]$/)
    case .github:
      return ["::error file=", "::warning file=", "::notice file="].contains(where: text.hasPrefix)
    case .json:
      return text.hasPrefix("{\n  \"version\": 1,\n  \"tool\": {\n    \"name\": \"persistlint\"")
    case .sarif:
      return text.hasPrefix("{\n  \"$schema\": \"https://json.schemastore.org/sarif")
        && text.contains("\"name\": \"persistlint\"")
    case .gitlab:
      return text == "[]\n"
        || text.hasPrefix("[\n  {\n    \"description\": ")
          && text.contains("\n    \"check_name\": ")
    case .checkstyle: return text.hasPrefix(CheckstyleFormat.beginning)
    case .junit: return text.hasPrefix(JUnitFormat.beginning)
    case .markdown: return text.hasPrefix(MarkdownFormat.beginning)
    case .html: return text.hasPrefix(HTMLPage.beginning)
    case .azure: return text.hasPrefix(AzureFormat.beginning)
    case .teamcity: return text.hasPrefix(TeamCityFormat.beginning)
    }
  }
}
