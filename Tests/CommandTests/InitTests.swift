import Foundation
import Testing

@testable import persistlint

@Suite struct InitTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  @Test func configurationFitsTheProjectAndIsRead() throws {
    try folder.write("App/Generated/a.swift", "")
    try folder.write("App/b.swift", "// persistlint:ignore[invalid-suppression]\n")
    let run = try persistlint("init", in: folder)
    #expect(run.exitCode == 0)
    #expect(run.errors == "wrote .persistlint.json\n")
    #expect(run.output.contains("--write-baseline") && run.output.contains("init --hook"))
    #expect(try folder.read(".persistlint.json").contains("\"exclude\": [\"Generated/\"]"))
    #expect(try persistlint(in: folder).errors.contains("1 file,"))
    #expect(try folder.names() == [".persistlint.json", "App"])
    let again = try persistlint("init", in: folder)
    #expect(again.output.contains("accept today's 1 finding"))
  }

  @Test func aPlainJSONReaderTakesTheConfigurationAndFilesAreEnteredOnceTheyAreThere() throws {
    try folder.write("b.swift", "// persistlint:ignore[invalid-suppression]\n")
    _ = try persistlint("init", in: folder)
    _ = try JSONSerialization.jsonObject(with: Data(folder.read(".persistlint.json").utf8))
    _ = try persistlint("--write-baseline", in: folder)
    let run = try persistlint("init", in: folder)
    #expect(run.errors == "entered .persistlint-baseline into .persistlint.json\n")
    let text = try folder.read(".persistlint.json")
    _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
    #expect(text.contains("\"baseline\": \".persistlint-baseline\""))
    #expect(try persistlint("--strict", in: folder).exitCode == 0)
    let again = try persistlint("init", in: folder)
    #expect(again.errors.contains("stays as it is"))
  }

  @Test func hookAndWorkflowAreWrittenWhenAskedFor() throws {
    let run = try persistlint("init", "--hook", "--workflow", in: folder)
    #expect(run.exitCode == 0)
    let hook = try folder.read(".pre-commit-config.yaml")
    #expect(hook.contains("- id: persistlint"))
    #expect(hook.contains("repo: local\n") == (Persistlint.tag == nil), "a tag has to be there")
    #expect(
      ProjectStart.hookEntry(tag: "1.2.3")
        == "  - repo: https://github.com/persistlint/persistlint\n    rev: 1.2.3\n    hooks:\n"
        + "      - id: persistlint")
    #expect(try folder.read(".github/workflows/persistlint.yml") == ProjectStart.workflow)
  }

  @Test func agentsAreToldAndTheRestOfTheirFileStays() throws {
    let run = try persistlint("init", "--agents", in: folder)
    #expect(run.exitCode == 0 && run.errors.contains("wrote AGENTS.md"))
    let section = try folder.read("AGENTS.md")
    #expect(section == AgentInstructions.section)
    #expect(section.split(separator: "\n").count <= 13)
    for (old, new) in [
      ("", section), ("# A\n", "# A\n\n\(section)"), ("# A", "# A\n\n\(section)"),
      ("# A\r\n", "# A\r\n\r\n\(section.replacing("\n", with: "\r\n"))"),
      (
        "# A\n<!-- persistlint -->old<!-- /persistlint --> behind\n",
        "# A\n\(section.dropLast()) behind\n"
      ),
    ] {
      try folder.write("AGENTS.md", old)
      #expect(try persistlint("init", "--agents", in: folder).exitCode == 0)
      #expect(try folder.read("AGENTS.md") == new)
      let again = try persistlint("init", "--agents", in: folder)
      #expect(again.errors.contains("AGENTS.md says it already and stays as it is"))
      #expect(try folder.read("AGENTS.md") == new)
    }
    try folder.write("AGENTS.md", Data([0xFF]))
    #expect(try persistlint("init", "--agents", in: folder).exitCode == 2)
  }

  @Test func whatAgentsAreToldStaysInTheProject() throws {
    let victim = try Folder()
    try victim.write("AGENTS.md", "mine")
    try folder.link("AGENTS.md", to: victim.url.appendingPathComponent("AGENTS.md").path)
    let run = try persistlint("init", "--agents", in: folder)
    #expect(run.exitCode == 2 && run.errors.contains("leads out of"))
    #expect(try victim.read("AGENTS.md") == "mine")
  }

  @Test func whatIsThereStays() throws {
    for path in [
      ".persistlint.json", ".pre-commit-config.yaml", ".github/workflows/persistlint.yml",
    ] {
      try folder.write(path, "{}")
    }
    let run = try persistlint("init", "--hook", "--workflow", in: folder)
    #expect(run.exitCode == 0)
    #expect(run.errors.split(separator: "\n").count { $0.hasSuffix("stays as it is") } == 3)
    #expect(run.errors.contains("Put this under its `repos`:\n  - repo: "))
    #expect(!run.output.contains("init --hook") && !run.output.contains("init --workflow"))
    #expect(try folder.read(".persistlint.json") == "{}")
    #expect(try folder.read(".pre-commit-config.yaml") == "{}")
  }

  @Test func workflowIsTheOneOfTheExamples() throws {
    let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Examples/CI/github.yml")
    #expect(try String(contentsOf: example, encoding: .utf8) == ProjectStart.workflow)
  }
}
