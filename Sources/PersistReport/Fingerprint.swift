import PersistRules

/// What makes a finding the same one tomorrow: its rule and symbol, and an ordinal where two share them.
package struct Fingerprint: Hashable, Sendable {
  package let rule: RuleID
  package let symbol: String
  /// 1 for the first of its rule and symbol in the order of the report.
  package let ordinal: Int

  /// 16 hexadecimal digits that stand for the fingerprint where its text is too long.
  package var digest: String {
    var text = "\(rule)\u{0}\(symbol)"
    if ordinal > 1 { text += "\u{0}\(ordinal)" }
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension Report {
  /// The fingerprint of each finding, shown or suppressed: a suppression never moves another's ordinal.
  package var fingerprints: [Finding: Fingerprint] {
    var counts: [Fingerprint: Int] = [:]
    var fingerprints: [Finding: Fingerprint] = [:]
    let all = (findings + suppressed.map(\.finding)).sorted { $0.comesBefore($1) }
    for finding in all where fingerprints[finding] == nil {
      let first = Fingerprint(rule: finding.rule, symbol: finding.symbol, ordinal: 1)
      counts[first, default: 0] += 1
      fingerprints[finding] = Fingerprint(
        rule: finding.rule, symbol: finding.symbol, ordinal: counts[first, default: 1])
    }
    return fingerprints
  }
}

extension Finding {
  /// Whether the finding stands before the other one in every report: by path, offset and rule.
  package func comesBefore(_ other: Finding) -> Bool {
    if location.path != other.location.path { return location.path < other.location.path }
    if location.start.offset != other.location.start.offset {
      return location.start.offset < other.location.start.offset
    }
    if rule != other.rule { return rule < other.rule }
    return message < other.message
  }
}
