/// The build settings of one configuration, the nearer over the further ones; they are looked up where
/// they were written, because a project has hundreds and few are asked for.
indirect enum BuildSettings: Sendable {
  private static let maximumSteps = 8
  private static let maximumLength = 4_096

  case values([String: String])
  /// The table of a project file.
  case table(PropertyList)
  /// Settings with those of a nearer place over them.
  case layers(BuildSettings, nearer: BuildSettings)

  init(_ values: [String: String] = [:]) { self = .values(values) }
  init(_ table: PropertyList?) { self = table.map { .table($0) } ?? .values([:]) }

  /// These settings with those of a nearer place over them.
  func overlaid(by nearer: BuildSettings) -> BuildSettings { .layers(self, nearer: nearer) }

  /// A value as it was written, with what it inherits; nil where none is set.
  private func written(_ key: String) -> String? {
    switch self {
    case .values(let values): return Self.value(key, in: values.keys) { values[$0] }
    case .table(let table):
      // Of a value under conditions, the one counts that comes first.
      var conditional: (key: String, value: String)?
      var plain: String?
      for (name, value) in table.entries where name.begins(with: key) {
        let name = name.text ?? ""
        let text = value.texts.joined(separator: " ")
        if name.utf8.count == key.utf8.count {
          plain = text
        } else if conditional.map({ name <= $0.key }) ?? true {
          conditional = (name, text)
        }
      }
      return plain ?? conditional?.value
    case .layers(let below, let nearer):
      guard let value = nearer.written(key) else { return below.written(key) }
      return value.contains("inherited") ? value.inheriting(below.written(key) ?? "") : value
    }
  }

  /// The value of a key, or else that of the first key that is the same but for a condition.
  private static func value(
    _ key: String, in keys: some Collection<String>, _ value: (String) -> String?
  ) -> String? {
    if let plain = value(key) { return plain }
    return keys.filter { $0.hasPrefix(key + "[") }.min().flatMap(value)
  }

  subscript(_ key: String) -> String? {
    written(key).map { expand($0).trimmed }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Puts the values in the place of `$(NAME)` and `${NAME}`.
  private func expand(_ value: String) -> String {
    var text = value
    for _ in 0..<Self.maximumSteps {
      guard text.contains("$"), text.utf8.count < Self.maximumLength else { break }
      let next = expandOnce(text)
      if next == text { break }
      text = next
    }
    return text
  }

  private func expandOnce(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let dollar = rest.firstIndex(of: "$") {
      result += rest[..<dollar]
      rest = rest[rest.index(after: dollar)...]
      guard let open = rest.first, open == "(" || open == "{",
        let close = rest.firstIndex(of: open == "(" ? ")" : "}")
      else {
        result += "$"
        continue
      }
      let name = rest[rest.index(after: rest.startIndex)..<close]
        .prefix { $0 != ":" }
      result += written(String(name)) ?? ""
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}

extension BuildSettings {
  var isolation: Target.DefaultIsolation {
    let flags = self["OTHER_SWIFT_FLAGS"] ?? ""
    if flags.contains("-default-isolation MainActor") { return .mainActor }
    return self["SWIFT_DEFAULT_ACTOR_ISOLATION"] == "MainActor" ? .mainActor : .nonisolated
  }

  var languageMode: Int? {
    self["SWIFT_VERSION"].flatMap { Int($0.prefix { $0 != "." }) }
  }

  var staysWithCaller: Bool {
    let flags = self["OTHER_SWIFT_FLAGS"] ?? ""
    return self["SWIFT_APPROACHABLE_CONCURRENCY"] == "YES"
      || self["SWIFT_UPCOMING_FEATURE_NONISOLATED_NONSENDING_BY_DEFAULT"] == "YES"
      || flags.contains("NonisolatedNonsendingByDefault")
  }

  var platforms: Set<Platform>? {
    let names = self["SUPPORTED_PLATFORMS"] ?? self["SDKROOT"] ?? ""
    var found = Set(names.split(separator: " ").compactMap { Platform(named: $0) })
    guard !found.isEmpty else { return nil }
    if found.contains(.iOS), self["SUPPORTS_MACCATALYST"] == "YES" { found.insert(.macCatalyst) }
    return found
  }
}

extension Target {
  /// Takes what the configurations agree on.
  mutating func take(_ configurations: [BuildSettings]) {
    guard let first = configurations.first else { return }
    let isolations = Set(configurations.map(\.isolation))
    isolation = isolations.count == 1 ? first.isolation : .unknown
    let modes = Set(configurations.map(\.languageMode))
    languageMode = modes.count == 1 ? first.languageMode : nil
    let stays = Set(configurations.map(\.staysWithCaller))
    staysWithCaller = stays.count == 1 ? first.staysWithCaller : nil
    let known = configurations.compactMap(\.platforms)
    if known.count == configurations.count { platforms = known.reduce([]) { $0.union($1) } }
  }
}

extension String {
  func inheriting(_ below: String) -> String {
    var text = self
    for mark in ["$(inherited)", "${inherited}"] {
      text = text.split(separator: mark, omittingEmptySubsequences: false).joined(separator: below)
    }
    return text
  }

  var trimmed: String {
    // The ends are ASCII in nearly all lines, and then bytes tell.
    let isPlain: (UInt8) -> Bool = { $0 > 0x20 && $0 < 0x7F }
    if let first = utf8.first, let last = utf8.last, isPlain(first), isPlain(last) { return self }
    if utf8.allSatisfy({ $0 < 0x7F && $0 != 0x0C && ($0 >= 0x20 || $0 == 0x09) }) {
      let isSpace: (UInt8) -> Bool = { $0 <= 0x20 }
      let start = utf8.firstIndex { !isSpace($0) } ?? endIndex
      let end = utf8.lastIndex { !isSpace($0) }.map { utf8.index(after: $0) } ?? start
      return String(self[start..<end])
    }
    let isSpace: (Character) -> Bool = { $0.isWhitespace }
    return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}
