import PersistSyntax

extension Git {
  /// The files of interest of a commit, by paths relative to the folder; only those to keep.
  func files(
    at commit: String, keeping isKept: (String) -> Bool
  ) throws(CommandError) -> [InputFile] {
    try know(commit)
    guard let tree = try Git.run(["ls-tree", "-r", "-z", commit], in: folder) else {
      throw .refusal("git ls-tree \(commit) failed in \(folder)")
    }
    let entries = tree.split(separator: 0).compactMap { TreeEntry($0) }.filter { entry in
      isKept(entry.path) && !FileWalk.leavesOut(fileAt: entry.path)
    }
    let names = entries.map { $0.object + "\n" }.joined()
    guard
      let blobs = try Git.run(
        ["cat-file", "--batch"], in: folder, input: Array(names.utf8))
    else { throw .refusal("git cat-file failed in \(folder)") }
    let files = Git.cut(blobs, for: entries)
    guard let missing = files.missing.first else { return files.found }
    throw .refusal(
      "\(missing) of \(commit) isn't in this clone, which may be partial; fetch it first, because "
        + "persistlint fetches nothing")
  }

  /// The tag that matches and was made last, of those that the current commit contains.
  func newestTag(matching pattern: String) throws(CommandError) -> String {
    for merged in [["--merged", "HEAD"], []] {
      let arguments = ["tag", "--list", "--sort=-creatordate"] + merged + ["--", pattern]
      if let output = try Git.run(arguments, in: folder), let tag = Git.lines(output).first {
        return tag
      }
    }
    throw try refusal("git knows no tag that matches '\(pattern)'")
  }

  /// Cuts `OBJECT blob SIZE`, the bytes and a line break, one after the other.
  private static func cut(
    _ blobs: [UInt8], for entries: [TreeEntry]
  ) -> (found: [InputFile], missing: [String]) {
    var files: [InputFile] = []
    var missing: [String] = []
    let bytes = blobs
    var at = 0
    for entry in entries {
      guard let end = bytes[at...].firstIndex(of: 0x0A) else { break }
      let words = bytes[at..<end].split(separator: 0x20)
      at = end + 1
      guard words.count == 3, let size = Int(String(decoding: words[2], as: UTF8.self)),
        at + size <= bytes.count
      else {
        missing.append(entry.path)
        continue
      }
      let content = Array(bytes[at..<at + size])
      at += size + 1
      if isUTF8(content), size <= FileReader.Limit.source {
        files.append(InputFile(path: entry.path, kind: entry.kind, text: SourceText(content)))
      }
    }
    return (files, missing)
  }
}

/// A line of `git ls-tree`: a file of interest.
private struct TreeEntry {
  let object: String
  let path: String
  let kind: InputFile.Kind

  init?(_ line: ArraySlice<UInt8>) {
    let text = String(decoding: line, as: UTF8.self)
    guard let tab = text.firstIndex(of: "\t") else { return nil }
    let words = text[..<tab].split(separator: " ")
    guard words.count == 3, words[1] == "blob", words[0] != "120000" else { return nil }
    let path = String(text[text.index(after: tab)...])
    guard let kind = InputFile.Kind(path: path) else { return nil }
    object = String(words[2])
    self.path = path
    self.kind = kind
  }
}
