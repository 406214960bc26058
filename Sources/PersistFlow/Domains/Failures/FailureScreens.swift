import PersistIndex
import PersistSyntax

// MARK: - Screens that only say what failed

extension Program {
  /// Whether a state that a failure path sets makes views show something in which nothing of a store
  /// can be entered, in place of what they show otherwise.
  package func blocksScreen(on path: FailurePath) -> Bool {
    path.nodes.flatMap { nodesRun(in: $0) }.contains { node in
      guard kind(node) == .expression, let (state, isSet) = stateSet(by: node) else { return false }
      return uses(ofProperty: state).contains { isViewCode($0) && dividesScreen($0, isSet) }
    }
  }

  /// The property that an assignment sets to a flag, an error or nil, and whether it holds then.
  private func stateSet(by expression: Ref) -> (PropertyID, Bool)? {
    guard let assignment = assignment(expression), var value = assignment.value,
      let target = lastPart(ofTarget: assignment)
    else { return nil }
    var state = property(usedBy: target)
    if state == nil, let (wrapped, held) = wrapperSet(target, to: value) {
      (state, value) = (wrapped, held)
    }
    return state.map { ($0, booleanLiteral(value) ?? !isNil(value)) }
  }

  /// The property whose wrapper an initializer makes, and what that holds: `_isReady = State(…)`.
  private func wrapperSet(_ target: Ref, to made: Ref) -> (PropertyID, Ref)? {
    let name = nameText(target)
    guard name.hasPrefix("_"), let type = enclosingType(target),
      case .property(let state)? = member(Name(String(name.dropFirst())), of: type),
      let call = descendants(made, .call).first,
      Frameworks.wrappersOfValues.contains(calledName(call)),
      let held = arguments(call).first.flatMap({ children($0).first })
    else { return nil }
    return (state, held)
  }

  /// Whether a use of a state decides which of two branches is shown, and the one of the failure
  /// holds nothing to enter.
  private func dividesScreen(_ use: Ref, _ isSet: Bool) -> Bool {
    guard let statement = ancestors(use).first(where: { kind($0) == .ifStatement }),
      let then = child(statement, .block), use < then,
      let condition = children(statement).first, contains(condition, use),
      let other = children(statement).last, other != then,
      let holds = holdsWhenSet(condition, use)
    else { return false }
    return showsNoData(holds == isSet ? then : other)
  }

  /// Whether a condition that is nothing but a look at a state holds where the state is set.
  private func holdsWhenSet(_ condition: Ref, _ use: Ref) -> Bool? {
    if kind(condition) == .optionalBinding { return true }
    guard let chain = parent(use), children(chain).last == use else { return nil }
    if let comparison = nilComparison(of: chain) { return !comparison.isEqual }
    return children(condition) == [chain] ? !truthIsNegated(chain) : nil
  }

  /// Whether nothing in a branch shows objects of a store or can make some.
  private func showsNoData(_ branch: Ref) -> Bool {
    !descendants(branch, .member).contains { Words.contextNames.contains(name($0)) }
      && descendants(branch, .call).allSatisfy { call in
        guard case .initializer(let type, _) = callTarget(call) else { return true }
        return types[type].properties.allSatisfy { showsNoData($0) }
      }
  }

  private func showsNoData(_ property: PropertyID) -> Bool {
    let attributes = properties[property].attributes
    if !Words.dataWrappers.isDisjoint(with: attributes) { return false }
    guard attributes.contains("Environment") else { return true }
    let words = files[Int(properties[property].ref.file)].outline
      .tokenNames(of: properties[property].declaration)
    return Words.contextNames.isDisjoint(with: words)
  }
}
