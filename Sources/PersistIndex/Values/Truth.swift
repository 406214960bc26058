import PersistSyntax

/// The values that a condition can have in the code that ships.
package struct Truth: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// A constant or a caller makes it true.
  package static let isTrue = Truth(rawValue: 1)
  /// A constant or a caller makes it false.
  package static let isFalse = Truth(rawValue: 2)
  /// Something decides that the sources don't tell.
  package static let isOpen = Truth(rawValue: 4)

  /// What the opposite can be.
  var negated: Truth {
    var result = intersection(.isOpen)
    if contains(.isTrue) { result.insert(.isFalse) }
    if contains(.isFalse) { result.insert(.isTrue) }
    return result
  }

  /// What `a && b` can be.
  package func and(_ other: Truth) -> Truth {
    if self == .isFalse || other == .isFalse { return .isFalse }
    if self == .isTrue { return other }
    if other == .isTrue { return self }
    if contains(.isOpen) || other.contains(.isOpen) {
      return contains(.isFalse) || other.contains(.isFalse) ? [.isOpen, .isFalse] : .isOpen
    }
    return [.isTrue, .isFalse]
  }

  /// What `a || b` can be.
  func or(_ other: Truth) -> Truth { negated.and(other.negated).negated }
}

// MARK: - What flags are

extension Program {
  /// What a condition can be: constants, defaults and the arguments of all callers decide.
  package func truth(of ref: Ref) -> Truth { truth(of: ref, FlagTrail()) }

  /// What a condition of several operands can be.
  func truth(ofParts parts: ArraySlice<Ref>) -> Truth { truth(ofParts: parts, FlagTrail()) }

  /// Whether the code at a place runs, as far as the conditions around it tell.
  package func truth(ofReaching place: Ref) -> Truth {
    var result = Truth.isTrue
    var inner = place
    for outer in ancestors(place) {
      switch kind(outer) {
      case .ifStatement, .guardStatement:
        result = result.and(truth(ofReaching: inner, in: outer))
      case .functionDecl, .initDecl, .members, .file: return result
      default: break
      }
      inner = outer
    }
    return result
  }

  private func truth(ofReaching inner: Ref, in statement: Ref) -> Truth {
    let conditions = children(statement).filter { kind($0) == .expression }
    let blocks = children(statement).filter { kind($0) == .block || kind($0) == .ifStatement }
    guard blocks.contains(inner) else { return .isTrue }
    let others = children(statement).contains {
      [.optionalBinding, .caseCondition, .availability].contains(kind($0))
    }
    let whole = conditions.reduce(others ? Truth.isOpen : .isTrue) { $0.and(truth(of: $1)) }
    let isThen = kind(statement) == .ifStatement && inner == blocks.first
    return isThen ? whole : whole.negated
  }
}

/// The questions on the way to an answer, so that a flag that decides itself ends.
private struct FlagTrail {
  var seen: Set<Ref> = []

  func going(over ref: Ref, _ program: Program) -> FlagTrail? {
    guard !seen.contains(ref), program.isWithin(seen.count, .flagNames) else { return nil }
    var next = self
    next.seen.insert(ref)
    return next
  }
}

extension Program {
  private func truth(of ref: Ref, _ trail: FlagTrail) -> Truth {
    switch kind(ref) {
    case .argument: return children(ref).first.map { truth(of: $0, trail) } ?? .isOpen
    case .expression: return truth(ofParts: children(ref)[...], trail)
    case .chain: return truth(ofChain: ref, trail)
    case .literal:
      switch booleanLiteral(ref) {
      case true?: return .isTrue
      case false?: return .isFalse
      case nil: return .isOpen
      }
    case .tuple:
      let parts = children(ref, .argument)
      return parts.count == 1 ? truth(of: parts[0], trail) : .isOpen
    default: return .isOpen
    }
  }

  /// The value of `a || b && !c`.
  private func truth(ofParts parts: ArraySlice<Ref>, _ trail: FlagTrail) -> Truth {
    for sign in ["||", "&&"] {
      let cut = parts.lastIndex { kind($0) == .binaryOperator && nameText($0) == sign }
      guard let cut else { continue }
      let left = truth(ofParts: parts[..<cut], trail)
      let right = truth(ofParts: parts[(cut + 1)...], trail)
      return sign == "||" ? left.or(right) : left.and(right)
    }
    guard parts.count == 1, let only = parts.first else { return .isOpen }
    return isNegated(only) ? truth(of: only, trail).negated : truth(of: only, trail)
  }

