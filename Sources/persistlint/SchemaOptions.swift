import PersistSchema

/// How `schema show` prints.
enum SchemaFormat: String, CaseIterable, Sendable {
  case text, json, mermaid, dot
}

extension Option {
  /// What tells which versions have shipped.
  static let base: [Option] = [
    lock,
    Option(
      name: "against", value: Value(name: "REF"),
      summary: "Take what a commit, branch, tag or folder holds for what has shipped."
    ) { options, value in options.against = value },
    Option(
      name: "against-release", value: Value(name: "PATTERN"),
      summary: "The same with the newest tag that matches, its newest version included."
    ) { options, value in options.againstRelease = value },
  ]

  static let schema: [Option] = [
    Option(
      name: "format",
      value: Value(name: "FORMAT", choices: SchemaFormat.allCases.map(\.rawValue)),
      summary: "Print the versions in this form (default: text)."
    ) { options, value throws(CommandError) in
      guard let format = SchemaFormat(rawValue: value) else {
        let words = SchemaFormat.allCases.map(\.rawValue)
        throw CommandError.usage(
          "'\(value)' is no value of --format\(choice(for: value, in: words))")
      }
      options.schemaFormat = format
    },
    Option(
      name: "only", value: Value(name: "VERSION"),
      summary: "Draw this version, and no others but those named likewise, with all its models."
    ) { options, value in
      options.diagramVersions += value.split(separator: ",").map(String.init)
    },
    lock, configuration,
  ]

  static let freeze: [Option] = [
    Option(
      name: "all", summary: "Freeze the newest version too, as at a release."
    ) { options, _ in options.freezesAll = true },
    Option(
      name: "again", summary: "Rewrite versions that are frozen already."
    ) { options, _ in options.freezesAgain = true },
    Option(
      name: "from-store", value: Value(name: "FILE"),
      summary: "Freeze the version that wrote this store, as the store holds it."
    ) { options, value in options.fromStore = value },
    Option(
      name: "tests", value: Value(name: "FILE"),
      summary: "Write tests that make a store by each frozen version and open it by the newest."
    ) { options, value in options.testsFile = value },
    Option(
      name: "module", value: Value(name: "NAME"),
      summary: "The module that the tests import (default: the target of the versions)."
    ) { options, value in options.testsModule = value },
    Option(
      name: "check", summary: "Exit with 1 when the tests in FILE are out of date; write nothing."
    ) { options, _ in options.checksTests = true },
    lock, configuration,
  ]

  static let store: [Option] = [
    Option(
      name: "format", value: Value(name: "FORMAT", choices: StoreFormat.allCases.map(\.rawValue)),
      summary: "Print the store in this form (default: text)."
    ) { options, value throws(CommandError) in
      guard let format = StoreFormat(rawValue: value) else {
        let words = StoreFormat.allCases.map(\.rawValue)
        throw CommandError.usage(
          "'\(value)' is no value of --format\(choice(for: value, in: words))")
      }
      options.storeFormat = format
    },
    Option(
      name: "error", value: Value(name: "TEXT"),
      summary: "Say what a log line or crash text means, and name the code that leads there."
    ) { options, value in options.errorText = value },
    configuration,
  ]

  private static let lock = Option(
    name: "lock", value: Value(name: "FILE"),
    summary: "The file that tells which versions have shipped (default: \(LockFile.name))."
  ) { options, value in options.lock = value }
}
