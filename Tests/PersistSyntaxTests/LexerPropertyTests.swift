import Testing

@testable import PersistSyntax

/// Numbers that are the same in each run.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Sources with something of each part of the grammar, cut and joined at random.
struct Mutations {
  static let seeds: [String] = [
    #"""
    @Model final class Trip<T: Hashable>: Codable, Sendable where T: Equatable {
      @Attribute(.unique) var name: String? = "a\(b + "c\(d)")e"
      private(set) lazy var total: [Int: (a: Int, b: Int)?] = [:]
      var x: Int { get async throws(E) { try await y } set { z = newValue } didSet { f() } }
      init?(from decoder: any Decoder) throws { fatalError("\(error)") }
      subscript(i: Int) -> Int { i << 2 }
      func f<each P>(_ p: repeat each P, in q: inout Int) async throws -> some View {
        guard let x, case .a(let y)? = z, #available(iOS 17, *) else { return nil }
        do { try f() } catch let e as E where e.x == 1 { } catch { print(error) }
        Task.detached { [weak self, x = y] (a: Int, b) async throws -> Void in self?.g() }
        let r = /a[(]b/; let s = #/ x /#; let t = a / b / c
        return if a { 1 } else { switch b { case .c where d: 2; default: 3 } }
      }
    }
    """#,
    ##"""
    #!/usr/bin/swift
    // line /* not a block
    /* block /* nested */ "not a string" */
    #if DEBUG && os(iOS)
    let raw = #"a\#(b)"c"#, multi = """
      text \(f { $0 + 1 }) "" \
      more
      """
    #elseif canImport(SwiftData)
    view.body { a } label: { b }
      #if X
      .modifier(\.path.count, [1, 2.5e3, 0xFF, 0b1])
      #endif
    #endif
    infix operator <~>: P; prefix func ! (a: B) -> C { !a }
    for await i in 0..<10 where i % 2 == 0 { continue outer }
    let `class` = <#T#>, k = \Trip.name, n = -a! ?? b as? C, m = try! x?.y![0]
    """##,
  ]

  static let fragments = [
    "(", ")", "[", "]", "{", "}", "\"", "\"\"\"", "\\(", "#\"", "\"#", "#/", "/#", "/", "/*", "*/",
    "//", "\n", "\r\n", "`", "$", "#if ", "#endif\n", "<#", "#>", "\\", "'", "@", "é", "🙂",
    "\u{FEFF}",
    "?", "!", "&", "->", "...", "0x", "1e", "try? ", "catch ", "switch ", "case ", "in ", "\u{0}",
  ]

  private var numbers: SeededNumbers

  init(seed: UInt64) {
    numbers = SeededNumbers(seed: seed)
  }

  /// The next source: one of the seeds with a few changes.
  mutating func next() -> [UInt8] {
    var bytes = Array(Self.seeds.randomElement(using: &numbers)?.utf8 ?? "".utf8)
    for _ in 0..<Int.random(in: 1...6, using: &numbers) {
      let place = Int.random(in: 0...bytes.count, using: &numbers)
      let end = min(bytes.count, place + Int.random(in: 0...40, using: &numbers))
      switch Int.random(in: 0..<5, using: &numbers) {
      case 0: bytes.removeSubrange(place..<end)
      case 1: bytes.insert(contentsOf: bytes[place..<end], at: 0)
      case 2:
        let fragment = Self.fragments.randomElement(using: &numbers) ?? ""
        bytes.insert(contentsOf: Array(fragment.utf8), at: place)
      case 3: bytes.insert(UInt8.random(in: 0...255, using: &numbers), at: place)
      default: bytes.removeSubrange(end...)
      }
    }
    return bytes
  }
}

@Suite struct LexerPropertyTests {
  /// What is wrong with the tokens of some bytes; nil when nothing is.
  private func fault(_ bytes: [UInt8]) -> String? {
    let text = SourceText(bytes)
    let list = Lexer.lex(text)
    guard list.count > 0, list[list.count - 1].kind == .endOfFile else { return "no end" }
    var end = 0
    var open: [Int] = []
    for index in 0..<list.count {
      let token = list[index]
      if Int(token.offset) < end || token.end > text.count { return "order of token \(index)" }
      if token.end == Int(token.offset), token.kind != .stringEnd, token.kind != .endOfFile {
        return "token \(index) is empty"
      }
      end = token.end
      guard let partner = token.partner else { continue }
      if partner < 0 || partner >= list.count || list[partner].partner != index {
        return "partner of token \(index)"
      }
      if partner > index {
        open.append(index)
      } else if open.popLast() != partner {
        return "nesting of token \(index)"
      }
    }
    if !open.isEmpty { return "open brackets with partners" }
    var commentEnd = 0
    for comment in list.comments {
      if Int(comment.offset) < commentEnd { return "order of comments" }
      commentEnd = Int(comment.offset) + Int(comment.length)
    }
    return commentEnd > text.count ? "comment outside" : nil
  }

