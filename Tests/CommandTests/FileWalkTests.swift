import Foundation
import Testing

@testable import persistlint

/// What is walked over, with git itself as the judge of its ignore files.
@Suite struct FileWalkTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  private static let paths = [
    "a.swift", "b.swift", "ab.swift", "A/a.swift", "A/b.swift", "A/B/a.swift", "A/B/C/b.swift",
    "B/a.swift", "B/A/b.swift", "build/a.swift", "A/build/a.swift", "build.swift", "#x.swift",
    "!x.swift", "a b.swift", "trail .swift", "[x].swift", "x1.swift", "x2.swift", "xa.swift",
    "Gen/keep.swift", "Gen/drop.swift", "Gen/deep/keep.swift", "é.swift", "A/é🗻.swift", "x*.swift",
  ]

  @Test(arguments: [
    ["a.swift"], ["/a.swift"], ["A/a.swift"], ["/A"], ["A/"], ["B/"], ["build"], ["build/"],
    ["/build/"], ["*.swift"], ["*.swift", "!a.swift"], ["**/B"], ["**/B/"], ["A/**"],
    ["A/**/b.swift"],
    ["A/*"], ["A/*/a.swift"], ["?.swift"], ["x[0-9].swift"], ["x[!0-9].swift"], ["x[^0-9].swift"],
    ["\\#x.swift"], ["#x.swift"], ["\\!x.swift"], ["!x.swift"], ["a b.swift"], ["a.swift   "],
    ["trail\\ .swift"], ["\\[x\\].swift"], ["[[]x].swift"], ["Gen/*", "!Gen/keep.swift"],
    ["Gen/", "!Gen/keep.swift"], ["**/keep.swift"], ["Gen/**/keep.swift"], ["é.swift"], ["*é*"],
    ["A/**/**/a.swift"], ["**"], ["*"], ["/*", "!/A"], ["x\\*.swift"], ["**/A/**"], ["a?.swift"],
    ["*b*"], ["[ab].swift"], ["x[]1].swift"], ["x[", "a[.swift"], ["A/B/C", "!A/B/C/b.swift"], [""],
    ["/"],
  ])
  func ignoreFilesMeanWhatGitSays(patterns: [String]) throws {
    for path in FileWalkTests.paths { try folder.write(path, "") }
    try folder.git("init", "-q")
    try folder.write(".gitignore", patterns.joined(separator: "\n") + "\n")
    try folder.write("A/B/.gitignore", "!a.swift\nC/b.swift\n")
    let listed = try folder.git("ls-files", "--others", "--exclude-standard", "-z")
    let expected = listed.split(separator: "\0").map(String.init).filter { $0.hasSuffix(".swift") }
    #expect(try walk(".") == expected.sorted())
  }

  @Test func ignoreFilesAboveTheFolderHold() throws {
    try folder.git("init", "-q")
    try folder.write(".gitignore", "Generated/\n*.g.swift\n")
    try folder.write(".git/info/exclude", "mine.swift\n")
    for name in ["a.swift", "b.g.swift", "mine.swift", "Generated/c.swift"] {
      try folder.write("App/\(name)", "")
    }
    #expect(try walk("App") == ["App/a.swift"])
    #expect(
      try walk("App", FileWalk.Filter(respectsGitIgnore: false)).count == 4)
    #expect(try walk("App/b.g.swift") == ["App/b.g.swift"], "named files are meant")
  }

  @Test func excludedFoldersArePrunedAndNamedFilesToo() throws {
    for path in FileWalkTests.paths { try folder.write(path, "") }
    var filter = FileWalk.Filter()
    filter.excluded = PathPatterns(["A/B", "build/", "*.swift", "!xa.swift"], in: folder.url.path)
    #expect(try walk(".", filter) == ["xa.swift"])
    #expect(try walk("A/B/C/b.swift", filter) == [])
    filter.excluded = nil
    filter.included = PathPatterns(["Gen", "A/*.swift"], in: folder.url.path)
    #expect(
      try walk(".", filter) == [
        "A/a.swift", "A/b.swift", "A/é🗻.swift", "Gen/deep/keep.swift", "Gen/drop.swift",
        "Gen/keep.swift",
      ])
  }

  private func walk(_ path: String, _ filter: FileWalk.Filter = .init()) throws -> [String] {
    var walk = FileWalk(root: folder.url.path, filter: filter)
    var found: [String] = []
    walk.take = { found.append($0.shown) }
    try walk.add(folder.url.appendingPathComponent(path).path)
    return found.sorted()
  }
}
