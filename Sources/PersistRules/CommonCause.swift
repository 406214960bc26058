import PersistIndex
import PersistSyntax

/// What several findings of one rule come from, such as the type that hides them all.
package struct CommonCause: Hashable, Sendable {
  /// The same for all findings of one cause, and for no others of the rule.
  package let id: String
  /// Which of them comes first; those of one rank stand in source order.
  package let rank: Int

  /// Places from which on a reviewer reads one finding rather than each.
  static let many = 8

  package init(_ id: String, rank: Int = 0) {
    self.id = id
    self.rank = rank
  }
}

extension [Finding] {
  /// One finding a cause that stands in many places, at the first, with the others as related
  /// locations.
  ///
  /// Suppressions, baselines and the files of a change are asked for each place, so this comes last.
  package var joinedByCause: [Finding] {
    var members: [CauseOfRule: [Finding]] = [:]
    for finding in self {
      if let key = CauseOfRule(finding) { members[key, default: []].append(finding) }
    }
    let joined = members.mapValues { found in
      found.enumerated().sorted {
        ($0.element.cause?.rank ?? 0, $0.offset) < ($1.element.cause?.rank ?? 0, $1.offset)
      }.map(\.element)
    }
    return compactMap { finding in
      guard let key = CauseOfRule(finding), let all = joined[key], all.count >= CommonCause.many
      else {
        return finding
      }
      return all[0] == finding ? finding.with(places: all.dropFirst().map(\.location)) : nil
    }
  }
}

/// What findings share that are printed as one.
private struct CauseOfRule: Hashable {
  let rule: RuleID
  let severity: Severity
  let cause: String

  init?(_ finding: Finding) {
    guard let cause = finding.cause else { return nil }
    (rule, severity, self.cause) = (finding.rule, finding.severity, cause.id)
  }
}

extension Finding {
  fileprivate func with(places: [Location]) -> Finding {
    let others = places.map { RelatedLocation(location: $0, message: "and here") }
    return Finding(
      rule: rule, severity: severity, message: message, location: location,
      related: related + others, symbol: symbol, flow: flow, fix: fix, cause: cause)
  }
}

extension Program {
  /// The type around a place, its extensions included; the file for what stands in none.
  func typeCause(at place: Ref) -> CommonCause {
    guard let type = enclosingType(place) else { return CommonCause(files[Int(place.file)].path) }
    return cause(of: type)
  }

  /// What a type does wrong in several of its methods.
  func cause(of type: TypeID) -> CommonCause {
    CommonCause(causeID(of: types[type].ref))
  }

  /// What tells the findings of one declaration from those of others.
  func causeID(of declaration: Ref) -> String {
    "\(files[Int(declaration.file)].path):\(declaration.node)"
  }
}
