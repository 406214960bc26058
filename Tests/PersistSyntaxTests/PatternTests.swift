import Testing

@testable import PersistSyntax

@Suite struct PatternTests {
  private func context(_ source: String) -> OutlineContext {
    let context = OutlineContext(Outline(SourceText(source)))
    context.fold(by: .standard)
    return context
  }

  /// The patterns of a source's cases, conditions and bindings, one a line.
  private func patterns(_ source: String) -> [String] {
    let context = context(source)
    return context.outline.nodes.indices.compactMap { index in
      context.pattern(of: index).map { print(NodeView(context.view, $0)) }
    }
  }

  private func print(_ node: NodeView?) -> String {
    guard let node else { return "nil" }
    switch node.kind {
    case .namePattern: return NamePatternView(node)?.name?.text ?? "nil"
    case .bindingPattern:
      return BindingPatternView(node).map { "\($0.isLet ? "let" : "var")<\(print($0.pattern))>" }
        ?? "nil"
    case .tuplePattern: return "(\(print(TuplePatternView(node)?.elements)))"
    case .casePattern:
      let type = CasePatternView(node)?.type.map { $0.text + " " } ?? []
      return type.joined() + ".\(CasePatternView(node)?.name?.text ?? "nil")"
        + "(\(print(CasePatternView(node)?.elements)))"
    case .optionalPattern: return "some(\(print(OptionalPatternView(node)?.pattern)))"
    case .testPattern: return "is(\(TestPatternView(node)?.type?.text ?? "nil"))"
    case .castPattern:
      let cast = CastPatternView(node)
      return "as(\(print(cast?.pattern)), \(cast?.type?.text ?? "nil"))"
    case .expressionPattern: return "=\(node.text)"
    case .missingPattern: return "…"
    default: return node.text
    }
  }

  private func print(_ elements: [PatternElementView]?) -> String {
    (elements ?? []).map { element in
      (element.label.map { $0.text + ": " } ?? "") + print(element.pattern)
    }.joined(separator: ", ")
  }

  @Test(arguments: [
    ("let x", "let<x>"), ("_", "_"), ("var (a, _)", "var<(a, _)>"), (".a", ".a()"),
    (".a(let b, c: _)", ".a(let<b>, c: _)"), ("let .a(b, c: (d, e))", "let<.a(b, c: (d, e))>"),
    ("A.B.c(x: 1)", "A B .c(x: =1)"), ("A.b", "A .b()"), ("let x?", "let<some(x)>"),
    (".a(let x)?", "some(.a(let<x>))"), ("is A", "is(A)"), ("let x as A?", "let<as(x, A?)>"),
    ("(let a, .b) as C", "as((let<a>, .b()), C)"), ("(let a)", "let<a>"), ("nil", "=nil"),
    ("0..<5", "=0..<5"), ("-1", "=-1"), ("\"a\"", "=\"a\""), ("f(x)", "=f(x)"),
    ("a.b[0]", "=a.b[0]"), ("a", "=a"), ("(x: let y)", "(x: let<y>)"),
    ("let (.a(self), self.b)", "let<(.a(self), self .b())>"), (".a(self)", ".a(=self)"),
  ])
  func casesHoldPatterns(source: String, pattern: String) {
    #expect(patterns("switch s { case \(source): f() }") == [pattern])
    #expect(patterns("if case \(source) = s { f() }") == [pattern])
  }

  @Test func otherStatementsHoldPatternsToo() {
    #expect(patterns("for (i, x) in xs {}") == ["(i, x)"])
    #expect(patterns("for case let x? in xs {}") == ["let<some(x)>"])
    #expect(patterns("guard let x else {}") == ["x"])
    #expect(patterns("let (a, (b, _)) = f()") == ["(a, (b, _))"])
    #expect(
      patterns("do {} catch let e as E where e.x {} catch A.b {}") == [
        "let<as(e, E)>", "A .b()",
      ])
  }

  @Test func aPatternStandsBehindItsBinder() {
    let context = context("if case .a(let b, c: (d, _)) = e {}")
    let binder = context.outline.nodes.firstIndex { $0.kind == .caseCondition } ?? 0
    let root = NodeView(context.view, context.pattern(of: binder) ?? 0)
    #expect(root.parent == NodeView(context.view, binder).pattern)
    #expect(root.descendants(.namePattern).map(\.text) == ["b"])
    #expect(root.subtree.map(\.kind).filter { $0 == .patternElement }.count == 4)
    #expect(NamePatternView(root.descendants(.namePattern)[0])?.node.ancestors[2] == root)
    let sources = root.subtree.compactMap { PatternView($0)?.source.text }
    #expect(sources == [".a", "let b", "let b", "b", "c: (d, _)", "(d, _)", "d", "d", "_", "_"])
  }

  @Test func whatIsNoPatternHasNone() {
    #expect(patterns("if let = x {}; let = 5") == [])
    #expect(patterns("if case = x {}") == ["…"])
  }

  @Test(arguments: ["let ", "(", ".a(", "let (", "x?", "a: ", ".a.", "is ", "- "])
  func anyInputHasPatternsThatAreTrees(piece: String) {
    let context = context("if case " + String(repeating: piece, count: 10_000))
    let view = context.view
    let wrong = context.outline.nodes.indices.flatMap { binder -> [NodeView] in
      guard let root = context.pattern(of: binder) else { return [] }
      return NodeView(view, root).subtree.filter { node in
        !node.kind.isPattern || node.node.first > node.node.end
          || node.children.contains { $0.parent != node }
      }
    }
    #expect(wrong.isEmpty)
  }
}
