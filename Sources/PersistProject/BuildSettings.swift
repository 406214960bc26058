/// The build settings of one configuration, the nearer over the further ones.
struct BuildSettings: Sendable, Equatable {
  private static let maximumSteps = 8
  private static let maximumLength = 4_096

  /// Values by their names, conditions in brackets left out.
  private(set) var values: [String: String] = [:]

  init(_ values: [String: String] = [:]) {
    for (key, value) in values.sorted(by: { $0.key < $1.key }) { set(key, value) }
  }

  /// Sets a value; one under a condition counts only where there is none without.
  mutating func set(_ key: String, _ value: String) {
    guard let bracket = key.firstIndex(of: "[") else {
      values[key] = value
      return
    }
    let plain = String(key[..<bracket])
    if values[plain] == nil { values[plain] = value }
  }

  /// These settings with those of a nearer place over them.
  func overlaid(by nearer: BuildSettings) -> BuildSettings {
    var result = self
    for (key, value) in nearer.values {
      let below = values[key] ?? ""
      result.values[key] = value.contains("inherited") ? value.inheriting(below) : value
    }
    return result
  }

  subscript(_ key: String) -> String? {
    values[key].map { expand($0).trimmed }.flatMap { $0.isEmpty ? nil : $0 }
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
      result += values[String(name)] ?? ""
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
  fileprivate func inheriting(_ below: String) -> String {
    var text = self
    for mark in ["$(inherited)", "${inherited}"] {
      text = text.split(separator: mark, omittingEmptySubsequences: false).joined(separator: below)
    }
    return text
  }

  var trimmed: String {
    let isSpace: (Character) -> Bool = { $0.isWhitespace }
    return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
  }
}
