import PersistRules
import PersistSyntax

/// Which files a report is about; the others are looked at, but their findings stay out.
struct ReportFilter {
  /// Resolved paths.
  private let files: Set<String>
  /// A resolved path with a slash at the end, in which all files are meant.
  private let folder: String?
  private let git: Git?
  /// The names of the blobs that will be committed, by resolved paths.
  private let staged: [String: String]

  /// Nothing when the report is about all files; `sources` are those that were read, by resolved
  /// paths.
  init?(
    _ options: Options, root: String, sources: [String: SourceText]
  ) throws(CommandError) {
    let wishes = [
      options.changedSince != nil, options.isStaged, options.filesFrom != nil,
      options.reportUnder != nil,
    ]
    guard wishes.contains(true) else { return nil }
    guard wishes.count(where: { $0 }) == 1 else {
      throw .usage("--changed-since, --staged and --files-from exclude each other")
    }
    folder = options.reportUnder.map { (System.resolve($0) ?? $0) + "/" }
    git = options.isStaged ? try Git(in: root) : nil
    staged = try git?.filesStaged() ?? [:]
    if folder != nil {
      files = []
    } else if let source = options.filesFrom {
      files = try ReportFilter.read(source)
    } else if let commit = options.changedSince {
      files = try Git(in: root).filesChanged(since: commit, among: sources)
    } else {
      files = Set(staged.keys)
    }
  }

  /// Whether the finding, or what explains it, stands in one of the files.
  func keeps(_ finding: Finding, absolutePath: (String) -> String) -> Bool {
    let places = [finding.location] + (finding.related + finding.flow).map(\.location)
    return places.contains { place in
      let path = absolutePath(place.path)
      return folder.map { path.hasPrefix($0) } ?? files.contains(path)
    }
  }

  /// The bytes that will be committed, where they differ from those that were read.
  func stagedBytes(insteadOf sources: [String: SourceText]) throws(CommandError) -> [String:
    [UInt8]]
  {
    guard let git else { return [:] }
    var bytes: [String: [UInt8]] = [:]
    for (path, object) in staged {
      guard let text = sources[path], GitObjectID.names(object, text.bytes) != true else {
        continue
      }
      bytes[path] = try git.bytes(of: object)
    }
    return bytes
  }

  /// Names with a NUL or a line break behind each; those of files that are gone do no harm.
  private static func read(_ source: String) throws(CommandError) -> Set<String> {
    let bytes: [UInt8]
    do {
      bytes =
        try source == "-"
        ? FileReader.standardInput(atMost: FileReader.Limit.record)
        : FileReader.argument(source, atMost: FileReader.Limit.record)
    } catch {
      throw .refusal("\(source): \(error.reason)")
    }
    let separators: Set<UInt8> = bytes.contains(0) ? [0] : [0x0A, 0x0D]
    let names = bytes.split { separators.contains($0) }.map { String(decoding: $0, as: UTF8.self) }
    return Set(names.compactMap { System.resolve($0) })
  }
}
