import PersistReport
import Testing

@Suite struct LineHashTests {
  @Test func hashesAreThoseOfCodeScanning() {
    #expect(hashes("") == ["c129715d7a2bc9a3:1"])
    #expect(
      hashes(" a\nb\n  \t\tc\n d") == [
        "271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1",
      ])
  }

  @Test func lineBreaksAndIndentationDoNotCount() {
    let hashes = hashes("a\nb\nc\n")
    #expect(self.hashes("a\r\nb\r\nc\r\n") == hashes)
    #expect(self.hashes("a\rb\rc\r") == hashes)
    #expect(self.hashes("\ta\n  b\n\t c\n") == hashes)
  }

  @Test func equalLinesAreNumbered() {
    let hashes = hashes(String(repeating: "let x = 1 + 1\n", count: 60))
    #expect(hashes.count == 61)
    #expect(hashes[0].hasSuffix(":1") && hashes[1] == hashes[0].dropLast() + "2")
  }

  /// Two units for the emoji push the last line out of the first line's window of 100.
  @Test func unitsAreThoseOfUTF16() {
    let filling = String(repeating: "🗻", count: 49)
    #expect(hashes("\(filling)a\nb")[0] == hashes("\(filling)a\nc")[0])
    #expect(hashes("\(filling)\nb")[0] != hashes("\(filling)\nc")[0])
  }

  private func hashes(_ text: String) -> [String] { LineHash.hashes(of: Array(text.utf8)) }
}
