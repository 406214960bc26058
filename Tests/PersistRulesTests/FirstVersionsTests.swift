import Testing

/// Models that had no version get two when a change of them needs a stage.
@Suite struct FirstVersionsTests {
  private func app(_ property: String, more: String = "") -> String {
    """
    import SwiftData

    @Model final class Trip {
      \(property)
      var stops: [Stop] = []
      init() {}
    }

    @Model final class Stop {
      var trip: Trip?
      init() {}
    }

    let container = Result { try ModelContainer(for: Trip.self, Stop.self) }
    \(more)

    """
  }

  private func mended(_ before: String, _ after: String) -> Mending {
    let path = "Sources/App/Trip.swift"
    return Mending(
      [
        Page.File(path: path, code: before, isShipped: true),
        Page.File(path: path, code: after, isShipped: false),
      ], rule: "lightweight-migration-impossible", isSafe: false)
  }

  @Test func valuesThatBecomeRequiredAreFilledBefore() {
    let mending = mended(app("var name: String?"), app("var name: String"))
    #expect(mending.rounds == 1 && mending.left.isEmpty && parses(mending.code))
    #expect(
      mending.code.contains(
        """

        enum SchemaV1: VersionedSchema {
          static let versionIdentifier = Schema.Version(1, 0, 0)
          static var models: [any PersistentModel.Type] { [Stop.self, Trip.self] }

          @Model final class Stop {
            var trip: Trip?

            init() {}
          }

          @Model final class Trip {
            var stops: [Stop] = []
            var name: String?
        """) || mending.code.contains("    var name: String?\n    var stops: [Stop] = []\n"),
      "\(mending.code)")
    #expect(mending.code.contains("        willMigrate: { context in\n"))
    #expect(
      mending.code.contains(
        "ModelContainer(for: Trip.self, Stop.self, migrationPlan: AppMigrationPlan.self)"))
  }

  @Test func whatNoStageCanDoIsLeft() {
    let mending = mended(app("var day = \"\""), app("var day = 0"))
    #expect(mending.rounds == 0 && !mending.left.isEmpty, "\(mending.code)")
  }

  @Test func namesInUseAreLeftAlone() {
    let more = "enum SchemaV1 {}"
    let mending = mended(
      app("var name: String?", more: more), app("var name: String", more: more))
    #expect(mending.rounds == 0 && !mending.left.isEmpty, "\(mending.code)")
  }
}
