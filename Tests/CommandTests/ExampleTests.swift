import Foundation
import Testing

/// Each example app has, beside its sources, exactly what the command prints of it.
@Suite struct ExampleTests {
  @Test(arguments: ["TripLog", "FieldNotes", "RideLog", "RideLogEdited"])
  func theExpectedFindingsAreThoseThatArePrinted(app: String) throws {
    let folder = try Folder()
    let example = folder.checkout("Examples/\(app)")
    let expected = try String(
      contentsOf: example.url.appendingPathComponent("expected.txt"), encoding: .utf8)
    let outcome = try persistlint("Sources", in: example)
    #expect(outcome.output == expected)
    #expect(outcome.exitCode == (expected.contains(": error: ") ? 1 : 0))
  }
}
