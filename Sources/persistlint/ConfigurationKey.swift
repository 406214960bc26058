import PersistIndex
import PersistPages
import PersistReport
import PersistRules
import PersistVersions

/// One key of the configuration: reading, checking and the JSON schema are made from these.
struct ConfigurationKey: Sendable {
  /// What may stand as a value.
  indirect enum Shape: Sendable {
    case text
    /// `open`, `Store.open`, `Store.open(at:)` or `Store`.
    case name
    case boolean
    case choice([String])
    case format
    case list(Shape)
    case record([ConfigurationKey])
    /// Names of rules and groups.
    case ruleNames
    /// Rule ids with what is to become of them.
    case rules
  }

  let name: String
  let shape: Shape
  let summary: String
  var isRequired = false
  /// Called with a value of the right shape.
  let set: @Sendable (inout Configuration, ConfigurationValue) -> Void
}

extension ConfigurationKey {
  static let all: [ConfigurationKey] = [
    ConfigurationKey(
      name: "$schema", shape: .text, summary: "The JSON schema of this file, for editors."
    ) { _, _ in },
    ConfigurationKey(
      name: "extends", shape: .text,
      summary: "The configuration that this one builds on, relative to this file."
    ) { $0.extended = $1.text },
    ConfigurationKey(
      name: "include", shape: .list(.text),
      summary: "The files to lint, as patterns of a .gitignore; all files when empty."
    ) { $0.include = $1.texts },
    ConfigurationKey(
      name: "exclude", shape: .list(.text),
      summary: "Files and folders to leave out, as patterns of a .gitignore."
    ) { $0.exclude = $1.texts },
    ConfigurationKey(
      name: "select", shape: .ruleNames,
      summary: "Judge by these rules and groups alone; --select wins over it."
    ) { $0.selected = $1.namedRules },
    ConfigurationKey(
      name: "ignore", shape: .ruleNames, summary: "Rules and groups to leave out."
    ) { $0.ignored = $1.namedRules },
    ConfigurationKey(
      name: "rules", shape: .rules, summary: "Rules that are off, on, or of another severity."
    ) { $0.rules = $1.ruleSettings },
    ConfigurationKey(
      name: "overrides", shape: .list(.record(overrideKeys)),
      summary: "Other settings for some files; the last match wins."
    ) { configuration, value in
      configuration.overrides = value.elements.map { element in
        Configuration.Override(
          patterns: element["paths"]?.texts ?? [],
          paths: PathPatterns(element["paths"]?.texts ?? [], in: configuration.folder),
          rules: element["rules"]?.ruleSettings ?? [:])
      }
    },
    ConfigurationKey(
      name: "requireReason", shape: .boolean,
      summary: "Whether a suppression needs a reason (default: true)."
    ) { $0.requiresReason = $1.truth ?? true },
    ConfigurationKey(
      name: "baseline", shape: .text, summary: "The file of accepted findings."
    ) { $0.baseline = $1.text },
    ConfigurationKey(
      name: "lock", shape: .text, summary: "The file that records which versions have shipped."
    ) { $0.lock = $1.text },
    ConfigurationKey(
      name: "released", shape: .list(.text),
      summary: "The schema versions that have shipped (default: all but the newest)."
    ) { $0.project.released = Set($1.texts) },
    ConfigurationKey(
      name: "sync", shape: .boolean,
      summary: "Whether the stores sync with CloudKit (default: as the sources say)."
    ) { $0.project.syncs = $1.truth },
    ConfigurationKey(
      name: "appGroup", shape: .boolean,
      summary: "Whether the stores are in an app group's container (default: as the sources say)."
    ) { $0.project.isInAppGroup = $1.truth },
    ConfigurationKey(
      name: "names", shape: .record(nameKeys),
      summary: "The project's own functions and types: NAME, TYPE.NAME or TYPE."
    ) { configuration, value in
      configuration.project.openers = CallNames(value["openers"]?.texts ?? [])
      configuration.project.backups = CallNames(value["backups"]?.texts ?? [])
      configuration.project.locks = CallNames(value["locks"]?.texts ?? [])
      configuration.project.assertions = CallNames(value["assertions"]?.texts ?? [])
    },
    ConfigurationKey(
      name: "formats", shape: .list(.format),
      summary: "The formats to print, each FORMAT or FORMAT:FILE."
    ) { $0.formats = $1.texts.compactMap(FormatRequest.init) },
    ConfigurationKey(
      name: "failOn", shape: .choice(Severity.allCases.map(\.rawValue)),
      summary: "The lowest severity that fails a run."
    ) { $0.failOn = $1.text.flatMap(Severity.init) },
  ]

