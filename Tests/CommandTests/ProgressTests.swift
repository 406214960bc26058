import Foundation
import Testing

@testable import persistlint

/// A long run says at a terminal how far it is, and leaves nothing of that there.
@Suite struct ProgressTests {
  @Test func countsAreReadAtAGlance() {
    #expect(Progress.text("", 1240, of: 4056, "files") == "1,240 of 4,056 files")
    #expect(Progress.text("7 files", 3, of: 80, "rules") == "7 files, 3 of 80 rules")
    #expect(Progress.text("reading", 3, of: 0, "") == "reading")
    #expect([0, 999, 1000, 1_234_567].map(Progress.grouped) == ["0", "999", "1,000", "1,234,567"])
  }

  @Test func limitsOfTheAnalysisAreSaidInPlainWords() {
    #expect(ReportOutput.remark(onLimits: 0).isEmpty)
    #expect(
      ReportOutput.remark(onLimits: 2)
        == "some code is too complex to follow to its end, so findings may be missing there\n")
  }

  /// Runs the command with input that comes after so many seconds, and prints what standard error
  /// gets, which is a terminal if the third argument says so.
  private static let script = """
    import os, pty, subprocess, sys, time
    command, seconds, wants_terminal = sys.argv[1], float(sys.argv[2]), sys.argv[3] == "true"
    reader, writer = pty.openpty() if wants_terminal else os.pipe()
    process = subprocess.Popen([command, "-"], stdin=subprocess.PIPE, stderr=writer,
                               stdout=subprocess.DEVNULL, env={"TERM": "xterm"})
    time.sleep(seconds)
    process.communicate(b"let x = 1\\n")
    os.close(writer)
    try:
      while part := os.read(reader, 1 << 16): sys.stdout.buffer.write(part)
    except OSError:
      pass  # a terminal on Linux ends with an error
    """

  private func errors(afterSeconds seconds: Int, atTerminal: Bool) throws -> String {
    let folder = try Folder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c", ProgressTests.script,
      productsFolder.appendingPathComponent("persistlint").path, "\(seconds)", "\(atTerminal)",
    ]
    process.currentDirectoryURL = folder.url
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  @Test func aLongRunShowsProgressAndTakesItAway() throws {
    let text = try errors(afterSeconds: 4, atTerminal: true)
    #expect(text.hasPrefix("\r\u{1B}[Kpersistlint: reading the sources…"))
    let last = try #require(text.components(separatedBy: "\r\u{1B}[K").last)
    #expect(last.hasPrefix("1 file,"))
  }

  @Test func aShortRunAndAPipeShowNothing() throws {
    #expect(try errors(afterSeconds: 0, atTerminal: true).hasPrefix("1 file,"))
    #expect(try errors(afterSeconds: 3, atTerminal: false).hasPrefix("1 file,"))
  }
}
