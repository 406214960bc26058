import Foundation
import Testing

@Suite struct InputTests {
  let folder: Folder

  init() throws { folder = try Folder() }

  @Test func productsAndCheckoutsAreNotEntered() throws {
    try folder.write("App/a.swift", "")
    for name in [
      ".build", "DerivedData", "Pods", "Carthage", ".git", "SourcePackages", "node_modules",
      ".agents/templates",
    ] {
      try folder.write("App/\(name)/b.swift", "")
    }
    try folder.write("App/c.txt", "")
    #expect(try persistlint(in: folder).errors.hasPrefix("1 file,"))
    #expect(try persistlint("App/.build", in: folder).errors.hasPrefix("1 file,"))
  }

  @Test func linkLoopsEndAndLinkedFilesCountOnce() throws {
    try folder.write("App/a.swift", "")
    try folder.link("App/loop", to: "..")
    try folder.link("App/self", to: ".")
    try folder.link("App/again.swift", to: "a.swift")
    try folder.link("App/nowhere.swift", to: "gone.swift")
    let run = try persistlint(".", "App", "App/a.swift", in: folder)
    #expect(run.exitCode == 0)
    #expect(run.errors.hasPrefix("1 file,"))
  }

  @Test func fileThatIsNotUTF8IsAWarningAndTheRestIsLinted() throws {
    try folder.write("bad.swift", Data([0x6C, 0xFF, 0xFE]))
    try folder.write("good.swift", "let x = 1\n")
    let run = try persistlint(in: folder)
    #expect(run.exitCode == 0)
    #expect(
      run.errors.contains(
        "persistlint: warning: bad.swift was left out: not UTF-8; save it as UTF-8"))
    #expect(run.errors.contains("\n1 file,"))
  }

  @Test(
    arguments: [
      [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x80, 0x80, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80], [0xE2, 0x82], [0xFF],
    ] as [[UInt8]])
  func malformedCharactersAreNotUTF8(bytes: [UInt8]) throws {
    try folder.write("bad.swift", Data("let x = 123456789".utf8) + Data(bytes))
    #expect(try persistlint(in: folder).errors.contains("bad.swift was left out: not UTF-8"))
  }

  @Test func everyKindOfCharacterIsUTF8() throws {
    try folder.write(
      "good.swift", "// \u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}")
    #expect(try persistlint(in: folder).errors.hasPrefix("1 file,"))
  }

  @Test func unreadableFilesAndFoldersAreWarnings() throws {
    let file = try folder.write("Locked.swift", "")
    try folder.write("Locked/a.swift", "")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.path)
    let locked = folder.url.appendingPathComponent("Locked")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: locked.path)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: locked.path)
    }
    // The superuser reads everything.
    guard getuid() != 0 else { return }
    let run = try persistlint(in: folder)
    #expect(run.exitCode == 0)
    #expect(run.errors.contains("Locked.swift was left out: Permission denied"))
    #expect(run.errors.contains("Locked was left out: Permission denied"))
  }

  @Test func pathsWithoutSwiftAreRefused() throws {
    try folder.write("a.txt", "")
    let run = try persistlint("a.txt", "/dev/null", in: folder)
    #expect(run.exitCode == 2)
    #expect(run.errors.contains("no Swift file in a.txt, /dev/null, so nothing was looked at"))
  }

  @Test func standardInputIsLintedAsTheNamedFile() throws {
    let run = try persistlint(
      "-", "--stdin-filename", "App/a.swift", in: folder, input: "let x = 1\n")
    #expect(run.exitCode == 0)
    #expect(run.errors.hasPrefix("1 file,"))
  }

  @Test func namesOfAllKindsAreFound() throws {
    for name in ["a b.swift", "Ä🗻.swift", "-x.swift", "x\ny.swift", "%41.swift", ".hidden.swift"] {
      try folder.write("App/\(name)", "")
    }
    #expect(try persistlint(in: folder).errors.hasPrefix("6 files,"))
  }

  @Test func closedPipeIsNoDefect() throws {
    try folder.write("a.swift", "")
    let script = "'\(productsFolder.path)/persistlint' --format sarif | true; echo ${PIPESTATUS[0]}"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = folder.url
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    process.waitUntilExit()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(text == "0\n")
  }

  @Test(
    arguments: [
      ["Sub/bad.swift"], ["./Sub/bad.swift"], ["good.swift", "Sub/bad.swift"], ["link.swift"],
      ["Sub/bad.swift", "--alone"], ["Sub", "Sub/bad.swift"], ["--files-from", "list.txt"], ["-"],
    ])
  func aNamedFileThatIsNotUTF8IsRefused(arguments: [String]) throws {
    try folder.write("Sub/bad.swift", Data([0x6C, 0xFF, 0xFE]))
    try folder.write("good.swift", "let x = 1\n")
    try folder.write("list.txt", "Sub/bad.swift\n")
    try folder.link("link.swift", to: "Sub/bad.swift")
    let script =
      "'\(productsFolder.path)/persistlint' \(arguments.joined(separator: " ")) < Sub/bad.swift 2>&1"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = folder.url
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 2)
    let name = arguments == ["-"] ? "standard input" : "Sub/bad.swift"
    #expect(text == "persistlint: error: \(name): not UTF-8; save it as UTF-8\n")
  }

  @Test(
    arguments: [
      ("func a() {\n}\n}\n", "3:1: ", "nothing is open that `}` closes"),
      ("let x = foo(1\n", "1:12: ", "`(` is never closed"),
      ("class A {\n  func f() {\n    g()\n  func h() {\n  }\n}\n", "2:12: ", "`{` is never closed"),
      ("import SwiftData\n<<<<<<< HEAD\nlet x = 1\n", "2:1: ", "nothing that Swift knows"),
    ])
  func brokenSyntaxIsOneNoticeWithItsPlace(code: String, place: String, reason: String) throws {
    try folder.write("App/a.swift", code)
    try folder.write("App/b.swift", "let x = 1\n")
    let run = try persistlint(in: folder)
    #expect(run.exitCode == 0)
    #expect(
      run.errors.hasPrefix(
        "persistlint: warning: App/a.swift:\(place)the syntax is broken here, so this file is "
          + "judged only in part: \(reason)\n2 files,"))
  }
}
