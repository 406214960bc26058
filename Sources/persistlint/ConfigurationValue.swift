import PersistPages
import PersistRules

/// A value of a configuration as it was written.
enum ConfigurationValue: Sendable {
  case null
  case boolean(Bool)
  case number(Double)
  case string(String)
  case list([ConfigurationValue])
  case record([String: ConfigurationValue])
}

extension ConfigurationValue {
  var text: String? { if case .string(let text) = self { text } else { nil } }

  var truth: Bool? { if case .boolean(let value) = self { value } else { nil } }

  var elements: [ConfigurationValue] { if case .list(let values) = self { values } else { [] } }

  var texts: [String] { elements.compactMap(\.text) }

  var members: [String: ConfigurationValue] {
    if case .record(let members) = self { members } else { [:] }
  }

  subscript(_ key: String) -> ConfigurationValue? { members[key] }

  var namedRules: Set<RuleID> {
    Set(texts.flatMap { RulePage.rules(named: $0) ?? [] })
  }

  var ruleSettings: [RuleID: Configuration.RuleSetting] {
    var settings: [RuleID: Configuration.RuleSetting] = [:]
    // A rule's own setting counts before that of its group.
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      let isGroup = RulePage.groups.contains(name)
      for rule in RulePage.rules(named: name) ?? [RuleID(name)]
      where !isGroup || members[rule.text] == nil {
        let setting = value.text.flatMap(Configuration.RuleSetting.init)
        // What is said of a group leaves rules alone that are off by default.
        if isGroup, setting == .on || RulePage.isOff(rule) { continue }
        settings[rule] = setting
      }
    }
    return settings
  }

  /// What the value is, for people.
  private var noun: String {
    switch self {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .number(let value): Int(exactly: value).map(String.init) ?? "\(value)"
    case .string(let text): "'\(text)'"
    case .list: "a list"
    case .record: "an object"
    }
  }
}

/// Why a value has the wrong shape, and by which keys and indices it is reached.
struct ConfigurationMistake: Error {
  let path: [String]
  /// The string that is wrong in a list; "" for the value or key as a whole.
  var value = ""
  let reason: String
}

extension ConfigurationValue {
  /// Throws at the first place where the value has another shape.
  func check(
    _ shape: ConfigurationKey.Shape, at path: [String] = []
  ) throws(ConfigurationMistake) {
    switch shape {
    case .text:
      if text?.isEmpty ?? true { throw mistake(at: path, "a string that isn't empty") }
    case .name:
      guard let text, text.isCallName else {
        throw mistake(at: path, "the name of a function or type, such as 'Store.open'")
      }
    case .boolean:
      if truth == nil { throw mistake(at: path, "true or false") }
    case .choice(let words):
      guard let text else { throw mistake(at: path, "one of \(words.joined(separator: ", "))") }
      try check(text, among: words, at: path)
    case .format:
      guard let text else { throw mistake(at: path, "a format") }
      let name = text.split(separator: ":", maxSplits: 1).first.map(String.init) ?? ""
      try check(name, among: OutputFormat.allCases.map(\.rawValue), at: path)
    case .list(let element):
      guard case .list(let values) = self else { throw mistake(at: path, "a list") }
      for (index, value) in values.enumerated() {
        try value.check(element, at: path + [String(index)])
      }
    case .ruleNames:
      guard case .list(let values) = self else { throw mistake(at: path, "a list") }
      for value in values {
        guard let name = value.text else {
          throw value.mistake(at: path, "the name of a rule or group")
        }
        guard !RulePage.names.contains(name) else { continue }
        throw ConfigurationMistake(
          path: path, value: name,
          reason: "no rule or group is called '\(name)'\(suggestion(for: name, in: RulePage.names))"
        )
      }
    case .record(let keys): try checkRecord(keys, at: path)
    case .rules:
      guard case .record(let members) = self else { throw mistake(at: path, "an object") }
      let ids = RulePage.names
      for (rule, value) in members.sorted(by: { $0.key < $1.key }) {
        try checkKey(rule, "rule or group", among: ids, at: path)
        try value.check(.choice(Configuration.RuleSetting.words), at: path + [rule])
      }
    }
  }

  private func checkRecord(
    _ keys: [ConfigurationKey], at path: [String]
  ) throws(ConfigurationMistake) {
    guard case .record(let members) = self else { throw mistake(at: path, "an object") }
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      try checkKey(name, "key", among: keys.map(\.name), at: path)
      if let key = keys.first(where: { $0.name == name }) {
        try value.check(key.shape, at: path + [name])
      }
    }
    if let missing = keys.first(where: { $0.isRequired && members[$0.name] == nil }) {
      throw ConfigurationMistake(path: path, reason: "'\(missing.name)' is missing here")
    }
  }

  private func checkKey(
    _ word: String, _ noun: String, among words: [String], at path: [String]
  ) throws(ConfigurationMistake) {
    guard !words.contains(word) else { return }
    throw ConfigurationMistake(
      path: path + [word],
      reason: "no \(noun) is called '\(word)'\(suggestion(for: word, in: words))"
    )
  }

  private func check(
    _ word: String, among words: [String], at path: [String]
  ) throws(ConfigurationMistake) {
    guard !words.contains(word) else { return }
    let near = suggestion(for: word, in: words)
    let choice = near.isEmpty ? "; it must be one of \(words.joined(separator: ", "))" : near
    throw ConfigurationMistake(path: path, reason: "'\(word)' is not allowed here\(choice)")
  }

  private func mistake(at path: [String], _ expected: String) -> ConfigurationMistake {
    ConfigurationMistake(path: path, reason: "expected \(expected), found \(noun)")
  }
}

extension String {
  /// Whether this is a name with the names of types before it, and maybe parameters behind.
  fileprivate var isCallName: Bool {
    let end = firstIndex(of: "(")
    let names = self[..<(end ?? endIndex)].split(separator: ".", omittingEmptySubsequences: false)
    return (end == nil || hasSuffix(")"))
      && names.allSatisfy { !$0.isEmpty && !$0.contains(where: \.isWhitespace) }
  }
}
