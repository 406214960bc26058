import PersistSyntax
import Testing

@testable import PersistIndex

/// Folded expressions are nodes that the program's accessors know like any other.
@Suite struct FoldedNodeTests {
  private let file = Ref(file: 0, node: 0)

  /// The first expression of some code, folded, with its program.
  private func folded(_ code: String) -> (root: Ref, program: Program) {
    let program = Names(code).program
    return (program.folded(program.descendants(file, .expression)[0]), program)
  }

  @Test func aFoldedNodeHasWhatOtherNodesHave() {
    let (root, program) = folded("x = try? a + b * c ?? d")
    let expression = program.descendants(file, .expression)[0]
    #expect(program.kind(root) == .assignment)
    #expect(program.name(root) == "=")
    #expect(program.text(root) == "x = try? a + b * c ?? d")
    #expect(program.parent(root) == expression)
    #expect(program.expression(ofFolded: root) == expression)
    #expect(program.ancestors(root).last == file)
    let operands = program.operands(root)
    #expect(operands.map { program.text($0) } == ["x", "try? a + b * c ?? d"])
    #expect(program.node(operands[1]).flags.contains(.isOptional))
    #expect(program.sibling(before: program.children(root)[1]) == program.children(root)[0])
    #expect(program.sibling(after: program.children(root)[0]) == program.children(root)[1])
    #expect(program.sibling(before: root) == nil && program.sibling(after: root) == nil)
  }

  @Test func aViewSaysWhatItsAddressSays() {
    let (root, program) = folded("class A { static let b = try? c(d: [1], e) ?? f { g } + h }")
    let folded = root.node..<Int32(program.node(root).subtreeEnd)
    for index in Array(program.subtree(file)) + Array(folded) {
      let ref = Ref(file: 0, node: Int(index))
      let view = program.nodeView(ref)
      #expect(view.ref == ref && view.kind == program.kind(ref))
      #expect(view.text == program.text(ref))
      #expect(view.parent?.ref == program.parent(ref))
      #expect(view.ancestors.map(\.ref) == program.ancestors(ref))
      #expect(view.children.map(\.ref) == program.children(ref))
      #expect(view.previousSibling?.ref == program.sibling(before: ref))
      #expect(view.nextSibling?.ref == program.sibling(after: ref))
      #expect(view.subtree.map { Int32($0.index) } == Array(program.subtree(ref)))
      for kind in [Node.Kind.chain, .modifier, .operation] {
        #expect(view.child(kind)?.ref == program.child(ref, kind))
        #expect(view.children(kind).map(\.ref) == program.children(ref, kind))
        #expect(view.descendants(kind).map(\.ref) == program.descendants(ref, kind))
      }
    }
  }

  @Test func operandsWithoutOperatorsAreNodesOfTheOutline() {
    let (root, program) = folded("a() + (b - c)")
    #expect(program.operands(root).map { program.kind($0) } == [.chain, .chain])
    let inner = program.descendants(file, .expression)[1]
    #expect(program.operands(program.folded(inner)).map { program.text($0) } == ["b", "c"])
    let (alone, other) = folded("a.b()")
    #expect(other.kind(alone) == .chain)
    #expect(other.operands(alone).isEmpty)
    #expect(other.source(alone) == alone)
  }

  @Test func anOperandKnowsWhatIsAroundIt() throws {
    let (root, program) = folded("a + b as C == d ?? e")
    let chains = program.children(program.expression(ofFolded: root), .chain)
    let around = try chains.map { chain in
      program.ancestors(try #require(program.foldedOperand(chain))).prefix {
        program.kind($0).isFolded
      }.map { program.text(program.source($0)) }
    }
    #expect(around == [["+", "as C", "=="], ["+", "as C", "=="], ["??", "=="], ["??", "=="]])
    #expect(program.isBehindNilCoalescing(chains[3]))
    #expect(!program.isBehindNilCoalescing(chains[2]))
  }

  @Test func operatorsOfAllFilesFold() {
    let sources = ["let x = a <+> b * c", "infix operator <+>: MultiplicationPrecedence"]
    let program = Program(
      sources.enumerated().map { number, source in
        SourceFile(path: "Sources/App/\(number).swift", outline: Outline(SourceText(source)))
      })
    let root = program.folded(program.descendants(file, .expression)[0])
    #expect(program.operands(root).map { program.text($0) } == ["a <+> b", "c"])
  }

  // MARK: Patterns

  @Test func aPatternHasWhatOtherNodesHave() throws {
    let program = Names("if case let .a(b, c: (d, _)?) = e ?? f {}").program
    let condition = program.descendants(file, .caseCondition)[0]
    let pattern = try #require(program.pattern(of: condition))
    #expect(program.kind(pattern) == .bindingPattern)
    #expect(program.text(pattern) == "let .a(b, c: (d, _)?)")
    #expect(program.ancestors(pattern).last == file)
    let names = program.descendants(pattern, .namePattern)
    #expect(names.map { program.nameText($0) } == ["b", "d"])
    for name in names { #expect(program.pattern(binding: program.source(name)) == name) }
    let elements = program.patternElements(around: program.source(names[1]))
    #expect(elements.map { program.text($0) } == ["d", "c: (d, _)?"])
    let payload = try #require(program.payload(binding: program.source(names[1])))
    #expect(program.nameText(payload.enumCase) == "a" && payload.index == 1)
  }

  @Test func aNameOutsideOfPatternsHasNone() {
    let program = Names("func f(a: A) { { b in use(b) }; let c = 1; for d in a {} }").program
    let bound = program.descendants(file, .boundName)
    #expect(bound.map { program.nameText($0) } == ["c", "d"])
    #expect(bound.allSatisfy { program.payload(binding: $0) == nil })
    #expect(bound.allSatisfy { program.pattern(binding: $0) != nil })
    #expect(program.pattern(binding: program.descendants(file, .parameter)[0]) == nil)
    #expect(program.pattern(of: file) == nil)
  }
}