  @Test func changedSourcesGiveOrderedTokensWithMutualPartners() {
    var mutations = Mutations(seed: 1)
    for _ in 0..<1500 {
      let bytes = mutations.next()
      if let fault = fault(bytes) {
        Issue.record("\(fault): \(String(decoding: bytes, as: UTF8.self))")
        return
      }
    }
  }

  @Test func everyPrefixOfASourceGivesOrderedTokens() {
    for seed in Mutations.seeds {
      let bytes = Array(seed.utf8)
      for length in 0...bytes.count {
        #expect(fault(Array(bytes.prefix(length))) == nil)
      }
    }
  }

  @Test func randomBytesGiveOrderedTokens() {
    var numbers = SeededNumbers(seed: 2)
    for _ in 0..<300 {
      let length = Int.random(in: 0...300, using: &numbers)
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &numbers) }
      #expect(fault(bytes) == nil)
    }
  }

  /// Each would take hours if the time grew with the square of the length.
  @Test(
    .timeLimit(.minutes(20)),
    arguments: [
      "[", "(", "{", "\"\\(", "/*", "#\"\"\"x\\#(", "#/\n", "\"\"\"\\(", "<#", "(/a ", "`", "[}",
      "({",
      "\"\\(\n", "#\"", "+/", "'",
    ])
  func filesOfOpeningsTakeLinearTime(opening: String) {
    #expect(endOfFile(of: opening, repeatedTo: 1 << 20) == 1 << 20)
  }

  @Test(.timeLimit(.minutes(20)), arguments: ["[", "\"\\(", "/*"])
  func tenMebibytesOfOpeningsAreRead(opening: String) {
    #expect(endOfFile(of: opening, repeatedTo: 10 << 20) == 10 << 20)
  }

  private func endOfFile(of opening: String, repeatedTo length: Int) -> Int {
    let unit = Array(opening.utf8)
    let text = SourceText(capacity: length) { target in
      for index in 0..<length { target[index] = unit[index % unit.count] }
      return length
    }
    let list = Lexer.lex(text)
    return Int(list[list.count - 1].offset)
  }

  @Test(arguments: [("[", "]"), ("(", ")"), ("{", "}"), ("\"\\(", ")\""), ("/*", "*/")])
  func tenThousandLevelsKeepTheirPartners(open: String, close: String) {
    let depth = 10_000
    let source = String(repeating: open, count: depth) + String(repeating: close, count: depth)
    let list = Lexer.lex(SourceText(source))
    if open == "/*" {
      #expect(list.count == 1)
      #expect(list.comments.count == 1)
      return
    }
    let last = (0..<list.count).last { list[$0].kind.isBracket }
    let first = (0..<list.count).first { list[$0].kind.isBracket }
    #expect(first != nil && list[first ?? 0].partner == last)
  }
}
