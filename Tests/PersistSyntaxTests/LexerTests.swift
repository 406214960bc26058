import Testing

@testable import PersistSyntax

@Suite struct LexerTests {
  private func texts(_ source: String) -> [String] {
    let text = SourceText(source)
    let tokens = Lexer.lex(text)
    return (0..<tokens.count - 1).map { text[Int(tokens[$0].offset)..<tokens[$0].end] }
  }

  @Test func codeInAnInterpolationIsCode() {
    #expect(
      texts(#"let a = "x\(f("y"))z""#) == [
        "let", "a", "=", "\"x\\", "(", "f", "(", "\"y\"", ")", ")", "z\"",
      ])
  }

  @Test func rawStringsKeepTheirBackslashes() {
    #expect(texts(##"#"a\(b)\"# + c"##) == [##"#"a\(b)\"#"##, "+", "c"])
  }

  @Test func aSlashThatDividesIsNoRegex() {
    #expect(texts("a / b / c") == ["a", "/", "b", "/", "c"])
    #expect(texts("x = /b c/.firstMatch") == ["x", "=", "/b c/", ".", "firstMatch"])
  }
}
