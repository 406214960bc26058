import Foundation
import Testing

@Suite struct ServerTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  private static let bad = """
    import SwiftData
    @Model final class Trip { var name: String; init(name: String) { self.name = name } }
    func open() -> ModelContainer {
      do { return try ModelContainer(for: Trip.self) } catch { fatalError("\\(error)") }
    }

    """

  private func lines(_ values: [[String: Any]]) throws -> String {
    try values.map { value in
      let message = value.merging(["jsonrpc": "2.0"]) { $1 }
      return String(decoding: try JSONSerialization.data(withJSONObject: message), as: UTF8.self)
    }.joined(separator: "\n") + "\n"
  }

  private func call(_ id: Int, _ tool: String, _ arguments: [String: Any] = [:]) -> [String: Any] {
    ["id": id, "method": "tools/call", "params": ["name": tool, "arguments": arguments]]
  }

  private let initialize: [String: Any] = [
    "id": 0, "method": "initialize", "params": ["protocolVersion": "2025-06-18"],
  ]

  /// The structured results of calls, or the text of their failures, in their order.
  private func results(_ calls: [[String: Any]]) throws -> [Any] {
    let run = try persistlint("mcp", in: folder, input: try lines([initialize] + calls))
    #expect(run.exitCode == 0 && run.errors == "")
    return try run.output.split(separator: "\n").dropFirst().map { line in
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let result = try #require(value?["result"] as? [String: Any], "\(line)")
      let content = result["content"] as? [[String: Any]]
      return result["structuredContent"] ?? content?.first?["text"] ?? ""
    }
  }

  @Test func anAgentLintsWhatIsThereAndWhatIsNot() throws {
    try folder.write("Sources/Store.swift", Self.bad)
    let found = try results([
      call(1, "lint"),
      call(2, "lint", ["text": "import SwiftData\n", "path": "Sources/Store.swift"]),
      call(3, "lint", ["text": Self.bad, "path": "Sources/Other.swift"]),
      call(4, "lint", ["paths": ["Nowhere"]]),
      call(5, "lint", ["text": Self.bad, "path": "Nowhere/a.swift"]),
      call(6, "lint", ["text": "func f() {\n", "path": "Sources/Store.swift"]),
    ])
    func paths(_ value: Any) -> Set<String> {
      let findings = (value as? [String: Any])?["findings"] as? [[String: Any]]
      return Set(findings?.compactMap { $0["path"] as? String } ?? [])
    }
    #expect(paths(found[0]) == ["Sources/Store.swift"])
    #expect(paths(found[1]) == [])
    #expect(paths(found[2]) == ["Sources/Other.swift"])
    #expect("\(found[3])".contains("Nowhere: No such file"))
    #expect("\(found[4])".contains("its folder isn't there"))
    #expect(paths(found[5]) == [] && "\(found[5])".contains("the syntax is broken here"))
    #expect(try folder.names() == ["Sources"], "it writes nothing")
  }

  @Test func aConfigurationAndABaselineHoldForAgentsToo() throws {
    try folder.write("Store.swift", Self.bad)
    _ = try persistlint("--write-baseline", "--baseline", "known", in: folder)
    try folder.write(".persistlint.json", #"{"baseline": "known", "lock": "gone.lock"}"#)
    let refused = try results([call(1, "lint")])
    #expect("\(refused[0])".contains("gone.lock doesn't exist"))
    try folder.write(".persistlint.json", #"{"baseline": "known"}"#)
    let accepted = try #require(try results([call(1, "lint")])[0] as? [String: Any])
    #expect((accepted["findings"] as? [Any])?.count == 0)
  }

  @Test func freezingIsShownAndNotDone() throws {
    try folder.write("Store.swift", Self.bad)
    let plan = try #require(
      try results([call(1, "freeze", ["all": true])])[0] as? [String: Any])
    #expect(plan["added"] as? [String] == ["unversioned"])
    #expect((plan["difference"] as? String)?.contains("+unversioned = Trip entity") ?? false)
    #expect(try folder.names() == ["Store.swift"])
  }

  @Test func anEditorThatIsGoneEndsTheServer() throws {
    let run = try persistlint("lsp", "--stdio", in: folder)
    #expect(run.exitCode == 1 && run.output == "" && run.errors == "")
    let garbage = try persistlint("lsp", in: folder, input: "Content-Length: x\r\n\r\n")
    #expect(garbage.output.hasPrefix("Content-Length: "))
    #expect(garbage.output.contains("-32700"))
  }

  @Test func serversTakeNoPaths() throws {
    #expect(try persistlint("mcp", "Sources", in: folder).exitCode == 2)
    #expect(try persistlint("lsp", "Sources", in: folder).exitCode == 2)
  }
}
