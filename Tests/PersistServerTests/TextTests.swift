import PersistReport
import PersistServer
import Testing

@Suite struct TextTests {
  private static let text = "a\r\nü𝄞b\rlast\n"

  @Test(arguments: [
    // offset, line, UTF-16, UTF-8
    (0, 0, 0, 0), (1, 0, 1, 1), (3, 1, 0, 0), (5, 1, 1, 2), (9, 1, 3, 6), (10, 1, 4, 7),
    (11, 2, 0, 0), (15, 2, 4, 4), (16, 3, 0, 0),
  ]) func offsetsAndPositionsAreTheSamePlaces(offset: Int, line: Int, utf16: Int, utf8: Int) {
    let table = LineTable(Array(Self.text.utf8))
    for (encoding, character) in [(PositionEncoding.utf16, utf16), (.utf8, utf8)] {
      let position = TextPosition(line: line, character: character)
      #expect(table.position(at: offset, in: encoding) == position)
      #expect(table.offset(of: position, in: encoding) == offset)
    }
  }

  @Test(arguments: [
    (0, Int.max, 1), (Int.max, Int.max, 16), (Int.min, Int.min, 0), (0, 99, 1), (1, 99, 10),
    (1, 2, 5), (3, 99, 16), (99, 0, 16), (-1, 0, 0), (0, -1, 0),
  ]) func positionsBeyondTheTextAreItsEnds(line: Int, character: Int, offset: Int) {
    let table = LineTable(Array(Self.text.utf8))
    for encoding in [PositionEncoding.utf16, .utf8] {
      let place = TextPosition(line: line, character: character)
      #expect(table.offset(of: place, in: encoding) == offset)
    }
  }

  @Test func halfOfACharacterIsItsBeginning() {
    let table = LineTable(Array(Self.text.utf8))
    #expect(table.offset(of: TextPosition(line: 1, character: 4), in: .utf8) == 5)
  }

  @Test func aByteOrderMarkTakesNoCharacter() {
    let table = LineTable([0xEF, 0xBB, 0xBF] + Array("ab\n".utf8))
    #expect(table.position(at: 4, in: .utf16) == TextPosition(line: 0, character: 1))
    #expect(table.position(at: 0, in: .utf16) == TextPosition(line: 0, character: 0))
    #expect(table.offset(of: TextPosition(line: 0, character: 1), in: .utf8) == 4)
  }

  @Test(
    arguments: [
      ("let a = b", "let a = b", 4..<5, 4..<5), ("let a = b", "// x\nlet a = b", 4..<5, 9..<10),
      ("let a = b", "let a = bcd", 4..<5, 4..<5), ("let a = b", "let aa = b", 8..<9, 9..<10),
      ("let a = b", "let c = b", 4..<5, nil), ("let a = b", "", 4..<5, nil),
      ("aaaa", "aaaaa", 0..<4, 0..<4), ("", "a", 0..<0, 0..<0),
    ] as [(String, String, Range<Int>, Range<Int>?)])
  func placesMoveWithTheTextAroundThem(
    old: String, new: String, place: Range<Int>, moved: Range<Int>?
  ) {
    let shift = TextShift(from: Array(old.utf8), to: Array(new.utf8))
    #expect(shift.range(place) == moved)
  }

  @Test(
    arguments: [
      ("file:///a/b.swift", "/a/b.swift"), ("file:///a%20b/%C3%BC%25.swift", "/a b/ü%.swift"),
      ("file://localhost/a", "/a"), ("FILE:///a%3Ab/", "/a:b"), ("file:///", "/"),
      ("file:///a%2", "/a%2"), ("untitled:Untitled-1", nil), ("file:", nil), ("", nil),
    ] as [(String, String?)]) func urisArePaths(uri: String, path: String?)
  {
    #expect(FileURI.path(of: uri) == path)
  }

  @Test func everyPathIsReadBackFromItsURI() {
    for path in ["/a/b.swift", "/Trip & <Stops>, 50%/ü𝄞#?.swift", "/a:b;c=d"] {
      #expect(FileURI.path(of: FileURI.uri(of: path)) == path)
    }
  }
}
