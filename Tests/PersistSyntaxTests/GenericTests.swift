import Testing

@testable import PersistSyntax

/// Generic parameters, `where` clauses and key paths, as their views say them.
@Suite final class GenericTests {
  /// What the views need to live.
  private var outlines: [Outline] = []

  private func first(_ kind: Node.Kind, in source: String) -> NodeView? {
    let outline = Outline(SourceText(source))
    outlines.append(outline)
    return outline.nodes.firstIndex { $0.kind == kind }.map { NodeView(OutlineView(outline), $0) }
  }

  /// The parameters between angle brackets, each as its name and what it conforms to.
  private func parameters(_ list: String) -> [[String]] {
    [("struct A\(list) {}", .structDecl), ("func a\(list)(a: B) {}", .functionDecl)].map {
      let declaration: NodeView? = first($1 as Node.Kind, in: $0)
      return (declaration?.genericParameters ?? []).map { parameter in
        let words = [
          parameter.isPack ? "each " : "", parameter.isValue ? "let " : "",
          parameter.name?.text ?? "?",
        ]
        return words.joined() + (parameter.constraint.map { ": \($0.text)" } ?? "")
      }
    }
  }

  @Test(arguments: [
    ("<T>", ["T"]), ("<T, U: P>", ["T", "U: P"]), ("<T: P & Q<R>>", ["T: P & Q<R>"]),
    ("<each T: P>", ["each T: P"]), ("<let count: Int>", ["let count: Int"]),
    ("<T: A<B<C>>, U>", ["T: A<B<C>>", "U"]),
    ("<T: [A: B], U: (C, D) -> E>", ["T: [A: B]", "U: (C, D) -> E"]),
    ("<@B T: ~Copyable>", ["T: ~Copyable"]), ("<T: A.B?>", ["T: A.B?"]), ("<>", []),
    ("<T: P, U where T: Q, U == V>", ["T: P", "U"]), ("<T 1 2, U>", ["T", "U"]),
  ])
  func aGenericParameterHasANameAndAConstraint(list: String, expected: [String]) {
    #expect(parameters(list) == [expected, expected])
  }

  /// The requirements of a clause, each as its sides and the sign between them.
  private func requirements(_ clause: String) -> [String] {
    let declaration = first(.functionDecl, in: "func a<T>(b: T) -> C \(clause) { d }")
    return (declaration?.requirements ?? []).map {
      "\($0.subject?.text ?? "?") \($0.isSameType ? "==" : ":") \($0.requirement?.text ?? "?")"
    }
  }

  @Test(arguments: [
    ("where T: P", ["T : P"]), ("where T == U", ["T == U"]),
    ("where T.Element: P & Q, A<T>==B<U?>", ["T.Element : P & Q", "A<T> == B<U?>"]),
    ("where T: AnyObject, repeat each U: P", ["T : AnyObject", "repeat each U : P"]),
    ("where T: @escaping () -> A", ["T : @escaping () -> A"]), ("where T:", ["T : "]),
    ("where", [" : ?"]), ("", []),
  ])
  func aRequirementHasTwoSides(clause: String, expected: [String]) {
    #expect(requirements(clause) == expected)
    // What stands behind the clause is the body.
    let body = first(.block, in: "func a<T>(b: T) -> C \(clause) { d }")
    #expect(body?.text == "{ d }")
  }

  @Test func requirementsInAnglesCountToo() {
    let type = first(.structDecl, in: "struct A<T where T: P> where T == U { let b: C }")
    #expect(type?.requirements.map(\.text) == ["T == U", "T: P"].reversed())
    #expect(type.flatMap { TypeDeclarationView($0) }?.members.count == 1)
  }

  /// The root of a key path, and its parts behind it.
  private func keyPath(_ source: String) -> String {
    guard let path = first(.keyPath, in: "a(\(source), b)").flatMap({ KeyPathView($0) }) else {
      return ""
    }
    let parts = path.components.map { component in
      switch component {
      case .member(let name): name.text
      case .arguments: "()"
      case .unwrapping: "?"
      }
    }
    return ([path.root?.text ?? "_"] + parts).joined(separator: " ")
  }

  @Test(arguments: [
    ("\\.a", "_ a"), ("\\A.b.c", "A b c"), ("\\A<B>.c", "A<B> c"), ("\\A?.b", "A? b"),
    ("\\A<B>?.c?.d", "A<B>? c ? d"), ("\\[A].count", "[A] count"), ("\\(A, B).0", "(A, B) 0"),
    ("\\(any A).b", "(any A) b"), ("\\.a[b, c].d", "_ a () d"), ("\\.a!.b", "_ a ! b"),
    ("\\.self", "_ self"), ("\\A.b<C<D>>.e", "A b e"), ("\\.a(b: c).d", "_ a () d"), ("\\", "_"),
    ("\\.?.a", "_ ? a"), ("\\[A].[0]?.b", "[A] () ? b"), ("\\.a...", "_ a"),
  ])
  func aKeyPathHasARootAndMembers(source: String, expected: String) {
    #expect(keyPath(source) == expected.replacing("!", with: "?"))
  }

  @Test func theRootOfAKeyPathIsAType() throws {
    let path = try #require(
      first(.keyPath, in: "\\Dictionary<A, [B]>?.c").flatMap { KeyPathView($0) })
    let root = try #require(path.root)
    #expect(root.kind == .optionalType)
    #expect(root.unwrapped.genericArguments.map(\.text) == ["A", "[B]"])
    #expect(path.names == nil)
    #expect(first(.keyPath, in: "\\.a<B>.c").flatMap { KeyPathView($0) }?.names == nil)
    #expect(first(.keyPath, in: "\\.a<B>.c").flatMap { KeyPathView($0) }?.root == nil)
    let plain = first(.keyPath, in: "\\Trip.stop.name").flatMap { KeyPathView($0) }
    #expect(plain?.names?.map(\.text) == ["Trip", "stop", "name"])
  }
}
