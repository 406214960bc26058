import Testing

/// The log files go with the main file, in the words of the call that deletes that.
@Suite struct SidecarFixTests {
  private func mended(_ body: String, rule: String = "store-sidecars-forgotten") -> Mending {
    let code =
      "import SwiftData\n\nfunc reset(_ config: ModelConfiguration) throws {\n\(body)\n"
      + "}\nlet container = try? ModelContainer(for: Trip.self)\n"
    let file = Page.File(path: "Sources/App/Store.swift", code: code, isShipped: false)
    return Mending([file], rule: rule)
  }

  private func expect(
    _ body: String, gives result: String, _ location: SourceLocation = #_sourceLocation
  ) {
    let mending = mended(body)
    #expect(mending.code.contains(result), "\(mending.code)", sourceLocation: location)
    #expect(mending.rounds == 1 && mending.left.isEmpty, sourceLocation: location)
    #expect(parses(mending.code), sourceLocation: location)
  }

  private func expectNone(_ body: String, _ location: SourceLocation = #_sourceLocation) {
    let mending = mended(body)
    #expect(mending.rounds == 0, "\(mending.code)", sourceLocation: location)
    #expect(!mending.left.isEmpty, "nothing is found", sourceLocation: location)
  }

  @Test func optionalTryIsRepeated() {
    expect(
      "  try? FileManager.default.removeItem(at: config.url)",
      gives: """
          try? FileManager.default.removeItem(at: config.url)
          try? FileManager.default.removeItem(atPath: config.url.path + "-wal")
          try? FileManager.default.removeItem(atPath: config.url.path + "-shm")

        """)
  }

  @Test func throwingDeletionAsksWhetherTheLogIsThere() {
    expect(
      "  try FileManager.default.removeItem(at: config.url)",
      gives: """
          try FileManager.default.removeItem(at: config.url)
          for suffix in ["-wal", "-shm"] {
            let file = config.url.path + suffix
            if FileManager.default.fileExists(atPath: file) {
              try FileManager.default.removeItem(atPath: file)
            }
          }

        """)
  }

  @Test func managerAndPathAreThoseOfTheSite() {
    expect(
      """
        let files = FileManager()
        let path = config.url.path(percentEncoded: false)
        _ = try? files.removeItem(atPath: path)
      """,
      gives: """
          _ = try? files.removeItem(atPath: path)
          _ = try? files.removeItem(atPath: path + "-wal")
          _ = try? files.removeItem(atPath: path + "-shm")
        """)
    expect(
      "  try? FileManager().removeItem(at: URL(fileURLWithPath: config.url.path))",
      gives: "try? FileManager().removeItem(atPath: config.url.path + \"-wal\")")
  }

  @Test func lastComponentGetsTheEnding() {
    expect(
      """
        let folder = URL.applicationSupportDirectory
        try? FileManager.default.removeItem(at: folder.appending(path: "default.store"))
      """,
      gives: """
          try? FileManager.default.removeItem(at: folder.appending(path: "default.store-wal"))
          try? FileManager.default.removeItem(at: folder.appending(path: "default.store-shm"))
        """)
    expect(
      """
        let folder = URL.applicationSupportDirectory
        try FileManager.default.removeItem(at: folder.appendingPathComponent("default.store"))
      """,
      gives: """
          for suffix in ["-wal", "-shm"] {
            let file = folder.appendingPathComponent("default.store" + suffix)
            if FileManager.default.fileExists(atPath: file.path) {
              try FileManager.default.removeItem(at: file)
            }
          }
        """)
  }

  @Test func onlyWhatIsMissingIsAdded() {
    expect(
      """
        let store = config.url
        try? FileManager.default.removeItem(at: store)
        try? FileManager.default.removeItem(atPath: store.path + "-wal")
      """,
      gives: """
          try? FileManager.default.removeItem(at: store)
          try? FileManager.default.removeItem(atPath: store.path + "-shm")
          try? FileManager.default.removeItem(atPath: store.path + "-wal")
        """)
    expect(
      """
        let store = config.url
        try FileManager.default.removeItem(at: store)
        try? FileManager.default.removeItem(atPath: store.path + "-wal")
      """,
      gives: """
          if FileManager.default.fileExists(atPath: store.path + "-shm") {
            try FileManager.default.removeItem(atPath: store.path + "-shm")
          }
        """)
  }

  @Test func commentsAndBlocksStay() {
    expect(
      "  try? FileManager.default.removeItem(at: config.url)  // gone // for good",
      gives: """
          try? FileManager.default.removeItem(at: config.url)  // gone // for good
          try? FileManager.default.removeItem(atPath: config.url.path + "-wal")
        """)
    expect(
      "\tif true { try? FileManager.default.removeItem(at: config.url) }",
      gives: """
        \tif true {
        \t\ttry? FileManager.default.removeItem(at: config.url)
        \t\ttry? FileManager.default.removeItem(atPath: config.url.path + "-wal")
        \t\ttry? FileManager.default.removeItem(atPath: config.url.path + "-shm")
        \t}
        """)
    expect(
      "\tqueue.async {\n\t\t/* now */ try? FileManager.default.removeItem(at: config.url)\n\t}"
        .replacing("/* now */ ", with: ""),
      gives: "\n\t\ttry? FileManager.default.removeItem(atPath: config.url.path + \"-shm\")\n\t}")
  }

  @Test func lineBreaksAreThoseOfTheFile() {
    let code = """
      import SwiftData
      func reset(_ config: ModelConfiguration) {
          try? FileManager.default.removeItem(at: config.url)
      }
      let container = try? ModelContainer(for: Trip.self)
      """.replacing("\n", with: "\r\n")
    let file = Page.File(path: "Sources/App/Store.swift", code: code, isShipped: false)
    let mending = Mending([file], rule: "store-sidecars-forgotten")
    #expect(mending.code.contains("\"-wal\")\r\n    try? "))
    #expect(!mending.code.replacing("\r\n", with: "").contains("\n"))
  }

  @Test func namesInUseAreLeftAlone() {
    expect(
      """
        let suffix = "x", file = suffix
        try FileManager.default.removeItem(at: config.url)
        print(suffix, file)
      """,
      gives: """
          for ending in ["-wal", "-shm"] {
            let sidecar = config.url.path + ending
        """)
  }

  @Test func whatCannotBeWrittenAgainIsLeft() {
    expectNone("  try? FileManager.default.removeItem(at: folder().appending(path: \"a.store\"))")
    expectNone("  try! FileManager.default.removeItem(at: config.url)")
    expectNone("  let gone = (try? FileManager.default.removeItem(at: config.url)) != nil")
    expectNone("  if true { print(1); try? FileManager.default.removeItem(at: config.url) }")
    expectNone("  let done = queue.sync { try? FileManager.default.removeItem(at: config.url) }")
    expectNone("  try? FileManager.default.removeItem(at: config.url); print(1)")
  }

  @Test func copiesAndMovesAreLeft() {
    expectNone("  try FileManager.default.copyItem(at: config.url, to: folder)")
  }
}
