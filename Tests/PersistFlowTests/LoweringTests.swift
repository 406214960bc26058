import PersistFlow
import PersistIndex
import PersistSyntax
import Testing

/// The bodies of a file, as `persistlint debug bodies` prints them.
private func bodies(_ source: String) -> String {
  let program = Program([
    SourceFile(path: "Sources/App/File.swift", outline: Outline(SourceText(source)))
  ])
  return BodyText(Bodies(of: program), of: program).text(ofFile: 0)
}

@Suite struct LoweringTests {
  @Test func deferredCodeRunsOnEachWayOut() {
    let text = bodies(
      """
      func f(_ a: Bool) -> Int {
        defer { close() }
        if a { return 1 }
        return 2
      }
      """)
    #expect(text.components(of: "close").count == 2)
    #expect(text.components(of: "return %").count == 2)
  }

  @Test func localThatIsWorkedOutIsCalledWhereItIsRead() {
    let text = bodies("func f() { var a: Int { g() }; use(a) }")
    #expect(text.components(of: "closure").count == 2)
    #expect(text.contains("call %3()"))
    #expect(!bodies("func f() { var a = 1 { didSet { g() } }; use(a) }").contains("closure"))
  }

  @Test func eachClauseThatMayBeBuiltRuns() {
    let text = bodies(
      """
      func f() {
        #if FAST
          g()
        #else
          h()
        #endif
      }
      """)
    #expect(text.contains(".g()"))
    #expect(text.contains(".h()"))
    #expect(text.contains("if %"))
    #expect(!bodies("func f() {\n#if os(iOS)\ng()\n#else\nh()\n#endif\n}").contains("if %"))
  }

  @Test func triedCallHasAnEdgeToItsHandler() {
    #expect(
      bodies(
        """
        func f() {
          do { try g() } catch { h() }
        }
        """
      ).contains("try call"))
    #expect(bodies("func f() { do { try g() } catch { h() } }").contains("or throw to b"))
    #expect(!bodies("func f() { do { g() } catch { h() } }").contains("or throw to b"))
  }

  @Test func optionalChainSkipsWhatFollows() {
    let text = bodies("func f(_ a: A?) { a?.b.c() }")
    #expect(text.contains("isNil"))
    #expect(text.contains("unwrap"))
    #expect(text.contains("none"))
  }

  @Test func switchTestsCasesAndBindsPayloads() {
    let text = bodies(
      """
      func f(_ job: Job) {
        switch job {
        case .run(let item) where item > 2: use(item)
        default: stop()
        }
      }
      """)
    #expect(text.contains("isCase run"))
    #expect(text.contains("payload 0"))
    #expect(text.contains("store"))
  }

  @Test func patternsTestFromTheOutsideIn() {
    let text = bodies(
      """
      func f(_ a: (A?, Any)) {
        if case let (.go(b)?, c as C) = a { use(b, c) }
      }
      """)
    for line in [
      "%3 = part 0 %2", "%4 = isNil %3", "%5 = unwrap %3", "%6 = isCase go %5", "store %7 in b",
      "%9 = part 1 %2", "%10 = isType %9", "%11 = cast %9", "store %11 in c",
    ] {
      #expect(text.contains(line))
    }
  }

  @Test func aPatternMayTestATypeOrCompare() {
    let switched = bodies(
      "func f(_ a: A) { switch a { case is B: b(); case 1...2: c(); default: d() } }")
    #expect(switched.contains("%3 = isType %2"))
    #expect(switched.contains("= opaque %2"))
    let compared = bodies("func f(_ a: A) { if case 5 = a { b() }; if case c.d[0].e = a { f() } }")
    #expect(compared.contains("binary == %2, %3"))
    #expect(compared.contains("= opaque %7"))
    #expect(!compared.contains("isCase"))
  }

  @Test func closureNamesWhatItCaptures() {
    let text = bodies("func f() { let item = 1; later { use(item) } }")
    #expect(text.contains("capturing item"))
  }

  @Test func codeBehindTheEndOfTheProcessIsLeftOut() {
    #expect(!bodies("func f() { fatalError(); after() }").contains("after"))
  }

  @Test(arguments: ["func f() { if let", "func f( { switch x { case", "}}}{{{ try? await", ""])
  func brokenCodeIsLowered(source: String) {
    #expect(!bodies("var marker = 1\n" + source).isEmpty)
  }
}

extension String {
  fileprivate func components(of text: String) -> [Range<String.Index>] { ranges(of: text) }
}
