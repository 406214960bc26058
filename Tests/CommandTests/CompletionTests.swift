import Foundation
import Testing

@testable import persistlint

@Suite struct CompletionTests {
  @Test(arguments: [
    (["persistlint", "expl"], ["explain"]),
    (["persistlint", "--form"], ["--format"]),
    (["persistlint", "lint", "--format", "sar"], ["sarif"]),
    (["persistlint", "--fail-on", "w"], ["warning"]),
    (["persistlint", "explain", "invalid-s"], ["invalid-suppression"]),
    (["persistlint", "completion", "f"], ["fish"]),
    (["persistlint", "config", "--sch"], ["--schema"]),
    (["persistlint", "schema", "--format", "m"], ["mermaid"]),
    (["persistlint", "rules", "--format", "m"], []),
    (["persistlint", "schema", "d"], ["diff"]),
    (["persistlint", "rules", "grd"], ["grdb"]),
    (["persistlint", "--select", "store,realm-sch"], ["store,realm-schema-version"]),
    (["persistlint", "--color", "=", "ne"], ["never"]),
    (["persistlint", "--add-ignore", ""], []),
  ])
  func bashCompletes(words: [String], offered: [String]) throws {
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let script = """
      \(Completion.bash.script)
      COMP_WORDS=(\(quoted)); COMP_CWORD=\(words.count - 1); _persistlint
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", script]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(lines == offered)
  }

  @Test(arguments: Completion.allCases) func everyOptionIsOffered(shell: Completion) throws {
    let run = try persistlint("completion", shell.rawValue, in: Folder())
    #expect(run.exitCode == 0)
    for option in Option.lint where !option.isHidden {
      #expect(run.output.contains(option.name), "\(option.name)")
    }
    #expect(!run.output.contains("jobs"))
  }

  @Test func manualHasEveryOptionAndNoRoffCommandInItsText() throws {
    let run = try persistlint("manual", in: Folder())
    #expect(run.exitCode == 0 && run.output.hasPrefix(".TH PERSISTLINT 1"))
    for option in Option.lint where !option.isHidden {
      #expect(run.output.contains(option.name.replacing("-", with: "\\-")), "\(option.name)")
    }
    #expect(run.output.contains(".TP\n.B names.openers\nWhat opens a store and can fail.\n"))
    let commands = Set(
      run.output.split(separator: "\n").filter { $0.hasPrefix(".") }.map {
        String($0.prefix { $0 != " " })
      })
    #expect(commands.isSubset(of: [".TH", ".SH", ".TP", ".B", ".BI", ".I", ".br"]))
  }
}
