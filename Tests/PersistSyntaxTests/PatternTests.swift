import Testing

@testable import PersistSyntax

@Suite struct PatternTests {
  /// The patterns of a source's cases, conditions and bindings, one a line.
  private func patterns(_ source: String) -> [String] {
    let outline = Outline(SourceText(source))
    return outline.nodes.indices.compactMap { index in
      switch outline.nodes[index].kind {
      case .caseItem, .caseCondition, .forStatement, .optionalBinding, .binding:
        guard let node = outline.children(of: index).first(where: { _ in true }) else { return nil }
        let pattern = outline.pattern(node)
        return print(pattern.root, of: pattern, in: outline)
      default: return nil
      }
    }
  }

  private func print(_ index: Int, of pattern: FoldedPattern, in outline: Outline) -> String {
    let part = pattern.parts[index]
    let children = pattern.children(of: index).map { child in
      let label = pattern.parts[child].label
      let prefix = label == Node.noToken ? "" : outline.text(ofToken: Int(label)) + ": "
      return prefix + print(child, of: pattern, in: outline)
    }.joined(separator: ", ")
    let text = (part.first..<part.end).map { outline.text(ofToken: Int($0)) }.joined()
    switch part.kind {
    case .wildcard, .name: return text
    case .binding: return "\(outline.text(ofToken: Int(part.first)))<\(children)>"
    case .tuple: return "(\(children))"
    case .enumCase:
      return ".\(outline.text(ofToken: Int(outline.nodes[part.node].name)))(\(children))"
    case .optional: return "some(\(children))"
    case .test: return text
    case .cast: return "as(\(children))"
    case .expression: return "=\(text)"
    case .missing: return "…"
    }
  }

  @Test(arguments: [
    ("let x", "let<x>"), ("_", "_"), ("var (a, _)", "var<(a, _)>"), (".a", ".a()"),
    (".a(let b, c: _)", ".a(let<b>, c: _)"), ("let .a(b, c: (d, e))", "let<.a(b, c: (d, e))>"),
    ("A.B.c(x: 1)", ".c(x: =1)"), ("A.b", ".b()"), ("let x?", "let<some(x)>"),
    (".a(let x)?", "some(.a(let<x>))"), ("is A", "isA"), ("let x as A", "let<as(x)>"),
    ("(let a, .b) as C", "as((let<a>, .b()))"), ("(let a)", "let<a>"), ("nil", "=nil"),
    ("0..<5", "=0..<5"), ("-1", "=-1"), ("\"a\"", "=\"a\""), ("f(x)", "=f(x)"),
    ("a.b[0]", "=a.b[0]"), ("a", "=a"), ("(x: let y)", "(x: let<y>)"),
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
        "let<as(e)>", ".b()",
      ])
  }

  @Test(arguments: ["let ", "(", ".a(", "let (", "x?", "a: ", ".a.", "is ", "- "])
  func anyInputHasAPattern(piece: String) {
    let outline = Outline(SourceText("if case " + String(repeating: piece, count: 10_000)))
    for index in outline.nodes.indices.prefix(2_000) {
      let pattern = outline.pattern(index)
      #expect(!pattern.parts.isEmpty)
      for (place, part) in pattern.parts.enumerated() {
        #expect(part.firstChild < 0 || part.firstChild > place)
        #expect(part.first <= part.end)
      }
    }
  }
}
