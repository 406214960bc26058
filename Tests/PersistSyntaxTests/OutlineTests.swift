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
        "boundName e", "cast", "type", "namedType E", "name e", "member x", "block", "name g",
        "call",
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

  // MARK: What the compiler's own parser taught

  /// The sources of the nodes of a kind, in order.
  private func sources(_ kind: Node.Kind, in source: String) -> [String] {
    let text = SourceText(source)
    let outline = Outline(text)
    return outline.nodes.indices.filter { outline.nodes[$0].kind == kind }
      .map { text[outline.byteRange(of: $0)] }
  }

  /// The analysis reads on from a name without asking what stands around it.
  @Test(arguments: [
    "a.b(c)[d] = -e!.f { g in h }", "if case let .i(j) = k, case l.m = n { o }",
    "p\n  #if q\n  .r(s)\n  #endif\n  .t { u }", "@v(w) let (x, y) = z", "a(", "[a: b", "{ a.",
    "switch a { case let b where c: d; case is E: f }", "#a(b) { c } d: { e }", "\\A.b[c]",
    "a ? b : c ?? d as? E",
  ])
  func everyNameBeginsAChain(source: String) {
    let outline = Outline(SourceText(source))
    for index in outline.nodes.indices where outline.nodes[index].kind == .name {
      let chain = Int(outline.nodes[index].parent)
      #expect(outline.nodes[chain].kind == .chain)
      #expect(outline.children(of: chain).first { _ in true } == index)
    }
  }

  @Test func aCallBeforeADeclarationIsNoModifier() {
    #expect(sources(.variableDecl, in: "open()\nvar a = 0") == ["var a = 0"])
    #expect(sources(.variableDecl, in: "open(b)\nvar a = 0") == ["var a = 0"])
    #expect(sources(.variableDecl, in: "open(set) var a = 0") == ["open(set) var a = 0"])
    #expect(sources(.variableDecl, in: "nonisolated(unsafe) let a = 0").count == 1)
  }

  @Test func whatACaseCarriesHasATypeAndNoName() {
    #expect(
      sources(.type, in: "enum A { case b(any Error), c(d: some E, F) }") == [
        "any Error", "some E", "F",
      ])
  }

  @Test func aCompoundNameIsNoCall() {
    #expect(sources(.call, in: "f(using: key(_:), .rejection(code:), init(_:))").count == 1)
  }

  @Test func attributesInAConditionBelongToTheDeclarationBehindIt() {
    #expect(
      sources(.functionDecl, in: "@a\n#if X\n@b\n#elseif Y\n@c\n#endif\nfunc f() {}") == [
        "@a\n#if X\n@b\n#elseif Y\n@c\n#endif\nfunc f() {}"
      ])
    #expect(sources(.functionDecl, in: "#if X\n@b\nfunc f() {}\n#endif\nfunc g() {}").count == 2)
  }

  @Test func attributesOfAMacroAreParsed() {
    #expect(sources(.attribute, in: "@available(iOS 17, *)\n#Preview { V() }").count == 1)
    #expect(sources(.call, in: "@available(iOS 17, *)\n#Preview { V() }").count == 2)
  }

  @Test func theParenthesesOfAFunctionTypeAreNoArguments() {
    #expect(
      sources(.parameter, in: "func f(_ m: @autoclosure() -> String = \"a\", n: Int)") == [
        "_ m: @autoclosure() -> String = \"a\"", "n: Int",
      ])
    #expect(sources(.attribute, in: "enum E { case a(@Sendable () -> Int) }").isEmpty)
  }

  @Test func aClosureMayStandWhereAConditionNeedsAnOperand() {
    #expect(sources(.block, in: "if let a: Int = { 1 }() { b }") == ["{ b }"])
    #expect(sources(.block, in: "if a, { b }() { c }") == ["{ c }"])
    #expect(sources(.block, in: "guard let a = try? { b }() else { c }") == ["{ c }"])
    #expect(sources(.block, in: "if xs.contains {\n  a\n} {\n}").first == "{\n  a\n}")
  }

  @Test func genericParametersMayTouchAnOperatorsName() {
    #expect(sources(.parameter, in: "func ==<T>(a: A<T>, b: A<T>) -> Bool { c }").count == 2)
    #expect(sources(.parameter, in: "func <(a: A, b: A) -> Bool { c }").count == 2)
  }

  @Test func wordsBeforeAnOperandAreNotCalled() {
    #expect(sources(.call, in: "await .init(a)") == ["(a)"])
    #expect(sources(.call, in: "let a = try await { b }()") == ["()"])
    #expect(sources(.call, in: "unsafe .init(a)") == ["(a)"])
  }

  @Test func genericArgumentsGoOnBehindALineBreak() {
    #expect(sources(.call, in: "let a = B.C\n  <D, E> { f }") == ["{ f }"])
    #expect(sources(.call, in: "let a = B<C, D> (e)") == ["(e)"])
    #expect(sources(.optionalChain, in: "var a = P<C>?.none").count == 1)
    #expect(sources(.call, in: "if a < b, c > d {}").isEmpty)
  }

  @Test func accessorsAreTheirKeywordsAndNotCalls() {
    #expect(sources(.closure, in: "B(role: .c) { set(to: 0) } label: { d }").count == 2)
    #expect(sources(.accessor, in: "var a: Int { get { 1 } set(v) { b = v } }").count == 2)
    #expect(sources(.accessor, in: "var a: Int { borrow { b } mutate { &b } }").count == 2)
  }

  @Test func aSecondBlockIsNoSecondClosureOfACall() {
    #expect(sources(.call, in: "a { b }\n{ c }()") == ["{ b }", "()"])
    #expect(
      sources(.switchCase, in: "if let a = switch b { case c: 1\n default: 2 } { d }").count == 2)
  }

  @Test func aSubscriptMayHaveAClosure() {
    #expect(sources(.subscriptSuffix, in: "a[b] { c }") == ["[b] { c }"])
  }

  @Test func changedSourcesGiveNodesInsideTheirParents() {
    var mutations = Mutations(seed: 3)
    for _ in 0..<600 {
      let bytes = mutations.next()
      let outline = Outline(SourceText(bytes))
      var isSound = Int(outline.nodes[0].subtreeEnd) == outline.nodes.count
      for (index, node) in outline.nodes.enumerated().dropFirst() {
        let parent = outline.nodes[Int(node.parent)]
        isSound =
          isSound && Int(node.parent) < index && node.subtreeEnd <= parent.subtreeEnd
          && node.first >= parent.first && node.end <= parent.end && node.first <= node.end
      }
      if !isSound {
        Issue.record("\(String(decoding: bytes, as: UTF8.self))")
        return
      }
    }
  }
}
