import Testing

@testable import PersistSyntax

/// Each token of a source as `kind text`, the end of the file left out.
func tokens(_ source: String) -> [String] {
  let text = SourceText(source)
  let list = Lexer.lex(text)
  return (0..<list.count - 1).map {
    "\(list[$0].kind) \(text[Int(list[$0].offset)..<list[$0].end])"
  }
}

/// The texts of a source's tokens.
func texts(_ source: String) -> [String] {
  let text = SourceText(source)
  let list = Lexer.lex(text)
  return (0..<list.count - 1).map { text[Int(list[$0].offset)..<list[$0].end] }
}

@Suite struct LexerTests {
  // MARK: Comments and white space

  @Test func commentsNestAndAreNoTokens() {
    let text = SourceText("a /* b /* c */ \"d */ e // f /*\ng")
    let list = Lexer.lex(text)
    let comments = list.comments.map {
      text[Int($0.offset)..<Int($0.offset) + Int($0.length)]
    }
    #expect(comments == ["/* b /* c */ \"d */", "// f /*"])
    #expect(texts("a /* b /* c */ \"d */ e // f /*\ng") == ["a", "e", "g"])
  }

  @Test func aCommentInAnOperatorEndsIt() {
    #expect(tokens("a +/* b */ c") == ["identifier a", "binaryOperator +", "identifier c"])
  }

  @Test func aByteOrderMarkMayStandAnywhere() {
    #expect(texts("\u{FEFF}let a = (\u{FEFF})") == ["let", "a", "=", "(", ")"])
  }

