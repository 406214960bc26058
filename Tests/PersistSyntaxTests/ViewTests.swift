import Testing

@testable import PersistSyntax

@Suite struct ViewTests {
  private func views<View: SyntaxView>(_ view: View.Type, in outline: Outline) -> [View] {
    outline.nodes.indices.compactMap { View(NodeView(OutlineView(outline), $0)) }
  }

  @Test func aCallHasACalleeAndArguments() throws {
    let outline = Outline(SourceText("a.b.c(1, d: e) { f } g: { h }"))
    let calls = views(CallView.self, in: outline)
    let call = try #require(calls.first)
    #expect(calls.count == 1)
    #expect(call.callee?.name?.text == "c")
    #expect(call.receiver?.text == ".b")
    #expect(call.arguments.map { $0.label?.text } == [nil, "d", nil, "g"])
    #expect(call.arguments.map { $0.value?.text } == ["1", "e", "{ f }", "{ h }"])
    #expect(call.trailingClosures.count == 2)
    #expect(call.argument("d")?.value?.text == "e")
  }

  @Test func aClosureHasASignature() throws {
    let source = "{ @A [weak self, b = c] (d: Int, e) async throws -> F in g; h }"
    let outline = Outline(SourceText(source))
    let closure = try #require(views(ClosureView.self, in: outline).first)
    #expect(closure.attributes.map { $0.name?.text } == ["A"])
    #expect(closure.captures.map { $0.node.name?.text } == ["self", "b"])
    #expect(closure.captures.map(\.modifier) == [.weak, nil])
    #expect(closure.captures.map { $0.value?.text } == ["self", "c"])
    #expect(closure.parameters.map { $0.name?.text } == ["d", "e"])
    #expect(closure.parameters.map { $0.type?.text } == ["Int", nil])
    #expect(closure.result?.text == "F")
    #expect(closure.isAsync && closure.isThrowing)
    #expect(closure.statements.map(\.text) == ["g", "h"])
  }

  @Test(arguments: ["{ (_ a, _ b) -> C in d }", "{ (_ a, b) in d }", "{ (_ a: C, b: D) in d }"])
  func aClosuresParametersMayHaveLabels(source: String) throws {
    let outline = Outline(SourceText(source))
    let closure = try #require(views(ClosureView.self, in: outline).first)
    #expect(closure.parameters.map { $0.name?.text } == ["a", "b"])
    #expect(closure.parameters.first?.label?.text == "_")
    #expect(closure.statements.map(\.text) == ["d"])
  }

  @Test func statementsHaveTheirParts() throws {
    let source = """
      if a, let b = c, case .d(let e) = f, #available(iOS 17, *) { g } else if h { i }
      guard let j: K else { l }
      while m { n }
      repeat { o } while p
      for try await case let q? in r where s { t }
      """
    let outline = Outline(SourceText(source))
    let choices = views(IfView.self, in: outline)
    #expect(choices.map { $0.conditions.count } == [4, 1])
    #expect(choices[0].otherwise?.text == "if h { i }")
    #expect(choices[0].body?.statements.map(\.text) == ["g"])
    guard case .binding(let binding) = choices[0].conditions[1],
      case .pattern(let condition) = choices[0].conditions[2],
      case .availability = choices[0].conditions[3]
    else {
      Issue.record("conditions of other kinds")
      return
    }
    #expect(binding.pattern?.text == "b")
    #expect(binding.value?.text == "c")
    #expect(condition.pattern?.text == ".d(let e)")
    #expect(condition.value?.text == "f")
    let guarded = try #require(views(GuardView.self, in: outline).first)
    #expect(guarded.body?.text == "{ l }")
    #expect(views(WhileView.self, in: outline).first?.conditions.count == 1)
    #expect(views(RepeatView.self, in: outline).first?.condition?.text == "p")
    let loop = try #require(views(ForView.self, in: outline).first)
    #expect(loop.tryMark != nil && loop.awaitMark != nil)
    #expect(loop.pattern?.text == "let q?")
    #expect(loop.sequence?.text == "r")
    #expect(loop.filter?.text == "s")
    #expect(loop.body?.text == "{ t }")
  }

  @Test func switchesAndCatchesHaveItems() throws {
    let source = """
      switch a { case .b, .c where d: e; f
      default: break }
      do { try g() } catch let h as I where j { k } catch { throw l }
      """
    let outline = Outline(SourceText(source))
    let choice = try #require(views(SwitchView.self, in: outline).first)
    #expect(choice.subject?.text == "a")
    let cases = choice.cases.compactMap { SwitchCaseView($0) }
    #expect(cases.map(\.isDefault) == [false, true])
    #expect(cases[0].items.map { $0.pattern?.text } == [".b", ".c"])
    #expect(cases[0].items.map { $0.condition?.text } == [nil, "d"])
    #expect(cases[0].statements.map(\.text) == ["e", "f"])
    let attempt = try #require(views(DoView.self, in: outline).first)
    #expect(attempt.body?.text == "{ try g() }")
    #expect(attempt.catches.map { $0.items.map { $0.pattern?.text } } == [["let h as I"], []])
    #expect(views(JumpView.self, in: outline).first?.value?.text == "l")
  }

