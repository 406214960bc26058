import Foundation

/// What a run of the built command left behind.
struct Outcome {
  let exitCode: Int32
  let output: String
  let errors: String
}

/// Runs the command that was built beside the tests, in this folder and with these words.
func persistlint(
  _ arguments: String..., in folder: Folder, input: String = "", environment: [String: String] = [:]
) throws -> Outcome {
  try persistlint(arguments, in: folder, input: input, environment: environment)
}

func persistlint(
  _ arguments: [String], in folder: Folder, input: String = "", environment: [String: String] = [:]
) throws -> Outcome {
  let process = Process()
  process.executableURL = productsFolder.appendingPathComponent("persistlint")
  process.arguments = arguments
  process.currentDirectoryURL = folder.url
  process.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
  let output = try folder.capture("output")
  let errors = try folder.capture("errors")
  process.standardOutput = try FileHandle(forWritingTo: output)
  process.standardError = try FileHandle(forWritingTo: errors)
  let given = try folder.capture("input")
  try Data(input.utf8).write(to: given)
  process.standardInput = try FileHandle(forReadingFrom: given)
  try process.run()
  process.waitUntilExit()
  return Outcome(
    exitCode: process.terminationStatus,
    output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
    errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
}

/// The folder of the built products.
let productsFolder: URL = {
  let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
  let tests = bundle?.bundleURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
  return tests.deletingLastPathComponent()
}()

struct GitFailure: Error {
  let arguments: [String]
}

/// A folder of its own for one test, gone when the test is.
final class Folder {
  let url: URL
  private let captures: URL

  /// A folder of the checkout, seen from a folder that is there to capture what is printed.
  func checkout(_ path: String) -> Folder {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return Folder(url: root.appendingPathComponent(path), captures: captures, owner: self)
  }

  /// A folder inside this one, which goes when this one does.
  func inner(_ name: String) -> Folder {
    Folder(url: url.appendingPathComponent(name), captures: captures, owner: self)
  }

  private let owner: Folder?

  private init(url: URL, captures: URL, owner: Folder) {
    self.url = url
    self.captures = captures
    self.owner = owner
  }

  init() throws {
    owner = nil
    let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("persistlint-\(UUID().uuidString)")
    url = base.appendingPathComponent("project")
    captures = base.appendingPathComponent("captures")
    for folder in [url, captures] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
  }

  deinit {
    guard owner == nil else { return }
    try? FileManager.default.removeItem(at: url.deletingLastPathComponent())
  }

  /// What git prints, run in this folder without the settings of whoever runs the tests.
  @discardableResult
  func git(_ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git"] + arguments
    process.currentDirectoryURL = url
    process.environment = [
      "PATH": "/usr/bin:/bin", "HOME": url.path, "GIT_CONFIG_NOSYSTEM": "1",
      "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a",
      "GIT_COMMITTER_EMAIL": "a@b",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw GitFailure(arguments: arguments) }
    return String(decoding: data, as: UTF8.self)
  }

  /// Writes a file and the folders above it.
  @discardableResult
  func write(_ path: String, _ text: String) throws -> URL {
    try write(path, Data(text.utf8))
  }

  @discardableResult
  func write(_ path: String, _ data: Data) throws -> URL {
    let file = url.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
    return file
  }

  func link(_ path: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: url.appendingPathComponent(path).path, withDestinationPath: target)
  }

  func read(_ path: String) throws -> String {
    try String(contentsOf: url.appendingPathComponent(path), encoding: .utf8)
  }

  /// What lies in the folder itself, sorted.
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }

  fileprivate func capture(_ name: String) throws -> URL {
    let file = captures.appendingPathComponent("\(name)-\(UUID().uuidString)")
    try Data().write(to: file)
    return file
  }
}
