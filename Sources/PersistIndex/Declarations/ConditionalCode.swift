import PersistSyntax

/// Which clauses of `#if` a release build for one platform holds.
struct ConditionalCode: Sendable {
  let files: [SourceFile]
  /// As `os(…)` names it.
  let platform: String

  /// Those of several declarations that are built together; where `#if` and `#else` declare one each,
  /// the one for the platform.
  func built<Declaration>(_ candidates: [Declaration], _ place: (Declaration) -> Ref)
    -> [Declaration]
  {
    guard candidates.count > 1,
      candidates.contains(where: { !clauses(around: place($0)).isEmpty })
    else { return candidates }
    let active = candidates.filter { isBuilt(place($0)) }
    guard let first = active.first else { return candidates }
    // Of clauses whose conditions aren't known the first one counts.
    return [first]
      + active.dropFirst().filter { !areAlternatives(place(first), place($0)) }
  }

  /// Which of several types a name of a file means.
  func choice(
    among all: [TypeID], of types: [TypeDeclaration], file: Int
  ) -> NameChoice<TypeID> {
    let candidates = built(all) { types[$0].ref }
    guard !candidates.isEmpty else { return .absent }
    let holders = candidates.map { files[Int(types[$0].ref.file)] }
    let choice = files[file].choice(among: holders) { index in
      let type = types[candidates[index]]
      return type.isPrivate && type.parent == nil
    }
    return choice.map { candidates[$0] }
  }

  /// Whether two nodes stand in different clauses of one `#if`.
  func areAlternatives(_ left: Ref, _ right: Ref) -> Bool {
    guard left.file == right.file else { return false }
    let nodes = files[Int(left.file)].outline.nodes
    let others = clauses(around: right)
    return clauses(around: left).contains { clause in
      others.contains { $0 != clause && nodes[$0].parent == nodes[clause].parent }
    }
  }

  /// Whether a release build may hold a node.
  func isBuilt(_ ref: Ref) -> Bool {
    let outline = files[Int(ref.file)].outline
    return clauses(around: ref).allSatisfy { outline.isActive($0, on: platform) }
  }

  /// The `#if` clauses around a node, from the inside out.
  private func clauses(around ref: Ref) -> [Int] {
    let nodes = files[Int(ref.file)].outline.nodes
    var found: [Int] = []
    var node = Int(ref.node)
    while node > 0 {
      node = Int(nodes[node].parent)
      if nodes[node].kind == .ifConfigClause { found.append(node) }
    }
    return found
  }
}

extension Outline {
  /// Whether a clause of `#if` may be compiled for a platform, by its condition and those before it.
  func isActive(_ clause: Int, on platform: String, isCatalyst: Bool = false) -> Bool {
    for other in children(of: Int(nodes[clause].parent)) where nodes[other].kind == .ifConfigClause
    {
      let isElse = tokens[Int(nodes[other].first)].kind == .poundElse
      let value =
        isElse
        ? true
        : SchemaConditions.evaluate(
          NodeView(OutlineView(self), other), platform: platform, isCatalyst: isCatalyst)
      if other == clause { return value ?? true }
      if value == true { return false }
    }
    return true
  }
}

extension Program {
  /// Those of several declarations that are built together; where `#if` and `#else` declare one each,
  /// the one for the platform that counts.
  func built<Declaration>(_ candidates: [Declaration], _ place: (Declaration) -> Ref)
    -> [Declaration]
  {
    declarations.conditions.built(candidates, place)
  }

  /// Whether two nodes stand in different clauses of one `#if`.
  package func areAlternatives(_ left: Ref, _ right: Ref) -> Bool {
    declarations.conditions.areAlternatives(left, right)
  }

  /// Whether a release build for the platform that counts may hold a node.
  package func isBuilt(_ ref: Ref) -> Bool { declarations.conditions.isBuilt(ref) }
}
