import PersistIndex
import PersistSyntax
import Testing

@testable import PersistFlow

/// What the arguments of the calls of `use` are, as `persistlint debug texts` prints them.
private func texts(_ source: String) -> [String] {
  let program = Program([
    SourceFile(path: "Sources/App/File.swift", outline: Outline(SourceText(source)))
  ])
  let lines = TextReport(of: program).text.split(separator: "\n").map(String.init)
  let asked = program.calls(named: "use").flatMap { program.arguments($0) }
    .map { program.place($0) + " " }
  return lines.compactMap { line in
    asked.first { line.hasPrefix($0) }.map { String(line.dropFirst($0.count)) }
  }
}

@Suite struct TextTests {
  @Test func pathsAreFollowedThroughWhatCarriesThem() {
    #expect(
      texts(
        """
        struct Places {
          let store: URL
          var log: URL { URL(fileURLWithPath: store.path + "-wal") }
          init(_ folder: URL) { store = folder.appendingPathComponent("a.store") }
        }
        enum File { case at(URL) }
        func work(_ places: Places) {
          let pair = (first: places.store, second: 1)
          use(pair.first)
          let file = File.at(places.log)
          if case .at(let url) = file { use(url) }
          run { use(places.store.deletingPathExtension()) }
        }
        func begin() { work(Places(URL.documentsDirectory)) }
        """) == [
          "\"dir:documentsDirectory/a.store\"", "\"dir:documentsDirectory/a.store-wal\"",
          "\"dir:documentsDirectory/a\"",
        ])
  }

  @Test func unknownPartsAreHoles() {
    #expect(
      texts(
        """
        func copy(_ store: URL, _ name: String) {
          use(store.appendingPathComponent("\\(name).bak"))
          use(store.appendingPathComponent(name).lastPathComponent)
          let day = Date().description
          use("/tmp/\\(day)")
        }
        """) == ["\"<store>/<name>.bak\"", "\"<name>\"", "\"/tmp/<day>\""])
  }

  @Test func alternativesStayApart() {
    #expect(
      texts(
        """
        func begin(_ isTest: Bool) {
          use(isTest ? "/dev/null" : "a.store")
          var url: URL?
          if isTest { url = URL(fileURLWithPath: "/dev/null") }
          use(url)
          for ending in ["", "-wal"] { use("a.store" + ending) }
        }
        """) == [
          "\"/dev/null\" or \"a.store\"", "\"/dev/null\" or nil", "\"a.store\" or \"a.store-wal\"",
        ])
  }

  @Test func propertiesThatChangeSayNothing() {
    let code = """
      final class Stack {
        var url: URL
        init(_ url: URL) { self.url = url }
        func open() { use(url) }
      }
      let stack = Stack(URL.documentsDirectory)
      """
    #expect(texts(code) == ["\"dir:documentsDirectory\""])
    #expect(texts(code + "\nfunc move(_ to: URL) { stack.url = to }") == ["?"])
  }
}
