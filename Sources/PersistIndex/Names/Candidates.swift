import PersistSyntax

// MARK: - Several declarations of one name

extension Program {
  /// Those of several declarations that are built together; where `#if` and `#else` declare one each,
  /// the one for the platform that counts.
  func built<Declaration>(_ candidates: [Declaration], _ place: (Declaration) -> Ref)
    -> [Declaration]
  {
    guard candidates.count > 1, candidates.contains(where: { isConditional(place($0)) }) else {
      return candidates
    }
    let active = candidates.filter { isBuilt(place($0)) }
    guard let first = active.first else { return candidates }
    // Of clauses whose conditions aren't known the first one counts.
    return [first]
      + active.dropFirst().filter { !areAlternatives(place(first), place($0)) }
  }

  /// The `#if` clauses around a node, from the inside out.
  private func clauses(around ref: Ref) -> [Ref] {
    ancestors(ref).filter { kind($0) == .ifConfigClause }
  }

  private func isConditional(_ ref: Ref) -> Bool { !clauses(around: ref).isEmpty }

  /// Whether two nodes stand in different clauses of one `#if`.
  func areAlternatives(_ left: Ref, _ right: Ref) -> Bool {
    guard left.file == right.file else { return false }
    let others = clauses(around: right)
    return clauses(around: left).contains { clause in
      others.contains { $0 != clause && parent($0) == parent(clause) }
    }
  }

  /// Whether a release build for the platform that counts may hold a node.
  func isBuilt(_ ref: Ref) -> Bool {
    clauses(around: ref).allSatisfy { isActive($0, named: platform) }
  }
}