  @Test func aShebangIsTheFirstLineOnly() {
    #expect(
      tokens("#!/usr/bin/swift\nf()") == [
        "shebang #!/usr/bin/swift", "identifier f", "leftParen (", "rightParen )",
      ])
  }

  @Test func charactersThatSwiftDoesNotKnowAreWhiteSpace() {
    #expect(texts("a\u{0}b\u{1B}c\u{A0}d\u{2423}e") == ["a", "b", "c", "d", "e"])
    let invalid = SourceText([0x61, 0xFF, 0xC3, 0x28, 0x62, 0xE0, 0x80, 0x80, 0x63])
    let list = Lexer.lex(invalid)
    #expect((0..<list.count).map { Int(list[$0].offset) } == [0, 3, 4, 8, 9])
  }

  @Test func lineBreaksAreRemembered() {
    let list = Lexer.lex(SourceText("a b\nc /*\n*/ d\r\ne"))
    let flags = (0..<5).map { list[$0].flags.contains(.afterNewline) }
    #expect(flags == [false, false, true, true, true])
  }

  // MARK: Strings

  @Test func codeInAnInterpolationIsCode() {
    #expect(
      tokens(#""x\(f("y"))z" + g"#) == [
        #"stringStart "x\"#, "leftParen (", "identifier f", "leftParen (", #"string "y""#,
        "rightParen )", "rightParen )", #"stringEnd z""#, "binaryOperator +", "identifier g",
      ])
  }

  @Test func severalInterpolationsHavePartsBetweenThem() {
    #expect(
      tokens(#""\(a)b\(c)""#) == [
        #"stringStart "\"#, "leftParen (", "identifier a", "rightParen )", #"stringMiddle b\"#,
        "leftParen (", "identifier c", "rightParen )", #"stringEnd ""#,
      ])
  }

  @Test func rawStringsKeepTheirBackslashes() {
    #expect(texts(##"#"a\(b)\"# + c"##) == [##"#"a\(b)\"#"##, "+", "c"])
    #expect(
      tokens(##"#"a\#(b)""#"##) == [
        ##"stringStart #"a\#"##, "leftParen (", "identifier b", "rightParen )", ##"stringEnd ""#"##,
      ])
    #expect(texts("##\"a\"#b\"##.count") == ["##\"a\"#b\"##", ".", "count"])
  }

  @Test func threeQuotesInPoundsOnOneLineAreARawString() {
    #expect(texts("#\"\"\"# + a") == ["#\"\"\"#", "+", "a"])
    #expect(texts("#\"\"\"a\"# + b") == ["#\"\"\"a\"#", "+", "b"])
    #expect(texts("#\"\"\"\na\"#\n\"\"\"# + b") == ["#\"\"\"\na\"#\n\"\"\"#", "+", "b"])
  }

  @Test func multilineStringsHoldQuotesAndLineBreaks() {
    #expect(
      texts("\"\"\"\na \"b\" \\\"\"\" \\\n\\(c)\n\"\"\"\nd") == [
        "\"\"\"\na \"b\" \\\"\"\" \\\n\\", "(", "c", ")", "\n\"\"\"", "d",
      ])
  }

  @Test func aStringWithoutItsEndEndsWithItsLine() {
    #expect(texts("\"a\nb") == ["\"a", "b"])
    #expect(texts("\"a\\\nb") == ["\"a\\", "b"])
    #expect(texts("\"a\\(b\nc") == ["\"a\\", "(", "b", "", "c"])
    #expect(texts("\"\"\"\na") == ["\"\"\"\na"])
  }

  @Test func theMarkOfAMultilineStringIsAFlag() {
    let list = Lexer.lex(SourceText("\"\"\"\na\n\"\"\" \"b\""))
    #expect(list[0].flags.contains(.multiline))
    #expect(!list[1].flags.contains(.multiline))
  }

  // MARK: Regular expressions

  @Test func aSlashThatDividesIsNoRegex() {
    #expect(texts("a / b / c") == ["a", "/", "b", "/", "c"])
    #expect(texts("a/b/c") == ["a", "/", "b", "/", "c"])
    #expect(texts("x = /b c/.firstMatch") == ["x", "=", "/b c/", ".", "firstMatch"])
    #expect(texts("f(/a)/, b)") == ["f", "(", "/", "a", ")", "/,".dropLast() + "", ",", "b", ")"])
  }

  @Test func aRegexMayHoldWhatWouldOpenABracket() {
    #expect(tokens(#"f(/[("{]\//)"#).contains(#"regex /[("{]\//"#))
    #expect(tokens("#/ a / b ( /#") == ["regex #/ a / b ( /#"])
    #expect(tokens("#/\n  a # b\n  /#\nc") == ["regex #/\n  a # b\n  /#", "identifier c"])
  }

  @Test func afterTryAndPrefixOperatorsARegexMayStand() {
    #expect(tokens("try? /^ x/.f()").contains("regex /^ x/"))
    #expect(tokens("!/a/.g") == ["prefixOperator !", "regex /a/", "period .", "identifier g"])
    #expect(tokens("return /a/").contains("regex /a/"))
    #expect(tokens("return /^ x/").contains("regex /^ x/"))
    #expect(tokens("nil /^ x/").contains("binaryOperator /^"))
    #expect(tokens("func /(a: Int) { b/ }").contains("postfixOperator /"))
  }

  // MARK: Names and numbers

  @Test func namesInBackticksMayHoldSpaces() {
    #expect(
      tokens("`class`.`a b + c`") == ["identifier `class`", "period .", "identifier `a b + c`"])
    #expect(tokens("`a\nb").map { $0 } == ["backtick `", "identifier a", "identifier b"])
  }

  @Test func dollarsBeginNamesAndParameters() {
    #expect(
      tokens("$0.a + $path") == [
        "dollarIdentifier $0", "period .", "identifier a", "binaryOperator +", "identifier $path",
      ])
  }

  @Test func wordsThatTheGrammarReservesAreKeywords() {
    let list = Lexer.lex(SourceText("class actor init async _ Any"))
    #expect(
      (0..<6).map { list[$0].keyword } == [.class, .actor, .initializer, .async, .none, .anyType])
    #expect(
      (0..<6).map { list[$0].kind } == [
        .keyword, .identifier, .keyword, .identifier, .wildcard, .keyword,
      ])
  }

  @Test func namesMayBeWrittenInAnyScript() {
    #expect(
      tokens("let naïve = 变量 ∘ 🙂") == [
        "keyword let", "identifier naïve", "equal =", "identifier 变量", "binaryOperator ∘",
        "identifier 🙂",
      ])
  }

  @Test func numbersEndWhereMembersBegin() {
    #expect(texts("1.5.description") == ["1.5", ".", "description"])
    #expect(texts("1.description 1...2") == ["1", ".", "description", "1", "...", "2"])
    #expect(texts("a.0.1") == ["a", ".", "0", ".", "1"])
    #expect(texts("0xFFp-2 0xff.fp 0x1.8p3") == ["0xFFp-2", "0xff", ".", "fp", "0x1.8p3"])
    #expect(texts("1_000e-3 0b1_0 0o17") == ["1_000e-3", "0b1_0", "0o17"])
  }

  // MARK: Operators and punctuation

  @Test func whatStandsAroundAnOperatorTellsItsPlace() {
    #expect(
      tokens("-a - b! c? ?? d") == [
        "prefixOperator -", "identifier a", "binaryOperator -", "identifier b", "exclamation !",
        "identifier c", "postfixQuestion ?", "binaryOperator ??", "identifier d",
      ])
    #expect(
      tokens("a ? b : c&.d") == [
        "identifier a", "infixQuestion ?", "identifier b", "colon :", "identifier c",
        "postfixOperator &", "period .", "identifier d",
      ])
    #expect(tokens("f(&a, -> .b)").contains("prefixAmpersand &"))
    #expect(tokens("f(&a, -> .b)").contains("arrow ->"))
  }

  @Test func aPlaceholderOfAnEditorIsAName() {
    #expect(tokens("f(<#T##a#>)")[2] == "identifier <#T##a#>")
    #expect(texts("a <# b") == ["a", "<", "#", "b"])
  }

  @Test func directivesAreTokensOfTheirOwn() {
    #expect(
      tokens("#if DEBUG\n#elseif os(iOS)\n#else\n#endif\n#selector(a)").filter { $0.contains("#") }
        == [
          "poundIf #if", "poundElseif #elseif", "poundElse #else", "poundEndif #endif", "pound #",
        ])
    #expect(tokens("#available(iOS 17, *)")[0] == "poundAvailable #available")
    #expect(tokens("#unavailable(iOS 17)")[0] == "poundUnavailable #unavailable")
  }

  @Test func aConditionInTheMiddleOfAnExpressionKeepsItsTokens() {
    #expect(
      texts("a\n#if X\n  .b()\n#endif\n  .c()") == [
        "a", "#if", "X", ".", "b", "(", ")", "#endif", ".", "c", "(", ")",
      ])
  }

  // MARK: Brackets

  @Test func bracketsKnowTheirPartners() {
    let list = Lexer.lex(SourceText(#"f([a], { "\(b)" })"#))
    var pairs: [String] = []
    for index in 0..<list.count {
      if let partner = list[index].partner, partner > index {
        pairs.append("\(list[index].kind) \(list[index].offset) \(list[partner].offset)")
      }
    }
    #expect(
      pairs == ["leftParen 1 17", "leftSquare 2 4", "leftBrace 7 16", "leftParen 11 13"])
  }

  @Test func aBraceClosesOverWhatWasLeftOpen() {
    let list = Lexer.lex(SourceText("{ f( } g)"))
    #expect(list[0].partner == 3)
    #expect(list[2].partner == nil)
    #expect(list[5].partner == nil)
  }
}
