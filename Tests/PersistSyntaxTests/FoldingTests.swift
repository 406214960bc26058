import Testing

@testable import PersistSyntax

@Suite struct FoldingTests {
  /// The first expression of a source, folded, with brackets around each operation.
  private func folded(_ source: String, declaring declarations: String...) -> String {
    var operators = OperatorTable.standard
    for text in declarations { operators.add(declarationsOf: Outline(SourceText(text))) }
    let outline = Outline(SourceText(source))
    guard let expression = outline.nodes.firstIndex(where: { $0.kind == .expression }) else {
      return ""
    }
    return print(context(outline, operators), expression)
  }

  private func context(_ outline: Outline, _ operators: OperatorTable) -> OutlineContext {
    let context = OutlineContext(outline)
    context.fold(by: operators)
    return context
  }

  private func print(_ context: OutlineContext, _ expression: Int) -> String {
    print(NodeView(context.view, context.root(of: expression)))
  }

  private func print(_ node: NodeView) -> String {
    guard let operation = OperationView(node) else { return node.text }
    let source = operation.source.text
    let operands = operation.operands.map { print($0) }
    switch node.kind {
    case .missing: return "…"
    case .trying, .awaiting: return "\(source)(\(operands[0]))"
    case .operation: return "(\(operands[0]) \(source) \(operands[1]))"
    case .assignment: return "[\(operands[0]) \(source) \(operands[1])]"
    case .ternary: return "(\(operands[0]) ? \(operands[1]) : \(operands[2]))"
    case .conversion: return "(\(operands[0]) \(source))"
    default: return source
    }
  }

  @Test(arguments: [
    ("a + b * c - d", "((a + (b * c)) - d)"),
    ("a ?? b ?? c", "(a ?? (b ?? c))"),
    ("a == b && c || d", "(((a == b) && c) || d)"),
    ("x = a == b ?? c", "[x = (a == (b ?? c))]"),
    ("x += y << 1 | z", "[x += ((y << 1) | z)]"),
    ("0..<a.count - 1", "(0 ..< (a.count - 1))"),
    ("-a.b() * !c", "(-a.b() * !c)"),
    ("(a, b) -> C", "((a, b) -> C)"),
    ("a = b = c", "[a = [b = c]]"),
    ("{ $0 + 1 }", "{ $0 + 1 }"),
  ])
  func operatorsBindAsTheStandardLibrarySays(source: String, tree: String) {
    #expect(folded(source) == tree)
  }

  @Test(arguments: [
    ("a ? b : c", "(a ? b : c)"),
    ("a ? b : c ? d : e", "(a ? b : (c ? d : e))"),
    ("a ? b ? c : d : e", "(a ? (b ? c : d) : e)"),
    ("x = a == b ? c ?? d : e + f", "[x = ((a == b) ? (c ?? d) : (e + f))]"),
    ("a ? b : c = d", "[(a ? b : c) = d]"),
    ("a ? b = c : d", "(a ? [b = c] : d)"),
    ("a ? b as C : d is E", "(a ? (b as C) : (d is E))"),
  ])
  func ternariesHoldThreeExpressions(source: String, tree: String) {
    #expect(folded(source) == tree)
  }

  @Test(arguments: [
    ("a as? B ?? c", "((a as? B) ?? c)"),
    ("a ?? b as! C", "(a ?? (b as! C))"),
    ("a + b as C == d", "(((a + b) as C) == d)"),
    ("a as B as C", "((a as B) as C)"),
    ("x = y as Int + z", "[x = ((y as Int) + z)]"),
  ])
  func castsBindBeforeComparisons(source: String, tree: String) {
    #expect(folded(source) == tree)
  }

  @Test(arguments: [
    ("try a + b", "try((a + b))"),
    ("x = try a + b", "[x = try((a + b))]"),
    ("x = try await f() ?? c", "[x = try(await((f() ?? c)))]"),
    ("a + (try b) + c", "((a + (try b)) + c)"),
    ("a ?? try b + c", "(a ?? try((b + c)))"),
    ("try? a as? B", "try?((a as? B))"),
    ("try a ? await b : try! c", "try((a ? await(b) : try!(c)))"),
    ("await x = y", "await([x = y])"),
  ])
  func marksCoverWhatStandsToTheirRight(source: String, tree: String) {
    #expect(folded(source) == tree)
  }

