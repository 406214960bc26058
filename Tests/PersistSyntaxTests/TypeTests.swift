import Testing

@testable import PersistSyntax

@Suite struct TypeTests {
  /// The first type of a source, each part with its kind and what it holds.
  private func type(_ source: String) -> String {
    let outline = Outline(SourceText(source))
    guard let type = outline.nodes.firstIndex(where: { $0.kind == .type }) else { return "" }
    return print(type, of: outline)
  }

  private func print(_ index: Int, of outline: Outline) -> String {
    let node = outline.nodes[index]
    var words: [String] = []
    if node.label != Node.noToken { words.append(outline.text(ofToken: Int(node.label)) + ":") }
    if node.name != Node.noToken { words.append(outline.text(ofToken: Int(node.name))) }
    if node.kind == .typeValue { words.append(outline.text[outline.byteRange(of: index)]) }
    if node.flags.contains(.isAsync) { words.append("async") }
    if node.flags.contains(.isThrowing) { words.append("throws") }
    words += outline.children(of: index).map { print($0, of: outline) }
    let kind = "\(node.kind)".replacing("Type", with: "")
    if node.kind == .type { return words.joined(separator: " ") }
    return node.kind == .namedType && words.count == 1
      ? words[0] : "\(kind)(\(words.joined(separator: " ")))"
  }

  @Test(arguments: [
    ("Int", "Int"), ("Int?", "optional(Int)"), ("Int!", "unwrapped(Int)"),
    ("Int??", "optional(optional(Int))"), ("A.B", "member(B A)"),
    ("A<B, C>", "named(A B C)"), ("A.B<C>.D?", "optional(member(D member(B A C)))"),
    ("[Int]", "array(Int)"), ("[String: [Int?]]", "dictionary(String array(optional(Int)))"),
    ("[3 of Int]", "inlineArray(typeValue(3) Int)"), ("A<B, -1>", "named(A B typeValue(-1))"),
    ("()", "tuple()"), ("(Int)", "tuple(typeElement(Int))"),
    ("(a: Int, _ b: C)", "tuple(typeElement(a: a Int) typeElement(_: b C))"),
    ("A & B.C", "composition(A member(C B))"), ("Self", "Self"), ("Any", "Any"), ("_", "_"),
    ("some A & B", "some(composition(A B))"), ("any A", "any(A)"), ("any A.B", "any(member(B A))"),
    ("(any A)?", "optional(tuple(typeElement(any(A))))"), ("A.Type", "metatype(Type A)"),
    ("any A.Protocol", "any(metatype(Protocol A))"), ("~Copyable", "suppressed(Copyable)"),
    ("A & ~B", "composition(A suppressed(B))"), ("A::B", "member(B A)"),
    ("(repeat each T)", "tuple(typeElement(packExpansion(packElement(T))))"),
    ("Array<Array<Int>>?", "optional(named(Array named(Array Int)))"),
  ])
  func aTypeHasItsParts(source: String, parts: String) {
    #expect(type("let a: \(source)") == parts)
    #expect(type("func a(b: \(source) = c)") == parts)
    #expect(type("a as \(source)") == parts)
  }

  @Test(arguments: [
    ("() -> Void", "function(Void)"),
    ("(Int, A) -> B?", "function(typeElement(Int) typeElement(A) optional(B))"),
    ("() async throws -> A", "function(async throws A)"),
    ("() throws(E) -> A", "function(throws E A)"),
    ("(A) -> (B) -> C", "function(typeElement(A) function(typeElement(B) C))"),
    (
      "(inout A, B...) -> C",
      "function(typeElement(attributed(typeSpecifier(inout) A)) typeElement(variadic(B)) C)"
    ),
    (
      "@escaping @Sendable (A) -> B",
      "attributed(typeAttribute(escaping) typeAttribute(Sendable) function(typeElement(A) B))"
    ),
    ("@MainActor () -> Void", "attributed(typeAttribute(MainActor) function(Void))"),
    (
      "@escaping((A) -> B)",
      "attributed(typeAttribute(escaping) tuple(typeElement(function(typeElement(A) B))))"
    ),
    ("__owned Self", "attributed(typeSpecifier(__owned) Self)"),
    ("sending A", "attributed(typeSpecifier(sending) A)"),
    (
      "isolated (any Actor)?",
      "attributed(typeSpecifier(isolated) optional(tuple(typeElement(any(Actor)))))"
    ),
    (
      "nonisolated(nonsending) () async -> A",
      "attributed(typeSpecifier(nonisolated) function(async A))"
    ),
    ("(() -> A)?", "optional(tuple(typeElement(function(A))))"),
    ("@convention(c) (A) -> B", "attributed(typeAttribute(convention) function(typeElement(A) B))"),
  ])
  func aFunctionTypeHasParametersAndAResult(source: String, parts: String) {
    #expect(type("let a: \(source)") == parts)
    #expect(type("func a(b: \(source))") == parts)
    #expect(type("typealias A = \(source)") == parts)
  }

