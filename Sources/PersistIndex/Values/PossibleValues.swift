import PersistSyntax

/// A value that an expression can have, and when it has it.
package struct PossibleValue {
  /// The chain or expression that spells the value.
  package let place: Ref
  /// Whether the flags on the way choose it.
  package let when: Truth
}

// MARK: - What a value can be

extension Program {
  /// What an expression can be: the sides of `?:`, what a `let` holds or its branches assign, what
  /// callers hand over, what functions and properties of the sources give; the expression itself
  /// where nothing of that leads on.
  package func possibleValues(of ref: Ref) -> [PossibleValue] {
    possibleValues(of: ref, .isTrue, [])
  }

  private func possibleValues(of ref: Ref, _ when: Truth, _ seen: Set<Ref>) -> [PossibleValue] {
    guard !seen.contains(ref), isWithin(seen.count, .valueNames) else {
      return [PossibleValue(place: ref, when: .isOpen)]
    }
    let seen = seen.union([ref])
    switch kind(ref) {
    case .argument:
      return children(ref).first.map { possibleValues(of: $0, when, seen) } ?? []
    case .expression:
      if let sides = sides(ofChoice: ref) {
        let truth = truth(ofParts: sides.condition)
        return possibleValues(of: sides.first, when.and(truth), seen)
          + possibleValues(of: sides.second, when.and(truth.negated), seen)
      }
      let parts = children(ref).filter {
        ![.tryMark, .awaitMark, .cast].contains(kind($0))
      }
      return parts.count == 1
        ? possibleValues(of: parts[0], when, seen) : [PossibleValue(place: ref, when: when)]
    case .chain: return possibleValues(ofChain: ref, when, seen)
    default: return [PossibleValue(place: ref, when: when)]
    }
  }

  /// The condition and the two values of `a ? b : c`, when each of them is one chain.
  private func sides(ofChoice ref: Ref) -> (condition: ArraySlice<Ref>, first: Ref, second: Ref)? {
    let parts = children(ref)
    let signs = parts.indices.filter { kind(parts[$0]) == .binaryOperator }
    guard let ask = signs.first(where: { nameText(parts[$0]) == "?" }),
      let colon = signs.first(where: { $0 > ask && nameText(parts[$0]) == ":" }),
      colon == ask + 2, colon == parts.count - 2
    else { return nil }
    return (parts[..<ask], parts[ask + 1], parts[colon + 1])
  }

  private func possibleValues(
    ofChain chain: Ref, _ when: Truth, _ seen: Set<Ref>
  ) -> [PossibleValue] {
    let parts = children(chain)
    let own = [PossibleValue(place: chain, when: when)]
    guard let last = parts.last, let head = parts.first else { return own }
    if kind(head) == .tuple, parts.count == 1, children(head, .argument).count == 1 {
      return possibleValues(of: children(head, .argument)[0], when, seen)
    }
    if kind(last) == .call {
      guard case .functions(let ids) = callTarget(last) else { return own }
      let values = ids.flatMap { id in
        body(of: id).map { results(of: $0) } ?? []
      }
      return values.isEmpty ? own : values.flatMap { possibleValues(of: $0, when, seen) }
    }
    guard parts.allSatisfy({ kind($0) == .name || kind($0) == .member }) else { return own }
    if parts.count == 1, case .local(let local)? = declared(head) {
      return possibleValues(ofLocal: local, when, seen) ?? own
    }
    guard let id = property(usedBy: last) else { return own }
    let property = properties[id]
    let file = Int(property.ref.file)
    if let accessors = property.accessors {
      let getter = children(Ref(file: file, node: accessors), .accessor).first {
        ["", "get"].contains(nameText($0))
      }
      let values = getter.flatMap { child($0, .block) }.map { results(of: $0) } ?? []
      return values.isEmpty ? own : values.flatMap { possibleValues(of: $0, when, seen) }
    }
    guard property.isLet, let value = property.initializer else { return own }
    return possibleValues(of: Ref(file: file, node: value), when, seen)
  }

  private func possibleValues(
    ofLocal local: Ref, _ when: Truth, _ seen: Set<Ref>
  ) -> [PossibleValue]? {
    switch kind(local) {
    case .parameter:
      guard let list = parent(local), let declaration = parent(list),
        let id = function(declaredAt: declaration),
        let index = children(list, .parameter).firstIndex(of: local)
      else { return nil }
      let calls = shippingCallers(of: id)
      let fallback = child(local, .expression)
      let values = calls.compactMap { call in
        argument(of: call, for: index, of: functions[id]) ?? fallback
      }
      guard !calls.isEmpty, values.count == calls.count else { return nil }
      return Set(values).sorted().flatMap { possibleValues(of: $0, when, seen) }
    case .boundName:
      guard let binding = parent(local), kind(binding) == .binding else { return nil }
      if let value = child(binding, .expression) {
        return possibleValues(of: value, when, seen)
      }
      let assigned = assignments(toLocal: local)
      guard !assigned.isEmpty else { return nil }
      return assigned.flatMap { possibleValues(of: $0, when.and(truth(ofReaching: $0)), seen) }
    default: return nil
    }
  }

  /// The expressions that are assigned to a local declared without a value.
  package func assignments(toLocal local: Ref) -> [Ref] {
    uses(ofLocal: local).compactMap { use in
      guard let chain = parent(use), children(chain) == [use] else { return nil }
      return assignment(toChain: chain)?.value
    }
  }

  /// What the `return`s of a body, or its only expression, give in a release build.
  package func results(of body: Ref) -> [Ref] {
    let statements = statements(in: body)
    if statements.count == 1, kind(statements[0]) == .expression { return [statements[0]] }
    return descendants(body, .returnStatement).filter { !isExempt($0) }.compactMap {
      child($0, .expression)
    }
  }
}