  @Test(arguments: [
    ("a +", "(a + …)"), ("x = try", "[x = try(…)]"), ("a ? b", "(a ? b : …)"),
    ("a ? b :", "(a ? b : …)"), ("await", "await"), ("a as ", "(a as)"),
  ])
  func operandsMayBeMissing(source: String, tree: String) {
    #expect(folded(source) == tree)
  }

  // MARK: Operators that sources declare

  private let pipes = """
    infix operator |>: Pipe
    infix operator <|: Pipe
    precedencegroup Pipe { associativity: left; higherThan: AssignmentPrecedence
      lowerThan: TernaryPrecedence }
    """

  @Test func declaredOperatorsBindAsTheirGroupSays() {
    #expect(
      folded("x = a ? b : c |> d |> e", declaring: pipes) == "[x = (((a ? b : c) |> d) |> e)]")
    #expect(folded("x = a |> b == c") == "[x = (a |> (b == c))]")
  }

  @Test func operatorsAndGroupsOfSeveralFilesJoinInAnyOrder() {
    let files = [
      "infix operator <*>: Apply", "#if X\nprecedencegroup Apply { higherThan: Map }\n#endif",
      "precedencegroup Map { associativity: left; higherThan: MultiplicationPrecedence }",
      "infix operator <^>: Map",
    ]
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]] {
      var operators = OperatorTable.standard
      for file in order { operators.add(declarationsOf: Outline(SourceText(files[file]))) }
      let outline = Outline(SourceText("a * f <^> b <*> c"))
      #expect(print(context(outline, operators), 1) == "(a * (f <^> (b <*> c)))")
    }
  }

  @Test func declaredAssignmentsAssign() {
    let own = "infix operator ??=: AssignmentPrecedence"
    #expect(folded("a ??= b + c", declaring: own) == "[a ??= (b + c)]")
  }

  @Test func sourcesDoNotChangeTheStandardOperators() {
    let own = """
      infix operator *: Low
      precedencegroup Low { lowerThan: AssignmentPrecedence }
      precedencegroup MultiplicationPrecedence { lowerThan: AssignmentPrecedence }
      """
    #expect(folded("a = b + c * d", declaring: own) == "[a = (b + (c * d))]")
  }

  @Test func groupsInACircleStillFold() {
    let circle = """
      infix operator <+: A
      infix operator <-: B
      precedencegroup A { higherThan: B }
      precedencegroup B { higherThan: A }
      """
    #expect(folded("a <+ b <- c", declaring: circle).contains("b"))
  }

  // MARK: Any input

  @Test(arguments: [" + a", " ?? a", " ? a : a", " = a", " as A", " + try a", " ? a"])
  func longExpressionsFoldWithoutRecursion(piece: String) {
    let source = "try a" + String(repeating: piece, count: 20_000)
    let outline = Outline(SourceText(source))
    let context = context(outline, .standard)
    let root = NodeView(context.view, context.root(of: 1))
    #expect(context.view.end(ofSubtree: root.index) - root.index > 20_000)
    #expect(root.tokens == 0..<outline.tokens.count - 1)
  }

  @Test func marksInARowFold() {
    let source =
      String(repeating: "try await ", count: 10_000) + "a"
      + String(repeating: " + a", count: 10_000)
    let outline = Outline(SourceText(source))
    let context = context(outline, .standard)
    let root = context.root(of: 1)
    #expect(context.view.end(ofSubtree: root) - root == 40_001)
  }

  @Test(arguments: [
    "", ":", "? :", "try : ?", "a + try! try!", "a b", "= = =", "is", "a ? ? : :", "+", "(", "a as",
  ])
  func everyFoldedNodeHoldsItsOperands(source: String) {
    let outline = Outline(SourceText(source))
    let context = context(outline, .standard)
    let view = context.view
    for index in outline.nodes.indices where outline.nodes[index].kind == .expression {
      let root = context.root(of: index)
      guard root >= outline.nodes.count else { continue }
      #expect(Int(view[node: root].parent) == index)
      for part in root..<view.end(ofSubtree: root) {
        let node = NodeView(view, part)
        #expect(node.kind.isFolded)
        #expect(node.node.first <= node.node.end)
        #expect(OperationView(node)?.source.index ?? 0 >= index)
        for child in node.children { #expect(child.parent == node) }
      }
    }
  }
}
