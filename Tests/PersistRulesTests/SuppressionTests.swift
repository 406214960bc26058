import PersistIndex
import PersistRules
import PersistSyntax
import PersistVersions
import Testing

/// Two findings of one rule, `V1` and `V2`, and comments that keep them from being reported.
@Suite struct SuppressionTests {
  private static let rule = "schema-version-uses-live-model"

  /// The findings' names that are left, after the lines were put before `V1`, `V2` and at the end.
  private func left(first: String = "", second: String = "", last: String = "") -> [String] {
    let code = """
      import SwiftData
      @Model final class Item { var name = "" }
      \(first)
      enum V1: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Item.self] }
      }
      \(second)
      enum V2: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Item.self, Other.self] }
      }
      \(last)
      enum V3: VersionedSchema {
        static var models: [any PersistentModel.Type] { [Item.self, Other.self, Third.self] }
      }
      @Model final class Other { var name = "" }
      @Model final class Third { var name = "" }
      enum Plan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self, V3.self] }
        static var stages: [MigrationStage] {
          [.lightweight(fromVersion: V1.self, toVersion: V2.self),
           .lightweight(fromVersion: V2.self, toVersion: V3.self)]
        }
      }
      """
    let file = SourceFile(path: "a.swift", outline: Outline(SourceText(code)))
    let program = Program([file])
    let ids: Set<RuleID> = [RuleID(SuppressionTests.rule), "invalid-suppression"]
    return program.judge(Registry.check(program, ids: ids)).findings.map { finding in
      finding.rule.text == SuppressionTests.rule ? finding.symbol : finding.message
    }
  }

  @Test func withoutCommentsBothAreLeft() {
    #expect(left() == ["V1", "V2"])
  }

  @Test func lineCommentIsForTheNextLine() {
    let comment = "// persistlint:ignore[\(SuppressionTests.rule)] never shipped"
    #expect(left(first: comment) == ["V2"])
  }

  @Test func fileCommentIsForTheFileWhereverItStands() {
    let comment = "// persistlint:ignore-file[\(SuppressionTests.rule)] never shipped"
    #expect(left(first: comment) == [])
    #expect(left(last: comment) == [])
  }

  @Test func rangeIsForTheLinesBetween() {
    let begin = "// persistlint:ignore-begin[\(SuppressionTests.rule)] never shipped"
    let end = "// persistlint:ignore-end"
    #expect(left(first: begin, second: end) == ["V2"])
    #expect(left(first: begin, last: end + "[\(SuppressionTests.rule)]") == [])
    #expect(left(second: begin, last: end) == ["V1"])
  }

  @Test func rangeWithoutItsOtherEndIsReported() {
    let begin = "/* persistlint:ignore-begin[\(SuppressionTests.rule)] never shipped */"
    let open = left(first: begin)
    #expect(open.count == 1 && open[0].hasPrefix("everything below is silenced too"))
    let other = left(first: begin, second: "// persistlint:ignore-end[frozen-schema-edited]")
    #expect(other.count == 2)
    let end = left(first: "// persistlint:ignore-end")
    #expect(end[0].hasPrefix("there is no `persistlint:ignore-begin`"))
  }

  @Test func whatSilencesNothingIsReported() {
    let begin = "// persistlint:ignore-begin[\(SuppressionTests.rule)] never shipped"
    let found = left(second: begin + "\n// persistlint:ignore-end")
    #expect(found.count == 3 && found.contains { $0.hasPrefix("there is no finding of") })
  }

  @Test func narrowestOneCounts() {
    let file = "// persistlint:ignore-file[\(SuppressionTests.rule)] never shipped"
    let line = "// persistlint:ignore[\(SuppressionTests.rule)] a test version"
    #expect(left(first: file, second: line) == [], "both silence one")
  }
}
