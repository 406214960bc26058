import Testing

@testable import PersistSchema

@Suite struct XMLReaderTests {
  private func read(_ text: String) -> (events: [XMLEvent], lines: [Int], mistake: Int?) {
    var events: [XMLEvent] = []
    var lines: [Int] = []
    let mistake = XMLReader.read(Array(text.utf8)) { event, line in
      events.append(event)
      lines.append(line)
    }
    return (events, lines, mistake)
  }

  @Test func elementsTextsAndReferencesAreReadInTheirOrder() {
    let found = read(
      """
      <?xml version="1.0"?>
      <!DOCTYPE plist [ <!ENTITY a "b"> ]>
      <!-- a <comment> -->
      <model a='1 &lt; 2' b = "&#65;&#x42;
      C">x &amp; y<![CDATA[<&]]><e/></model>
      """)
    #expect(found.mistake == nil)
    #expect(
      found.events == [
        .begin("model", attributes: ["a": "1 < 2", "b": "AB C"]), .text("x & y"), .text("<&"),
        .begin("e", attributes: [:]), .end("e"), .end("model"),
      ])
    #expect(found.lines == [4, 5, 5, 5, 5, 5])
  }

  @Test(arguments: [
    ("", 1), ("x", 1), ("<a>", 1), ("<a>\n</b>", 2), ("<a></a>\n<b/>", 2), ("<a b=1/>", 1),
    ("<a b='1' b='2'/>", 1), ("<a b='<'/>", 1), ("<a>&b;</a>", 1), ("<a>&#xD800;</a>", 1),
    ("<a b='1'c='2'/>", 1), ("<a><!-- </a>", 1), ("<a>\u{1}</a>", 1), ("<a/>\n<!DOCTYPE b>", 2),
    ("<1/>", 1), ("<a", 1), ("</a>", 1),
  ])
  func mistakesAreToldWithTheirLine(text: String, line: Int) {
    #expect(read(text).mistake == line)
  }

  @Test func whatADocumentDeclaresIsNotExpanded() {
    let bomb = "<!DOCTYPE a [<!ENTITY b \"bb\"><!ENTITY c \"&b;&b;\">]><a>&c;</a>"
    #expect(read(bomb).mistake == 1)
    #expect(read(String(repeating: "<a>", count: 100_000)).mistake == 1)
  }

  @Test func bytesThatAreNoTextAreAMistake() {
    #expect(XMLReader.read([0x3C, 0x61, 0xFF, 0x2F, 0x3E]) { _, _ in } == 1)
    #expect(XMLReader.read([0xEF, 0xBB, 0xBF] + Array("<a/>".utf8)) { _, _ in } == nil)
  }
}
