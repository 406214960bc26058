import PersistIndex
import PersistSyntax

extension Program {
  /// Whether code never runs, because it stands under a flag that a constant or all callers set the
  /// other way.
  package func isUnreachable(_ node: Ref) -> Bool {
    guard let ways = conditions.ways(to: node), !ways.isEmpty else { return false }
    return ways.allSatisfy { way in way.contains { isNeverMet($0) } }
  }

  private func isNeverMet(_ placed: PlacedCondition) -> Bool {
    guard !placed.condition.isFailure, placed.step.operation != .isNil, isFixed(placed.node),
      let flag = knownValue(of: placed.node).flag
    else { return false }
    return flag != placed.condition.holds
  }

  /// Whether a condition calls nothing and names nothing that may change later.
  private func isFixed(_ condition: Ref) -> Bool {
    descendants(condition, .call).isEmpty
      && ([condition] + descendants(condition, .name) + descendants(condition, .member))
        .allSatisfy { node in
          switch declared(node) {
          case .local(let local): return isFixed(local: local)
          case .property(let id): return properties[id].isLet
          default:
            guard kind(node) == .name || kind(node) == .member else { return true }
            return property(usedBy: node).map { properties[$0].isLet } ?? true
          }
        }
  }

  /// Whether a local is a constant, or a parameter of a function that the sources alone call.
  private func isFixed(local: Ref) -> Bool {
    guard kind(local) == .parameter else { return !isVariable(local) }
    guard let list = parent(local), let declaration = parent(list),
      let function = function(declaredAt: declaration)
    else { return false }
    return functions[function].modifiers.allSatisfy { !["public", "open"].contains($0) }
  }
}
