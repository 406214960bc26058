import PersistIndex
import PersistSyntax

/// What several findings of one rule come from, such as the type that hides them all.
package struct CommonCause: Hashable, Sendable {
  /// The same for all findings of one cause, and for no others of the rule.
  package let id: String
  /// Which of them comes first; those of one rank stand in source order.
  package let rank: Int
  /// The number of places from which on there is one finding.
  package let least: Int
  /// What causes like this one share among themselves, so that many of them are one; nothing where
  /// each stands alone.
  package let habit: String?
  /// Whether it is what one type does alike: two places are one where the rule speaks of many.
  package let isCommon: Bool

  /// Places from which on a reviewer reads one finding rather than each.
  static let many = 8
  /// The same for what one type does alike.
  static let several = 4

  package init(
    _ id: String, rank: Int = 0, least: Int? = nil, habit: String? = nil, isCommon: Bool = false
  ) {
    self.id = id
    self.rank = rank
    self.least = least ?? (isCommon ? Self.several : Self.many)
    self.habit = habit
    self.isCommon = isCommon
  }
}

extension [Finding] {
  /// One finding a cause that stands in many places, at the first, with the others as related
  /// locations.
  ///
  /// Suppressions, baselines and the files of a change are asked for each place, so this comes last.
  package var joinedByCause: [Finding] {
    var members: [CauseOfRule: [Finding]] = [:]
    var habits: [CauseOfRule: Int] = [:]
    var counts: [RuleID: Int] = [:]
    for finding in self where finding.severity > .note { counts[finding.rule, default: 0] += 1 }
    for finding in self {
      if let habit = CauseOfRule(finding, finding.cause?.habit) { habits[habit, default: 0] += 1 }
    }
    func key(_ finding: Finding) -> CauseOfRule? {
      let habit = CauseOfRule(finding, finding.cause?.habit)
      if let habit, habits[habit, default: 0] >= CommonCause.many { return habit }
      return CauseOfRule(finding, finding.cause?.id)
    }
    for finding in self {
      if let key = key(finding) { members[key, default: []].append(finding) }
    }
    let joined = members.mapValues { found in
      // The gravest first.
      found.enumerated().sorted { one, other in
        one.element.severity == other.element.severity
          ? (one.element.cause?.rank ?? 0, one.offset)
            < (other.element.cause?.rank ?? 0, other.offset)
          : one.element.severity > other.element.severity
      }.map(\.element)
    }
    func least(_ finding: Finding) -> Int {
      guard let cause = finding.cause else { return CommonCause.many }
      let isOfMany = counts[finding.rule, default: 0] >= CommonCause.many
      return cause.isCommon && isOfMany ? 2 : cause.least
    }
    return compactMap { finding in
      guard let key = key(finding), let all = joined[key], all.count >= least(finding) else {
        return finding
      }
      return all[0] == finding ? finding.with(places: all.dropFirst()) : nil
    }
  }
}

/// What findings share that are printed as one.
private struct CauseOfRule: Hashable {
  let rule: RuleID
  /// Notes stay apart from what a reviewer has to read.
  let isNote: Bool
  let cause: String

  init?(_ finding: Finding, _ cause: String?) {
    guard let cause else { return nil }
    (rule, isNote, self.cause) = (finding.rule, finding.severity == .note, cause)
  }
}

extension Finding {
  /// How a finding names another place like its own.
  static let alsoHere = "and here"

  /// The finding with others of its cause, and with the places that these stand for.
  fileprivate func with(places: some Collection<Finding>) -> Finding {
    var related = self.related
    var named = Set(related.map(\.location) + [location])
    for finding in places {
      let others = finding.related.filter { $0.message.hasPrefix("and ") }.map(\.location)
      for place in [finding.location] + others where named.insert(place).inserted {
        related.append(RelatedLocation(location: place, message: Self.alsoHere))
      }
    }
    return Finding(
      rule: rule, severity: severity, message: message, location: location, related: related,
      symbol: symbol, flow: flow, fix: fix, cause: cause)
  }
}

extension Program {
  /// The type around a place, its extensions included; the file for what stands in none.
  func typeCause(
    at place: Ref, least: Int? = nil, habit: String? = nil, isCommon: Bool = false
  ) -> CommonCause {
    let id = enclosingType(place).map { causeID(of: types[resolveAlias($0)].ref) }
    return CommonCause(
      id ?? files[Int(place.file)].path, least: least, habit: habit, isCommon: isCommon)
  }

  /// What a type does wrong in several of its methods.
  func cause(of type: TypeID, least: Int? = nil, isCommon: Bool = false) -> CommonCause {
    CommonCause(causeID(of: types[type].ref), least: least, isCommon: isCommon)
  }

  /// What tells the findings of one declaration from those of others.
  func causeID(of declaration: Ref) -> String {
    "\(files[Int(declaration.file)].path):\(declaration.node)"
  }
}
