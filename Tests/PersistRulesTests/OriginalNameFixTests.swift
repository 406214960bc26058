import Testing

/// The old name goes where the property's attribute has it, when the lock knows that it shipped.
@Suite struct OriginalNameFixTests {
  private func file(_ property: String, isShipped: Bool) -> Page.File {
    Page.File(
      path: "Sources/App/Trip.swift",
      code: """
        import SwiftData
        @Model final class Trip {
          var day: Date?
          \(property)
          init() {}
        }
        let container = Result { try ModelContainer(for: Trip.self) }
        """, isShipped: isShipped)
  }

  private func mended(_ old: String, _ new: String, isSafe: Bool = true) -> Mending {
    Mending(
      [file(old, isShipped: true), file(new, isShipped: false)],
      rule: "renamed-without-original-name", isSafe: isSafe)
  }

  @Test(arguments: [
    ("", "", "@Attribute(originalName: \"name\") "),
    ("@Attribute ", "@Attribute ", "@Attribute(originalName: \"name\") "),
    ("@Attribute() ", "@Attribute() ", "@Attribute(originalName: \"name\") "),
    (
      "@Attribute(.unique) ", "@Attribute(.unique) ",
      "@Attribute(.unique, originalName: \"name\") "
    ),
    (
      "@Attribute(.unique, .spotlight, hashModifier: \"2\")\n  ",
      "@Attribute(.unique, .spotlight, hashModifier: \"2\")\n  ",
      "@Attribute(.unique, .spotlight, originalName: \"name\", hashModifier: \"2\")\n  "
    ),
    (
      "@Attribute(\n    .unique,\n    .spotlight\n  ) ",
      "@Attribute(\n    .unique,\n    .spotlight\n  ) ",
      "@Attribute(\n    .unique,\n    .spotlight,\n    originalName: \"name\"\n  ) "
    ),
    (
      "@available(macOS 14, *) private(set) ", "@available(macOS 14, *) private(set) ",
      "@available(macOS 14, *) @Attribute(originalName: \"name\") private(set) "
    ),
  ])
  func attributeTakesTheName(old: String, new: String, expected: String) {
    let mending = mended("\(old)var name = \"\"", "\(new)var fullName = \"\"  // new")
    #expect(
      mending.code.contains("\n  \(expected)var fullName = \"\"  // new\n"), "\(mending.code)")
    #expect(mending.rounds == 1 && mending.left.isEmpty && parses(mending.code))
  }

  @Test func relationshipTakesTheName() {
    let mending = mended(
      "@Relationship(deleteRule: .cascade, inverse: \\Trip.parentTrip) var legs: [Trip] = []\n"
        + "var parentTrip: Trip?",
      "@Relationship(deleteRule: .cascade, inverse: \\Trip.parentTrip) var tripLegs: [Trip] = []\n"
        + "var parentTrip: Trip?")
    #expect(
      mending.code.contains(
        "@Relationship(deleteRule: .cascade, originalName: \"legs\", inverse: \\Trip.parentTrip)"),
      "\(mending.code)")
    let fresh = mended("var next: Trip?", "var nextTrip: Trip?")
    #expect(fresh.code.contains("  @Relationship(originalName: \"next\") var nextTrip: Trip?"))
  }

  @Test func attributesStandWhereTheModelPutsThem() {
    let above = "@Attribute(.unique)\n  var id = 0\n  "
    let mending = mended(above + "var name = \"\"", above + "var fullName = \"\"")
    #expect(
      mending.code.contains("\n  @Attribute(originalName: \"name\")\n  var fullName = \"\"\n"),
      "\(mending.code)")
  }

  @Test func namesThatAreNotAlikeAreAGuess() {
    let sure = mended("var destination = \"\"", "var label = \"\"")
    #expect(sure.rounds == 0 && !sure.left.isEmpty)
    let guess = mended("var destination = \"\"", "var label = \"\"", isSafe: false)
    #expect(guess.rounds == 1 && guess.left.isEmpty)
  }

  @Test func valuesThatMayBeMissingAreNotPutInARequiredProperty() {
    let mending = mended("var name: String?", "var fullName: String")
    #expect(mending.rounds == 0, "\(mending.code)")
  }
}
