import PersistSyntax
import Testing

@testable import persistlint

@Suite struct ServerSessionTests {
  private let folder: Folder
  private let session = ServerSession(forgivesBrokenSyntax: true)

  init() throws {
    folder = try Folder()
    try folder.write("a.swift", "func a() {}\n")
  }

  /// The text by which the file is judged, and whether it was read anew.
  private func read(_ edited: String? = nil) throws -> (text: String, isNew: Bool) {
    let absolute = folder.url.appendingPathComponent("a.swift").path
    session.begin(texts: edited.map { [absolute: Array($0.utf8)] } ?? [:], Cancellation())
    var isNew = false
    let path = FilePath(absolute: absolute, shown: "a.swift", kind: .swift)
    let file = try session.file(path) { text in
      isNew = true
      let text = text ?? SourceText((try? folder.read("a.swift")) ?? "")
      var file = InputFile(path: "a.swift", kind: .swift, text: text)
      file.outline = Outline(text)
      return .success(file)
    }.get()
    return (String(decoding: file.bytes, as: UTF8.self), isNew)
  }

  @Test func aTextIsLexedOnce() throws {
    #expect(try read("func b() {}\n") == ("func b() {}\n", true))
    #expect(try read("func b() {}\n") == ("func b() {}\n", false))
    #expect(try read("func c() {}\n") == ("func c() {}\n", true))
    #expect(try read() == ("func a() {}\n", true), "the file itself")
  }

  @Test func aFileThatChangesIsReadAgain() throws {
    #expect(try read() == ("func a() {}\n", true))
    try folder.write("a.swift", "func d() {}\n")
    #expect(try read() == ("func d() {}\n", true))
  }

  @Test func brokenTextIsTakenAsItWasBefore() throws {
    #expect(try read("func e( {") == ("func e( {", true), "there was nothing before")
    #expect(try read("func e() {").text == "func e() {")
    #expect(try read("func e() {}").text == "func e() {}")
    #expect(try read("func e() { if").text == "func e() {}")
    #expect(try read("func e() { if x").text == "func e() {}")
    #expect(try read("func e() { x }").text == "func e() { x }")
  }

  @Test func pathsOfNewFilesAreResolved() throws {
    let new = folder.url.appendingPathComponent("new.swift").path
    #expect(new.resolvedOrPlanned == new)
    try folder.link("link", to: ".")
    #expect(folder.url.appendingPathComponent("link/new.swift").path.resolvedOrPlanned == new)
    #expect((folder.url.path + "/nowhere/new.swift").resolvedOrPlanned == nil)
  }
}