  @Test func aVariadicParameterHasAVariadicType() {
    #expect(type("func a(b: Int...)") == "variadic(Int)")
    #expect(type("func a(b: any A...)") == "variadic(any(A))")
    #expect(type("func a(b: () -> Int...)") == "variadic(function(Int))")
  }

  @Test(arguments: [
    ("A<B>()", "B"), ("a.b<[C], D.E>(f)", "array(C) member(E D)"), (".a<B?>()", "optional(B)"),
    ("A<B<C>>.d", "named(B C)"), ("#a<B>", "B"), ("a < b", ""), ("f(a < b, c > d)", ""),
  ])
  func genericArgumentsOfExpressionsAreTypes(source: String, parts: String) {
    let outline = Outline(SourceText(source))
    let names: Set<Node.Kind> = [.name, .member, .implicitMember, .macro]
    let found = outline.nodes.indices.filter { names.contains(outline.nodes[$0].kind) }
      .flatMap { Array(outline.children(of: $0)) }.map { print($0, of: outline) }
    #expect(found.joined(separator: " ") == parts)
  }

  @Test(arguments: [
    "let f = unsafeBitCast(a, to: (@convention(c) () -> Bool).self)()",
    "register([(@Sendable (Int) -> Void).self, (@MainActor () -> Void)?.self])",
  ])
  func typesWithAttributesAreValues(source: String) {
    let outline = Outline(SourceText(source))
    #expect(outline.lostPlace == nil)
  }

  @Test func twoAmpersandsAreNoComposition() {
    #expect(type("a is B && c") == "B")
    #expect(type("a is B<C>&&c") == "named(B C)")
  }

  @Test(arguments: ["Set<A>?", "Set<A>=b", "Array<Set<A>>?", "Array<Set<A?>?>!"])
  func partsThatShareATokenHaveTheirOwnText(source: String) {
    let outline = Outline(SourceText("let a: \(source)"))
    let texts = outline.nodes.indices.map { outline.text[outline.byteRange(of: $0)] }
    #expect(texts.contains("Set<A>") || texts.contains("Set<A?>"))
    #expect(!texts.contains("Set<A>="))
    #expect(OutlineView(outline).root.text == "let a: \(source)")
  }

  @Test(arguments: [
    "", "=", "@a", "@a =", "(Int", "[Int", "A<B", "A.", "A &", "some", "() ->", "-",
  ])
  func brokenTypesHaveWhatIsThere(source: String) {
    let outline = Outline(SourceText("let a: \(source)\nlet b: Int"))
    for (index, node) in outline.nodes.enumerated().dropFirst() {
      let parent = outline.nodes[Int(node.parent)]
      #expect(Int(node.parent) < index && node.subtreeEnd <= parent.subtreeEnd)
      #expect(node.first >= parent.first && node.end <= parent.end)
    }
  }

  @Test(arguments: [
    "?", "A<", "(", "[", "A.B", ".A<B>", "() -> ", "@a ", "some ", "A & ", "~", "[A: ", "?.A<B>",
    "inout ", "(a: ", "A, ",
  ])
  func longTypesAreParsedWithoutRecursion(piece: String) {
    let outline = Outline(SourceText("let a: A" + String(repeating: piece, count: 10_000)))
    #expect(Int(outline.nodes[0].subtreeEnd) == outline.nodes.count)
    var depths = [0]
    for (index, node) in outline.nodes.enumerated().dropFirst() {
      #expect(Int(node.parent) < index)
      depths.append(depths[Int(node.parent)] + 1)
    }
    #expect((depths.max() ?? 0) < 3_000)
  }
}
