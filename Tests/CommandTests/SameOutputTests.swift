import Foundation
import Testing

/// The output is the same bytes for any number of threads and any order of the arguments.
@Suite struct SameOutputTests {
  let folder: Folder
  private static let names = (1...24).map { "App/File\($0).swift" }

  init() throws {
    folder = try Folder()
    for (index, name) in SameOutputTests.names.enumerated() {
      let filling = String(repeating: "func f() { print(1) }\n", count: (index % 5) * 200)
      let model = "@Model final class Item\(index) { var name = \"\" }\n"
      try folder.write(
        name, "import SwiftData\n\(filling)\(model)// persistlint:ignore[no-such-rule]\n")
    }
  }

  @Test(arguments: ["text", "sarif", "json"]) func threadsDoNotMatter(format: String) throws {
    let outputs = try ["1", "2", "7", "64"].map { jobs in
      try persistlint("--format", format, "--jobs", jobs, in: folder).output
    }
    #expect(Set(outputs).count == 1)
    #expect(outputs[0].contains("no-such-rule"))
  }

  @Test func orderOfArgumentsDoesNotMatter() throws {
    let forward = try persistlint(SameOutputTests.names, in: folder).output
    let backward = try persistlint(SameOutputTests.names.reversed(), in: folder).output
    let repeated = try persistlint(["App", "."] + SameOutputTests.names, in: folder).output
    #expect(forward == backward && forward == repeated)
    #expect(forward.contains("File24.swift"))
  }

  @Test func pathsAreRelativeToTheFolder() throws {
    let inside = folder.inner("App")
    let here = try persistlint(in: folder).output
    let there = try persistlint(in: inside).output
    #expect(here == there.split(separator: "\n").map { "App/\($0)\n" }.joined())
  }
}
