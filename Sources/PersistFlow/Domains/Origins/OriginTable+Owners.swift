import PersistIndex

// MARK: - Sets of which some owners are another

extension OriginTable {
  /// The set without objects of which only their first function is known.
  func withoutGiven(_ set: OriginsID) -> OriginsID {
    if let known = withoutGiven[set] { return known }
    let result = mapped(set) { origin in
      switch origin {
      case .managed(let owner), .owner(let owner):
        guard owner.isGiven, case .given = owner.home else { return one(origin) }
        if owner.framework != .realm { return Self.unknown }
        return one(origin.isManaged ? .managed(.someRealm) : .owner(.someRealm))
      default: return changed(origin) { self.withoutGiven($0) }
      }
    }
    withoutGiven[set] = result
    return result
  }

  /// The set behind a wait, after which nothing of the thread before may be used.
  func left(_ set: OriginsID) -> OriginsID {
    if let known = left[set] { return known }
    let result = mapped(set) { origin in
      switch origin {
      case .owner(var owner) where owner.home == .turn:
        owner.home = .left
        return one(.owner(owner))
      case .managed(var owner) where owner.home == .turn:
        owner.home = .left
        return one(.managed(owner))
      default: return changed(origin) { self.left($0) }
      }
    }
    left[set] = result
    return result
  }

  /// The set with frozen copies of what belongs to a realm; what is new stays as it is.
  func frozen(_ set: OriginsID, at place: Ref) -> OriginsID {
    mapped(set) { origin in
      if case .managed = origin { one(.managed(Owner(frozenAt: place))) } else { one(origin) }
    }
  }

  /// Whether a value surely is a frozen realm, or what belongs to one.
  func isFrozen(_ set: OriginsID) -> Bool {
    let all = members(set).filter { $0 != .null }
    return !sets[Int(set)].isOpen && !all.isEmpty
      && all.allSatisfy { origin in
        switch origin {
        case .owner(let owner), .managed(let owner): owner.home == .frozen
        case .holder(_, _, let inner): isFrozen(inner)
        default: false
        }
      }
  }

  /// The set with a realm in place of those that its objects belong to.
  func held(by realm: Owner, _ set: OriginsID) -> OriginsID {
    mapped(set) { origin in
      switch origin {
      case .managed: one(.managed(realm))
      case .owner: one(.owner(realm))
      case .collection, .holder: changed(origin) { self.held(by: realm, $0) }
      case .null: one(origin)
      default: Self.unknown
      }
    }
  }

  /// The set with its contexts as the functions know them that make them.
  func whicheverCall(_ set: OriginsID) -> OriginsID {
    guard lead(of: set) != .never else { return set }
    return mapped(set) { origin in
      switch origin {
      case .owner(let owner): one(.owner(owner.whicheverCall))
      case .managed(let owner): one(.managed(owner.whicheverCall))
      case .closure(let body, let captures):
        one(.closure(body, captures.map { self.whicheverCall($0) }))
      default: changed(origin) { self.whicheverCall($0) }
      }
    }
  }

  /// The set where it holds nothing that each call makes anew; else one of which nothing is known.
  func lasting(_ set: OriginsID) -> OriginsID {
    let isLasting = members(set).allSatisfy { origin in
      switch origin {
      case .owner, .managed, .queue, .instance, .type, .literal, .plain, .null: true
      case .collection(let part): lasting(part) == part
      default: false
      }
    }
    return isLasting ? set : Self.unknown
  }

  /// An origin with other parts.
  private func changed(_ origin: Origin, _ new: (OriginsID) -> OriginsID) -> OriginsID {
    switch origin {
    case .collection(let inner): one(.collection(new(inner)))
    case .dictionary(let inner): one(.dictionary(new(inner)))
    case .tuple(let parts, let labels): one(.tuple(parts.map(new), labels))
    case .enumCase(let name, let parts): one(.enumCase(name, parts.map(new)))
    case .holder(let name, let site, let part): one(.holder(name, site, new(part)))
    case .structure(let type, let fields):
      one(
        .structure(
          type, fields.map { Origin.Field(property: $0.property, value: new($0.value)) }))
    default: one(origin)
    }
  }
}

// MARK: - What leads to an owner

extension OriginTable {
  /// Whether a value is or holds an owner or one of its objects; code may lead to one.
  enum Lead: UInt8 { case never, perhaps, surely }

  /// Whether a value leads to an owner.
  func lead(of set: OriginsID) -> Lead { leadsOfSets[Int(set)] }

  func lead(of origin: Origin) -> Lead {
    func greatest(_ parts: some Sequence<OriginsID>) -> Lead { self.greatest(parts.map(lead(of:))) }
    switch origin {
    case .owner, .managed: return .surely
    case .function: return .perhaps
    case .closure(_, let captures):
      return greatest(captures.dropFirst()) == .surely ? .surely : .perhaps
    case .holder(_, _, let part): return lead(of: part) == .surely ? .surely : .perhaps
    case .collection(let part), .dictionary(let part): return lead(of: part)
    case .tuple(let parts, _), .enumCase(_, let parts): return greatest(parts)
    case .structure(_, let fields): return greatest(fields.lazy.map(\.value))
    default: return .never
    }
  }

  func greatest(_ leads: [Lead]) -> Lead {
    leads.max { $0.rawValue < $1.rawValue } ?? .never
  }
}