  /// Whether a `!` stands before a chain.
  package func truthIsNegated(_ chain: Ref) -> Bool { isNegated(chain) }

  private func isNegated(_ chain: Ref) -> Bool {
    let outline = outline(chain)
    var count = 0
    var token = Int(node(chain).first)
    while token < Int(node(chain).end), outline.name(ofToken: token) == "!" {
      count += 1
      token += 1
    }
    return count % 2 == 1
  }

  private func truth(ofChain chain: Ref, _ trail: FlagTrail) -> Truth {
    let parts = children(chain)
    guard let last = parts.last, let head = parts.first else { return .isOpen }
    if parts.count == 1, kind(head) != .name { return truth(of: head, trail) }
    if kind(last) == .call { return truth(ofCall: last, trail) }
    guard parts.allSatisfy({ kind($0) == .name || kind($0) == .member }) else { return .isOpen }
    if parts.count == 1, case .local(let local)? = declared(head) {
      return truth(ofLocal: local, trail)
    }
    return property(usedBy: last).map { truth(ofProperty: $0, trail) } ?? .isOpen
  }

  private func truth(ofCall call: Ref, _ trail: FlagTrail) -> Truth {
    guard let trail = trail.going(over: call, self), case .functions(let ids) = callTarget(call)
    else {
      return .isOpen
    }
    return ids.reduce(Truth()) { found, id in
      found.union(body(of: id).map { truth(ofBody: $0, trail) } ?? .isOpen)
    }
  }

  private func truth(ofLocal local: Ref, _ trail: FlagTrail) -> Truth {
    guard let trail = trail.going(over: local, self) else { return .isOpen }
    switch kind(local) {
    case .parameter: return truth(ofParameter: local, trail)
    case .boundName:
      guard let binding = parent(local), kind(binding) == .binding,
        let statement = parent(binding), !isVariable(statement),
        let value = child(binding, .expression)
      else { return .isOpen }
      return truth(of: value, trail)
    case .capture: return child(local, .expression).map { truth(of: $0, trail) } ?? .isOpen
    default: return .isOpen
    }
  }

  private func isVariable(_ declaration: Ref) -> Bool {
    let view = view(declaration)
    return (Int(node(declaration).first)..<Int(node(declaration).end)).lazy
      .map { view[token: $0].keyword }.first { $0 == .var || $0 == .let } != .let
  }

  /// What all callers in the code that ships hand over.
  private func truth(ofParameter parameter: Ref, _ trail: FlagTrail) -> Truth {
    guard let list = parent(parameter), let declaration = parent(list),
      let id = function(declaredAt: declaration),
      let index = children(list, .parameter).firstIndex(of: parameter)
    else { return .isOpen }
    let calls = shippingCallers(of: id)
    guard !calls.isEmpty else { return .isOpen }
    return calls.reduce(Truth()) { found, call in
      if let value = argument(of: call, for: index, of: functions[id]) {
        return found.union(truth(of: value, trail))
      }
      let fallback = child(parameter, .expression)
      return found.union(fallback.map { truth(of: $0, trail) } ?? .isOpen)
    }
  }

  private func truth(ofProperty id: PropertyID, _ trail: FlagTrail) -> Truth {
    let property = properties[id]
    let file = Int(property.ref.file)
    guard let trail = trail.going(over: property.ref, self),
      children(Ref(file: file, node: property.declaration), .attribute).isEmpty
    else { return .isOpen }
    if let accessors = property.accessors {
      let list = Ref(file: file, node: accessors)
      let getter = children(list, .accessor).first { ["", "get"].contains(nameText($0)) }
      return getter.flatMap { child($0, .block) }.map { truth(ofBody: $0, trail) } ?? .isOpen
    }
    guard let value = property.initializer,
      !isVariable(Ref(file: file, node: property.declaration))
    else { return .isOpen }
    return truth(of: Ref(file: file, node: value), trail)
  }

  private func truth(ofBody body: Ref, _ trail: FlagTrail) -> Truth {
    let found = results(of: body).reduce(Truth()) { $0.union(truth(of: $1, trail)) }
    return found.isEmpty ? .isOpen : found
  }
}
