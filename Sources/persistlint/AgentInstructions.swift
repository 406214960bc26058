import PersistReport

/// What agents have to know of persistlint, as a section of the file that they read first.
struct AgentInstructions {
  static let file = "AGENTS.md"

  private static let beginning = "<!-- persistlint -->"
  private static let end = "<!-- /persistlint -->"

  /// The section, with the lines around it by which it is found again.
  static let section = """
    \(beginning)
    ## Persistence code

    - After each change of code that uses SwiftData, Core Data, GRDB or Realm, run `persistlint`, or
      the tool `lint` of `persistlint mcp`. It needs no build. Fix what it reports.
    - Run `persistlint explain RULE` before you fix a finding of a rule that you don't know.
    - Never edit a schema version that `persistlint.lock` names, because users have it: add a version.
    - Run `persistlint schema diff OLD NEW` for each new version, and write the stage that it asks for.
    - `persistlint --diff` shows the fixes, and `persistlint --fix` makes the safe ones.
    - Don't freeze versions, change the baseline, or turn rules off. Suppress a finding only with
      `// persistlint:ignore[rule-id] reason`, and only if the reason is true.
    \(end)

    """

  /// The text with the section as it is now, behind everything else where there was none.
  static func enter(into text: String) -> String {
    let lineBreak = text.contains("\r\n") ? "\r\n" : "\n"
    let section = section.replacing("\n", with: lineBreak)
    if let start = text.firstRange(of: beginning)?.lowerBound,
      let last = text[start...].firstRange(of: end)?.upperBound
    {
      let kept = String(section.dropLast())
      return text[..<start] + kept + text[last...]
    }
    guard !text.isEmpty else { return section }
    let isComplete = text.last?.isNewline ?? true
    return text + (isComplete ? "" : lineBreak) + lineBreak + section
  }
}

extension ProjectStart {
  /// Enters what agents have to know into the file that they read; the rest of it stays as it is.
  func writeInstructions() throws(CommandError) {
    let path = AgentInstructions.file
    guard System.hasEntry(path) else { return try write(path, AgentInstructions.section) }
    // A link may lead to the file of the same kind that another agent reads.
    try Destination(path: path, naming: .project(root), content: .new).place(in: root)
    let old: [UInt8]
    do {
      old = try FileReader.read(path, atMost: FileReader.Limit.configuration)
    } catch {
      throw .refusal("\(path): \(error.reason)")
    }
    guard isUTF8(old) else { throw .refusal("\(path): not UTF-8; save it as UTF-8") }
    let new = Array(AgentInstructions.enter(into: String(decoding: old, as: UTF8.self)).utf8)
    guard new != old else { return say("\(path) says it already and stays as it is") }
    do {
      try FileWriter.write(new, to: path, replacing: old)
    } catch {
      throw .refusal("\(path): \(error.reason)")
    }
    say("entered what agents have to know into \(path)")
  }
}