  private static let nameKeys: [ConfigurationKey] = [
    ConfigurationKey(
      name: "openers", shape: .list(.name), summary: "What opens a store and can fail."
    ) { _, _ in },
    ConfigurationKey(
      name: "backups", shape: .list(.name), summary: "What copies a store to another place."
    ) { _, _ in },
    ConfigurationKey(
      name: "locks", shape: .list(.name), summary: "What keeps other processes out of a store."
    ) { _, _ in },
    ConfigurationKey(
      name: "assertions", shape: .list(.name),
      summary: "What asks the system for time in the background."
    ) { _, _ in },
  ]

  private static let overrideKeys: [ConfigurationKey] = [
    ConfigurationKey(
      name: "paths", shape: .list(.text), summary: "Patterns of a .gitignore.", isRequired: true
    ) { _, _ in },
    ConfigurationKey(
      name: "rules", shape: .rules, summary: "Rules that are off, on, or of another severity.",
      isRequired: true
    ) { _, _ in },
  ]
}

extension ConfigurationKey {
  /// The JSON schema of the configuration.
  static var schema: JSON {
    var schema: JSON = [
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": .string("\(Project.address)/raw/main/persistlint.schema.json"),
      "title": "Configuration of persistlint",
      // As VS Code and its like take them.
      "allowComments": true,
      "allowTrailingCommas": true,
    ]
    for (key, value) in members(of: .record(all)) { schema.add(key, value) }
    return schema
  }

  private static func schema(of shape: Shape) -> JSON {
    var schema: JSON = [:]
    for (key, value) in members(of: shape) { schema.add(key, value) }
    return schema
  }

  private static func members(of shape: Shape) -> [(String, JSON)] {
    switch shape {
    case .text: return [("type", "string"), ("minLength", .integer(1))]
    case .name: return [("type", "string"), ("pattern", #"^[^\s().]+(\.[^\s().]+)*(\(.*\))?$"#)]
    case .boolean: return [("type", "boolean")]
    case .choice(let words): return [("enum", .array(words.map { .string($0) }))]
    case .format:
      let names = OutputFormat.allCases.map(\.rawValue).joined(separator: "|")
      return [("type", "string"), ("pattern", .string("^(\(names))(:.+)?$"))]
    case .list(let element): return [("type", "array"), ("items", schema(of: element))]
    case .ruleNames:
      return [("type", "array"), ("items", schema(of: .choice(RulePage.names)))]
    case .rules:
      let words = schema(of: .choice(Configuration.RuleSetting.words))
      let rules = RulePage.names.map { name in (key: name, value: words) }
      return [
        ("type", "object"), ("properties", .object(rules)), ("additionalProperties", false),
      ]
    case .record(let keys):
      let properties = keys.map { key in
        var property = schema(of: key.shape)
        property.add("description", .string(key.summary))
        return (key: key.name, value: property)
      }
      let required = keys.filter(\.isRequired).map { JSON.string($0.name) }
      return [
        ("type", "object"), ("properties", .object(properties)),
        ("additionalProperties", false),
      ] + (required.isEmpty ? [] : [("required", .array(required))])
    }
  }
}
