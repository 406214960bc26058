import PersistRules
import PersistSyntax

/// Which files a report is about; the others are looked at, but their findings stay out.
struct ReportFilter {
  /// Resolved paths.
  let files: Set<String>
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
      throw .usage("--changed-since, --staged and --files-from can't be combined")
    }
    folder = options.reportUnder.map { (System.resolve($0) ?? $0) + "/" }
    git = options.isStaged ? try Git(in: root) : nil
    staged = try git?.filesStaged() ?? [:]
    if folder != nil {
      files = []
    } else if let source = options.filesFrom {
      files = try ReportFilter.read(source, separatedByNull: options.separatesByNull)
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

  /// The names that `git diff --name-only` prints: a line each, in quotes with escapes where a name
  /// has unusual bytes; with a NUL behind each by `-z`. Those of files that are gone do no harm.
  private static func read(
    _ source: String, separatedByNull: Bool
  ) throws(CommandError) -> Set<String> {
    let bytes: [UInt8]
    do {
      bytes =
        try source == "-"
        ? FileReader.standardInput(atMost: FileReader.Limit.record)
        : FileReader.argument(source, atMost: FileReader.Limit.record)
    } catch {
      throw .refusal("\(source): \(error.reason)")
    }
    let byNull = separatedByNull || bytes.contains(0)
    let separators: Set<UInt8> = byNull ? [0] : [0x0A, 0x0D]
    let names = bytes.split { separators.contains($0) }.map {
      String(decoding: byNull ? Array($0) : unquoted($0), as: UTF8.self)
    }
    let found = names.compactMap { System.resolve($0) }
    if found.isEmpty, !names.isEmpty {
      warn("\(source): none of its \(names.count) files is there; are the paths relative to here?")
    }
    return Set(found)
  }

  /// The bytes of a name that git quotes in the manner of C.
  private static func unquoted(_ line: ArraySlice<UInt8>) -> [UInt8] {
    guard line.count >= 2, line.first == UInt8(ascii: "\""), line.last == UInt8(ascii: "\"") else {
      return Array(line)
    }
    let escapes: [UInt8: UInt8] = [
      UInt8(ascii: "n"): 0x0A, UInt8(ascii: "t"): 0x09, UInt8(ascii: "r"): 0x0D,
      UInt8(ascii: "a"): 0x07, UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C,
      UInt8(ascii: "v"): 0x0B,
    ]
    var name: [UInt8] = []
    var rest = line.dropFirst().dropLast()
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let next = rest.popFirst() else {
        name.append(byte)
        continue
      }
      let digits = [next] + rest.prefix(2)
      if digits.count == 3, digits.allSatisfy({ (0x30...0x37).contains($0) }) {
        let value = digits.reduce(0) { $0 * 8 + Int($1 - 0x30) }
        name.append(UInt8(truncatingIfNeeded: value))
        rest = rest.dropFirst(2)
      } else {
        name.append(escapes[next] ?? next)
      }
    }
    return name
  }
}
