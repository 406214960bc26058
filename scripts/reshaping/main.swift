import Foundation

// reshape CHANGE FROM TO: copies the Swift files of a folder, and what stands beside them, with a
// change that doesn't matter; the paths of the files that were added go to standard output. An Xcode
// project names its files, so that it is told of those that are renamed.
let words = CommandLine.arguments
guard words.count == 4, let change = Reshape(rawValue: words[1]) else {
  print("reshape \(Reshape.allCases.map(\.rawValue).joined(separator: "|")) FROM TO")
  exit(2)
}
let (from, to) = (URL(fileURLWithPath: words[2]), URL(fileURLWithPath: words[3]))
var sources: [Reshape.File] = []
var projects: [(path: String, text: String)] = []
for path in FileManager.default.enumerator(atPath: from.path)?.compactMap({ $0 as? String }) ?? [] {
  let source = from.appendingPathComponent(path)
  guard !path.split(separator: "/").contains(".git"),
    (try? source.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
  else { continue }
  if path.hasSuffix(".swift"), let code = try? String(contentsOf: source, encoding: .utf8) {
    sources.append(Reshape.File(path: path, code: code))
  } else if path.hasSuffix("/project.pbxproj"),
    let text = try? String(contentsOf: source, encoding: .utf8)
  {
    projects.append((path, text))
  } else {
    try write(try Data(contentsOf: source), to: path)
  }
}
for file in change.apply(sources.sorted { $0.path < $1.path }) {
  try write(Data(file.code.utf8), to: file.path)
  if file.isNew { print(file.path) }
}

let names = change == .otherSurroundings ? sources.otherNames : [:]
for project in projects { try write(Data(renamed(project.text).utf8), to: project.path) }

/// The text of a project with the new names of its files.
func renamed(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
    guard line.contains(".swift") else { return String(line) }
    var ends = " =/\"';*".map { $0 }
    ends.append("\t")
    var words: [String] = [""]
    for letter in line {
      if ends.contains(letter) {
        words += [String(letter), ""]
      } else {
        words[words.count - 1].append(letter)
      }
    }
    return words.map { names[$0] ?? $0 }.joined()
  }.joined(separator: "\n")
}

func write(_ data: Data, to path: String) throws {
  let target = to.appendingPathComponent(path)
  try FileManager.default.createDirectory(
    at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
  try data.write(to: target)
}
