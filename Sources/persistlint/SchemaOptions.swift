import PersistSchema

/// How `schema show` prints.
enum SchemaFormat: String, CaseIterable, Sendable {
  case text, json, mermaid, dot, html
}

extension Option {
  /// What tells which versions have shipped.
  static let base: [Option] = [
    lock,
    Option(
      name: "against", value: Value(name: "REF"),
      summary: "Compare with a commit, branch, tag or folder as what has shipped."
    ) { options, value in options.against = value },
    Option(
      name: "against-release", value: Value(name: "PATTERN"),
      summary: "Compare with the newest matching tag, including its newest version."
    ) { options, value in options.againstRelease = value },
  ]

  static let schema: [Option] = [
    Option(
      name: "format",
      value: Value(name: "FORMAT", choices: SchemaFormat.allCases.map(\.rawValue)),
      summary: "Print the versions in this format (default: text)."
    ) { options, value throws(CommandError) in
      guard let format = SchemaFormat(rawValue: value) else {
        let words = SchemaFormat.allCases.map(\.rawValue)
        throw CommandError.usage(
          "'\(value)' is not a value of --format\(choice(for: value, in: words))")
      }
      options.schemaFormat = format
    },
    Option(
      name: "only", value: Value(name: "VERSION"),
      summary: "Draw only this version, with all its models; may be repeated."
    ) { options, value in
      options.diagramVersions += value.split(separator: ",").map(String.init)
    },
    lock, configuration,
  ]

  static let freeze: [Option] = [
    Option(
      name: "all", summary: "Freeze the newest version too, for a release."
    ) { options, _ in options.freezesAll = true },
    Option(
      name: "again", summary: "Rewrite versions that are frozen already."
    ) { options, _ in options.freezesAgain = true },
    Option(
      name: "from-store", value: Value(name: "FILE"),
      summary: "Freeze the version that wrote this store, as it is in the store."
    ) { options, value in options.fromStore = value },
    Option(
      name: "tests", value: Value(name: "FILE"),
      summary:
        "Write tests that create a store with each frozen version and open it with the newest."
    ) { options, value in options.testsFile = value },
    Option(
      name: "module", value: Value(name: "NAME"),
      summary: "The module that the tests import (default: the target of the versions)."
    ) { options, value in options.testsModule = value },
    Option(
      name: "check", summary: "Exit with 1 if the tests in FILE are out of date; write nothing."
    ) { options, _ in options.checksTests = true },
    lock, configuration,
  ]

  static let store: [Option] = [
    Option(
      name: "format", value: Value(name: "FORMAT", choices: StoreFormat.allCases.map(\.rawValue)),
      summary: "Print the store in this format (default: text)."
    ) { options, value throws(CommandError) in
      guard let format = StoreFormat(rawValue: value) else {
        let words = StoreFormat.allCases.map(\.rawValue)
        throw CommandError.usage(
          "'\(value)' is not a value of --format\(choice(for: value, in: words))")
      }
      options.storeFormat = format
    },
    Option(
      name: "error", value: Value(name: "TEXT"),
      summary: "Explain a log line or crash report, and name the code that leads there."
    ) { options, value in options.errorText = value },
    configuration,
  ]

  private static let lock = Option(
    name: "lock", value: Value(name: "FILE"),
    summary: "The file that records which versions have shipped (default: \(LockFile.name))."
  ) { options, value in options.lock = value }
}