  @Test func declarationsHaveTheirParts() throws {
    let source = """
      @A.B(c: 1) final class D<E>: F, G.H {
        private(set) var i: Int { get { 1 } set(j) {} }
        let k = l, (m, n) = o
        @P func q(_ r: S, t: U? = nil) async throws -> V {}
      }
      extension W.X {}
      enum Y { case z(a: Int), b = 2 }
      """
    let outline = Outline(SourceText(source))
    let types = views(TypeDeclarationView.self, in: outline)
    #expect(types[0].name?.text == "D")
    #expect(types[0].attributes.map { $0.name?.text } == ["B"])
    #expect(types[0].attributes[0].arguments.map { $0.label?.text } == ["c"])
    #expect(types[0].modifiers == [.final])
    #expect(types[0].inheritance.map(\.text) == ["F", "G.H"])
    #expect(types[0].members.count == 3)
    #expect(types[1].extendedType?.path.map(\.text) == ["W", "X"])
    let variables = views(VariableView.self, in: outline)
    #expect(variables.map(\.isLet) == [false, true])
    #expect(variables[0].bindings[0].accessors.map { $0.name?.text } == ["get", "set"])
    #expect(variables[0].bindings[0].accessors.map { $0.parameter?.text } == [nil, "j"])
    #expect(variables[1].bindings.map { $0.pattern?.text } == ["k", "(m, n)"])
    #expect(variables[1].bindings.map { $0.value?.text } == ["l", "o"])
    let function = try #require(views(FunctionView.self, in: outline).first)
    #expect(function.name?.text == "q")
    #expect(function.parameters.map { $0.label?.text } == ["_", "t"])
    #expect(function.parameters.map { $0.name?.text } == ["r", "t"])
    #expect(function.parameters.map { $0.defaultValue?.text } == [nil, "nil"])
    #expect(function.result?.text == "V")
    #expect(function.isAsync && function.isThrowing)
    let elements = views(EnumElementView.self, in: outline)
    #expect(elements.map { $0.name?.text } == ["z", "b"])
    #expect(elements.map { $0.parameters.count } == [1, 0])
    #expect(elements.map { $0.value?.text } == [nil, "2"])
  }

  @Test func collectionsAndCastsHaveTheirParts() throws {
    let outline = Outline(SourceText("[a, b]; [c: d, e: f]; -g.h[1] as? I"))
    let collections = views(CollectionView.self, in: outline)
    #expect(collections[0].elements.map(\.text) == ["a", "b"])
    #expect(collections[1].pairs.map { "\($0.key.text)=\($0.value.text)" } == ["c=d", "e=f"])
    let cast = try #require(views(CastView.self, in: outline).first)
    #expect(cast.isOptional && !cast.isForced && !cast.isTest)
    #expect(cast.type?.name?.text == "I")
    #expect(views(SubscriptView.self, in: outline).first?.arguments.map { $0.value?.text } == ["1"])
    let chain = try #require(views(ChainView.self, in: outline).last)
    #expect(views(ChainView.self, in: outline).map(\.prefix).contains("-"))
    #expect(chain.primary?.text == "1")
  }

  @Test(arguments: [
    ("@MainActor (A) -> B?", ""), ("(any A)?", "optional any"), ("A?!", "optional A"),
    ("((A))", "A"), ("Optional<A.B>", "optional A.B"), ("[A]", ""), ("A.B<C>", "A.B"),
  ])
  func aTypeIsSeenThroughWhatStandsAroundIt(source: String, words: String) throws {
    let outline = Outline(SourceText("let a: \(source)"))
    let type = try #require(views(TypeView.self, in: outline).first)
    let found = [
      type.isOptional ? "optional" : "", type.unwrapped.kind == .anyType ? "any" : "",
      type.unwrapped.path.map(\.text).joined(separator: "."),
    ]
    #expect(found.filter { !$0.isEmpty }.joined(separator: " ") == words)
    #expect((type.function != nil) == source.contains("->"))
  }

  @Test(arguments: [
    ("[Trip]?", nil, true, false), ("any Swift.Error", "Error", false, false),
    ("Result<Trip, any Error>?", "Result", true, false), ("Trip!", "Trip", true, false),
    ("(NSManagedObject & Syncing)?", "Syncing", true, true), ("() -> Trip?", nil, false, false),
    ("(() -> Trip)?", nil, true, false), ("any A & B", "B", false, true),
    ("Trip.Type", "Type", false, false),
  ])
  func aTypeHasALastName(
    source: String, name: String?, isOptional: Bool, isComposition: Bool
  ) throws {
    let outline = Outline(SourceText("let a: \(source)"))
    let type = try #require(views(TypeView.self, in: outline).first)
    #expect(type.lastName?.text == name)
    #expect(type.isOptional == isOptional)
    #expect(type.isComposition == isComposition)
  }

  @Test func aFunctionTypeHasParametersAndAResult() throws {
    let source = "let a: @Sendable (b: inout C, D) async throws(E) -> [F: G]"
    let outline = Outline(SourceText(source))
    let type = try #require(views(TypeView.self, in: outline).first)
    let function = try #require(type.function)
    #expect(type.attributes.map(\.text) == ["Sendable"])
    #expect(function.parameters.map { $0.type?.text } == ["inout C", "D"])
    #expect(function.parameters.map { $0.type?.specifiers } == [[.inout], []])
    #expect(function.thrownError?.text == "E")
    #expect(function.result?.keyAndValue?.key.text == "F")
    #expect(function.isAsync && function.isThrowing)
  }
}
