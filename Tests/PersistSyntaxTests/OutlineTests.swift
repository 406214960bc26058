import Testing

@testable import PersistSyntax

@Suite struct OutlineTests {
  /// The kinds of all nodes with their names, in order.
  private func sketch(_ source: String) -> [String] {
    let outline = Outline(SourceText(source))
    return outline.nodes.map { node in
      node.name == Node.noToken
        ? "\(node.kind)" : "\(node.kind) \(outline.text(ofToken: Int(node.name)))"
    }
  }

  @Test func aCatchClauseHoldsItsPatternAndBlock() {
    #expect(
      sketch("do { try f() } catch let e as E where e.x { g() }").filter {
        !$0.hasPrefix("chain") && !$0.hasPrefix("expression")
      } == [
        "file", "doStatement", "block", "tryMark", "name f", "call", "catchClause", "caseItem",
        "boundName e", "cast", "type", "name e", "member x", "block", "name g", "call",
      ])
  }

  @Test func aConditionsBraceIsTheBody() {
    #expect(sketch("if let x = f { y }").contains("block"))
    #expect(!sketch("if let x = f { y }").contains("closure"))
    #expect(sketch("guard xs.contains { $0 > 1 }, y else { return }").contains("closure"))
  }

  @Test(arguments: ["(", "[", "{", "if ", "try ", "a ? ", "\"\\(", "@a(", "x.y(", "-> ", "<"])
  func deepNestingIsCutAndNeverFails(_ opener: String) {
    let outline = Outline(SourceText(String(repeating: opener, count: 10_000)))
    #expect(outline.nodes[0].kind == .file)
    #expect(Int(outline.nodes[0].subtreeEnd) == outline.nodes.count)
  }
}
