import PersistSyntax

/// A part of a `#Predicate` that the store can't evaluate.
package struct PredicateProblem: Sendable {
  /// What is wrong with the part.
  package enum Reason: Sendable {
    case computed, transient, enumCase
  }

  package let place: Ref
  package let name: String
  package let model: String
  package let reason: Reason
  /// The property's declaration; for an enum case the property it is compared with.
  package let declaration: Ref
}

// MARK: - What predicates may ask

extension Program {
  /// The parts of predicates over models that are not stored, or that compare enum cases.
  package var predicateProblems: [PredicateProblem] {
    calls(named: "Predicate").flatMap { call -> [PredicateProblem] in
      guard let macro = calledNode(call), kind(macro) == .macro, !isExempt(call),
        let closure = child(call, .closure)
      else { return [] }
      var seen: Set<Ref> = []
      return descendants(closure, .chain).flatMap { problems(in: $0, closure) }
        .filter { $0.reason == .enumCase || seen.insert($0.declaration).inserted }
    }
  }

  private func problems(in chain: Ref, _ closure: Ref) -> [PredicateProblem] {
    let parts = children(chain)
    guard let first = parts.first, kind(first) == .name, isSubject(first, of: closure) else {
      return []
    }
    for (index, part) in parts.enumerated().dropFirst() where kind(part) == .member {
      guard case .declared(let owner, _) = type(ofChain: chain, upTo: part).unwrapped,
        isModel(owner),
        case .property(let id)? = member(name(part), of: owner)
      else { continue }
      let model = nameText(types[resolveAlias(owner)].ref)
      let declaration = properties[id].ref
      if properties[id].attributes.contains("Transient") {
        return [
          PredicateProblem(
            place: part, name: nameText(part), model: model, reason: .transient,
            declaration: declaration)
        ]
      }
      if properties[id].isComputed {
        return [
          PredicateProblem(
            place: part, name: nameText(part), model: model, reason: .computed,
            declaration: declaration)
        ]
      }
      if index == parts.count - 1, let other = comparedCase(chain, type(ofProperty: id)) {
        return [
          PredicateProblem(
            place: other, name: nameText(part), model: model, reason: .enumCase,
            declaration: declaration)
        ]
      }
    }
    return []
  }

  private func isSubject(_ name: Ref, of closure: Ref) -> Bool {
    switch declared(name) {
    case .closureArgument(closure, _): return true
    case .local(let local):
      return kind(local) == .parameter && parent(local).map { parent($0) } == closure
    default: return false
    }
  }

  /// The enum case on the other side of the `==` or `!=` beside a chain.
  private func comparedCase(_ chain: Ref, _ type: SwiftType) -> Ref? {
    guard case .declared(let id, _) = type.unwrapped, types[id].kind == .enumDecl,
      let expression = parent(chain), kind(expression) == .expression
    else { return nil }
    let parts = children(expression)
    guard let place = parts.firstIndex(of: chain) else { return nil }
    for (sign, side) in [(place + 1, place + 2), (place - 1, place - 2)] {
      guard parts.indices.contains(sign), parts.indices.contains(side),
        kind(parts[sign]) == .binaryOperator, ["==", "!="].contains(nameText(parts[sign])),
        kind(parts[side]) == .chain, let last = children(parts[side]).last
      else { continue }
      if kind(last) == .implicitMember { return last }
      if kind(last) == .member,
        case .metatype(type.unwrapped) = self.type(ofChain: parts[side], upTo: last)
      {
        return last
      }
    }
    return nil
  }

  /// The model that a predicate is about, from its generic argument, its closure, or what takes it.
  func subject(ofPredicate call: Ref) -> SwiftType {
    guard let macro = calledNode(call), kind(macro) == .macro else { return .unknown }
    if let written = genericArguments(macro).first { return written }
    if let closure = arguments(call).lazy.compactMap({ self.closure(in: $0) }).first,
      let parameter = child(closure, .parameters).flatMap({ child($0, .parameter) }),
      let type = child(parameter, .type)
    {
      return self.type(ofTypeNode: type)
    }
    guard let chain = parent(call),
      case .external("Predicate", let arguments) = expectedType(of: chain).unwrapped
    else { return .unknown }
    return arguments.first ?? .unknown
  }
}
